"""Recursive functions: which calls become calls of named graphs.

Functions are run when they are called, as a part of what is being recorded. One that calls itself
with arguments of the same types becomes a *named graph*, recorded once however deep the recursion
gets; `autograph.staging.calls.named` tells how. So does one that calls itself with arguments of
other types, if it does so again and again: a merge sort has one graph for each length.

Functions that call each other are recorded one inside the other; the inner ones are recorded again
when what was assumed of the outer one turns out wrong. In the end, what they use of the functions
around them becomes arguments (see `autograph.graph.lift`).
"""

from __future__ import annotations

import itertools
import sys
import types
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import optree

from autograph.errors import (
    AutographError,
    BranchMismatchError,
    ConcreteValueError,
    LoopStateError,
    MutationError,
    RecursionTypeError,
    UnrollLimitError,
)
from autograph.graph.builder import current_builder
from autograph.graph.graph import called
from autograph.graph.lift import lift
from autograph.graph.variance import control
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.arguments import Call
from autograph.staging.border.endings import raised_by_user
from autograph.staging.calls import attempted_calls
from autograph.staging.calls.named import Named
from autograph.staging.calls.noted_calls import note
from autograph.staging.containers.containers import Keys, contents, is_container, reachable
from autograph.staging.control.catching import Catching, barred
from autograph.staging.control.control import UnresolvedCall
from autograph.staging.ground.errors import ENDLESS, OPERANDS_DO_NOT_FIT, is_too_deep
from autograph.staging.ground.handling import attempting
from autograph.staging.ground.recorder import Changes, recorder
from autograph.staging.values.leaves import Mismatch
from ops.control.constructs import Refusal
from ops.core.recording import raises_as_python
from ops.core.records import NamedTuple
from ops.core.symbolic_lengths import NeedsNumber, is_length
from ops.core.types import PYTHON_SCALARS, ArrayType

_WEIGHT = 8  # of an argument, in the time that a region takes to look at a value
_LENGTHS = 4  # with how many symbolic shapes a function may be called inside of calls of itself
_LONG = 16  # elements of a list, of which each length would be recorded by itself
_OFTEN = 8  # calls of a function, that know their arguments and not their results
_COMPARED = 4  # calls of a function in each other that are compared with others, node by node
_FRAMES_DEEP, _FRAMES = 16, 20_000  # from which depth on to allow Python how many frames

# Why a function that is called with known numbers cannot be recorded without knowing them.
_NEED_VALUES = (
    BranchMismatchError,
    ConcreteValueError,
    LoopStateError,
    MutationError,
    RecursionTypeError,
)


class Running(NamedTuple):
    """A call that is being recorded, and what was recorded when it began.

    Attributes:
        is_first: whether it is the first of the ways to see that call.
    """

    call: Call
    frame: Changes
    is_first: bool


class Recursion:
    """What a recorder knows of the functions that are called.

    Attributes:
        running: the calls being recorded, outermost first.
        named: the recursive functions found, by signature.
        every: these, and those of the same signatures before, whose graphs others may call.
        recording: those of them that are being recorded, outermost first.
        raising: signatures of functions that end with an exception on each path; they are run, so
            that the graph around the call raises it, after what the function has done by then.
        repeated: signatures of calls of functions that were running with other arguments.
        unrolled: signatures of functions that need to know the numbers they are called with.
        symbolic: how often functions were run whose results are known only at run time.
        tried: how many graphs are being recorded that may turn out to need them.
    """

    def __init__(self) -> None:
        self.running: list[Running] = []
        self.named: dict[Any, Named] = {}
        self.every: list[Named] = []
        self.recording: list[Named] = []
        self.raising: set[Any] = set()
        self.repeated: set[Any] = set()
        self.unrolled: set[Any] = set()
        self.symbolic: Counter[types.CodeType] = Counter()
        self.tried = 0


