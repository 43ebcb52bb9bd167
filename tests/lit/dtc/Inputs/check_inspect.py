"""Checks the object of `dtc inspect --json` for digits on one ps and two workers."""
import json
import sys

plan = json.load(open(sys.argv[1]))
assert plan["schema"] == "dtc.inspect/1"
assert [task["task"] for task in plan["tasks"]] == ["ps:0", "worker:0", "worker:1"]

# Four variables go to each worker, four gradients come back, and the loss of
# worker:1 goes to the chief; worker:0's own never leaves it.
edges = plan["edges"]
assert len(edges) == 2 * (4 + 4) + 1, len(edges)
for edge in edges:
    assert edge["tensor"] and edge["reason"], edge
    assert edge["source"] != edge["target"], edge
assert sum(edge["bytes"] for edge in edges) == plan["bytes_per_step"]

parameters = 64 * 64 + 64 + 64 * 10 + 10
assert plan["bytes_per_step"] == 2 * 2 * parameters * 4 + 4
for task in plan["tasks"]:
    name = task["task"]
    assert task["sends"] == sum(edge["source"] == name for edge in edges)
    assert task["recvs"] == sum(edge["target"] == name for edge in edges)
    assert task["bytes_sent_per_step"] == sum(edge["bytes"] for edge in edges if edge["source"] == name)
    assert task["arena_bytes"] > 0
    assert task["parameters"] == (parameters if name == "ps:0" else 0)
