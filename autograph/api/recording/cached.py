"""Functions that are compiled once for each signature of their arguments."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from autograph.api.calls import bets
from autograph.api.calls.compiled import Compiled
from autograph.api.recording import drift
from autograph.api.recording.kept import RecentEntries, most_signatures
from autograph.api.recording.recorded import Options, RecordedFunction, source_of
from autograph.api.type_parameters import P, R
from autograph.errors import AutographError, MemoryLimitError, VerificationError
from autograph.log import log
from autograph.settings import DISABLED
from autograph.staging.border.constancy import static_key
from autograph.staging.border.signature import (
    argument_paths,
    call_key,
    flatten_call,
    name_foreign,
)
from autograph.staging.ground.recorder import active_recorder
from ops.core.memory import growth_limit


class Specialized:
    """What the cache has for a signature for which the values of some leaves count as well."""

    def __init__(self, positions: tuple[int, ...]):
        self.positions = positions

    def key(self, base: Hashable, leaves: Sequence[Any]) -> Hashable:
        """The key for the whole: that of the signature, and the values."""
        return base, self.positions, tuple(static_key(leaves[i]) for i in self.positions)


class CachedFunction(RecordedFunction[P, R]):
    """A function that is compiled when it is called with arguments of a new signature."""

    def __init__(self, function: Callable[P, R], source: Callable, name: str, options: Options):
        super().__init__(function, source, name, options)
        self._cache: RecentEntries[Compiled | Specialized] = RecentEntries()
        self._clipping: set[Hashable] = set()  # the keys for which slices reach past the ends
        self._budgets: dict[Hashable, int] = {}  # the keys for which loops have a budget

    def _look_up(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        if active_recorder() is not None:
            return self._recorded(args, kwargs)
        if DISABLED and self._function is self._source:
            return source_of(self._source)(*args, **kwargs)
        try:
            leaves, structure = flatten_call(args, kwargs)
        except AutographError as error:  # an array of another library that can't be had
            error.location = error.location or self._location()
            name_foreign(error, self._source, args, kwargs)
            raise
        compiled = self._compiled(leaves, structure)
        if compiled.outgrown is not None:  # in a quick call
            compiled = self._within_budget(compiled, compiled.outgrown, leaves, structure)
        self._try_first(compiled.record((args, kwargs), leaves))
        try:
            return compiled.run(leaves, (args, kwargs))
        except IndexError as error:
            if not compiled.traced.bets:
                raise
            compiled = self._without_bets(compiled, error, leaves, structure)
        except MemoryLimitError as error:
            compiled = self._within_budget(compiled, error, leaves, structure)
        return compiled.run(leaves, (args, kwargs))

    def run_by(
        self, change: Callable[[Compiled], Compiled], args: tuple, kwargs: dict[str, Any]
    ) -> Any:
        """What a call gives, by something else than what is compiled for it.

        Args:
            change: gives that in place of what is compiled.
        """
        leaves, structure = flatten_call(args, kwargs)
        compiled = self._compiled(leaves, structure)
        try:
            return change(compiled).run(leaves, (args, kwargs))
        except IndexError as error:
            if not compiled.traced.bets:
                raise
            compiled = self._without_bets(compiled, error, leaves, structure)
        return change(compiled).run(leaves, (args, kwargs))

    def compiled_forms(self) -> list[Compiled]:
        """The compiled forms that calls may find."""
        return [found for found in self._cache.values() if isinstance(found, Compiled)]

    def _compile_for(self, args: tuple, kwargs: dict[str, Any]) -> Compiled:
        return self._compiled(*flatten_call(args, kwargs))

    def _compiled(self, leaves: list, structure: Any) -> Compiled:
        try:
            key = call_key(leaves, structure)
        except AutographError as error:
            error.location = error.location or self._location()
            raise
        found = self._found(key, leaves, structure)
        if found.traced.changed:
            same = found.repeated(leaves)
            if same:  # what it changes is then one array that the function knows by several names
                return self._found((key, same), leaves, structure, dict(same))
        return found

    def _found(self, base: Any, leaves: list, structure: Any, same: Mapping = {}) -> Compiled:
        """What is compiled for these leaves, now if there is nothing yet.

        Args:
            base: the cache's key.
            same: the positions of leaves that are an earlier one, with that one's position.
        """
        found = self._cache.get(base)
        static: tuple[int, ...] = ()
        if isinstance(found, Specialized):
            static = found.positions
            found = self._cache.get(found.key(base, leaves))
        if not isinstance(found, Compiled):
            return self._compile(base, set(static), leaves, structure, same=same)
        if found.meets(leaves):
            why = "an object among the arguments is one that the function also finds outside"
            static = (*static, *found.traced.bound)
            return self._compile(base, set(static), leaves, structure, why, same)
        if not found.is_valid():
            why = found.invalidated_by()
            return self._compile(base, set(static), leaves, structure, why, same)
        return found

    def _compile(
        self,
        base: Any,
        static: set[int],
        leaves: list,
        structure: Any,
        why: str = "",
        same: Mapping[int, int] = {},
    ) -> Compiled:
        """Record and compile for arguments with these leaves.

        Args:
            static: the positions of leaves whose values are needed.
            why: what outside the function has changed, if it was compiled for them before.
            same: see `_found`.
        """
        start = time.perf_counter()
        if why:  # a quick call may be for what is compiled again now
            self._forget()
        clips, memory = base in self._clipping, self._budgets.get(base)
        lowered = self._record(static, leaves, structure, why, same, clips=clips, memory=memory)
        if lowered.traced.bets and not bets.repeatable(lowered.traced, lowered.donated):
            with contextlib.suppress(AutographError):
                fixed = set(lowered.signature.fixed)
                lowered = self._record(
                    fixed, leaves, structure, bets.MAY_MISS, same, clips=True, memory=memory
                )
        compiled = lowered.compiled()
        compiled.base, compiled.has_budget = base, memory is not None
        paths = lambda: argument_paths(self._source, structure)
        drift.warn_of_arguments(compiled, paths, self.compiled_forms())
        self._remember(lowered.signature)
        parts = lowered.signature.summary.items()
        signature = ", ".join(f"{name}: {part.text}" for name, part in parts)
        elapsed = 1e3 * (time.perf_counter() - start)
        log.info("%s: compiled for (%s) in %.1f ms", self.name, signature, elapsed)
        if lowered.signature.fixed:
            specialized = self._cache[base] = Specialized(tuple(lowered.signature.fixed))
            self._cache[specialized.key(base, leaves)] = compiled
        else:
            self._cache[base] = compiled
        # What goes is compiled again if it is needed.
        if self._cache.shrink(most_signatures(), self._is_tried):
            self._clipping = {key for key in self._clipping if key in self._cache}
            self._budgets = {key: n for key, n in self._budgets.items() if key in self._cache}
        return compiled

    def _is_tried(self, found: Compiled | Specialized) -> bool:
        """Whether quick calls may be for it, of which the cache does not know."""
        return isinstance(found, Compiled) and found.is_tried(getattr(self, "_records", ()))

    def _within_budget(
        self, compiled: Compiled, error: MemoryLimitError, leaves: list, structure: Any
    ) -> Compiled:
        """What is compiled in place of what raised ``error``, since its loops kept too much for a
        gradient: with loops that keep within a budget.

        Raises:
            MemoryLimitError: ``error``, if it can't be had or is of no use.
        """
        compiled.outgrown = None
        if not compiled.may_have_budget:
            raise error
        base, memory = compiled.base, growth_limit() // 2
        self._budgets[base] = memory
        known = self._cache.get(base)
        static = set(known.positions) if isinstance(known, Specialized) else set()
        same = dict(compiled.repeated(leaves)) if compiled.traced.changed else {}
        why = f"loops keep too much for a gradient: they get a budget of {memory} bytes"
        try:
            found = self._compile(base, static, leaves, structure, why, same)
        except VerificationError:
            raise
        except AutographError:  # the budget is too little
            del self._budgets[base]
            compiled.has_budget = True  # as it were: it is of no use to try again
            raise error from None
        # Who waits for a loop without an end is told which one it may be.
        loops = ", ".join(map(str, compiled.loops_that_keep()))
        log.warning("%s: %s (%s)", self.name, why, loops)
        return found

    def _without_bets(
        self, compiled: Compiled, error: IndexError, leaves: list, structure: Any
    ) -> Compiled:
        """What is compiled in place of what raised ``error``, maybe since a slice is not inside of
        its axis: with slices whose lengths only the run knows.

        Raises:
            OperandIndexError: it can't be had; Python may raise an IndexError as well.
            IndexError: it can't be run, and Python may raise ``error`` as well.
        """
        base, refusal = compiled.base, None
        if bets.repeatable(compiled.traced, compiled.donated):
            self._clipping.add(base)
            found = self._cache.get(base)
            static = set(found.positions) if isinstance(found, Specialized) else set()
            same = dict(compiled.repeated(leaves)) if compiled.traced.changed else {}
            try:
                return self._compile(base, static, leaves, structure, bets.MISSED, same)
            except AutographError as refused:
                self._clipping.discard(base)
                refusal = refused
        if not bets.is_miss(error) and refusal is None:
            raise error
        raise bets.missed(error, compiled.program.location_of(error), refusal) from None
