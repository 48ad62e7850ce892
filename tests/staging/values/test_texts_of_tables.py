"""What is shown of dicts whose keys the run decides, and of their views."""

from collections import Counter, OrderedDict, defaultdict

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    call.run()


@programs(2.0)
@programs(-2.0)
def of_texts(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        del d["a"]
    d["a"] = 7
    print(d, list(d))
    return f"{d}", str(d), repr(d)


@programs(np.array([2.0, 3.0]))
def with_brackets_and_quotes(xs):
    d = {}
    for x in xs:
        key = "{a'" if x > 2.5 else 'b"'
        d[key] = d.get(key, 0.0) + x
    print(d)
    return str(d)


@programs(np.array([2.0, 3.0]))
@programs(np.array([2.0, 3.0, 5.0]))
def of_numbers_of_several_types(xs):
    d = defaultdict(int)
    for x in xs:
        d["big" if x > 2.5 else "small"] += 1
        if x > 4:
            d["sum"] += x
    print(d)


@programs(np.array([2.0, 3.0]))
@programs(np.array([2.0, 3.0, 5.0]))
def views(xs):
    d = {}
    for x in xs:
        d["big" if x > 2.5 else "small"] = x
    print(d.keys(), d.values(), d.items())
    return f"{d.items()}"


@programs(np.array([2, 3]))
def views_of_numbers(xs):
    d = OrderedDict()
    for x in xs:
        d[int(x)] = 1
    print(d.keys(), d.values(), d.items())


@programs(np.array([2.0, 3.0, 5.0]))
def most_common(xs):
    c = Counter()
    for x in xs:
        c["big" if x > 2.5 else "small"] += 1
    print(c.most_common(1))


@programs(np.array([2.0, 3.0, 5.0]))
def keys_that_are_tuples(xs):
    d = {}
    for x in xs:
        d["big" if x > 2.5 else "small", int(x)] = (x, 1)
    print(d)


@programs(np.array([2.0, 3.0, 5.0]))
def texts_with_a_chosen_text(xs):
    lines = []
    for x in xs:
        kind = "big" if x > 2.5 else "{small}"
        lines.append(f"{kind:>8}: {x:.1f} {kind!r}")
    print("\n".join(lines))
    return lines


@programs([5.0, 2, 3, 4, 2.5, 7.0])  # of several types, so that the list is a plain one
def many_with_a_chosen_text_are_joined(xs):
    out = []
    for x in xs:
        out.append(f"{'low' if x < 3 else 'high'}: {x}")
    return ", ".join(out), str(out)
