"""Conditionals on symbolic values: recorded as two regions. Loops are in
`autograph.staging.control.loops`.

A predicate that does not depend on symbolic values is decided as Python does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import ops
from autograph.errors import (
    AutographError,
    BranchMismatchError,
    OperandShapeError,
    OperandTypeError,
)
from autograph.graph.builder import current_builder, varied_captures
from autograph.graph.graph import Constant, Value
from autograph.graph.variance import axes_of, controlled
from autograph.source.tree.places import CELLS
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.views import require_own
from autograph.staging.border.endings import is_of_program, raised_by_user
from autograph.staging.control.region import Region
from autograph.staging.ground.errors import OPERANDS_DO_NOT_FIT, located, user_location
from autograph.staging.ground.examples import example
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.naming import kind_shown, named_place
from autograph.staging.ground.ownership import is_user_object, truth_method
from autograph.staging.ground.recorder import recorder
from autograph.staging.joins.crossing import rebuild
from autograph.staging.joins.origins import boxes_of, new_boxes_of, shared_by_branches
from autograph.staging.joins.sides import MismatchAt, Side, join_sides
from autograph.staging.joins.state import Slots, aligned, fill_all
from autograph.staging.joins.variables import Variable
from autograph.staging.joins.without_axes import arrays_without_axes, mark_arrays
from autograph.staging.lists.dict_views import DictView
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.tables import KeyTable
from autograph.staging.lists.twins import link_all, links
from autograph.staging.values.choice import Choice
from autograph.staging.values.leaves import Mismatch
from autograph.staging.values.maybe import MaybeNone, ObjectOrNone, OnlyTruth
from ops.control import regions
from ops.control.constructs import Undefined
from ops.core.operands import Symbolic
from ops.core.types import ArrayType

_FIX_OF_TEXTS = (
    "return or print the text in each branch, or let the branches choose the values and make one "
    "text of them afterwards"
)
_FIX_OF_OBJECTS = (
    "call a function with each of the objects, in a walk through a tree the same one again "
    "(`return f(node.left) if c else f(node.right)`), or keep what the objects hold in arrays, and "
    "choose an index"
)


class UnresolvedCall(ops.Refusal):
    """A recursive call whose result type is not known yet; see `autograph.staging.calls.recursion`.

    Not an `Exception`, so that a user's ``except Exception`` does not swallow it.
    """


def cond(
    predicate: Any,
    then: Callable,
    orelse: Callable,
    names: Sequence[str],
    *,
    specializes: bool = True,
) -> Any:
    """See `ops.cond`.

    Args:
        specializes: whether branches that do not fit make ints that decide between them static.
    """
    predicate = recorder().defined(predicate)
    flag = truth(predicate)
    if not isinstance(flag, Value):
        return then() if flag else orelse()
    try:
        with controlled(axes_of(flag)):
            branches = [
                _branch(name, function, names, other)
                for name, function, other in (("then", then, orelse), ("else", orelse, then))
            ]
    except OPERANDS_DO_NOT_FIT:  # maybe in the branch that is not taken
        recorder().demand_number(flag)
        raise
    if not any(branches):
        raise UnresolvedCall
    if not all(branches):
        # One branch waits for the result type of a recursion that is being recorded: go on with the
        # other, to find it. What is recorded now will be thrown away.
        recorded = branches[0] or branches[1]
        if recorded.failure is not None:
            raise UnresolvedCall
        return orelse() if branches[0] is None else then()
    failures = [branch.failure for branch in branches]
    if None not in failures:
        written = _written(branches) if recorder().attempt is not None else []
        graphs = [branch.finish(branch.side([]), [], written) for branch in branches]
        types = [type for _, type in written]
        graphs = varied_captures(graphs, axes_of(flag))
        results = current_builder().add(regions.cond, [flag], {}, types, graphs)
        for (array, _), value in zip(written, results):
            array.write(value)
        # The code after this is not reached; the region around it fails as well.
        raise _of_both(failures)
    try:
        contents_ = _joined(flag, branches, len(names) or 1)
    except BranchMismatchError as error:
        if error.id != "AG0311":
            raise
        if specializes:
            recorder().demand_number(flag)
        with lengths_joined(error):
            contents_ = _joined(flag, branches, len(names) or 1)
    return tuple(contents_) if names else recorder().defined(contents_[0])


@contextmanager
def lengths_joined(refusal: AutographError) -> Iterator[None]:
    """Let arrays of unequal lengths meet, where nothing else helped against a refusal."""
    if recorder().joins_lengths:
        raise refusal
    recorder().joins_lengths = True
    try:
        yield
    except type(refusal):
        raise refusal from None
    finally:
        recorder().joins_lengths = False


def _is_caught(error: Exception) -> bool:
    """Whether an exception ends a branch of an expression that is attempted, after which something
    is done: it is handled, or what was raised before it is."""
    attempt = recorder().attempt
    if attempt is None or not (attempt.catches(error) or attempt.is_possible):
        return False
    if isinstance(error, AutographError):
        return attempt.catches(error) and is_of_program(error)
    return raised_by_user(error, in_branch=True)


def is_raised_in_region(error: Exception) -> bool:
    """Whether an exception ends the recording of a region, which data decide about, because the
    program raises it there: the user's code does, or an operator does in code that handles it.

    Raises:
        NeedsHandlers, UnsupportedConstructError: the user's code would handle what an operator
            raises, as if it were raised in any case.
    """
    if raised_by_user(error, in_branch=True):
        return True
    if not (isinstance(error, AutographError) and is_of_program(error)):
        return False
    recorder().refuse_handling("this exception is raised", (type(error),))
    attempt = recorder().attempt
    return attempt is not None and attempt.catches(error)


def _of_both(failures: Sequence[Exception]) -> Exception:
    """What is raised after two branches that raise exceptions."""
    attempt = recorder().attempt
    if attempt is None:
        return failures[0]
    found = next(filter(attempt.catches, failures), failures[0])
    if attempt.is_possible:
        attempt.sure = found
    return found


def _written(branches: Sequence[Region]) -> list[tuple[GraphArray, ArrayType]]:
    """The arrays that some branch changed in place. They have the same type in all of them, but for
    the axes of a mesh along which they vary."""
    written = ByIdentity((array, array.type) for branch in branches for array in branch.written)
    for branch in branches:
        for array, value in branch.written.items():
            written[array] = written[array].along(axes_of(value))
    require_own(written)
    return list(written.items())


def truth(predicate: Any) -> Any:
    """The graph value whose truth is that of ``predicate``; a bool if it is known already.

    Raises:
        OperandShapeError: ``predicate`` is an array of more or less than one element.
    """
    if isinstance(predicate, (TrackedList, PooledList, KeyTable, DictView)):
        length = predicate.length
        return length > 0 if isinstance(length, int) else truth(length)
    if isinstance(predicate, Choice):
        return truth(predicate.each(bool))
    if isinstance(predicate, OnlyTruth):
        return truth(predicate.truth)
    if isinstance(predicate, ObjectOrNone):
        content = truth(predicate.content)
        content = GraphArray(content) if isinstance(content, Value) else content
        return truth(ops.and_(predicate.present, lambda: content))
    if isinstance(predicate, MaybeNone):
        return truth(ops.and_(predicate.present, lambda: predicate.content))
    asked = truth_method(type(predicate))
    if asked == "__bool__":
        found = type(predicate).__bool__(predicate)  # converted, so it may be symbolic
        _require_bool(found)
        return truth(found)
    if asked == "__len__":
        return truth(ops.call(len, predicate) != 0)
    if not isinstance(predicate, GraphArray):
        with located():
            return bool(predicate)
    value = predicate.value
    if isinstance(value, Constant) and value.is_scalar:
        return bool(value.data)
    if value.type.size != 1:
        raise OperandShapeError(
            f"the truth value of an array of shape {value.type.shape} is ambiguous",
            user_location(),
            id="AG0406",
            fix="use .any() or .all()",
        )
    return ops.reshape(value, ()) if value.type.shape else value


def _require_bool(found: Any) -> None:
    """Refuse, as Python does, what is no bool as the result of ``__bool__``; NumPy's is none."""
    shown = example(found) if isinstance(found, GraphArray) else found
    if type(shown) is not bool and (shown is not found or not isinstance(found, Symbolic)):
        kind = type(shown)
        name = (
            kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
        )
        raise OperandTypeError(
            f"__bool__ should return bool, returned {name}",
            user_location(),
            fix="return bool(...) of it",
        )


