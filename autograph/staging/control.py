"""Conditionals and loops on symbolic values: recorded as regions.

A predicate or a loop that does not depend on symbolic values runs as Python does. A loop is
recorded by running its body on symbolic state, again and again until the types of the state no
longer change. Arrays that the body changes in place become further state by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import ops
from autograph.errors import (
    BranchMismatchError,
    ConcreteValueError,
    Location,
    LoopStateError,
    MutationError,
    OperandShapeError,
    UnrollLimitError,
)
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Value
from autograph.staging.array import GraphArray
from autograph.staging.errors import raised_by_user, user_location
from autograph.staging.identity import ByIdentity
from autograph.staging.items import Items, as_items
from autograph.staging.region import Region, record_failure, site_of
from autograph.staging.sharing import Sharing, is_outer_array
from autograph.staging.variables import (
    Mismatch,
    Variable,
    describe,
    flatten,
    join,
    outputs,
    rebuild,
    split,
    traced,
)
from autograph.staging.watch import unchanged
from ops import regions
from ops.types import ArrayType, weak

if TYPE_CHECKING:
    from autograph.staging.tracer import Tracer

INT = weak(int)
_MAX_PASSES = 20  # types only move up a short ladder of dtypes, one variable at a time


class UnresolvedCall(BaseException):
    """A recursive call whose result type is not known yet; see `autograph.staging.recursion`.

    Not an `Exception`, so that a user's ``except Exception`` does not swallow it.
    """


# -- conditionals ----------------------------------------------------------------------------------


def cond(
    tracer: Tracer, predicate: Any, then: Callable, orelse: Callable, names: Sequence[str]
) -> Any:
    predicate = tracer.defined(predicate)
    flag = truth(predicate)
    if not isinstance(flag, Value):
        return then() if flag else orelse()
    branches = [_branch(tracer, n, f, names) for n, f in (("then", then), ("else", orelse))]
    if not any(branches):
        raise UnresolvedCall
    if not all(branches):
        # One branch waits for the result type of a recursion that is being recorded: go on with the
        # other, to find it. What is recorded now will be thrown away.
        recorded = branches[0] or branches[1]
        if recorded.failure is not None:
            raise UnresolvedCall
        return orelse() if branches[0] is None else then()
    then_failure, else_failure = (branch.failure for branch in branches)
    if then_failure is not None and else_failure is not None:
        graphs = [branch.finish([], []) for branch in branches]
        current_builder().add(regions.cond, [flag], {}, [], graphs)
        raise then_failure  # the code after this is not reached; the region around it fails as well
    joined = _joined(*branches)
    written = _written_in_both(branches)
    graphs = [branch.finish(joined, written) for branch in branches]
    types = [t for v in joined for t in v.types] + [t for _, t in written]
    results = current_builder().add(
        regions.cond, [flag], {}, types, graphs, _carrier_names(joined, [a for a, _ in written])
    )
    for (array, _), value in zip(written, results[len(results) - len(written) :]):
        array.write(value)
    contents = []
    for i, (variable, values) in enumerate(zip(joined, split(joined, results))):
        content, arrays = rebuild(variable, values)
        _mark_shared(arrays, variable, [b.facts[i] for b in branches if b.failure is None])
        contents.append(content)
    return tuple(contents) if names else tracer.defined(contents[0])


def truth(predicate: Any) -> Any:
    """The graph value whose truth is that of ``predicate``; a bool if it is known already.

    Raises:
        OperandShapeError: ``predicate`` is an array of more or less than one element.
    """
    if not isinstance(predicate, GraphArray):
        return bool(predicate)
    value = predicate.value
    if isinstance(value, Constant) and value.is_scalar:
        return bool(value.data)
    if value.type.size != 1:
        raise OperandShapeError(
            f"the truth value of an array of shape {value.type.shape} is ambiguous",
            user_location(),
            fix="use .any() or .all()",
        )
    return ops.reshape(value, ()) if value.type.shape else value


def negation(tracer: Tracer, operand: Any) -> Any:
    """``not operand``, a Python bool."""
    flag = truth(tracer.defined(operand))
    if not isinstance(flag, Value):
        return not flag
    return GraphArray(ops.cast(ops.logical_not(flag), dtype="bool", weak=True))


def _branch(tracer: Tracer, name: str, function: Callable, names: Sequence[str]) -> Region | None:
    """One branch recorded, or None if it waits for the result type of a recursion.

    A branch in which the user's code raises an exception is recorded up to there.
    """
    region = Region(tracer, name)
    try:
        with region.recording(function):
            result = function()
            region.leave(names or ("the value",), result if names else (result,))
    except UnresolvedCall:
        return None
    except Exception as error:
        if not raised_by_user(error):
            raise
        region.fail(error)
    return region


def _joined(then: Region, orelse: Region) -> list[Variable]:
    """What is known of each variable after the branches; one that fails has no say."""
    for branch, other in ((then, orelse), (orelse, then)):
        if branch.failure is not None:
            return other.facts
    return [_joined_at(i, then, orelse) for i in range(len(then.facts))]


def _joined_at(position: int, then: Region, orelse: Region) -> Variable:
    a, b = then.facts[position], orelse.facts[position]
    try:
        return join(a, b)
    except Mismatch as mismatch:
        raise BranchMismatchError(
            f"the branches give {_called(a.name)} types that do not fit: {mismatch}",
            user_location(),
            others=(
                ("when the condition holds", then.site(position)),
                ("when it does not", orelse.site(position)),
            ),
            fix="make both branches give the same structure and shapes",
        ) from None


def _called(name: str) -> str:
    return name if " " in name else f"variable '{name}'"


def _written_in_both(branches: Sequence[Region]) -> list[tuple[GraphArray, ArrayType]]:
    """The arrays that some branch changed in place. They have the same type in all of them."""
    written = ByIdentity((array, array.type) for branch in branches for array in branch.written)
    return list(written.items())


def _carrier_names(joined: Sequence[Variable], arrays: Sequence[GraphArray]) -> list[str | None]:
    """A name for each graph value that carries the variables and arrays."""
    names = [name for variable in joined for name in variable.value_names]
    return names + [array.value.name for array in arrays]


def _mark_shared(
    arrays: Sequence[GraphArray], variable: Variable, facts: Sequence[Variable]
) -> None:
    """An array that is, on one path, an array from outside may share memory with it."""
    arrays = iter(arrays)
    for position, leaf in enumerate(variable.leaves):
        if not isinstance(leaf, ArrayType):
            continue
        array = next(arrays)
        bases = [
            fact.leaves[position].content
            for fact in facts
            if position < len(fact.leaves) and is_outer_array(fact.leaves[position])
        ]
        if bases:
            array.may_share(bases)


# -- loops -----------------------------------------------------------------------------------------


class NotAGraphLoop(Exception):
    """The loop's test does not depend on anything symbolic, even when its state does."""


