"""Makes the parity cases: graph files, first variables, feeds, and what ten
Adam steps make of the variables, with PyTorch's autograd in f64 and
TensorFlow's Adam. From the repository's root:

    python3 tests/ops/parity/make_parity.py

The tests do not need it. Source of the update: TensorFlow's ApplyAdam,
    lr_t = lr * sqrt(1 - beta2^t) / (1 - beta1^t)
    m += (g - m) * (1 - beta1);  v += (g * g - v) * (1 - beta2)
    w -= lr_t * m / (sqrt(v) + epsilon)
"""
import math
import os
import pathlib

import numpy
import torch
import torch.nn.functional as functional

HERE = pathlib.Path(__file__).resolve().parent
RATE, BETA1, BETA2, EPSILON, STEPS = 0.003, 0.9, 0.999, 1e-7, 10
# Of a large variable every STRIDE-th element is kept.
STRIDE, LARGE = 37, 2000


def first_value(shape, seed, scale):
    """The same numbers in every language: no generator is involved."""
    count = int(numpy.prod(shape, dtype=int))
    index = numpy.arange(count, dtype=numpy.float64)
    return (numpy.sin(index * 0.7310585 + seed) * scale).reshape(shape)


def adam(variables, gradients, slots, step):
    rate = RATE * math.sqrt(1 - BETA2 ** step) / (1 - BETA1 ** step)
    for name, variable in variables.items():
        g = gradients[name]
        m, v = slots.setdefault(name, [torch.zeros_like(g), torch.zeros_like(g)])
        m += (g - m) * (1 - BETA1)
        v += (g * g - v) * (1 - BETA2)
        with torch.no_grad():
            variable -= rate * m / (v.sqrt() + EPSILON)


def train(variables, loss_of):
    """Ten steps; the losses before each."""
    slots, losses = {}, []
    for step in range(1, STEPS + 1):
        for variable in variables.values():
            variable.requires_grad_(True)
            variable.grad = None
        loss = loss_of(variables)
        loss.backward()
        losses.append(loss.item())
        gradients = {n: v.grad.detach().clone() for n, v in variables.items()}
        for variable in variables.values():
            variable.requires_grad_(False)
        adam(variables, gradients, slots, step)
    return losses


class Graph:
    """The text of a graph file, op by op."""

    def __init__(self, feeds):
        self.feeds, self.shapes, self.lines, self.count = feeds, {}, [], 0
        self.variables = []

    def op(self, text, *types):
        self.count += 1
        self.lines.append(f"    %v{self.count} = graph.{text} : {', '.join(types)}")
        return f"%v{self.count}"

    def variable(self, name, shape):
        kind = tensor(shape)
        self.variables.append(f"  graph.variable @{name} : {kind} = #graph.fill<0.0>")
        return self.op(f"read @{name}", kind), kind

    def text(self, loss):
        feeds = ", ".join(f"%{n}: {t}" for n, t in self.feeds)
        optimizer = (f"#graph.adam<learning_rate = {RATE}, beta1 = {BETA1}, "
                     f"beta2 = {BETA2}, epsilon = {EPSILON:.1e}>")
        return "\n".join(
            ["// Made by make_parity.py.", *self.variables, f"  graph.func @train({feeds}) {{",
             *self.lines,
             f"    graph.minimize {loss} : tensor<f64> with {optimizer}",
             f'    graph.output "loss" = {loss} : tensor<f64>', "  }", ""])


def tensor(shape, element="f64"):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


def keep(name, graph_text, variables, feeds, losses):
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.npy"):
        old.unlink()
    (folder / "graph.mlir").write_text(graph_text)
    for key, value in feeds.items():
        numpy.save(folder / f"feed.{key}.npy", value)
    for key, value in variables.items():
        flat = value.numpy().reshape(-1)
        numpy.save(folder / f"after.{key}.npy", flat[::STRIDE] if flat.size > LARGE else flat)
    numpy.save(folder / "losses.npy", numpy.array(losses))
    print(name, "loss", losses[0], "->", losses[-1])


def make_variables(shapes):
    """Scale 1/sqrt(fan in) for matrices and filters; ones for scales."""
    values = {}
    for seed, (name, shape) in enumerate(shapes.items()):
        if name.endswith("scale"):
            value = 1 + first_value(shape, seed, 0.1)
        elif len(shape) == 1:
            value = first_value(shape, seed, 0.1)
        else:
            value = first_value(shape, seed, 1 / math.sqrt(numpy.prod(shape[:-1])))
        values[name] = torch.tensor(value)
    return values


