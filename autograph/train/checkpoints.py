"""Whole states of a training on the disk: parameters, optimiser state, keys, counts.

The format is that of `autograph.parallel.checkpoint`: a crash at any time leaves the checkpoint
before, or the new one, and what some processes have written others read.
"""

from __future__ import annotations

import json
import os
from typing import Any, TypeVar

import numpy as np

from autograph.api import trees
from autograph.errors import LoadError
from autograph.parallel import checkpoint
from autograph.parallel.checkpoint import Leaf
from autograph.parallel.everyone import everyone, of_hosts
from autograph.parallel.mesh import Mesh
from autograph.parallel.mpi.calls import Call
from autograph.parallel.processes import index_of
from autograph.parallel.sharded import ShardedArray

Tree = TypeVar("Tree")
Path = str | os.PathLike[str]

_SAVE = Call("save_checkpoint", "")
_NOTE = "the note"  # no path of a leaf


def save_checkpoint(
    path: Path, state: Any, *, mesh: Mesh | None = None, note: dict[str, Any] | None = None
) -> None:
    """Write a state in the place of the one before.

    Of a mesh of processes all have to call it, and each writes what it has of `ag.ShardedArray`.

    Args:
        path: of a folder.
        state: any structure that `ag.tree` takes; arrays and numbers are written.
        mesh: the processes that have the state, if none of its arrays is divided among them.
        note: what `checkpoint_note` gives back: what JSON can write.

    Raises:
        OSError: a file cannot be written.
        CollectiveError: the processes do not have the same state.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     train.save_checkpoint(folder, {"w": np.ones(2), "step": 3})
        ...     train.load_checkpoint(folder, like={"w": np.zeros(2), "step": 0})
        {'w': array([1., 1.]), 'step': 3}
    """
    leaves, names = _named(state)
    for leaf in leaves:
        if isinstance(leaf, ShardedArray) and leaf.mesh.kind == "processes":
            mesh = leaf.mesh
    among = mesh is not None and mesh.kind == "processes"
    pieces = [_piece(name, leaf) for name, leaf in zip(names, leaves) if leaf is not None]
    if note is not None:
        pieces.append(_piece(_NOTE, np.frombuffer(json.dumps(note).encode(), np.uint8)))
    checkpoint.save(path, pieces, of_hosts(everyone(), _SAVE) if among else None)


def load_checkpoint(path: Path, like: Tree) -> Tree:
    """The state that was saved.

    Args:
        path: of the folder.
        like: a state that is nested as the saved one is, with arrays of the same shapes and dtypes.
            What is an `ag.ShardedArray` in it is divided as that is, however it was when it was
            saved.

    Raises:
        LoadError: there is no checkpoint, it is damaged, or its arrays are not those of ``like``,
            whose paths the error has.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     train.save_checkpoint(folder, [np.arange(3.0)])
        ...     train.load_checkpoint(folder, [np.zeros(3)])
        [array([0., 1., 2.])]
    """
    leaves, nesting = _taken_apart(like)
    names = nesting.paths("")
    present = {name for name, leaf in zip(names, leaves) if leaf is not None}
    known = checkpoint.arrays(path)
    known.pop(_NOTE, None)
    missing, more = sorted(present - known.keys()), sorted(known.keys() - present)
    if missing or more:
        raise _misfit(
            f"the checkpoint in {os.fspath(path)!r} is of another structure:"
            f"{_listed(' it lacks ', missing)}{_listed(' it has besides ', more)}"
        )
    found = [
        None if leaf is None else _loaded(path, name, leaf, known[name])
        for name, leaf in zip(names, leaves)
    ]
    return nesting.unflatten(found)


def checkpoint_note(path: Path) -> Any:
    """What was noted with a checkpoint; None if nothing was.

    Raises:
        LoadError: there is no checkpoint, or it is damaged.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     train.save_checkpoint(folder, {"w": np.ones(2)}, note={"epoch": 3})
        ...     train.checkpoint_note(folder)
        {'epoch': 3}
    """
    if _NOTE not in checkpoint.arrays(path):
        return None
    return json.loads(checkpoint.load(path, _NOTE).tobytes())


def _taken_apart(state: Any) -> tuple[list[Any], trees.Nesting]:
    is_leaf = lambda part: isinstance(part, ShardedArray)
    return trees.flatten(state, trees.has_type, is_leaf, prepared=trees.plain)


def _named(state: Any) -> tuple[list[Any], list[str]]:
    leaves, nesting = _taken_apart(state)
    return leaves, nesting.paths("")


def _piece(name: str, leaf: Any) -> Leaf:
    if isinstance(leaf, ShardedArray):
        ranges = _ranges(leaf)
        return Leaf(name, leaf.shape, ranges, np.asarray(leaf.local))
    array = np.asarray(leaf)
    return Leaf(name, array.shape, tuple((0, n) for n in array.shape), array)


def _ranges(leaf: ShardedArray) -> tuple[tuple[int, int], ...]:
    """Which part of the whole array this process has."""
    shape = leaf.shape
    if leaf.mesh.kind != "processes":
        return tuple((0, n) for n in shape)
    index = index_of(leaf.mesh, leaf.spec, shape, leaf.mesh.place)
    return tuple(part.indices(n)[:2] for part, n in zip(index, shape))


def _loaded(path: Path, name: str, like: Any, saved: tuple[tuple[int, ...], np.dtype]) -> Any:
    array = like if isinstance(like, ShardedArray) else np.asarray(like)
    if saved != (array.shape, array.dtype):
        shape, dtype = saved
        raise _misfit(
            f"{name or 'the state'} has shape {shape} and dtype {dtype} in the checkpoint, not "
            f"{array.shape} and {array.dtype}"
        )
    if isinstance(like, ShardedArray):
        part = checkpoint.load(path, name, _ranges(like))
        return ShardedArray.from_local(part, like.mesh, like.spec)
    found = checkpoint.load(path, name)
    if type(like) in (bool, int, float, complex):
        return type(like)(found[()])
    return found[()] if isinstance(like, np.generic) else found


def _listed(what: str, names: list[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"{what}{', '.join(name or 'one array' for name in names[:5])}{more};"


def _misfit(message: str) -> LoadError:
    return LoadError(
        message.rstrip(";"), id="AG0730", fix="give a state like the one that was saved"
    )