# Why a loop that could also run as Python cannot be recorded.
_REASONS = (NotAGraphLoop, ConcreteValueError, LoopStateError, MutationError)


def while_loop(
    tracer: Tracer, test: Callable, body: Callable, init: Sequence[Any], names: Sequence[str]
) -> tuple:
    state, trips, reason = tuple(init), 0, None
    while True:
        go = _probe(tracer, test, state)
        if go is True and reason is None:
            try:
                return _record_loop(tracer, state, names, body, test=test)
            except _REASONS as error:
                reason = error
        if go is None:
            return _record_loop(tracer, state, names, body, test=test)
        if not go:
            return state
        trips = _count_trip(tracer, trips, reason)
        state = tuple(body(*state))


def _probe(tracer: Tracer, test: Callable, state: Sequence[Any]) -> bool | None:
    """What a loop's test says before the first trip, or None if only the run can tell."""
    region = Region(tracer, "test")
    with region.recording(test):
        flag = truth(tracer.defined(test(*state)))
        return None if isinstance(flag, Value) else flag


def _count_trip(tracer: Tracer, trips: int, reason: Exception | None) -> int:
    if trips >= tracer.unroll_limit:
        raise UnrollLimitError(
            f"this loop has to run as Python and makes more than {tracer.unroll_limit} trips"
            + (f"; it is no graph loop because:\n  {reason}" if reason else ""),
            user_location(),
            fix="change what keeps it from being a graph loop, or raise to_graph(unroll_limit=...)",
        ) from reason
    return trips + 1


