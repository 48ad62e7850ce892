"""The axes of batched functions: of arguments and results, nested ones, and those with names."""

import numpy as np
import optree
import pytest

import autograph as ag
import ops
from autograph.api.machine import capabilities
from autograph.errors import (
    AutographError,
    BatchingError,
    MutationError,
    UnboundAxisError,
    UnsupportedFunctionError,
)
from tests.support.refusals import nothing_more_known
from tests.transforms.lanes import assert_same, by_lane

X = np.arange(24.0).reshape(2, 3, 4)
MATRIX = np.arange(12.0).reshape(3, 4)
NUMBERS = np.arange(1.0, 4.0)


# -- which axis ------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", range(-3, 3))
@pytest.mark.parametrize("out_axis", range(-3, 3))
def test_each_axis(axis, out_axis):
    found = ag.vmap(lambda x: np.sin(x), axis, out_axis)(X)
    assert_same(found, np.moveaxis(np.sin(X), axis, out_axis))
    total = ag.vmap(lambda x: np.sum(x), axis, 0)(X)
    assert_same(total, np.sum(np.moveaxis(X, axis, 0), axis=(1, 2)))


@pytest.mark.parametrize(
    ("axes", "args"),
    [
        ((0, None), (X, X[0])),
        ((None, 0), (X[0, 0], X[:, 1])),
        ((1, -2), (X, X * 2)),
        ((-1, 0), (X, X.transpose(2, 0, 1))),
        ((2, 1), (X, X.swapaxes(1, 2))),
    ],
)
def test_axes_of_two_arguments(axes, args):
    def f(x, y):
        return x * y - y

    assert_same(ag.vmap(f, axes)(*args), by_lane(f, args, axes))


def test_axes_of_nested_arguments():
    def f(p, x):
        return p["w"] * x + p["b"][0], {"sum": np.sum(x) + p["b"][1]}

    p = {"w": np.arange(4.0), "b": [2.0, np.arange(8.0).reshape(2, 4)]}
    args = (p, MATRIX)
    found = ag.vmap(f, in_axes=({"w": 0, "b": [None, 1]}, 1))(*args)
    lanes = [f({"w": p["w"][i], "b": [2.0, p["b"][1][:, i]]}, MATRIX[:, i]) for i in range(4)]
    assert_same(found[0], np.stack([lane[0] for lane in lanes]))
    assert_same(found[1]["sum"], np.stack([lane[1]["sum"] for lane in lanes]))
    # one axis for all of an argument, or of all arguments
    q = {"w": np.arange(3.0), "b": [np.ones(3), NUMBERS]}
    found = ag.vmap(f)(q, MATRIX)
    assert_same(found[0], q["w"][:, None] * MATRIX + 1)
    found = ag.vmap(f, in_axes=(None, 1))({"w": 2.0, "b": (1.0, 0.0)}, MATRIX)
    assert_same(found[0], MATRIX.T * 2 + 1)
    found = ag.vmap(f, in_axes=[None, 1])({"w": 2.0, "b": (1.0, 0.0)}, MATRIX)
    assert_same(found[0], MATRIX.T * 2 + 1)


def test_axes_of_nested_results():
    def f(x):
        return x, (x[0], {"y": x * 2, "n": 3.0})

    found = ag.vmap(f, 0, (1, (0, {"y": -1, "n": None})))(MATRIX)
    assert_same(found[0], MATRIX.T)
    assert_same(found[1][0], MATRIX[:, 0])
    assert_same(found[1][1]["y"], MATRIX.T * 2)
    assert found[1][1]["n"] == 3.0
    found = ag.vmap(f, 0, (1, 0))(MATRIX)
    assert_same(found[1][1]["y"], MATRIX * 2)
    assert_same(found[1][1]["n"], np.full(3, 3.0))


def test_what_is_the_same_in_all_lanes():
    found = ag.vmap(lambda x, y: (y, y * 2, 1, "a", None), (0, None))(NUMBERS, 2.5)
    assert_same(found[:2], (np.full(3, 2.5), np.full(3, 5.0)))
    assert_same(found[2], np.ones(3, int))
    assert found[3:] == ("a", None)
    found = ag.vmap(lambda x, y: (y, x), (0, None), (None, 0))(NUMBERS, np.float32(2.5))
    assert type(found[0]) is np.float32
    flag = ag.vmap(lambda x, mode: x if mode == "a" else -x, (0, None))(NUMBERS, "b")
    assert_same(flag, -NUMBERS)


