"""Whether NumPy finds that a matrix has no inverse, or no factors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core.batching import Size
from ops.core.conditions import Conditions, raised_by
from ops.core.registry import REGISTRY, Custom
from ops.core.types import ArrayType, weak
from ops.structure.lanes import all_with_lanes


def linalg_error(compute):
    """Whether ``compute()`` raises a LinAlgError."""
    try:
        compute()
    except np.linalg.LinAlgError:
        return True
    return False


def linalg_errors(compute, axes, *args):
    """Whether ``compute(*lane)`` raises a LinAlgError, for each lane in the first axes of the
    arguments."""
    found = np.zeros(args[0].shape[:axes], bool)
    for i in np.ndindex(found.shape):
        found[i] = linalg_error(lambda i=i: compute(*(x[i] for x in args)))
    return found


def _fails_infer(*types: ArrayType, of: str, lanes: int) -> tuple[ArrayType]:
    return (ArrayType(np.dtype(bool), types[0].shape[:lanes]) if lanes else weak(bool),)


def _fails_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    op, lanes = REGISTRY[attrs["of"]], attrs["lanes"]
    if not lanes:
        return f"linalg_error(lambda: {op.expression(args, types, {})})"
    names = [f"x{i}" for i in range(len(args))]
    inner = [type._replace(shape=type.shape[lanes:]) for type in types]
    function = f"lambda {', '.join(names)}: {op.expression(names, inner, {})}"
    return f"linalg_errors({function}, {lanes}, {', '.join(args)})"


def _fails_batch(
    size: Size, batched: Sequence[bool], args: Sequence[Any], of: str, lanes: int
) -> Any:
    args = all_with_lanes(size, batched, args)
    return linalg_fails.apply(args, {"of": of, "lanes": lanes + 1})


linalg_fails = Custom(
    "linalg_fails",
    _fails_infer,
    _fails_code,
    helpers=[linalg_error, linalg_errors],
    differentiable=False,
    backends=("numpy",),
    unknown_lengths=True,
    batch=_fails_batch,
    doc="""Whether NumPy finds a matrix singular, or not positive definite.

    Args:
        operands: those of the operator.
        of: the operator's name.
        lanes: how many first axes of the operands are lanes, each for itself.
    """,
)


def fails_as(name: str, compute: Callable) -> Callable[..., Conditions]:
    """The ``conditions`` of the operator of a name, which raises what ``compute`` does of a matrix
    that is singular."""

    def found(*operands: Any, **attrs: Any) -> Conditions:
        error = raised_by(compute, np.zeros((2, 2)))
        return [(error, linalg_fails(*operands, of=name, lanes=0))]

    return found
