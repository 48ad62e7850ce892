"""Products in loops, done for all trips at once: the same numbers, by fewer products."""

import re

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.graph.graph import walk
from autograph.transforms.trip_products import at_once
from ops.control import regions

RANDOM = np.random.default_rng(7)
XS = RANDOM.normal(size=(12, 5, 16))
SERIES = RANDOM.normal(size=(12, 24))
WEIGHT = RANDOM.normal(size=(16, 16)) / 4
SQUARE = RANDOM.normal(size=(24, 24)) / 5
FEW = RANDOM.normal(size=(4, 5, 16))


def matrices(xs, w):
    h = np.zeros((5, 16))
    for x in xs:
        h = np.tanh(h + x @ w)
    return h


def vectors(xs, w):
    h = np.zeros(24)
    for x in xs:
        h = np.tanh(h + x @ w)
    return h


def matrix_first(xs, w):
    h = np.zeros(24)
    for x in xs:
        h = np.tanh(h + w @ x)
    return h


def some_of_them(xs, w):
    h = np.zeros(24)
    for i in range(9):
        h = np.tanh(h + w @ xs[i])
    return h


def transposed_each_time(xs, w):
    h = np.zeros((5, 16))
    for x in xs:
        h = np.tanh(h + x @ w.T)
    return h


def summed(xs, w):
    total = np.zeros((16, 16), xs.dtype)
    h = np.ones((5, 16), xs.dtype)
    for x in xs:
        h = np.tanh(h + x)
        total = total + x.T @ h
    return total + w


def summed_in_place(xs, w):
    total = w.copy()
    h = np.ones((5, 16))
    for x in xs:
        h = np.tanh(h * x)
        total += h.T @ x
    return total


def several_summed(xs, w):
    total = w
    h = np.ones(24)
    for x in xs:
        h = np.tanh(h - x)
        total = h[:, None] * x + total + np.outer(x, h)
    return total


def in_a_loop(xs, w):
    total = np.zeros((16, 16))
    for k in range(3):
        h = np.zeros((5, 16))
        for x in xs:
            h = np.tanh(h + x @ w * k)
            total = total + h.T @ x
    return total


BEFORE = {
    "matrices": (matrices, XS, WEIGHT),
    "vectors": (vectors, SERIES, SQUARE),
    "matrix first": (matrix_first, SERIES, SQUARE),
    "some of them": (some_of_them, SERIES, SQUARE),
    "transposed each time": (transposed_each_time, XS, WEIGHT),
}
AFTER = {
    "summed": (summed, XS, WEIGHT),
    "summed in place": (summed_in_place, XS, WEIGHT),
    "several summed": (several_summed, SERIES, SQUARE),
    "in a loop": (in_a_loop, XS, WEIGHT),
}
ALL = {**BEFORE, **AFTER}


def products_of_trips(module):
    """The products that loops of a module make, trip after trip."""
    loops = [node for node in walk(module.main) if node.op is regions.for_loop]
    inside = [n for node in loops for n in node.regions[0].nodes]
    return sum(n.op is ops.matmul for n in inside)


