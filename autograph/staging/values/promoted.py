"""Numbers that are of another type on each path: `0` after one branch, `0.5` after the other.

A graph value has one type, so such a number is computed with in the type that holds all of them, as
NumPy promotes them. It is known besides which of the types it is of, and what it is in those whose
values the promoted one may have rounded: so it can be returned and printed as what it is in Python.
The same is known of what operators compute of them element by element that cannot fail, and of
quotients by a number that is known; what else is computed is a promoted number, if its type depends
on theirs.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

import ops
from autograph.errors import BranchMismatchError, OperandTypeError
from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.exact_types import converted, placeholder
from autograph.staging.ground.identity import ByIdentity
from ops.core.recording import raises_as_python
from ops.core.records import dataclass
from ops.core.registry import Elementwise, Op
from ops.core.special_methods import ARITHMETIC
from ops.core.types import ArrayType, type_of, weak


class PromotedNumber(GraphArray):
    """A number of one of several types.

    Attributes:
        kinds: the types.
        which: the position of its type among these, an int.
        exact: for each of them the number as one of that type, which has a meaning only if it is
            of it; None where the promoted value is that number.
    """

    __slots__ = ("exact", "kinds", "which")

    def __init__(
        self,
        value: Value,
        kinds: tuple[ArrayType, ...],
        which: GraphArray,
        exact: Sequence[GraphArray | None],
    ):
        super().__init__(value)
        self.kinds = kinds
        self.which = which
        self.exact = tuple(exact)

    def of_kind(self, position: int) -> GraphArray:
        """The number as one of the type at a position; it has a meaning only if it is of it."""
        exact, kind = self.exact[position], self.kinds[position]
        if exact is not None:
            return exact
        value = self.value
        if value.type == kind:
            return GraphArray(value)
        return GraphArray(ops.cast(value, dtype=kind.dtype.name, weak=kind.weak))


def types_of(box: Any) -> tuple[ArrayType, ...]:
    """The types that a number may be of; () for what is no `PromotedNumber`, and where some path
    leaves an array of no axes, which may be changed in place."""
    return box.kinds if isinstance(box, PromotedNumber) and not box.is_array else ()


def by_kind(number: PromotedNumber, function: Callable[[GraphArray], Any], start: int = 0) -> Any:
    """``function`` of the number in its type, by a conditional for each of the types."""
    if start == len(number.kinds) - 1:
        return function(number.of_kind(start))
    return ops.cond(
        ops.equal(number.which, start),
        lambda: function(number.of_kind(start)),
        lambda: by_kind(number, function, start + 1),
    )


# Of numbers that are told apart at one place: each of them doubles the branches.
_MOST_APART = 4


def each_in_its_type(numbers: Sequence[Any], function: Callable[[ByIdentity], Any]) -> Any:
    """``function`` of what each of some `PromotedNumber` is in its type, in the branches of
    conditionals; of nothing if there are too many of them."""
    numbers = list(ByIdentity((number, None) for number in numbers))

    def decide(known: ByIdentity) -> Any:
        if len(known) == len(numbers):
            return function(known)
        number = numbers[len(known)]
        with_own = lambda own: decide(ByIdentity([*known.items(), (number, own)]))
        return by_kind(number, with_own)

    return function(ByIdentity()) if len(numbers) > _MOST_APART else decide(ByIdentity())


def apart(
    function: Callable, matters: Callable[[Sequence[ArrayType]], bool] = lambda kinds: True
) -> Callable:
    """A function of NumPy's, which may look at dtypes, for numbers of several types: each path has
    the result for the type that they are of there.

    Args:
        matters: tells of a number's types whether the function tells them apart.
    """

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        mixed = [leaf for leaf in _leaves((args, kwargs)) if types_of(leaf)]
        mixed = [leaf for leaf in mixed if matters(leaf.kinds)]
        if not mixed:
            return function(*args, **kwargs)

        seen = _Dtype()

        def of(known: ByIdentity) -> Any:
            own_args, own_kwargs = _exchanged((args, kwargs), known)
            result = _result(function, own_args, own_kwargs)
            if isinstance(result, GraphArray) and (result.ndim or result.is_array):
                if seen.dtype not in (None, result.dtype):
                    raise _no_array(mixed[0])
                seen.dtype = result.dtype
            return result

        return each_in_its_type(mixed, of)

    return called


@raises_as_python
def _result(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The result of a function of NumPy's for numbers of one of their types.

    Raises:
        TypeError: NumPy has none for these, which matters where the run is of them.
    """
    try:
        return function(*args, **kwargs)
    except OperandTypeError as error:
        raise TypeError(error.message) from None


