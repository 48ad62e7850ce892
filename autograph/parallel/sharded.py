"""Arrays that live on a mesh: each process has its part."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import ops
from autograph.errors import MeshError
from autograph.log import log
from autograph.parallel.mesh import Mesh
from autograph.parallel.processes import axes_of_processes, gathered, index_of, part_of
from autograph.parallel.specs import P
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.ownership import Recorded
from ops.control.collectives import own_part, parts_gathered


class ShardedArray(Recorded):
    """An array of which each part of a mesh has a part.

    `autograph.shard_map` returns such arrays where ``out_specs`` divides a result, and takes them
    where ``in_specs`` does alike. `autograph.put` makes one of an array that all processes have,
    `from_local` of what this one has.

    ``np.asarray`` gathers it: all processes have to do so together.

    Examples:
        >>> mesh = ag.Mesh.lanes(data=2)
        >>> x = ag.ShardedArray.from_local(np.arange(4.0), mesh, ag.P("data"))
        >>> double = ag.shard_map(lambda x: 2 * x, mesh, ag.P("data"), ag.P("data"))
        >>> double(x)
        ShardedArray((4,), float64, Mesh.lanes(data=2), P('data'))
        >>> np.asarray(double(x))
        array([0., 2., 4., 6.])

    Attributes:
        mesh: whose parts have the parts.
        spec: which part each has.
    """

    __slots__ = ("_local", "mesh", "spec")
    has_derivative = True

    def __init__(self, local: Any, mesh: Mesh, spec: P):
        self._local = local
        self.mesh = mesh
        self.spec = spec

    @classmethod
    def from_local(cls, part: Any, mesh: Mesh, spec: P) -> ShardedArray:
        """The array of which this process has ``part``; those of all processes have one shape.

        Args:
            part: an array. On a mesh of lanes, whose parts are all here, the whole one.

        Raises:
            MeshError: the spec does not fit.
        """
        part = np.asarray(part)
        if mesh.kind == "lanes":
            mesh.divided(spec, part.shape, "the array")
        return cls(part, mesh, spec)

    @property
    def local(self) -> Any:
        """What this process has, an array; on a mesh of lanes, which are all in one process,
        everything.

        Raises:
            MeshError: it is asked for while a function is recorded. What one process has is not
                what another has, and only functions for a mesh know that.
        """
        if isinstance(self._local, GraphArray):
            raise MeshError(
                "what one process has of an array is used outside of functions for a mesh",
                user_location(),
                id="AG0647",
                fix="use it in a function that shard_map is given",
            )
        return self._local

    @property
    def content(self) -> Any:
        """`local`, for the compiler: symbolic while a function is recorded."""
        return self._local

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the whole array."""
        shape = list(self._local.shape)
        if self.mesh.kind == "processes":
            for axis, count in enumerate(self.mesh.counts(self.spec)):
                shape[axis] *= count
        return tuple(shape)

    @property
    def dtype(self) -> np.dtype:
        """That of the elements."""
        return self._local.dtype

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self._local.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        local = self.local
        if self.mesh.kind == "processes":
            log.info("an array of shape %s is gathered from all processes", self.shape)
            local = gathered(local, self.mesh, self.spec)
        return np.asarray(local, dtype)

    def as_array(self) -> Any:
        """The whole array, while a function is recorded."""
        content = self._local
        if not isinstance(content, GraphArray) or self.mesh.kind == "lanes":
            return content
        axes = axes_of_processes(self.mesh)
        names = tuple(axes[name] for name in sorted(self.spec.names))
        whole: Any = own_part(content, axes=names) if names else content
        for axis, along in enumerate(self.spec.axes):
            for name in reversed(along):
                rows = parts_gathered(whole, axes[name])
                lengths = list(ops.lengths_of(whole))
                lengths[axis] = lengths[axis] * self.mesh.shape[name]
                whole = ops.reshape(ops.moveaxis(rows, 0, axis), lengths)
        return whole

    def __str__(self) -> str:
        """Who holds what."""
        lines = [repr(self)]
        names = list(self.mesh.shape)
        own = self.mesh.place if self.mesh.kind == "processes" else None
        places = list(itertools.islice(np.ndindex(*self.mesh.shape.values()), _MOST + 1))
        for numbers in places[:_MOST]:
            place = dict(zip(names, numbers))
            where = ", ".join(f"{name}={number}" for name, number in place.items())
            index = [
                ":" if part == slice(None) else f"{part.start}:{part.stop}"
                for part in index_of(self.mesh, self.spec, self.shape, place)
            ]
            here = "  here" if own == place else ""
            lines.append(f"  {where}  [{', '.join(index)}]{here}")
        return "\n".join([*lines, *["  ..."] * (len(places) > _MOST)])

    def __repr__(self) -> str:
        return f"ShardedArray({self.shape}, {self.dtype}, {self.mesh!r}, {self.spec!r})"


_MOST = 16  # how many parts are shown


def put(x: Any, mesh: Mesh, spec: P) -> ShardedArray:
    """An array that all processes have, divided among the parts of a mesh.

    Args:
        x: the whole array, the same in all processes.
        mesh: the parts.
        spec: which part of the array each has.

    Raises:
        MeshError: the spec does not fit the mesh or the array.

    Examples:
        >>> ag.put(np.zeros((4, 6)), ag.Mesh.lanes(data=2), ag.P("data"))
        ShardedArray((4, 6), float64, Mesh.lanes(data=2), P('data'))
    """
    x = np.asarray(x)
    mesh.divided(spec, x.shape, "the array")
    if mesh.kind == "processes":
        x = part_of(x, mesh, spec).copy()
    return ShardedArray(x, mesh, spec)
