"""Meshes, whose parts run a function together.

Each axis of a mesh of processes has its communicators: of the processes that differ in their place
along it alone. They are made with the mesh, which all processes make, so that later those along one
axis may meet where others do not come.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np

from autograph.errors import MeshError
from autograph.parallel.mpi.communicator import Communicator
from autograph.parallel.mpi.world import world
from autograph.parallel.specs import P


class Mesh:
    """Parts that run a function together, as a grid whose axes have names.

    It is made by `Mesh.lanes` or `Mesh.processes`, and there is one of each: meshes of the same
    parts are the same mesh.

    Examples:
        >>> ag.Mesh.lanes(data=2, model=3).size
        6

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
        everyone = world()
        sizes = dict(axes)
        open_ = [name for name, size in sizes.items() if size == -1]
        if len(open_) == 1:
            rest = math.prod(size for size in sizes.values() if size != -1)
            sizes[open_[0]] = everyone.size // rest if rest > 0 else 0
        mesh = Mesh("processes", sizes)
        if mesh.size != everyone.size:
            raise MeshError(
                f"{mesh!r} has {mesh.size} parts, but there are {everyone.size} processes",
                id="AG0646",
                fix=f"start it by: mpiexec -n {mesh.size} python script.py",
            )
        if mesh not in _communicators:
            _communicators[mesh] = _made_along(mesh, everyone)
        return mesh

    @staticmethod
    def planned(**axes: int) -> Mesh:
        """A mesh of processes that need not be there: functions for it can be recorded, printed and
        explained, to see what they would send, but not run.

        Args:
            axes: how many there would be along each axis.

        Examples:
            >>> mesh = ag.Mesh.planned(data=1024)
            >>> total = ag.shard_map(lambda x: ops.psum(x, "data"), mesh, ag.P("data"), ag.P())
            >>> [meeting] = total.explain(np.zeros((1024, 100))).meetings
            >>> meeting.messages, meeting.nbytes
            (1, 800)
        """
        return Mesh("processes", axes)

    @property
    def size(self) -> int:
        """How many parts there are."""
        return math.prod(self.shape.values())

    @property
    def place(self) -> dict[str, int]:
        """The place of this process along each axis, of a mesh of processes."""
        return {name: made.rank for name, made in communicators(self).items()}

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


# -- processes -------------------------------------------------------------------------------------

_communicators: dict[Mesh, dict[str, Communicator]] = {}


def communicators(mesh: Mesh) -> Mapping[str, Communicator]:
    """The processes along each axis of a mesh that this one is among.

    Raises:
        MeshError: it was not made in this process.
    """
    found = _communicators.get(mesh)
    if found is None:
        raise MeshError(
            f"{mesh!r} was not made in this process",
            id="AG0646",
            fix="make it by ag.Mesh.processes(...) in all processes",
        )
    return found


def _made_along(mesh: Mesh, everyone: Communicator) -> dict[str, Communicator]:
    numbers = np.unravel_index(everyone.rank, tuple(mesh.shape.values()))
    place = dict(zip(mesh.shape, map(int, numbers)))
    made = {}
    for name in mesh.shape:
        color = 0
        for other, size in mesh.shape.items():
            color = color * size + place[other] if other != name else color
        made[name] = everyone.split(color, place[name])
    return made
