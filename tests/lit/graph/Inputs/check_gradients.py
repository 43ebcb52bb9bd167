"""Compares the gradients in expanded graphs with finite differences.

Reads a module in which every function has `@w`'s gradient as `%w.grad` and its
loss as the output "loss". Evaluates it in double precision at some point, and
once more on either side of that point in each direction.
"""
import itertools
import math
import re
import sys
from functools import reduce


class Tensor:
    """Row-major elements of a shape."""

    def __init__(self, shape, data):
        self.shape, self.data = tuple(shape), list(data)
        assert math.prod(self.shape) == len(self.data), (shape, len(data))

    def at(self, index):
        flat = 0
        for i, dim in zip(index, self.shape):
            flat = flat * dim + i
        return self.data[flat]


def indexes(shape):
    return itertools.product(*(range(dim) for dim in shape))


def build(shape, function):
    return Tensor(shape, [function(index) for index in indexes(shape)])


def broadcast(x, shape):
    offset = len(shape) - len(x.shape)
    return build(shape, lambda i: x.at(
        [j if dim > 1 else 0 for j, dim in zip(i[offset:], x.shape)]))


def binary(function):
    def apply(op, a, b):
        rank = max(len(a.shape), len(b.shape))
        pad = lambda x: (1,) * (rank - len(x.shape)) + x.shape
        shape = [max(m, n) for m, n in zip(pad(a), pad(b))]
        a, b = broadcast(a, shape), broadcast(b, shape)
        return Tensor(shape, map(function, a.data, b.data))
    return apply


def unary(function):
    return lambda op, x: Tensor(x.shape, map(function, x.data))


def reduction(function):
    def apply(op, x):
        axes = [int(a) for a in re.search(r"axes \[(.*?)\]", op).group(1).split(",")]
        kept = [1 if a in axes else d for a, d in enumerate(x.shape)]
        groups = {index: [] for index in indexes(kept)}
        for index in indexes(x.shape):
            groups[tuple(0 if a in axes else i for a, i in enumerate(index))].append(x.at(index))
        shape = kept if "keep_dims" in op else [d for a, d in enumerate(x.shape) if a not in axes]
        return Tensor(shape, map(function, groups.values()))
    return apply


def matmul(op, a, b):
    flip = lambda x: build(x.shape[::-1], lambda i: x.at(i[::-1]))
    a = flip(a) if "transpose_a" in op else a
    b = flip(b) if "transpose_b" in op else b
    return build((a.shape[0], b.shape[1]), lambda i: sum(
        a.at((i[0], k)) * b.at((k, i[1])) for k in range(a.shape[1])))


def softmax(op, x):
    def element(index):
        row = [x.at(index[:-1] + (j,)) for j in range(x.shape[-1])]
        return math.exp(x.at(index) - max(row)) / sum(math.exp(r - max(row)) for r in row)
    return build(x.shape, element)


def cross_entropy(op, x, labels):
    p = softmax(op, x)
    return build(labels.shape, lambda i: -math.log(p.at((i[0], int(labels.at(i))))))


def one_hot(op, labels):
    depth = int(re.search(r"depth (\d+)", op).group(1))
    return build(labels.shape + (depth,), lambda i: float(labels.at(i[:-1]) == i[-1]))


def result_shape(op):
    return [int(d) for d in re.search(r"to tensor<(.*?)>", op).group(1).split("x")[:-1]]


OPS = {
    "add": binary(lambda a, b: a + b), "sub": binary(lambda a, b: a - b),
    "mul": binary(lambda a, b: a * b), "div": binary(lambda a, b: a / b),
    "maximum": binary(max), "equal": binary(lambda a, b: float(a == b)),
    "relu_grad": binary(lambda dy, x: dy if x > 0 else 0.0),
    "neg": unary(lambda x: -x), "exp": unary(math.exp), "log": unary(math.log),
    "sqrt": unary(math.sqrt), "square": unary(lambda x: x * x),
    "relu": unary(lambda x: max(x, 0.0)), "cast": unary(lambda x: x),
    "reduce_sum": reduction(sum), "reduce_max": reduction(max),
    "reduce_mean": reduction(lambda g: sum(g) / len(g)),
    "reshape": lambda op, x: Tensor(result_shape(op), x.data),
    "broadcast_to": lambda op, x: broadcast(x, result_shape(op)),
    "matmul": matmul, "softmax": softmax, "softmax_cross_entropy": cross_entropy,
    "one_hot": one_hot, "bias_add": binary(lambda a, b: a + b),
}


def constant(op):
    shape = [int(d) for d in re.search(r"tensor<(.*?)>", op).group(1).split("x")[:-1]]
    numbers = [float(n) for n in re.findall(r"[-\d.e+]+", re.search(r"dense<(.*?)>", op).group(1))]
    return Tensor(shape, numbers * (math.prod(shape) if len(numbers) == 1 else 1))


def evaluate(lines, w):
    """The loss and the gradient of a function's text at `w`."""
    values, loss = {}, None
    for line in lines:
        if match := re.search(r'output "loss" = (%[\w.]+)', line):
            loss = values[match.group(1)]
        match = re.match(r"\s*(%[\w.]+) = graph\.(\w+) (.*)", line)
        if not match or match.group(2).startswith("apply"):
            continue
        name, op, rest = match.groups()
        if op == "read":
            values[name] = w
        elif op == "constant":
            values[name] = constant(rest)
        else:
            operands = re.findall(r"%[\w.]+", rest.split(" : ")[0])
            values[name] = OPS[op](rest, *(values[o] for o in operands))
    return loss.data[0], values["%w.grad"]


def nudged(w, index, delta):
    return Tensor(w.shape, [x + delta * (i == index) for i, x in enumerate(w.data)])


def check(name, lines, shape):
    size = math.prod(shape)
    # Distinct, positive, away from ties: where every op is smooth.
    w = Tensor(shape, [0.3 + 0.17 * ((5 * i + 2) % size) for i in range(size)])
    gradient = evaluate(lines, w)[1]
    assert gradient.shape == w.shape, (name, gradient.shape)
    for i in range(size):
        high, low = (evaluate(lines, nudged(w, i, d))[0] for d in (1e-5, -1e-5))
        expected = (high - low) / 2e-5
        if abs(gradient.data[i] - expected) > 1e-6 * max(1, abs(expected)):
            sys.exit(f"{name}: element {i}: {gradient.data[i]}, but the loss changes by {expected}")
    print(f"{name}: {size} elements agree")


functions = re.split(r"\n  graph\.func ", sys.stdin.read())[1:]
for function in functions:
    lines = function.split("\n")
    shape = re.search(r"read @w : tensor<(.*?)>", function).group(1).split("x")[:-1]
    check(lines[0].split("(")[0], lines, [int(d) for d in shape])
