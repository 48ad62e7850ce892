"""A mesh of processes: which part this process is, and where it meets the others.

Each axis of a mesh has its communicators: of the processes that differ in their place along it
alone. They are made with the mesh, which all processes make, so that later those along one axis may
meet where others do not come.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.errors import MeshError
from autograph.graph.variance import enter_processes
from autograph.parallel.mesh import Mesh, P
from autograph.parallel.mpi.calls import Call
from autograph.parallel.mpi.communicator import Communicator
from autograph.parallel.mpi.world import world
from ops.control import meetings
from ops.control.meshes import MeshAxis

Axes = tuple[tuple[str, int], ...]  # the axes of a mesh, with their sizes

_communicators: dict[Axes, dict[str, Communicator]] = {}


def mesh_of_processes(**axes: int) -> Mesh:
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
    key = tuple(mesh.shape.items())
    if key not in _communicators:
        place = _place(mesh, everyone.rank)
        made = {}
        for name in mesh.shape:
            others = [place[other] for other in mesh.shape if other != name]
            sizes_ = [mesh.shape[other] for other in mesh.shape if other != name]
            color = int(np.ravel_multi_index(others, sizes_)) if others else 0
            made[name] = everyone.split(color, place[name])
        _communicators[key] = made
    return mesh


def _place(mesh: Mesh, rank: int) -> dict[str, int]:
    return dict(zip(mesh.shape, map(int, np.unravel_index(rank, tuple(mesh.shape.values())))))


def place_of(mesh: Mesh) -> dict[str, int]:
    """The place of this process along each axis of a mesh."""
    return {name: communicator.rank for name, communicator in _along(mesh).items()}


def _along(mesh: Mesh) -> Mapping[str, Communicator]:
    found = _communicators.get(tuple(mesh.shape.items()))
    if found is None:
        raise MeshError(
            f"{mesh!r} was not made in this process",
            id="AG0646",
            fix="make it by ag.Mesh.processes(...) in all processes",
        )
    return found


def axes_of_processes(mesh: Mesh) -> dict[str, MeshAxis]:
    """What operators have for the axes of a mesh, which are known of from here on.

    Raises:
        MeshError: there is another mesh with an axis of the same name in what is recorded.
    """
    of = tuple(mesh.shape.items())
    axes = {name: MeshAxis(name, of) for name in mesh.shape}
    try:
        enter_processes(axes.values())
    except ValueError as error:
        raise MeshError(
            f"functions for two meshes that both have an axis {str(error)!r} are in one compiled "
            "function",
            id="AG0644",
            fix="give the axes of the meshes different names, or use one mesh",
        ) from None
    return axes


def part_of(x: np.ndarray, mesh: Mesh, spec: P) -> np.ndarray:
    """The part of this process of an array that all have: a view."""
    place, index = place_of(mesh), []
    for axis, names in enumerate(spec.axes):
        number, count = 0, 1
        for name in names:
            number, count = number * mesh.shape[name] + place[name], count * mesh.shape[name]
        length = x.shape[axis] // count
        index.append(slice(number * length, (number + 1) * length))
    return x[tuple(index)]


def gathered(part: np.ndarray, mesh: Mesh, spec: P) -> np.ndarray:
    """The whole array, of what all processes have."""
    whole = np.asarray(part)
    for axis, names in enumerate(spec.axes):
        for name in reversed(names):
            rows = _along(mesh)[name].gather(whole, Call("np.asarray", ""))
            whole = np.concatenate(list(rows), axis=axis)
    return whole


# -- in programs -----------------------------------------------------------------------------------


@functools.cache
def _call(kind: str, where: str) -> Call:
    return Call(kind, where)


def _meet(kind: str, axis: tuple[str, Axes], detail: Any, where: str, *arrays: Any) -> Any:
    """What this process gets where it meets the others along an axis; see `ops.control.meetings`."""
    name, of = axis
    communicator = _communicators[of][name]
    if kind == "axis_index":
        return np.intp(communicator.rank)
    what = _call(kind, where)
    if kind == "psum":
        found = communicator.sum([np.asarray(x) for x in arrays], what)
        return found[0][()] if len(found) == 1 else tuple(x[()] for x in found)
    (x,) = arrays
    return _KINDS[kind](communicator, np.asarray(x), detail, what)[()]


_KINDS: dict[str, Callable[[Communicator, np.ndarray, Any, Call], np.ndarray]] = {
    "pmax": lambda c, x, _, what: c.max([x], what)[0],
    "pmin": lambda c, x, _, what: c.min([x], what)[0],
    "all_gather": lambda c, x, _, what: c.gather(x, what),
    "all_gather_invariant": lambda c, x, _, what: c.gather(x, what),
    "psum_scatter": lambda c, x, _, what: c.scatter_sum(x, what),
    "ppermute": lambda c, x, pairs, what: c.permute(x, pairs, what),
    "exchange": lambda c, x, _, what: c.exchange(x, what),
    "broadcast": lambda c, x, lane, what: c.broadcast(x, lane, what),
    "psum_to": lambda c, x, lane, what: c.sum_to(x, lane, what),
}

meetings.executor[:] = [_meet]
