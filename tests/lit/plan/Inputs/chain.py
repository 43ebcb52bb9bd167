"""A program of COUNT times OP, one behind the other: chain.py COUNT OP [matmul]"""
import sys

count, op = int(sys.argv[1]), sys.argv[2]
tensor = "tensor<8x8xf32>"
print("plan.variable @w : %s on <local:0> = #plan.fill<1.0>" % tensor)
print("plan.entry @f replicas 1 {\n plan.program on <local:0> {")
print("  plan.activation step {")
print("   %%v = plan.load_variable @w : %s" % tensor)
value = "%v"
if "matmul" in sys.argv:
    print("   %%m = graph.matmul %%v, %%v : %s, %s" % (tensor, tensor))
    value = "%m"
for i in range(count):
    print("   %%x%d = graph.%s %s : %s" % (i, op, value, tensor))
    value = "%%x%d" % i
print('   plan.write_fetch "y"(%s) : %s' % (value, tensor))
print("  }\n }\n}")
