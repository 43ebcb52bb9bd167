#!/usr/bin/env bash
# Builds dtc and dtc-worker in build/release, without tests unless the tree
# has them already. Says what it does on stderr only.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build
if [ ! -f build/release/build.ninja ]; then
  cmake --preset release -DDTC_BUILD_TESTS=OFF -DDTC_BUILD_BENCHMARKS=OFF >&2
fi
cmake --build --preset release --target dtc dtc-worker >&2
