"""Numbers in an object that a loop changes, but not these, stay known in it: how many states a
filter has, of which order it is, what a mode is."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check


class Filter:
    def __init__(self, n):
        self.n = n
        self.x = np.zeros(n)
        self.scale = np.eye(n)
        self.steps = 0
        self.mode = 1

    def points(self):
        points = np.zeros((2 * self.n + 1, self.n))
        points[0] = self.x
        for i in range(self.n):
            points[1 + i] = self.x + self.scale[:, i]
        return points

    def step(self, z):
        points = self.points()
        self.x = np.mean(points, axis=0) + z * np.eye(self.n)[0]
        self.steps += self.mode


class Switched:
    def __init__(self):
        self.n = 2
        self.k = 2
        self.x = np.zeros(3)

    def grow(self, z):
        self.x = self.x + np.ones(3) * z * self.k
        if self.x[0] > 2.0:
            self.k = 5


def filtered(n, zs):
    f = Filter(n)
    for z in zs:
        f.step(z)
    return f.x, f.steps, f.n


def given(f, zs):
    for z in zs:
        f.step(z)
    return f.x


def while_it_lasts(n, zs):
    f = Filter(n)
    while f.steps < len(zs):
        f.step(zs[f.steps])
    return f.x, f.steps


def nested(n, zs):
    f = Filter(n)
    for z in zs:
        for _ in range(3):
            f.step(z)
        f.steps -= 1
    return f.x, f.steps


def in_a_dict(n, zs):
    d = {"n": n, "x": np.zeros(n), "count": 0}
    for z in zs:
        d["x"] = d["x"] + z * np.ones((d["n"], d["n"]))[0]
        d["count"] += 1
    return d


def changed_later(zs):
    """A number that the first trip leaves, as far as is known, and a branch changes."""
    s = Switched()
    for z in zs:
        s.grow(z)
    return s.x, s.k, s.n


def changed_and_back(zs):
    s = Switched()
    total = 0.0
    for z in zs:
        s.n = 3
        total += z * s.n
        s.n = 2
        s.k += 1
        total += s.n
    return total, s.n, s.k


def changed_at_the_end(zs):
    """What an inner loop leaves alone, and the outer one changes."""
    s = Switched()
    for z in zs:
        for _ in range(2):
            s.x = s.x + np.ones(3) * z * s.n
        s.n += 1
    return s.x, s.n


PROGRAMS = [while_it_lasts, filtered, nested, in_a_dict]


@pytest.mark.parametrize("function", PROGRAMS)
def test_known_lengths(function):
    for n in (1, 2):
        check(function, n, np.array([0.5, -1.0, 0.25]))


@pytest.mark.parametrize("function", [changed_later, changed_and_back, changed_at_the_end])
def test_numbers_that_are_changed(function):
    check(function, np.array([0.5, 1.0, 0.25, 2.0]))
    check(function, np.array([0.5]))


def test_one_loop_of_the_graph():
    """Which ran as Python, trip by trip, since np.eye needs a length that is known."""
    zs = np.linspace(-1.0, 1.0, 7)
    graphs = [str(ag.to_graph(given).graph(Filter(2), np.ones(k))) for k in (5, 50)]
    assert len(graphs[0].splitlines()) == len(graphs[1].splitlines())
    f, g = Filter(2), Filter(2)
    np.testing.assert_allclose(ag.to_graph(given)(f, zs), given(g, zs), rtol=1e-15)
    assert (f.n, f.steps, f.mode) == (g.n, g.steps, g.mode)


def test_gradient():
    zs = np.array([0.3, -0.2, 0.7])
    ag.check_grads(lambda zs: np.sum(filtered(2, zs)[0] ** 2), (zs,), order=2)
