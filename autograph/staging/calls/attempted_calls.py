"""Recursive functions that are called in a ``try``: their graphs give, besides a result, the number
of the exception that was raised, 0 if none was.

Such a graph is for the classes of exceptions that are handled around its calls. In it the body of
the function is attempted, as expressions are in a ``try``; see
`autograph.staging.control.catching`. Whoever calls it goes on with what it has raised.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import ops
from autograph.graph.graph import Constant
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.arguments import Call
from autograph.staging.calls.named import Named
from autograph.staging.containers.structure import Unflattener
from autograph.staging.control.catching import Catching, attempted
from autograph.staging.control.sites import RecordedSites
from autograph.staging.ground.nesting import TupleOf
from autograph.staging.ground.recorder import recorder
from autograph.staging.values.leaves import Known


class AttemptedCall(Call):
    """A call in an expression that is attempted.

    Attributes:
        kinds: the classes of exceptions that are handled.
        sites: what the graph of the function raises; None where it has none.
    """

    kinds: tuple[type, ...]
    sites: RecordedSites | None = None

    @classmethod
    def of(cls, call: Call, kinds: tuple[type, ...]) -> AttemptedCall:
        made = copy(call)
        made.__class__ = cls
        assert isinstance(made, AttemptedCall)
        made.kinds = kinds
        made.signature = replace(call.signature, kinds=frozenset(kinds))
        return made

    def run(self, arguments: tuple[tuple, tuple]) -> Any:
        """The number of the exception, and the result."""
        assert self.sites is not None
        run = super().run

        def called() -> Any:
            attempt = recorder().attempt
            assert attempt is not None
            with attempt.calling():
                return run(arguments)

        _, error, value = attempted(self.sites, lambda: self.kinds, called)
        if isinstance(error, int) and error:
            raise self.sites.exceptions[error - 1]
        number = GraphArray(Constant(0)) if isinstance(error, int) else error
        return ops.cast(number, dtype="int64", weak=True), value


class NamedAttempt(Named):
    """The graph of a function that is attempted."""

    call: AttemptedCall

    def __init__(self, name: str, call: AttemptedCall):
        super().__init__(name, call)
        call.sites = self.sites = RecordedSites()

    def begin_with(self, other: Named) -> None:
        super().begin_with(other)
        assert isinstance(other, NamedAttempt)
        self.call.sites = self.sites = other.sites

    def record(self) -> bool:
        known = len(self.sites.exceptions)
        return super().record() and known == len(self.sites.exceptions)

    def attempt(self, call: Call, attempt: Catching) -> Any:
        """What a call of the function gives, which an attempt goes on with."""
        apply = lambda: self.apply(call)
        if not attempt.is_possible:
            return attempt.going_on(self.sites, apply, None)
        nothing = self._nothing(attempt)
        return attempt.going_on(self.sites, apply, lambda: nothing)

    def _nothing(self, attempt: Catching) -> Any:
        """What stands for a number and a result where the function is not called."""
        result = self.result
        assert result is not None
        if not _is_plain(result.structure):
            attempt.calls()
        leaves = [
            leaf.content if isinstance(leaf, Known) else attempt.anything(leaf)
            for leaf in result.leaves
        ]
        return Unflattener().unflatten(result.structure, iter(leaves))


def _is_plain(structure: Any) -> bool:
    return structure is None or (
        isinstance(structure, TupleOf) and all(map(_is_plain, structure.parts))
    )


def named_of(name: str, call: Call) -> Named:
    """The graph of a function, to be recorded."""
    return NamedAttempt(name, call) if isinstance(call, AttemptedCall) else Named(name, call)
