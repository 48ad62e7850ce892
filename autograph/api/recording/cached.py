"""Functions that are compiled once for each signature of their arguments."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from autograph.api.calls import bets
from autograph.api.calls.compiled import Compiled
from autograph.api.kept import RecentEntries
from autograph.api.recording.alike import Member, member
from autograph.api.recording.bases import FUNCTIONS
from autograph.api.recording.compiled_forms import CompiledForms
from autograph.api.recording.given_lists import MoreGiven
from autograph.api.recording.growing_lists import MoreUnread
from autograph.api.recording.latest_calls import LatestCalls
from autograph.api.recording.list_forms import OTHER_FORMS, Flat, ListForms
from autograph.api.recording.outer_state import MoreRoots, SettledVariables
from autograph.api.recording.packed_lists import MorePacked
from autograph.api.recording.raised_calls import noting_recordings
from autograph.api.recording.recorded import Options, source_of
from autograph.api.type_parameters import P, R
from autograph.errors import AutographError, MemoryLimitError, VerificationError
from autograph.kernels.native.quick_calls import Record
from autograph.log import log
from autograph.settings import DISABLED
from autograph.signals import raised_by_handler
from autograph.source.tree.free import Lookup
from autograph.source.tree.places import NamedPlace
from autograph.staging.border.signature import CallParts, name_foreign
from autograph.staging.ground.recorder import active_recorder
from autograph.staging.ground.restarts import CopiesObjects
from ops.core.memory import growth_limit

if TYPE_CHECKING:
    from autograph.api.recording.given_functions import FunctionCalls
    from autograph.api.recording.refusals import Refusals
    from autograph.api.recording.refused_calls import RefusedCalls


class CachedFunction(CompiledForms[P, R]):
    """A function that is compiled when it is called with arguments of a new signature."""

    def __init__(
        self,
        function: Callable[P, R],
        source: Callable,
        name: str,
        options: Options,
        takes_lists: bool = False,
    ):
        names_leaves = bool(options.static or options.donated)
        is_plain = function is source and not names_leaves
        takes_lists |= function is source or getattr(function, "takes_lists", False)
        self.takes_lists = takes_lists  # whether lists among the arguments may be arrays
        lists = ListForms(name, takes_lists and not names_leaves, is_plain)
        super().__init__(function, source, name, options, lists)
        self._refused: RefusedCalls | None = None
        self._settled = SettledVariables()
        self._latest = LatestCalls(self._lists, self._outer)
        self._member: Member | None = None
        self._functions: FunctionCalls | None = None  # once it was given functions
        # What is recorded in place of functions among the leaves of calls, by their identities.
        self._in_place: Mapping[int, Any] = {}

    def _look_up(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        if active_recorder() is not None:
            return self._recorded(args, kwargs)
        if DISABLED and self._function is self._source:
            return source_of(self._source)(*args, **kwargs)
        compiled: Compiled | None = None
        try:
            like, compiled, flat = self._found_for(args, kwargs)
            if compiled.outgrown is not None:  # in a quick call
                with self._shared_by(like) as owner:
                    compiled = owner._within_budget(compiled, compiled.outgrown, flat)
            self._try_first(self._record_of(like, compiled, flat))
            return self._ran(like, compiled, flat)
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

    def _ran(self, like: Member | None, compiled: Compiled, flat: Flat) -> Any:
        """What a call gives.

        Args:
            like: see `_found_for`.
        """
        try:
            return compiled.run(flat.own_leaves, flat.call)
        except IndexError as error:
            if not compiled.traced.bets:
                raise
            with self._shared_by(like) as owner:
                compiled = owner._without_bets(compiled, error, flat)
        except MemoryLimitError as error:
            with self._shared_by(like) as owner:
                compiled = owner._within_budget(compiled, error, flat)
        return compiled.run(flat.own_leaves, flat.call)

    def _found_for(
        self, args: tuple, kwargs: dict[str, Any]
    ) -> tuple[Member | None, Compiled, Flat]:
        """What is compiled for a call, and the call; first by what that is compiled: None for this
        function, or as one of several of the same code that share it."""
        like = self._latest.found(args, kwargs)
        if like is not None:
            return None, *like
        self._refuse_alike(args, kwargs)
        if self._functions is not None:
            given = self._functions.prepared(self, args, kwargs)
            if given is not None:
                return given
        found = self._found_as_member(args, kwargs)
        if found is None:
            compiled, flat = self._not_refused(args, kwargs)
            self._latest.note(compiled, flat)
            found = None, compiled, flat
        is_noted = self._functions is not None or self._is_shared
        if not (is_noted or FUNCTIONS.isdisjoint(map(type, found[2].leaves))):
            from autograph.api.recording.given_functions import FunctionCalls  # few are given some

            self._functions = FunctionCalls()
            self._functions.prepared(self, args, kwargs)  # which notes them
        return found

    def _found_as_member(
        self, args: tuple, kwargs: dict[str, Any]
    ) -> tuple[Member | None, Compiled, Flat] | None:
        """The same as one of several that share what is compiled; None if it is none."""
        if len(self._cache) or self._is_shared:
            return None
        if self._member is None or not self._member.is_valid():
            self._member = member(self)
        found = None if self._member is None else self._member.prepared(args, kwargs)
        return None if found is None else (self._member, *found)

    @contextlib.contextmanager
    def _shared_by(self, like: Member | None) -> Iterator[CachedFunction]:
        """What is compiled in place of this function; while this is open, it can be compiled.

        Args:
            like: see `_found_for`.
        """
        if like is None:
            yield self
            return
        with like.alike.holding(like.base):
            yield like.alike.shared

    def share(self, variables: Mapping[str, Lookup]) -> None:
        """Be what functions of the same code share, with closure variables that are inputs."""
        self._is_shared = True
        self._outer.variables.update(variables)

    def shares(self, names: Collection[str]) -> bool:
        """Whether only what variables hold and places with names is an input from outside, all of
        these variables among them."""
        known = self._outer.variables.keys() >= set(names)
        return known and all(isinstance(v, NamedPlace) for v in self._outer.objects.values())

    def prepared_with(
        self, in_place: Mapping[int, Any], args: tuple, kwargs: dict[str, Any]
    ) -> tuple[Compiled, Flat]:
        """See `_prepared`.

        Args:
            in_place: what is recorded in place of functions that are given, by their identities.
        """
        self._in_place = in_place
        try:
            return self._prepared(args, kwargs)
        finally:
            self._in_place = {}

    def variables(self) -> dict[str, Lookup]:
        """The variables that are inputs."""
        return self._outer.variables

    def _record_of(self, like: Member | None, compiled: Compiled, flat: Flat) -> Record | None:
        """What quick calls like this one try; see `Compiled.record`. Where variables are inputs,
        it is for what they are bound to now, once that has been the same in some calls.

        Args:
            like: see `_found_for`.
        """
        variables: Mapping[str, Callable[[], Any]] = self.variables()
        bindings: list[tuple[Any, str, Any]] = []
        if like is not None and like is not self._member:  # it is given others in place of its own
            return None
        if like is not None:
            variables, bindings = like.bound(), like.bindings
        elif not variables:
            return compiled.record(flat.call, flat.own_leaves, self._tried())
        held = {name: flat.roots[name].cell_contents for name in variables}
        if not self._settled.are_now(compiled, held):
            return None
        looked_up = [(v, held[k]) for k, v in variables.items() if isinstance(v, Lookup)]
        now = [(v.place, v.name, value) for v, value in looked_up]
        return compiled.record_for(flat.call, flat.own_leaves, [*bindings, *now])

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

    def _compile_for(self, args: tuple, kwargs: dict[str, Any]) -> Compiled:
        return self._prepared(args, kwargs)[0]

    def _prepared(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Compiled, Flat]:
        """What is compiled for a call, now if there is nothing yet, and the call.

        Raises:
            AutographError: it is refused, or one like it was.
        """
        self._refuse_alike(args, kwargs)
        return self._not_refused(args, kwargs)

    def _refuse_alike(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Refuse a call if one like it was."""
        if self._refused is not None:
            self._refused.refuse(args, kwargs)

    def _not_refused(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Compiled, Flat]:
        """The same as `_prepared` for a call like which none was refused."""
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
                roots = self._outer.roots(self._in_place)
                flat = self._flat(args, kwargs, roots)
                flat = flat if refusals is None else refusals.noted_in(flat)
                compiled = self._compiled(flat)
                self._lists.note_compiled(flat)
                return compiled, flat
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
                self._conversion = self._conversion._replace(shared=(), of_classes=())
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
            flat = self._lists.flat(args, kwargs, roots)
            return flat if not self._in_place else flat.with_others(self._in_place)
        except AutographError as error:  # an array of another library that can't be had
            error.location = error.location or self._location()
            name_foreign(error, self._source, args, kwargs)
            raise

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
