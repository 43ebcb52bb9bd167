"""Checks dtc's JSON diagnostics: check_diagnostics.py FILE, one object a line."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    reports = [json.loads(line) for line in file]
assert len(reports) == 3, reports
for report in reports:
    assert set(report) == {"code", "severity", "file", "line", "column", "message", "notes", "rendered"}, report
    assert (report["code"], report["severity"], report["file"]) == ("DTC0104", "error", "many.mlir"), report
    assert report["rendered"].startswith(f"many.mlir:{report['line']}:{report['column']}: error[DTC0104]: "), report
assert [report["line"] for report in reports] == [2, 3, 4], reports
helps = [note["message"] for note in reports[1]["notes"] if note["kind"] == "help"]
assert helps == ["did you mean 'device'?"], helps
