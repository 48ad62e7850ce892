"""What is compiled of a function: for each signature of its arguments, or for any lengths."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any

from autograph.api.calls import bets
from autograph.api.calls.compiled import Compiled
from autograph.api.calls.signature import Specialized
from autograph.api.kept import RecentEntries, most_signatures
from autograph.api.recording.ahead import Lowered
from autograph.api.recording.described_calls import NewCall
from autograph.api.recording.list_forms import Flat, ListForms
from autograph.api.recording.on_disk import PlaceOnDisk, assumed_by, noting_needs, place_of
from autograph.api.recording.outer_state import OuterState
from autograph.api.recording.raised_calls import RaisedCalls
from autograph.api.recording.recorded import Options, RecordedFunction
from autograph.api.recording.symbolic import OpenShapes, SeenLengths, loose_key, may_be_open
from autograph.api.type_parameters import P, R
from autograph.backends.select import backend_of
from autograph.errors import AutographError, hearing
from autograph.log import log
from autograph.settings import ANY_LENGTH, VERIFY
from autograph.signals import raised_by_handler
from autograph.source.tree.places import NamedPlace
from autograph.staging.border.signature import (
    Nested,
    argument_paths,
    call_key,
    refuse_dtypes,
    root_paths,
)
from ops.core.symbolic_lengths import NeedsNumber


class CompiledForms(RecordedFunction[P, R]):
    """A function with what is compiled of it: for each signature of its arguments, or for those of
    any lengths."""

    def __init__(
        self,
        function: Callable[P, R],
        source: Callable,
        name: str,
        options: Options,
        lists: ListForms,
    ):
        super().__init__(function, source, name, options)
        self._cache: RecentEntries[Compiled | Specialized] = RecentEntries()
        self._clipping: set[Hashable] = set()  # the keys for which slices reach past the ends
        self._lengths: RecentEntries[SeenLengths] = RecentEntries()  # by what calls share
        self._budgets: dict[Hashable, int] = {}  # the keys for which loops have a budget
        self._raised = RaisedCalls()
        self._outer = OuterState()
        self._lists = lists
        self._classes: dict[type, tuple] = {}  # what attributes of theirs were in the latest call
        self._why = ""  # what has let it be recorded with more inputs
        self._is_shared = False  # whether it is what functions of the same code share

    def compiled_forms(self) -> list[Compiled]:
        """The compiled forms that calls may find."""
        return list(dict.fromkeys(f for f in self._cache.values() if isinstance(f, Compiled)))

    def _compiled(self, flat: Flat) -> Compiled:
        try:
            given = flat.call.given
            leaves = flat.leaves if given is None else given.without_rows(flat.leaves)
            key = call_key(leaves, flat.structure)
        except AutographError as error:
            error.location = error.location or self._location()
            raise
        found = self._found(key, flat)
        same = found.repeated(flat.leaves)
        if same:  # it is then one array that the function knows by several names
            key = call_key(flat.leaves, flat.structure)
            return self._found((key, same), flat, dict(same))
        return found

    def _found(self, base: Any, flat: Flat, same: Mapping = {}) -> Compiled:
        """What is compiled for these leaves, now if there is nothing yet.

        Args:
            base: the cache's key.
            same: the positions of leaves that are an earlier one, with that one's position.

        Raises:
            MoreRoots: it is to be compiled with more inputs.
        """
        found = known = self._cache.get(base)
        if isinstance(known, Specialized):
            found = self._cache.get(known.key(base, flat.leaves))
        else:
            known = None
        has_rows = flat.has_heaps and not same
        if not isinstance(found, Compiled) or (has_rows and not found.is_for(flat.leaves)):
            return self._new_form(base, known, flat, same)
        if found.meets(flat.leaves):
            why = "an object among the arguments is one that the function also finds outside"
            static = self._outer.static(flat, known) | {*found.traced.bound}
            return self._compile(base, static, flat, why, same)
        if not found.is_valid():
            self._why = why = found.invalidated_by()
            self._learn_outside(found)
            return self._compile(base, self._outer.static(flat, known), flat, why, same)
        return found

    def _learn_outside(self, found: Compiled) -> None:
        """Find out what outside is no longer as it was when something was compiled.

        Raises:
            MoreRoots: it is to be an input.
        """
        self._take_in(self._outer.numbers_bound_anew(found.traced))
        self._outer.learn(found.traced)

    def _learn_classes(self, structure: Any) -> None:
        """The same of what instances of a class share, of objects among the arguments."""
        forms = [form.traced for form in self.compiled_forms()]
        numbers = self._outer.numbers_of_classes_bound_anew(self._classes, structure, forms)
        self._classes = dict(structure.classes) if isinstance(structure, Nested) else {}
        self._take_in(numbers)

    def _take_in(self, places: Sequence[NamedPlace]) -> None:
        """Let what is in some places be inputs.

        Raises:
            MoreRoots: it is none.
        """
        if places:
            self._conversion = self._conversion.with_places(places)
            self._outer.add((place.name, place) for place in dict.fromkeys(places))

    def _new_form(self, base: Any, known: Any, flat: Flat, same: Mapping[int, int]) -> Compiled:
        """What is compiled for a call that is like none before: for arrays of any length, if only
        lengths are others.

        Args:
            known: the values that count for this signature, if some are known to.
            same: see `_found`.

        Raises:
            MoreUnread, MorePacked: it is to be taken apart otherwise.
        """
        self._learn_classes(flat.structure)
        self._lists.learn(self.compiled_forms(), flat)
        static = self._outer.static(flat, known)
        # What stands for variables is constant until it is another one, which is noticed there.
        apart = same or (not flat.has_heaps and not static.isdisjoint(_positions_of_roots(flat)))
        lengths = None if apart else self._lengths_of(flat)
        if lengths is None:
            return self._compile(base, static, flat, same=same)
        lengths.fixed = tuple(sorted({*static, *lengths.fixed}))
        found = self._of_any_length(lengths, base, flat)
        if found is None:
            found = self._compile(base, static, flat)
            lengths.keep_apart(self.name)
            lengths.fixed = found.fixed[0]
        return found

    def _lengths_of(self, flat: Flat) -> SeenLengths | None:
        """What is known of calls like this one, but for the lengths of arrays."""
        paths = lambda: argument_paths(self._source, flat.structure)
        refuse_dtypes(flat.leaves, paths, self._location())
        if not (ANY_LENGTH and any(map(may_be_open, flat.leaves))):
            return None
        key = loose_key(flat.leaves, flat.structure)
        found = self._lengths.get(key)
        if found is None:
            found = self._lengths[key] = SeenLengths()
            self._lengths.shrink(most_signatures(), lambda entry: entry is found)
        return found

    def _of_any_length(self, lengths: SeenLengths, base: Any, flat: Flat) -> Compiled | None:
        """What is compiled for arguments like these, of any lengths; it is now, if they are of
        other lengths than before. None if there is nothing.

        Raises:
            MoreRoots: it has to be recorded with more inputs.
        """
        why = ""
        lengths.forms = [key for key in lengths.forms if key in self._cache]
        for key in list(lengths.forms):
            found = self._cache.get(key)
            if not isinstance(found, Compiled) or not found.takes(flat.leaves):
                continue
            if found.meets(flat.leaves):
                return None
            if found.is_valid():
                found.base = base
                self._keep_for_rows(base, flat, found)
                return found
            self._why = why = found.invalidated_by()
            self._learn_outside(found)
            lengths.forms.remove(key)
            self._forget()
        start, is_recorded = time.perf_counter(), False
        try:
            recorded = self._recorded_of_any_length(lengths, base, flat, why)
            if recorded is None:
                return None
            is_recorded = True
            lowered, open_shapes, keep = recorded
            self._lists.refuse_copies(lowered.traced.copied)
            needed = open_shapes.symbols.needed
            compiled = lowered.compiled()
            compiled.native  # noqa: B018, if it can't be made, that shows now
            # What kernels can't compute of any length they may compute of this one.
            more = open_shapes.symbols.needed > needed  # there would be fewer of them
            if more and not flat.has_heaps:
                raise NeedsNumber(next(open_shapes.lengths()))
            if open_shapes.counts and self._is_slower(compiled):
                raise NeedsNumber(next(open_shapes.lengths()))
            keep()
        except Exception as error:
            refuses = isinstance(error, AutographError | NotImplementedError | NeedsNumber)
            if raised_by_handler(error) or (VERIFY and is_recorded and not refuses):
                raise
            if flat.is_refused_alike(error):  # so it would be of these lengths, too
                raise
            if lengths.stand_for_less(error, flat.has_heaps):
                return self._of_any_length(lengths, base, flat)
            return None
        self._outer.add(lowered.traced.met)
        lengths.fixed = tuple(sorted({*lengths.fixed, *compiled.fixed[0]}))  # later symbols, too
        compiled.base = base
        key = (base, open_shapes)
        lengths.forms.append(key)
        self._cache[key] = compiled
        self._keep_for_rows(base, flat, compiled)
        self._cache.shrink(most_signatures(), self._is_tried)
        self._remember(lowered.signature)
        elapsed = 1e3 * (time.perf_counter() - start)
        log.info("%s: compiled for any lengths, %s, in %.1f ms", self.name, open_shapes, elapsed)
        return compiled

    def _keep_for_rows(self, base: Any, flat: Flat, compiled: Compiled) -> None:
        """Let calls with other rows in heaps find what is compiled for any, without more ado."""
        if flat.has_heaps and not compiled.fixed[0]:
            self._cache[base] = compiled

    def _recorded_of_any_length(
        self, lengths: SeenLengths, base: Any, flat: Flat, why: str
    ) -> tuple[Lowered, OpenShapes, Callable[[], None]] | None:
        """The function recorded for arguments like these, of any lengths, with the shapes, and what
        writes it to the disk if it is not there; None if it is to be recorded for each length."""
        for clips in (base in self._clipping, True):  # of some lengths a slice fits, of others not
            never = self._never_counts(flat)
            rows, varying = self._lists.open_lengths(flat)
            open_shapes = lengths.opened(flat.leaves, never, rows, varying)
            if open_shapes is None or base in self._budgets:
                return None
            fixed = [i for i in lengths.fixed if i not in open_shapes.counts]
            place = None
            if not open_shapes.counts:
                place = self._place(flat, fixed, why, open_shapes, clips)
            stored = None if place is None else place.load()
            if stored is not None:
                return stored, open_shapes, lambda: None
            with hearing() as said, noting_needs(place):
                lowered = self._record(
                    fixed,
                    flat.leaves,
                    flat.structure,
                    why,
                    roots=tuple(flat.roots.values()),
                    variables=self._outer.cells(flat.roots),
                    in_heaps=flat.call.given,
                    open_shapes=open_shapes,
                    clips=clips,
                )
            if not lowered.traced.bets:
                if place is None:
                    return lowered, open_shapes, lambda: None
                keep = functools.partial(place.store, lowered, said, assumed_by(lowered))
                return lowered, open_shapes, keep
        return None

    def _is_slower(self, compiled: Compiled) -> bool:
        """Whether what is compiled for any lengths is no kernel, which it is for one of them."""
        others = [form for form in self.compiled_forms() if form.open_shapes is None]
        return not compiled.is_kernel and any(form.is_kernel for form in others)

    def _never_counts(self, flat: Flat) -> Collection[int]:
        """The positions of leaves that are known in any case: those chosen by the options, all of
        them for a device, and what stands for variables."""
        options = self._options
        backend = options.backend or backend_of(flat.leaves)
        if not backend.host:
            return range(len(flat.leaves))
        chosen = options.static.leaves(flat.structure) if options.static else ()
        return {*_positions_of_roots(flat), *chosen}

    def _place(
        self,
        flat: Flat,
        static: Iterable[int],
        why: str,
        open_shapes: OpenShapes | None = None,
        clips: bool = False,
    ) -> PlaceOnDisk | None:
        """Where the recording for a call is on disk. What changes outside is looked for there once
        it is an input."""
        if why and not flat.roots:
            return None
        known = frozenset(static) if flat.roots else ()
        variables = self._outer.cells(flat.roots)
        call = NewCall(flat.leaves, flat.structure, flat.roots, known, variables, open_shapes)
        return place_of(self, call, self._options, clips)

    def _compile(
        self,
        base: Any,
        static: Iterable[int],
        flat: Flat,
        why: str = "",
        same: Mapping[int, int] = {},
    ) -> Compiled:
        """Record and compile for a call.

        Args:
            static: the positions of leaves whose values are needed.
            why: what outside the function has changed, if it was compiled for them before.
            same: see `_found`.

        Raises:
            MoreRoots: it has to be recorded with more inputs.
        """
        start = time.perf_counter()
        why, self._why = why or self._why, ""
        if why:  # a quick call may be for what is compiled again now
            self._forget()
        clips, memory = base in self._clipping, self._budgets.get(base)
        record = functools.partial(
            self._record,
            leaves=flat.leaves,
            structure=flat.structure,
            same=same,
            memory=memory,
            roots=tuple(flat.roots.values()),
            variables=self._outer.cells(flat.roots),
            in_heaps=flat.call.given,
            may_be_packed=self._lists.may_pack(flat),
            keeps_raise=self._raised.may_be_kept(flat),
        )
        place = None
        if not (clips or same) and memory is None:
            place = self._place(flat, static, why)
        stored = None if place is None else place.load()
        with hearing() as said, noting_needs(place):
            lowered = record(static, why=why, clips=clips) if stored is None else stored
            if lowered.traced.bets and not bets.repeatable(lowered.traced, lowered.donated):
                with contextlib.suppress(AutographError):
                    fixed = set(lowered.signature.fixed)
                    lowered = record(fixed, why=bets.MAY_MISS, clips=True)
        self._lists.refuse_copies(lowered.traced.copied)
        self._outer.add(lowered.traced.met)
        compiled = lowered.compiled()
        if place is not None and stored is None:
            place.store(lowered, said)
        compiled.base, compiled.has_budget = base, memory is not None
        paths = lambda: argument_paths(self._source, flat.structure)
        if not self._is_shared:  # whose calls are of different functions
            from autograph.api.recording import drift  # once something is compiled

            drift.warn_of_arguments(compiled, paths, self.compiled_forms())
        self._remember(lowered.signature)
        parts = lowered.signature.summary.items()
        text = ", ".join(f"{name}: {part.text}" for name, part in parts)
        elapsed = 1e3 * (time.perf_counter() - start)
        log.info("%s: compiled for (%s) in %.1f ms", self.name, text, elapsed)
        if lowered.signature.fixed:
            signature = lowered.signature
            inputs = self._outer.inputs()
            specialized = Specialized(tuple(signature.fixed), signature.values, inputs)
            self._cache[base] = specialized
            self._cache[specialized.key(base, flat.leaves)] = compiled
        else:
            self._cache[base] = compiled
        # What goes is compiled again if it is needed.
        if self._cache.shrink(most_signatures(), self._is_tried):
            self._clipping = {key for key in self._clipping if key in self._cache}
            self._budgets = {key: n for key, n in self._budgets.items() if key in self._cache}
        return compiled

    def _compile_again(self, compiled: Compiled, flat: Flat, why: str) -> Compiled:
        """Compile in place of what was compiled for a call, with what that needed known.

        Args:
            why: see `_compile`.
        """
        known = self._cache.get(compiled.base)
        static = known.positions if isinstance(known, Specialized) else ()
        return self._compile(compiled.base, static, flat, why, dict(compiled.repeated(flat.leaves)))

    def _is_tried(self, found: Compiled | Specialized) -> bool:
        """Whether quick calls may be for it, of which the cache does not know."""
        return isinstance(found, Compiled) and found.is_tried(getattr(self, "_records", ()))


def _positions_of_roots(flat: Flat) -> range:
    """Those of the leaves of what stands for variables and objects outside."""
    return range(len(root_paths(flat.structure)) if flat.roots else 0)
