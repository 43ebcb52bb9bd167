"""Draws placements of the examples, and compares orders."""
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = ("digits", "convnet", "recommender", "transformer")
# Ops of one line whose types stand after the first " : ".
PLACEABLE = re.compile(r"^\s+%.*= graph\.(matmul|batch_matmul|conv2d|bias_add|relu|add|mul|sub|gather|softmax"
                       r"|softmax_cross_entropy|transpose|square|layer_norm|max_pool) [^{]*? : ")


def draw(random, folder, number):
    """A placement: its name, the graph file, compile's flags, and run or launch.

    At most four processes: `launch` has one for each task, `run` one for all.
    """
    example = random.choice(EXAMPLES)
    graph = ROOT / f"examples/{example}/{example}.mlir"
    kind = random.choice(("local", "between", "towers", "devices"))
    tasks = random.randint(2, 4)
    if kind == "local":
        flags = []
    elif kind == "between":
        ps = random.randint(1, tasks - 1)
        flags = ["--cluster", f"ps={ps},worker={tasks - ps}", "--mode", "between-graph"]
    elif kind == "towers":
        flags = ["--cluster", f"worker={tasks}", "--mode", "in-graph", "--replicas", str(tasks)]
    else:
        ps = random.randint(0, tasks - 1)
        cluster = f"ps={ps},worker={tasks - ps}" if ps else f"worker={tasks}"
        flags = ["--cluster", cluster, "--mode", "in-graph"]
        graph = scatter(random, graph, os.path.join(folder, f"placed{number}.mlir"), tasks - ps)
    verb = random.choice(("run", "launch"))
    name = " ".join([example, kind, *flags[:2], *([f"#{number}"] if kind == "devices" else []), verb])
    return {"name": name, "graph": graph, "flags": flags, "verb": verb}


def scatter(random, graph, path, workers):
    """A copy of the graph in which runs of ops ask for workers drawn at random."""
    with open(graph, encoding="utf-8") as file:
        lines = file.readlines()
    worker = 0
    for at, line in enumerate(lines):
        if not PLACEABLE.match(line):
            continue
        if random.random() < 0.2:
            worker = random.randrange(workers)
        lines[at] = line.replace(" : ", f' {{device = "/job:worker/task:{worker}"}} : ', 1)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return path


def kendall_tau(pairs):
    """Of (predicted, measured) pairs: how far the two orders agree, -1 to 1."""
    score = total = 0
    for i, (a, b) in enumerate(pairs):
        for c, d in pairs[:i]:
            product = (a - c) * (b - d)
            score += (product > 0) - (product < 0)
            total += 1
    return score / max(total, 1)
