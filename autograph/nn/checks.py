"""What layers refuse."""

from __future__ import annotations

from typing import Any

from autograph.errors import OperandShapeError


def require(holds: bool, message: str, fix: str) -> None:
    """Raise what is wrong with shapes or sizes unless it holds.

    Raises:
        OperandShapeError: it does not hold.
    """
    if not holds:
        raise OperandShapeError(message, id="AG0720", fix=fix)


def require_features(layer: str, x: Any, axis: int, expected: int) -> None:
    """Raise unless an array has the features that a layer is for along an axis.

    Raises:
        OperandShapeError: it has others.
    """
    shape = np_shape(x)
    axes = axis + 1 if axis >= 0 else -axis
    require(
        len(shape) >= axes and shape[axis] == expected,
        f"{layer} for {expected} features along axis {axis} of x, which has the shape {shape}",
        "give it an array with as many features, or make the layer for those that there are",
    )


def np_shape(x: Any) -> tuple[int, ...]:
    return tuple(x.shape)
