"""Measures dtc from outside: bench.py --bin FOLDER [--quick] [--seed N] [NAME...]

One JSON object a line: name, value, unit, and where there is a bar, bar and ok.
A benchmark is a function of `Bench` below, named as it is called; its first
sentence says what it measures; it returns one measure, or a list of them. Exit 3 when a bar was missed.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import placements
import scale

ROOT = pathlib.Path(__file__).resolve().parents[1]
DIGITS = "examples/digits/digits.mlir"


class Bench:
    def __init__(self, programs, folder, quick, seed):
        self.dtc_path = str(pathlib.Path(programs).resolve() / "dtc")
        self.folder, self.quick, self.seed = folder, quick, seed

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

    def partition_scale(self):
        """Whole compilations (placed, partitioned, proven) without generated kernels, by ops, workers and devices."""
        small, large = (1_000, 2_000) if self.quick else (10_000, 100_000)
        graphs = {ops: self._scaled(ops) for ops in (small, large)}
        stages = {workers: self._scaled(small, workers) for workers in (2, 64)}
        between = ["--mode", "between-graph", "--cluster"]
        cases = {"ops": [graphs[small], *between, "ps=1,worker=2"],
                 "many workers": [graphs[small], *between, "ps=1,worker=1000"],
                 "2 devices": [stages[2], "--mode", "in-graph", "--cluster", "ps=1,worker=2"],
                 "64 devices": [stages[64], "--mode", "in-graph", "--cluster", "ps=1,worker=64"]}
        times = self._interleaved(cases, 1 if self.quick else 5)
        times |= self._interleaved({"many ops": [graphs[large], *between, "ps=1,worker=2"]}, 1 if self.quick else 3)
        sizes = [self._plan_bytes(DIGITS, *between, f"ps=1,worker={workers}") for workers in (2, 1000)]
        return [{"case": f"{small} ops", "value": round(times["ops"] * 1000), "unit": "ms", "bar": 500},
                {"case": f"{large} ops", "value": round(times["many ops"] * 1000), "unit": "ms", "bar": 5000},
                {"case": "plan for 1,000 workers, more than for 2", "value": round((sizes[1] - sizes[0]) / 1024, 1),
                 "unit": "KiB", "bar": 64},
                {"case": "1,000 workers against 2", "value": round(times["many workers"] / times["ops"], 2),
                 "unit": "ratio", "bar": 1.2},
                {"case": "in-graph, 64 devices against 2", "value": round(times["64 devices"] / times["2 devices"], 2),
                 "unit": "ratio", "bar": 3}]

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

    def prediction(self):
        """Step time, bytes and arenas as predicted against as measured, over placements drawn by a seed."""
        print(f"prediction: seed {self.seed}", file=sys.stderr)
        drawn = self._placements(random.Random(self.seed), 4 if self.quick else 24)
        # In rounds, so that what others do on the machine meets all alike.
        rounds = [[self._predicted(placement) for placement in drawn] for _ in range(1 if self.quick else 5)]
        steps, inexact = [], 0
        for placement, results in zip(drawn, zip(*rounds)):
            predicted, measured = (statistics.median(result["step_ms"][which] for result in results)
                                   for which in ("predicted", "measured"))
            steps.append((predicted, measured))
            inexact += any(not self._is_exact(result) for result in results)
            print(f"{placement['name']}: {predicted:.3f} ms predicted, {measured:.3f} ms measured", file=sys.stderr)
        error = statistics.median(abs(predicted - measured) / measured for predicted, measured in steps)
        tau = placements.kendall_tau(steps)
        return [{"case": f"Kendall's tau, {len(drawn)} placements", "value": round(tau, 3), "unit": "tau", "bar": 0.8,
                 "ok": tau >= 0.8, "seed": self.seed},
                {"case": "median error of the step time", "value": round(error, 3), "unit": "ratio"},
                {"case": "placements whose bytes or arenas are not exact", "value": inexact, "unit": "placements",
                 "bar": 0}]

    def _placements(self, generator, count):
        """Different placements that compile (a device may be one that an op cannot have), with their plans."""
        drawn, names = [], set()
        for number in range(10 * count):
            if len(drawn) == count:
                break
            placement = placements.draw(generator, self.folder, number)
            if placement["name"] in names:
                continue
            names.add(placement["name"])
            placement["plan"] = os.path.join(self.folder, f"placed{number}.plan")
            compiled = subprocess.run([self.dtc_path, "compile", placement["graph"], *placement["flags"],
                                       "-o", placement["plan"]], cwd=ROOT, capture_output=True, check=False)
            if compiled.returncode == 0:
                drawn.append(placement)
        return drawn

    def _predicted(self, placement):
        steps = 5 if self.quick else 60
        return json.loads(self._dtc(placement["verb"], placement["plan"], "--steps", str(steps), "--predict",
                                    "--json"))["prediction"]

    @staticmethod
    def _is_exact(result):
        pairs = [result["bytes_per_step"]]
        for task in result["tasks"]:
            pairs += [task["bytes_sent"], task["arena_bytes"]]
        return all(pair["predicted"] == pair["measured"] for pair in pairs)

    def _mutation(self, *arguments):
        """The lines of dtc_mutation, which says on stderr which seed it drew."""
        program = str(pathlib.Path(self.dtc_path).with_name("dtc_mutation"))
        done = subprocess.run([program, *arguments], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                              timeout=1800, check=False)
        if done.returncode not in (0, 3):
            sys.exit(f"dtc_mutation {' '.join(arguments)}: exit {done.returncode}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def _scaled(self, ops, workers=0):
        path = os.path.join(self.folder, f"scale{ops}-{workers}.mlir")
        scale.write_graph(path, ops, workers)
        return path

    def _interleaved(self, cases, rounds):
        """Median seconds of compilations, case by case in rounds, so that noise meets all alike."""
        seconds = {case: [] for case in cases}
        for number in range(rounds + 1):
            for case, arguments in cases.items():
                took, _ = self._measure("compile", *arguments, "--target", "reference",
                                        "-o", os.path.join(self.folder, "scale.plan"))
                if number > 0 or rounds == 1:  # the first reads from the disk
                    seconds[case].append(took)
        return {case: statistics.median(took) for case, took in seconds.items()}

    def _plan_bytes(self, *arguments):
        plan = os.path.join(self.folder, "size.plan")
        self._dtc("compile", *arguments, "-o", plan)
        return os.path.getsize(plan)

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
    parser.add_argument("--seed", type=int, help="of what is drawn (default: a fresh one)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in names]
    if unknown:
        parser.error(f"there is no benchmark '{unknown[0]}'; there are {', '.join(names)}")

    all_ok = True
    with tempfile.TemporaryDirectory(prefix="dtc-bench-") as folder:
        seed = random.SystemRandom().randrange(2**32) if arguments.seed is None else arguments.seed
        bench = Bench(arguments.bin, folder, arguments.quick, seed)
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
