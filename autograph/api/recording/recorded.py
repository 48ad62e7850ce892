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
from typing import TYPE_CHECKING, Any

from autograph.api.calls.quick import QuickCaller
from autograph.api.calls.signature import RecordedSignature
from autograph.api.machine import capabilities
from autograph.api.recording.ahead import Lowered
from autograph.api.recording.options import ArgumentSelection, fixed_arguments, refuse_static_arrays
from autograph.api.recording.raised_calls import RefusedRecording, note_recording
from autograph.api.recording.symbolic import OpenShapes
from autograph.api.type_parameters import P, R
from autograph.backends.select import backend_of
from autograph.collector import collector_waits
from autograph.errors import AutographError, Location, NoSourceError
from autograph.log import log
from autograph.source.forwarding import forwarding, is_library_function
from autograph.source.load import definition
from autograph.source.tree.libraries import python_function
from autograph.source.tree.options import PLAIN
from autograph.staging.border.constancy import stands_for_itself, static_key
from autograph.staging.border.endings import leaving, raised_by_user
from autograph.staging.border.failures import may_be_kept
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
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.given_objects import GivenObjects
from autograph.staging.lists.given_rows import GivenRows
from autograph.staging.trace import Traced, trace
from ops.core.records import dataclass
from ops.core.types import ArrayType

if TYPE_CHECKING:
    from autograph.api.recording.ways import Needs

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
        self._conversion = PLAIN  # how it was converted last
        # What recordings for arguments of known lengths came to.
        self._effort: float | None = None

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
        in_heaps: GivenRows | GivenObjects | None = None,
        open_shapes: OpenShapes | None = None,
        may_be_packed: bool = False,
        keeps_raise: bool = False,
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
            in_heaps: says which lists and objects are in heaps; see there.
            open_shapes: those with symbols in them.
            may_be_packed: see `autograph.staging.ground.effort.Effort`.
            keeps_raise: whether the program may raise what is raised while recording.
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
        from autograph.api.recording import ways  # when something is recorded

        arguments = ways.RecordedArguments(names, leaves, specs)
        is_general = open_shapes is not None and in_heaps is None
        known = self._effort if is_general else None
        effort = Effort(options.recording_limit, may_be_packed, known)
        needs = ways.Needs(arguments, fixed, before.difference(chosen), effort)
        assigned = {name: getattr(self._conversion, name) for name in ("shared", "of_classes")}
        needs.learnt.conversion = needs.learnt.conversion._replace(**assigned)
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
            in_heaps=in_heaps,
            unroll_limit=options.unroll_limit,
            capabilities=machine,
            clips=clips,
            kept=None if memory is None else ("memory", memory),
            location=location,
            is_told=self._function is self._source,
        )
        try:
            types_, bound, traced = self._traced(record, needs, why, open_shapes, keeps_raise)
        except AutographError:
            note_recording(RefusedRecording(leaves, needs.ever_fixed, needs.learnt))
            raise
        note_recording(None)
        if open_shapes is None:
            self._effort = max(self._effort or 0.0, needs.effort.total)
        self._conversion = needs.learnt.conversion
        fixed = dict(sorted(fixed.items()))
        signature = RecordedSignature(
            structure,
            names,
            call_key(leaves, structure),
            summary(names, leaves, fixed, {} if open_shapes is None else open_shapes.types(types_)),
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
            conversion=needs.learnt.conversion,
            seconds=time.perf_counter() - start,
            open_shapes=open_shapes,
        )

    def _traced(
        self,
        record: Callable[..., Traced],
        needs: Needs,
        why: str,
        open_shapes: OpenShapes | None,
        keeps_raise: bool,
    ) -> tuple[list[ArrayType | None], set[int], Traced]:
        """Record until nothing more is needed.

        Args:
            record: `trace`, for these leaves.
            needs: what is known to be needed, and becomes more.
            why, open_shapes, keeps_raise: see `_record`.

        Returns:
            (the types of the leaves that are traced, the positions of those that are bound, the
            recording).
        """
        leaves = needs.arguments.leaves
        raises = False  # whether what the last recording raised is part of the program
        while True:
            self._log_recording(why)
            types_ = [None if i in needs.fixed else traced_type(v) for i, v in enumerate(leaves)]
            if open_shapes is not None:
                types_ = [open_shapes.type(i, type) for i, type in enumerate(types_)]
            bound = {i for i, leaf in enumerate(leaves) if i not in needs.fixed and is_bound(leaf)}
            needs.ever_fixed.update(needs.fixed)
            needs.integers = () if open_shapes is not None else needs.open_integers(types_)
            try:
                with leaving(self._location()):
                    traced = record(
                        types=types_,
                        bound=bound,
                        effort=needs.effort,
                        learnt=needs.learnt,
                        earlier=needs.earlier,
                        keeps_raise=raises,
                    )
                if not traced.unsure:
                    return types_, bound, traced
                why = needs.same_objects(traced.unsure)
            except needs.asking as raised:
                if raises:  # which that can't be
                    raises = keeps_raise = False
                else:
                    why = needs.another_way(raised)
            except Exception as error:
                if needs.asks(error):
                    why = needs.another_way(error)
                elif needs.refused is not None and needs.says_the_same(error):
                    raise needs.refused from None  # which has a place and a fix
                elif keeps_raise and raised_by_user(error) and may_be_kept(error):
                    raises, why = True, f"{type(error).__name__} is raised at each call"
                else:
                    raise

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
