"""Loops: recorded where they depend on symbolic values, run as Python does where they do not.

A loop over a static range is recorded if it can be, and otherwise run as Python, up to a limit.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeGuard

import numpy as np

from autograph.errors import (
    BranchMismatchError,
    CalledFunctionError,
    ConcreteValueError,
    LoopStateError,
    MutationError,
    UnrollLimitError,
    UnsupportedFunctionError,
)
from autograph.graph.builder import current_builder
from autograph.graph.graph import Value
from autograph.log import log
from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.watch import Watch
from autograph.staging.control.control import UnresolvedCall, cond, lengths_joined, truth
from autograph.staging.control.gone_through import GoneThrough
from autograph.staging.control.recorded_loop import NotAGraphLoop, RecordedLoop
from autograph.staging.control.region import Region
from autograph.staging.ground.errors import OPERANDS_DO_NOT_FIT, user_location
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.recorder import Attempt, recorder
from autograph.staging.ground.restarts import FirstTripApart, NeedsDeques
from autograph.staging.lists.following import (
    LengthChanges,
    changed,
    moves_of,
    one_way,
    same_lengths,
)
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.tables import GoesOn, require_kept
from autograph.staging.sequences.comprehensions import Awaited
from autograph.staging.sequences.items import Filtered, Items, as_items, items_of_numbers
from autograph.staging.sequences.iteration import (
    Iterators,
    close_parts,
    drop,
    each,
    is_native_iterator,
    opened,
)
from autograph.staging.sequences.native import items_left, others_left
from autograph.staging.sequences.own_iterators import OwnIteration, is_left_open, is_own
from autograph.staging.sequences.steps import Iteration

# The ids of errors that an array may have been changed under another name.
_TWO_NAMES = ("AG0324", "AG0325", "AG0326")

# Why a loop that could also run as Python cannot be recorded.
_REASONS = (
    NotAGraphLoop,
    ConcreteValueError,
    LoopStateError,
    BranchMismatchError,
    MutationError,
    UnsupportedFunctionError,
    CalledFunctionError,
    *OPERANDS_DO_NOT_FIT,
)
_GONE_AS_PYTHON = ("AG0312", "AG0315", "AG0342")
# How many trips are recorded apart from the others for the sake of their types. More than one is
# needed where a variable takes what another one held.
_MOST_APART = 3
_END = object()


class FirstTripDiffers(Exception):
    """A trip leaves a number or array of another dtype than it holds before the loop, which makes
    a trip: only with the first one apart do the variables have the types that Python gives them."""


def while_loop(
    test: Callable,
    body: Callable,
    init: Sequence[Any],
    names: Sequence[str],
    alone: int | None = None,
) -> tuple:
    """Args:
    alone: how many trips stand before the loop; see `autograph.staging.ground.first_trips`.
    """
    known = recorder().known_loops
    state, trips, reason, apart = tuple(init), 0, known.refusal, 0
    if alone is None:
        alone = recorder().apart.here(user_location())
    attempt = recorder().attempt
    if attempt is not None:
        test = _until_raised(attempt, test)
    while True:
        go, has_effects = _probe(test, state)
        if has_effects:
            return _tested_in_body(test, body, state, names)
        if go is True and reason is None and alone:
            alone -= 1
            state = tuple(body(*state))
            continue
        if go is True and reason is None:
            known.met = True
            try:
                with recorder().losses_undone():
                    exact = apart < _MOST_APART
                    return record_loop(state, names, body, test=test, exact=exact)
            except FirstTripDiffers:
                pass  # what the trip raises is not raised amid this
            except _REASONS as error:
                reason = error
            if reason is None:
                apart += 1
                state = tuple(body(*state))
                continue
        if isinstance(go, Value) and alone:
            return _after_first_trip(test, body, state, names, alone)
        if isinstance(go, Value):
            try:
                with _demanding(go), _without_nones(state):
                    return record_loop(state, names, body, test=test)
            except LoopStateError as error:
                if not _is_of_types(error):
                    raise
                with lengths_joined(error), _without_nones(state):
                    return record_loop(state, names, body, test=test)
        if not go:
            return state
        if trips >= recorder().unroll_limit and _is_of_types(reason):
            with lengths_joined(reason):
                return record_loop(state, names, body, test=test)
        trips, before = _count_trip(trips, reason), state
        with recorder().effort.unrolled(reason):
            state = tuple(body(*state))
        if _is_of_types(reason) and _takes_form(before, state):
            reason = None


def _is_of_types(reason: Exception | None) -> TypeGuard[LoopStateError]:
    """Whether a loop is not recorded for the types of its variables."""
    return isinstance(reason, LoopStateError) and reason.id == "AG0312"


def _takes_form(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Whether a trip leaves what the others may find as well: arrays where there were none
    (``s = 0``, ``s = []``), or of which only the run knows how many rows they have."""
    was, now = leaves_of(before), leaves_of(after)
    forgets = len(was) == len(now) and any(
        _has_unknown_length(y) and not _has_unknown_length(x) for x, y in zip(was, now)
    )
    return forgets or any(_has_axes(y) and not _has_axes(x) for x, y in zip(before, after))


