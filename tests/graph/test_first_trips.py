"""What a loop leaves that is known to make a first trip does not depend on what was before it."""

import numpy as np
import pytest

import autograph as ag
from autograph.graph.graph import walk
from ops.control import effects, regions
from tests.support import oracle

X = np.random.default_rng(0).uniform(0.5, 4.0, 7)


def with_a_break(x):
    roots, trips = np.zeros(len(x)), np.zeros(len(x), np.int64)
    for i in range(len(x)):
        low, high = 0.0, 4.0
        for k in range(40):
            middle = (low + high) / 2
            if abs(middle * middle - x[i]) < 1e-9:
                break
            if middle * middle > x[i]:
                high = middle
            else:
                low = middle
        roots[i], trips[i] = middle, k
    return roots, trips


def without_one(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        total = 0.0
        for k in range(30):
            last = x[i] * k
            total += last
        out[i] = total - last + k
    return out


def nested(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(30):
            for k in range(40):
                y = x[i] * j - k
                if y < 0.0:
                    break
        out[i] = y + j * k
    return out


def counted_down(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        n = 5
        while n > 0:
            found = x[i] / n
            n -= 1
            if found > 0.7:
                break
        out[i] = found
    return out


@pytest.mark.parametrize("program", [with_a_break, without_one, nested, counted_down])
def test_what_each_trip_assigns_is_not_carried_around(program):
    """The loop over elements has arrays alone to carry."""
    oracle.check(program, X)
    graph = ag.to_graph(program).graph(X).main
    (outer,) = (node for node in graph.nodes if node.op is regions.for_loop)
    assert all(value.type.shape == X.shape for value in outer.outputs)
    flags = [node.inputs[0] for node in walk(graph) if node.op is effects.check]
    assert flags and all(flag.literal() is True for flag in flags)


def maybe_none(x, n):
    out = np.zeros(len(x))
    for i in range(len(x)):
        for k in range(n):
            y = x[i] + k
            if y > 3.0:
                break
        out[i] = y + k
    return out


def sometimes(x):
    """What only some trips assign is what it was before."""
    out = np.zeros(len(x))
    y = 0.25
    for i in range(len(x)):
        for k in range(30):
            if x[i] * k > 20.0:
                y = x[i] - k
                break
        out[i] = y + k
    return out


def read_first(x):
    out = np.zeros(len(x))
    k = 7
    for i in range(len(x)):
        for j in range(30):
            out[i] += k * x[i]
            k = j
            if j > 4:
                break
    return out, k


def ended_before(x):
    """The test does not hold at first."""
    out = np.zeros(len(x))
    k = 9
    for i in range(len(x)):
        n = 0
        while n > 3:
            k = n
            n -= 1
        out[i] = k * x[i]
        k += 1
    return out, k


@pytest.mark.parametrize("program", [sometimes, read_first, ended_before])
def test_what_trips_read_is_as_before(program):
    oracle.check(program, X)


@pytest.mark.parametrize("n", [3, 0])
def test_a_range_that_may_be_empty(n):
    """With n = 0 the variable is not defined."""
    oracle.check(maybe_none, X, n)


def test_gradients():
    def cost(x):
        return np.sum(nested(x)) + np.sum(counted_down(x) ** 2)

    ag.check_grads(cost, (X,), order=2)
    lanes = ag.vmap(lambda x: with_a_break(x)[0])(np.stack([X, X[::-1]]))
    assert np.array_equal(lanes, [with_a_break(X)[0], with_a_break(X[::-1])[0]])
