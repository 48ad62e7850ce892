"""``is`` of arrays that are arguments, or attributes of these: a call with one array for two of
them is another signature."""

import numpy as np
import pytest

import autograph as ag


class White:
    """The covariance of noise, which knows by ``is`` whether two sets of points are one."""

    def __init__(self, points):
        self.points = points

    def between(self, a, b):
        return 0.5 * np.eye(len(a)) if a is b else np.zeros((len(a), len(b)))

    def at(self, points):
        return self.between(points, self.points) @ np.ones(len(self.points))


def norm(x, y):
    return np.sum(x * x) if x is y else np.sum(x * y)


def both_ways(x, y):
    return x is not y, y is x


def changed_before(x, y):
    x += 1.0
    return x is y, np.sum(y)


def in_a_list(x, y):
    return [k for k, item in enumerate([x, y, x]) if item is y]


def called(x, y):
    return norm(y, x) + norm(x, x)


@pytest.mark.parametrize("function", [norm, both_ways, changed_before, in_a_list, called])
def test_arguments(function):
    compiled = ag.to_graph(function)
    for is_one in [True, False, True, False, False, False, True, True, True, False]:
        found, expected = np.arange(3.0), np.arange(3.0)
        pairs = [(x, x if is_one else np.array([2.0, 5.0, 7.0])) for x in (found, expected)]
        assert compiled(*pairs[0]) == function(*pairs[1])
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("entry", [White.at, lambda noise, points: noise.at(points)])
def test_an_attribute_and_an_argument(entry):
    compiled, noise = ag.to_graph(entry), White(np.arange(3.0))
    others = [np.arange(3.0), np.arange(4.0)]
    for points in [noise.points, *others, noise.points, *others, *others, noise.points]:
        np.testing.assert_array_equal(compiled(noise, points), entry(noise, points))
    noise.points = others[1]
    for points in [*others, noise.points]:
        np.testing.assert_array_equal(compiled(noise, points), entry(noise, points))


def test_saved_and_lowered_functions_are_for_one_of_both(tmp_path):
    x, y = np.arange(3.0), np.ones(3)
    ag.to_graph(norm).save(tmp_path / "norm.ag", x, y)
    for made in [ag.load(tmp_path / "norm.ag"), ag.to_graph(norm).lower(x, y).compile()]:
        assert made(x, y) == norm(x, y)
        with pytest.raises(ag.errors.SignatureError, match="tells them apart"):
            made(x, x)


def test_derivatives_know_one_array_as_one_and_lanes_take_rows_of_their_own():
    x = np.arange(3.0)
    np.testing.assert_array_equal(ag.grad(norm)(x, x), 2.0 * x)
    np.testing.assert_array_equal(ag.grad(norm)(x, x + 0.0), x)
    rows = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(ag.vmap(norm)(rows, rows), [5.0, 50.0])
