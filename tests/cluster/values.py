"""Values do not depend on the partition: every example, in each mode, on any number of tasks, whole and in parts.

Verifies a sample of the plans; DTC_VALUES=all verifies every one.
"""
import itertools
import os
import unittest

from cluster import ROOT, ClusterTest

EXAMPLES = ["convnet/convnet", "digits/digits", "in_graph_vs_between_graph/graph", "recommender/recommender",
            "sync_vs_async/graph", "transformer/transformer"]
ASKS_FOR_WORKER_1 = "in_graph_vs_between_graph/graph"
WORKERS = [1, 2, 3, 5, 8]
SERVERS = [1, 2, 3, 4]
SHARDS = [[], ["--max-shard-bytes", "1KiB"]]
SAMPLE = 29  # one case in as many


def between(workers, servers):
    return ["--cluster", f"ps={servers},worker={workers}", "--mode", "between-graph"]


def in_graph(workers, servers):
    cluster = f"worker={workers}" if servers == 0 else f"ps={servers},worker={workers}"
    return ["--cluster", cluster, "--mode", "in-graph", "--replicas", str(workers)]


def settings():
    for workers, servers, shards in itertools.product(WORKERS, SERVERS, SHARDS):
        yield [*between(workers, servers), *shards]
    for workers, servers in itertools.product(WORKERS, [0, 2]):
        yield [*in_graph(workers, servers), *(SHARDS[1] if servers else [])]
    for workers, servers in itertools.product(WORKERS[1:], SERVERS[:2]):
        yield [*between(workers, servers), *SHARDS[1], "--update", "async"]
    yield ["--mode", "local"]


class Values(ClusterTest):
    def compile(self, example, flags):
        plan = self.folder / "values.plan"
        self.dtc("compile", ROOT / f"examples/{example}.mlir", *flags, "-o", plan, seconds=120)
        return plan

    def test_every_partition_has_the_bits_of_one_device(self):
        cases = [(flags, example) for flags, example in itertools.product(settings(), EXAMPLES)
                 if not (example == ASKS_FOR_WORKER_1 and any(flag.endswith("worker=1") for flag in flags))]
        step = 1 if os.environ.get("DTC_VALUES") == "all" else SAMPLE
        for flags, example in cases[::step]:
            with self.subTest(example=example, flags=flags):
                verdict = self.dtc("verify", self.compile(example, flags), "--json", seconds=240).json
                self.assertTrue(verdict["equal"], verdict)

    # The digest is over whole variables: however they are placed and split.
    def test_digests_do_not_know_servers_and_parts(self):
        for example in ("digits/digits", "recommender/recommender"):
            digests = set()
            for servers, shards in itertools.product(SERVERS, SHARDS):
                for placement in ("greedy", "round-robin"):
                    plan = self.compile(example, [*between(2, servers), *shards, "--placement", placement])
                    digests.add(self.dtc("run", plan, "--steps", 5, "--json").json["variables_sha256"])
            self.assertEqual(len(digests), 1, example)


if __name__ == "__main__":
    unittest.main()
