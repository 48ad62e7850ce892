"""Arrays of objects, texts and dates that a function makes: they are NumPy's own, as libraries make
them, and hold what is known when the code is recorded."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import BranchMismatchError, LoopStateError, UnsupportedFunctionError
from tests.support.oracle import Programs

programs = Programs()


@programs(2.0)
def of_none(x):
    table = np.array([[None, 1.0]])
    return table[0, 0] is None, table[0, 1] * x, table.shape


@programs(2.0)
def gone_through(x):
    total = 0.0
    for row in np.array([[None, 2.0], [3, "u"]], dtype=object):
        for value in row:
            if isinstance(value, float):
                total += value * x
    return total


@programs(2.0)
def of_texts(x):
    names = np.array(["a", "b"])
    return names.tolist(), [str(name) for name in names], len(names), x


@programs(2.0)
def of_dates(x):
    return str(np.array([np.datetime64("2020-01-01")])[0]), x


@programs(2.0)
def of_fields(x):
    records = np.array([(1, 2.0), (3, 4.0)], dtype=[("n", "i4"), ("y", "f8")])
    return records["y"] * x, records["n"].sum()


@programs(2.0)
def of_swapped_bytes(x):
    big = np.array([1.0, 2.0], ">f8")
    return big.sum() * x


@programs(2.0)
def filled(x):
    parts = np.empty(2, dtype=object)
    parts[0] = x
    parts[1] = np.ones(3)
    zeros = np.zeros((2, 1), object)
    return parts[0] + parts[1], zeros[1, 0]


@programs(2.0)
def changed(x):
    table = np.array([None, 1.0])
    table[0] = 3.0
    return table[0] * x, table.tolist()


@programs.test
def test_arrays_of_objects(call):
    call.run()


def test_each_call_makes_another():
    compiled = ag.to_graph(lambda x: np.array(["a", "b"]))
    first, second = compiled(1.0), compiled(1.0)
    assert first is not second
    assert type(first) is np.ndarray
    first[0] = "c"
    assert compiled(1.0)[0] == "a"


def in_a_branch(x):
    table = np.array([None, 1.0])
    if x > 0:
        table[0] = 5.0
    return table[0]


def in_a_loop(x):
    names = np.array(["a", "b"])
    while x > 1:
        names[0] = "c"
        x = x / 2
    return names[0]


def with_traced_values(x):
    table = np.array([None, 1.0])
    table[0] = x
    return table


@pytest.mark.parametrize(
    ("f", "error"),
    [
        (in_a_branch, BranchMismatchError),
        (in_a_loop, LoopStateError),
        (with_traced_values, UnsupportedFunctionError),
        (lambda x: np.array([x, None], dtype=object), UnsupportedFunctionError),
    ],
)
def test_what_is_refused(f, error):
    with pytest.raises(error) as caught:
        ag.to_graph(f)(2.0)
    assert caught.value.id and caught.value.location
