"""The example learns, and what it learned can be used."""
import gzip
import struct
import unittest

from cluster import ROOT, ClusterTest

TRAIN_ROWS, TEST_ROWS = 1500, 297


def read_rows():
    with gzip.open(ROOT / "examples/digits/digits.csv.gz", "rt") as file:
        return [[int(field) for field in line.split(",")] for line in file]


def write_npy(path, shape, values):
    """float32, row-major, as NumPy's format 1.0 lays it out."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header = header.ljust((len(header) + 11 + 63) // 64 * 64 - 11) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(values)}f", *values))


class Digits(ClusterTest):
    def train(self):
        plan, variables = self.compile_digits(), self.folder / "variables"
        self.dtc("launch", plan, "--epochs", 20, "--save", variables)
        return plan, variables

    def test_twenty_epochs_reach_the_accuracy(self):
        plan, variables = self.train()
        summary = self.dtc("run", plan, "--load", variables, "--entry", "eval", "--json").json
        self.assertGreaterEqual(summary["metrics"]["accuracy"], 0.90)

    def test_predict_names_the_digit(self):
        plan, variables = self.train()
        rows = read_rows()
        self.assertEqual(len(rows), TRAIN_ROWS + TEST_ROWS)
        right = 0
        for *pixels, label in rows[TRAIN_ROWS:TRAIN_ROWS + 100]:
            write_npy(self.folder / "row.npy", (1, 64), pixels)
            result = self.dtc("run", plan, "--load", variables, "--entry", "predict",
                              "--feed", f"x=@{self.folder}/row.npy", "--fetch", "y=-")
            right += int(result.stdout.split()[-1].strip("[]")) == label
        self.assertGreaterEqual(right, 90)


if __name__ == "__main__":
    unittest.main()
