"""Update async: workers at their own pace, pushes that are whole and counted."""
import os
import signal
import time
import unittest

from cluster import PEER_LOST, ROOT, ClusterTest

EXAMPLES = ROOT / "examples"
GRAPHS = [EXAMPLES / "convnet/convnet.mlir", EXAMPLES / "digits/digits.mlir",
          EXAMPLES / "in_graph_vs_between_graph/graph.mlir", EXAMPLES / "recommender/recommender.mlir",
          EXAMPLES / "sync_vs_async/graph.mlir", EXAMPLES / "transformer/transformer.mlir"]
STARTED = r"started {} \(pid (\d+), [\d.]+:\d+\)"


class AsyncUpdates(ClusterTest):
    def compile(self, graph, cluster="ps=1,worker=2", update="async"):
        plan = self.folder / f"{graph.stem}-{cluster}-{update}.plan"
        self.dtc("compile", graph, "--cluster", cluster, "--update", update, "-o", plan)
        return plan

    def trained(self, plan, epochs, verb="launch"):
        """What @eval says after training."""
        variables = self.folder / f"{plan.stem}-variables"
        summary = self.dtc(verb, plan, "--epochs", epochs, "--save", variables, "--json").json
        metrics = self.dtc("run", plan, "--load", variables, "--entry", "eval", "--json").json["metrics"]
        return summary, metrics

    def test_digits_reach_the_accuracy_of_sync(self):
        # Plain gradient descent: old gradients and a momentum of 0.9 diverge.
        summary, metrics = self.trained(self.compile(GRAPHS[4]), 20)
        self.assertGreaterEqual(metrics["accuracy"], 0.88)
        self.assertGreaterEqual(summary["staleness"]["max"], summary["staleness"]["mean"])
        self.assert_nobody_left()

    def test_the_recommender_reaches_the_loss_of_sync(self):
        _, metrics = self.trained(self.compile(GRAPHS[3], "ps=2,worker=2"), 15)
        self.assertLessEqual(metrics["loss"], 0.45)

    def test_every_example_replayed_has_the_bits_of_one_device(self):
        for graph in GRAPHS:
            for cluster in ("ps=1,worker=2", "ps=2,worker=3"):
                with self.subTest(graph=graph.stem, cluster=cluster):
                    verdict = self.dtc("verify", self.compile(graph, cluster), "--json", seconds=240).json
                    self.assertTrue(verdict["equal"], verdict)

    # A3, T40: 8 workers times 1,000 steps.
    def test_every_push_counts_once(self):
        plan, variables = self.compile(ROOT / "tests/cluster/graphs/counter.mlir", "ps=1,worker=8"), self.folder / "v"
        for verb in ("run", "launch"):
            self.dtc(verb, plan, "--steps", 1000, "--save", variables)
            shown = self.dtc("run", plan, "--load", variables, "--entry", "show", "--json").json
            self.assertEqual(shown["fetches"]["count"], 8000, verb)

    def test_run_launch_and_workers_by_hand_count_alike(self):
        plan, steps = self.compile(EXAMPLES / "sync_vs_async/graph.mlir", "ps=2,worker=3"), 100
        saved = {way: self.folder / way for way in ("run", "launch", "hand")}
        for verb in ("run", "launch"):
            self.dtc(verb, plan, "--steps", steps, "--save", saved[verb])
        tasks = self.start_tasks(plan, {"ps": 2, "worker": 3},
                                 chief_options=["--steps", steps, "--save", saved["hand"]])
        for task, process in tasks.items():
            self.assertEqual(process.wait().code, 0, task)
        for way, folder in saved.items():
            metrics = self.dtc("run", plan, "--load", folder, "--entry", "eval", "--json").json["metrics"]
            self.assertEqual(metrics["global_step"], 3 * steps, way)
        self.assert_nobody_left()

    def test_the_example_learns_with_both_updates(self):
        graph = EXAMPLES / "sync_vs_async/graph.mlir"
        steps = 20 * 20  # 1,500 rows are 20 steps of 3 workers with 25 rows each
        for update, count in (("sync", steps), ("async", 3 * steps)):
            with self.subTest(update=update):
                plan = self.folder / f"{update}.plan"
                self.dtc("compile", graph, "--cluster", graph.with_name("cluster.json"),
                         "--update", update, "-o", plan)
                _, metrics = self.trained(plan, 20)
                self.assertGreaterEqual(metrics["accuracy"], 0.85)
                self.assertEqual(metrics["global_step"], count)

    def test_a_slow_worker_slows_only_itself(self):
        launch = self.start("launch", self.compile(GRAPHS[1]), "--steps", 3000, "--json")
        slow = int(launch.wait_for(STARTED.format("worker:1"))[1])
        time.sleep(1)  # until the cluster has formed
        end = time.monotonic() + 40
        while "step 3000/3000" not in launch.said() and time.monotonic() < end:
            os.kill(slow, signal.SIGSTOP)  # shorter than what counts as lost
            time.sleep(0.3)
            os.kill(slow, signal.SIGCONT)
            time.sleep(0.02)
        result = launch.wait()
        self.assertEqual(result.code, 0, result)
        self.assertIn("step 3000/3000", result.stderr)
        # While it was stopped between a read and its push, the other one pushed.
        self.assertGreater(result.json["staleness"]["max"], 20)
        self.assert_nobody_left()

    def test_a_killed_task_ends_all_and_is_named(self):
        for graph in (GRAPHS[1], ROOT / "tests/cluster/graphs/entangled.mlir"):
            for task in ("ps:0", "worker:1"):
                with self.subTest(graph=graph.stem, task=task):
                    launch = self.start("launch", self.compile(graph, "ps=2,worker=2"), "--epochs", 1000000)
                    pid = int(launch.wait_for(STARTED.format(task))[1])
                    time.sleep(1.5)
                    os.kill(pid, signal.SIGKILL)
                    result = launch.wait(5)
                    self.assertEqual(result.code, PEER_LOST, result)
                    self.assertIn(f"lost {task}", "\n".join(result.own_errors))
                    self.assert_nobody_left(seconds=0)

    def test_traffic_is_what_the_plan_says(self):
        plan = self.compile(ROOT / "tests/cluster/graphs/entangled.mlir", "ps=2,worker=3")
        promised = self.dtc("inspect", plan, "--json").json["bytes_per_step"]
        for verb in ("run", "launch"):
            self.assertEqual(self.dtc(verb, plan, "--steps", 20, "--json").json["bytes_per_step"], promised)


if __name__ == "__main__":
    unittest.main()
