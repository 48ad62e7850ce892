"""Sums between processes that take the place of their operand: only where nobody needs that."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import P
from autograph.parallel import processes
from autograph.transforms import meshes
from ops.control import meetings
from tests.parallel.sums import COPIED, IN_PLACE, several_of_one, total

PARTS = 4
X = np.arange(12.0).reshape(4, 3)


def compiled(f):
    return ag.shard_map(f, ag.Mesh.planned(data=PARTS), P(), P())


def alone(kind, axis, detail, where):
    """What gives a process what it gets among processes that all have the same."""
    assert kind == "psum"

    def met(*arrays, donate=False):
        found = []
        for x in map(np.asarray, arrays):
            assert x.flags.writeable or not donate
            out = x if donate else x.copy()
            out *= PARTS
            found.append(out[()])
        return found[0] if len(found) == 1 else tuple(found)

    return met


@pytest.fixture
def by_oneself(monkeypatch):
    """Programs for processes run in this one."""
    monkeypatch.setattr(meetings, "executor", [alone, lambda *_: lambda *_: None])


@pytest.mark.parametrize("f", [*IN_PLACE, *COPIED, several_of_one], ids=lambda f: f.__name__)
def test_values(f, by_oneself, monkeypatch):
    """As on lanes, twice, and the argument stays as it is."""
    expected = ag.shard_map(f, ag.Mesh.lanes(data=PARTS), P(), P())(X)
    for large in (meshes.LARGE, 1):
        monkeypatch.setattr(meshes, "LARGE", large)
        g, x = compiled(lambda x: f(x)), X.copy()  # another function: compiled anew
        for _ in range(2):
            for a, b in zip(ag.tree.leaves(g(x)), ag.tree.leaves(expected), strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(x, X)


@pytest.mark.parametrize("f", IN_PLACE, ids=lambda f: f.__name__)
def test_a_sum_in_place(f):
    assert "donate=True" in str(compiled(f).program(X))


@pytest.mark.parametrize("f", COPIED, ids=lambda f: f.__name__)
def test_a_sum_of_what_somebody_needs(f):
    text = str(compiled(f).program(X))
    assert "donate=True" not in text or ".copy()" in text


def test_a_donated_argument_is_overwritten(by_oneself):
    f = ag.to_graph(compiled(total), donate_argnums=0)
    x = X.copy()
    found = f(x)
    assert found is x or np.shares_memory(found, x)
    np.testing.assert_array_equal(found, PARTS * X)


def test_numbers_are_not_planned():
    assert "donate=True" not in str(compiled(lambda x: total(np.sum(x))).program(X))


def test_large_arrays_are_messages_of_their_own():
    large, small = np.zeros((512, 64)), np.zeros(3)
    assert large.nbytes == meshes.LARGE

    def f(a, b, c, d):
        return total((a + 1, b * 2, c - 1, d / 2))

    g = ag.shard_map(f, ag.Mesh.planned(data=PARTS), P(), P())
    arguments = large, small, large, small
    assert str(g.program(*arguments)).count("donate=True") == 2
    found = [(m.arrays, m.messages, m.nbytes) for m in g.explain(*arguments).meetings]
    assert found == [(1, 1, large.nbytes), (2, 1, 2 * small.nbytes), (1, 1, large.nbytes)]


def test_the_operator_tells_the_communicator():
    """The sum that is told to be in place, and only that, gives its operand away."""
    given = []

    class Everybody:
        def sum(self, arrays, what, donate=False):
            given.append(donate)
            return arrays

    run = processes._BY_OPERATOR[ops.control.collectives.lanes_summed]
    for detail in (None, True):
        run(Everybody(), [X], detail, None)
    assert given == [False, True]
