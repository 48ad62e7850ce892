"""What says which part of an array each part of a mesh has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from autograph.errors import MeshError


class P:
    """Which part of an array each part of a mesh has: for each axis of the array the axis of the
    mesh, or the tuple of axes, along which it is divided; None where it is not.

    Axes of the array that are not named are not divided: each part of the mesh has all of ``P()``.

    Raises:
        MeshError: an axis of the mesh is named twice.

    Examples:
        >>> ag.P("data")  # rows along the axis "data"; along others, each part has the same
        P('data')
        >>> ag.P(None, ("data", "model"))
        P(None, ('data', 'model'))
    """

    __slots__ = ("axes",)
    axes: tuple[tuple[str, ...], ...]
    _made: ClassVar[dict[Any, P]] = {}  # one of each: signatures tell them by identity

    def __new__(cls, *axes: str | Sequence[str] | None) -> P:
        found: list[tuple[str, ...]] = []
        for axis in axes:
            given: Any = () if axis is None else (axis,) if isinstance(axis, str) else axis
            if not all(isinstance(name, str) for name in given):
                raise MeshError(
                    f"P holds {axis!r}; an axis of a mesh has a text as its name",
                    fix="write a name, a tuple of names, or None for each axis of the array",
                )
            found.append(tuple(given))
        while found and not found[-1]:
            found.pop()
        self = super().__new__(cls)
        self.axes = tuple(found)
        names = self.names
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise MeshError(
                f"{self!r} divides two axes of an array along {twice!r}",
                fix="name each axis of the mesh once at most",
            )
        return cls._made.setdefault(self.axes, self)

    def __reduce__(self) -> tuple:
        return P, self.axes

    @property
    def names(self) -> list[str]:
        """The axes of the mesh along which something is divided."""
        return [name for names in self.axes for name in names]

    def __repr__(self) -> str:
        shown = [None if not a else a[0] if len(a) == 1 else a for a in self.axes]
        return f"P({', '.join(map(repr, shown))})"


def require_specs(specs: Sequence[Any], what: str) -> None:
    """
    Raises:
        MeshError: something that is no `P` stands where one is expected.
    """
    wrong = [spec for spec in specs if not isinstance(spec, P)]
    if wrong:
        raise MeshError(
            f"{what} holds {wrong[0]!r}, which is no ag.P",
            fix=f"write {what}=ag.P(...), or a tuple with one for each",
        )
