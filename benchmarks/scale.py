"""Writes a graph of a given number of ops, trained end to end."""

LAYER = """\
    %m{i} = graph.matmul %h{i}, %w{w}{on} : tensor<2x4xf32>, tensor<4x4xf32>
    %a{i} = graph.bias_add %m{i}, %b{on} : tensor<2x4xf32>, tensor<4xf32>
    %r{i} = graph.relu %a{i}{on} : tensor<2x4xf32>
    %s{i} = graph.mul %r{i}, %h{i}{on} : tensor<2x4xf32>, tensor<2x4xf32>
    %h{next} = graph.add %s{i}, %h{i}{on} : tensor<2x4xf32>, tensor<2x4xf32>
"""
OPS_A_LAYER, LAYERS_A_WEIGHT = 5, 50


def write_graph(path, ops, workers=0):
    """A chain of residual layers: deep, with a weight that 50 layers share; cut into as many stages as `workers`."""
    layers = ops // OPS_A_LAYER
    weights = range((layers + LAYERS_A_WEIGHT - 1) // LAYERS_A_WEIGHT)
    with open(path, "w", encoding="utf-8") as file:
        file.write("module @scale {\n  graph.variable @b : tensor<4xf32> = #graph.fill<0.0>\n")
        for w in weights:
            file.write(f"  graph.variable @w{w} : tensor<4x4xf32> = #graph.glorot_uniform\n")
        file.write("  graph.func @train(%h0: tensor<2x4xf32>) {\n    %b = graph.read @b : tensor<4xf32>\n")
        for w in weights:
            file.write(f"    %w{w} = graph.read @w{w} : tensor<4x4xf32>\n")
        for i in range(layers):
            on = f' {{device = "/job:worker/task:{i * workers // layers}"}}' if workers else ""
            file.write(LAYER.format(i=i, next=i + 1, w=i // LAYERS_A_WEIGHT, on=on))
        file.write(f"    %loss = graph.reduce_mean %h{layers} axes [0, 1] : tensor<2x4xf32>\n"
                   "    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>\n"
                   "    graph.output \"loss\" = %loss : tensor<f32>\n  }\n}\n")
