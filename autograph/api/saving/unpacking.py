"""What a file of a saved function holds: JSON and arrays, of no more bytes than are allowed.

A file may say that it holds more than it does, or be packed so that little becomes much. So nothing
is unpacked, and no array made, before its size is known.
"""

from __future__ import annotations

import io
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.errors import LoadError
from autograph.graph.deserialize import corrupt, expect

if TYPE_CHECKING:
    from zipfile import ZipFile

# By how many bytes a file may grow, if nobody says how many it may hold.
_GROWTH = 256 << 20

# The objects that JSON becomes take more memory than its text: so much text for each byte of the
# file, and so much at least.
_TEXT_RATIO, _TEXT = 30, 16 << 20


def unpacked(content: bytes, most: int | None = None) -> tuple[Any, dict[str, np.ndarray]]:
    """The JSON and the arrays of a file.

    Args:
        content: of the file.
        most: how many bytes there may be.

    Raises:
        LoadError: there are more, or an array is not what its head says.
        Exception: what zip files and JSON that are damaged raise.
    """
    import zipfile  # not at the top: `import autograph` would take 10 % longer

    left = len(content) + _GROWTH if most is None else most
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        text = _member(file, "graph.json", min(left, _TEXT + _TEXT_RATIO * len(content)))
        packed = _member(file, "constants.npz", left)
    form = json.loads(text, parse_constant=_refuse_constant)
    arrays = {}
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        for name in file.namelist():
            data = _member(file, name, left)
            left -= len(data)
            arrays[name.removesuffix(".npy")] = _array(data)
    return form, arrays


def _member(file: ZipFile, name: str, most: int) -> bytes:
    """The contents of a member of a zip file."""
    with file.open(name) as member:
        data = member.read(most + 1)
    if len(data) > most:
        raise LoadError(
            f"the file holds more than {most} bytes in '{name}'",
            fix="if you trust it, allow more by load(path, max_bytes=...)",
        )
    return data


def _array(data: bytes) -> np.ndarray:
    """The array of a file in NumPy's format."""
    read = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    expect(version in read, "an array in a format that is not known")
    shape, by_columns, dtype = read[version](stream)
    expect(not dtype.hasobject, "an array of objects, for which NumPy wants allow_pickle")
    expect(all(type(length) is int and length >= 0 for length in shape), "an array of no shape")
    count, rest = math.prod(shape), memoryview(data)[stream.tell() :]
    expect(count * dtype.itemsize == len(rest), "an array of another size")
    array = np.frombuffer(rest, dtype, count) if dtype.itemsize else np.empty(count, dtype)
    return array.reshape(shape, order="F" if by_columns else "C").copy(order="K")


def _refuse_constant(text: str) -> Any:
    raise corrupt(f"{text} is no JSON")