def _has_axes(content: Any) -> bool:
    return isinstance(content, GraphArray | np.ndarray) and content.ndim > 0


def _has_unknown_length(leaf: Any) -> bool:
    shape = leaf.value.type.shape if isinstance(leaf, GraphArray) else ()
    return None in shape


def _after_first_trip(
    test: Callable,
    body: Callable,
    state: tuple,
    names: Sequence[str],
    alone: int,
) -> tuple:
    """A loop that only the run knows to make a trip, with that apart."""
    return cond(
        test(*state),
        lambda: while_loop(test, body, body(*state), names, alone - 1),
        lambda: state,
        names,
    )


def _until_raised(attempt: Attempt, test: Callable) -> Callable:
    """The test of a loop in a function that is attempted: what was raised ends it."""
    return lambda *state: recorder().and_(attempt.clear(), lambda: test(*state))


@contextmanager
def _demanding(decides: Value) -> Iterator[None]:
    """Where a loop needs a number, changes a shape or advances an iterator, make ints static that
    alone say whether it makes a trip: it may run as Python then. It may make none, where operands
    in it do not fit."""
    try:
        yield
    except (ConcreteValueError, LoopStateError, MutationError, *OPERANDS_DO_NOT_FIT) as error:
        if not isinstance(error, LoopStateError | MutationError) or error.id in _GONE_AS_PYTHON:
            recorder().demand_number(decides)
        raise


@contextmanager
def _without_nones(state: Sequence[Any]) -> Iterator[None]:
    """Record the first trip of a loop apart if it can't be recorded with the variables that are
    None before it: it may well tell them from others by something else that it knows."""
    loop = user_location()
    try:
        yield
    except OPERANDS_DO_NOT_FIT:
        if loop is None or not any(x is None for x in state) or not recorder().apart.may_grow(loop):
            raise
        raise FirstTripApart(loop) from None


def _probe(test: Callable, state: Sequence[Any]) -> tuple[bool | Value, bool]:
    """What a loop's test says before the first trip, the graph value if only the run can tell, and
    whether it does more than to say so."""
    region = Region("test")
    with region.recording(test, *state):
        flag = truth(recorder().defined(test(*state)))
    effects = any(node.op.effect or node.required for node in region.builder.nodes)
    static = not isinstance(flag, Value)
    changes = bool(region.changed or region.written)
    return flag, changes or (static and effects)


def _tested_in_body(
    test: Callable, body: Callable, init: Sequence[Any], names: Sequence[str]
) -> tuple:
    """A loop whose test has effects: it is evaluated before the loop and at the end of each
    trip."""

    def step(_: Any, *state: Any) -> tuple:
        state = body(*state)
        return (test(*state), *state)

    init = (test(*init), *init)
    names = ("the condition", *names)
    _, *state = while_loop(lambda go, *state: go, step, init, names)
    return tuple(state)