@raises_as_python
def call_converted(
    function: types.FunctionType,
    runnable: Callable,
    args: tuple,
    kwargs: dict[str, Any],
    run: Callable[[types.FunctionType, Callable, tuple, dict[str, Any]], Any] | None = None,
) -> Any:
    """Run a converted function as part of the recording, or call its graph if it is recursive.

    Args:
        runnable: the function, converted.
        run: runs it, given all of these; by default it is called.
    """
    calls = [Call(function, runnable, (args, kwargs), by_identity=True)]
    if calls[0].has_containers:
        calls.append(Call(function, runnable, (args, kwargs), by_identity=False))
    attempt = recorder().attempt
    if isinstance(attempt, Catching):
        calls = [attempted_calls.AttemptedCall.of(call, attempt.kinds) for call in calls]
    general = _general(calls[-1])
    if general is not None:
        calls.insert(-1, general)
    recorder().effort.look(_WEIGHT * (1 + len(calls[-1].leaves)), recorder().location())
    for call in calls:
        named = _named(call)
        if named is not None:
            return _apply(named, call)
    builder = current_builder()
    start = len(builder.nodes)
    with _running(calls) as depth, nullcontext() if attempt is None else attempt.calling():
        if run is not None:
            result = run(function, runnable, args, kwargs)
        else:
            result = runnable(*args, **kwargs)
    if depth < _COMPARED:
        note(function, builder, start)
    if isinstance(result, GraphArray):
        recorder().state(Recursion).symbolic[calls[0].signature.code] += 1
    return result


def _apply(named: Named, call: Call) -> Any:
    recording = recorder().state(Recursion).recording
    attempt = recorder().attempt
    if attempt is not None and not isinstance(named, attempted_calls.NamedAttempt):
        attempt.calls()
    if named in recording:
        named.assumed = True
        named.control |= control()
        named.begin_differently()
        if named.result is None:
            for inner in recording[recording.index(named) + 1 :]:
                inner.waits = True
            raise UnresolvedCall
    if isinstance(named, attempted_calls.NamedAttempt):
        assert isinstance(attempt, Catching)  # since the call is of such a graph
        return named.attempt(call, attempt)
    return named.apply(call)


# -- running ---------------------------------------------------------------------------------------


@contextmanager
def _running(calls: list[Call]) -> Iterator[int]:
    """Note that a function is being recorded, for the calls made inside; gives how many calls of
    it are around this one."""
    running = recorder().state(Recursion).running
    code = calls[0].signature.code
    depth = sum(entry.is_first and entry.call.signature.code is code for entry in running)
    if depth >= recorder().unroll_limit:
        raise _too_deep(calls[0])
    if depth >= _LENGTHS:
        _refuse_other_lengths(calls[0], running)
    entered = len(running)
    running += [Running(call, recorder().frame, call is calls[0]) for call in calls]
    limit = sys.getrecursionlimit()
    if depth == _FRAMES_DEEP:
        # For each frame of the user's there are more than a dozen of the recorder's.
        sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield depth
    except RecursionError as error:
        if depth > 0 or not is_too_deep(error):
            raise
        raise _too_deep(calls[0]) from None
    finally:
        del running[entered:]
        if depth == _FRAMES_DEEP:
            sys.setrecursionlimit(limit)


def _refuse_other_lengths(call: Call, running: Sequence[Running]) -> None:
    """Refuse a call inside of many of the same function, each with other symbolic lengths: lengths
    that are no numbers never come to the end of a recursion.

    Raises:
        NeedsNumber: there are that many.
    """
    shapes = {_shapes(e.call) for e in running if e.call.signature.code is call.signature.code}
    own = _shapes(call)
    length = next((n for shape in own for n in shape if is_length(n)), None)
    if length is not None and own not in shapes and len(shapes) >= _LENGTHS:
        raise NeedsNumber(length)


def _shapes(call: Call) -> tuple[tuple[Any, ...], ...]:
    return tuple(leaf.type.shape for leaf in call.leaves if isinstance(leaf, GraphArray))


def _too_deep(call: Call) -> UnrollLimitError:
    return UnrollLimitError(
        f"the calls of '{call.signature.code.co_name}' inside each other are recorded one by one, "
        "since their arguments differ in type, shape or structure, or since nothing known only at "
        f"run time ends them, and there are more than {recorder().unroll_limit}",
        recorder().location(),
        id=ENDLESS,
        fix="call it with arguments of the same types and shapes, or raise "
        "to_graph(unroll_limit=...)",
    )


# -- which calls -----------------------------------------------------------------------------------


def _named(call: Call) -> Named | None:
    """The named graph to call, recorded now if need be; None if the function is to be run."""
    recursion, signature = recorder().state(Recursion), call.signature
    named = recursion.named.get(signature)
    if named is not None and named in recursion.recording:
        return named
    if named is not None and _is_valid(named, call):
        return named
    if signature in recursion.raising:
        return None
    frames = [entry.frame for entry in recursion.running if entry.call.signature == signature]
    if not frames and not call.is_general:
        return _recorded(call) if _is_repeated(call) else None
    if not frames and call.longest:
        return None
    is_certain = bool(frames) and frames[-1] is recorder().frame
    if not is_certain and not call.is_general:  # only the run knows whether it is called
        return _recorded(call)
    is_symbolic = call.is_symbolic or call.is_general or _is_often_run(call)
    if not is_symbolic or signature in recursion.unrolled:
        return None
    may_be_run = call.has_numbers or call.is_general
    recursion.tried += may_be_run
    try:
        return _record(call)
    except Refusal as error:
        if not (call.is_general or (call.has_numbers and isinstance(error, _NEED_VALUES))):
            raise
        if recorder().nested.may_help and isinstance(error, LoopStateError):
            recorder().effort.hurry(error)  # lists of lists may be in pools
        if call.is_general and isinstance(error, AutographError):
            recorder().effort.calls_apart(error)
        recursion.unrolled.add(signature)
        return None
    finally:
        recursion.tried -= may_be_run


