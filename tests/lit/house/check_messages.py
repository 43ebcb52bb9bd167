"""Checks that graph errors are tested: check_messages.py REPOSITORY

Each sentence that a verifier, a shape rule or an attribute of the graph dialect
says in an error stands in a lit test or a unit test, between the parts that
change.
"""
import os
import re
import sys

RULES = ("Dialect", "GraphSource", "KnownAttributes", "Ops", "ShapeRule", "Slices", "Syntax", "Tensors", "Verifiers", "Windows",
         "MathShapes", "MoveShapes", "NeuralShapes", "NeuralGradients")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def tests(root):
    """All test text, each run of white space as one space."""
    texts = []
    for top in ("tests/lit", "dialects"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            texts += [read(os.path.join(folder, name)) for name in files
                      if name.endswith("Test.cpp") or top == "tests/lit" and not name.endswith(".py")]
    return re.sub(r"\s+", " ", " ".join(texts))


def sentences(text):
    """The literals of at least two words, adjoining ones joined, with their lines."""
    text = re.sub(r"//[^\n]*", "", text)
    for match in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
        sentence = re.sub(r'"\s*"', "", match.group())[1:-1].replace("\\\"", '"').strip(" ;:,'")
        if len(sentence) >= 8 and " " in sentence:
            yield text.count("\n", 0, match.start()) + 1, sentence


def check(root):
    tested = tests(root)
    for name in RULES:
        path = f"dialects/graph/{name}.cpp"
        if not os.path.exists(os.path.join(root, path)):
            continue
        for line, sentence in sentences(read(os.path.join(root, path))):
            if sentence not in tested:
                yield f'{path}:{line}: no test shows "{sentence}"'


if __name__ == "__main__":
    sys.exit("\n".join(check(sys.argv[1])) or 0)
