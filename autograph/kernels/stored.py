"""Which kernels a program has, on disk, so that a second process does not make them of its graph
again: it reads where they are cut out, and which machine code is theirs.

What is on disk belongs to a graph, not to a function. A function is recorded in each process, so
that it depends on nothing outside that has changed meanwhile; what follows from the graph alone is
found by the graph. The key is the hash of all that decides: the `description` of the graph by
value, the files of this package that make kernels of it, Python, NumPy, LLVM, the CPU and memory,
and the settings in the environment. A graph without such a description is lowered in each process.

Kernels for arrays of any length are for those for which all holds that was assumed when they were
made, which is on disk with them: they are found again for a call for which it does.

Where something asks for a kernel itself, like ``f.kernels(x)``, it is made of the graph then.
``AUTOGRAPH_CACHE_PROGRAMS=0`` turns this off; so does ``AUTOGRAPH_VERIFY``, since it checks what
passes make, and whatever turns off the cache of machine code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from autograph import cache, versions
from autograph.graph.description import NoDescription, description
from autograph.graph.deserialize import Reader
from autograph.graph.graph import Module
from autograph.graph.serialize import symbols_form
from autograph.kernels.native import compiler, python_api
from autograph.kernels.native.kernels import Recipe
from autograph.kernels.native.signature import LongFrom
from autograph.kernels.selection.outlining import CutOut, Plan
from autograph.log import log
from ops.core.memory import machine_memory
from ops.core.records import NamedTuple
from ops.core.symbolic_lengths import Symbols

# Changes with what a file looks like.
_FORMAT = "6"

_MOST = 4  # programs of one graph that are kept

# The folders of this package by whose files kernels are made.
_FOLDERS = "graph", "kernels"


class StoredKernel(NamedTuple):
    """A kernel on disk.

    Attributes:
        recipe: how it gets into memory.
        long_from: which calls of it take long.
    """

    recipe: Recipe
    long_from: LongFrom


class StoredProgram(NamedTuple):
    """The kernels of a program on disk.

    Attributes:
        plan: how they are cut out.
        kernels: by their names.
    """

    plan: Plan
    kernels: Mapping[str, StoredKernel]


class Noted:
    """What is to be stored of a program once the code of all of its kernels is known.

    Args:
        key: where.
        plan: how they are cut out.
        names: of the kernels.
        symbols: of lengths, if there are any.
        needed: how often the number of a length was needed before.
    """

    def __init__(
        self,
        key: str,
        plan: Plan,
        names: Collection[str],
        symbols: Symbols | None = None,
        needed: int = 0,
    ):
        self._key = key
        self._plan = plan
        self._symbols = symbols
        self._needed = needed
        self._missing = set(names)
        self._kernels: dict[str, StoredKernel] = {}
        self._store_if_whole()  # a program may have none

    def add(self, name: str, kernel: StoredKernel) -> None:
        """Note how a kernel gets into memory; the last one lets all be written."""
        self._kernels[name] = kernel
        if name in self._missing:
            self._missing.remove(name)
            self._store_if_whole()

    def _store_if_whole(self) -> None:
        if self._missing or not versions.are_unchanged():
            return
        assumed = None
        if self._symbols is not None:
            if self._symbols.needed > self._needed:  # they are of no use for other lengths
                return
            assumed = symbols_form(self._symbols)["assumptions"]
        stored = [self._plan, self._kernels, assumed]
        others = [] if assumed is None else [s for s in _stored(self._key) if s[-1] != assumed]
        cache.store(self._key, json.dumps([stored, *others][:_MOST]).encode())


def key_of(module: Module, donated: Collection[int], fast_math: bool) -> str | None:
    """Where the kernels of a program are on disk; None if they are not kept there.

    Args:
        module: what the kernels are cut out of.
        donated, fast_math: see `autograph.kernels.partition.partitioned`.
    """
    if not versions.are_kept():
        return None
    files = versions.files(*_FOLDERS)
    if files is None:
        log.debug("kernels are not kept on disk: files of the package are newer than what runs")
        return None
    try:
        text = description(module)
    except NoDescription as why:
        log.debug("%s: its kernels are made in each process: %s", module.main.name, why)
        return None
    return cache.key(
        *("program", _FORMAT, files, sys.version, np.__version__),
        *(*compiler.host(), compiler.PIPELINE, compiler.QUICK_PIPELINE, compiler.QUICK_CODE),
        *(str(python_api.usable()), str(machine_memory())),
        json.dumps(versions.settings()),
        json.dumps([sorted(donated), fast_math]),
        text,
    )


def load(key: str, symbols: Symbols | None = None) -> StoredProgram | None:
    """What is on disk under a key, if there is something.

    Args:
        symbols: of lengths, if there are any; what was assumed of them is so for these from now on.
    """
    for plan, kernels, assumed in _stored(key):
        if symbols is None or Reader({}, [], []).assume(symbols, assumed):
            return _read(plan, kernels)
    return None


def _stored(key: str) -> list[Any]:
    """What is on disk under a key: programs that were made of one graph, the latest first. There
    are several for arrays of any length, under different assumptions."""
    contents = cache.load(key)
    return [] if contents is None else json.loads(contents)


def _read(plan: Any, kernels: Any) -> StoredProgram:
    """A program of what is on disk."""
    whole, graphs = plan
    cuts = [[CutOut(*cut) for cut in graph] for graph in graphs]
    found = {
        name: StoredKernel(Recipe(*recipe), LongFrom(*long_from))
        for name, (recipe, long_from) in kernels.items()
    }
    return StoredProgram(Plan(whole, cuts), found)