def _is_often_run(call: Call) -> bool:
    """Whether a function has been run so often, for results known only at run time, that what its
    arguments are is better not known: a recursion that branches, over numbers that are."""
    return recorder().state(Recursion).symbolic[call.signature.code] >= _OFTEN


def _general(call: Call) -> Call | None:
    """A call as one of those with lists of any lengths, if that is of use: some are so long that to
    record a recursion for each length would take long, or get longer in each call of it, of which
    only the run knows how many there are."""
    if call.by_identity:
        return None
    recursion = recorder().state(Recursion)
    own = [e for e in recursion.running if _is_of_one_function(e.call, call)]
    if not own:
        return None
    elements: dict[int, ArrayType] = {}
    if call.longest < _LONG:
        own = [e for e in own if not (e.call.by_identity and e.call.has_containers)]
        if not own or (own[-1].frame is recorder().frame and not _is_often_run(call)):
            return None
        elements = call.grown_since(own[-1].call)
        if not elements:
            return None
    general = call.of_any_lengths(elements)
    return None if general.signature in recursion.unrolled else general


def _recorded(call: Call) -> Named:
    """`_record`; if that needs to know the numbers that it is called with, they become static: they
    may also be what ends a recursion on ever smaller arrays, before there are none left."""
    try:
        return _record(call)
    except (BranchMismatchError, ConcreteValueError, *OPERANDS_DO_NOT_FIT) as error:
        for leaf in call.leaves if error.id != "AG0314" else ():
            if isinstance(leaf, GraphArray) and not leaf.ndim:
                recorder().demand_number(leaf.value)
        raise


def _is_repeated(call: Call) -> bool:
    """Whether a function that is running is called with other arguments, and a name helps.

    It is run the first time, unless only the run knows whether it is called. Without names,
    recursion on ever smaller arrays would be recorded exponentially often if it branches, and
    inside one conditional for each level.
    """
    recursion, signature = recorder().state(Recursion), call.signature
    by_contents = not (call.by_identity and call.has_containers)
    if not by_contents or not call.is_symbolic or call.has_numbers:
        return False
    frames = [e.frame for e in recursion.running if _is_of_one_function(e.call, call)]
    if not frames:
        return False
    if signature in recursion.repeated or frames[-1] is not recorder().frame:
        return True
    recursion.repeated.add(signature)
    return False


def _is_of_one_function(call: Call, other: Call) -> bool:
    """Whether two calls are of one function: a closure in which another of the same code lies, as
    decorators make them, is no recursion."""
    a, b = call.signature, other.signature
    return a.code is b.code and a.own == b.own


def _is_valid(named: Named, call: Call) -> bool:
    """Whether the graph of a function is right for a call that is made now."""
    if named.graph is None or named.derivatives < recorder().transformed.derivatives:
        return False
    if named.around != control():
        return False
    if named.checkpointed_loops != recorder().transformed.checkpointed_loops:
        return False
    return _same(named.visible, _visible(named, call)) and named.begins_alike()


# -- what a function can see -----------------------------------------------------------------------


class VisibleValues(NamedTuple):
    """What a function can see besides what it is given. The items are compared by identity.

    Attributes:
        outside: the arrays from outside the whole recording that have been met so far, and their
            values.
        around: the contents of its cells, of its static arguments and so on.
    """

    outside: list[Any]
    around: list[Any]


def _visible(named: Named, call: Call) -> VisibleValues:
    """What the function sees in a call, but for the state that its graph is given anyway."""
    visible = VisibleValues([], [])
    for _, array in recorder().outside.captured.values():
        _add(visible.outside, array, named.arrays)
    passed = named.containers()
    assigned = recorder().outside.assigned()  # which it finds by no variable of its own
    for container in reachable([call.runnable, *call.static, *assigned]):
        if container not in passed:
            state = tuple(contents(container))  # containers in it are reached on their own
            for leaf in optree.tree_leaves(state, is_leaf=is_container, none_is_leaf=True):
                _add(visible.around, leaf, named.arrays)
    return visible