def either(left: Any, then: Callable, orelse: Callable, **decided: bool) -> Any:
    """``left and right`` or ``left or right``: one of the operands, whatever their types if only
    the truth is asked for.

    Args:
        then, orelse: give the operand if ``left`` is true, and if it is false.
        decided: ``if_true`` or ``if_false``: the truth of the operand that ``left`` itself is.
    """
    try:
        return cond(left, then, orelse, (), specializes=False)
    except BranchMismatchError as error:

        def truth_of(operand: Callable, known: bool | None) -> Callable:
            return lambda: known if known is not None else _as_bool(operand())

        sides = truth_of(then, decided.get("if_true")), truth_of(orelse, decided.get("if_false"))
        return OnlyTruth(error, cond(left, *sides, ()))


def _as_bool(operand: Any) -> Any:
    flag = truth(recorder().defined(operand))
    return GraphArray(ops.cast(flag, dtype="bool", weak=True)) if isinstance(flag, Value) else flag


def negation(operand: Any) -> Any:
    """``not operand``, a Python bool."""
    flag = truth(recorder().defined(operand))
    if not isinstance(flag, Value):
        return not flag
    return GraphArray(ops.cast(ops.logical_not(flag), dtype="bool", weak=True))


def _branch(name: str, function: Callable, names: Sequence[str], other: Callable) -> Region | None:
    """One branch recorded, or None if it waits for the result type of a recursion.

    A branch in which the user's code raises an exception is recorded up to there. What only the
    ``other`` branch can reach is from outside in both.
    """
    region = Region(name)
    try:
        with region.recording(function, other):
            try:
                result = function()
            except Exception as error:
                if not _is_caught(error):
                    raise
                region.catch(error)
            else:
                region.leave(names or ("the value",), result if names else (result,))
    except UnresolvedCall:
        return None
    except Exception as error:
        if not is_raised_in_region(error):
            raise
        region.fail(error)
    return region


