"""What goes through the values of ordinary dicts, and sorts pairs with known texts in them."""

import numpy as np
import pytest

import autograph as ag


def extremes(x):
    d = {"b": x[0], "a": 2.0, "c": x[1]}
    return max(d.values()), min(d.values()), sum(d.values()), any(d.values()), all(d.values())


def sorted_values(x):
    d = {"b": x[0], "a": 2.0, "c": x[1]}
    return sorted(d.values(), reverse=True), sorted(d.items()), list(reversed(d.values()))


def sorted_by_values(x):
    d = {"b": x[0], "a": 2.0, "c": x[1]}
    by_value = lambda pair: pair[1]
    return max(d.items(), key=by_value), sorted(d.items(), key=by_value), sorted(d, key=d.get)


def sorted_pairs(x):
    first = sorted([("u", x[0]), ("t", 2.0), ("u", x[1])])
    return first, sorted([(x[0], "u"), (2.0, "t"), (x[1], "u")], reverse=True)


@pytest.mark.parametrize("program", [extremes, sorted_values, sorted_by_values, sorted_pairs])
def test_what_python_gives(program):
    compiled = ag.to_graph(program)
    for x in ([0.5, 3.5], [4.5, -1.0], [2.0, 2.0]):
        x = np.array(x)
        assert repr(compiled(x)) == repr(program(x))


def test_derivatives():
    ag.check_grads(
        lambda x: extremes(x)[0] ** 2 + extremes(x)[1] * extremes(x)[2],
        (np.array([0.5, 3.5]),),
        order=2,
    )
    ag.check_grads(lambda x: sorted_values(x)[0][1] * x[0], (np.array([2.5, 3.5]),), order=2)
