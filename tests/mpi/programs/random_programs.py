"""Random programs by processes do what plain Python does, with derivatives: seeds from ``FIRST``
on, ``COUNT`` of them. On four processes the mesh has two axes.

Each process runs plain Python for all parts by itself, and compares its own results.
"""

import sys
from collections import Counter

import autograph as ag
from tests.fuzz.spmd.comparison import case_of, compare
from tests.fuzz.spmd.programs import written

first, count = (int(text) for text in (*sys.argv[1:], "0", "6")[:2])
size = ag.Mesh.processes(data=-1).size
shapes = [{"data": size}]
if size == 4:
    shapes.append({"data": 2, "model": 2})
ends: Counter = Counter()
for shape in shapes:
    mesh = ag.Mesh.processes(**shape)
    for seed in range(first, first + count):
        program = written(seed, tuple(shape))
        try:
            found = compare(case_of(program, shape), mesh, 2 if seed % 3 == 0 else 1)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error}\n\n{program.text}") from error
        ends += found
        if not any(mesh.place.values()):
            print("done", seed, [*shape], dict(found), flush=True)
if not any(mesh.place.values()):
    print("all", dict(ends), flush=True)
assert ends["same values"], ends
