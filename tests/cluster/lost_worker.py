"""A lost task ends the run: soon, with exit 200, and by its name."""
import os
import signal
import time
import unittest

from cluster import PEER_LOST, ClusterTest

BOUND_SECONDS = 5
FOR_EVER = ["--epochs", "1000000"]
STARTED = r"started {} \(pid (\d+), [\d.]+:\d+\)"
TASKS = ("ps:0", "worker:0", "worker:1")


class LostWorker(ClusterTest):
    def launch_for_ever(self):
        """Returns the launcher and the pid of each task, once all have started."""
        launch = self.start("launch", self.compile_digits(), *FOR_EVER)
        pids = {task: int(launch.wait_for(STARTED.format(task))[1]) for task in TASKS}
        return launch, pids

    def assert_names(self, result, task):
        sentences = [line for line in result.own_errors
                     if task in line and not line.startswith("started")]
        self.assertEqual(len(sentences), 1, f"one sentence names {task}: {result}")
        for other in TASKS:
            if other != task:
                self.assertFalse([line for line in result.own_errors
                                  if f"lost {other}" in line], f"{other} is only a consequence")

    def test_a_killed_task_ends_all_and_is_named(self):
        for task in TASKS:
            for after_seconds in (0, 1):  # while the cluster forms; in the midst of training
                with self.subTest(task=task, after_seconds=after_seconds):
                    launch, pids = self.launch_for_ever()
                    time.sleep(after_seconds)
                    os.kill(pids[task], signal.SIGKILL)
                    result = launch.wait(BOUND_SECONDS)
                    self.assertEqual(result.code, PEER_LOST, result)
                    self.assert_names(result, task)
                    self.assert_nobody_left(seconds=0)

    def test_a_task_that_never_starts_is_named(self):
        for absent in TASKS:
            with self.subTest(absent=absent):
                tasks = self.start_tasks(self.compile_digits(), {"ps": 1, "worker": 2},
                                         ["--timeout", 3], absent=[absent])
                for task, process in tasks.items():
                    result = process.wait(3 + BOUND_SECONDS)
                    self.assertEqual(result.code, PEER_LOST, f"{task}: {result}")
                    self.assertIn(absent, result.stderr, f"{task} does not say whom it missed")
                self.assert_nobody_left()

    def test_workers_by_hand_notice_a_lost_peer(self):
        tasks = self.start_tasks(self.compile_digits(), {"ps": 1, "worker": 2}, ["--timeout", 10],
                                 chief_options=FOR_EVER)
        time.sleep(1.5)
        lost = tasks.pop("worker:1")
        lost.child.kill()
        lost.wait()
        for task, process in tasks.items():
            result = process.wait(BOUND_SECONDS)
            self.assertEqual(result.code, PEER_LOST, f"{task}: {result}")
            self.assertIn("worker:1", result.stderr)
        self.assert_nobody_left()

    def test_a_stopped_launch_leaves_nobody(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(signal=number.name):
                launch, _ = self.launch_for_ever()
                launch.child.send_signal(number)
                self.assertEqual(launch.wait(BOUND_SECONDS).code, code)
                self.assert_nobody_left(seconds=0)

    def test_a_killed_launch_leaves_nobody(self):
        launch, _ = self.launch_for_ever()
        launch.child.kill()
        launch.wait(BOUND_SECONDS)
        self.assert_nobody_left()


if __name__ == "__main__":
    unittest.main()