def for_loop(
    tracer: Tracer,
    iterable: Any,
    body: Callable,
    init: Sequence[Any],
    names: Sequence[str],
    test: Callable | None,
) -> tuple:
    iterable = tracer.defined(iterable)
    items = as_items(iterable)
    if items is None:
        return _python_loop(tracer, iterable, body, tuple(init), names, test, None)
    if test is not None:
        return _indexed_while(tracer, items, body, init, names, test)
    if not isinstance(items.count, int):
        return _record_loop(tracer, init, names, body, items=items)
    if items.count == 0:
        return tuple(init)
    try:
        return _record_loop(tracer, init, names, body, items=items)
    except _REASONS as error:
        elements = (items.item(i) for i in range(items.count))
        return _python_loop(tracer, elements, body, tuple(init), names, None, error)


def _indexed_while(
    tracer: Tracer,
    items: Items,
    body: Callable,
    init: Sequence[Any],
    names: Sequence[str],
    test: Callable,
) -> tuple:
    """A `for` that may end early: a `while` that counts."""

    def more(index: Any, *state: Any) -> Any:
        return tracer.and_(index < items.count, lambda: test(*state))

    def step(index: Any, *state: Any) -> tuple:
        return (index + 1, *body(items.item(index), *state))

    _, *state = while_loop(tracer, more, step, (0, *init), ("index", *names))
    return tuple(state)


def _python_loop(
    tracer: Tracer,
    iterable: Iterable,
    body: Callable,
    state: tuple,
    names: Sequence[str],
    test: Callable | None,
    reason: Exception | None,
) -> tuple:
    """A loop over a Python container: once per item, now."""
    trips = 0
    for item in iterable:
        go = True if test is None else truth(tracer.defined(test(*state)))
        if isinstance(go, Value):
            # An exit that only the run can decide: the trips that remain are conditional.
            state = cond(
                tracer,
                GraphArray(go),
                lambda item=item, state=state: body(item, *state),
                lambda state=state: state,
                names,
            )
        elif go:
            state = tuple(body(item, *state))
        else:
            break
        trips = _count_trip(tracer, trips, reason)
    return state


def _record_loop(
    tracer: Tracer,
    init: Sequence[Any],
    names: Sequence[str],
    body: Callable,
    *,
    test: Callable | None = None,
    items: Items | None = None,
) -> tuple:
    """Record a loop as a `while_loop` node (with ``test``) or a `for_loop` node (with
    ``items``)."""
    names = names or tuple(f"state {i}" for i in range(len(init)))
    loop = _Loop(tracer, names, init, body, test, items)
    for _ in range(_MAX_PASSES):
        if loop.record():
            return loop.finish()
    raise LoopStateError("the types of the loop's variables do not settle", user_location())


