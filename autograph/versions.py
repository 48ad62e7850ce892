"""What is running: the files of this package that were imported, and the settings; part of the keys
of what is kept on disk for other processes."""

from __future__ import annotations

import functools
import json
import os
import sys
from pathlib import Path

import ops
from autograph import cache
from autograph.settings import VERIFY
from ops.core import IMPORTED

# What says where files are, and what is told, and nothing of what is made.
_OTHER_SETTINGS = (
    *("AUTOGRAPH_CACHE_DIR", "AUTOGRAPH_CACHE_SIZE"),
    *("AUTOGRAPH_LOG", "AUTOGRAPH_TRACEBACK"),
)

# Nanoseconds by which a file system's clock may be behind.
_CLOCK = 10**8

_PACKAGE, _OPERATORS = Path(__file__).parent, Path(ops.__file__).parent


def are_kept() -> bool:
    """Whether what follows from sources and graphs is kept on disk, besides machine code."""
    wanted = os.environ.get("AUTOGRAPH_CACHE_PROGRAMS", "") != "0"
    return wanted and not VERIFY and cache.is_used()


def settings() -> list[tuple[str, str]]:
    """The settings in the environment that say what is made."""
    found = [(k, v) for k, v in os.environ.items() if k.startswith("AUTOGRAPH_")]
    return sorted(setting for setting in found if setting[0] not in _OTHER_SETTINGS)


class _NewFile(Exception):
    """A file has changed since the packages were imported."""


@functools.cache
def files(*folders: str) -> str | None:
    """See `files_now`. A process looks once, and again before it writes, see `are_unchanged`."""
    return files_now(*folders)


_modules: dict[tuple[str, ...], int] = {}  # how many there were when it was looked last


def are_unchanged(*folders: str) -> bool:
    """Whether the files are still those that this process has imported, which may import what makes
    something much later than the rest. It looks again if there are other modules."""
    count = len(sys.modules)
    if _modules.get(folders) != count:
        if files_now(*folders) != files(*folders):
            return False
        _modules[folders] = count
    return True


def files_now(*folders: str) -> str | None:
    """The sizes and times of the files by which something is made, as text; None if these are not
    what this process has imported.

    Args:
        folders: of this package, besides the operators and what stands in none; without any, all.
            What is made follows from what is imported downwards, see CONTRIBUTING.md.
    """
    found: list[tuple[str, int, int]] = []
    try:
        _add(_PACKAGE, found, deep=not folders)
        for folder in (*(_PACKAGE / folder for folder in folders), _OPERATORS):
            _add(folder, found)
    except (OSError, _NewFile):
        return None
    return json.dumps(sorted(found))


def _add(folder: str | Path, found: list[tuple[str, int, int]], deep: bool = True) -> None:
    """Add the files in a folder, and in those in it, but not what Python compiles.

    Raises:
        _NewFile: one is newer than what was imported.
    """
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if deep and entry.name != "__pycache__":
                    _add(entry.path, found)
            else:
                status = entry.stat()
                # When the file got there, or was changed: an installer sets the other time back.
                if status.st_ctime_ns > IMPORTED - _CLOCK:
                    raise _NewFile
                found.append((entry.path, status.st_size, status.st_ctime_ns))
