"""Recordings for lists of numbers that are arrays, lists that only grow and lists of lists in heaps
are on disk: a second process finds them, and what it computes and changes is the same."""

from tests.support.processes import LISTENING, file_of, printed, with_cache

# For each case a function, and its arguments for a length.
CASES = {
    "mean": ("def f(u):\n    return sum(u) / max(len(u), 1)", "(numbers(n),)"),
    "doubled": ("def f(u):\n    return [2 * x for x in u]", "(numbers(n),)"),
    "doubles": (
        "def f(u):\n    t = 0.0\n    for x in u: t += x * x\n    return t, u[-1:]",
        "([np.float64(x) for x in numbers(n)],)",
    ),
    "ints": (
        "def f(u):\n    found = 0\n    for k, x in enumerate(u):\n"
        "        if x > 3: found += k\n    return found, u[1:]",
        "([(7 * k) % 11 for k in range(n)],)",
    ),
    "samples": (
        "def f(samples, w):\n    t = 0.0\n    for x, y in samples: t += (w * x - y) ** 2\n"
        "    return t",
        "([(x, k) for k, x in enumerate(numbers(n))], 2.0)",
    ),
    "gradient": (
        "def loss(u):\n    t = 0.0\n    for x in u: t += x ** 3\n    return t\n"
        "def f(u):\n    return ag.value_and_grad(loss)(u)",
        "(numbers(n + 1),)",
    ),
    "scaled": (
        "def f(u):\n    for k in range(len(u)): u[k] = 2 * u[k]",
        "(numbers(n),)",
    ),
    "history": (
        "def f(history, x):\n    history.append(x)\n    history.append(2 * x)\n    return x",
        "(numbers(n), 0.5)",
    ),
    "rows": (
        "def f(rows):\n    t = 0.0\n    for row in rows:\n        for x in row: t += x * len(row)\n"
        "    return t",
        "([numbers(k % 4) for k in range(n)],)",
    ),
    "reached": (
        "def f(after):\n    seen, stack, count = [False] * len(after), [0], 0\n"
        "    seen[0] = True\n    while stack:\n        k = stack.pop()\n        count += 1\n"
        "        for m in after[k]:\n            if not seen[m]:\n"
        "                seen[m] = True\n                stack.append(m)\n"
        "    return count",
        "([[(k * 3 + j) % (n + 1) for j in range(k % 3)] for k in range(n + 1)],)",
    ),
    "grown": (
        "def f(rows, x):\n    for k, row in enumerate(rows):\n"
        "        if k % 2 == 0: row.append(x)\n    rows.append([x])\n    return len(rows)",
        "([numbers(k % 3 + 1) for k in range(n)], 2.5)",
    ),
    "cubes": (
        "def f(cubes):\n    t = 0.0\n    for rows in cubes:\n        for row in rows:\n"
        "            for x in row: t += x\n    return t",
        "([[numbers(j + k % 2) for j in range(k % 3 + 1)] for k in range(n + 1)],)",
    ),
    "in_dict": (
        "def f(p):\n    return sum(p['scale'] * x for x in p['u']) + len(p['v'])",
        "({'scale': 2.0, 'u': numbers(n), 'v': numbers(n + 1)},)",
    ),
    "first_row": (
        "def f(rows):\n    return rows[0], [x for row in rows for x in row]",
        "([numbers(k % 4) for k in range(n + 1)],)",
    ),
}

PROGRAM = """
    import hashlib, math
    import numpy as np, autograph as ag
    def numbers(n): return [math.sin(k) for k in range(n)]
    def flat(value):
        return [y for x in value for y in flat(x)] if type(value) in (list, tuple) else [value]
    for name, (source, args) in {cases}.items():
        f = getattr(__import__(name), "f")
        compiled = ag.to_graph(f)
        given = eval("lambda n: " + args)
        digest = hashlib.sha256()
        for n in (3, 20, 5, 70, 0, 1, 17):
            args, plain = given(n), given(n)
            result = compiled(*args)
            wanted = f(*plain)
            assert repr(args) == repr(plain), (name, n)
            assert list(map(type, flat(result))) == list(map(type, flat(wanted))), (name, n)
            if result is not None:
                np.testing.assert_allclose(flat(result), flat(wanted), rtol=1e-12)
            digest.update(repr((result, args)).encode())
        print(name, digest.hexdigest(), sum(": recording" in m for m in messages))
        messages.clear()
"""


def test_a_second_process_finds_what_the_first_has_recorded(tmp_path):
    for name, (source, _) in CASES.items():
        file_of(tmp_path / f"{name}.py", source, "import numpy as np, autograph as ag\n")
    program = file_of(tmp_path / "program.py", LISTENING + PROGRAM.format(cases=CASES))
    first, second = (
        [line.split() for line in printed(program, **with_cache(tmp_path)).splitlines()]
        for _ in range(2)
    )
    assert len(first) == len(second) == len(CASES)
    for (name, digest, count), (_, again, recordings) in zip(first, second):
        assert int(count) > 0, name
        assert again == digest, name
        assert int(recordings) == 0, name
