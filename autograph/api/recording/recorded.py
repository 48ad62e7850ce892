"""Recording a function for arguments of one signature, and again with what that turns out to need.

A recording may find that the value of an argument is needed, that the program has to handle
exceptions, or that the first trip of a loop has to stand apart. That ends it; the next one knows.
"""

from __future__ import annotations

import functools
import time
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from autograph.api.calls.quick import QuickCaller
from autograph.api.calls.signature import RecordedSignature
from autograph.api.machine import capabilities
from autograph.api.recording.ahead import Lowered
from autograph.api.recording.options import ArgumentSelection, fixed_arguments, refuse_static_arrays
from autograph.api.recording.symbolic import OpenShapes
from autograph.api.type_parameters import P, R
from autograph.backends.select import backend_of
from autograph.collector import collector_waits
from autograph.errors import (
    AutographError,
    CompilerError,
    ConcreteValueError,
    Location,
    NoSourceError,
    RecursionDepthError,
    UnrollLimitError,
    VerificationError,
)
from autograph.log import log
from autograph.source.forwarding import forwarding, is_library_function
from autograph.source.load import definition
from autograph.source.tree.handling import Handling
from autograph.source.tree.libraries import python_function
from autograph.staging.border.constancy import stands_for_itself, static_key
from autograph.staging.border.endings import leaving
from autograph.staging.border.outer_inputs import Variables
from autograph.staging.border.retracing import Summary, differences, summary
from autograph.staging.border.signature import (
    argument_names,
    argument_paths,
    call_key,
    is_bound,
    refuse_dtypes,
    traced_type,
)
from autograph.staging.ground.bound import METHODS
from autograph.staging.ground.effort import Effort
from autograph.staging.ground.errors import OPERANDS_DO_NOT_FIT
from autograph.staging.ground.first_trips import Apart, FirstTripApart
from autograph.staging.ground.known_loops import KnownLoops
from autograph.staging.ground.nested_lists import NestedLists
from autograph.staging.ground.queues import Queues
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsDeques, NeedsHandlers, SpecializeArguments
from autograph.staging.ground.stepped import SteppedGenerators
from autograph.staging.trace import Traced, trace
from ops.control.constructs import Refusal
from ops.core.records import dataclass
from ops.core.types import ArrayType

# What says that a recording has become too long, which it would be with more values known as well.
_AT_A_LIMIT = (UnrollLimitError, RecursionDepthError, VerificationError)
# How many recordings a function remembers, to say why it is recorded again.
_REMEMBERED = 20


@dataclass(frozen=True)
class Options:
    """What `autograph.to_graph` was told; see there.

    Attributes:
        backend: a module of `autograph.backends`; None: that of the arguments.
        static: the arguments whose values are part of the signature.
        donated: the arguments whose memory callers give up.
    """

    backend: ModuleType | None
    unroll_limit: int
    recording_limit: int
    fast_math: bool
    static: ArgumentSelection | None
    donated: ArgumentSelection | None