def _count_trip(trips: int, reason: Exception | None) -> int:
    """Count a trip of a loop that runs as Python, for this ``reason`` or since it has to go through
    a Python object."""
    why = reason or "it goes through something that is neither a range nor an array"
    if trips == 0:
        told = getattr(reason, "message", why)
        log.debug("%s: this loop runs as Python, because %s", user_location(), told)
        if isinstance(reason, (ConcreteValueError, LoopStateError)) and recorder().nested.may_help:
            recorder().effort.hurry_loop()
    if trips >= recorder().unroll_limit:
        raise UnrollLimitError(
            f"this loop has to run as Python and makes more than {recorder().unroll_limit} trips; "
            f"it is no graph loop because:\n  {why}",
            user_location(),
            fix="change what keeps it from being a graph loop, or raise to_graph(unroll_limit=...)",
        ) from reason
    return trips + 1


def for_loop(
    iterable: Any,
    body: Callable,
    init: Sequence[Any],
    names: Sequence[str],
    test: Callable | None,
) -> tuple:
    if isinstance(iterable, GoneThrough):
        items = iterable.iterable
        run = lambda body, test: for_loop(items, body, init, names, test)
        return iterable.loop(run, body, test)
    iterable = opened(recorder().defined(iterable))
    recorder().consume(iterable)
    if isinstance(iterable, Filtered):
        body = iterable.body(body, tuple(names), test)
        return for_loop(iterable.source, body, init, names, test)
    if isinstance(iterable, Iteration):
        return iterable.through(body, tuple(init), names, test)
    items = as_items(iterable)
    if items is None and is_native_iterator(iterable):
        iterator, items = iterable, items_left(iterable)
        if items is None:
            iterable, items = others_left(iterable)
        if items is not None:
            recorder().state(Iterators).leave(iterator)
    if items is None:
        items = items_of_numbers(iterable)
    if items is None:
        with _dropped_where_it_fails(iterable):
            return _python_loop(iterable, body, tuple(init), names, test, None)
    if items.recount is not None and test is not None:
        return _indexed_while(items, body, init, names, test)
    try:
        return _counted_loop(*_checked(items, body), init, names, test)
    except LengthChanges as change:
        if items.recount is None:
            raise changed() from None
        init = change.state if change.trips else init
        return _indexed_while(items, body, init, names, test, change.trips)


def _checked(items: Items, body: Callable) -> tuple[Items, Callable]:
    """Items and the body of a loop through them, with a check that they remain as many."""
    if not items.lists:
        return items, body
    item, body = same_lengths(items.lists, items.item, body)
    return Items(items.count, item, items.lists), body


def _counted_loop(
    items: Items,
    body: Callable,
    init: Sequence[Any],
    names: Sequence[str],
    test: Callable | None,
    alone: int | None = None,
) -> tuple:
    """A `for` through items that are as many as there are before the first trip.

    Args:
        alone: see `while_loop`.
    """
    if test is not None:
        return _indexed_while(items, body, init, names, test)
    if alone is None:
        alone = recorder().apart.here(user_location())
    if alone and not isinstance(items.count, int):

        def trips() -> tuple:
            state = body(items.item(0), *init)
            return _counted_loop(items.rest(), body, state, names, None, alone - 1)

        return cond(items.count > 0, trips, lambda: tuple(init), names)
    if not isinstance(items.count, int):
        with _demanding(items.count.value), _without_nones(init):
            return record_loop(init, names, body, items=items)
    known = recorder().known_loops
    state, reason, apart = tuple(init), known.refusal, 0
    done = 0

    def made(item: Any, *state: Any) -> tuple:
        """A trip that is made now, and not again."""
        nonlocal done
        done += 1
        try:
            return tuple(body(item, *state))
        except LengthChanges as change:
            change.trips = done
            raise

    while items.count:
        if reason is not None:
            elements = (items.item(i) for i in range(items.count))
            with _dropped_where_it_fails(elements):
                return _python_loop(elements, made, state, names, None, reason)
        if alone:
            alone -= 1
            state = made(items.item(0), *state)
            items = items.rest()
            continue
        known.met = True
        try:
            with recorder().losses_undone(items.count):
                exact = apart < _MOST_APART
                return record_loop(state, names, body, items=items, exact=exact)
        except FirstTripDiffers:
            pass  # what the trip raises is not raised amid this
        except LengthChanges as change:
            change.trips, change.state = done, state
            raise
        except _REASONS as error:
            reason = error
            if not _is_of_types(reason):
                continue
        apart, before = apart + 1, state
        state = made(items.item(0), *state)
        items = items.rest()
        if _takes_form(before, state):
            reason = None
    return state


