"""Every example declared in code prints the file that is committed, and learns."""
import subprocess
import unittest

from cluster import DTC, ROOT, ClusterTest


class Examples(ClusterTest):
    def expect_learns(self, name, epochs, metric, worst=None, best=None):
        """Trains `name`, and compares a metric of @eval with a bound."""
        text = subprocess.run([str(DTC.with_name(f"{name}_model"))], capture_output=True, text=True,
                              check=True, timeout=60).stdout
        path = ROOT / "examples" / name / f"{name}.mlir"
        self.assertEqual(text, path.read_text(), f"print {name}_model into {path} again")
        plan, variables = self.folder / f"{name}.plan", self.folder / name
        self.dtc("compile", path, "-o", plan)
        self.dtc("run", plan, "--epochs", epochs, "--save", variables)
        summary = self.dtc("run", plan, "--load", variables, "--entry", "eval", "--json").json
        value = summary["metrics"][metric]
        if worst is not None:
            self.assertLessEqual(value, worst)
        if best is not None:
            self.assertGreaterEqual(value, best)
        return value

    def test_convnet(self):
        self.expect_learns("convnet", 6, "accuracy", best=0.93)

    def test_recommender(self):
        self.expect_learns("recommender", 15, "loss", worst=0.45)

    def test_transformer(self):
        self.expect_learns("transformer", 10, "loss", worst=0.5)


if __name__ == "__main__":
    unittest.main()
