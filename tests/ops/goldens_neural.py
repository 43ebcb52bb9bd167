"""Goldens of the neural network ops, made by PyTorch in float64.

Run it from the repository root; it writes
tests/ops/goldens/<op>/<case>.<feed or output>.npy for the cases in
tests/ops/cases. Images are NHWC and filters HWIO here, NCHW and OIHW in
PyTorch. Padding is always made with F.pad, so that SAME may be uneven.
"""

import pathlib
import zlib

import numpy as np
import torch
import torch.nn.functional as F

ROOT = pathlib.Path("tests/ops/goldens")


def generator(op, case):
    return np.random.default_rng(zlib.crc32(f"{op}/{case}".encode()))


def write(op, case, values):
    folder = ROOT / op
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in values.items():
        np.save(folder / f"{case}.{name}.npy", value)


def emit(op, case, feeds, function):
    """Writes the feeds, and the outputs that `function` makes of tensors."""
    tensors = {n: torch.from_numpy(np.asarray(v)) for n, v in feeds.items()}
    outputs = function(**tensors)
    arrays = {n: v.detach().contiguous().numpy() for n, v in outputs.items()}
    write(op, case, {**feeds, **arrays})


def normal(random, *shape):
    return random.standard_normal(shape)


def distinct(random, *shape):
    """Numbers that differ by at least 0.05: no ties, no kinks."""
    count = int(np.prod(shape))
    return (random.permutation(count) * 0.05 - count * 0.025).reshape(shape)


def with_values(array, values):
    flat = array.reshape(-1)
    flat[: len(values)] = values
    return array


# --- Windows -----------------------------------------------------------------


