"""Checks that every thing has a room and a name: check_names.py REPOSITORY

No folder for leftovers, lower-case folders, CamelCase C++ files, and in every
room a README that says what it is for.
"""
import glob
import os
import re
import sys

NOT_A_NAME = ("util", "utils", "common", "helper", "helpers", "misc")
ROOTS = ("runtime", "dialects", "passes", "tools", "tests", "examples", "benchmarks")
ROOMS = ("runtime/*", "dialects/*", "passes/*", "tools/*", "examples/*", "benchmarks",
         "tests/lit/house", "tests/cluster", "third_party")
README_LINES = 100


def check(root):
    for top in ROOTS:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if f not in ("Output", "__pycache__"))
            for name in folders:
                path = os.path.relpath(os.path.join(folder, name), root)
                if name in NOT_A_NAME:
                    yield f"{path}: a thing without a room is a missing name"
                elif not re.fullmatch(r"[a-z0-9_]+", name) and name != "Inputs":
                    yield f"{path}: folders are lower case"
            for name in sorted(files):
                path = os.path.relpath(os.path.join(folder, name), root)
                if re.search(r"\.(h|cpp|td)$", name) and not re.fullmatch(r"[A-Z]\w*\.\w+", name):
                    yield f"{path}: C++ and TableGen files are CamelCase"
    for pattern in ROOMS:
        for room in sorted(glob.glob(os.path.join(root, pattern))):
            path = os.path.relpath(room, root)
            readme = os.path.join(room, "README.md")
            if not os.path.isdir(room) or not os.listdir(room):
                continue
            if not os.path.exists(readme):
                yield f"{path}: a room without a README.md"
            elif sum(1 for _ in open(readme, encoding="utf-8")) > README_LINES:
                yield f"{path}/README.md: more than {README_LINES} lines"


if __name__ == "__main__":
    sys.exit("\n".join(check(sys.argv[1])) or 0)
