"""Checks who includes whom: check_layers.py REPOSITORY

A room may include itself, the C++ and POSIX headers, and what its row in ALLOW
names: rooms by path, files by pattern, libraries in angle brackets.
"""
import os
import re
import sys
from fnmatch import fnmatch

SERVER = ["runtime/base/", "runtime/plan/", "runtime/device/", "runtime/kernels/",
          "runtime/transport/", "runtime/transport/grpc/", "runtime/executor/",
          "runtime/input/", "runtime/checkpoint/"]

CODES = ["dialects/diagnostics/", "dialects/diagnostics/Coded"]

# The longest prefix that fits a file is its room.
ALLOW = {
    "runtime/base/": [],
    "runtime/plan/": ["runtime/base/", "<protobuf>", "<libzip>", "<openssl>", "<json>"],
    "runtime/device/": ["runtime/base/"],
    "runtime/device/cuda/": ["runtime/base/", "runtime/device/", "<cuda>"],
    "runtime/kernels/": ["runtime/base/", "runtime/device/"],
    "runtime/transport/": ["runtime/base/", "runtime/device/"],
    "runtime/transport/grpc/": ["runtime/base/", "runtime/device/", "runtime/transport/", "<grpc>"],
    "runtime/transport/grpc/GrpcTransportTest": ["runtime/base/", "runtime/transport/", "runtime/transport/grpc/",
                                                 "runtime/transport/conformance/", "<grpc>"],
    # What tests of several rooms share is test code without the name of a test.
    "runtime/transport/conformance/": ["runtime/base/", "runtime/transport/", "runtime/transport/grpc/",
                                       "runtime/transport/loopback/", "<test>"],
    "runtime/transport/nccl/": ["runtime/base/", "runtime/device/", "runtime/transport/", "<cuda>"],
    "runtime/executor/": ["runtime/base/", "runtime/plan/", "runtime/device/", "runtime/kernels/",
                          "runtime/transport/"],
    "runtime/input/": ["runtime/base/", "runtime/device/", "runtime/executor/Variables.h", "<zlib>"],
    # A saved variable is a .npy file, whose one reader and writer is input's.
    "runtime/checkpoint/": ["runtime/base/", "runtime/device/", "runtime/executor/Variables.h",
                            "runtime/input/Npy.h"],
    "runtime/server/": SERVER + ["<json>"],
    "dialects/diagnostics/": [],
    "dialects/diagnostics/Coded": ["<mlir>", "dialects/diagnostics/"],
    "dialects/graph/": ["<mlir>", *CODES],
    "dialects/dist/": ["<mlir>", *CODES],
    "dialects/plan/": ["<mlir>", "dialects/dist/", "dialects/plan/Serialization.h"],
    "dialects/plan/Serialization": ["<mlir>", "dialects/dist/", "dialects/plan/", "runtime/base/",
                                    "runtime/plan/", "<protobuf>"],
    "passes/graph/": ["<mlir>", "dialects/graph/", *CODES],
    "passes/dist/": ["<mlir>", "dialects/graph/", "dialects/dist/", *CODES],
    "passes/plan/": ["<mlir>", "dialects/*", "passes/kernel/"],
    "passes/kernel/": ["<mlir>", "dialects/*"],
    "passes/kernel/conformance/": ["<mlir>", "dialects/*", "passes/kernel/", "runtime/kernels/"],
    "tools/dtc/": ["runtime/*", "dialects/*", "passes/*", "<mlir>", "<protobuf>", "<cli11>", "<json>"],
    "benchmarks/": ["runtime/*", "dialects/*", "passes/*", "<mlir>", "<protobuf>", "<benchmark>"],
}

# A library is known by how its headers begin.
LIBRARIES = {
    "<mlir>": r"(mlir|mlir-c|llvm|llvm-c|lld)/",
    "<grpc>": r"(grpc|grpcpp)/",
    "<protobuf>": r"google/protobuf/",
    "<cuda>": r"(cuda|nccl|cublas|cudnn|nvrtc)\w*\.h|cuda/",
    "<libzip>": r"zip\.h",
    "<zlib>": r"zlib\.h",
    "<openssl>": r"openssl/",
    "<cli11>": r"CLI/",
    "<json>": r"nlohmann/",
    "<benchmark>": r"benchmark/",
    "<test>": r"(gtest|gmock)/",
    "<system>": r"[\w.]+$|(sys|netinet|arpa|linux|net)/",
}
ROOTS = ("runtime/", "dialects/", "passes/", "tools/", "benchmarks/")
INCLUDE = re.compile(r'\s*(?:#\s*)?(?:include|import)\s+(["<])([^">]+)[">]')


def violation(path, quote, header):
    """Says what is wrong with `path` including `header`, or None."""
    room = room_of(path)
    if room is None:
        return "lies in no room; give it one in ALLOW"
    if header.startswith(ROOTS):
        target = room_of(header)
        allowed = target == room or any(target == a or fnmatch(header, a) for a in ALLOW[room])
        return None if allowed else f"{room} must not know {target}"
    library = next((l for l, begin in LIBRARIES.items() if re.match(begin, header)), None)
    if library == "<system>" and quote == '"':
        return "write the path from the repository root"
    if library is None:
        return "comes from no known library; see LIBRARIES and third_party"
    free = ["<system>"] + (["<test>"] if re.search(r"Test\.(cpp|h)$|conformance/", path) else [])
    return None if library in free + ALLOW[room] else f"{room} must not know {library}"


def room_of(path):
    return max((r for r in ALLOW if path.startswith(r)), key=len, default=None)


def check(root):
    for top in ROOTS:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(files):
                path = os.path.relpath(os.path.join(folder, name), root)
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    lines = list(enumerate(file, 1))
                for number, line in lines:
                    if name == "CMakeLists.txt" and re.match(r"\s*(find_package|include_directories)\(", line):
                        yield f"{path}:{number}: belongs to third_party and dtc_library(): {line.strip()}"
                    match = name.endswith((".h", ".cpp", ".td", ".proto")) and INCLUDE.match(line)
                    wrong = match and violation(path, *match.groups())
                    if wrong:
                        yield f"{path}:{number}: {match.group(2)}: {wrong}"


if __name__ == "__main__":
    sys.exit("\n".join(check(sys.argv[1])) or 0)