def _joined(flag: Value, branches: Sequence[Region], count: int) -> list[Any]:
    """Add the node; returns what the ``count`` variables hold after it.

    What is known of each after the branches is what both know. One that fails has no say, but in
    what containers hold if the exception is handled: the handler finds them so.
    """
    live = [branch for branch in branches if branch.failure is None]
    told = live
    if any(branch.changed for branch in live):
        told = [branch for branch in branches if branch.failure is None or branch.is_caught]
    slots, variables = _container_slots(told)
    unset = [(name, Undefined(name)) for name, _ in live[0].slots]
    sides = [
        branch.side([*(unset if branch.is_caught else branch.slots), *more])
        for branch, more in zip(told, variables)
    ]
    try:
        joined = join_sides(*sides) if len(sides) == 2 else sides[0].variables
    except MismatchAt as mismatch:
        raise _mismatch(told, sides, mismatch.position, str(mismatch)) from None
    if len(told) > len(live):  # the variables are those of the one that is left
        own = sides[told.index(live[0])].variables
        joined[:count] = [
            replace(variable, defined=known.defined) for variable, known in zip(joined, own[:count])
        ]
    axes = axes_of(flag)
    joined = [variable.along(axes) for variable in joined]
    written = [(array, type.along(axes)) for array, type in _written(branches)]
    by_branch = dict(zip(map(id, told), sides))
    empty = [(variable.name, Undefined(variable.name)) for variable in joined]
    graphs = [
        branch.finish(by_branch.get(id(branch)) or branch.side(empty), joined, written)
        for branch in branches
    ]
    types = [t for v in joined for t in v.types] + [t for _, t in written]
    graphs = varied_captures(graphs, axes)
    results = current_builder().add(
        regions.cond, [flag], {}, types, graphs, carrier_names(joined, [a for a, _ in written])
    )
    for (array, _), value in zip(written, results[len(results) - len(written) :]):
        array.write(value)
    rebuilt = rebuild(joined, results)
    mark_arrays(rebuilt.leaves, arrays_without_axes(joined, sides))
    ends = [side.leaves_for(joined) for side in sides]
    shared = shared_by_branches(
        [(boxes_of(joined, end), branch.is_older) for end, branch in zip(ends, told)]
    )
    shared.note(new_boxes_of(joined, rebuilt.leaves))
    for i, leaves in enumerate(rebuilt.leaves):
        _mark_kept(leaves, [end[i] for end in ends])
    fill_all(slots, rebuilt.contents[count:], recorder().frozen)
    for side in sides:
        recorder().frozen.add_copies(side.containers, rebuilt.containers)
        link_all(links(side.containers), rebuilt.containers)
        for number, container in side.expanded_numbers():
            recorder().may_be_same(container, rebuilt.containers[number])
    return rebuilt.contents[:count]


