"""Goldens of the element-wise ops, reductions and scans.

Run from the repository root: reads tests/ops/cases/<op>.mlir and writes each
case's feeds and outputs to tests/ops/goldens/<op>/<case>.<name>.npy. NumPy and
PyTorch compute the outputs, in f64. The seed is the case's name.
"""
import os
import re
import zlib

import numpy as np
import torch
import torch.nn.functional as F

TYPES = {"f64": np.float64, "i64": np.int64, "i32": np.int32, "i1": np.bool_}
SPECIAL = [np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -1.0, 50.0, -50.0]
PAIRS = [np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0]
ROWS = [[1, -2, 3, 0.5, -0.25], [np.inf, 1, 2, 3, np.inf],
        [np.inf, -np.inf, 1, 2, 0], [1, np.nan, 7, np.nan, np.inf],
        [-np.inf, -0.0, 0.0, -1, -np.inf]]
WORDS = [-2**31, -7, -1, 0, 1, 2, 5, 7, 2**31 - 1]
LONGS = [-2**63, -1, 0, 3, 2**63 - 1]


# ---------------------------------------------------------------------------
# Operations
# ---------------------------------------------------------------------------

def by_torch(function):
    return lambda attributes, x: function(torch.from_numpy(x)).numpy()


def by_numpy(function):
    return lambda attributes, *operands: function(*operands)


def integers(function):
    """f on exact integers, wrapped to the operands' type."""
    def apply(x, y):
        bits = 8 * x.dtype.itemsize
        wrap = lambda n: (n + 2**(bits - 1)) % 2**bits - 2**(bits - 1)
        pairs = np.broadcast(x, y)
        values = [wrap(function(int(a), int(b))) for a, b in pairs]
        return np.array(values, x.dtype).reshape(pairs.shape)
    return apply


def truncated(a, b):
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def division(floats, of_integers):
    return lambda attributes, x, y: (
        floats if x.dtype == np.float64 else integers(of_integers))(x, y)


def gelu(attributes, x):
    kind = "tanh" if "approximate" in attributes else "none"
    # Right at infinity, too, where the formula is 0 times infinity.
    return F.gelu(torch.from_numpy(x), approximate=kind).numpy()


