"""A mesh of processes: what this one has of arrays, and where it meets the others."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from autograph.backends import cupy
from autograph.errors import MeshError
from autograph.graph.variance import enter_processes
from autograph.parallel.everyone import Processes, everyone, of_gpus, of_hosts
from autograph.parallel.mesh import Mesh, communicators
from autograph.parallel.mpi.calls import Call
from autograph.parallel.mpi.communicator import Communicator
from autograph.parallel.specs import P
from ops.control.collectives import (
    lane_broadcast,
    lane_number,
    lanes_exchanged,
    lanes_gathered,
    lanes_max,
    lanes_min,
    lanes_permuted,
    lanes_scattered,
    lanes_summed,
    lanes_summed_to,
    parts_gathered,
)
from ops.control.meshes import MeshAxis
from ops.core.registry import Op


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


def index_of(
    mesh: Mesh, spec: P, shape: Sequence[int], place: Mapping[str, int]
) -> tuple[slice, ...]:
    """Where the part of an array lies that there is at a place of a mesh."""
    index = [slice(None)] * len(shape)
    for axis, names in enumerate(spec.axes):
        number, count = 0, 1
        for name in names:
            number, count = number * mesh.shape[name] + place[name], count * mesh.shape[name]
        if names:
            length = shape[axis] // count
            index[axis] = slice(number * length, (number + 1) * length)
    return tuple(index)


def part_of(x: np.ndarray, mesh: Mesh, spec: P) -> np.ndarray:
    """The part of this process of an array that all have: a view."""
    return x[index_of(mesh, spec, x.shape, mesh.place)]


def gathered(part: np.ndarray, mesh: Mesh, spec: P) -> np.ndarray:
    """The whole array, of what all processes have."""
    whole = np.asarray(part)
    for axis, names in enumerate(spec.axes):
        for name in reversed(names):
            rows = communicators(mesh)[name].gather(whole, Call("np.asarray", ""))
            whole = np.concatenate(list(rows), axis=axis)
    return whole


# -- in programs -----------------------------------------------------------------------------------

_Array: TypeAlias = Any  # of NumPy or CuPy


@functools.cache
def _processes(name: str, of: tuple[tuple[str, int], ...]) -> Processes:
    return communicators(Mesh("processes", dict(of)))[name]


Met: TypeAlias = Callable[..., Any]  # of arrays, and of ``donate``: see `Communicator.sum`


def meeting(kind: str, axis: tuple[str, Any], detail: Any, where: str) -> Met:
    """A function that gives this process what it gets where it meets the others along an axis; see
    `ops.control.meetings`. The axis is looked up when it is called: programs for a mesh that is not
    there can be loaded."""
    if kind == lane_number.name:
        return _number(axis)
    run, what = _MEETINGS[kind], Call(kind, where)

    def met(*arrays: Any, donate: bool = False) -> Any:
        along, given = _met_by(_processes(*axis), arrays, what)
        found = [x if x.ndim else x[()] for x in run(along, given, donate or detail, what)]
        return found[0] if len(found) == 1 else tuple(found)

    if kind != lanes_summed.name:
        return met
    one, several = _one_sum(axis, what, met), _several_sums(axis, what, met)

    def summed(*arrays: Any, donate: bool = False) -> Any:
        return one(arrays[0], donate) if len(arrays) == 1 else several(arrays)

    return summed


def _number(axis: tuple[str, Any]) -> Callable[[Any], Any]:
    """What gives the number of the process along an axis, as an array library has it. A device is
    sent it once: what is sent cannot be a part of a CUDA graph, a copy there can."""
    known: dict[str, Any] = {}

    def number(library: Any) -> Any:
        name = library.__name__
        if name not in known:
            known[name] = library.asarray(_processes(*axis).rank)[()]
        return known[name].copy()  # which may be written to

    return number


# Sums keep what MPI is told for the next arrays of these dtypes and shapes: at a place of a program
# there are no others, mostly.


def _one_sum(axis: tuple[str, Any], what: Call, otherwise: Met) -> Callable[[Any, bool], Any]:
    """What sums one array, of MPI or as ``otherwise`` does."""
    dtype: np.dtype | None = None
    shape: tuple[int, ...] = ()
    run: Callable[[np.ndarray, bool], np.ndarray]
    ndarray, numbers = np.ndarray, (np.generic, float)

    def summed(x: Any, donate: bool) -> Any:
        nonlocal dtype, shape, run
        if type(x) is not ndarray:
            if not isinstance(x, numbers):
                return otherwise(x, donate=donate)
            x, donate = np.asarray(x), True
        if x.dtype is not dtype or x.shape != shape:
            processes = _processes(*axis)
            made = processes.summing(x, what) if isinstance(processes, Communicator) else None
            if made is None:
                return otherwise(x, donate=donate)
            run, dtype, shape = made, x.dtype, x.shape
        return run(x, donate) if shape else run(x, donate)[()]

    return summed


def _several_sums(
    axis: tuple[str, Any], what: Call, otherwise: Met
) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """What sums several arrays, of MPI or as ``otherwise`` does."""
    dtypes: list[np.dtype] = []
    shapes: list[tuple[int, ...]] = []
    run: Callable[[Sequence[np.ndarray]], list[np.ndarray]]

    def summed(arrays: Sequence[Any]) -> Sequence[Any]:
        nonlocal dtypes, shapes, run
        if {*map(type, arrays)} != {np.ndarray}:
            return otherwise(*arrays)
        own = [x.shape for x in arrays]
        if shapes != own or dtypes != [x.dtype for x in arrays]:
            processes = _processes(*axis)
            if not (isinstance(processes, Communicator) and all(own)):
                return otherwise(*arrays)
            run = processes.summing_all(arrays, what)
            shapes, dtypes = own, [x.dtype for x in arrays]
        return run(arrays)

    return summed


def _met_by(processes: Processes, arrays: Sequence[Any], what: Call) -> tuple[Any, list[_Array]]:
    """What arrays meet by, and the arrays: data says where it runs, constants go with it."""
    if "cupy" in sys.modules and any(map(cupy.is_array, arrays)):
        return of_gpus(processes), [x if cupy.is_array(x) else cupy.from_host(x) for x in arrays]
    return of_hosts(processes, what), list(map(np.asarray, arrays))


_BY_OPERATOR: dict[Op, Callable[[Any, list[_Array], Any, Call], list[_Array]]] = {
    lanes_summed: lambda c, xs, donate, what: c.sum(xs, what, donate=bool(donate)),
    lanes_max: lambda c, xs, _, what: c.max(xs, what),
    lanes_min: lambda c, xs, _, what: c.min(xs, what),
    lanes_gathered: lambda c, xs, _, what: [c.gather(xs[0], what)],
    parts_gathered: lambda c, xs, _, what: [c.gather(xs[0], what)],
    lanes_scattered: lambda c, xs, _, what: [c.scatter_sum(xs[0], what)],
    lanes_permuted: lambda c, xs, pairs, what: [c.permute(xs[0], pairs, what)],
    lanes_exchanged: lambda c, xs, _, what: [c.exchange(xs[0], what)],
    lane_broadcast: lambda c, xs, lane, what: [c.broadcast(xs[0], lane, what)],
    lanes_summed_to: lambda c, xs, lane, what: [c.sum_to(xs[0], lane, what)],
}
_MEETINGS = {op.name: run for op, run in _BY_OPERATOR.items()}

# Programs whose arguments were the same in all processes, with their types.
_agreed: set[Any] = set()


def agreement(program: str, names: tuple[str, ...], fixed: bool) -> Callable[..., None]:
    """A function that refuses arguments that differ between processes, when a program is given such
    for the first time; always, if AUTOGRAPH_CHECK_ARGUMENTS is 1.

    Args:
        program: tells it from others.
        names: what messages call the arguments.
        fixed: whether they have the same types at every call.
    """
    known = False

    def require_agreement(*arrays: Any) -> None:
        nonlocal known
        if not known:
            known = _agree(program, names, arrays) and fixed

    return require_agreement


def _agree(program: str, names: tuple[str, ...], arrays: Sequence[Any]) -> bool:
    """Whether arguments of these types need not be looked at any more: they were the same in all
    processes.

    Raises:
        MeshError: some differ.
    """
    given = [x if cupy.is_array(x) else np.asarray(x) for x in arrays]
    key = program, names, *[(type(x), x.dtype, x.shape) for x in given]
    if key in _agreed:
        return True
    what = Call("shard_map", "")
    own = np.array([_digest(x, what) for x in given], np.uint64)
    found = everyone().gather(own, what)
    for name, row in zip(names, found.T):
        other = next((rank for rank, digest in enumerate(row) if digest != row[0]), None)
        if other is not None:
            raise MeshError(
                f"argument {name} is not the same in processes 0 and {other}",
                id="AG0648",
                fix="give all of them the same array, of which each takes its part, or make a "
                "divided one of the parts: ag.ShardedArray.from_local(part, mesh, spec)",
            )
    if os.environ.get("AUTOGRAPH_CHECK_ARGUMENTS") == "1":
        return False
    _agreed.add(key)
    return True


def are_same(digest: bytes) -> bool:
    """Whether all processes, each with a GPU, give the same bytes."""
    return of_gpus(everyone()).agree(digest, Call("the start of a program", ""))


def _digest(x: Any, what: Call) -> int:
    """A number that tells whether arrays are the same in all processes. Those on GPUs stay there:
    it is 0 if they are what the first process has."""
    if cupy.is_array(x):
        library, bytes_ = cupy.module(), np.dtype("uint8")
        own = library.ascontiguousarray(x).reshape(-1).view(bytes_)
        first = of_gpus(everyone()).broadcast(own, 0, what)
        return 0 if bool((own == first).all()) else 1
    digest = hashlib.blake2b(np.ascontiguousarray(x).data, digest_size=8).digest()
    return int.from_bytes(digest, "little")
