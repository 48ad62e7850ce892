"""The axis that a name stands for where a function is recorded, and how many lanes it has.

`autograph.vmap` with an ``axis_name`` and `autograph.shard_map` give axes their names.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from ops.control.meshes import MeshAxis
from ops.core.lengths import RunLength
from ops.core.recording import active_recording

Names = Hashable | Iterable[Hashable]  # of one axis, or of several


def axis_of(name: Hashable, meets: bool = True) -> Hashable:
    """What operators have for the axis that the user calls so.

    Args:
        meets: whether lanes meet here, so that all of them have to come.

    Raises:
        NameError: there is none of this name.
    """
    recording = active_recording()
    if recording is None:
        raise _nowhere(name)
    return recording.axis(name, meets)


def size_of(name: Hashable) -> int | RunLength:
    """How many lanes an axis has, as the user or as operators name it.

    Raises:
        NameError: there is none of this name.
    """
    if isinstance(name, MeshAxis) and name.of:  # cotangents are taken outside of the function, too
        return dict(name.of)[name.name]
    recording = active_recording()
    if recording is None:
        raise _nowhere(name)
    return recording.axis_size(name)


def _nowhere(name: Hashable) -> NameError:
    return NameError(
        f"there is no axis of lanes named {name!r} here; it is given by "
        "vmap(..., axis_name=...) or shard_map, inside of which this has to be called"
    )


def names_of(axis_name: Names) -> Sequence[Hashable]:
    """The names of one axis or of several."""
    if isinstance(axis_name, (tuple, list)) and not isinstance(axis_name, MeshAxis):
        return tuple(axis_name)
    name: Any = axis_name
    return (name,)


def known_size(name: Hashable) -> int:
    """`size_of` for what has to know it while the function is recorded.

    Raises:
        NameError: there is none of this name.
        ValueError: it is known only at run time.
    """
    size = size_of(name)
    if not isinstance(size, int):
        raise ValueError(
            f"how many lanes the axis {name!r} has is known only at run time, so they "
            "cannot be told apart by number"
        )
    return size


def dim_of(name: Hashable) -> int | None:
    """The length of an axis for the lanes in the type of an array."""
    size = size_of(name)
    return size if isinstance(size, int) else None
