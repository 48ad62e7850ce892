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
    shape = tuple(x.shape)
    axes = axis + 1 if axis >= 0 else -axis
    require(
        len(shape) >= axes and shape[axis] == expected,
        f"{layer} for {expected} features along axis {axis} of x, which has the shape {shape}",
        "give it an array with as many features, or make the layer for those that there are",
    )


def require_groups(groups: int, *channels: int) -> None:
    """Raise unless a number of groups divides numbers of channels.

    Raises:
        OperandShapeError: it does not.
    """
    require(
        all(count % groups == 0 for count in channels),
        f"{' and '.join(map(str, channels))} channels in {groups} groups",
        "choose a number of groups that divides them",
    )
