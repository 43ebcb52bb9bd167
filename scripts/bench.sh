#!/usr/bin/env bash
# Runs the named benchmarks, or all of them, and prints one JSON object a line:
# name, value, unit, and where there is a bar, bar and ok. Exit 3: a bar missed.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh
# mutation_score is measured by a program of the tests.
scripts/install-packages.sh test
cmake --preset release -DDTC_BUILD_TESTS=ON >&2
cmake --build --preset release --target dtc_mutation >&2
exec python3 benchmarks/bench.py --bin build/release/bin "$@"