def test_keyword_arguments_have_lanes_on_axis_0():
    found = ag.vmap(lambda x, s: x * s["t"], in_axes=1)(MATRIX, s={"t": np.arange(4.0)})
    assert_same(found, MATRIX.T * np.arange(4.0)[:, None])


def test_number_of_lanes():
    assert_same(ag.vmap(lambda x: x * 2, None, axis_size=3)(1.5), np.full(3, 3.0))
    assert_same(ag.vmap(lambda: 1.5, axis_size=2)(), np.full(2, 1.5))
    assert_same(ag.vmap(lambda x: x * 2, axis_size=3)(NUMBERS), NUMBERS * 2)
    for size in (0, 1):
        x = np.ones((size, 2), np.float32)
        assert_same(ag.vmap(lambda x: (np.sum(x), x * 2))(x), (np.sum(x, 1), x * 2))


def test_a_number_of_lanes_that_only_the_run_knows():
    def f(x, mask):
        def one(x):
            while x > 0.5:
                x = x * 0.5
            return x

        return np.sum(ag.vmap(one)(x[mask]))

    compiled = ag.to_graph(f)
    for mask in ([True, False, True], [False] * 3):
        mask = np.array(mask)
        wanted = 0.0 + sum(x * 0.5 ** np.ceil(np.log2(x / 0.5)) for x in NUMBERS[mask])
        assert compiled(NUMBERS, mask) == pytest.approx(wanted)
        slope = ag.grad(f)(NUMBERS, mask)
        halves = np.where(NUMBERS > 0.5, 0.5 ** np.ceil(np.log2(NUMBERS / 0.5)), 1.0)
        np.testing.assert_allclose(slope, np.where(mask, halves, 0.0))


def test_results_are_new_arrays():
    x = MATRIX.copy()
    for function, axes in ((lambda x: x, (0, 0)), (lambda x: x[1:], (0, 1)), (lambda x: x.T, 0)):
        axes = axes if isinstance(axes, tuple) else (axes, axes)
        found = ag.vmap(function, *axes)(x)
        assert not np.shares_memory(found, x)
    found = ag.vmap(lambda x: (x, x))(x)
    found[0][:] = 0
    assert_same(found[1], MATRIX)
    constant = ag.vmap(lambda x: np.zeros(2))(x)
    constant[0] = 1
    assert_same(constant[1], np.zeros(2))


# -- nesting ---------------------------------------------------------------------------------------


def test_three_levels():
    def f(x, y, z):
        return x * y - z

    outer = ag.vmap(ag.vmap(ag.vmap(f, (None, None, 0)), (None, 0, None)), (0, None, None))
    x, y, z = np.arange(2.0), np.arange(3.0), np.arange(4.0)
    assert_same(outer(x, y, z), x[:, None, None] * y[:, None] - z)


def test_levels_with_axes():
    pairs = ag.vmap(ag.vmap(np.dot, (None, 1), 0), (0, None), 1)
    assert_same(pairs(MATRIX, MATRIX.T + 1), (MATRIX @ (MATRIX.T + 1)).T)


def test_levels_of_control_flow():
    def f(x, y):
        n = 0
        while x > 0.25:
            x = x * 0.5 if y > 1 else x - y
            n += 1
        return x, n

    x, y = np.array([0.1, 1.0, 3.0]), np.array([0.5, 2.0])
    both = ag.vmap(ag.vmap(f, (None, 0)), (0, None))
    lanes = [[f(a, b) for b in y] for a in x]
    wanted = tuple(np.array([[lane[i] for lane in row] for row in lanes]) for i in range(2))
    assert_same(both(x, y), wanted)
    slopes = ag.vmap(ag.vmap(ag.grad(lambda x, y: f(x, y)[0]), (None, 0)), (0, None))(x, y)
    assert_same(slopes, np.where(y > 1, 0.5 ** wanted[1], 1.0))


# -- names -----------------------------------------------------------------------------------------


def named(function, out_axes=0):
    return ag.vmap(function, out_axes=out_axes, axis_name="i")