def _add(items: list[Any], leaf: Any, passed: Container[GraphArray]) -> None:
    items.append(leaf)
    if isinstance(leaf, GraphArray) and leaf not in passed:
        items.append(leaf._value)


def _same(before: VisibleValues, now: VisibleValues) -> bool:
    """Whether a function sees now what it saw before."""
    pairs = [*zip(before.outside, now.outside), *zip(before.around, now.around)]
    return (
        len(before.outside) <= len(now.outside)
        and len(before.around) == len(now.around)
        and all(x is y or _is_equal(x, y) for x, y in pairs)
    )


def _is_equal(x: Any, y: Any) -> bool:
    if isinstance(x, Keys) and isinstance(y, Keys):  # of a dict, such as of a function's attributes
        return x == y
    plain = (str, bytes, *PYTHON_SCALARS)
    return type(x) is type(y) and isinstance(x, plain) and repr(x) == repr(y)


# -- recording -------------------------------------------------------------------------------------


def _record(call: Call) -> Named | None:
    """Record a function as a named graph; None if it raises the user's exceptions only."""
    recording = recorder().state(Recursion).recording
    named = _new(call)
    is_attempted = isinstance(named, attempted_calls.NamedAttempt)
    recording.append(named)
    try:
        # A graph that tells what it has raised is no part of what is attempted here.
        with _running([call]), attempting(None) if is_attempted else barred():
            _settle(named)
    except UnresolvedCall:
        if named.waits:
            raise
        raise _type_error(named, "every path through it calls it again or raises") from None
    except Mismatch as mismatch:
        raise _type_error(named, str(mismatch)) from None
    except Exception as error:
        if not raised_by_user(error):
            raise
        recorder().state(Recursion).raising.add(call.signature)
        return None
    finally:
        recording.pop()
        if named.graph is None:
            _forget(named)
    _close()
    return named


def _new(call: Call) -> Named:
    graphs = current_builder().graphs
    base = call.signature.code.co_name
    base = name = base if base.isidentifier() else "function"  # a lambda has no name
    for number in itertools.count(1):
        if name not in graphs and name != recorder().name:
            break
        name = f"{base}_{number}"
    named = attempted_calls.named_of(name, call)
    recursion = recorder().state(Recursion)
    before = recursion.named.get(call.signature)
    if before is not None and before.graph is None:
        named.begin_with(before)
    recursion.named[call.signature] = named
    recursion.every.append(named)
    graphs[name] = None  # the name is taken
    return named


def _forget(named: Named) -> None:
    """Drop the graph of a function, but not what was found out about its calls."""
    named.graph = None
    del current_builder().graphs[named.name]


def forget_graphs(runnable: Callable) -> None:
    """Let no later call find the graphs of a function that is called no more."""
    found = recorder().state(Recursion).named
    for signature in [key for key, named in found.items() if named.call.runnable is runnable]:
        del found[signature]


def _settle(named: Named) -> None:
    """Record the function until a pass gives what it assumed."""
    recursion = recorder().state(Recursion)
    before = set(recursion.every)

    def discard() -> None:
        for other in recursion.every:
            if other not in before and other.graph is not None:
                _forget(other)

    if not named.settles(discard):
        raise Mismatch("it does not settle")
    current_builder().graphs[named.name] = named.graph
    named.visible = _visible(named, named.call)


def _close() -> None:
    """Let what the recorded graphs capture become arguments; but of those that call a function that
    is still being recorded it is not known yet what that is."""
    graphs = current_builder().graphs
    recorded = recorder().state(Recursion).every
    opened = {n.name: n for n in recorded if n.graph is not None and not n.closed}
    waiting = {named.name for named in recorder().state(Recursion).recording}
    while waiting:  # those that call one that waits, and those that such a one calls, wait too
        more = {
            other
            for name, named in opened.items()
            for other in (name, *called(named.graph))
            if not waiting.isdisjoint((name, *called(named.graph)))
        }
        if more <= waiting:
            break
        waiting |= more
    opened = {name: named for name, named in opened.items() if name not in waiting}
    closed, captures = lift({name: named.graph for name, named in opened.items()})
    for name, named in opened.items():
        named.graph = graphs[name] = closed[name]
        named.captures = captures[name]
        named.closed = True


def _type_error(named: Named, why: str) -> RecursionTypeError:
    return RecursionTypeError(
        f"the result type of the recursive function '{named.function_name}' cannot be found: {why}",
        recorder().location(),
        fix="give it a base case whose result has the type of the recursive one",
    )
