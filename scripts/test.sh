#!/usr/bin/env bash
# Every test: lit, GoogleTest and cluster tests on the release build, then the
# runtime's unit tests under the address and the thread sanitizer. Ends with
# one ctest summary over all three build trees.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh test
cmake --preset release -DDTC_BUILD_TESTS=ON -DDTC_BUILD_BENCHMARKS=ON
cmake --preset asan
cmake --preset tsan
for preset in release asan tsan; do
  cmake --build --preset "$preset"
done

# A ctest folder needs no more than this file.
mkdir -p build/all
printf 'subdirs("%s")\n' "$PWD"/build/{release,asan,tsan} >build/all/CTestTestfile.cmake
# Debian's gRPC is not instrumented; without this it reports races that are none.
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 suppressions=$PWD/tests/tsan.supp ${TSAN_OPTIONS:-}"
exec ctest --test-dir build/all --output-on-failure --parallel "$(nproc)"
