"""Every use of an operator in the tables of these tests, batched: as in each lane by itself."""

import functools
import linecache
import re
import warnings

import numpy as np
import optree
import pytest

import autograph as ag
from tests.ops import (
    array_cases,
    expressions,
    test_quantiles,
    test_reductions,
    test_sets,
    test_sorting,
)

LANES = 3
REFUSALS = (ag.errors.AutographError, NotImplementedError)


def lanes_of(x, rng):
    """Arrays like ``x``, a shape or an array: one for each lane."""
    if isinstance(x, tuple):
        return rng.normal(size=(LANES, *x))
    if not isinstance(x, np.ndarray) or x.dtype == object:
        return None
    return np.stack([np.roll(x, lane).reshape(x.shape) for lane in range(LANES)])


def arguments(case, which=None):
    """(arguments, axes) with lanes: of the operand at position ``which``, or of all."""
    rng = np.random.default_rng(0)
    args, axes = [], []
    for position, x in enumerate(case.shapes):
        stacked = lanes_of(x, rng)
        has_lanes = stacked is not None and which in (None, position)
        args.append(stacked if has_lanes else x if stacked is None else stacked[0])
        axes.append(0 if has_lanes else None)
    return args, tuple(axes)


def each_lane(function, args, axes):
    """What a function gives for each lane, stacked; None if it fails there."""
    results = []
    for i in range(LANES):
        lane = [x if axis is None else x[i] for x, axis in zip(args, axes)]
        results.append(function(*lane))
    return optree.tree_map(lambda *xs: np.stack([np.asarray(x) for x in xs]), *results)


def assert_same(found, wanted, tolerance=1e-10):
    leaves, spec = optree.tree_flatten(found)
    others, expected = optree.tree_flatten(wanted)
    assert spec == expected
    for x, y in zip(leaves, others):
        assert (x.dtype, x.shape) == (y.dtype, y.shape)
        np.testing.assert_allclose(x, y, tolerance, tolerance)


def operands(case):
    """The positions of operands that may have lanes, and None for all of them."""
    arrays = [i for i, x in enumerate(case.shapes) if isinstance(x, (tuple, np.ndarray))]
    return [None, *arrays] if len(arrays) > 1 else [None]


@functools.cache
def function_of(case_name, ours):
    """The function of a case; for subscripts, which it evaluates as texts, one with source."""
    form = re.fullmatch(r"x\[(.*)\](?: (\+?)= .*)?", case_name, re.DOTALL)
    if form is None:
        return ours
    index, (_, last) = form[1], form.span(1)
    if case_name.endswith("]") and last == len(case_name) - 1:
        lines = ["def picked(x, i=None, j=None):", f"    return x[{index}]"]
    else:
        lines = ["def changed(x, v, i=None, j=None):", "    x = np.array(x)"]
        change = f"np.add.at(x, np.s_[{index}], v)" if form[2] else f"x[{index}] = v"
        lines += [f"    {change}", "    return x"]
    file = f"<case {case_name}>"
    linecache.cache[file] = (0, None, [f"{line}\n" for line in lines], file)
    namespace = {"np": np}
    exec(compile("\n".join(lines), file, "exec"), namespace)
    return namespace.get("picked") or namespace["changed"]


def check_values(case, which):
    args, axes = arguments(case, which)
    if axes == (None,) * len(axes):
        return
    try:
        wanted = each_lane(case.oracle, args, axes)
    except (ValueError, TypeError, IndexError):  # of lanes that differ, as lengths
        return
    assert_same(ag.vmap(function_of(case.name, case.ours), axes)(*args), wanted)


def check_derivatives(case, which):
    args, axes = arguments(case, which)
    position = next((i for i, x in enumerate(case.shapes) if isinstance(x, tuple)), None)
    if position is None or axes == (None,) * len(axes):
        return

    ours = function_of(case.name, case.ours)

    def loss(*args):
        leaves = optree.tree_leaves(ours(*args))
        return sum(np.sum(np.sin(leaf)) for leaf in leaves)

    gradient = ag.grad(loss, position)
    wanted = each_lane(gradient, args, axes)
    assert_same(ag.vmap(gradient, axes)(*args), wanted)

    def total(*args):
        return np.sum(ag.vmap(loss, axes)(*args))

    if axes[position] is None:
        wanted = wanted.sum(0)
    found = ag.grad(total, position)(*args)
    assert_same(found, wanted)
    tangents = [None] * len(args)
    tangents[position] = np.ones_like(args[position])
    change = ag.jvp(total, tuple(args), tuple(tangents))[1]
    np.testing.assert_allclose(change, np.sum(wanted), 1e-8, 1e-9)


@pytest.mark.parametrize("case", array_cases.CASES, ids=lambda case: case.name)
def test_values(case):
    check_values(case, None)


@pytest.mark.parametrize("case", array_cases.CASES[::4], ids=lambda case: case.name)
def test_derivatives(case):
    if case.smooth:
        check_derivatives(case, None)


@pytest.mark.slow
@pytest.mark.parametrize("case", array_cases.CASES, ids=lambda case: case.name)
def test_lanes_of_some_operands(case):
    for which in operands(case):
        check_values(case, which)
        if case.smooth:
            check_derivatives(case, which)


# -- functions of one array, of several dtypes -----------------------------------------------------

TABLES = [
    *(test_reductions.PLAIN, test_reductions.RUNNING, test_reductions.COVARIANCES),
    *(test_sorting.SORTING, test_sorting.SEARCHING, test_sorting.INTERPOLATION),
    *(test_quantiles.MEDIANS, test_quantiles.QUANTILES, test_sets.SETS, test_sets.HISTOGRAMS),
]
FUNCTIONS = [parameter for table in TABLES for parameter in table]


def check_expression(function, dtypes, shapes):
    for x in expressions.arrays([(LANES, *shape) for shape in shapes], dtypes):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                wanted = each_lane(function, [x], (0,))
            except Exception:  # not a function of such an array
                continue
            try:
                found = ag.vmap(function)(x)
            except REFUSALS as error:  # nothing that is right in each lane is wrong in all
                assert id_of(error) in REFUSED_IN_A_LANE or refused_in_a_lane(function, x[0])
                continue
        assert_same(found, wanted, 2e-3 if x.dtype.itemsize == 2 else 1e-5)


# Lengths that differ between lanes; what has no result known when the function is recorded.
REFUSED_IN_A_LANE = ("AG0545",)


def id_of(error):
    return getattr(error, "id", "")


def refused_in_a_lane(function, lane):
    try:
        ag.to_graph(function)(lane)
    except REFUSALS:
        return True
    return False


@pytest.mark.parametrize("function", FUNCTIONS[::3])
def test_expressions(function):
    check_expression(function, ["float64"], [(3, 4)])


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS)
def test_expressions_of_all_dtypes(function):
    check_expression(function, expressions.DTYPES, [(3, 4), (5,), ()])
