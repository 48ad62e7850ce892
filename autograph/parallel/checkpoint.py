"""Checkpoints that all processes write, each what it has, and that another number of them reads.

A checkpoint is a folder. Each process writes one file of the pieces of arrays that it has; of those
that several have, the one with the lowest rank. A manifest says where the pieces are. It is written
last, under another name, synchronised, and renamed over the one before: until then the folder holds
the checkpoint before, whose files are removed after. So a crash at any time leaves one of the two.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import uuid
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from autograph.errors import CollectiveError, LoadError
from autograph.parallel.mpi.calls import Call
from autograph.parallel.mpi.communicator import Communicator

MANIFEST = "manifest.json"
_FORMAT = 1
_CALL = Call("save", "")

Ranges = Sequence[tuple[int, int]]


class Leaf(NamedTuple):
    """A piece of an array.

    Attributes:
        name: of the whole array, by which it is loaded.
        shape: of the whole array.
        ranges: where the piece is, from and to, for each axis.
        array: the piece.
    """

    name: str
    shape: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...]
    array: np.ndarray


class _Piece(NamedTuple):
    """A piece as the manifest has it."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    ranges: tuple[tuple[int, int], ...]
    file: str
    offset: int
    size: int


# -- saving ----------------------------------------------------------------------------------------


def save(
    path: str | os.PathLike[str], leaves: Sequence[Leaf], communicator: Communicator | None = None
) -> None:
    """Write a checkpoint in the place of the one before. All processes call it.

    Args:
        path: of the folder, which all processes see.
        leaves: what this process has. Together they have to be whole arrays.
        communicator: of all processes that write; None if there is one.

    Raises:
        CollectiveError: pieces are missing, overlap, or do not fit.
        OSError: a file cannot be written.
    """
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    rank = 0 if communicator is None else communicator.rank
    mine = [_described(leaf) for leaf in leaves]
    token = _same_for_all(uuid.uuid4().hex, communicator)
    pieces, owned = _laid_out(_gathered(mine, communicator), token)
    _check_whole(pieces)
    own = owned.get(rank, [])
    if own:
        _write(folder / f"{token}-{rank}.part", _contents(leaves[index].array for index in own))
    _wait(communicator)  # until all parts are on the disk
    if rank == 0:
        manifest = {"format": _FORMAT, "pieces": [piece._asdict() for piece in pieces]}
        temporary = folder / f"{token}.manifest"
        _write(temporary, [json.dumps(manifest).encode()])
        os.replace(temporary, folder / MANIFEST)
        _sync_folder(folder)
        for old in folder.iterdir():
            if old.suffix in (".part", ".manifest") and not old.name.startswith(token):
                with contextlib.suppress(OSError):
                    old.unlink()
    _wait(communicator)  # until it is the checkpoint


def _described(leaf: Leaf) -> list[Any]:
    dtype, ranges = leaf.array.dtype, [[int(a), int(b)] for a, b in leaf.ranges]
    expected = tuple(stop - start for start, stop in ranges)
    if dtype.hasobject or dtype.names is not None:
        raise _wrong(leaf.name, f"is of dtype {dtype}", "save arrays of numbers, or their fields")
    if leaf.array.shape != expected or len(ranges) != len(leaf.shape):
        what = f"has shape {leaf.array.shape}, which its ranges {leaf.ranges} do not have"
        raise _wrong(leaf.name, what, "give the ranges of the piece in the whole array")
    return [leaf.name, list(map(int, leaf.shape)), dtype.str, ranges]


def _wrong(name: str, what: str, fix: str) -> CollectiveError:
    return CollectiveError(f"a piece of {name!r} in a checkpoint {what}", id="AG0670", fix=fix)


def _laid_out(
    tables: Sequence[Sequence[Any]], token: str
) -> tuple[list[_Piece], dict[int, list[int]]]:
    """Where pieces go, and which of its own each process writes; the same on all processes."""
    pieces: list[_Piece] = []
    owned: dict[int, list[int]] = {}
    seen: set[Any] = set()
    for rank, table in enumerate(tables):
        offset = 0
        for index, (name, shape, dtype, ranges) in enumerate(table):
            where = (name, tuple(map(tuple, ranges)))
            if where in seen:
                continue
            seen.add(where)
            owned.setdefault(rank, []).append(index)
            size = math.prod(stop - start for start, stop in ranges) * np.dtype(dtype).itemsize
            file = f"{token}-{rank}.part"
            pieces.append(_Piece(name, tuple(shape), dtype, where[1], file, offset, size))
            offset += size + 4
    return pieces, owned


def _check_whole(pieces: Sequence[_Piece]) -> None:
    """Whether the pieces of each array are all of it, and no two have an element in common."""
    arrays: dict[str, list[_Piece]] = {}
    for piece in pieces:
        arrays.setdefault(piece.name, []).append(piece)
    for name, found in arrays.items():
        if len({(piece.shape, piece.dtype) for piece in found}) > 1:
            raise _wrong(name, "has another shape or dtype than another", "save one array by it")
        filled = 0
        for i, piece in enumerate(found):
            if any(not 0 <= a <= b <= n for (a, b), n in zip(piece.ranges, piece.shape)):
                raise _wrong(name, f"is at {piece.ranges}, outside it", "give ranges inside")
            if any(_overlap(piece.ranges, other.ranges) for other in found[:i]):
                raise _wrong(name, "overlaps another", "let pieces be the same, or apart")
            filled += math.prod(stop - start for start, stop in piece.ranges)
        if filled != math.prod(found[0].shape):
            raise _wrong(name, "is missing", "let the processes together save all of it")