def test_collective_operators():
    total = NUMBERS.sum()
    assert_same(named(lambda x: x / ops.psum(x, "i"))(NUMBERS), NUMBERS / total)
    assert named(lambda x: ops.pmean(x, "i"), None)(NUMBERS) == total / 3
    assert named(lambda x: ops.pmax(x, "i"), None)(NUMBERS) == 3
    assert named(lambda x: ops.pmin(x, "i"), None)(NUMBERS) == 1
    assert named(lambda x: ops.axis_size("i"), None)(NUMBERS) == 3
    assert_same(named(lambda x: x * ops.axis_index("i"))(NUMBERS), NUMBERS * [0, 1, 2])
    assert_same(named(lambda x: ops.all_gather(x, "i"))(NUMBERS), np.tile(NUMBERS, (3, 1)))


def test_collective_operators_on_what_is_the_same_in_all_lanes():
    def f(x):
        y = ops.psum(1, "i") * x + ops.psum(np.ones(2), "i").sum() + ops.pmean(2.5, "i")
        return y, ops.all_gather(1.5, "i"), ops.psum_scatter(np.arange(3.0), "i")

    found = named(f)(NUMBERS)
    assert_same(found, (NUMBERS * 3 + 8.5, np.full((3, 3), 1.5), np.arange(3.0) * 3))

    def nested(x):
        while x > 2:
            x = x - 1
        return ag.grad(lambda y: y * ops.psum(1.0, "i") * ops.psum(y, "j"))(x)

    both = ag.vmap(ag.vmap(nested, axis_name="j"), axis_name="i")
    x = np.array([[1.0, 2.5], [2.0, 3.75]])
    y = np.where(x > 2, x - np.ceil(x - 2), x)
    assert_same(both(x), np.repeat(4 * y.sum(1, keepdims=True), 2, 1))


def shrunk(x):
    while x > 2:
        x = x - 1
    return x * x


def meets(x):
    return shrunk(x) * ops.psum(shrunk(x), "i") + ops.axis_index("i")


def meets_in_a_loop_of_all(x):
    y = shrunk(x)
    for _ in range(2):
        y = y + ops.pmean(np.sin(y), "i")
    return y


@pytest.mark.filterwarnings("ignore:.*one lane after the other")
@pytest.mark.parametrize("function", [meets, meets_in_a_loop_of_all], ids=lambda f: f.__name__)
def test_names_of_outer_lanes_inside_inner_ones(function):
    x = np.array([[1.0, 2.5], [2.0, 3.75], [0.5, 2.25]])
    outer = ag.vmap(function, axis_name="i")
    wanted = np.stack([outer(column) for column in x.T], 1)
    assert_same(ag.vmap(ag.vmap(function), axis_name="i")(x), wanted)
    assert_same(ag.vmap(outer, 1, 1)(x), wanted)
    inside = ag.vmap(ag.grad(function), axis_name="i")
    slopes = np.stack([inside(column) for column in x.T], 1)
    assert_same(ag.vmap(ag.vmap(ag.grad(function)), axis_name="i")(x), slopes)
    around = ag.grad(lambda x: np.sum(ag.vmap(ag.vmap(function), axis_name="i")(x)))(x)
    assert_same(around, slopes)
    if function is meets_in_a_loop_of_all and not capabilities().native:
        # What a loop in which lanes meet leaves for its backward pass is the same for all of them.
        # A kernel of `shrunk` leaves nothing.
        with nothing_more_known(), pytest.raises(UnsupportedFunctionError, match="AG0545"):
            ag.vmap(inside, 1, 1)(x)
    assert_same(ag.vmap(inside, 1, 1)(x), slopes)


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
@pytest.mark.parametrize("tiled", [False, True])
def test_gathered_along_an_axis(axis, tiled):
    x = X.reshape(3, 2, 4)
    found = named(lambda x: ops.all_gather(x, "i", axis, tiled), None)(x)
    join = np.concatenate if tiled else np.stack
    assert_same(found, join(list(x), axis))


def test_scattered_sums():
    rows = np.arange(9.0).reshape(3, 3) ** 2
    assert_same(named(lambda x: ops.psum_scatter(x, "i"))(rows), rows.sum(0))


