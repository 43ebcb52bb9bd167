"""Checks that things stay readable: check_sizes.py REPOSITORY

A file has at most 700 lines, a lit test 100, a function 60. A longer function
says why in a comment above it: `// Long because ...`.
"""
import os
import re
import sys

FILE, LIT_TEST, FUNCTION = 700, 100, 60
# One definition after another, each of them short.
MAY_BE_LONG = ("dialects/graph/Ops.td", "dialects/graph/Ops.cpp")
SKIPPED_FOLDERS = ("build", ".git", "__pycache__")
SOURCES = (".h", ".cpp", ".td", ".proto", ".py", ".sh", ".mlir", ".test", ".txt", ".cmake")


def long_functions(lines):
    """Yields (line number, length) of C++ functions that are too long.

    Relies on clang-format: the body of a function at indentation n ends at the
    first line that is n spaces and a brace. A class or a namespace ends
    otherwise (`};`, `} // namespace`), and a block that is too long lies in a
    function that is.
    """
    for indent in ("", "  "):
        start, reason = None, False
        for number, line in enumerate(lines, 1):
            if line == indent + "}" and start is not None:
                if number - start + 1 > FUNCTION and not reason:
                    yield start, number - start + 1
                start, reason = None, False
            elif line.startswith(indent + "// Long because"):
                reason = True
            elif re.match(indent + r"\w.*[^:]$", line):
                start = number


def check(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS)
        for name in sorted(files):
            path = os.path.relpath(os.path.join(folder, name), root)
            if not name.endswith(SOURCES):
                continue
            with open(os.path.join(root, path), encoding="utf-8") as file:
                lines = file.read().splitlines()
            is_test = path.startswith("tests/lit/") and name.endswith((".mlir", ".test"))
            limit = LIT_TEST if is_test else FILE
            if len(lines) > limit and path not in MAY_BE_LONG:
                yield f"{path}: {len(lines)} lines, at most {limit} are readable"
            if name.endswith((".h", ".cpp")):
                for start, length in long_functions(lines):
                    yield f"{path}:{start}: a function of {length} lines, at most {FUNCTION}"


if __name__ == "__main__":
    sys.exit("\n".join(check(sys.argv[1])) or 0)
