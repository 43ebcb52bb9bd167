"""Prints FILE with lines moved: move_lines.py FILE WHAT WHERE [WHAT WHERE]...

The line that contains WHAT goes before the line that contains WHERE."""
import sys

lines = open(sys.argv[1], encoding="utf-8").read().splitlines()


def find(text):
    return next(i for i, line in enumerate(lines) if text in line)


for what, where in zip(sys.argv[2::2], sys.argv[3::2]):
    line = lines.pop(find(what))
    lines.insert(find(where), line)
print("\n".join(lines))
