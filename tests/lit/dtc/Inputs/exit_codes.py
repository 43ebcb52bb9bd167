"""Runs dtc with one mistake at a time: exit_codes.py FOLDER SOURCE PLAN."""
import os
import pathlib
import socket
import struct
import subprocess
import sys

folder, source, plan = map(pathlib.Path, sys.argv[1:])
BAD_INPUT, USAGE, NOTHING, FILE, LOST = 1, 2, 4, 5, 200
failures = []


def check(code, words, *arguments, **environment):
    """dtc must exit with `code` and say `words`, and must not crash."""
    result = subprocess.run(["dtc", *map(str, arguments)], cwd=source, capture_output=True, text=True,
                            timeout=120, env={**os.environ, **environment})
    if result.returncode != code or words not in result.stderr:
        failures.append(f"dtc {' '.join(map(str, arguments))}\n  exit {result.returncode}, expected {code} "
                        f"and '{words}'\n  {result.stderr.strip()}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write(name, data):
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder / name


def npy(name, shape, count):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return write(name, b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(4 * count))


# The command line.
check(USAGE, "did you mean 'compile'", "compiel", "x.mlir")
check(USAGE, "did you mean '--steps'", "run", plan, "--step", 3)
check(USAGE, "", "run")
check(USAGE, "--mode", "compile", "x.mlir", "--mode", "sideways")
# An option that may be repeated does not swallow the plan behind it.
check(0, "", "run", "--steps", 1, "--data", "digits=examples/digits/digits.csv.gz", plan)
check(USAGE, "--cluster", "compile", "x.mlir", "--cluster", "ps=zero")
check(USAGE, "--threads", "verify", plan, "--threads", 99999)
for flag, value in (("--steps", 0), ("--epochs", -1), ("--timeout", "nan"), ("--rtol", -1), ("--data", "digits"),
                    ("--feed", "x"), ("--fetch", "loss"), ("--expect", "=1")):
    check(USAGE, flag, "run", plan, flag, value)

# Results that have nowhere to go.
with open("/dev/full", "w") as full:
    for arguments in (["inspect", plan], ["diff", plan, plan], ["compile", "examples/digits/digits.mlir", "-o", "-"]):
        result = subprocess.run(["dtc", *arguments], cwd=source, stdout=full, stderr=subprocess.PIPE, text=True)
        if result.returncode != FILE or "cannot write standard output" not in result.stderr:
            failures.append(f"dtc {arguments}: exit {result.returncode} where standard output is full")

# Plans.
good = plan.read_bytes()
check(FILE, "cannot read", "run", folder / "none.plan")
check(BAD_INPUT, "", "run", write("short.plan", good[:len(good) // 2]))
check(BAD_INPUT, "", "inspect", write("empty.plan", b""))
check(BAD_INPUT, "empty.plan", "diff", plan, write("empty.plan", b""))
check(BAD_INPUT, "digits.mlir", "diff", "examples/digits/digits.mlir", plan)
check(FILE, "none.plan", "diff", plan, folder / "none.plan")
check(NOTHING, "there is no entry point", "diff", plan, plan, "--entry", "nope")
check(USAGE, "b is required", "diff", plan)
check(0, "", "diff", plan, plan)
for place in (30, len(good) // 3, len(good) // 2, len(good) - 40):
    flipped = bytearray(good)
    flipped[place] ^= 0x10
    check(BAD_INPUT, "flipped.plan", "run", write("flipped.plan", bytes(flipped)), "--steps", 1)
for verb in ("inspect", "run"):
    check(NOTHING, "there is no entry point 'trian'", verb, plan, "--entry", "trian")

# Data.
row = ",".join(["1"] * 65) + "\n"
check(FILE, "none.csv", "run", plan, "--data", "digits=none.csv")
check(BAD_INPUT, "bad.csv:2", "run", plan, "--data", f"digits={write('bad.csv', row + row[2:] + row * 1800)}")
check(BAD_INPUT, "'x' is not a number", "run", plan, "--data", f"digits={write('word.csv', row + 'x' + row[1:])}")
check(BAD_INPUT, "", "run", plan, "--data", f"digits={write('few.csv', row * 10)}")

# Feeds and fetches.
predict = ["run", plan, "--entry", "predict"]
check(BAD_INPUT, "needs a value for 'x'", *predict)
check(BAD_INPUT, "tensor<1x64xf32>", *predict, "--feed", f"x=@{npy('wide.npy', (1, 65), 65)}")
check(BAD_INPUT, "no feed 'z'", *predict, "--feed", f"z=@{npy('row.npy', (1, 64), 64)}")
check(BAD_INPUT, "no output 'z'", *predict, "--feed", f"x=@{folder / 'row.npy'}", "--fetch", "z=-")
check(FILE, "none.npy", *predict, "--feed", "x=@none.npy")

check(BAD_INPUT, "--feed x is given twice", *predict, "--feed", f"x=@{folder / 'row.npy'}",
      "--feed", f"x=@{folder / 'row.npy'}")
check(USAGE, "--seed", "run", plan, "--seed", -1)
check(USAGE, "--save", "run", plan, "--save", "")

# Clusters.
check(USAGE, "TF_CONFIG", "worker", plan, TF_CONFIG="")
check(USAGE, "TF_CONFIG:1:", "worker", plan, TF_CONFIG='{"cluster": {"worker": ["a:1"')
check(USAGE, "task.index is 2", "worker", plan,
      TF_CONFIG='{"cluster":{"ps":["127.0.0.1:1"],"worker":["127.0.0.1:2","127.0.0.1:3"]},'
                '"task":{"type":"worker","index":2}}')
check(BAD_INPUT, "", "worker", plan,
      TF_CONFIG='{"cluster":{"ps":["127.0.0.1:1"],"worker":["127.0.0.1:2"]},"task":{"type":"worker","index":0}}')
check(LOST, "ps:0", "worker", plan, "--timeout", 1,
      TF_CONFIG=f'{{"cluster":{{"ps":["127.0.0.1:9"],"worker":["127.0.0.1:{free_port()}","127.0.0.1:11"]}},'
                '"task":{"type":"worker","index":0}}')

sys.exit("\n".join(failures) or 0)
