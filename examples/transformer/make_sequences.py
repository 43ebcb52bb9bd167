"""Makes sequences.csv.gz: 2,200 rows of six numbers from 0 to 9, and the same
six numbers sorted. The first 2,000 rows train, the rest test.

    python3 examples/transformer/make_sequences.py
"""
import gzip
import pathlib
import random

LENGTH, WORDS, ROWS = 6, 10, 2200


def main():
    draw = random.Random(5)
    rows = [[draw.randrange(WORDS) for _ in range(LENGTH)] for _ in range(ROWS)]
    lines = [",".join(map(str, row + sorted(row))) + "\n" for row in rows]
    path = pathlib.Path(__file__).with_name("sequences.csv.gz")
    path.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main()