class _Needs:
    """What recordings of a function have found to be needed so far.

    Attributes:
        fixed: the positions of leaves whose values are, with the reason.
        effort: of the next recording.
        handling, apart, earlier: see `autograph.staging.trace.trace`.
        refusal: what is raised if a program that handles exceptions is refused as well.
        known_loops, queues, nested, stepped: see `autograph.staging.ground.known_loops` and those
            beside it.
        ways: what was tried of deques and lists of lists: whether deques are lists, and whether
            lists of lists are in pools, and how many of those were known.
        first_fixed, fixed_plainly: `fixed` at first, and when that was refused.
        plainly_refused: what is raised if none of that helps,
        refused_last: but for this, of a later line, which lists of lists in pools came to.
        refused: the first refusal after which more values are known than anything asked for.
        known_before: the positions of leaves whose values were for earlier calls.
        relaxed: whether these are not known any more.
    """

    def __init__(self, fixed: dict[int, str], known_before: Collection[int], effort: Effort):
        self.fixed = fixed
        self.first_fixed = dict(fixed)
        self.fixed_plainly = dict(fixed)
        self.known_before = known_before
        self.relaxed = False
        self.effort = effort
        self.apart = Apart()
        self.known_loops = KnownLoops()
        self.queues = Queues()
        self.stepped = SteppedGenerators()
        self.nested = NestedLists()
        self.ways: list[tuple[bool, bool, int]] = []
        self.plainly_refused: AutographError | None = None
        self.refused_last: AutographError | None = None
        self.handling = Handling.NONE
        self.earlier: Sequence[Any] | None = None
        self.refusal: Any = None
        self.refused: AutographError | None = None

    def handlers(self, needed: NeedsHandlers) -> str:
        """The program has to handle exceptions. The reason for another recording, as below."""
        self.handling, self.refusal = needed.handling, needed.refusal
        return f"the program has to handle exceptions: {needed.refusal.location}"

    def first_trip(self, needed: FirstTripApart) -> str:
        """The first trip of a loop has to be recorded by itself."""
        self.apart.grow(needed.loop)
        return f"the first trip of the loop at {needed.loop} is recorded apart"

    def values(self, needed: SpecializeArguments, names: Sequence[str], leaves: list) -> str:
        """The values of arguments have to be known."""
        wanted = sorted(needed.positions)
        self.fixed.update(dict.fromkeys(wanted, f"its value is needed at {needed.location}"))
        listed = ", ".join(f"'{names[i]}' ({leaves[i]})" for i in wanted)
        return f"the value of {listed} is needed at {needed.location}: it becomes static"

    def steps(self, raised: AutographError | SpecializeArguments) -> str | None:
        """Generators may have to go step by step. The reason for another recording, as above; None
        if there is none."""
        stepped, is_left = self.stepped, getattr(raised, "id", None) == "AG0342"
        more = stepped.by_steps and is_left and not stepped.resumed
        if not more and (not stepped.met or stepped.cause is not None):
            return None
        stepped.by_steps, stepped.resumed = True, is_left
        stepped.cause = stepped.cause or raised
        self.effort = Effort(self.effort.limit)
        why = getattr(raised, "message", "it has to be known how far one goes")
        return f"generators may have to go step by step: {raised.location}: {why}"

    def cause(
        self, raised: AutographError | SpecializeArguments
    ) -> AutographError | SpecializeArguments:
        """What another recording has to mend: what was raised, or, if that did not help, what was
        before generators went step by step. Those are Python's again then."""
        stepped = self.stepped
        before = stepped.cause
        if not stepped.by_steps or before is None:
            return raised
        if isinstance(raised, SpecializeArguments) and not isinstance(before, SpecializeArguments):
            return raised  # it may help with these
        stepped.by_steps = False
        log.debug("generators that go step by step do not help: %s", raised)
        if isinstance(before, SpecializeArguments):
            stepped.cause = None  # it may still help with those
            return before
        return raised if getattr(raised, "id", None) == "AG0585" else before

    def more_known(
        self, error: AutographError, integers: Sequence[int], names: Sequence[str]
    ) -> str:
        """What is refused may be fine if more is known while recording: first integers, by which
        Python programs choose what they do, then what loops do trip by trip.

        Args:
            error: the refusal.
            integers: the positions of those that are not known.

        Raises:
            AutographError: the first refusal, if there is nothing more to try.
        """
        if self.relaxed:
            raise error
        if not isinstance(error, CompilerError) or self.ways:
            why = self._another_way(error)
            if why:
                return why
            error = self.refused_last or self.plainly_refused or error
            of_keys = self.queues.of_keys
            if of_keys is not None and (error.id == "AG0304" or _is_later(of_keys, error)):
                error = of_keys
            else:
                error = self.queues.told(error)
        refused = self.refused = self.refused or error
        may_help = isinstance(error, (Refusal, *OPERANDS_DO_NOT_FIT))
        if not may_help or isinstance(error, _AT_A_LIMIT):
            raise refused
        told = f"{refused.location} is refused otherwise: {refused.message}"
        if integers:
            self.fixed.update(dict.fromkeys(integers, told))
            listed = ", ".join(f"'{names[i]}'" for i in integers)
            return f"{listed} may have to be static: {told}"
        if not self.known_loops.met or self.known_loops.refusal is not None:
            if not self.known_before:
                raise refused
            # It may be for them, in a branch that is not taken, where Python would not come.
            self.relaxed, self.known_loops.refusal = True, None
            for position in self.known_before:
                self.fixed.pop(position, None)
            return f"what was static may not have to be: {told}"
        self.known_loops.refusal = refused
        return f"loops whose trips are known may have to run as Python: {told}"

    def _another_way(self, error: AutographError) -> str:
        """Deques may have to be lists, lists of lists in pools, or both: the reason for another
        recording; none, with everything as it is, if nothing is left to try."""
        queues, nested = self.queues, self.nested
        first = self.plainly_refused
        if queues.as_lists:
            queues.refuse(error)
        if first is not None and not (queues.as_lists or nested.in_pools):
            return ""  # none of them has helped
        if first is None:
            first = self.plainly_refused = error
            self.fixed_plainly = dict(self.fixed)
        if (queues.as_lists or nested.in_pools) and _is_later(error, first):
            self.refused_last = error
        for as_lists, in_pools in ((True, False), (True, True), (False, True)):
            way = (as_lists, in_pools, in_pools * len(nested.sites))
            if way in self.ways or as_lists > queues.met or in_pools > bool(nested.sites):
                continue
            self.ways.append(way)
            queues.as_lists, nested.in_pools = as_lists, in_pools
            queues.tried |= as_lists
            self._fix(self.first_fixed if in_pools else self.fixed_plainly)
            self.effort = Effort(self.effort.limit)
            tried = ["deques, dicts and sets be lists"] * as_lists + [
                "lists of lists be in pools"
            ] * in_pools
            return f"it may be that {' and '.join(tried)}: {first.location} is refused otherwise"
        queues.as_lists = nested.in_pools = False
        self._fix(self.fixed_plainly)
        if not queues.waived:
            return ""
        queues.waived, self.plainly_refused, self.refused_last = False, None, None
        self.effort = Effort(self.effort.limit)
        return f"deques, dicts and sets can't be lists: {error.location}: {error.message}"

    def _fix(self, fixed: dict[int, str]) -> None:
        """Only these values are known, as nobody has asked for others yet."""
        self.fixed.clear()
        self.fixed.update(fixed)

    @property
    def first_refusal(self) -> AutographError:
        """Why deques or lists of lists are not what they are."""
        assert self.plainly_refused is not None  # or they would be
        return self.plainly_refused

    def says_the_same(self, error: Exception) -> bool:
        """Whether the first refusal is what Python raises, with more known, in the same words."""
        refused = self.refused
        if refused is None or not isinstance(refused, type(error)):
            return False
        return refused.message == str(error)

    def same_objects(self, unsure: Sequence[Any], effort: Effort) -> str:
        """Only another recording tells which objects are the same in each."""
        self.earlier, self.effort = unsure, effort
        return "that tells which of the objects that it returns it makes"


