"""Runs dtc and its tasks as processes. Every wait is bounded, and a test that
leaves a process behind fails.

The build's programs are found through DTC_PROGRAMS (ctest sets it). A test
subclasses ClusterTest; it owns a folder of its own, and a mark in the
environment by which all descendants are found, however they were started.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
DTC = pathlib.Path(os.environ.get("DTC_PROGRAMS", ROOT / "build/release/bin")) / "dtc"
DIGITS = ROOT / "examples/digits/digits.mlir"

SUCCESS, PEER_LOST = 0, 200


class Result:
    """What a finished process said."""

    def __init__(self, code, stdout, stderr, seconds):
        self.code, self.stdout, self.stderr, self.seconds = code, stdout, stderr, seconds

    @property
    def json(self):
        return json.loads(self.stdout)

    @property
    def own_errors(self):
        """stderr without the tasks' prefixed logs: what launch itself says."""
        return [line for line in self.stderr.splitlines() if line and not line.startswith("[")]

    def __str__(self):
        return f"exit {self.code} after {self.seconds:.1f} s\n{self.stdout}\n{self.stderr}"


class Process:
    """A dtc that runs beside the test. Output goes to files, so no pipe fills."""

    def __init__(self, arguments, environment, folder):
        self.began = time.monotonic()
        self.output = tempfile.TemporaryFile("w+", dir=folder)
        self.errors = tempfile.TemporaryFile("w+", dir=folder)
        self.child = subprocess.Popen(
            [str(DTC), *map(str, arguments)], cwd=ROOT, env=environment,
            stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.errors)

    def wait(self, seconds=60):
        """Waits for the end. A process that does not end fails the test."""
        try:
            code = self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            raise AssertionError(f"still runs after {seconds} s: {self.child.args}\n{self.said()}")
        return Result(code, self._read(self.output), self.said(), time.monotonic() - self.began)

    def said(self):
        return self._read(self.errors)

    def wait_for(self, pattern, seconds=20):
        """Waits until stderr holds `pattern`; returns the match."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            has_ended = self.child.poll() is not None  # before the look: its last words count
            match = re.search(pattern, self.said())
            if match:
                return match
            if has_ended:
                break
            time.sleep(0.02)
        raise AssertionError(f"'{pattern}' was never said:\n{self.said()}")

    def close(self):
        self.output.close()
        self.errors.close()

    @staticmethod
    def _read(file):
        # Through the descriptor: the child writes at an offset of its own.
        return os.pread(file.fileno(), 1 << 24, 0).decode()


class ClusterTest(unittest.TestCase):
    longMessage = True

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dtc-cluster-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.mark = str(uuid.uuid4())
        self.addCleanup(self._end_all)

    def _environment(self, extra=None):
        environment = {k: v for k, v in os.environ.items() if k != "TF_CONFIG"}
        return {**environment, "DTC_TEST_MARK": self.mark, **(extra or {})}

    def start(self, *arguments, environment=None):
        process = Process(arguments, self._environment(environment), self.folder)
        self.addCleanup(process.close)
        return process

    def dtc(self, *arguments, code=SUCCESS, environment=None, seconds=60):
        """Runs dtc to its end and checks the exit code."""
        result = self.start(*arguments, environment=environment).wait(seconds)
        self.assertEqual(result.code, code, f"dtc {' '.join(map(str, arguments))}\n{result}")
        return result

    def compile_digits(self, cluster="ps=1,worker=2", mode="between-graph", flags=()):
        plan = self.folder / f"{mode}-{cluster}{''.join(flags)}.plan"
        where = ["--cluster", cluster] if cluster else []
        self.dtc("compile", DIGITS, *where, "--mode", mode, *flags, "-o", plan)
        return plan

    def start_tasks(self, plan, jobs, options=(), chief_options=(), absent=()):
        """Starts `dtc worker` for each task of {"ps": 1, "worker": 2} with a
        TF_CONFIG of its own, but for those that are `absent`."""
        ports = iter(free_ports(sum(jobs.values())))
        cluster = {job: [f"127.0.0.1:{next(ports)}" for _ in range(n)] for job, n in jobs.items()}
        processes = {}
        for job, addresses in cluster.items():
            for index in range(len(addresses)):
                task = f"{job}:{index}"
                if task in absent:
                    continue
                config = {"cluster": cluster, "task": {"type": job, "index": index}}
                more = chief_options if task == "worker:0" else ()
                processes[task] = self.start("worker", plan, *options, *more,
                                             environment={"TF_CONFIG": json.dumps(config)})
        return processes

    def assert_nobody_left(self, seconds=5):
        """No process that this test started, or that those started, is alive."""
        end = time.monotonic() + seconds
        while self._descendants() and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(self._descendants(), [], "processes left behind")

    def _descendants(self):
        mark = f"DTC_TEST_MARK={self.mark}".encode()
        return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
                if mark in _environment_of(pid)]

    def _end_all(self):
        for pid in self._descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def free_ports(count):
    """Ports that nobody listens on. All are held until the last is found."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def _environment_of(pid):
    # A zombie has no environment, and so counts as gone.
    try:
        return pathlib.Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""