def numbers(text):
    return [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?", text)]


def leaky_relu(attributes, x):
    return F.leaky_relu(torch.from_numpy(x), numbers(attributes)[0]).numpy()


def cast(attributes, x, to):
    if x.dtype != np.float64 or to not in (np.int32, np.int64):
        return x.astype(to)
    info = np.iinfo(to)
    whole = [0 if np.isnan(v) else
             info.min if v <= info.min else
             info.max if v >= info.max else int(v) for v in x.flat]
    return np.array(whole, to).reshape(x.shape)


def reduction(function):
    def apply(attributes, x):
        axes = tuple(int(n) for n in numbers(attributes))
        return function(x, axes, "keep_dims" in attributes).astype(x.dtype)
    return apply


def extreme(function, of_nothing):
    return lambda x, axes, keep: (
        function(x, axis=axes, keepdims=keep, initial=of_nothing)
        if x.dtype == np.float64 else function(x, axis=axes, keepdims=keep))


def cumsum(attributes, x):
    axis = int(numbers(attributes)[0])
    lines = np.flip(x, axis) if "reverse" in attributes else x
    sums = np.cumsum(lines, axis, dtype=x.dtype)
    if "exclusive" in attributes:
        zero = np.zeros_like(np.take(lines, [0], axis))
        sums = np.concatenate(
            [zero, np.delete(sums, -1, axis)], axis)
    return np.flip(sums, axis) if "reverse" in attributes else sums


def top_k(attributes, x):
    k = int(numbers(attributes)[0])
    # lexsort is stable and takes its last key first: NaNs, then size.
    order = np.lexsort((-x.astype(np.float64), ~np.isnan(x)), axis=-1)[..., :k]
    return np.take_along_axis(x, order, -1), order.astype(np.int32)


OPS = {
    "neg": by_numpy(np.negative), "abs": by_numpy(np.abs),
    "sign": by_numpy(np.sign), "square": by_numpy(np.square),
    "floor": by_numpy(np.floor), "ceil": by_numpy(np.ceil),
    "exp": by_numpy(np.exp), "log": by_numpy(np.log),
    "sqrt": by_numpy(np.sqrt), "rsqrt": by_torch(torch.rsqrt),
    "sin": by_numpy(np.sin), "cos": by_numpy(np.cos),
    "tanh": by_numpy(np.tanh), "sigmoid": by_torch(torch.sigmoid),
    "erf": by_torch(torch.erf),
    "softplus": by_numpy(lambda x: np.logaddexp(x, 0)),
    "relu": by_torch(F.relu), "relu6": by_torch(F.relu6),
    "elu": by_torch(F.elu), "gelu": gelu, "leaky_relu": leaky_relu,
    "clip": lambda attributes, x: np.clip(x, *numbers(attributes)),
    "logical_not": by_numpy(np.logical_not),
    "relu_grad": by_numpy(lambda dy, x: np.where(x > 0, dy, 0)),
    "add": by_numpy(np.add), "sub": by_numpy(np.subtract),
    "mul": by_numpy(np.multiply),
    "div": division(np.divide, truncated),
    "floor_div": division(lambda x, y: np.floor(x / y),
                          lambda a, b: 0 if b == 0 else a // b),
    "floor_mod": division(np.mod, lambda a, b: a if b == 0 else a % b),
    "maximum": by_numpy(np.maximum), "minimum": by_numpy(np.minimum),
    "pow": by_numpy(np.power),
    "equal": by_numpy(np.equal), "not_equal": by_numpy(np.not_equal),
    "less": by_numpy(np.less), "less_equal": by_numpy(np.less_equal),
    "greater": by_numpy(np.greater),
    "greater_equal": by_numpy(np.greater_equal),
    "logical_and": by_numpy(np.logical_and),
    "logical_or": by_numpy(np.logical_or),
    "select": by_numpy(np.where), "where": by_numpy(np.where),
    "reduce_sum": reduction(lambda x, axes, keep: np.sum(
        x, axis=axes, keepdims=keep, dtype=x.dtype)),
    "reduce_mean": reduction(lambda x, axes, keep: np.mean(
        x, axis=axes, keepdims=keep)),
    "reduce_prod": reduction(lambda x, axes, keep: np.prod(
        x, axis=axes, keepdims=keep, dtype=x.dtype)),
    "reduce_max": reduction(extreme(np.max, -np.inf)),
    "reduce_min": reduction(extreme(np.min, np.inf)),
    "argmax": lambda attributes, x: np.argmax(x, int(numbers(attributes)[0])),
    "argmin": lambda attributes, x: np.argmin(x, int(numbers(attributes)[0])),
    "cumsum": cumsum, "top_k": top_k,
}


# ---------------------------------------------------------------------------
# Feeds
# ---------------------------------------------------------------------------

def distinct(random, shape):
    """Numbers around 0 of which no two are near each other or near a tie."""
    count = int(np.prod(shape))
    spread = (random.permutation(count) - count / 2 + 0.3) * 0.15
    return (spread + random.uniform(-0.03, 0.03, count)).reshape(shape)


def away_from_integers(random, shape):
    return (random.integers(-4, 4, shape) + random.uniform(0.2, 0.8, shape))


def smooth_float(op, name, random, shape):
    """A feed where `op` is smooth, so that differences tell its gradient."""
    magnitude = random.uniform(0.2, 2.5, shape)
    signed = magnitude * random.choice([-1, 1], shape)
    if op in ("log", "sqrt", "rsqrt") or op == "pow" and name == "x":
        return magnitude
    if op in ("floor", "ceil", "cast"):
        return away_from_integers(random, shape)
    if op in ("floor_div", "floor_mod"):
        # x / y stays 0.1 away from integers: x in steps of 1, y near 1 or -1.
        return (away_from_integers(random, shape) if name == "x" else
                random.choice([-1, 1], shape) * random.uniform(
                    0.98, 1.02, shape))
    if op == "clip":
        return np.where(np.abs(np.abs(signed - 0.25) - 1) < 0.1,
                        signed + 0.25, signed)
    if op == "relu6":
        return signed * 4 + np.where(np.abs(signed * 4 - 6) < 0.2, 0.5, 0)
    if op in ("maximum", "minimum"):
        both = distinct(random, shape)
        return both if name == "x" else both + 0.07
    if op in ("reduce_max", "reduce_min", "argmax", "argmin", "top_k"):
        return distinct(random, shape)
    if "equal" in op or op in ("less", "greater"):
        return random.integers(-2, 3, shape).astype(np.float64)
    return signed


def special_float(op, shape):
    if op == "cast":
        return np.array([np.inf, -np.inf, np.nan, 0, -0.0, 3e9, -3e9, 1.9,
                         -1.9])
    if shape == (5, 5):
        return np.array(ROWS)
    return np.array(PAIRS if 11 in shape else SPECIAL).reshape(shape)


def feed(op, case, name, shape, dtype, random):
    if dtype == np.bool_:
        return random.integers(0, 2, shape).astype(np.bool_)
    if dtype != np.float64:
        if case == "ties":
            return random.integers(-2, 3, shape).astype(dtype)
        if case == "wraps":
            values = WORDS[:5] + [2**31, 2**32 + 5, 2**63 - 1, -2**40]
        else:
            values = LONGS if case == "longs" else WORDS
        count = int(np.prod(shape))
        return np.resize(np.array(values, np.int64), count).astype(
            dtype).reshape(shape)
    if case.startswith("special_") and 0 not in shape:
        return special_float(op, shape)
    x = smooth_float(op, name, random, shape)
    if op == "reduce_prod" and case == "zeros":
        x[0, 1] = x[1, 0] = x[1, 3] = 0
    return x


# ---------------------------------------------------------------------------
# Files
# ---------------------------------------------------------------------------

def parse_type(text):
    *dims, element = text.split("x")
    return tuple(int(d) for d in dims), TYPES[element]


def save(op, case, name, value, dtype):
    path = f"tests/ops/goldens/{op}/{case}.{name}.npy"
    stored = np.uint8 if dtype == np.bool_ else dtype
    np.save(path, np.ascontiguousarray(value).astype(stored).reshape(
        np.shape(value)))


def run_case(op, case, arguments, body):
    random = np.random.default_rng(zlib.crc32(f"{op}/{case}".encode()))
    feeds = {}
    for name, text in re.findall(r"%(\w+): tensor<(\w+)>", arguments):
        shape, dtype = parse_type(text)
        feeds[name] = np.asarray(
            feed(op, case, name, shape, dtype, random), dtype)
        save(op, case, name, feeds[name], dtype)
    operands, attributes = re.search(
        rf"= graph\.{op} ((?:%\w+(?:, )?)+)([^:]*):", body).groups()
    operands = [feeds[n] for n in re.findall(r"%(\w+)", operands)]
    outputs = re.findall(r'output "(\w+)" = %\w+ : tensor<(\w+)>', body)
    types = [parse_type(text) for _, text in outputs]
    if op == "cast":
        values = [cast(attributes, operands[0], types[0][1])]
    else:
        values = OPS[op](attributes, *operands)
        values = values if isinstance(values, tuple) else [values]
    for (name, _), (shape, dtype), value in zip(outputs, types, values):
        assert np.shape(value) == shape, (op, case, np.shape(value), shape)
        save(op, case, name, value, dtype)


def main():
    np.seterr(all="ignore")
    for op in [*OPS, "cast"]:
        os.makedirs(f"tests/ops/goldens/{op}", exist_ok=True)
        with open(f"tests/ops/cases/{op}.mlir") as file:
            text = file.read()
        for case, arguments, body in re.findall(
                r"graph\.func @(\w+)\(([^)]*)\) \{\n(.*?)\n\}", text, re.S):
            run_case(op, case, arguments, body)


if __name__ == "__main__":
    main()
