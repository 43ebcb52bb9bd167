"""Goldens of the ops that move elements, and of ops on indices and rows.

Run from the repository root; needs NumPy. Reads tests/ops/cases/<op>.mlir and
writes a case's feeds and outputs to tests/ops/goldens/<op>/<case>.<name>.npy.
The seed is the case's name.
"""
import json
import pathlib
import re
import zlib

import numpy as np

FOLDER = pathlib.Path("tests/ops")
TYPES = {"f64": np.float64, "i64": np.int64, "i32": np.int32, "ui8": np.uint8,
         "i1": np.bool_}
SPECIAL = [np.inf, -np.inf, np.nan, 0.0, -0.0]


# ---------------------------------------------------------------------------
# Operations: attributes, the shape of the first result, operands
# ---------------------------------------------------------------------------

def part(a):
    """What strided_slice reads of each dimension."""
    return tuple(map(slice, a["begin"], a["end"], a["strides"]))


def strided_slice_grad(a, shape, dy):
    dx = np.zeros(shape, dy.dtype)
    dx[part(a)] = dy
    return dx


def pad(a, shape, x):
    if x.ndim == 0:
        return x
    widths = list(zip(a["before"], a["after"]))
    if "reflect" in a:
        return np.pad(x, widths, mode="reflect")
    return np.pad(x, widths, constant_values=x.dtype.type(a["value"]))


def mirror_pad_grad(a, shape, dy):
    """Pads the numbers of the elements to see where each one goes."""
    places = pad({**a, "reflect": True}, None,
                 np.arange(np.prod(shape, dtype=int)).reshape(shape))
    dx = np.zeros(shape)
    np.add.at(dx.reshape(-1), places.reshape(-1), dy.reshape(-1))
    return dx


def gather(a, shape, x, indices):
    axis = a["axis"]
    size = x.shape[axis]
    zeros = np.zeros_like(x, shape=(*x.shape[:axis], 1, *x.shape[axis + 1:]))
    inside = (indices >= 0) & (indices < size)
    return np.take(np.concatenate([x, zeros], axis),
                   np.where(inside, indices, size), axis)


def scatter(table, indices, rows, add):
    y = table.copy()
    rows = rows.reshape((indices.size, *table.shape[1:]))
    for index, row in zip(indices.reshape(-1).tolist(), rows):
        if 0 <= index < len(y):
            y[index] = y[index] + row if add else row
    return y


def unique_rows(a, shape, indices, rows):
    unique, sums = np.full_like(indices, -1), np.zeros_like(rows)
    for i, index in enumerate(indices):
        first = indices.tolist().index(index)
        unique[first] = index
        sums[first] += rows[i]
    return unique, sums


OPS = {
    "reshape": lambda a, shape, x: np.reshape(x, shape),
    "broadcast_to": lambda a, shape, x: np.broadcast_to(x, shape),
    "transpose": lambda a, shape, x: np.transpose(x, a["perm"]),
    "expand_dims": lambda a, shape, x: np.expand_dims(x, a["axis"]),
    "squeeze": lambda a, shape, x: np.squeeze(x, tuple(a["axes"])),
    "slice": lambda a, shape, x: x[tuple(
        slice(begin, begin + size)
        for begin, size in zip(a["begin"], a["size"]))],
    "strided_slice": lambda a, shape, x: x[part(a)],
    "strided_slice_grad": strided_slice_grad,
    "pad": pad, "mirror_pad_grad": mirror_pad_grad,
    "tile": lambda a, shape, x: np.tile(x, a["multiples"]),
    "concat": lambda a, shape, *xs: np.concatenate(xs, a["axis"]),
    "stack": lambda a, shape, *xs: np.stack(xs, a["axis"]),
    "split": lambda a, shape, x: np.split(
        x, np.cumsum(a["sizes"])[:-1], a["axis"]),
    "unstack": lambda a, shape, x: list(np.moveaxis(x, a["axis"], 0)),
    "shape": lambda a, shape, x: np.array(x.shape, np.int64),
    "fill": lambda a, shape, x: np.full(shape, x),
    "range": lambda a, shape: a["from"] + np.arange(*shape) * a["by"],
    "one_hot": lambda a, shape, labels: np.equal(
        labels[..., None], np.arange(a["depth"])),
    "gather": gather,
    "indexed_slices": lambda a, shape, indices, rows: scatter(
        np.zeros(shape), indices, rows, add=True),
    "unique_rows": unique_rows,
    "scatter_add": lambda a, shape, *xs: scatter(*xs, add=True),
    "scatter_update": lambda a, shape, *xs: scatter(*xs, add=False),
}


