"""What is running: the files of this package that were imported, and the settings; part of the keys
of what is kept on disk for other processes."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import ops
from autograph import cache
from autograph.settings import VERIFY
from ops.core import IMPORTED
from ops.core.later import waiting

# What says where files are, and what is told, and nothing of what is made.
_OTHER_SETTINGS = (
    *("AUTOGRAPH_CACHE_DIR", "AUTOGRAPH_CACHE_SIZE"),
    *("AUTOGRAPH_LOG", "AUTOGRAPH_TRACEBACK"),
)

# Nanoseconds by which a file system's clock may be behind.
_CLOCK = 10**8

_OWN = ("autograph", ops.__name__)  # how the names of modules begin
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


class Listing:
    """The sizes and times of the files of the package.

    Args:
        found: the path, the size and the time of each.
    """

    def __init__(self, found: list[tuple[str, int, int]]):
        self.found = found
        self._by_path = {path: (size, time) for path, size, time in found}
        self._hashes: dict[tuple[str, ...], str] = {}

    def hash(self, folders: tuple[str, ...]) -> str:
        """The hash of those in some folders; see `files`."""
        if folders not in self._hashes:
            places = [os.path.join(_PACKAGE, folder, "") for folder in folders]
            places.append(os.path.join(_OPERATORS, ""))
            found = [one for one in self.found if not folders or _is_in(one[0], places)]
            self._hashes[folders] = hashlib.sha256(json.dumps(found).encode()).hexdigest()
        return self._hashes[folders]

    def has(self, module: Any) -> bool:
        """Whether a module is of one of these files, as it was found."""
        path = getattr(module, "__file__", None)
        if path not in self._by_path:
            return False
        try:
            status = os.stat(path)
        except OSError:
            return False
        return self._by_path[path] == (status.st_size, status.st_ctime_ns)


def _is_in(path: str, places: list[str]) -> bool:
    return path.startswith(tuple(places)) or os.path.dirname(path) == str(_PACKAGE)


def files(*folders: str) -> str | None:
    """The hash of the sizes and times of the files by which something is made; None if these are
    not what this process has imported. A process looks once, and again before it writes, see
    `are_unchanged`.

    Args:
        folders: of this package, besides the operators and what stands in none; without any, all.
            What is made follows from what is imported downwards, see CONTRIBUTING.md.
    """
    found = at_first()
    return None if found is None else found.hash(folders)


@functools.cache
def at_first() -> Listing | None:
    """The files when this process looked first; None if it has imported others."""
    own = _imported()
    found = _present()
    _known.clear()
    _known.update(own)
    return found


_modules = 0  # how many there were when it was looked last
_known: set[str] = set()  # those of this package that are of the files that were found first


def are_unchanged() -> bool:
    """Whether what this process has imported by now is what was found first: it may import what
    makes something much later than the rest. It looks at the files of the modules that are new."""
    global _modules
    count = len(sys.modules) - len(waiting)
    if _modules != count:
        before = at_first()
        names = [name for name in _imported() if name not in _known]
        if before is None:
            return False
        if not all(before.has(sys.modules.get(name)) for name in names):
            now = _present()
            if now is None or before.found != now.found:
                return False
        _known.update(names)
        _modules = count
    return True


def _imported() -> list[str]:
    """The modules of this package that have run."""
    own = [name for name in list(sys.modules) if name.startswith(_OWN)]  # while threads import
    return [name for name in own if name not in waiting]


def _present() -> Listing | None:
    found: list[tuple[str, int, int]] = []
    try:
        _add(_PACKAGE, found)
        _add(_OPERATORS, found)
    except (OSError, _NewFile):
        return None
    return Listing(sorted(found))


def _add(folder: str | Path, found: list[tuple[str, int, int]]) -> None:
    """Add the files in a folder, and in those in it, but not what Python compiles.

    Raises:
        _NewFile: one is newer than what was imported.
    """
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    _add(entry.path, found)
            else:
                status = entry.stat()
                # When the file got there, or was changed: an installer sets the other time back.
                if status.st_ctime_ns > IMPORTED - _CLOCK:
                    raise _NewFile
                found.append((entry.path, status.st_size, status.st_ctime_ns))