def _indexed_while(
    items: Items,
    body: Callable,
    init: Sequence[Any],
    names: Sequence[str],
    test: Callable | None,
    start: int = 0,
) -> tuple:
    """A `for` that may end early, or whose items change: a `while` that counts from ``start``."""

    # for those who look for what the loop may change
    item, recount, kept = items.item, items.recount, items.kept
    if items.lists:
        body = one_way(items.lists, body)
    is_there: dict[str, Any] = {} if kept is None else {"is there": True}  # a table's last key
    own = len(is_there)

    def there_is(index: Any, flags: Sequence[Any]) -> Any:
        count = items.count if recount is None else recount()
        for flag in flags:
            require_kept(flag)
        return index < count

    def more(index: Any, *carried: Any) -> Any:
        flags, state = carried[:own], carried[own:]
        if recount is not None and test is not None:  # who has left the loop counts no more
            return recorder().and_(test(*state), lambda: there_is(index, flags))
        is_left = there_is(index, flags)
        return is_left if test is None else recorder().and_(is_left, lambda: test(*state))

    def step(index: Any, *carried: Any) -> tuple:
        after = index + 1
        tells = None if kept is None else kept(index)
        state = body(item(index), *carried[own:])
        return (after, *state) if tells is None else (after, tells(), *state)

    begin = (start, *is_there.values(), *init)
    return tuple(while_loop(more, step, begin, ("index", *is_there, *names))[1 + own :])


@contextmanager
def _dropped_where_it_fails(iterable: Iterable) -> Iterator[None]:
    """Nobody goes on with an iterator after a loop through it has failed."""
    try:
        yield
    except Exception:
        if isinstance(iterable, Iterator):
            drop(iterable)
        raise


def _python_loop(
    iterable: Iterable,
    body: Callable,
    state: tuple,
    names: Sequence[str],
    test: Callable | None,
    reason: Exception | None,
) -> tuple:
    """A loop over a Python container: once per item, now.

    A list of which a trip makes one whose length only the run knows is gone through by a loop that
    the run makes, from there on.
    """
    trips, elements, is_left = 0, each(iterable), False
    if is_own(iterable):
        iterable = elements = iter(iterable)
    followed: Any
    lists = [iterable] if isinstance(iterable, TrackedList) else []
    moves = moves_of(lists)
    while True:
        followed = as_items(iterable) if lists else None
        if followed is not None and moves_of(lists) != moves:
            raise NeedsDeques
        if followed is not None:
            return _indexed_while(followed, body, state, names, test, start=trips)
        go = True if test is None else truth(recorder().defined(test(*state)))
        if not isinstance(go, Value) and not go:  # before an item is taken, which others may get
            if is_left and isinstance(iterable, Iterator):
                _unseen(iterable, functools.partial(close_parts, iterable))
            return state
        is_decided = not isinstance(go, Value)
        if is_left_open(iterable, lambda value: value) or (not is_decided and is_own(iterable)):
            return OwnIteration(iterable).through(body, state, names, test)
        is_left |= isinstance(go, Value) and isinstance(iterable, Iterator)
        item = _advanced(elements, iterable, go) if isinstance(go, Value) else next(elements, _END)
        if item is _END:
            return state
        if isinstance(go, Value):
            # An exit that only the run can decide: the trips that remain are conditional.
            state = cond(
                GraphArray(go),
                lambda item=item, state=state: body(item, *state),
                lambda state=state: state,
                names,
            )
        else:
            with recorder().effort.unrolled(reason):
                state = tuple(body(item, *state))
        trips = _count_trip(trips, reason)


