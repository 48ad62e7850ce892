"""Arrays that live on a mesh: each process has its part."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.parallel.mesh import Mesh, P
from autograph.staging.ground.ownership import Recorded


class ShardedArray(Recorded):
    """An array of which each part of a mesh has a part.

    `autograph.shard_map` returns such arrays where ``out_specs`` divides a result, and takes them
    where ``in_specs`` does alike. ``np.asarray`` makes a whole array of one.

    Attributes:
        local: what this process has; on a mesh of lanes, which are all in one process, everything.
        mesh: whose parts have the parts.
        spec: which part each has.
    """

    __slots__ = ("local", "mesh", "spec")

    def __init__(self, local: Any, mesh: Mesh, spec: P):
        self.local = local
        self.mesh = mesh
        self.spec = spec

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the whole array."""
        shape = list(self.local.shape)
        if self.mesh.kind == "processes":
            for axis, count in enumerate(self.mesh.counts(self.spec)):
                shape[axis] *= count
        return tuple(shape)

    @property
    def dtype(self) -> np.dtype:
        """That of the elements."""
        return self.local.dtype

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.local.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.local, dtype)

    def __repr__(self) -> str:
        return f"ShardedArray({self.shape}, {self.dtype}, {self.mesh!r}, {self.spec!r})"
