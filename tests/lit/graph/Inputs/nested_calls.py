"""Prints functions that each call the next one twice: nested_calls.py DEPTH."""
import sys

depth = int(sys.argv[1])
for i in range(depth):
    print(f"""graph.func private @f{i}(%x: tensor<f32>) -> tensor<f32> {{
  %a = graph.call @f{i + 1}(%x) : (tensor<f32>) -> tensor<f32>
  %b = graph.call @f{i + 1}(%a) : (tensor<f32>) -> tensor<f32>
  graph.return %b : tensor<f32>
}}""")
print(f"""graph.func private @f{depth}(%x: tensor<f32>) -> tensor<f32> {{
  graph.return %x : tensor<f32>
}}""")