def paddings(size, window, strides, dilations, padding):
    """[top, bottom, left, right]."""
    if padding == "VALID":
        return [0, 0, 0, 0]
    if padding != "SAME":
        return padding
    result = []
    for n, k, s, d in zip(size, window, strides, dilations):
        total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
        result += [total // 2, total - total // 2]
    return result


def nchw(x):
    return x.permute(0, 3, 1, 2)


def nhwc(x):
    return x.permute(0, 2, 3, 1)


def padded(x, pads, value=0.0):
    top, bottom, left, right = pads
    return F.pad(nchw(x), (left, right, top, bottom), value=value)


def conv2d(x, filter, strides, padding, dilations):
    pads = paddings(x.shape[1:3], filter.shape[:2], strides, dilations, padding)
    weights = filter.permute(3, 2, 0, 1)
    return nhwc(F.conv2d(padded(x, pads), weights, None, strides, 0, dilations))


def depthwise(x, filter, strides, padding, dilations):
    pads = paddings(x.shape[1:3], filter.shape[:2], strides, dilations, padding)
    height, width, channels, multiplier = filter.shape
    weights = filter.reshape(height, width, 1, channels * multiplier)
    weights = weights.permute(3, 2, 0, 1)
    y = F.conv2d(padded(x, pads), weights, None, strides, 0, dilations, channels)
    return nhwc(y)


def max_pool(x, window, strides, padding):
    pads = paddings(x.shape[1:3], window, strides, [1, 1], padding)
    return nhwc(F.max_pool2d(padded(x, pads, -torch.inf), window, strides))


def avg_pool(x, window, strides, padding):
    pads = paddings(x.shape[1:3], window, strides, [1, 1], padding)
    mean = F.avg_pool2d(padded(x, pads), window, strides)
    share = F.avg_pool2d(padded(torch.ones_like(x), pads), window, strides)
    return nhwc(mean / share)


def pullback(function, x, dy):
    """The gradient of sum(function(x) * dy) with respect to x."""
    x = x.detach().requires_grad_()
    return torch.autograd.grad(function(x), x, dy)[0]


# case: image, filter, strides, padding, dilations
CONVOLUTIONS = {
    "valid": ((2, 4, 5, 2), (3, 2, 2, 3), (1, 1), "VALID", (1, 1)),
    "same_strided": ((1, 5, 7, 2), (3, 4, 2, 3), (2, 3), "SAME", (1, 1)),
    "same_dilated": ((1, 6, 5, 1), (3, 2, 1, 2), (1, 1), "SAME", (2, 3)),
    "valid_strided_dilated": ((1, 7, 8, 2), (2, 3, 2, 1), (2, 1), "VALID", (3, 2)),
    "explicit": ((1, 4, 5, 2), (3, 3, 2, 2), (2, 1), [2, 1, 0, 3], (1, 1)),
    "pointwise": ((1, 3, 3, 5), (1, 1, 5, 3), (1, 1), "SAME", (1, 1)),
    "sparse_strides": ((1, 5, 5, 1), (1, 2, 1, 2), (3, 3), "VALID", (1, 1)),
    "filter_beyond_image": ((1, 2, 1, 3), (3, 3, 3, 2), (1, 1), "SAME", (1, 1)),
}

# case: image, filter, strides, padding, dilations
DEPTHWISE = {
    "valid": ((2, 4, 5, 3), (3, 2, 3, 1), (1, 1), "VALID", (1, 1)),
    "same_strided": ((1, 5, 7, 2), (3, 4, 2, 2), (2, 3), "SAME", (1, 1)),
    "same_dilated": ((1, 6, 5, 1), (3, 2, 1, 3), (1, 1), "SAME", (2, 3)),
    "explicit": ((1, 4, 5, 2), (3, 3, 2, 1), (2, 1), [2, 1, 0, 3], (1, 1)),
}

# case: image, window, strides, padding
POOLS = {
    "valid": ((1, 5, 6, 2), (2, 2), (2, 2), "VALID"),
    "same_overlapping": ((2, 5, 3, 3), (3, 2), (2, 1), "SAME"),
    "explicit": ((1, 4, 5, 1), (3, 3), (2, 2), [1, 2, 0, 1]),
    "gaps": ((1, 7, 5, 2), (2, 1), (3, 2), "VALID"),
    "whole_image": ((2, 3, 4, 3), (3, 4), (1, 1), "VALID"),
}


def convolutions(prefix, table, forward):
    for case, (image, kernel, *window) in table.items():
        y = forward(torch.zeros(image), torch.zeros(kernel), *window).shape

        def feeds(op, **shapes):
            random = generator(op, case)
            return {name: normal(random, *s) for name, s in shapes.items()}

        op = prefix
        emit(op, case, feeds(op, x=image, filter=kernel),
             lambda x, filter: {"y": forward(x, filter, *window)})
        op = prefix + "_backprop_input"
        emit(op, case, feeds(op, filter=kernel, dy=y), lambda filter, dy: {
            "dx": pullback(lambda x: forward(x, filter, *window),
                           torch.zeros(image, dtype=torch.float64), dy)})
        op = prefix + "_backprop_filter"
        emit(op, case, feeds(op, x=image, dy=y), lambda x, dy: {
            "dfilter": pullback(lambda f: forward(x, f, *window),
                                torch.zeros(kernel, dtype=torch.float64), dy)})


def convolutions_of_nothing():
    """Empty batches, and channels that are none: a sum of nothing is 0."""
    write("conv2d", "empty_batch", {
        "x": np.zeros((0, 3, 3, 2)), "filter": np.ones((2, 2, 2, 3)),
        "y": np.zeros((0, 2, 2, 3))})
    write("conv2d", "no_channels", {
        "x": np.zeros((1, 2, 2, 0)), "filter": np.zeros((1, 1, 0, 2)),
        "y": np.zeros((1, 2, 2, 2))})
    write("conv2d_backprop_input", "empty_batch", {
        "filter": np.ones((2, 2, 2, 3)), "dy": np.zeros((0, 2, 2, 3)),
        "dx": np.zeros((0, 3, 3, 2))})
    write("conv2d_backprop_filter", "empty_batch", {
        "x": np.zeros((0, 3, 3, 2)), "dy": np.zeros((0, 2, 2, 3)),
        "dfilter": np.zeros((2, 2, 2, 3))})
    write("depthwise_conv2d", "empty_batch", {
        "x": np.zeros((0, 3, 3, 2)), "filter": np.ones((2, 2, 2, 2)),
        "y": np.zeros((0, 2, 2, 4))})


def convolution_of_infinities():
    random = generator("conv2d", "special_infinity")
    x = with_values(normal(random, 1, 3, 3, 1), [np.inf, np.nan])
    emit("conv2d", "special_infinity",
         {"x": x, "filter": normal(random, 2, 2, 1, 1)},
         lambda x, filter: {"y": conv2d(x, filter, (1, 1), "VALID", (1, 1))})


def pools():
    for case, (image, *window) in POOLS.items():
        y = max_pool(torch.zeros(image), *window).shape
        random = generator("pool", case)
        x, dy = distinct(random, *image), normal(random, *y)
        largest = max_pool(torch.from_numpy(x), *window).contiguous().numpy()
        emit("max_pool", case, {"x": x}, lambda x: {"y": max_pool(x, *window)})
        emit("avg_pool", case, {"x": x}, lambda x: {"y": avg_pool(x, *window)})
        emit("max_pool_grad", "special_" + case, {"x": x, "y": largest, "dy": dy},
             lambda x, y, dy: {
                 "dx": pullback(lambda x: max_pool(x, *window), x, dy)})
        emit("max_pool_grad", case, {"x": x, "dy": dy}, lambda x, dy: {
            "dx": pullback(lambda x: max_pool(x, *window), x, dy)})
        emit("avg_pool_grad", case, {"dy": dy}, lambda dy: {
            "dx": pullback(lambda x: avg_pool(x, *window),
                           torch.zeros(image, dtype=torch.float64), dy)})
    special_pools()


def special_pools():
    x = np.array([-np.inf, -np.inf, np.nan, 1, np.inf, 2, 3, 3.0])
    x = x.reshape(1, 1, 8, 1)
    y = max_pool(torch.from_numpy(x), (1, 2), (1, 2), "VALID")
    write("max_pool", "special_values", {"x": x, "y": y.contiguous().numpy()})
    dx = np.zeros_like(x)
    dx[0, 0, [0, 2, 4, 6], 0] = [1, 2, 3, 4]  # the first of equals
    write("max_pool_grad", "special_values", {
        "x": x, "y": y.contiguous().numpy(),
        "dy": np.array([1, 2, 3, 4.0]).reshape(1, 1, 4, 1), "dx": dx})
    for op in "max_pool", "avg_pool":
        write(op, "empty_batch",
              {"x": np.zeros((0, 4, 4, 2)), "y": np.zeros((0, 2, 2, 2))})


# --- Products ----------------------------------------------------------------

# case: a, b, transpose_a, transpose_b
MATMULS = {
    "plain": ((3, 5), (5, 4), False, False),
    "transpose_a": ((5, 3), (5, 4), True, False),
    "transpose_b": ((3, 5), (4, 5), False, True),
    "transpose_both": ((5, 3), (4, 5), True, True),
    "row_by_column": ((1, 7), (7, 1), False, False),
    "wide": ((2, 3), (3, 37), False, False),
    "sum_of_nothing": ((2, 0), (0, 3), False, False),
}
BATCH_MATMULS = {
    "plain": ((2, 3, 4), (2, 4, 5), False, False),
    "transpose_a": ((2, 4, 3), (2, 4, 5), True, False),
    "transpose_b": ((2, 2, 3, 4), (2, 2, 5, 4), False, True),
    "transpose_both": ((3, 4, 3), (3, 2, 4), True, True),
    "broadcast_both": ((3, 1, 2, 4), (2, 4, 3), False, False),
    "broadcast_transpose_b": ((5, 2, 3), (1, 4, 3), False, True),
    "broadcast_transpose_a": ((3, 2), (2, 1, 3, 4), True, False),
    "matrices": ((3, 5), (5, 2), False, False),
    "empty_batch": ((0, 2, 3), (0, 3, 4), False, False),
}


def products():
    for op, table in ("matmul", MATMULS), ("batch_matmul", BATCH_MATMULS):
        for case, (a, b, transpose_a, transpose_b) in table.items():
            random = generator(op, case)
            emit(op, case, {"a": normal(random, *a), "b": normal(random, *b)},
                 lambda a, b: {"r": torch.matmul(
                     a.mT if transpose_a else a, b.mT if transpose_b else b)})
    random = generator("matmul", "special_values")
    a = with_values(normal(random, 3, 3), [np.inf, 1, 1, np.nan])
    emit("matmul", "special_values", {"a": a, "b": normal(random, 3, 2)},
         lambda a, b: {"r": a @ b})
    for case, shape in BIAS_ADDS.items():
        random = generator("bias_add", case)
        emit("bias_add", case,
             {"x": normal(random, *shape), "bias": normal(random, shape[-1])},
             lambda x, bias: {"r": x + bias})


BIAS_ADDS = {"matrix": (3, 5), "images": (2, 3, 2, 4), "vector": (5,),
             "empty": (0, 3)}

# --- Normalisation -----------------------------------------------------------

BATCH_NORMS = {
    "images": ((2, 3, 2, 3), 1e-3),
    "matrix": ((5, 4), 1e-5),
    "two_rows": ((2, 3), 0.5),
    "one_row": ((1, 4), 0.1),
}
LAYER_NORMS = {"matrix": ((3, 5), 1e-5), "sequences": ((2, 3, 4), 1e-3),
               "vector": ((7,), 0.01), "empty": ((0, 3), 0.01)}


def batch_norm(x, scale, offset, epsilon):
    axes = tuple(range(x.ndim - 1))
    count = x.numel() // x.shape[-1]
    mean, variance = x.mean(axes), x.var(axes, correction=0)
    y = F.batch_norm(x.reshape(count, -1), mean, variance, scale, offset,
                     training=False, eps=epsilon).reshape(x.shape)
    unbiased = x.var(axes, correction=1) if count > 1 else variance
    return {"y": y, "mean": mean, "unbiased": unbiased, "variance": variance}


def norms():
    for case, (shape, epsilon) in BATCH_NORMS.items():
        vector = shape[-1]
        random = generator("batch_norm", case)
        feeds = {"x": normal(random, *shape) * 2 + 1,
                 "scale": normal(random, vector), "offset": normal(random, vector)}
        emit("batch_norm", case, feeds,
             lambda x, scale, offset: batch_norm(x, scale, offset, epsilon))
        feeds |= {"mean": normal(random, vector),
                  "variance": random.uniform(0.5, 2, vector)}
        emit("batch_norm_inference", case, feeds,
             lambda x, scale, offset, mean, variance: {
                 "y": F.batch_norm(x.reshape(-1, vector), mean, variance, scale,
                                   offset, False, eps=epsilon).reshape(x.shape)})
    random = generator("batch_norm", "y_alone")
    emit("batch_norm", "y_alone",
         {"x": normal(random, 4, 3), "scale": normal(random, 3),
          "offset": normal(random, 3)},
         lambda x, scale, offset: {
             "y": batch_norm(x, scale, offset, 1e-3)["y"]})
    for case, (shape, epsilon) in LAYER_NORMS.items():
        vector = shape[-1]
        random = generator("layer_norm", case)
        emit("layer_norm", case,
             {"x": normal(random, *shape) * 2 + 1,
              "scale": normal(random, vector), "offset": normal(random, vector)},
             lambda x, scale, offset: {
                 "y": F.layer_norm(x, (vector,), scale, offset, epsilon)})


# --- Softmax and losses ------------------------------------------------------

ROWS = {"vector": (7,), "matrix": (3, 5), "sequences": (2, 3, 4),
        "one_class": (4, 1), "empty": (0, 3)}
SPARSE = {"matrix": (4, 5, np.int64), "int32_labels": (3, 7, np.int32),
          "one_class": (2, 1, np.int64), "empty": (0, 3, np.int64)}
ELEMENTS = {"matrix": (3, 4), "vector": (7,), "scalar": (), "empty": (0, 3)}


def losses():
    for case, shape in ROWS.items():
        for op, f in ("softmax", F.softmax), ("log_softmax", F.log_softmax):
            random = generator(op, case)
            emit(op, case, {"x": normal(random, *shape)},
                 lambda x: {"y": f(x, -1)})
        random = generator("dense_softmax_cross_entropy", case)
        labels = random.uniform(0.1, 1, shape)
        labels /= labels.sum(-1, keepdims=True)
        emit("dense_softmax_cross_entropy", case,
             {"logits": normal(random, *shape), "labels": labels},
             lambda logits, labels: {
                 "loss": -(labels * F.log_softmax(logits, -1)).sum(-1)})
    for case, (batch, classes, label) in SPARSE.items():
        random = generator("softmax_cross_entropy", case)
        emit("softmax_cross_entropy", case,
             {"logits": normal(random, batch, classes),
              "labels": random.integers(0, classes, batch).astype(label)},
             lambda logits, labels: {"loss": F.cross_entropy(
                 logits, labels.long(), reduction="none")})
    for case, shape in ELEMENTS.items():
        random = generator("sigmoid_cross_entropy", case)
        emit("sigmoid_cross_entropy", case,
             {"logits": normal(random, *shape),
              "labels": random.uniform(0, 1, shape)}, sigmoid_cross_entropy)
        emit("l2_loss", case, {"x": normal(random, *shape)},
             lambda x: {"loss": (x * x).sum() / 2})
    special_losses()


def sigmoid_cross_entropy(logits, labels):
    return {"loss": F.binary_cross_entropy_with_logits(
        logits, labels, reduction="none")}


def special_losses():
    large = np.array([[1000.0, 0, -1000], [-1e30, 1e30, 5], [np.nan, 1, 2]])
    for op, f in ("softmax", F.softmax), ("log_softmax", F.log_softmax):
        emit(op, "special_large", {"x": large}, lambda x: {"y": f(x, -1)})
    emit("sigmoid_cross_entropy", "special_large",
         {"logits": np.array([1000.0, -1000, 0, np.nan]),
          "labels": np.array([1.0, 1, 0.5, 0])}, sigmoid_cross_entropy)
    emit("sigmoid_cross_entropy", "broadcast",
         {"logits": normal(generator("sigmoid", "broadcast"), 3, 4),
          "labels": np.array([0.0, 1, 0.25, 0.5])},
         lambda logits, labels: sigmoid_cross_entropy(
             logits, labels.expand(3, 4)))


if __name__ == "__main__":
    convolutions("conv2d", CONVOLUTIONS, conv2d)
    convolutions("depthwise_conv2d", DEPTHWISE, depthwise)
    convolutions_of_nothing()
    convolution_of_infinities()
    pools()
    products()
    norms()
    losses()
