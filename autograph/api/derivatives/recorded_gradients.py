"""The gradient of a scalar function, while something is recorded; users call `gradients`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.api.derivatives.common import checked_argnums, described, site_of
from autograph.api.derivatives.decided import note_taken
from autograph.api.derivatives.pullbacks import Reverse
from autograph.api.trees import leaf_type
from autograph.errors import Location, NonScalarOutputError
from autograph.graph.graph import Constant
from autograph.staging.arrays.array import GraphArray
from autograph.staging.calls.reused import reused
from autograph.staging.values.maybe import ArrayOrNone
from ops.core.types import ArrayType

__all__ = ["differentiate", "note_taken", "reused"]


def differentiate(
    function: Callable,
    argnums: int | Sequence[int],
    has_aux: bool,
    holomorphic: bool,
    args: tuple,
    kwargs: dict[str, Any],
) -> tuple[Any, Any, Any]:
    """(value, gradients, aux) as symbolic arrays; runs inside a recording."""
    site = site_of(function)
    wanted = checked_argnums(argnums, args, function, holomorphic)
    back = Reverse(function, args, kwargs, wanted, has_aux)
    value = back.result.tree
    if isinstance(value, ArrayOrNone):  # its check is made, and what it is if it is not None
        value = GraphArray(value.value)
    _require_scalar(value, holomorphic, site)
    seed = _one(value.type) if isinstance(value, GraphArray) else None
    gradients = back.trees([seed])
    return value, gradients[0] if isinstance(argnums, int) else gradients, back.aux


def _one(type: ArrayType) -> Constant:
    one = type.dtype.type(1)
    return Constant(one.item() if type.weak else one)


def _require_scalar(value: Any, holomorphic: bool, site: Location | None) -> None:
    type = leaf_type(value)
    if type is not None and type.shape == ():
        if type.inexact and (type.dtype.kind == "c") == holomorphic:
            return
        if holomorphic and type.inexact:
            raise NonScalarOutputError(
                f"with holomorphic=True the result has to be complex, but it is {type}",
                site,
                id="AG0509",
                fix="leave holomorphic out: the function is not holomorphic",
            )
    is_complex = type is not None and type.dtype.kind == "c" and type.shape == ()
    raise NonScalarOutputError(
        "grad needs a function whose result is a real scalar, but this one gives "
        f"{described(value)}",
        site,
        id="AG0501",
        fix="say holomorphic=True if the function is holomorphic, or take a real part of the result"
        if is_complex
        else "reduce the result to a scalar, for example with np.sum",
    )
