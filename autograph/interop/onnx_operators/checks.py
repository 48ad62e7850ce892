"""What a model takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.errors import OperandShapeError, OperandTypeError


def checked(name: str, x: Any, dtype: Any, shape: Any = None) -> Any:
    """An input as an array of a dtype and a shape.

    Args:
        shape: the lengths, None where any will do; None for any number of axes.

    Raises:
        OperandTypeError, OperandShapeError: it has others.
    """
    x = np.asarray(x)
    if x.dtype != dtype:
        raise OperandTypeError(
            f"the input {name!r} of the model is of dtype {np.dtype(dtype)}, not {x.dtype}",
            id="AG0756",
            fix=f"convert it: x.astype(np.{np.dtype(dtype)})",
        )
    fits = shape is None or (
        len(shape) == len(x.shape)
        and all(n is None or m is None or n == m for n, m in zip(shape, x.shape))
    )
    if not fits:
        shown = ", ".join("?" if n is None else str(n) for n in shape)
        raise OperandShapeError(
            f"the input {name!r} of the model has the shape ({shown}), not {x.shape}",
            id="AG0756",
            fix="give it an array of that shape, or ag.vmap the model over more axes",
        )
    return x
