"""Measures dtc from outside: bench.py --bin FOLDER [--quick] [NAME...]

One JSON object a line: name, value, unit, and where there is a bar, bar and ok.
A benchmark is a function of `Bench` below, named as it is called; its first
sentence says what it measures; it returns one measure, or a list of them. Exit 3 when a bar was missed.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import scale

ROOT = pathlib.Path(__file__).resolve().parents[1]
DIGITS = "examples/digits/digits.mlir"


class Bench:
    def __init__(self, programs, folder, quick):
        self.dtc_path = str(pathlib.Path(programs).resolve() / "dtc")
        self.folder, self.quick = folder, quick

    def compile_digits(self):
        """Wall time of `dtc compile` on digits for ps=1,worker=2: median of runs."""
        self._compile()  # the first run reads the program from the disk
        seconds = []
        for _ in range(1 if self.quick else 9):
            began = time.monotonic()
            self._compile()
            seconds.append(time.monotonic() - began)
        return {"value": round(statistics.median(seconds) * 1000, 1), "unit": "ms", "bar": 2000}

    def step_digits(self):
        """A synchronous training step of ps=1,worker=2 in one process: median."""
        plan = self._compile()
        steps = 10 if self.quick else 1000
        summary = json.loads(self._dtc("run", plan, "--steps", str(steps), "--json"))
        return {"value": summary["step_ms"]["p50"], "unit": "ms"}

    def graph_scale(self):
        """`dtc compile --to=rewrite` of trained graphs of 10,000 and 100,000 ops."""
        sizes = (1_000, 2_000) if self.quick else (10_000, 100_000)
        seconds, peak_mib = [], 0
        for ops in sizes:
            graph = os.path.join(self.folder, f"scale{ops}.mlir")
            scale.write_graph(graph, ops)
            self._dtc("compile", graph, "--to=rewrite", "-o", os.devnull)  # from the disk
            runs = [self._measure("compile", graph, "--to=rewrite", "-o", os.devnull)
                    for _ in range(1 if self.quick else 3)]
            seconds.append(statistics.median(run[0] for run in runs))
            peak_mib = max(run[1] for run in runs)
        growth = (seconds[1] / sizes[1]) / (seconds[0] / sizes[0])
        return [{"case": f"{sizes[0]} ops", "value": round(seconds[0] * 1000), "unit": "ms", "bar": 500},
                {"case": f"{sizes[1]} ops", "value": round(seconds[1] * 1000), "unit": "ms", "bar": 5000},
                {"case": "peak", "value": round(peak_mib), "unit": "MiB", "bar": 2048},
                {"case": "growth of time per op", "value": round(growth, 2), "unit": "ratio", "bar": 1.5}]

    def mutation_score(self):
        """Share of faulty plans that the proof or `dtc verify` catches, by kind; alarms on correct ones."""
        arguments = ["--per-kind", "2" if self.quick else "50"]
        kinds = self._mutation(*arguments)
        measures = [{"case": kind["kind"], "value": round(kind["score"], 1), "unit": "%", "bar": 99,
                     "ok": kind["score"] >= 99, "drawn": kind["drawn"], "equivalent": kind["equivalent"],
                     "caught": kind["caught"]} for kind in kinds]
        if not self.quick:
            alarms = self._mutation("--alarms")[0]
            measures.append({"case": "false alarms", "value": alarms["alarms"], "unit": "plans", "bar": 0,
                             "plans": alarms["plans"]})
        return measures

    def _mutation(self, *arguments):
        """The lines of dtc_mutation, which says on stderr which seed it drew."""
        program = str(pathlib.Path(self.dtc_path).with_name("dtc_mutation"))
        done = subprocess.run([program, *arguments], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                              timeout=1800, check=False)
        if done.returncode not in (0, 3):
            sys.exit(f"dtc_mutation {' '.join(arguments)}: exit {done.returncode}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def _measure(self, *arguments):
        """Seconds of a run of dtc, and the most memory that it held, in MiB."""
        began = time.monotonic()
        with subprocess.Popen([self.dtc_path, *arguments], cwd=ROOT) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"dtc {' '.join(arguments)}: exit {process.returncode}")
        return time.monotonic() - began, usage.ru_maxrss / 1024

    def _compile(self):
        plan = os.path.join(self.folder, "digits.plan")
        self._dtc("compile", DIGITS, "--cluster", "ps=1,worker=2", "--mode", "between-graph", "-o", plan)
        return plan

    def _dtc(self, *arguments):
        done = subprocess.run([self.dtc_path, *arguments], cwd=ROOT, text=True,
                              capture_output=True, timeout=600, check=False)
        if done.returncode != 0:
            sys.exit(f"dtc {' '.join(arguments)}: exit {done.returncode}\n{done.stderr}")
        return done.stdout


def main():
    names = [name for name in vars(Bench) if not name.startswith("_")]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="the folder that dtc lies in")
    parser.add_argument("--quick", action="store_true", help="only see that it runs: no bars")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in names]
    if unknown:
        parser.error(f"there is no benchmark '{unknown[0]}'; there are {', '.join(names)}")

    all_ok = True
    with tempfile.TemporaryDirectory(prefix="dtc-bench-") as folder:
        bench = Bench(arguments.bin, folder, arguments.quick)
        for name in arguments.names or names:
            measures = getattr(bench, name)()
            for measure in measures if isinstance(measures, list) else [measures]:
                measured = {"name": name, **measure}
                if "bar" in measured and not arguments.quick:
                    measured.setdefault("ok", measured["value"] <= measured["bar"])
                    all_ok &= measured["ok"]
                print(json.dumps(measured), flush=True)
    return 0 if all_ok else 3


if __name__ == "__main__":
    sys.exit(main())