def _advanced(elements: Iterator, iterable: Iterable, go: Value) -> Any:
    """The next element for a trip that only the run knows to be made, by ``go``: the iterator is
    advanced in any case, which nobody may see.

    Raises:
        MutationError: what others can see changes as well.
    """
    if not isinstance(iterable, Iterator):
        of_keys = recorder().state(GoesOn)
        of_keys.test = GraphArray(go)
        try:
            return next(elements, _END)
        finally:
            of_keys.test = None
    recorder().state(Iterators).leave(iterable)
    return _unseen(iterable, lambda: next(elements, _END))


def _unseen(iterator: Iterator, does: Callable[[], Any]) -> Any:
    """What is done with an iterator that only the run knows to be done.

    Raises:
        MutationError: others see it.
    """
    watch = Watch([iterator, *_seen_by(iterator)])
    nodes = current_builder().nodes
    before = len(nodes)
    try:
        return does()
    finally:
        changed = watch.finish()
        if changed or any(node.op.effect or node.required for node in nodes[before:]):
            name = watch.names.get(next(iter(changed), None)) or "an object"
            what = f"{name} is changed" if changed else "something is printed, or may fail,"
            raise MutationError(
                f"{what} by an iterator ({type(iterator).__name__}) that "
                "a loop may leave before, as data decide",
                recorder().location(),
                id="AG0342",
                fix="make a list of its items first, for example with list(...)",
            )


def _seen_by(iterator: Any) -> Iterator[Any]:
    """What a generator sees that others may see, too."""
    if type(iterator) is Awaited:
        yield from vars(iterator).values()
        return
    if isinstance(iterator, types.GeneratorType) and iterator.gi_frame is not None:
        code, seen = iterator.gi_code, iterator.gi_frame.f_locals
        given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        yield from (seen[name] for name in (*code.co_freevars, *given) if name in seen)


def record_loop(
    init: Sequence[Any],
    names: Sequence[str],
    body: Callable,
    *,
    test: Callable | None = None,
    items: Items | None = None,
    exact: bool = False,
) -> tuple:
    """Record a loop as a `while_loop` node (with ``test``) or a `for_loop` node (with
    ``items``).

    Args:
        exact: refuse variables whose dtypes before the loop and after a trip differ, which is
            right for a loop that makes a trip.

    Raises:
        FirstTripDiffers: there are such.
    """
    names = names or tuple(f"state {i}" for i in range(len(init)))

    def recorded(keeps_arrays: bool) -> tuple:
        loop = RecordedLoop(names, init, body, test, items, keeps_arrays)
        loop.makes_trip = exact
        try:
            settled = loop.settles()
        except UnresolvedCall:
            # The body waits for the result type of a recursion that is being recorded: go on as if
            # there were no trips, to find it. What is recorded now will be thrown away.
            return tuple(init)
        if not settled:
            raise LoopStateError(
                "the types of the loop's variables do not settle",
                user_location(),
                fix="give them their final types before the loop, for example with x.astype(float)",
            )
        if exact and loop.changes_dtypes():
            raise FirstTripDiffers
        return loop.finish()

    outer, never_python = recorder().keeps_arrays, recorder().unroll_limit + 1
    try:
        with recorder().losses_undone(never_python):
            return recorded(outer)
    except MutationError as error:
        if error.id not in _TWO_NAMES:
            raise
        refusal = error
    recorder().keeps_arrays = not outer  # also in the loops inside
    try:
        with recorder().losses_undone(never_python):
            return recorded(not outer)
    except MutationError:
        raise refusal from None
    finally:
        recorder().keeps_arrays = outer