class _Loop:
    """A loop being recorded: the facts about its state, widened until a trip keeps them.

    Attributes:
        facts: what is known of each variable before any trip.
        cells: arrays from outside that the body changes in place; they are state as well.
    """

    def __init__(self, tracer, names, init, body, test, items):
        self.tracer = tracer
        self.names = names
        self.init = init
        self.functions = [f for f in (body, test) if f is not None]
        self.body = body
        self.test = test
        self.items = items
        self.facts = [traced(describe(n, c, lambda array: False)) for n, c in zip(names, init)]
        self.cells = ByIdentity()  # with their types

    def record(self) -> bool:
        """Record test and body once; False if the facts had to be widened."""
        if self.test is not None:
            self.test_region = Region(self.tracer, "test")
            with self.test_region.recording(*self.functions):
                state, _ = self._enter(self.test_region.builder)
                self.flag = truth(self.tracer.defined(self.test(*state)))
                if not isinstance(self.flag, Value):
                    raise NotAGraphLoop("its test does not depend on a traced value")
        self.region = Region(self.tracer, "body")
        with self.region.recording(*self.functions):
            builder = self.region.builder
            index = None
            if self.items is not None:
                index = GraphArray(builder.input(INT, self.items.index_name(self.body)))
            state, arrays = self._enter(builder)
            entered = [array.value for array in arrays]
            # Read after the arrays that the body changes have become state: it may be one of them.
            item = () if index is None else (self.items.item(index),)
            try:
                with unchanged((), *state):
                    contents = self.body(*item, *state)
            except Exception as error:
                if not raised_by_user(error):
                    raise
                record_failure(self.tracer, error)
                contents = state  # no trip comes to its end
            self.region.leave(self.names, contents)
            self.entered, self.left = state, contents
            self.changed = any(a.value is not v for a, v in zip(arrays, entered))
        return self._settled()

    def _enter(self, builder: Builder) -> tuple[list[Any], list[GraphArray]]:
        """Make the inputs of a region; returns the contents of the variables and their arrays."""
        contents, arrays = [], []
        names = iter(_carrier_names(self.facts, ()))
        for variable, init in zip(self.facts, self.init):
            values = [builder.input(type, next(names)) for type in variable.types]
            content, made = rebuild(variable, values)
            if any(getattr(leaf, "is_array", False) for leaf in flatten(init)[0]):
                for array in made:
                    array.is_array = not array.shape
            contents.append(content)
            arrays += made
        for array, type in self.cells.items():
            array.write(builder.input(type, array.value.name))
        return contents, arrays

    def _settled(self) -> bool:
        widened = [self._widened(i) for i in range(len(self.facts))]
        cells = ByIdentity((array, array.type) for array in (*self.cells, *self.region.written))
        if widened == self.facts and len(cells) == len(self.cells):
            return True
        self.facts, self.cells = widened, cells
        return False

    def _widened(self, position: int) -> Variable:
        before, after = self.facts[position], self.region.facts[position]
        try:
            return join(before, traced(after))
        except Mismatch as mismatch:
            raise LoopStateError(
                f"{_called(before.name)} changes from one trip of the loop to the next: {mismatch}",
                user_location(),
                others=(
                    ("before the loop", self._site_before(position)),
                    ("in the loop", self.region.site(position)),
                ),
                fix=f"give '{before.name}' its final shape and structure before the loop",
            ) from None

    def _site_before(self, position: int) -> Location | None:
        """Where the variable at ``position`` got what it holds before the loop."""
        return site_of(self.init[position]) or self.tracer.assignment(self.names[position])

    def finish(self) -> tuple:
        """Add the node; returns what the variables hold after the loop."""
        cells = list(self.cells.items())
        init = [v for fact, c in zip(self.facts, self.init) for v in outputs(fact, c)]
        init += [array.value for array in self.cells]
        types = [value.type for value in init]
        names = _carrier_names(self.facts, list(self.cells))
        body = self.region.finish(self.facts, cells)
        if self.test is not None:
            with self.test_region.builder as builder:
                test = builder.finish([self.flag])
            op, inputs, graphs = regions.while_loop, init, [test, body]
        else:
            op, inputs, graphs = regions.for_loop, [self._count(), *init], [body]
        sharing = Sharing(self.init, self.entered, self.left, self.region.facts)
        if self.changed:
            sharing.require_one_name(graphs, self.cells)
        results = current_builder().add(op, inputs, {}, types, graphs, names)
        contents = []
        for variable, values in zip(self.facts, split(self.facts, results)):
            contents.append(rebuild(variable, values)[0])
        for array, value in zip(self.cells, results[len(results) - len(self.cells) :]):
            array.write(value)
        count = None if self.test else self.items.count
        return tuple(sharing.after(contents, count, self.changed))

    def _count(self) -> Value:
        count = self.items.count
        return count.value if isinstance(count, GraphArray) else Constant(count)
