"""What differs from replica to replica, random numbers and rows of tables, has
the same bits in one process, in several, and in towers on one device."""
import unittest

from cluster import ROOT, ClusterTest

STEPS = 30
DROPOUT = ROOT / "tests/cluster/graphs/dropout.mlir"
RECOMMENDER = ROOT / "examples/recommender/recommender.mlir"
TRANSFORMER = ROOT / "examples/transformer/transformer.mlir"


class Replicas(ClusterTest):
    def compile(self, graph, name, *options):
        plan = self.folder / f"{name}.plan"
        self.dtc("compile", graph, *options, "-o", plan)
        return plan

    def variables(self, verb, plan, *options):
        summary = self.dtc(verb, plan, "--steps", STEPS, *options, "--json").json
        self.assertEqual(summary["steps"], STEPS)
        return summary["variables_sha256"]

    def expect_equal_bits(self, graph):
        between = self.compile(graph, "between", "--cluster", "ps=1,worker=2", "--mode", "between-graph")
        verdict = self.dtc("verify", between, "--json", seconds=120).json
        self.assertTrue(verdict["equal"], verdict)
        expected = self.variables("run", between)
        self.assertEqual(self.variables("run", between, "--threads", 2), expected)
        self.assertEqual(self.variables("launch", between), expected)
        wide = self.compile(graph, "wide", "--cluster", "ps=2,worker=2", "--mode", "between-graph")
        self.assertEqual(self.variables("launch", wide), expected)
        towers = self.compile(graph, "towers", "--replicas", 2)
        self.assertEqual(self.variables("run", towers), expected)
        inside = self.compile(graph, "inside", "--cluster", "ps=1,worker=2", "--mode", "in-graph", "--replicas", 2)
        self.assertEqual(self.variables("launch", inside), expected)
        self.assert_nobody_left()

    def test_dropout_draws_for_each_replica(self):
        self.expect_equal_bits(DROPOUT)

    def test_sparse_gradients(self):
        self.expect_equal_bits(RECOMMENDER)

    def test_transformer(self):
        self.expect_equal_bits(TRANSFORMER)


if __name__ == "__main__":
    unittest.main()
