"""Lists that get as many rows in every trip of a loop have room for all of them from the start."""

import numpy as np
import pytest

import autograph as ag
from autograph.graph.graph import walk
from autograph.staging.joins import room

X = np.linspace(0.1, 1.0, 4)


def appended(x):
    out = []
    for _ in range(7):
        x = np.tanh(x * 1.1)
        out.append(x)
    return np.stack(out)


def numbers(x):
    out = []
    for y in x:
        out.append(y * 2)
    return out[1], np.array(out), len(out)


def more_in_a_trip(x):
    out = []
    for i in range(5):
        out.append(x * i)
        out.append(x + i)
    return np.array(out)


def some_before(x):
    out = [x, 2 * x]
    for _ in range(1, 9, 2):
        out.append(np.sin(out[-1]) + out[-2])
    return np.array(out)


def pairs(x):
    out = []
    for i in range(6):
        x = np.sin(x)
        out.append((i, x, x.sum()))
    return out[3], np.array([o[1] for o in out])


def read_on_the_way(x):
    out, total = [x], 0.0
    for i in range(5):
        total = total + len(out) * out[i] + np.sum(np.array(out), axis=0)
        out.append(x * i + total)
    return np.array(out)


def read_in_a_branch(x):
    out = [x]
    for i in range(5):
        y = out[-1] * 2 if i % 2 == 0 else out[0] + i
        out.append(y)
    return np.array(out)


def a_loop_in_it(x):
    out = [x, 2 * x]
    for i in range(4):
        out.append(x * i)
        for j in range(3):
            out.append(out[-1] * 0.5 + j + out[j])
        out.append(out[i])
    return np.stack(out)


def a_loop_beside_it(x):
    out = []
    for i in range(4):
        y = x
        for j in range(3):
            y = y + len(out) * j + x
        out.append(y * i)
    return np.stack(out)


def two_lists(x):
    one, other = [], []
    for i in range(5):
        one.append(x + i)
        other.append(one[-1] * x)
    return np.array(one), np.array(other)


def a_comprehension(x):
    return np.array([np.cos(row) for row in np.outer(x, x)])


FUNCTIONS = (appended, numbers, more_in_a_trip, some_before, pairs, read_on_the_way)
FUNCTIONS += (read_in_a_branch, a_loop_in_it, a_loop_beside_it, two_lists, a_comprehension)


def grows(graph):
    return any(node.op.name == "append_row" for node in walk(graph.main))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_nothing_grows(function):
    assert not grows(ag.to_graph(function).graph(X))


def leaves(results):
    return ag.tree.leaves(results)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_results_are_those_of_python(function):
    for found, wanted in zip(leaves(ag.to_graph(function)(X)), leaves(function(X)), strict=True):
        assert type(found) is type(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-14)


def test_checkpointed_loops_keep_what_is_there():
    """Room for all rows in each of the states that are kept would take more memory."""
    kept = ag.grad(ag.checkpoint(lambda x: np.sum(np.sin(appended(x))), loops=2))
    assert grows(kept.graph(X))
    wanted = ag.grad(lambda x: np.sum(np.sin(appended(x))))(X)
    np.testing.assert_allclose(kept(X), wanted, rtol=1e-14)


@pytest.mark.costly
@pytest.mark.parametrize("function", [appended, some_before, a_loop_in_it, read_on_the_way])
def test_derivatives(function):
    ag.check_grads(lambda x: np.sum(np.sin(function(x))), [X])


@pytest.mark.parametrize("function", [appended, some_before, a_loop_in_it, read_in_a_branch])
def test_lanes(function):
    xs = np.stack([X, 2 * X, 3 * X])
    np.testing.assert_allclose(
        ag.vmap(function)(xs), np.stack([function(x) for x in xs]), rtol=1e-14
    )


@pytest.mark.parametrize(
    "name, function",
    {
        "some trips": lambda x: np.array([x] + [x * i for i in range(6) if x[0] < i]),
        "an early end": lambda x: until(x),
        "taken out again": lambda x: popped(x),
    }.items(),
)
def test_other_lists_grow(name, function):
    np.testing.assert_allclose(ag.to_graph(function)(X), function(X))


def until(x):
    out = []
    for i in range(9):
        if i * x[1] > 2:
            break
        out.append(x * i)
    return np.array(out)


def popped(x):
    out = [x]
    for i in range(6):
        out.append(x * i)
        out.append(x + i)
        out.pop()
    return np.array(out)


def test_a_row_that_is_not_there():
    def function(x):
        out = []
        for i in range(3):
            out.append(x + out[i])
        return np.array(out)

    with pytest.raises(IndexError):
        ag.to_graph(function)(X)


def test_a_large_list_takes_no_memory_before_it_is_there(monkeypatch):
    monkeypatch.setattr(room, "MOST_BYTES", 7 * 4 * 8 - 1)
    assert grows(ag.to_graph(appended).graph(X))
    np.testing.assert_allclose(ag.to_graph(appended)(X), appended(X))