def test_several_names():
    def centred(x):
        return x - ops.pmean(x, ("i", "j")) + ops.psum(x, "j") * ops.axis_index("i")

    found = ag.vmap(ag.vmap(centred, axis_name="j"), axis_name="i")(MATRIX)
    wanted = MATRIX - MATRIX.mean() + MATRIX.sum(1, keepdims=True) * np.arange(3)[:, None]
    assert_same(found, wanted)
    inner = ag.vmap(ag.vmap(lambda x: x / ops.psum(x, "i"), axis_name="j"), axis_name="i")(MATRIX)
    assert_same(inner, MATRIX / np.maximum(MATRIX.sum(0), 1e-300))


def test_the_inner_of_two_axes_of_one_name():
    inner = ag.vmap(ag.vmap(lambda x: ops.psum(x, "i"), axis_name="i"), axis_name="i")(MATRIX)
    assert_same(inner, np.repeat(MATRIX.sum(1, keepdims=True), 4, 1))


def test_lanes_that_meet_in_a_loop_of_all():
    def diffused(x):
        for _ in range(3):
            x = 0.5 * x + 0.5 * ops.pmean(np.sin(x), "i")
        return x

    x = NUMBERS
    for _ in range(3):
        x = 0.5 * x + 0.5 * np.mean(np.sin(x))
    assert_same(named(diffused)(NUMBERS), x)
    total = lambda x: np.sum(named(diffused)(x) ** 2)
    ag.check_grads(total, (NUMBERS,), order=2)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x / ops.psum(x * x, "i"),
        lambda x: np.sin(x - ops.pmean(x, "i")) ** 2,
        lambda x: x * np.sum(np.cos(ops.all_gather(x, "i"))),
        lambda x: ops.pmax(x, "i") * x + ops.pmin(x, "i") ** 2,
        lambda x: ops.psum_scatter(np.sin(x * NUMBERS), "i") * x,
        lambda x: x * ops.axis_index("i") * ops.axis_size("i"),
    ],
    ids=["psum", "pmean", "all_gather", "pmax", "psum_scatter", "axis_index"],
)
def test_derivatives_through_collective_operators(function):
    ag.check_grads(lambda x: np.sum(np.sin(named(function)(x))), (NUMBERS,), order=2)


def test_derivatives_inside_are_of_the_sum_of_all_lanes():
    """What a lane does changes the results of all: the cotangent of a sum is summed, too."""
    found = named(ag.grad(lambda x: ops.psum(x * x, "i")))(NUMBERS)
    around = ag.grad(lambda x: np.sum(named(lambda x: ops.psum(x * x, "i"))(x)))(NUMBERS)
    assert_same(found, around)
    assert_same(found, 6 * NUMBERS)


def test_normalized_over_lanes_in_a_gradient():
    def loss(w, x):
        h = np.tanh(x @ w)
        h = (h - ops.pmean(h, "i")) / np.sqrt(ops.pmean(h * h, "i") + 1.0)
        return np.sum(h**3)

    def by_hand(w, x):
        h = np.tanh(x @ w)
        return np.sum(((h - h.mean(0)) / np.sqrt((h * h).mean(0) + 1.0)) ** 3)

    rng = np.random.default_rng(0)
    w, x = rng.normal(size=(4, 2)), rng.normal(size=(3, 4))
    total = lambda w: np.sum(ag.vmap(loss, (None, 0), axis_name="i")(w, x))
    np.testing.assert_allclose(total(w), by_hand(w, x))
    np.testing.assert_allclose(ag.grad(total)(w), ag.grad(by_hand)(w, x))


# -- what is refused -------------------------------------------------------------------------------


def changes_argument(x):
    x[0] = 1.0
    return x


def meets_in_a_branch(x):
    if x > 1:
        return ops.psum(x, "i")
    return np.exp(x)


def meets_in_a_loop(x):
    while x > 1:
        x = x - ops.pmean(x, "i")
    return x


def long_list(x, n):
    found = []
    for i in range(n):
        found.append(x * i)
    return found


def long_array(x):
    found = [x]
    while x > 1:
        x = x / 2
        found.append(x)
    return np.array(found)


def text_of_lane(x):
    return "large" if x > 1 else "small"


def formatted(x):
    return f"{x}"


def none_or_number(x):
    if x > 1:
        return x
    return None


LOG = []


def remembers(x):
    LOG.append(x)
    return x