class RecordedFunction(QuickCaller[P, R]):
    """A function that can be recorded.

    Args:
        function: what is recorded. It is converted, unless it is a transform of ``source``.
        source: the user's function.
        name: of the generated program.
        options: how it is recorded and compiled.
    """

    def __init__(self, function: Callable[P, R], source: Callable, name: str, options: Options):
        self.name = name
        self._function = function
        self._source = source
        self._options = options
        self._summaries: list[Summary] = []  # what it was compiled for, for the log
        self._handling = Handling.NONE  # how it was converted last

    def _recorded(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """What a call does while recording."""
        if self._options.static:
            args, kwargs = fixed_arguments(self._options.static, self.name, args, kwargs)
        if self._function is not self._source:
            return self._function(*args, **kwargs)
        return recorder().call(recorder().outside.unbound(self._function), args, kwargs)

    def made_of(self) -> tuple[Callable[..., Any], tuple[Any, ...]] | None:
        """What makes it, and what that is given: another function, then options; None if nobody can
        tell."""
        return None

    @property
    def options(self) -> dict[str, Any]:
        """The options it was made with, for a transform of it."""
        options = self._options
        return {
            "backend": None if options.backend is None else options.backend.name,
            "unroll_limit": options.unroll_limit,
            "recording_limit": options.recording_limit,
            "fast_math": options.fast_math,
        }

    @collector_waits()
    def _record(
        self,
        static: Iterable[int],
        leaves: list,
        structure: Any,
        why: str = "",
        same: Mapping[int, int] = {},
        specs: Collection[int] = (),
        clips: bool = False,
        memory: int | None = None,
        roots: Sequence[Any] = (),
        variables: Variables | None = None,
        open_shapes: OpenShapes | None = None,
    ) -> Lowered:
        """Record the function for arguments with these leaves.

        Args:
            static: the positions of leaves whose values are needed.
            why: it was recorded for them before, and is again.
            same: the positions of leaves that are an earlier one, with that one's position.
            specs: the positions of leaves that only stand for arrays.
            clips: see `autograph.staging.ground.recorder.Recorder`.
            memory: how many bytes loops may keep together for their derivatives.
            roots: objects from outside to which the first leaves belong; see `OuterInputs`.
            variables: those that stand for free variables; see there.
            open_shapes: those with symbols in them.
        """
        start, machine, options = time.perf_counter(), capabilities(), self._options
        names = argument_names(self._source, structure)
        location = self._location()
        refuse_dtypes(leaves, lambda: argument_paths(self._source, structure), location)
        fixed = dict.fromkeys(static, "its value was needed before")
        before = set(fixed)
        chosen = options.static.leaves(structure) if options.static else ()
        fixed.update(dict.fromkeys(chosen, "the options say that it is static"))
        refuse_static_arrays(chosen, leaves, names, location)
        why = why or differences(summary(names, leaves, fixed), self._summaries)
        needs = _Needs(fixed, before.difference(chosen), Effort(options.recording_limit))
        record = functools.partial(
            trace,
            self._recorded,
            self.name,
            structure,
            leaves,
            names=names,
            same=same,
            roots=roots,
            variables=variables,
            unroll_limit=options.unroll_limit,
            capabilities=machine,
            clips=clips,
            kept=None if memory is None else ("memory", memory),
            location=location,
        )
        types_, bound, traced = self._traced(record, needs, names, leaves, specs, why, open_shapes)
        self._handling = needs.handling
        fixed = dict(sorted(fixed.items()))
        signature = RecordedSignature(
            structure,
            names,
            call_key(leaves, structure),
            summary(names, leaves, fixed),
            tuple(i for i, t in enumerate(types_) if t is not None and i not in same),
            fixed,
            tuple(static_key(leaves[i]) for i in fixed),
            {i: leaves[i] for i in _kept(leaves, types_, bound)},
            tuple(same.items()),
        )
        given_up = options.donated.leaves(structure) if options.donated else ()
        return Lowered(
            self.name,
            self,
            self._source,
            traced,
            signature,
            options.backend or backend_of((*leaves, *traced.outside.values())),
            machine,
            self.options["backend"],
            frozenset(i for i in given_up if (type := types_[i]) is not None and type.shape),
            fast_math=options.fast_math,
            handling=needs.handling,
            seconds=time.perf_counter() - start,
            open_shapes=open_shapes,
        )

    def _traced(
        self,
        record: Callable[..., Traced],
        needs: _Needs,
        names: Sequence[str],
        leaves: list,
        specs: Collection[int],
        why: str,
        open_shapes: OpenShapes | None,
    ) -> tuple[list[ArrayType | None], set[int], Traced]:
        """Record until nothing more is needed.

        Args:
            record: `trace`, for these leaves.
            needs: what is known to be needed, and becomes more.
            names, leaves: of the arguments.
            specs, why, open_shapes: see `_record`.

        Returns:
            (the types of the leaves that are traced, the positions of those that are bound, the
            recording).
        """
        while True:
            self._log_recording(why)
            types_ = [None if i in needs.fixed else traced_type(v) for i, v in enumerate(leaves)]
            if open_shapes is not None:
                types_ = [open_shapes.type(i, type) for i, type in enumerate(types_)]
            bound = {i for i, leaf in enumerate(leaves) if i not in needs.fixed and is_bound(leaf)}
            integers = [] if open_shapes is not None else _open_integers(leaves, types_, specs)
            try:
                with leaving(self._location()):
                    traced = record(
                        types=types_,
                        bound=bound,
                        effort=needs.effort,
                        handling=needs.handling,
                        apart=needs.apart,
                        known_loops=needs.known_loops,
                        queues=needs.queues,
                        stepped=needs.stepped,
                        nested=needs.nested,
                        earlier=needs.earlier,
                    )
                if not traced.unsure:
                    return types_, bound, traced
                why = needs.same_objects(traced.unsure, Effort(self._options.recording_limit))
            except (AutographError, SpecializeArguments) as raised:
                why = needs.steps(raised) or self._more(
                    needs, needs.cause(raised), names, leaves, specs, integers
                )
            except Exception as error:
                if needs.nested.in_pools and isinstance(error, (TypeError, AttributeError)):
                    # of what stands for a list there, which may not do all that lists do
                    why = needs.more_known(needs.first_refusal, integers, names)
                    continue
                if needs.refused is not None and needs.says_the_same(error):
                    raise needs.refused from None  # which has a place and a fix
                raise
            except NeedsDeques:
                why = needs.more_known(needs.first_refusal, integers, names)
            except NeedsHandlers as needed:
                why = needs.handlers(needed)
            except FirstTripApart as needed:
                why = needs.first_trip(needed)

    def _more(
        self,
        needs: _Needs,
        raised: AutographError | SpecializeArguments,
        names: Sequence[str],
        leaves: list,
        specs: Collection[int],
        integers: Sequence[int],
    ) -> str:
        """Make more known, for what a recording has raised: the reason for another recording; for
        ``integers`` see `_Needs.more_known`."""
        if isinstance(raised, SpecializeArguments):
            _refuse_specs(specs, names, raised)
            return needs.values(raised, names, leaves)
        error: AutographError = raised
        if isinstance(error, CompilerError) and needs.refusal is not None:
            error = needs.refusal
        return needs.more_known(error, integers, names)

    def _remember(self, signature: RecordedSignature) -> None:
        """Remember what it was compiled for, to say why it is recorded again."""
        self._summaries.append(signature.summary)
        del self._summaries[:-_REMEMBERED]

    def _log_recording(self, why: str) -> None:
        again = f" again, because {why}" if why else ""
        log.debug("%s (%s): recording%s", self.name, self._location(), again)

    def _location(self) -> Location | None:
        try:
            return definition(source_of(self._source))
        except NoSourceError:
            return None


def _is_later(error: AutographError, other: AutographError) -> bool:
    """Whether an error is of a line after that of another one, in the same file."""
    here, there = error.location, other.location
    return bool(here and there and here.file == there.file and here.line > there.line)


def _open_integers(
    leaves: Sequence[Any], types: Sequence[ArrayType | None], specs: Collection[int]
) -> list[int]:
    """The positions of the integers whose values a recording does not know."""
    return [
        i
        for i, (leaf, type) in enumerate(zip(leaves, types, strict=True))
        if type is not None and i not in specs and isinstance(leaf, int | np.integer)
    ]


def _refuse_specs(
    specs: Collection[int], names: Sequence[str], needed: SpecializeArguments
) -> None:
    for position in sorted(needed.positions):
        if position in specs:
            raise ConcreteValueError(
                f"the value of '{names[position]}' is needed, but only its shape and dtype are "
                "given",
                needed.location,
                id="AG0611",
                fix="pass the value itself",
            )


def _kept(
    leaves: Sequence[Any], types: Sequence[ArrayType | None], bound: Collection[int]
) -> list[int]:
    """The positions of static leaves that the graph may refer to."""
    return [
        i
        for i, leaf in enumerate(leaves)
        if types[i] is None and not (i in bound and stands_for_itself(leaf))
    ]


class Wrapper:
    """Base of callables of ours, other than compiled ones, that stand for a function of the user's:
    ``wrapped``."""

    wrapped: Callable


def source_of(function: Callable) -> Any:
    """The Python function behind a compiled function, a method or a partial application; of a
    library's function one that calls it."""
    while True:
        if isinstance(function, RecordedFunction):
            function = function._source
        elif isinstance(function, Wrapper):
            function = function.wrapped
        elif isinstance(function, METHODS):
            function = function.__func__
        elif isinstance(function, functools.partial):
            function = function.func
        elif python_function(function) is not function:
            function = python_function(function)
        else:
            if is_library_function(function):
                return forwarding(function)
            # An instance whose class has a `__call__` written in Python, which may be compiled.
            method = getattr(type(function), "__call__", None)  # noqa: B004
            if isinstance(method, RecordedFunction):
                function = method
                continue
            return method if isinstance(method, types.FunctionType) else function
