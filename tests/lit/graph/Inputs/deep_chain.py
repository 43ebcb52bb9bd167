"""Prints a graph whose loss is a chain of that many ops."""
import sys

print("""graph.variable @w : tensor<f32> = #graph.fill<1.0>
graph.func @train() {
  %x0 = graph.read @w : tensor<f32>""")
length = int(sys.argv[1])
for i in range(length):
    print(f"  %x{i + 1} = graph.exp %x{i} : tensor<f32>")
print(f"""  graph.minimize %x{length} : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}}""")