REFUSED = [
    ("AG0540", BatchingError, lambda x: x, {"in_axes": (0, 0)}, "in_axes has 2 items"),
    ("AG0540", BatchingError, lambda x: x, {"in_axes": ({"a": 0},)}, "not nested like the arg"),
    ("AG0540", BatchingError, lambda x: (x, x), {"out_axes": (0, 0, 0)}, "not nested like the res"),
    ("AG0540", BatchingError, lambda x: x, {"out_axes": None}, "differs between lanes"),
    ("AG0541", BatchingError, lambda x: x, {"in_axes": 1}, "has no axis 1"),
    ("AG0541", BatchingError, lambda x: x, {"in_axes": -2}, "has no axis -2"),
    ("AG0541", BatchingError, lambda x: x, {"out_axes": 1}, "has no axis 1"),
    ("AG0542", BatchingError, lambda x: x, {"axis_size": 4}, "axis_size is 4"),
    ("AG0542", BatchingError, lambda x: x, {"axis_size": -1}, "no number of lanes"),
    ("AG0542", BatchingError, lambda x: x, {"axis_size": 3.0}, "no number of lanes"),
    ("AG0542", BatchingError, lambda x: x, {"in_axes": None}, "not known how many"),
    ("AG0544", BatchingError, meets_in_a_branch, {"axis_name": "i"}, "only some"),
    ("AG0544", BatchingError, meets_in_a_loop, {"axis_name": "i"}, "only some"),
    ("AG0545", UnsupportedFunctionError, long_array, {}, "lengths"),
    ("AG0545", BatchingError, text_of_lane, {}, "'large' or 'small'"),
    ("AG0545", BatchingError, formatted, {}, "text"),
    ("AG0545", BatchingError, none_or_number, {}, "None"),
    ("AG0546", BatchingError, remembers, {}, "overwrite"),
    ("AG0547", UnboundAxisError, lambda x: ops.psum(x, "i"), {"axis_name": "j"}, "'i'"),
]


@pytest.mark.parametrize(("id", "kind", "function", "options", "says"), REFUSED)
def test_errors(id, kind, function, options, says):
    with pytest.raises(kind, match=says) as caught:
        ag.vmap(function, **options)(NUMBERS)
    assert caught.value.id == id
    assert caught.value.location.file == __file__
    first = function.__code__.co_firstlineno
    assert first <= caught.value.location.line <= first + 6
    assert caught.value.fix
    assert LOG == []


def test_axes_that_are_none():
    for options in ({"in_axes": "a"}, {"in_axes": 1.0}, {"in_axes": {"x": 0}}, {"out_axes": True}):
        with pytest.raises(BatchingError, match="an axis is an int") as caught:
            ag.vmap(lambda x: x, **options)
        assert caught.value.id == "AG0540"


def test_arguments_without_lanes():
    for x in (3.0, "a", np.float64(2.0), object(), [3.0]):
        with pytest.raises(BatchingError, match=r"argument y\['t'\]") as caught:
            ag.vmap(lambda x, y: x)(NUMBERS, {"t": x})
        assert caught.value.id == "AG0541"


def test_none_among_the_arguments():
    found = ag.vmap(lambda x, y: x if y["t"] is None else -x)(NUMBERS, {"t": None, "s": []})
    assert_same(found, NUMBERS)


def test_arguments_that_disagree():
    with pytest.raises(BatchingError, match=r"x has 3, argument y\[0\] has 4") as caught:
        ag.vmap(lambda x, y: x)(NUMBERS, (np.ones(4),))
    assert caught.value.id == "AG0542"
    with pytest.raises(BatchingError, match="argument s has 2"):
        ag.vmap(lambda x, s: x)(NUMBERS, s=np.ones(2))


def test_changes_of_what_is_outside():
    with pytest.raises(MutationError) as caught:
        ag.vmap(changes_argument)(MATRIX)
    assert caught.value.id == "AG0322"
    assert caught.value.location.line == changes_argument.__code__.co_firstlineno + 1


def test_a_generator_that_lanes_share():
    generator = np.random.default_rng(0)
    with pytest.raises(BatchingError, match="generator") as caught:
        ag.vmap(lambda x: x + generator.normal())(NUMBERS)
    assert caught.value.id == "AG0543"
    keys = ops.random.split(ops.random.key(0), 3)
    found = ag.vmap(lambda x, key: x + ops.random.normal(key))(NUMBERS, keys)
    assert_same(found, by_lane(lambda x, key: x + ops.random.normal(key), (NUMBERS, keys)))


