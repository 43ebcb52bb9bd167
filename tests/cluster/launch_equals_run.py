"""The same plan gives the same bits, whoever starts its tasks."""
import unittest

from cluster import ClusterTest

STEPS = 100


class LaunchEqualsRun(ClusterTest):
    def result(self, summary):
        self.assertEqual(summary["steps"], STEPS)
        return summary["metrics"]["loss"], summary["variables_sha256"]

    def run_in_one_process(self, plan, threads=1):
        return self.result(self.dtc("run", plan, "--steps", STEPS, "--threads", threads, "--json").json)

    def launch(self, plan, threads=1):
        return self.result(self.dtc("launch", plan, "--steps", STEPS, "--threads", threads, "--json").json)

    def start_by_hand(self, plan, jobs, threads=1):
        """Returns the chief's result, after every task has ended well."""
        tasks = self.start_tasks(plan, jobs, ["--threads", threads],
                                 chief_options=["--steps", STEPS, "--json"])
        results = {task: process.wait() for task, process in tasks.items()}
        for task, result in results.items():
            self.assertEqual(result.code, 0, f"{task}: {result}")
        return self.result(results["worker:0"].json)

    def test_run_launch_and_workers_by_hand_agree(self):
        plan = self.compile_digits()
        expected = self.run_in_one_process(plan)
        for threads in (1, 2):
            with self.subTest(threads=threads):
                self.assertEqual(self.run_in_one_process(plan, threads), expected)
                self.assertEqual(self.launch(plan, threads), expected)
                self.assertEqual(self.start_by_hand(plan, {"ps": 1, "worker": 2}, threads), expected)
        self.assert_nobody_left()

    def test_rounding_on_the_wire_is_the_same_in_processes(self):  # G7
        narrow = self.compile_digits(flags=["--wire-type=bf16"])
        rounded = self.run_in_one_process(narrow)
        self.assertEqual(self.launch(narrow), rounded)
        self.assertEqual(self.start_by_hand(narrow, {"ps": 1, "worker": 2}), rounded)
        self.assertNotEqual(self.run_in_one_process(self.compile_digits()), rounded)
        self.assert_nobody_left()

    def test_two_parameter_servers_give_the_bits_of_one(self):
        one, two = self.compile_digits("ps=1,worker=2"), self.compile_digits("ps=2,worker=2")
        self.assertEqual(self.launch(two), self.run_in_one_process(one))
        self.assert_nobody_left()

    def test_one_worker_gives_the_bits_of_local(self):
        one, local = self.compile_digits("ps=1,worker=1"), self.compile_digits(None, "local")
        self.assertEqual(self.run_in_one_process(one), self.run_in_one_process(local))

    def test_the_seed_decides_the_result(self):
        plan = self.compile_digits()
        first = self.dtc("run", plan, "--steps", STEPS, "--seed", 1, "--json").json
        again = self.dtc("run", plan, "--steps", STEPS, "--seed", 1, "--json").json
        other = self.dtc("run", plan, "--steps", STEPS, "--seed", 2, "--json").json
        self.assertEqual(first["variables_sha256"], again["variables_sha256"])
        self.assertNotEqual(first["variables_sha256"], other["variables_sha256"])


if __name__ == "__main__":
    unittest.main()
