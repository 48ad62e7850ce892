"""Meshes, whose parts run a function together, and what each part has of an array."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Literal

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
        found = []
        for axis in axes:
            names = () if axis is None else (axis,) if isinstance(axis, str) else tuple(axis)
            if not all(isinstance(name, str) for name in names):
                raise MeshError(
                    f"P holds {axis!r}; an axis of a mesh has a text as its name",
                    fix="write a name, a tuple of names, or None for each axis of the array",
                )
            found.append(names)
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


class Mesh:
    """Parts that run a function together, as a grid whose axes have names.

    It is made by `Mesh.lanes` or `Mesh.processes`.

    Attributes:
        kind: "lanes" or "processes".
        shape: how many parts there are along each axis, by name.
    """

    kind: Literal["lanes", "processes"]
    shape: Mapping[str, int]
    _made: ClassVar[dict[Any, Mesh]] = {}  # one of each, as for `P`

    def __new__(cls, kind: Literal["lanes", "processes"], shape: Mapping[str, int]) -> Mesh:
        if not shape:
            raise MeshError("a mesh has no axes", fix="give it one, like data=2")
        for name, size in shape.items():
            if not isinstance(size, int) or isinstance(size, bool) or size < 1:
                raise MeshError(
                    f"the axis {name!r} of a mesh has {size!r} parts",
                    fix="give each axis a number of parts, like data=2",
                )
        self = super().__new__(cls)
        self.kind = kind
        self.shape = MappingProxyType(dict(shape))
        return cls._made.setdefault((kind, tuple(shape.items())), self)

    def __reduce__(self) -> tuple:
        return Mesh, (self.kind, dict(self.shape))

    @staticmethod
    def lanes(**axes: int) -> Mesh:
        """A mesh whose parts are lanes of one process, for development: what runs on processes
        gives the same numbers here, and the same errors, where it is easily looked at.

        Args:
            axes: how many parts there are along each axis.

        Raises:
            MeshError: a number is less than one, or none.

        Examples:
            >>> ag.Mesh.lanes(data=2, model=3)
            Mesh.lanes(data=2, model=3)
        """
        return Mesh("lanes", axes)

    @staticmethod
    def processes(**axes: int) -> Mesh:
        """A mesh whose parts are the processes that ``mpiexec`` has started. All of them make it.

        Processes are numbered along the last axis first.

        Args:
            axes: how many there are along each axis. One may be -1: as many as that makes.

        Raises:
            MeshError: there are more or fewer processes.
            MissingLibraryError: there is no mpi4py, or it finds no MPI.
        """
        from autograph.parallel.processes import mesh_of_processes

        return mesh_of_processes(**axes)

    @property
    def size(self) -> int:
        """How many parts there are."""
        return math.prod(self.shape.values())

    @property
    def place(self) -> dict[str, int]:
        """The place of this process along each axis, of a mesh of processes."""
        from autograph.parallel.processes import place_of

        return place_of(self)

    def divided(self, spec: P, shape: Sequence[int | None], what: str) -> tuple[int | None, ...]:
        """The shape of what each part has of an array.

        Args:
            what: what messages call the array.

        Raises:
            MeshError: the mesh lacks an axis, or the array, or its length is no multiple.
        """
        require_axes(self, spec)
        if len(spec.axes) > len(shape):
            raise MeshError(
                f"{what}, of shape {tuple(shape)}, has fewer axes than {spec!r} divides",
                id="AG0641",
                fix="give it a spec with at most as many axes",
            )
        parts = list(shape)
        for axis, count in enumerate(self.counts(spec)):
            length = shape[axis]
            if length is None:
                continue
            if length % count:
                raise MeshError(
                    f"axis {axis} of {what}, of length {length}, is not divisible by {count}, the "
                    f"number of parts along {' and '.join(map(repr, spec.axes[axis]))}",
                    id="AG0641",
                    fix="pad the array, or choose a mesh that divides it",
                )
            parts[axis] = length // count
        return tuple(parts)

    def counts(self, spec: P) -> Iterator[int]:
        """Into how many parts each axis of an array is divided."""
        return (math.prod(self.shape[name] for name in names) for names in spec.axes)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}={size}" for name, size in self.shape.items())
        return f"Mesh.{self.kind}({sizes})"


def require_axes(mesh: Mesh, spec: P) -> None:
    """
    Raises:
        MeshError: a spec names an axis that the mesh does not have.
    """
    unknown = next((name for name in spec.names if name not in mesh.shape), None)
    if unknown is not None:
        raise MeshError(
            f"{spec!r} divides along {unknown!r}, but {mesh!r} has no such axis",
            fix=f"use one of {', '.join(map(repr, mesh.shape))}",
        )


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
