"""Writes broken variants of a partition's text: edit_partition.py GOOD FOLDER."""
import pathlib
import re
import sys

good = pathlib.Path(sys.argv[1]).read_text().splitlines(keepends=True)
folder = pathlib.Path(sys.argv[2])


def find(op, name):
    """Numbers of the lines of the first edge of `name`, in @train."""
    return next(i for i, line in enumerate(good) if f"dist.{op}" in line and f'key "{name}:0 ' in line)


def write(name, lines):
    (folder / f"{name}.mlir").write_text("".join(lines))


def without(number):
    return good[:number] + good[number + 1:]


def swapped(*pairs):
    lines = list(good)
    key = re.compile(r'key "[^"]*"')
    for a, b in pairs:
        key_a, key_b = key.search(lines[a])[0], key.search(lines[b])[0]
        lines[a], lines[b] = lines[a].replace(key_a, key_b), lines[b].replace(key_b, key_a)
    return lines


def retyped(number):
    lines = list(good)
    lines[number] = re.sub(r"tensor<64x64xf32>", "tensor<64x63xf32>", lines[number])
    assert lines != good, f"no type in {good[number]}"
    return lines


sends = find("send", "w1"), find("send", "w2")
recvs = find("recv", "w1"), find("recv", "w2")
write("dropped-send", without(sends[0]))
write("dropped-recv", without(recvs[0]))
write("swapped-sends", swapped(sends))
write("swapped-recvs", swapped(recvs))
write("swapped-both", swapped(sends, recvs))
write("type-of-send", retyped(sends[0]))
write("type-of-recv", retyped(recvs[0]))