_BOOLEAN = ArrayType(np.dtype("bool"), ())


def _in_its_type(name: str, matters: Callable[[Any, Sequence[ArrayType]], bool]) -> None:
    """Let an operator be computed in each of a number's types where more than the promotion of
    these depends on them.

    Args:
        matters: tells that of the other operand, and the types.
    """
    operate = getattr(GraphArray, name)

    @functools.wraps(operate)
    def method(self: PromotedNumber, other: Any) -> Any:
        if not matters(other, types_of(self)):
            return operate(self, other)
        return by_kind(self, lambda own: getattr(own, name)(other))

    setattr(PromotedNumber, name, method)


def _is_complex(number: Any) -> bool:
    if isinstance(number, GraphArray):
        return number.type.weak and number.dtype.kind == "c" and not number.ndim
    return type(number) is complex


# NumPy squares its booleans as int8; and an np.float64 is a float, of which `complex` on the left
# makes one of Python's complex numbers.
_in_its_type("__pow__", lambda exponent, kinds: _BOOLEAN in kinds)
for _name in ARITHMETIC:
    if hasattr(GraphArray, f"__r{_name}__"):
        _in_its_type(f"__r{_name}__", lambda left, kinds: bool(kinds) and _is_complex(left))


def differ(kinds: Sequence[ArrayType]) -> bool:
    """Whether numbers of these types make arrays of different dtypes."""
    return len({kind.dtype for kind in kinds}) > 1


def are_no_places(kinds: Sequence[ArrayType]) -> bool:
    """Whether numbers of these types tell different things of an array as its subscript, or none:
    booleans are masks."""
    return any(kind.dtype.kind not in "iu" for kind in kinds)


def _no_array(number: PromotedNumber) -> BranchMismatchError:
    """The error for an array whose dtype depends on the type that a number is of: it has one in
    the graph, and the promoted one would be another than NumPy's on some path."""
    return BranchMismatchError(
        f"a number is {' or '.join(map(str, number.kinds))}, which is known only at run time, "
        "and so is the dtype of an array that is computed from it",
        id="AG0593",
        fix="make the number of one type on every path, as by 'float(s)' or 'np.float64(s)'",
    )


class _Dtype:
    """The dtype of an array, if there was one by now."""

    dtype: np.dtype | None = None


def _leaves(tree: Any) -> Iterator[Any]:
    """What is in nested tuples, lists, dicts and slices of Python's own."""
    if type(tree) is slice:
        tree = tree.start, tree.stop, tree.step
    if type(tree) in (tuple, list, dict):
        for part in tree.values() if type(tree) is dict else tree:
            yield from _leaves(part)
    else:
        yield tree


def _exchanged(tree: Any, known: ByIdentity) -> Any:
    if type(tree) is dict:
        return {key: _exchanged(part, known) for key, part in tree.items()}
    if type(tree) in (tuple, list):
        return type(tree)(_exchanged(part, known) for part in tree)
    if type(tree) is slice:
        return slice(*_exchanged((tree.start, tree.stop, tree.step), known))
    return known[tree] if types_of(tree) and tree in known else tree


def holds(wide: ArrayType, kind: ArrayType) -> bool:
    """Whether each number of type ``kind`` is still there in one of type ``wide`` made of it."""
    a, b = kind.dtype, wide.dtype
    return a == b or a.kind == "b" or (a.kind == b.kind == "f" and a.itemsize < b.itemsize)


