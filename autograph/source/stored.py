"""Conversions on disk, so that a second process does not convert a function again.

A conversion follows from the function's code and from what the passes have asked of the values of
its free variables: whether one is data, a built-in, NumPy's ... These questions are stored with
their answers, and asked again in the process that finds them: where an answer is another one, the
function is converted anew. Of a function in another one, the file has to be the same, too, since
others in it may assign its variables.

What is stored is code, which the process runs that loads it. It is trusted as far as the machine
code is that lies beside it, see `autograph.cache`. The converted tree is not stored: who asks for
the text has it made.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import marshal
import os
import sys
import types
from pathlib import Path
from typing import Any

from autograph import cache, versions
from autograph.errors import Location
from autograph.log import log
from autograph.source.tree.fingerprint import fingerprint
from autograph.source.tree.free import FreeVariable, Surroundings
from autograph.source.tree.options import ConversionOptions
from ops.core.records import NamedTuple

# Changes with what a file looks like.
_FORMAT = "1"

# The folder of this package by whose files functions are converted.
_FOLDER = "source"


class AskedSurroundings(Surroundings):
    """Looks up names, and notes what it was asked and what the answer was.

    Attributes:
        answers: by the question: the method, and what it was given.
    """

    def __init__(self, *args: Any):
        super().__init__(*args)
        self.answers: dict[tuple[str, Any], Any] = {}

    def _note(self, method: str, given: Any) -> Any:
        question = method, given
        if question not in self.answers:
            self.answers[question] = getattr(super(), method)(given)
        return self.answers[question]

    def means_operators(self, name: str) -> bool:
        return self._note("means_operators", name)

    def is_builtin(self, name: str) -> bool:
        return self._note("is_builtin", name)

    def variable(self, name: str) -> FreeVariable:
        return self._note("variable", name)

    def is_native(self, path: tuple[str, ...]) -> bool:
        return self._note("is_native", path)

    def makes_arrays(self, path: tuple[str, ...]) -> bool:
        return self._note("makes_arrays", path)

    def is_users(self, name: str) -> bool:
        return self._note("is_users", name)

    def is_transform(self, path: tuple[str, ...]) -> bool:
        return self._note("is_transform", path)

    def named(self, path: tuple[str, ...]) -> str:
        return self._note("named", path)


class StoredConversion(NamedTuple):
    """A conversion on disk.

    Attributes:
        location, free, rebound, ops_alias, mentioned, global_cells, code, native: see
            `autograph.source.load.Converted`.
        answers: see `AskedSurroundings`.
    """

    location: Location
    free: dict[str, FreeVariable]
    rebound: frozenset[str]
    ops_alias: str
    mentioned: frozenset[tuple[str, ...]]
    global_cells: tuple[tuple[str, ...], tuple[str, ...]]
    code: types.CodeType
    native: frozenset[tuple[str, int]]
    answers: tuple[tuple[str, Any, Any], ...]

    def fits(self, around: Surroundings) -> bool:
        """Whether what the passes have asked has the same answers here."""
        return all(getattr(around, m)(given) == answer for m, given, answer in self.answers)


def load(code: types.CodeType, options: ConversionOptions) -> StoredConversion | None:
    """The conversion of code that is on disk, if there is one."""
    key = _key(code, options)
    contents = None if key is None else cache.load(key)
    if contents is None:
        return None
    location, free, *others = marshal.loads(contents)
    variables = {name: FreeVariable(name, *kinds) for name, *kinds in free}
    log.debug("%s (%s:%s): its conversion is on disk", location[3], *location[:2])
    return StoredConversion(Location(*location), variables, *others)


def store(
    original: types.CodeType, options: ConversionOptions, conversion: StoredConversion
) -> None:
    """Keep the conversion of code on disk, unless nothing is kept there."""
    key = _key(original, options)
    if key is None or not versions.are_unchanged():
        return
    location, free, *others = conversion
    contents: Any = (tuple(location), tuple(map(tuple, free.values())), *others)
    cache.store(key, marshal.dumps(contents))


@functools.cache
def _gast() -> str:
    """The file of gast, which is imported by what converts functions."""
    found = importlib.util.find_spec("gast")
    return found.origin or "" if found is not None else ""


def _key(code: types.CodeType, options: ConversionOptions) -> str | None:
    """Where a conversion is on disk; None if it is not kept there."""
    file = code.co_filename
    if file.startswith("<") or not versions.are_kept():
        return None
    files = versions.files(_FOLDER)
    if files is None:
        return None
    try:
        around = Path(file).read_bytes() if code.co_freevars else b""
        converter = os.stat(_gast())
    except OSError:
        return None
    return cache.key(
        *("conversion", _FORMAT, files, sys.version, json.dumps(versions.settings())),
        str((converter.st_size, converter.st_mtime_ns)),
        *(fingerprint(code), hashlib.sha256(around).hexdigest(), str(options)),
    )
