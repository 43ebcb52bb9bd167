#!/usr/bin/env bash
# From a fresh Debian 12 machine to a model trained by three processes:
# installs what is missing, builds dtc, compiles examples/digits for one
# parameter server and two workers, trains, and shows what happened.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh
export PATH="$PWD/build/release/bin:$PATH"
out=build/quickstart
rm -rf "$out"
mkdir -p "$out"

step() { printf '\n$ %s\n' "$*"; "$@"; }
step dtc compile examples/digits/digits.mlir --cluster ps=1,worker=2 \
  --mode between-graph -o "$out/digits.plan"
step dtc launch "$out/digits.plan" --epochs 20 --save "$out/digits.variables"
dtc run "$out/digits.plan" --load "$out/digits.variables" --entry eval --json >"$out/eval.json"
# The first is the metric; the run's raw outputs follow.
accuracy=$(grep -m 1 -o '"accuracy": *[0-9.eE+-]*' "$out/eval.json" | sed 's/.*: *//')
step dtc inspect "$out/digits.plan"

cat <<SCREEN

test accuracy $(printf %.3f "$accuracy"), on 297 digits that training never saw

next, with PATH=$PWD/build/release/bin:\$PATH
  dtc inspect $out/digits.plan --edges      every tensor that crosses, and why
  dtc inspect $out/digits.plan --ir place   where each operation is, and why
  dtc verify $out/digits.plan               the partitions against one device, bit for bit
  dtc run $out/digits.plan --epochs 20      the same training in one process
docs/getting-started.md goes on from here
SCREEN