def test_collective_operators_outside():
    for compiled in (lambda f: f, ag.to_graph):
        with pytest.raises(NameError, match="no axis of lanes named 'i'") as caught:
            compiled(lambda x: ops.psum(x, "i"))(NUMBERS)
    assert isinstance(caught.value, AutographError)
    assert caught.value.id == "AG0547"


def test_a_list_that_a_loop_makes():
    """It is as long in all lanes, and its elements have the lanes."""
    x = np.arange(6.0).reshape(2, 3)
    for function in (lambda x: [v * 2 for v in x], lambda x: long_list(x[0], 300)):
        lanes = [function(row) for row in x]
        found = ag.vmap(function)(x)
        assert isinstance(found, list) and len(found) == len(lanes[0])
        for element, parts in zip(found, zip(*lanes)):
            np.testing.assert_array_equal(element, np.stack(parts))
    pairs, same = ag.vmap(lambda x, y: ([(v, x) for v in x], [v + 1 for v in y]), (0, None), -1)(
        x, x[0]
    )
    assert [(a.shape, b.shape) for a, b in pairs] == [((2,), (3, 2))] * 3
    assert [v.tolist() for v in same] == [[1, 1], [2, 2], [3, 3]]
    (first, *_) = ag.vmap(lambda x, y: [v + 1 for v in y], (0, None), None)(x, x[0])
    assert first == 1.0
    with pytest.raises(BatchingError, match="out_axes is None"):
        ag.vmap(lambda x: [v * 2 for v in x], out_axes=None)(x)


def test_lists_of_lists_that_loops_make():
    """The innermost elements have the lanes."""
    x = np.arange(24.0).reshape(4, 3, 2)
    for function in (
        lambda m: [[v * 2 for v in row] for row in m],
        lambda m: [[[v * w for v in row] for w in row] for row in m],
        lambda m: [([v + 1 for v in row], row) for row in m],
    ):
        lanes = [function(m) for m in x]
        leaves, structure = optree.tree_flatten(ag.vmap(function)(x))
        assert structure == optree.tree_structure(lanes[0])
        for leaf, parts in zip(leaves, zip(*map(optree.tree_leaves, lanes))):
            np.testing.assert_array_equal(leaf, np.stack(parts))
    last = ag.vmap(lambda m: [[row * v for v in row] for row in m], out_axes=-1)(x)
    assert [element.shape for element in optree.tree_leaves(last)] == [(2, 4)] * 6


def test_lanes_know_their_numbers_in_branches_and_loops():
    def climb(x):
        while x < ops.axis_index("i"):
            x = x + 2
        return x if x < 3 else x * ops.axis_index("i")

    found = ag.vmap(climb, axis_name="i")(np.zeros(4, int))
    np.testing.assert_array_equal(found, [0, 2, 2, 12])


def test_lanes_meet_in_nested_arrays():
    tree = lambda x: {"a": x, "b": (x * 2, [x + 1])}
    found = ag.vmap(lambda x: ops.psum(tree(x), "i"), axis_name="i", out_axes=None)(np.arange(3.0))
    assert found == {"a": 3.0, "b": (6.0, [6.0])}
    mean = ag.vmap(lambda x: ops.pmean((x, x * 2), "i"), axis_name="i")(np.arange(3.0))
    np.testing.assert_array_equal(mean, [[1.0] * 3, [2.0] * 3])


def test_a_keyword_argument_without_lanes():
    """There is no place for it in ``in_axes``."""
    scaled = lambda x, scale=1.0: x * scale
    with pytest.raises(BatchingError, match="argument scale is float") as caught:
        ag.vmap(scaled)(np.ones(3), scale=2.0)
    assert caught.value.fix.startswith("pass it by position, with None for it in in_axes")
    np.testing.assert_array_equal(ag.vmap(scaled, (0, None))(np.ones(3), 2.0), np.full(3, 2.0))
    with pytest.raises(BatchingError) as caught:
        ag.vmap(scaled)(np.ones(3), 2.0)
    assert caught.value.fix == "pass an array, or say None for it in in_axes"
