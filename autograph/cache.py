"""What is compiled, on disk, so that a second process does not compile it again: conversions and
recordings of functions, object files for the CPU, cubins for a GPU.

The directory is ``AUTOGRAPH_CACHE_DIR``, or by default the system's place for caches; empty, it
turns the cache off. A file is named by the hash of everything that decides what is in it: the text,
what it is compiled for (the CPU and its features, the architecture of the GPU), the version of the
compiler and how it is used. It holds that hash again, so that a file that was renamed is not taken
for another, and a checksum.

What is loaded is run. So neither the directory nor a file is used that belongs to another user, or
that others may write to. A file that is damaged is compiled again and replaced. Files are written
under another name first and then renamed: processes that run at the same time see whole files.

When the files together exceed ``AUTOGRAPH_CACHE_SIZE`` bytes (512 MiB), those that were not used
for the longest time are removed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from autograph.log import log
from autograph.settings import number_from
from autograph.signals import raised_by_handler

# Changes with what a file looks like.
_FORMAT = b"autograph object 1\n"

_DIGEST = hashlib.sha256().digest_size

# A file that is used counts as used for this many seconds, so that reading seldom writes.
_FRESH = 3600

# The cache is measured by the first file that a process writes and then by one of so many.
_MEASURED = 64

# From how many files on one of how many is measured first.
_MANY, _SAMPLED = 500, 16


def key(*parts: str) -> str:
    """The name of what is made of a text and everything else that matters."""
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def is_used() -> bool:
    """Whether there is a cache."""
    return _directory() is not None


def load(name: str) -> bytes | None:
    """What is stored under a key; None if there is nothing, or nothing that can be trusted."""
    directory = _directory()
    if directory is None:
        return None
    path = directory / name
    try:
        # Not through a link, and not waiting for a pipe.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        if raised_by_handler(error):
            raise
        return None
    try:
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return None
            trouble = _distrust(status)
            if trouble:
                _warn(str(path), trouble)
                return None
            contents = file.read()
            if time.time() - status.st_mtime > _FRESH:
                with contextlib.suppress(OSError):  # its last use, for `_shrink`
                    os.utime(path)
    except OSError as error:
        if raised_by_handler(error):
            raise
        return None
    return _unpacked(name, contents)


def store(name: str, contents: bytes) -> None:
    """Store something under a key. If that is not possible, nothing happens."""
    directory = _directory()
    if directory is None:
        return
    try:
        temporary = directory / f"new-{os.urandom(8).hex()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        descriptor = os.open(temporary, flags, 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(_packed(name, contents))
            os.replace(temporary, directory / name)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _stored(directory)
    except OSError as error:
        if raised_by_handler(error):
            raise
        log.info("the cache of kernels at %s cannot be written: %s", directory, error)


def _packed(name: str, contents: bytes) -> bytes:
    body = bytes.fromhex(name) + contents
    return _FORMAT + hashlib.sha256(body).digest() + body


def _unpacked(name: str, packed: bytes) -> bytes | None:
    """The contents of a file; None if it is damaged."""
    start = len(_FORMAT) + _DIGEST
    checksum, body = packed[len(_FORMAT) : start], packed[start:]
    whole = packed.startswith(_FORMAT) and hashlib.sha256(body).digest() == checksum
    if not whole or body[:_DIGEST] != bytes.fromhex(name):
        log.info("a damaged file in the cache of kernels is ignored: %s", name)
        return None
    return body[_DIGEST:]


# -- the directory ---------------------------------------------------------------------------------


def _directory() -> Path | None:
    """The directory, which is there and can be trusted; None if there is no cache."""
    return _checked(os.environ.get("AUTOGRAPH_CACHE_DIR"))


@functools.lru_cache(maxsize=8)
def _checked(wanted: str | None) -> Path | None:
    """See `_directory`. A process looks once."""
    if wanted == "":
        return None
    try:
        path = _default() if wanted is None else Path(wanted).expanduser().absolute()
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        trouble = _distrust(path.stat())
    except (OSError, RuntimeError) as error:  # there is no home, or no permission
        if raised_by_handler(error):
            raise
        log.info("there is no cache of kernels: %s", error)
        return None
    if trouble:
        _warn(str(path), trouble)
        return None
    return path


def _default() -> Path:
    """The system's place for caches."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        if not base.is_absolute():  # which the specification says to ignore
            base = Path.home() / ".cache"
    return base / "autograph" / "kernels"


def _distrust(status: os.stat_result) -> str:
    """Why a file or directory is not to be trusted; empty if it is."""
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be written to by other users"
    return ""


_warned: set[str] = set()


def _warn(path: str, trouble: str) -> None:
    """Say once that something is not used."""
    if path not in _warned:
        _warned.add(path)
        log.warning(
            "%s %s: it is not used as a cache of kernels. Set AUTOGRAPH_CACHE_DIR to a directory "
            "that is only yours",
            path,
            trouble,
        )


# -- its size --------------------------------------------------------------------------------------

_writes = 0


def _stored(directory: Path) -> None:
    """Keep the cache small, now and then."""
    global _writes
    if _writes % _MEASURED == 0:
        _shrink(directory, size_limit())
    _writes += 1


def size_limit() -> int:
    """How many bytes the files may have together: ``AUTOGRAPH_CACHE_SIZE``.

    Raises:
        OptionError: the variable is not a number.
    """
    return number_from("AUTOGRAPH_CACHE_SIZE", 512 << 20, 0)


def _shrink(directory: Path, limit: int) -> None:
    """Remove the files that were not used for the longest time, until a quarter is free if there
    was too much; and what writers left behind that did not finish."""
    with os.scandir(directory) as entries:
        found = list(entries)
    for entry in found:
        if entry.name.startswith("new-"):
            with contextlib.suppress(OSError):  # another process removed it
                if time.time() - entry.stat(follow_symlinks=False).st_mtime > _FRESH:
                    os.unlink(entry.path)
    kept = [entry for entry in found if len(entry.name) == 2 * _DIGEST]
    # To ask for the sizes of many files takes long. Their names are hashes, so some tell of all.
    if len(kept) > _MANY and _SAMPLED * sum(s for _, s, _ in _sizes(kept[::_SAMPLED])) < limit // 2:
        return
    files = _sizes(kept)
    total = sum(size for _, size, _ in files)
    if total <= limit:
        return
    for _, size, path in sorted(files):
        if total <= limit * 3 // 4:
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
        total -= size


def _sizes(entries: Iterable[os.DirEntry[str]]) -> list[tuple[float, int, str]]:
    """When files were used last, how large they are, and where."""
    files = []
    for entry in entries:
        with contextlib.suppress(OSError):  # another process removed it
            status = entry.stat(follow_symlinks=False)
            files.append((status.st_mtime, status.st_size, entry.path))
    return files