def lenet():
    batch = 4
    shapes = {"conv1": (5, 5, 1, 6), "bias1": (6,), "conv2": (5, 5, 6, 16), "bias2": (16,),
              "dense1": (256, 120), "bias3": (120,), "dense2": (120, 84), "bias4": (84,),
              "dense3": (84, 10), "bias5": (10,)}
    images = first_value((batch, 28, 28, 1), 0.5, 1.0)
    labels = numpy.array([3, 1, 4, 1], dtype=numpy.int64)
    g = Graph([("images", tensor(images.shape)), ("labels", f"tensor<{batch}xi64>")])
    window = "strides [1, 1] padding \"VALID\" dilations [1, 1]"
    pool = "window [2, 2] padding \"VALID\" strides [2, 2]"
    value, shape = "%images", list(images.shape)
    for i in (1, 2):
        f, ft = g.variable(f"conv{i}", shapes[f"conv{i}"])
        b, bt = g.variable(f"bias{i}", shapes[f"bias{i}"])
        after = [batch, shape[1] - 4, shape[2] - 4, shapes[f"conv{i}"][3]]
        value = g.op(f"conv2d {value}, {f} {window}", tensor(shape), ft)
        value = g.op(f"bias_add {value}, {b}", tensor(after), bt)
        value = g.op(f"relu {value}", tensor(after))
        value = g.op(f"max_pool {value} {pool}", tensor(after))
        shape = [batch, after[1] // 2, after[2] // 2, after[3]]
    g.count += 1
    g.lines.append(f"    %v{g.count} = graph.reshape {value} : {tensor(shape)} to {tensor((batch, 256))}")
    value, width = f"%v{g.count}", 256
    for i, name in ((3, "dense1"), (4, "dense2"), (5, "dense3")):
        w, wt = g.variable(name, shapes[name])
        b, bt = g.variable(f"bias{i}", shapes[f"bias{i}"])
        out = shapes[name][1]
        value = g.op(f"matmul {value}, {w}", tensor((batch, width)), wt)
        value = g.op(f"bias_add {value}, {b}", tensor((batch, out)), bt)
        if i < 5:
            value = g.op(f"tanh {value}", tensor((batch, out)))
        width = out
    losses = g.op(f"softmax_cross_entropy {value}, %labels", tensor((batch, 10)), f"tensor<{batch}xi64>")
    loss = g.op(f"reduce_mean {losses} axes [0]", tensor((batch,)))

    x, y = torch.tensor(images), torch.tensor(labels)

    def loss_of(v):
        h = x.permute(0, 3, 1, 2)
        for i in (1, 2):
            h = functional.conv2d(h, v[f"conv{i}"].permute(3, 2, 0, 1), v[f"bias{i}"])
            h = functional.max_pool2d(functional.relu(h), 2)
        h = h.permute(0, 2, 3, 1).reshape(batch, 256)
        h = torch.tanh(h @ v["dense1"] + v["bias3"])
        h = torch.tanh(h @ v["dense2"] + v["bias4"])
        return functional.cross_entropy(h @ v["dense3"] + v["bias5"], y)

    variables = make_variables(shapes)
    # Variables start in the graph as zeros; the run loads these.
    save_first("lenet", variables)
    losses = train(variables, loss_of)
    keep("lenet", g.text(loss), variables, {"images": images, "labels": labels}, losses)


def transformer():
    batch, length, width, heads, hidden, words, layers = 2, 6, 16, 2, 32, 11, 2
    head = width // heads
    shapes = {"embedding": (words, width), "position": (length, width)}
    for i in range(layers):
        shapes.update({f"l{i}.norm1.scale": (width,), f"l{i}.norm1.offset": (width,),
                       f"l{i}.query": (width, width), f"l{i}.key": (width, width),
                       f"l{i}.value": (width, width), f"l{i}.output": (width, width),
                       f"l{i}.norm2.scale": (width,), f"l{i}.norm2.offset": (width,),
                       f"l{i}.up": (width, hidden), f"l{i}.up.bias": (hidden,),
                       f"l{i}.down": (hidden, width), f"l{i}.down.bias": (width,)})
    shapes["logits"] = (width, words)
    tokens = (numpy.arange(batch * length) * 7 % words).reshape(batch, length)
    labels = (numpy.arange(batch * length) * 5 + 2) % words
    g = Graph([("tokens", f"tensor<{batch}x{length}xi64>"), ("labels", f"tensor<{batch * length}xi64>")])
    rows = batch * length
    flat, cube = tensor((rows, width)), tensor((batch, length, width))
    split, crossed = tensor((batch, length, heads, head)), tensor((batch, heads, length, head))
    square = tensor((batch, heads, length, length))

    def to(name, value, old, new):
        g.count += 1
        g.lines.append(f"    %v{g.count} = graph.{name} {value} : {old} to {new}")
        return f"%v{g.count}"

    def norm(value, name):
        s, st = g.variable(f"{name}.scale", (width,))
        o, ot = g.variable(f"{name}.offset", (width,))
        return g.op(f"layer_norm {value}, {s}, {o} epsilon 1.0e-05", flat, st, ot)

    def project(value, name, old, new):
        w, wt = g.variable(name, shapes[name])
        return g.op(f"matmul {value}, {w}", tensor((rows, old)), wt)

    def split_heads(value):
        value = to("reshape", value, flat, split)
        return g.op(f"transpose {value} perm [0, 2, 1, 3]", split)

    e, et = g.variable("embedding", shapes["embedding"])
    p, pt = g.variable("position", shapes["position"])
    value = g.op(f"gather {e}, %tokens axis 0", et, f"tensor<{batch}x{length}xi64>")
    value = g.op(f"add {value}, {p}", cube, pt)
    value = to("reshape", value, cube, flat)
    scale = g.op(f"constant dense<{1 / math.sqrt(head)!r}>", "tensor<f64>")
    for i in range(layers):
        n = norm(value, f"l{i}.norm1")
        q, k, v = (split_heads(project(n, f"l{i}.{w}", width, width)) for w in ("query", "key", "value"))
        s = g.op(f"batch_matmul {q}, {k} transpose_b", crossed, crossed)
        s = g.op(f"mul {s}, {scale}", square, "tensor<f64>")
        s = g.op(f"softmax {s}", square)
        a = g.op(f"batch_matmul {s}, {v}", square, crossed)
        a = g.op(f"transpose {a} perm [0, 2, 1, 3]", crossed)
        a = to("reshape", a, split, flat)
        a = project(a, f"l{i}.output", width, width)
        value = g.op(f"add {value}, {a}", flat, flat)
        n = norm(value, f"l{i}.norm2")
        u = project(n, f"l{i}.up", width, hidden)
        b, bt = g.variable(f"l{i}.up.bias", (hidden,))
        u = g.op(f"bias_add {u}, {b}", tensor((rows, hidden)), bt)
        u = g.op(f"gelu {u}", tensor((rows, hidden)))
        d = project(u, f"l{i}.down", hidden, width)
        b, bt = g.variable(f"l{i}.down.bias", (width,))
        d = g.op(f"bias_add {d}, {b}", flat, bt)
        value = g.op(f"add {value}, {d}", flat, flat)
    value = project(value, "logits", width, words)
    losses = g.op(f"softmax_cross_entropy {value}, %labels", tensor((rows, words)), f"tensor<{rows}xi64>")
    loss = g.op(f"reduce_mean {losses} axes [0]", tensor((rows,)))

    t, y = torch.tensor(tokens), torch.tensor(labels)

    def loss_of(v):
        def norm_of(x, name):
            return functional.layer_norm(x, (width,), v[f"{name}.scale"], v[f"{name}.offset"], 1e-5)

        def heads_of(x):
            return x.reshape(batch, length, heads, head).permute(0, 2, 1, 3)

        h = (v["embedding"][t] + v["position"]).reshape(rows, width)
        for i in range(layers):
            n = norm_of(h, f"l{i}.norm1")
            q, k, w = (heads_of(n @ v[f"l{i}.{x}"]) for x in ("query", "key", "value"))
            s = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(head), -1)
            h = h + (s @ w).permute(0, 2, 1, 3).reshape(rows, width) @ v[f"l{i}.output"]
            n = norm_of(h, f"l{i}.norm2")
            u = functional.gelu(n @ v[f"l{i}.up"] + v[f"l{i}.up.bias"])
            h = h + u @ v[f"l{i}.down"] + v[f"l{i}.down.bias"]
        return functional.cross_entropy(h @ v["logits"], y)

    variables = make_variables(shapes)
    save_first("transformer", variables)
    losses = train(variables, loss_of)
    keep("transformer", g.text(loss), variables, {"tokens": tokens, "labels": labels}, losses)


def save_first(name, variables):
    """The seeds and scales of the first values: name, rule, seed, scale, a line each."""
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    lines = []
    for seed, (key, value) in enumerate(variables.items()):
        base, scale = (1, 0.1) if key.endswith("scale") else (0, 0.1) if value.dim() == 1 else (
            0, 1 / math.sqrt(numpy.prod(value.shape[:-1])))
        lines.append(f"{key} {base} {seed} {float(scale)!r}")
    (folder / "first.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    os.chdir(HERE)
    lenet()
    transformer()
