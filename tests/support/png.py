"""Reading pictures that a browser has taken: PNG files of 8 bits, not interlaced."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np


def pixels(path: Path) -> np.ndarray:
    """The pixels as an array of shape (height, width, 3)."""
    data, position, packed = path.read_bytes(), 8, b""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while position < len(data):
        (length,) = struct.unpack(">I", data[position : position + 4])
        kind, content = data[position + 4 : position + 8], data[position + 8 :][:length]
        if kind == b"IHDR":
            width, height, depth, colours, *_, interlaced = struct.unpack(">IIBBBBB", content)
            assert depth == 8 and colours in (2, 6) and not interlaced
        elif kind == b"IDAT":
            packed += content
        position += 12 + length
    channels = 3 if colours == 2 else 4
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, -1)
    found = np.zeros((height + 1, width + 1, channels), np.int64)  # with a row and column of zeros
    for y, row in enumerate(rows, 1):
        raw, above = row[1:].reshape(width, channels).astype(np.int64), found[y - 1]
        if row[0] == 0:
            found[y, 1:] = raw
        elif row[0] == 2:
            found[y, 1:] = (raw + above[1:]) & 255
        elif row[0] == 1:
            found[y, 1:] = np.cumsum(raw, 0) & 255
        else:
            for x in range(1, width + 1):
                left, up, corner = found[y, x - 1], above[x], above[x - 1]
                guess = (left + up) // 2 if row[0] == 3 else _nearest(left, up, corner)
                found[y, x] = (raw[x - 1] + guess) & 255
    return found[1:, 1:, :3].astype(np.uint8)


def _nearest(left: np.ndarray, up: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """Paeth's guess: that of the three which is nearest to ``left + up - corner``."""
    a, b, c = np.abs(up - corner), np.abs(left - corner), np.abs(left + up - 2 * corner)
    return np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
