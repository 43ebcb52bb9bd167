"""Checks the prediction in `dtc run --predict --json`: check_prediction.py FILE PROCESS_PER_TASK."""
import json
import sys

prediction = json.load(open(sys.argv[1], encoding="utf-8"))["prediction"]
assert prediction["schema"] == "dtc.predict/1"
assert prediction["process_per_task"] == bool(int(sys.argv[2]))
assert prediction["calibrated"]


def exact(pair):
    return pair["predicted"] == pair["measured"] and pair["error"] == 0


step = prediction["step_ms"]
assert step["predicted"] > 0 and step["measured"] > 0, step
assert abs(step["error"] - (step["predicted"] - step["measured"]) / step["measured"]) < 1e-9, step

assert exact(prediction["bytes_per_step"])
for task in prediction["tasks"]:
    assert exact(task["bytes_sent"]) and exact(task["arena_bytes"]), task
assert sum(task["bytes_sent"]["measured"] for task in prediction["tasks"]) == prediction["bytes_per_step"]["measured"]

# The path is in the order of time, within a step, and each of it waited for what stands before it.
path = prediction["critical_path"]
assert path, "no critical path"
tasks = {task["task"] for task in prediction["tasks"]}
end = 0
for step_of_path in path:
    assert step_of_path["task"] in tasks and step_of_path["kind"], step_of_path
    assert step_of_path["start_ms"] >= end - 1e-9, (end, step_of_path)
    end = step_of_path["start_ms"] + step_of_path["ms"]
# It is one step's; with update async steps differ in length.
assert end <= step["predicted"] * 2, (end, step)