@dataclass(frozen=True)
class Promoted:
    """What a number of one of several types is, where it is carried as graph values."""

    kinds: tuple[ArrayType, ...]
    varies: frozenset = frozenset()  # along which axes of a mesh
    __name__ = "number"

    def __call__(self, which: Any, *parts: Any) -> Any:
        """The number that these carry; the real one, if they are of a run."""
        *apart, promoted = parts
        own = dict(zip(self.apart, apart))
        exact = [own.get(kind) for kind in self.kinds]
        if isinstance(which, GraphArray):
            return PromotedNumber(promoted.value, self.kinds, which, exact)
        number = exact[which]
        return constructor(self.kinds[which])(promoted if number is None else number)

    @property
    def type(self) -> ArrayType:
        """What the numbers are promoted to."""
        return joined(self.kinds).along(self.varies)

    @property
    def apart(self) -> list[ArrayType]:
        """The types whose numbers are not all there in the promoted type."""
        wide = joined(self.kinds)
        return [kind for kind in self.kinds if not holds(wide, kind)]

    def of_a_run(self, which: Sequence[int], *parts: Sequence[Any]) -> list[Any]:
        """Numbers that a run gave, from all of what carries them."""
        *apart, promoted = parts
        own = dict(zip(self.apart, apart))
        rows = zip(*[own.get(kind, promoted) for kind in self.kinds])
        makers = [
            None if kind.weak and (kind in own or kind == self.type) else constructor(kind)
            for kind in self.kinds
        ]
        found = []
        for place, row in zip(which, rows):
            make, number = makers[place], row[place]
            found.append(number if make is None else make(number))
        return found

    def __str__(self) -> str:
        return " or ".join(map(str, self.kinds))


def carry(leaf: Any, kind: Promoted, value_of: Callable[[GraphArray], Value]) -> list[Value]:
    """The graph values that carry a number: its type's position, what it is in the types that the
    promoted type does not hold, and the promoted value."""
    if types_of(leaf):
        positions = [kind.kinds.index(own) for own in leaf.kinds]
        which = _mapped(GraphArray(value_of(leaf.which)), positions)
        own_value = {own: i for i, own in enumerate(leaf.kinds)}
        exact = [
            leaf.of_kind(own_value[other]).value if other in own_value else placeholder(other)
            for other in kind.apart
        ]
        return [converted(which, weak(int)), *exact, _promoted(leaf, kind.type, value_of)]
    own = leaf.type.invariant() if isinstance(leaf, GraphArray) else type_of(leaf)
    value = value_of(leaf) if isinstance(leaf, GraphArray) else Constant(leaf)
    exact = [value if other == own else placeholder(other) for other in kind.apart]
    return [Constant(kind.kinds.index(own)), *exact, converted(value, kind.type)]


def arranged(leaves: Sequence[Any], kind: Promoted, order: GraphArray) -> list[PromotedNumber]:
    """Numbers of several types in the order of the places that the run finds."""
    rows = [carry(leaf, kind, lambda array: array.value) for leaf in leaves]
    stacked = (ops.stack([GraphArray(v) for v in column], axis=0) for column in zip(*rows))
    which, *exact, promoted = (ops.take(column, order) for column in stacked)
    made = []
    for i in range(len(leaves)):
        own = dict(zip(kind.apart, (_scalar(column[i], k) for column, k in zip(exact, kind.apart))))
        made.append(
            PromotedNumber(
                _scalar(promoted[i], kind.type).value,
                kind.kinds,
                _scalar(which[i], weak(int)),
                [own.get(k) for k in kind.kinds],
            )
        )
    return made


def _scalar(number: GraphArray, kind: ArrayType) -> GraphArray:
    return GraphArray(converted(number.value, kind))


# -- what is computed from them --------------------------------------------------------------------

# Of the promoted numbers these give the promoted result.
_PROMOTED = (ops.add, ops.subtract, ops.multiply, ops.negative, ops.positive, ops.absolute)
_BY_COUNT = (ops.power, ops.left_shift, ops.right_shift)  # which fail by what is below 0
_MOST_COMBINATIONS = 16


