"""Loops that are known to make a first trip.

``for k in range(60)`` with a ``break`` is a loop with a test, which holds at first: ``k`` is then
what its last trip left, whatever it was before, and is known to be defined. So the loop around
carries it from none of its trips to the next, and may run several of them at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from autograph.graph.graph import Constant, Graph, Value
from autograph.graph.wiring import branches_of
from autograph.transforms.simplify.identities import Application, Term, simpler
from ops.control import regions
from ops.core.types import ArrayType

_MOST = 32  # nodes of a test that are looked at


def makes_trip(count: Sequence[Value], tests: Iterable[Graph], start: Sequence[Value]) -> bool:
    """Whether a loop is known to make a trip.

    Args:
        count: how many it makes at most, if it counts them.
        tests: what says whether there is another one, of the state.
        start: the state before it.
    """
    if count and not _holds(count[0]):
        return False
    return all(_holds_at_first(test, start) for test in tests)


def _holds(value: Value) -> bool:
    return isinstance(value, Constant) and value.is_scalar and bool(value.data > 0)


def _holds_at_first(test: Graph, start: Sequence[Value]) -> bool:
    known: dict[Value, Value] = dict(zip(test.inputs, start))
    pending = [iter(test.nodes)]
    taken: list[tuple[Sequence[Value], Graph]] = []  # what the branches being looked at give
    for _ in range(_MOST):
        node = next(pending[-1], None)
        if node is None:
            pending.pop()
            if not pending:
                (result,) = test.outputs
                return _holds(known.get(result, result))
            outputs, branch = taken.pop()
            known.update(zip(outputs, [known.get(v, v) for v in branch.outputs]))
            continue
        inputs = tuple(known.get(v, v) for v in node.inputs)
        if node.op is regions.cond:
            predicate = inputs[0]
            if not (isinstance(predicate, Constant) and predicate.is_scalar):
                return False
            _, then, orelse = branches_of(node)
            taken.append((node.outputs, then if predicate.data else orelse))
            pending.append(iter(taken[-1][1].nodes))
        elif not node.regions:
            found = simpler(
                Application(node.op, inputs, node.attrs), [v.type for v in node.outputs]
            )
            if found is not None and not isinstance(found, Term):
                known.update(zip(node.outputs, found))
    return False


def any_number(value: Value) -> Constant | None:
    """A number in the place of one of the same type: the value itself, if it is a known number;
    None if it is no number."""
    type_ = value.type
    if not isinstance(type_, ArrayType) or type_.shape or type_.dtype.kind not in "biufc":
        return None
    if isinstance(value, Constant):
        return value if value.is_scalar else None
    zero = np.zeros((), type_.dtype)[()]
    constant = Constant(zero.item() if type_.weak else zero)
    return constant if constant.type == type_ else None
