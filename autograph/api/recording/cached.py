"""Functions that are compiled once for each signature of their arguments."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from autograph.api.calls import bets
from autograph.api.calls.compiled import Compiled
from autograph.api.calls.signature import Specialized
from autograph.api.kept import RecentEntries, most_signatures
from autograph.api.recording.ahead import Lowered
from autograph.api.recording.alike import Member, member
from autograph.api.recording.described_calls import NewCall
from autograph.api.recording.given_lists import MoreGiven
from autograph.api.recording.growing_lists import MoreUnread
from autograph.api.recording.latest_calls import LatestCalls
from autograph.api.recording.list_forms import OTHER_FORMS, Flat, ListForms
from autograph.api.recording.on_disk import PlaceOnDisk, assumed_by, noting_needs, place_of
from autograph.api.recording.outer_state import MoreRoots, OuterState, SettledVariables
from autograph.api.recording.packed_lists import MorePacked
from autograph.api.recording.raised_calls import RaisedCalls, noting_recordings
from autograph.api.recording.recorded import Options, RecordedFunction, source_of
from autograph.api.recording.symbolic import OpenShapes, SeenLengths, loose_key, may_be_open
from autograph.api.type_parameters import P, R
from autograph.backends.select import backend_of
from autograph.errors import AutographError, MemoryLimitError, VerificationError, hearing
from autograph.kernels.native.quick_calls import Record
from autograph.log import log
from autograph.settings import ANY_LENGTH, DISABLED, VERIFY
from autograph.signals import raised_by_handler
from autograph.source.tree.free import Lookup
from autograph.staging.border.signature import (
    CallParts,
    argument_paths,
    call_key,
    name_foreign,
    refuse_dtypes,
)
from autograph.staging.ground.recorder import active_recorder
from autograph.staging.ground.restarts import CopiesObjects
from ops.core.memory import growth_limit
from ops.core.symbolic_lengths import NeedsNumber

if TYPE_CHECKING:
    from autograph.api.recording.refusals import Refusals
    from autograph.api.recording.refused_calls import RefusedCalls


class CachedFunction(RecordedFunction[P, R]):
    """A function that is compiled when it is called with arguments of a new signature."""

    def __init__(
        self,
        function: Callable[P, R],
        source: Callable,
        name: str,
        options: Options,
        takes_lists: bool = False,
    ):
        super().__init__(function, source, name, options)
        self._cache: RecentEntries[Compiled | Specialized] = RecentEntries()
        self._clipping: set[Hashable] = set()  # the keys for which slices reach past the ends
        self._lengths: RecentEntries[SeenLengths] = RecentEntries()  # by what calls share
        self._budgets: dict[Hashable, int] = {}  # the keys for which loops have a budget
        self._raised = RaisedCalls()
        self._outer = OuterState()
        self._refused: RefusedCalls | None = None
        names_leaves = bool(options.static or options.donated)
        is_plain = function is source and not names_leaves
        takes_lists |= function is source or getattr(function, "takes_lists", False)
        self.takes_lists = takes_lists  # whether lists among the arguments may be arrays
        self._lists = ListForms(name, takes_lists and not names_leaves, is_plain)
        self._settled = SettledVariables()
        self._latest = LatestCalls(self._lists, self._outer)
        self._why = ""  # what has let it be recorded with more inputs
        self._is_shared = False  # whether it is what functions of the same code share
        self._member: Member | None = None

    def _look_up(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        if active_recorder() is not None:
            return self._recorded(args, kwargs)
        if DISABLED and self._function is self._source:
            return source_of(self._source)(*args, **kwargs)
        compiled: Compiled | None = None
        try:
            owner, compiled, flat = self._found_for(args, kwargs)
            if compiled.outgrown is not None:  # in a quick call
                with self._in_place_of(owner):
                    compiled = owner._within_budget(compiled, compiled.outgrown, flat)
            self._try_first(self._record_of(owner, compiled, flat))
            return self._ran(owner, compiled, flat)
        except Exception as error:
            if self._function is not self._source:
                raise
            from autograph.api.calls import replays  # where there are exceptions

            if compiled is not None and compiled.is_replayed(error):
                replays.replay(self._source, args, kwargs)
            if compiled is not None or not replays.is_raised_at_once(error):
                raise
            recorded = error
        replays.run(self._source, args, kwargs)  # out here, where it does not get a context
        raise recorded

    def _ran(self, owner: CachedFunction, compiled: Compiled, flat: Flat) -> Any:
        """What a call gives."""
        try:
            return compiled.run(flat.leaves, flat.call)
        except IndexError as error:
            if not compiled.traced.bets:
                raise
            with self._in_place_of(owner):
                compiled = owner._without_bets(compiled, error, flat)
        except MemoryLimitError as error:
            with self._in_place_of(owner):
                compiled = owner._within_budget(compiled, error, flat)
        return compiled.run(flat.leaves, flat.call)

    def _found_for(
        self, args: tuple, kwargs: dict[str, Any]
    ) -> tuple[CachedFunction, Compiled, Flat]:
        """What is compiled for a call, and the call; first by what that is compiled: this function,
        or what functions of the same code share."""
        like = self._latest.found(args, kwargs)
        if like is not None:
            return self, *like
        if not len(self._cache) and not self._is_shared:
            if self._refused is not None:
                self._refused.refuse(args, kwargs)
            if self._member is None or not self._member.is_valid():
                self._member = member(self)
            found = None if self._member is None else self._member.prepared(args, kwargs)
            if self._member is not None and found is not None:
                return self._member.alike.shared, *found
        compiled, flat = self._prepared(args, kwargs)
        self._latest.note(compiled, flat)
        return self, compiled, flat

    def _in_place_of(self, owner: CachedFunction) -> contextlib.AbstractContextManager[Any]:
        """While this is open, ``owner`` can be compiled for this function."""
        if owner is self or self._member is None:
            return contextlib.nullcontext()
        return self._member.alike.holding(self._member.base)

    def share(self, variables: Mapping[str, Lookup]) -> None:
        """Be what functions of the same code share, with closure variables that are inputs."""
        self._is_shared = True
        self._outer.variables.update(variables)

    def shares(self, names: Collection[str]) -> bool:
        """Whether only what variables hold is an input from outside, all of these among them."""
        return self._outer.variables.keys() >= set(names) and not self._outer.has_objects

    def variables(self) -> dict[str, Lookup]:
        """The variables that are inputs."""
        return self._outer.variables

    def _record_of(self, owner: CachedFunction, compiled: Compiled, flat: Flat) -> Record | None:
        """What quick calls like this one try; see `Compiled.record`. Where variables are inputs,
        it is for what they are bound to now, once that has been the same in some calls."""
        variables: Mapping[str, Callable[[], Any]] = owner.variables()
        bindings: list[tuple[Any, str, Any]] = []
        if owner is not self and self._member is not None:
            variables, bindings = self._member.bound(), self._member.bindings
        elif not variables:
            return compiled.record(flat.call, flat.leaves, self._tried())
        held = {name: flat.roots[name].cell_contents for name in variables}
        if not self._settled.are_now(compiled, held):
            return None
        looked_up = [(v, held[k]) for k, v in variables.items() if isinstance(v, Lookup)]
        now = [(v.place, v.name, value) for v, value in looked_up]
        return compiled.record_for(flat.call, flat.leaves, [*bindings, *now])

    def run_by(
        self, change: Callable[[Compiled], Compiled], args: tuple, kwargs: dict[str, Any]
    ) -> Any:
        """What a call gives, by something else than what is compiled for it.

        Args:
            change: gives that in place of what is compiled.
        """
        compiled, flat = self._prepared(args, kwargs)
        try:
            return change(compiled).run(flat.leaves, flat.call)
        except IndexError as error:
            if not compiled.traced.bets:
                raise
            compiled = self._without_bets(compiled, error, flat)
        return change(compiled).run(flat.leaves, flat.call)

    def compiled_forms(self) -> list[Compiled]:
        """The compiled forms that calls may find."""
        return list(dict.fromkeys(f for f in self._cache.values() if isinstance(f, Compiled)))

    def _compile_for(self, args: tuple, kwargs: dict[str, Any]) -> Compiled:
        return self._prepared(args, kwargs)[0]

    def _prepared(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Compiled, Flat]:
        """What is compiled for a call, now if there is nothing yet, and the call.

        Raises:
            AutographError: it is refused, or one like it was.
        """
        if self._refused is not None:
            self._refused.refuse(args, kwargs)
        with noting_recordings() as recordings:
            try:
                return self._in_some_form(args, kwargs)
            except AutographError as error:
                if not (self._outer.has_objects or self._outer.variables):
                    from autograph.api.recording.refused_calls import RefusedCalls

                    self._refused = self._refused or RefusedCalls(self.name)
                    place, call = self._location(), CallParts(args, kwargs)
                    self._refused.note(error, recordings, place, call)
                raise

    def _in_some_form(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Compiled, Flat]:
        """What is compiled for a call, and the call, in the first form that is not refused."""
        refused: AutographError | None = None
        refusals: Refusals | None = None
        while True:
            roots: Mapping[str, Any] = {}
            flat: Flat | None = None
            try:
                roots = self._outer.roots()
                flat = self._flat(args, kwargs, roots)
                flat = flat if refusals is None else refusals.noted_in(flat)
                return self._compiled(flat), flat
            except MoreRoots:
                self._start_over()
            except (MoreUnread, MoreGiven, MorePacked):
                pass
            except OTHER_FORMS as needed:
                self._lists.answer(needed, flat)
                if isinstance(needed, CopiesObjects) and self._takes_outside():
                    self._start_over()
            except VerificationError:
                raise
            except Exception as error:
                if raised_by_handler(error):
                    raise
                is_refused = isinstance(error, AutographError)
                if is_refused and self._takes_outside():
                    self._start_over()
                    continue
                if refusals is None:
                    from autograph.api.recording.refusals import Refusals  # once there are some

                    refusals = Refusals(self._lists)
                told = refusals.told(error, flat, args, kwargs)
                if told is None:
                    continue
                if not isinstance(told, AutographError):
                    self._raised.note(flat)
                    raise
                if not roots:
                    if refused is not None:  # so it is not for the roots
                        self._outer.take_back()
                    if told is error:
                        raise
                    raise told from told.__cause__
                # What can't be an input is constant, and recorded again where it has changed.
                refused = told
                log.debug("%s: what changes outside can't be an input: %s", self.name, told)
                self._outer.give_up()
                self._forget()

    def _takes_outside(self) -> bool:
        """Let objects from outside that may be in heaps be inputs; whether they were none."""
        return self._outer.take(self._lists.to_be_found(self._source))

    def _start_over(self) -> None:
        """Forget what is compiled: there are more roots, and no more calls without them."""
        self._forget()
        self._cache = RecentEntries()
        self._lists.forget_growing()

    def _flat(self, args: tuple, kwargs: dict[str, Any], roots: Mapping[str, Any]) -> Flat:
        try:
            return self._lists.flat(args, kwargs, roots)
        except AutographError as error:  # an array of another library that can't be had
            error.location = error.location or self._location()
            name_foreign(error, self._source, args, kwargs)
            raise

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
            self._outer.learn(found.traced)
            return self._compile(base, self._outer.static(flat, known), flat, why, same)
        return found

    def _new_form(self, base: Any, known: Any, flat: Flat, same: Mapping[int, int]) -> Compiled:
        """What is compiled for a call that is like none before: for arrays of any length, if only
        lengths are others.

        Args:
            known: the values that count for this signature, if some are known to.
            same: see `_found`.

        Raises:
            MoreUnread, MorePacked: it is to be taken apart otherwise.
        """
        self._lists.learn(self.compiled_forms(), flat)
        static = self._outer.static(flat, known)
        apart = same or (static and flat.roots and not flat.has_heaps)
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
            self._outer.learn(found.traced)
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
        if not backend.host or flat.roots:
            return range(len(flat.leaves))
        return options.static.leaves(flat.structure) if options.static else ()

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
            specialized = Specialized(tuple(signature.fixed), signature.values)
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

    def _within_budget(self, compiled: Compiled, error: MemoryLimitError, flat: Flat) -> Compiled:
        """What is compiled in place of what raised ``error``, since its loops kept too much for a
        gradient: with loops that keep within a budget.

        Raises:
            MemoryLimitError: ``error``, if it can't be had or is of no use.
        """
        compiled.outgrown = None
        self._latest.forget()
        if not compiled.may_have_budget:
            raise error
        base, memory = compiled.base, growth_limit() // 2
        self._budgets[base] = memory
        why = f"loops keep too much for a gradient: they get a budget of {memory} bytes"
        try:
            found = self._compile_again(compiled, flat, why)
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

    def _without_bets(self, compiled: Compiled, error: IndexError, flat: Flat) -> Compiled:
        """What is compiled in place of what raised ``error``, maybe since a slice is not inside of
        its axis: with slices whose lengths are known only at run time.

        Raises:
            OperandIndexError: it can't be had; Python may raise an IndexError as well.
            IndexError: it can't be run, and Python may raise ``error`` as well.
        """
        base, refusal = compiled.base, None
        self._latest.forget()
        if bets.repeatable(compiled.traced, compiled.donated):
            self._clipping.add(base)
            try:
                return self._compile_again(compiled, flat, bets.MISSED)
            except AutographError as refused:
                self._clipping.discard(base)
                refusal = refused
        if not bets.is_miss(error) and refusal is None:
            raise error
        raise bets.missed(error, compiled.program.location_of(error), refusal) from None
