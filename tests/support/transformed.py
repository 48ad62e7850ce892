"""Programs under `vmap`, `grad` and `jvp`, compared with Python and with differences."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import optree

import autograph as ag
from tests.support.lane_outcomes import compare_outcomes, is_refusal
from tests.support.oracle import Call, outcome

STEP = 1e-6


def fresh(call: Call) -> Callable:
    """The program, with copies of the arrays among its arguments, which it may change."""
    program, arrays = call.function, [isinstance(x, np.ndarray) for x in call.args]

    def on_copies(*args):
        return program(*[x.copy() if is_array else x for x, is_array in zip(args, arrays)])

    return on_copies


# -- lanes -----------------------------------------------------------------------------------------


def is_numeric(tree: Any) -> bool:
    leaves = optree.tree_leaves(tree, none_is_leaf=True)
    return bool(leaves) and all(np.asarray(leaf).dtype.kind in "biufc" for leaf in leaves)


def axes(call: Call) -> tuple:
    """For each argument, whether it can have lanes: 0 or None."""
    return tuple(0 if is_numeric(x) else None for x in call.args)


def form(call: Call) -> Any:
    """What two calls have in common whose arguments can be lanes of one."""
    leaves, structure = optree.tree_flatten(call.args)
    return structure, [(np.shape(x), np.asarray(x).dtype) for x in leaves]


def compare_lanes(call: Call, others: list[Call]) -> str | None:
    """Compare a program for many lanes with Python for each of them.

    Args:
        others: calls of the same program; those with arguments of the same form are lanes, too.

    Returns:
        "same"; None if no argument can have lanes.
    """
    in_axes = axes(call)
    if 0 not in in_axes:
        return None
    lanes = [call.args]
    if None not in in_axes:
        lanes += [c.args for c in others if c is not call and form(c) == form(call)][:3]
    program = fresh(call)
    shape = result_form(program, call.args)
    lanes = [lane for lane in lanes if result_form(program, lane) in (shape, None)]
    lanes = lanes if len(lanes) > 1 else lanes * 2
    own = zip(*copy.deepcopy(lanes))
    stacked = tuple(stack(x) if axis == 0 else x[0] for x, axis in zip(own, in_axes))
    expected = []
    for i in range(len(lanes)):
        lane = [
            optree.tree_map(lambda leaf: leaf[i], x) if axis == 0 else x
            for x, axis in zip(stacked, in_axes)
        ]
        expected.append(outcome(program, tuple(lane)))
    found = outcome(ag.vmap(program, in_axes), stacked)
    if is_refusal(found.error, [e.error for e in expected if e.error is not None]):
        raise found.error
    compare_outcomes(found, expected)
    return "same"


def result_form(program: Callable, args: tuple) -> Any:
    """What the results of lanes must have in common; errors have none."""
    found = outcome(program, args)
    if found.error is not None:
        return None
    leaves, structure = optree.tree_flatten(found.result, none_is_leaf=True)
    return structure, [np.shape(leaf) for leaf in leaves]


def stack(trees: tuple) -> Any:
    return optree.tree_map(lambda *leaves: np.stack(leaves), *trees)


# -- derivatives -----------------------------------------------------------------------------------


def weight(value: Any) -> Any:
    """A float that depends smoothly on all numbers in a result."""
    if isinstance(value, (tuple, list)):
        return sum([weight(item) for item in value])
    if isinstance(value, dict):
        return sum([weight(item) for item in value.values()])
    if value is None or isinstance(value, str):
        return 0.0
    return np.sum(np.sin(value))


def has_slope(tree: Any) -> bool:
    """Whether all numbers of an argument are floats of 64 bits."""
    leaves = optree.tree_leaves(tree, none_is_leaf=True)
    return bool(leaves) and all(
        type(x) is float or (type(x) is np.ndarray and x.dtype == np.float64) for x in leaves
    )


def has_differences(leaf: Any) -> bool:
    """Whether a leaf of a result is exact enough for differences, or no number at all."""
    if leaf is None or isinstance(leaf, str):
        return True
    dtype = np.asarray(leaf).dtype
    return dtype.kind in "biu" or dtype == np.float64


def compare_slopes(call: Call) -> str | None:
    """Compare the derivative of a program by its floats, along a direction, with differences: in
    forward and in reverse mode.

    Returns:
        "same", "kink" where the differences of both sides are not equal; None if there is none.
    """
    argnums = tuple(i for i, x in enumerate(call.args) if has_slope(x))
    result = outcome(call.function, call.args).result
    leaves = optree.tree_leaves(result, none_is_leaf=True)
    if not argnums or not leaves or not all(map(has_differences, leaves)):
        return None
    program = fresh(call)

    def loss(*args):
        return weight(program(*args)) * 1.0

    points = tuple(call.args[i] for i in argnums)
    directions = optree.tree_map(direction, points)

    def value(step: float) -> float:
        args = list(copy.deepcopy(call.args))
        for i, point, way in zip(argnums, points, directions):
            args[i] = optree.tree_map(lambda x, t: x + step * t, point, way)
        return outcome(loss, tuple(args)).result

    values = value(-STEP), value(0.0), value(STEP)
    if any(v is None or not np.isfinite(v) for v in values):
        return "kink"  # it fails nearby
    left, middle, right = values
    slopes, expected = ((middle - left) / STEP, (right - middle) / STEP), (right - left) / 2 / STEP
    tolerance = 1e-4 * max(1.0, abs(expected), abs(middle))
    if not abs(slopes[0] - slopes[1]) <= tolerance:
        return "kink"
    gradient = ag.grad(loss, argnums=argnums)(*copy.deepcopy(call.args))
    products = optree.tree_map(lambda a, t: np.sum(a * t), gradient, directions)
    reverse = float(sum(optree.tree_leaves(products)))
    np.testing.assert_allclose(reverse, expected, rtol=0, atol=tolerance, err_msg="reverse")

    def along(*moved):
        args = list(copy.deepcopy(call.args))
        for i, x in zip(argnums, moved):
            args[i] = x
        return loss(*args)

    primals = copy.deepcopy(points)
    _, forward = ag.jvp(along, primals, directions)
    np.testing.assert_allclose(forward, reverse, rtol=1e-8, atol=1e-8, err_msg="forward")
    return "same"


def direction(x: Any) -> Any:
    if isinstance(x, float):
        return 0.75
    return np.cos(1.0 + np.arange(x.size)).reshape(x.shape)
