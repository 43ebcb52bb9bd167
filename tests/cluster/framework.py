"""The framework itself: what it promises to notice, it notices."""
import time
import unittest
from unittest import mock

import cluster


class Framework(cluster.ClusterTest):
    def test_a_process_left_behind_is_found_and_ended(self):
        with mock.patch("cluster.DTC", "/bin/sh"):
            shell = self.start("-c", "sleep 60 & echo pid $! >&2")
            shell.wait(5)
        with self.assertRaisesRegex(AssertionError, "processes left behind"):
            self.assert_nobody_left(seconds=0)
        self._end_all()
        self.assert_nobody_left()

    def test_a_process_that_does_not_end_fails_the_test(self):
        with mock.patch("cluster.DTC", "/bin/sleep"):
            with self.assertRaisesRegex(AssertionError, "still runs after"):
                self.start("60").wait(0.1)

    def test_words_that_are_never_said_fail_the_test(self):
        with mock.patch("cluster.DTC", "/bin/sh"):
            shell = self.start("-c", "echo started worker:1 >&2")
            self.assertEqual(shell.wait_for(r"started (\S+)")[1], "worker:1")
            began = time.monotonic()
            with self.assertRaisesRegex(AssertionError, "never said"):
                shell.wait_for("ended", seconds=30)
            self.assertLess(time.monotonic() - began, 5, "the process had ended long before")
            shell.wait(5)


if __name__ == "__main__":
    unittest.main()
