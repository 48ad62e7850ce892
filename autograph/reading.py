"""Modules of this package are found and read as Python does it, in fewer steps.

There are many, since each has one idea, and a process loads hundreds of them. Python asks each
place that modules may be in, for each form that they may have, and puts together the same paths
again and again: 60 microseconds for a module, a seventh of the time of an import. Here a module is
a file in the folder of its package. What is anything else is left to Python: code that is older
than its source, or compiled in another way; and import hooks of others come first.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from io import open_code
from marshal import loads
from os import sep, stat
from types import CodeType, ModuleType
from typing import Any

_PACKAGES = ("autograph.", "ops.")

_COMPILED = f".{sys.implementation.cache_tag}.pyc"
_BY_TIME = MAGIC_NUMBER + bytes(4)  # code is that of a source of the time and size that follow


class Loader(SourceFileLoader):
    """Python's, which reads code that is there in one go."""

    def __init__(self, name: str, path: str, compiled: str):
        super().__init__(name, path)
        self._compiled = compiled

    def get_code(self, fullname: str) -> CodeType | None:
        try:
            source = stat(self.path)
            with open_code(self._compiled) as file:
                data = file.read()
        except OSError:
            return super().get_code(fullname)
        parts = (int(source.st_mtime), source.st_size)
        expected = _BY_TIME + b"".join((n & 0xFFFFFFFF).to_bytes(4, "little") for n in parts)
        if not data.startswith(expected):
            return super().get_code(fullname)
        code = loads(memoryview(data)[16:])
        if not isinstance(code, CodeType) or code.co_filename != self.path:  # it has been moved
            return super().get_code(fullname)
        return code


def spec_of(name: str, folder: str) -> ModuleSpec | None:
    """That of a module in the folder of its package; None if it is no file of Python's there."""
    last = name.rpartition(".")[2]
    inside = f"{folder}{sep}{last}"
    for path, below, is_package in (
        (f"{inside}.py", f"{folder}{sep}__pycache__{sep}{last}", False),
        (f"{inside}{sep}__init__.py", f"{inside}{sep}__pycache__{sep}__init__", True),
    ):
        try:
            stat(path)
        except OSError:
            continue
        compiled = below + _COMPILED
        spec = ModuleSpec(name, Loader(name, path, compiled), origin=path, is_package=is_package)
        if is_package:
            spec.submodule_search_locations = [inside]
        spec.has_location, spec.cached = True, compiled
        return spec
    return None


class _Finder:
    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        # Where files are found whatever the case of letters, Python looks at it, too.
        if path is None or len(path) != 1 or not name.startswith(_PACKAGES) or not name.islower():
            return None
        return spec_of(name, path[0])


def install() -> None:
    """Have it done from now on, where code is in the usual place."""
    if not sys.flags.optimize and sys.pycache_prefix is None and PathFinder in sys.meta_path:
        hooks: list[Any] = sys.meta_path
        hooks.insert(hooks.index(PathFinder), _Finder)
