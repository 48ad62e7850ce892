"""What is compared: rows of a table, and libraries that do them, which have a process each."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Suite:
    """A table.

    Attributes:
        name: of the package below `benchmarks`, which has it as ``SUITE``.
        title: of the results.
        rows: by their names.
        peers: how libraries are named in the table, in this order, and the module of each in the
            package ``peers``. The first is ours.
        once: a row that a library does before others are timed, with what it does once in a
            process.
        usual: the rows that are measured unless others are named; all, if empty.
        families: rows by what they have in common, of which geometric means are told.
        memory: the rows of ``--memory``.
        scaling: for the name of what grows, its rows from small to large, for ``--scaling``.
    """

    name: str
    title: str
    rows: Mapping[str, Row]
    peers: Mapping[str, str]
    once: str
    usual: Sequence[str] = ()
    families: Mapping[str, Sequence[str]] = field(default_factory=dict)
    memory: Sequence[str] = ()
    scaling: Mapping[str, Sequence[str]] = field(default_factory=dict)


def suite_of(name: str) -> Suite:
    """The suite of a package."""
    return importlib.import_module(f"benchmarks.{name}").SUITE


def close(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    """Whether arrays agree to rounding, relative to the largest element of each."""
    for result, reference in zip(regrouped(results, expected), expected):
        tolerance = 1e-4 if reference.dtype == np.float32 else 1e-9
        if reference.dtype == bool:
            result, reference = result.astype(int), reference.astype(int)
        error = np.max(np.abs(result - reference), initial=0.0)
        if not error <= tolerance * np.max(np.abs(reference), initial=0.0):
            return False
    return True


def mostly_equal(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    """Whether at most one element in 200 differs: orbits near the edge of the set are chaotic, and
    some compilers contract a product and a sum into one rounding."""
    pairs = zip(regrouped(results, expected), expected)
    return all(np.mean(result != reference) < 0.005 for result, reference in pairs)


def regrouped(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The same numbers in arrays of the shapes expected: what is an array in one library may be a
    list of vectors in another, and a number an array of one element."""
    flat = np.concatenate([result.ravel() for result in results])
    ends = np.cumsum([reference.size for reference in expected])
    if flat.size != ends[-1]:
        raise ValueError(f"{flat.size} numbers instead of {ends[-1]}")
    parts = np.split(flat, ends[:-1])
    return [part.reshape(reference.shape) for part, reference in zip(parts, expected)]


@dataclass(frozen=True)
class Row:
    """One row; the peers know it by its ``name``.

    Attributes:
        arguments: makes what a peer's call is given.
        same: whether the results of a peer are those of the first.
        remark: what is told of the results of each peer, if anything.
        written: by which name the peers know it, if by another one: rows of several sizes are
            written once.
        others: makes arguments of the same shapes with other data, on which peers are called in
            turn; see `benchmarks.beside.rotation`. Makers take them as ``others``.
    """

    name: str
    title: str
    arguments: Callable[[], tuple]
    same: Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], bool] = close
    remark: Callable[[Sequence[np.ndarray]], str] | None = None
    written: str | None = None
    others: Callable[[], Sequence[tuple]] = tuple

    @property
    def maker(self) -> str:
        """The name by which the peers know it."""
        return self.written or self.name