def followed(op: Op, args: Sequence[Any], result: GraphArray) -> GraphArray:
    """The result of an operator of numbers, with what its type is for the types that they are of,
    if that is known and depends on them."""
    known = [types_of(arg) for arg in args]
    if not any(known):
        return result
    types = [kinds or (_type(arg),) for arg, kinds in zip(args, known)]
    choices = list(itertools.product(*(range(len(kinds)) for kinds in types)))
    if len(choices) > _MOST_COMBINATIONS or not _is_followed(op, args, types, choices):
        return result
    try:
        found = [op.infer(*(kinds[i] for kinds, i in zip(types, chosen)))[0] for chosen in choices]
    except TypeError:  # as for the negative of one of NumPy's booleans
        return result
    is_one = len(set(found)) == 1
    if is_one and result.type == found[0]:
        return result
    kinds = in_order(found)
    place: Any = None  # of the combination
    for arg, own in zip(args, types):
        if len(own) > 1:
            place = arg.which if place is None else place * len(own) + arg.which
    which = _of_pair(args, types, [kinds.index(kind) for kind in found])
    which = _mapped(place, [kinds.index(kind) for kind in found]) if which is None else which
    wide = joined(kinds)

    def computed(kind: ArrayType, of: Collection[ArrayType]) -> GraphArray:
        """What is computed of the numbers as they are, if its type is one of some."""
        value: Any = GraphArray(placeholder(kind))  # whatever is computed of numbers that are not
        for i, chosen in enumerate(choices):
            if found[i] in of:
                parts = [a.of_kind(k) if own else a for a, own, k in zip(args, known, chosen)]
                own_value = lambda p=parts: GraphArray(converted(op(*p), kind))
                is_here = ops.equal(place, i)  # not `where`, which makes arrays, and int64 of ints
                value = ops.cond(is_here, own_value, lambda v=value: v)
        return GraphArray(converted(value, kind))

    if is_one:
        return computed(wide, kinds)
    is_promoted = op in _PROMOTED or op.divides or wide.dtype.kind == "b"
    is_promoted = is_promoted and not any(_computes_otherwise(kind, wide) for kind in kinds)
    promoted: Any = result if is_promoted else computed(wide, kinds)
    exact = [None if holds(wide, kind) else computed(kind, (kind,)) for kind in kinds]
    number = PromotedNumber(converted(promoted, wide), kinds, which, exact)
    number.is_made = result.is_made
    return number


def _computes_otherwise(kind: ArrayType, wide: ArrayType) -> bool:
    """Whether numbers of a type are rounded, or wrap around, where those of a wider one do not."""
    a, b = kind.dtype, wide.dtype
    return a != b and not (a.kind in "iu" and a.itemsize == 8)


def gives_one_type(op: Op, args: Sequence[Any]) -> bool:
    """Whether the NumPy function of an operator gives a result of one type, whatever types its
    operands are of."""
    known = [types_of(arg) for arg in args]
    if not any(known):
        return True
    types = [own or (_type(arg),) for arg, own in zip(args, known)]
    if (None,) in types:  # of a list
        return False
    found = set()
    for chosen in itertools.product(*types):
        # Of numbers only it makes arrays, which it is not told of where some may be NumPy's.
        as_arrays = [kind.strong() for kind in chosen] if all(k.weak for k in chosen) else chosen
        try:
            found |= {op.infer(*chosen), op.infer(*as_arrays)}
        except (TypeError, ValueError):  # where the run is of these types
            return False
    return len(found) <= 1


def in_each_type(op: Op, args: Sequence[Any], attrs: dict[str, Any]) -> Any:
    """The result of an operator, of which some operands are of several types, by a conditional for
    each of these; None if it is computed of the promoted numbers, as its type is always the same,
    or followed.

    Raises:
        BranchMismatchError: it is an array whose dtype depends on these types.
    """
    known = [types_of(arg) for arg in args]
    types = [own or (_type(arg),) for arg, own in zip(args, known)]
    choices = list(itertools.product(*(range(len(own)) for own in types)))
    found, fails = set(), False
    for chosen in choices:
        try:
            found.add(op.infer(*(own[i] for own, i in zip(types, chosen)), **attrs))
        except (TypeError, ValueError) as error:  # where the run is of these types
            fails |= isinstance(error, TypeError)
    if len(choices) > _MOST_COMBINATIONS or (len(found) <= 1 and not (found and fails)):
        return None
    kinds = [kind for results in found for kind in results if kind.shape]
    if len({kind.dtype for kind in kinds}) > 1:
        raise _no_array(next(arg for arg, own in zip(args, known) if own))
    if not fails and not attrs and _is_followed(op, args, types, choices):
        return None
    place = next(i for i, own in enumerate(known) if own)
    with_own = lambda own: _computed(op, [*args[:place], own, *args[place + 1 :]], attrs, fails)
    return by_kind(args[place], with_own)


@raises_as_python
def _computed(op: Op, args: Sequence[Any], attrs: dict[str, Any], fails: bool) -> Any:
    """The result of an operator.

    Args:
        fails: whether NumPy has none for some of the types that its operands are of.

    Raises:
        TypeError: it has none for these.
    """
    if fails and not any(types_of(arg) for arg in args):
        try:
            op.infer(*map(_type, args), **attrs)
        except TypeError as error:
            raise TypeError(str(error)) from None
    return op(*args, **attrs)