@pytest.mark.parametrize("name", ALL)
def test_values(name):
    function, *arguments = ALL[name]
    result = ag.to_graph(function)(*arguments)
    assert result == pytest.approx(function(*arguments), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", [name for name in ALL if name != "several summed"])
def test_loops_have_fewer_products(name):
    function, *arguments = ALL[name]
    recorded = ag.to_graph(function).graph(*arguments)
    assert products_of_trips(recorded) > products_of_trips(at_once(recorded))


@pytest.mark.costly
@pytest.mark.parametrize("name", ALL)
def test_gradients(name):
    function, *arguments = ALL[name]
    ag.check_grads(lambda *args: np.sum(function(*args)), arguments, order=2)


@pytest.mark.parametrize("name", [name for name in ALL if name != "in a loop"])
def test_gradients_of_weights_have_no_sums_of_products_in_the_loop(name):
    function, *arguments = ALL[name]
    gradient = ag.to_graph(ag.grad(lambda xs, w: np.sum(function(xs, w)), argnums=1))
    text = gradient.program(*arguments).text
    bodies = re.findall(r"^( +)for .*:.*\n((?:\1 +.*\n)+)", text, re.MULTILINE)
    assert not any("d_w + " in body for _, body in bodies)


def test_derivatives_in_both_modes_agree():
    forward = ag.to_graph(ag.jacfwd(lambda w: matrices(XS, w)))(WEIGHT)
    backward = ag.to_graph(ag.jacrev(lambda w: matrices(XS, w)))(WEIGHT)
    assert forward == pytest.approx(backward, rel=1e-9, abs=1e-12)


def test_lanes():
    weights = np.stack([WEIGHT, WEIGHT.T, -WEIGHT])
    found = ag.vmap(ag.grad(lambda w: np.sum(matrices(XS, w))))(weights)
    single = ag.grad(lambda w: np.sum(matrices(XS, w)))
    assert found == pytest.approx(np.stack([single(w) for w in weights]), rel=1e-9, abs=1e-12)


def read_in_the_loop(xs, w):
    total = np.zeros((16, 16))
    for x in xs:
        total = total + x.T @ (x @ total)
    return total + w


def read_by_another(xs, w):
    total = np.zeros((16, 16))
    largest = 0.0
    for x in xs:
        h = np.tanh(x)
        total = total + h.T @ x
        largest = np.maximum(largest, np.max(total))
    return total * largest + w


def changing_matrix(xs, w):
    h = np.zeros((5, 16))
    for x in xs:
        h = np.tanh(h + x @ w)
        w = w * 0.5
    return h


def changing_array(xs, w):
    xs = xs.copy()
    for i in range(12):
        xs[(i + 1) % 12] = xs[i] @ w
    return xs


def whole_numbers(xs, w):
    total = np.zeros((16, 16), int)
    for x in (10 * xs).astype(int):
        total = total + x.T @ x
    return total + w


def no_products(xs, w):
    total, other = np.zeros((5, 16)), np.zeros((5, 16))
    for x in xs:
        total = total + np.tanh(x)
        other = other + np.where(x > 0, x, 1.0) * 2.0
    return total + other @ w


REFUSED = {
    "no products": (no_products, XS),
    "read in the loop": (read_in_the_loop, XS / 10),
    "read by another": (read_by_another, XS),
    "changing matrix": (changing_matrix, XS),
    "changing array": (changing_array, XS),
    "whole numbers": (whole_numbers, XS),
    "few trips": (matrices, FEW),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_stays_in_the_loop(name):
    function, xs = REFUSED[name]
    compiled = ag.to_graph(function)
    recorded = compiled.graph(xs, WEIGHT)
    assert at_once(recorded) is recorded
    assert compiled(xs, WEIGHT) == pytest.approx(function(xs, WEIGHT), rel=1e-12, abs=1e-12)


def test_a_loop_whose_trips_only_the_call_tells_stays():
    @ag.to_graph
    def function(xs, n):
        h = np.zeros(24)
        for i in range(n):
            h = np.tanh(h + SQUARE @ xs[i])
        return h

    recorded = function.graph(SERIES, 9)
    assert at_once(recorded) is recorded


def test_a_weight_that_is_read_first_is_what_it_was():
    """The sum before a loop stays what it is where the loop's own result is another."""

    @ag.to_graph
    def function(xs):
        start = np.ones((16, 16))
        total = start
        for x in xs:
            total = total + np.tanh(x).T @ x
        return start, total

    start, total = function(XS)
    assert (start == 1.0).all()
    assert total == pytest.approx(1.0 + sum(np.tanh(x).T @ x for x in XS))


def test_single_precision_stays_single():
    xs, w = XS.astype(np.float32), WEIGHT.astype(np.float32)
    result = ag.to_graph(summed)(xs, w)
    slope = ag.grad(lambda w: np.sum(matrices(xs, w)))(w)
    assert result.dtype == slope.dtype == np.float32
    assert result == pytest.approx(summed(xs, w), rel=1e-4, abs=1e-5)


def summed_of_items(xs, w):
    """What is summed takes items of two arrays, the first ones first."""
    total = np.zeros((16, 16))
    for i in range(12):
        total = total + xs[i].T @ np.sin(xs[i] + w[0, 0])
    return total


def summed_from_the_end(xs, w):
    """As a backward pass takes them."""
    total, h = np.zeros((16, 16)), np.zeros((5, 16))
    for i in range(12):
        h = np.sin(xs[12 - i - 1] + h * w[0, 0])
        total = total + xs[12 - i - 1].T @ h
    return total


def of_items_both_ways(xs, w):
    """Items of one array from both ends, for two sums."""
    first, last = np.zeros((16, 16)), np.zeros((16, 16))
    for i in range(12):
        y = np.sin(xs[i] * w[0])
        first = first + xs[i].T @ y
        last = last + y.T @ xs[11 - i]
    return first - 2.0 * last


def arrays_kept(module):
    """How many arrays the loops of a module fill, one item in each trip."""
    loops = [node for node in walk(module.main) if node.op is regions.for_loop]
    return sum(n.op is ops.index_update for node in loops for n in node.regions[0].nodes)


@pytest.mark.parametrize("function", [summed_of_items, summed_from_the_end, of_items_both_ways])
def test_items_of_arrays(function):
    found = ag.to_graph(function)(XS, WEIGHT)
    assert found == pytest.approx(function(XS, WEIGHT), rel=1e-12, abs=1e-12)
    ag.check_grads(lambda *args: np.sum(function(*args)), (XS, WEIGHT), order=2)


def test_items_of_arrays_are_not_kept_again():
    assert arrays_kept(at_once(ag.to_graph(summed_of_items).graph(XS, WEIGHT))) == 1
    assert arrays_kept(at_once(ag.to_graph(of_items_both_ways).graph(XS, WEIGHT))) == 2
    assert arrays_kept(at_once(ag.to_graph(summed_from_the_end).graph(XS, WEIGHT))) == 1


# -- parts of many trips ---------------------------------------------------------------------------


def long(trips):
    return RANDOM.normal(size=(trips, 5, 16))


def recurrent(xs, w):
    h = np.zeros((5, 16))
    for x in xs:
        h = np.tanh(h @ w + x)
    return np.sum(h * h)


def summed_by_number(xs, w):
    """Two sums, whose factors have five rows and one, by the number of the trip."""
    total, other, h = w, w, np.zeros((5, 16))
    for i in range(xs.shape[0]):
        h = np.sin(h + xs[i] * w[0] / (1.0 + i))
        total = total + xs[i].T @ h
        other = other + np.outer(h[0], xs[i, 1]) * 1.0
    return np.sum(np.sin(total)) + np.sum(np.cos(other)) + np.sum(h)


def summed_again(xs, w):
    """A loop over parts in another loop: what it keeps begins with zeros each time."""
    total = np.zeros((16, 16))
    for k in range(3):
        h = np.ones((5, 16)) * k
        part = np.zeros((16, 16))
        for x in xs:
            h = np.tanh(h + x)
            part = part + x.T @ h
        total = np.cos(total + part @ w / 50.0)
    return np.sum(total)


@pytest.mark.parametrize(
    "function, trips", [(recurrent, 77), (summed_by_number, 61), (summed_again, 60)]
)
def test_parts_of_many_trips(function, trips):
    xs = long(trips)
    found = ag.to_graph(function)(xs, WEIGHT)
    assert found == pytest.approx(function(xs, WEIGHT), rel=1e-10)
    slope = ag.grad(function, argnums=1)
    direction = RANDOM.normal(size=WEIGHT.shape)
    near = [function(xs, WEIGHT + step * direction) for step in (1e-5, -1e-5)]
    assert np.sum(slope(xs, WEIGHT) * direction) == pytest.approx(
        (near[0] - near[1]) / 2e-5, rel=1e-5, abs=1e-6
    )
    second = ag.grad(lambda w: np.sum(slope(xs, w) * direction))(WEIGHT)
    near = [slope(xs, WEIGHT + step * direction) for step in (1e-5, -1e-5)]
    expected = np.sum((near[0] - near[1]) * direction) / 2e-5
    assert np.sum(second * direction) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def shapes_of_zeros(trips):
    """Those of three axes that the gradient of a recurrent network makes."""

    def function(w):  # each is of its own, and so its number of trips is known
        return recurrent(xs, w)

    xs = long(trips)
    changed = at_once(ag.grad(function).graph(WEIGHT))
    made = [n for n in walk(changed.main) if n.op is ops.full]
    return {n.attrs["shape"] for n in made if len(n.attrs["shape"]) == 3}


def test_only_what_a_part_keeps_is_in_memory():
    """Of 78 trips of five rows, parts of eight; the first one has six."""
    assert shapes_of_zeros(78) == {(8, 5, 16)}


def test_few_trips_are_one_part():
    assert shapes_of_zeros(14) == {(14, 5, 16)}