def _overlap(one: Ranges, other: Ranges) -> bool:
    return all(max(a, c) < min(b, d) for (a, b), (c, d) in zip(one, other))


def _contents(arrays: Iterator[np.ndarray]) -> Iterator[bytes | memoryview]:
    for array in arrays:
        memory = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        yield zlib.crc32(memory).to_bytes(4, "little")
        yield memory


def _write(path: Path, contents: Any) -> None:
    """A file that is on the disk afterwards, with its name."""
    with open(path, "wb") as file:
        for each in contents:
            file.write(each)
        file.flush()
        os.fsync(file.fileno())
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# -- between processes -----------------------------------------------------------------------------


def _wait(communicator: Communicator | None) -> None:
    if communicator is not None:
        communicator.barrier(_CALL)


def _same_for_all(text: str, communicator: Communicator | None) -> str:
    if communicator is None:
        return text
    found = communicator.broadcast(np.frombuffer(text.encode(), np.uint8), 0, _CALL)
    return found.tobytes().decode()


def _gathered(table: list[Any], communicator: Communicator | None) -> list[Any]:
    """The tables of all processes."""
    if communicator is None:
        return [table]
    text = np.frombuffer(json.dumps(table).encode(), np.uint8)
    lengths = communicator.gather(np.array(text.size), _CALL)
    padded = np.zeros(lengths.max(), np.uint8)
    padded[: text.size] = text
    rows = communicator.gather(padded, _CALL)
    return [json.loads(row[:length].tobytes()) for row, length in zip(rows, lengths)]


# -- loading ---------------------------------------------------------------------------------------


def arrays(path: str | os.PathLike[str]) -> dict[str, tuple[tuple[int, ...], np.dtype]]:
    """The shapes and dtypes of what a checkpoint holds, by name.

    Raises:
        LoadError: there is no checkpoint.
    """
    return {piece.name: (piece.shape, np.dtype(piece.dtype)) for piece in _pieces(Path(path))}


def load(path: str | os.PathLike[str], name: str, ranges: Ranges | None = None) -> np.ndarray:
    """An array of a checkpoint, or a part of it, however it was divided when it was saved.

    Args:
        path: of the folder.
        name: of the array.
        ranges: which part, from and to, for each axis; None for all of it.

    Raises:
        LoadError: there is no checkpoint, or no such array or part, or a file was damaged.
    """
    folder = Path(path)
    found = [piece for piece in _pieces(folder) if piece.name == name]
    if not found:
        raise _unreadable(f"there is no array {name!r} in the checkpoint {str(folder)!r}")
    shape = found[0].shape
    wanted = [(0, n) for n in shape] if ranges is None else [(int(a), int(b)) for a, b in ranges]
    if len(wanted) != len(shape) or any(not 0 <= a <= b <= n for (a, b), n in zip(wanted, shape)):
        raise _unreadable(f"the array {name!r} of shape {shape} has no part {wanted}")
    out = np.empty([stop - start for start, stop in wanted], found[0].dtype)
    for piece in found:
        if not _overlap(piece.ranges, wanted):
            continue
        both = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(piece.ranges, wanted)]
        to = tuple(slice(a - c, b - c) for (a, b), (c, _) in zip(both, wanted))
        of = tuple(slice(a - c, b - c) for (a, b), (c, _) in zip(both, piece.ranges))
        out[to] = _read(folder, piece)[of]
    return out


def _pieces(folder: Path) -> list[_Piece]:
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        if manifest["format"] != _FORMAT:
            raise _unreadable(f"the checkpoint {str(folder)!r} is of another version")
        return [
            _Piece(**{
                **piece,
                "shape": tuple(piece["shape"]),
                "ranges": tuple(map(tuple, piece["ranges"])),
            })
            for piece in manifest["pieces"]
        ]  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, LoadError):
            raise
        raise _unreadable(f"there is no checkpoint in {str(folder)!r} ({error})") from error


def _read(folder: Path, piece: _Piece) -> np.ndarray:
    try:
        with open(folder / piece.file, "rb") as file:
            file.seek(piece.offset)
            checksum = int.from_bytes(file.read(4), "little")
            data = np.fromfile(file, np.uint8, piece.size)
    except OSError as error:
        raise _unreadable(f"a file of the checkpoint {str(folder)!r} is gone ({error})") from error
    if data.size != piece.size or zlib.crc32(data.data) != checksum:
        raise _unreadable(f"the file {piece.file!r} of the checkpoint {str(folder)!r} is damaged")
    shape = [stop - start for start, stop in piece.ranges]
    return data.view(piece.dtype).reshape(shape)


def _unreadable(message: str) -> LoadError:
    return LoadError(message, id="AG0671", fix="look at its folder, and load what was saved there")
