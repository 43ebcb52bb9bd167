"""Checks the codes of messages: check_codes.py REPOSITORY

Each code of dialects/diagnostics/Codes.def is thrown somewhere and has a test
that provokes it and shows the rendered form (tests/lit/errors/DTC0102.test).
What the graph rooms report has a code.
"""
import os
import re
import sys

TABLE = "dialects/diagnostics/Codes.def"
ROOTS = ("dialects", "passes", "tools")
# Rooms where an emitError without coded() is a mistake.
CODED_ROOMS = ("dialects/graph/", "passes/graph/", "passes/dist/")
# No input provokes these in a test that is quick and sure; why.
UNPROVOKED = {
    "LostPeer": "tests/cluster/lost_worker.py loses one",
    "RunFailed": "needs a machine without memory",
    "Bug": "would be mended instead",
}


def sources(root):
    for top in ROOTS:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(files):
                path = os.path.relpath(os.path.join(folder, name), root)
                if name.endswith((".cpp", ".h", ".td")) and not path.startswith("dialects/diagnostics/Codes"):
                    with open(os.path.join(root, path), encoding="utf-8") as file:
                        yield path, file.read()


def uncoded(path, text):
    """Yields the lines of reports without a code."""
    if not path.startswith(CODED_ROOMS) or not path.endswith(".cpp") or path.endswith("Test.cpp"):
        return
    for match in re.finditer(r"\bemit(Op)?Error\(", text):
        before = text[max(0, match.start() - 80):match.start()]
        statement = re.split(r"[;{}]", before)[-1]
        # `emitError` is also the name of a parameter.
        if "coded(" in statement or "TODO" in text[match.start():match.end() + 6] or "function_ref" in statement:
            continue
        yield text.count("\n", 0, match.start()) + 1


def check(root):
    with open(os.path.join(root, TABLE), encoding="utf-8") as file:
        codes = re.findall(r"^DTC_CODE\((\d+), (\w+),", file.read(), re.M)
    used = set()
    for path, text in sources(root):
        used |= set(re.findall(r"\bCode::(\w+)", text))
        for line in uncoded(path, text):
            yield f"{path}:{line}: an error without a code; write coded(…, Code::…)"
    for number, name in codes:
        test = f"tests/lit/errors/DTC{int(number):04}.test"
        if name not in used:
            yield f"{TABLE}: {name} is thrown nowhere"
        if name not in UNPROVOKED and not os.path.exists(os.path.join(root, test)):
            yield f"{test}: {name} has no test"


if __name__ == "__main__":
    sys.exit("\n".join(check(sys.argv[1])) or 0)
