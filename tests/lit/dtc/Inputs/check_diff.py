"""Checks the object of `dtc diff --json` between the two plans of diff.test."""
import json
import sys

diff = json.load(open(sys.argv[1], encoding="utf-8"))
assert diff["schema"] == "dtc.diff/1" and diff["entry"] == "f"
assert not diff["same"] and not diff["same_source"]
assert diff["ops"] == [{"name": "q", "kind": "graph.matmul", "a": ["worker:1 step"], "b": ["worker:0 step"]}], diff["ops"]
assert diff["variables"] == []
assert {edge["key"]: edge["delta"] for edge in diff["edges"]} == {
    "p:0 worker:0->worker:1": -256, "q:0 worker:0->worker:1": 512, "w2:0 worker:0->worker:1": -128}
for pair in [diff["bytes_per_step"], *diff["edges"], *(task["arena_bytes"] for task in diff["tasks"])]:
    assert pair["delta"] == pair["b"] - pair["a"], pair
assert diff["bytes_per_step"]["delta"] == sum(edge["delta"] for edge in diff["edges"]) == 128
step = diff["step_ms"]
assert step["a"] > 0 and step["b"] > 0 and abs(step["delta"] - (step["b"] - step["a"])) < 1e-9, step
