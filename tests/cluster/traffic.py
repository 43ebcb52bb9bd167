"""The plan says how many bytes cross; the transport counts them. They agree."""
import unittest

from cluster import ClusterTest


def bytes_per_step(plan, replicas):
    """The payload of a training step. An edge between `worker:*` and another
    task crosses once a replica; a task that sends to itself crosses nothing."""
    total = 0
    for edge in plan["edges"]:
        ends = {(edge["source"].replace("*", str(r)), edge["target"].replace("*", str(r)))
                for r in range(replicas)}
        total += edge["bytes"] * sum(source != target for source, target in ends)
    return total


class Traffic(ClusterTest):
    def test_the_transport_counts_what_the_plan_says(self):
        for cluster, replicas in (("ps=1,worker=2", 2), ("ps=2,worker=3", 3), ("ps=1,worker=1", 1)):
            with self.subTest(cluster=cluster):
                plan = self.compile_digits(cluster)
                expected = bytes_per_step(self.dtc("inspect", plan, "--json").json, replicas)
                self.assertGreater(expected, 0)
                for verb in ("run", "launch"):
                    summary = self.dtc(verb, plan, "--steps", 10, "--json").json
                    self.assertEqual(summary["bytes_per_step"], expected, verb)

    def test_bf16_on_the_wire_halves_it(self):  # G7: all that crosses here is f32
        for cluster in ("ps=1,worker=2", "ps=2,worker=3"):
            whole, narrow = (self.compile_digits(cluster, flags=[f"--wire-type={wire}"]) for wire in ("f32", "bf16"))
            for verb in ("run", "launch"):
                expected, actual = (self.dtc(verb, plan, "--steps", 10, "--json").json["bytes_per_step"]
                                    for plan in (whole, narrow))
                self.assertEqual(2 * actual, expected, (cluster, verb))

    def test_inspect_names_every_task_and_edge(self):
        plan = self.dtc("inspect", self.compile_digits(), "--json").json
        self.assertEqual([task["task"] for task in plan["tasks"]], ["ps:0", "worker:0", "worker:1"])
        for edge in plan["edges"]:
            self.assertTrue(edge["tensor"] and edge["source"] and edge["target"] and edge["bytes"])
            self.assertTrue(edge["reason"], edge)


if __name__ == "__main__":
    unittest.main()
