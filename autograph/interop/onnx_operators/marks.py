"""What parameters of operators' functions are marked with, and what several of them share."""

from __future__ import annotations

from typing import Any

from autograph.errors import UnsupportedFunctionError

# Numbers that decide shapes: what they are is known before the run. Where the model says it, they
# are written out, as numbers and tuples.
Known = Any

# A dtype, for which ONNX has a number.
Dtype = Any


def several(found: tuple[Any, ...], outputs: int) -> Any:
    """The first results of an operator: one by itself, more as a tuple."""
    return found[0] if outputs == 1 else found[:outputs]


def unsupported(what: str) -> UnsupportedFunctionError:
    """The error for what an operator may be told to do, but has no form here."""
    return UnsupportedFunctionError(
        f"the model has {what}",
        id="AG0755",
        fix="leave this part out of the model, or export the model with other operators",
    )