def _is_followed(
    op: Op,
    args: Sequence[Any],
    types: Sequence[Sequence[ArrayType]],
    choices: Iterable[Sequence[int]],
) -> bool:
    """Whether an operator computes element by element, and fails for no numbers of the types."""
    if not op.divides:
        each = ([own[i] for own, i in zip(types, chosen)] for chosen in choices)
        is_known = op in _BY_COUNT and isinstance(args[1], int) and args[1] >= 0
        never = is_known or not any(op.may_raise(t, {}) for t in each)
        return isinstance(op, Elementwise) and never
    return not isinstance(args[1], GraphArray) and np.ndim(args[1]) == 0 and bool(args[1])


def _of_pair(
    args: Sequence[Any], types: Sequence[Sequence[ArrayType]], positions: Sequence[int]
) -> GraphArray | None:
    """The position for each combination of two types of one number and two of another, where that
    is whether one of them, or both, are of the second: loops put many of these together at once."""
    given = [arg.which for arg, own in zip(args, types) if len(own) > 1]
    sizes = [len(own) for own in types if len(own) > 1]
    if sizes != [2, 2] or list(positions) not in ([0, 1, 1, 1], [0, 0, 0, 1]):
        return None
    found: GraphArray = (ops.bitwise_or if positions[1] else ops.bitwise_and)(*given)
    return found


def _mapped(position: GraphArray, positions: Sequence[int]) -> GraphArray:
    """The item of ``positions`` at a position."""
    if positions == [*range(len(positions))]:
        return position
    most = max(positions, key=positions.count)
    found: Any = GraphArray(Constant(most))
    for i, other in enumerate(positions):
        if other != most:
            found = ops.where(ops.equal(position, i), other, found)
    return GraphArray(converted(found, weak(int)))


def _type(operand: Any) -> ArrayType:
    return operand.type if isinstance(operand, GraphArray) else type_of(operand)


def in_order(kinds: Iterable[ArrayType]) -> tuple[ArrayType, ...]:
    """The types, each once, in an order in which promotion does not depend on how they came."""
    return _in_order(frozenset(kinds))


@functools.lru_cache(1000)
def _in_order(kinds: frozenset[ArrayType]) -> tuple[ArrayType, ...]:
    return tuple(sorted(kinds, key=_order))


def _order(kind: ArrayType) -> tuple[bool, int, int, str]:
    return not kind.weak, "biufc".find(kind.dtype.kind), kind.dtype.itemsize, kind.dtype.name


def joined(kinds: Sequence[ArrayType]) -> ArrayType:
    """The type that holds the numbers of some types, by NumPy's promotion; int64 if they are
    Python's ints and NumPy's of fewer bits, which do not hold those."""
    wide = functools.reduce(join_types, kinds)
    is_narrow = wide.dtype.kind in "iu" and wide.dtype.itemsize < 8
    if is_narrow and any(kind.weak and kind.dtype.kind == "i" for kind in kinds):
        return wide._replace(dtype=np.dtype(np.int64))
    return wide


def join_types(a: ArrayType, b: ArrayType) -> ArrayType | None:
    """The type that holds values of both, by NumPy's promotion; None if their shapes differ."""
    if a == b:
        return a
    if a.shape != b.shape:
        return None
    axes = a.varies | b.varies
    if a.weak and b.weak:
        return max(a, b, key=lambda t: "biufc".index(t.dtype.kind)).along(axes)
    samples = [t.dtype if not t.weak or t.scalar is bool else t.scalar(0) for t in (a, b)]
    return ArrayType(np.result_type(*samples), a.shape, varies=axes)


# -- across borders --------------------------------------------------------------------------------


def _promoted(
    leaf: PromotedNumber, type: ArrayType, value_of: Callable[[GraphArray], Value]
) -> Value:
    """The number in a type that holds more than the one that it was promoted to before."""
    value = value_of(leaf)
    if value.type == type:
        return value
    found: Any = GraphArray(converted(value, type))
    for position, exact in enumerate(leaf.exact):
        if exact is not None:  # the other may have rounded it
            found = ops.where(ops.equal(leaf.which, position), converted(exact, type), found)
    return converted(found, type)


def constructor(kind: ArrayType) -> Callable[[Any], Any]:
    """What makes a number of a type of one that the program gives."""
    return kind.scalar if kind.weak else np.dtype(kind.dtype).type
