"""Makes ratings.csv.gz: 6,000 ratings of 100 items by 200 users, from a model
with three hidden tastes. A row is user, item, rating (1 to 5).

    python3 examples/recommender/make_ratings.py
"""
import gzip
import pathlib
import random

USERS, ITEMS, TASTES, ROWS = 200, 100, 3, 6000


def main():
    draw = random.Random(3)

    def tastes(count):
        return [[draw.gauss(0, 0.8) for _ in range(TASTES)] for _ in range(count)]

    users, items = tastes(USERS), tastes(ITEMS)
    pairs = draw.sample([(u, i) for u in range(USERS) for i in range(ITEMS)], ROWS)
    lines = []
    for user, item in pairs:
        match = sum(a * b for a, b in zip(users[user], items[item]))
        rating = min(5, max(1, round(3 + match + draw.gauss(0, 0.2))))
        lines.append(f"{user},{item},{rating}\n")
    path = pathlib.Path(__file__).with_name("ratings.csv.gz")
    path.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main()