# ---------------------------------------------------------------------------
# Feeds
# ---------------------------------------------------------------------------

def rows_of(op, a, shapes):
    """How many rows the indices of a case count."""
    if op == "one_hot":
        return a["depth"]
    if op == "unique_rows":
        return 4
    return shapes["dense" if op == "indexed_slices" else "x"][a.get("axis", 0)]


def indices(case, rows, shape, dtype, random):
    inside = random.integers(0, max(rows, 1), shape).astype(dtype)
    if "outside" not in case:
        return inside
    info = np.iinfo(dtype)
    inside[::2] = [-1, rows, info.min, info.max]
    return inside


def elements(case, is_special, shape, dtype, random):
    count = int(np.prod(shape))
    if dtype == np.float64:
        return (np.resize(SPECIAL, shape) if is_special else
                random.uniform(-2, 2, shape))
    if dtype == np.bool_:
        return np.array(random.integers(0, 2, shape), dtype)
    if case == "wraps":
        return np.iinfo(dtype).max - random.integers(0, 9, shape)
    info = np.iinfo(dtype)
    return np.concatenate([[info.max, info.min], random.integers(
        -9, 10, count)])[:count].reshape(shape)


# ---------------------------------------------------------------------------
# Files
# ---------------------------------------------------------------------------

def parse_type(text):
    *dims, element = text.split("x")
    return tuple(map(int, dims)), TYPES[element]


def parse_types(pattern, text):
    return {name: parse_type(type)
            for name, type in re.findall(pattern + r" ?: tensor<(\w+)>", text)}


def parse_attributes(text):
    pairs = re.findall(r"([a-z]+) (\[.*?\]|-?\d[\d.]*)", text)
    found = {name: json.loads(value) for name, value in pairs}
    return {**found, "reflect": True} if "reflect" in text else found


def save(op, case, name, value, dtype):
    stored = np.uint8 if dtype == np.bool_ else dtype
    np.save(FOLDER / "goldens" / op / f"{case}.{name}.npy",
            np.array(value, stored, order="C"))


def run_case(op, case, arguments, body):
    random = np.random.default_rng(zlib.crc32(f"{op}/{case}".encode()))
    results, operands, attributes = re.search(
        rf"(.*) = graph\.{op}((?: %\w+,?)*)([^:]*):", body).groups()
    a = parse_attributes(attributes)
    inputs = parse_types(r"%(\w+)", arguments)
    outputs = parse_types(r'output "(\w+)" = %\w+', body)
    shapes = {name: shape for name, (shape, _) in (inputs | outputs).items()}
    feeds = {}
    for name, (shape, dtype) in inputs.items():
        # Only what is scattered is special, to see where it goes.
        is_special = case.startswith("special_") and (
            name != "x" or not op.startswith("scatter_"))
        value = (indices(case, rows_of(op, a, shapes), shape, dtype, random)
                 if name in ("indices", "labels") else
                 elements(case, is_special, shape, dtype, random))
        feeds[name] = np.asarray(value, dtype)
        save(op, case, name, feeds[name], dtype)
    results = re.findall(r"%(\w+)", results)
    values = OPS[op](a, shapes[results[0]],
                     *(feeds[name] for name in re.findall(r"%(\w+)", operands)))
    values = values if isinstance(values, (list, tuple)) else [values]
    assert len(values) == len(results), (op, case)
    for name, value in zip(results, values):
        if name in outputs:
            shape, dtype = outputs[name]
            assert np.shape(value) == shape, (op, case, np.shape(value))
            save(op, case, name, value, dtype)


def main():
    np.seterr(over="ignore")
    for op in OPS:
        (FOLDER / "goldens" / op).mkdir(parents=True, exist_ok=True)
        text = (FOLDER / "cases" / f"{op}.mlir").read_text()
        for case, arguments, body in re.findall(
                r"graph\.func @(\w+)\(([^)]*)\) \{\n(.*?)\n\}", text, re.S):
            run_case(op, case, arguments, body)


if __name__ == "__main__":
    main()
