"""Lanes that meet: sums over them, what one has, what each gives another."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import BatchingError
from autograph.graph.graph import walk
from tests.transforms.lanes import assert_same

MATRIX = np.arange(12.0).reshape(3, 4)
NUMBERS = np.arange(1.0, 4.0)


def named(function, out_axes=0):
    return ag.vmap(function, out_axes=out_axes, axis_name="i")


# -- lanes that give each other what they have -----------------------------------------------------

ROWS = np.arange(18.0).reshape(3, 3, 2) ** 1.5  # in each of three lanes three rows


def test_from_lane_to_lane():
    shifted = named(lambda x: ops.ppermute(x, "i", [(0, 1), (1, 2), (2, 0)]))
    assert_same(shifted(MATRIX), np.roll(MATRIX, 1, 0))
    ends = named(lambda x: ops.ppermute(x, "i", [(0, 2), (2, 1)]))
    assert_same(ends(MATRIX), np.stack([0 * MATRIX[0], MATRIX[2], MATRIX[0]]))
    assert_same(named(lambda x: ops.ppermute(x, "i", []))(NUMBERS), np.zeros(3))
    shuffled = named(lambda x: ops.pshuffle({"x": x}, "i", [2, 0, 1]))
    assert_same(shuffled(MATRIX)["x"], MATRIX[[2, 0, 1]])
    same = named(lambda x: ops.ppermute(2.5, "i", [(0, 1)]))
    assert_same(same(NUMBERS), np.array([0.0, 2.5, 0.0]))


def test_what_one_lane_has():
    found = named(lambda x: ops.broadcast((x, 2 * x), "i", 1))(MATRIX)
    assert_same(found, (np.tile(MATRIX[1], (3, 1)), np.tile(2 * MATRIX[1], (3, 1))))
    with_nan = np.array([np.nan, 1.0, np.inf])
    assert named(lambda x: ops.broadcast(x, "i", 1), None)(with_nan) == 1.0
    slopes = ag.grad(lambda x: np.sum(named(lambda x: ops.broadcast(x * x, "i", 1))(x)))(NUMBERS)
    assert_same(slopes, np.array([0.0, 12.0, 0.0]))


def test_all_lanes_to_all_lanes():
    found = named(lambda x: ops.all_to_all(x, "i", 0, 0))(ROWS)
    assert_same(found, ROWS.swapaxes(0, 1))
    found = named(lambda x: ops.all_to_all(x, "i", 0, 1))(ROWS)
    assert_same(found, np.moveaxis(ROWS, 0, 2))
    wide = np.arange(36.0).reshape(3, 2, 6)  # each lane splits 6 columns into 3 pairs
    found = named(lambda x: ops.all_to_all(x, "i", 1, 0, tiled=True))(wide)
    wanted = np.stack([np.concatenate([x[:, 2 * i : 2 * i + 2] for x in wide]) for i in range(3)])
    assert_same(found, wanted)
    back = named(lambda x: ops.all_to_all(x, "i", 0, 1, tiled=True))(found)
    assert_same(back, wide)


@pytest.mark.costly
@pytest.mark.parametrize(
    "function",
    [
        lambda x: ops.ppermute(x * x, "i", [(0, 1), (1, 2)]) * x,
        lambda x: ops.pshuffle(np.sin(x), "i", [2, 0, 1]) * x,
        lambda x: ops.broadcast(np.sin(x), "i", 2) * x,
        lambda x: np.sum(ops.all_to_all(np.sin(x * NUMBERS), "i", 0, 0) * NUMBERS) * x,
        lambda x: ops.psum(x * x, ("i",)) * ops.pmax(x, ("i",)),
        lambda x: np.abs(ops.psum(np.exp(1j * x), "i")) * x,
    ],
    ids=["ppermute", "pshuffle", "broadcast", "all_to_all", "several", "complex"],
)
def test_derivatives_inside_and_around(function):
    total = lambda x: np.sum(np.sin(named(function)(x)))
    ag.check_grads(total, (NUMBERS,), order=2)
    # A derivative inside a lane is that of the sum of all lanes, in both modes and twice.
    around = ag.grad(lambda x: np.sum(named(function)(x)))
    inside = named(ag.grad(function))
    np.testing.assert_allclose(inside(NUMBERS), around(NUMBERS), rtol=1e-12)
    twice = named(lambda x: ag.jvp(ag.grad(function), (x,), (1.0,))[1])
    wanted = ag.jvp(around, (NUMBERS,), (np.ones(3),))[1]
    np.testing.assert_allclose(twice(NUMBERS), wanted, rtol=1e-12)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: ops.ppermute(x, "j", [(0, 1), (1, 0)]) + ops.pshuffle(x, "i", [2, 1, 0]),
        lambda x: ops.broadcast(x, "j", 1) * ops.broadcast(x, "i"),
        lambda x: ops.pmax(x, "j") - ops.pmin(x, ("i", "j")) + ops.psum(x, ("j", "i")),
        lambda x: ops.all_to_all(x * np.arange(3.0), "i", 0, 0),
    ],
    ids=["ppermute", "broadcast", "extrema", "all_to_all"],
)
def test_two_axes_of_lanes(function):
    x = np.arange(6.0).reshape(3, 2) ** 2
    both = ag.vmap(ag.vmap(function, axis_name="j"), axis_name="i")
    turned = ag.vmap(ag.vmap(function, axis_name="i"), axis_name="j")
    assert_same(both(x), turned(x.T).swapaxes(0, 1))
    ag.check_grads(lambda x: np.sum(np.sin(both(x + 0.1))), (x,), order=2)


def test_a_gradient_of_a_sum_over_lanes_has_nothing_as_large_as_all_pairs():
    x = np.linspace(0.0, 1.0, 50)
    inside = ag.to_graph(named(ag.grad(lambda x: ops.psum(np.sin(x), "i"))))
    shapes = {v.type.shape for node in walk(inside.graph(x).main) for v in node.outputs}
    assert (50,) in shapes
    assert (50, 50) not in shapes


def test_integers_and_booleans_are_added_as_by_sum():
    for numbers in (
        np.array([1, 2, 3], np.int32),
        np.array([True, True, False]),
        np.uint8([200] * 3),
    ):
        found = named(lambda x: ops.psum(x, "i"), None)(numbers)
        assert found == np.sum(numbers)
        assert found.dtype == np.sum(numbers).dtype
        assert named(lambda x: ops.pmax(x, "i"), None)(numbers).dtype == numbers.dtype


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: ops.ppermute(x, "i", [(0, 1), (0, 2)]), "a source twice"),
        (lambda x: ops.ppermute(x, "i", [(0, 1), (2, 1)]), "a target twice"),
        (lambda x: ops.ppermute(x, "i", [(0, 3)]), "no lane 3"),
        (lambda x: ops.pshuffle(x, "i", [0, 0, 1]), "no permutation of 3 lanes"),
        (lambda x: ops.broadcast(x, "i", 3), "no lane 3"),
        (lambda x: ops.all_to_all(np.stack([x, x]), "i", 0, 0), "no row for each of 3 lanes"),
        (lambda x: ops.all_to_all(x * np.ones(4), "i", 0, 0, tiled=True), "equal parts"),
    ],
)
def test_lanes_that_there_are_not(function, message):
    with pytest.raises(ValueError, match=message):
        named(function)(NUMBERS)


def test_lanes_have_no_numbers_before_the_run_knows_how_many_there_are():
    def f(x, mask):
        return np.sum(named(lambda x: ops.ppermute(x, "i", [(0, 1)]))(x[mask]))

    with pytest.raises(ValueError, match="known only at run time"):
        ag.to_graph(f)(NUMBERS, NUMBERS > 1)


def halved(v, depth):
    return ops.psum(v, "lanes") if depth < 1 else halved(v * 0.5, depth - 1) + 1.0


def test_lanes_meet_in_a_recursive_function_of_what_they_share():
    """It was computed once, as if there were one lane."""
    lane = lambda x, w: halved(w, 2) + x
    with pytest.raises(BatchingError, match="would meet at a place"):
        ag.vmap(lane, in_axes=(0, None), axis_name="lanes")(np.ones(2), 3.0)
