"""Makes tests/ops/goldens of the optimizers' and the random ops.

Run from the repository root; needs NumPy. The formulas are TensorFlow's, the
generator is Philox 4x32-10 written from its paper (Salmon et al., SC 2011),
and the normal quantile is Python's own.
"""

import math
import pathlib
import statistics

import numpy as np

GOLDENS = pathlib.Path("tests/ops/goldens")


def save(op, case, **tensors):
    folder = GOLDENS / op
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in tensors.items():
        np.save(folder / f"{case}.{name}.npy", np.asarray(value))


def tensors(case, shape, count):
    """`count` tensors that depend on the case's name only."""
    random = np.random.default_rng(list(case.encode()))
    return [random.uniform(-2, 2, shape) for _ in range(count)]


SHAPES = {"scalar": (), "vector": (7,), "matrix": (3, 5), "empty": (0, 3)}


def optimizers():
    rate = np.float64(0.25)
    for case, shape in SHAPES.items():
        variable, gradient, slot, other = tensors(case, shape, 4)
        save("apply_gradient_descent", case, v=variable, g=gradient, rate=rate,
             new_v=variable - gradient * rate)
        for op_case, nesterov in ((case, False), (case + "_nesterov", True)):
            new = slot * 0.9 + gradient
            step = gradient * rate + new * 0.9 * rate if nesterov else new * rate
            save("apply_momentum", op_case, v=variable, s=slot, g=gradient,
                 rate=rate, new_v=variable - step, new_s=new)
        square = np.abs(slot)
        new = square + gradient * gradient
        save("apply_adagrad", case, v=variable, s=square, g=gradient, rate=rate,
             new_v=variable - gradient * rate / (np.sqrt(new) + 1e-3), new_s=new)
        m = other * 0.9 + gradient * 0.1
        v = square * 0.75 + gradient**2 * 0.25
        save("apply_adam", case, v=variable, m=other, s=square, g=gradient,
             rate=rate, new_v=variable - rate * m / (np.sqrt(v) + 1e-3),
             new_m=m, new_s=v)
        momentum = other * 0.5 + gradient * rate / np.sqrt(v + 1e-3)
        save("apply_rmsprop", case, v=variable, s=square, m=other, g=gradient,
             rate=rate, new_v=variable - momentum, new_s=v, new_m=momentum)
        save("replica_mean", case, a=variable, b=gradient, c=slot,
             r=np.mean([variable, gradient, slot], axis=0))


MASK = 0xFFFFFFFF


def philox(key, counter):
    for _ in range(10):
        low, high = counter[0] * 0xD2511F53, counter[2] * 0xCD9E8D57
        counter = (high >> 32 ^ counter[1] ^ key[0], high & MASK,
                   low >> 32 ^ counter[3] ^ key[1], low & MASK)
        key = ((key[0] + 0x9E3779B9) & MASK, (key[1] + 0xBB67AE85) & MASK)
    return counter


def words(seed, stream, step, first, count):
    """64 random bits for each element."""
    key = 0xCBF29CE484222325  # FNV-1a of the seed, then the stream
    for byte in seed.to_bytes(8, "little") + stream.encode():
        key = (key ^ byte) * 0x100000001B3 % 2**64
    for index in range(first, first + count):
        block = philox((key & MASK, key >> 32),
                       (index & MASK, index >> 32, step & MASK, step >> 32))
        yield block[0] << 32 | block[1]


def random_ops():
    normal = statistics.NormalDist()
    tail = normal.cdf(-2)
    for case, shape, step, replica in (("first", (4, 5), 0, 0),
                                       ("later", (7,), 2**33 + 5, 0),
                                       ("replica", (3, 2), 9, 2)):
        count = math.prod(shape)
        bits = list(words(7, "noise", step, replica * count, count))
        unit = np.reshape([(b >> 11) * 2.0**-53 for b in bits], shape)
        # 52 bits and a half: neither 0 nor 1.
        open_unit = [((b >> 12) + 0.5) * 2.0**-52 for b in bits]
        plain = np.reshape([normal.inv_cdf(u) for u in open_unit], shape)
        cut = np.reshape([normal.inv_cdf(tail + u * (1 - 2 * tail))
                          for u in open_unit], shape)
        feeds = {"step": np.int64(step)}
        if replica:
            feeds["replica"] = np.int64(replica)
        save("random_uniform", case, r=-1 + 3 * unit, **feeds)
        save("random_normal", case, r=1 + 2 * plain, **feeds)
        save("random_truncated_normal", case, r=1 + 2 * cut, **feeds)
        (x,) = tensors("dropout" + case, shape, 1)
        save("dropout", case, x=x, y=np.where(unit >= 0.25, x / 0.75, 0),
             **feeds)


optimizers()
random_ops()