def _container_slots(
    branches: Sequence[Region],
) -> tuple[list[Slots], list[list[tuple[str, Any]]]]:
    """The containers that some branch changed, and their values at the end of each as
    variables."""
    slots = []
    variables: list[list[tuple[str, Any]]] = [[] for _ in branches]
    for container in ByIdentity((c, None) for branch in branches for c in branch.changed):
        name = next((b.names[container] for b in branches if container in b.names), "")
        ends = [branch.end_of(container) for branch in branches]
        try:
            ends = aligned(container, ends, [branch.end_of for branch in branches])
        except Mismatch as mismatch:
            raise BranchMismatchError(
                _left_different(container, name, mismatch),
                user_location(),
                id="AG0314",
                fix=_fix_of_contents(container),
            ) from None
        slot = Slots.of(container, name, ends[0])
        slots.append(slot)
        for more, end in zip(variables, ends):
            more += slot.variables(end)
    return slots, variables


def _left_different(container: Any, name: str, mismatch: Mismatch) -> str:
    """What is said where branches leave a container with different keys."""
    if isinstance(container, CELLS):
        return f"{named_place(name)} has a value on some paths only"
    kind = kind_shown(container)
    return f"the branches leave the {kind} '{name}' with different contents: {mismatch}"


def _fix_of_contents(container: Any) -> str:
    """What helps if branches leave a container with different keys."""
    if isinstance(container, CELLS):
        return "give it its first value before, where the program begins"
    if isinstance(container, deque):
        return "use a list, with append and pop(0): it may be of another length on each path"
    if isinstance(container, set):
        return "mark what is in it in an array: seen = np.zeros(n, bool), seen[i] = True"
    if is_user_object(container):
        return "assign the same attributes on both paths; give them their first values before"
    return "let both branches leave the same keys, attributes and types of elements"


def _mismatch(
    branches: Sequence[Region], sides: Sequence[Side], position: int, text: str
) -> BranchMismatchError:
    places = ("when the condition holds", "when it does not")
    name = sides[0].slots[position][0]
    fix = "make both branches give numbers or arrays of the same structure and shapes"
    if "the text " in text:
        fix = _FIX_OF_TEXTS
    elif any(is_user_object(side.slots[position][1]) for side in sides):
        fix = _FIX_OF_OBJECTS
    return BranchMismatchError(
        f"the branches give {called(name)} types that do not fit: {text}",
        user_location(),
        others=tuple(
            (place, branch.site(*side.slots[position]))
            for place, branch, side in zip(places, branches, sides)
        ),
        fix=fix,
    )


def called(name: str) -> str:
    return name if " " in name else f"variable '{name}'"


def carrier_names(joined: Sequence[Variable], arrays: Sequence[GraphArray]) -> list[str | None]:
    """A name for each graph value that carries the variables and arrays."""
    names = [name for variable in joined for name in variable.value_names]
    return names + [array.value.name for array in arrays]


def _mark_kept(leaves: Sequence[Any], branches: Sequence[Sequence[Any]]) -> None:
    """An array that must not be changed on one path must not be changed after it."""
    for position, leaf in enumerate(leaves):
        for ends in branches:
            end = ends[position] if position < len(ends) else None
            if isinstance(leaf, GraphArray) and isinstance(end, GraphArray) and end.is_kept:
                leaf.keep()
