# How the lit tests find their tools. Run them through ctest, `ninja check-ROOM`,
# or by hand on the build tree's twin of a file or folder:
#   /usr/lib/llvm-22/bin/lit -v build/release/tests/lit/graph/ops.mlir
#
# Substitutions: %examples and %source (folders of the repository), %build (the
# build tree), %programs (its bin), %python, and lit's own %s, %S, %t. The programs are
# called by name: dtc, dtc-opt, dtc-worker, FileCheck, not, count, split-file.
# Nothing is skipped when a program is missing: a test that cannot run fails.
import os

import lit.formats

if not hasattr(config, "dtc_binary_dir"):
    lit_config.fatal("run lit on the build tree: build/release/tests/lit/...")

config.name = "dtc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.dtc_binary_dir, "tests", "lit")

# Ours first: Debian's /usr/bin/dtc is the device tree compiler.
config.environment["PATH"] = os.pathsep.join([
    os.path.join(config.dtc_binary_dir, "bin"),
    config.llvm_tools_dir,
    config.environment.get("PATH", ""),
])
config.environment["NO_COLOR"] = "1"

config.substitutions += [
    ("%examples", os.path.join(config.dtc_source_dir, "examples")),
    ("%source", config.dtc_source_dir),
    ("%build", config.dtc_binary_dir),
    ("%programs", os.path.join(config.dtc_binary_dir, "bin")),
    ("%python", config.python),
]
