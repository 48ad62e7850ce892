"""The caller's objects as columns, by machine code: plans of what is gathered, see ``gather.h``,
and functions that gather it, run a program, and write what that has changed into the objects.

`autograph.staging.lists.gathered` says what the columns of a call are.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import struct
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from autograph.kernels.native import python_api
from autograph.kernels.native.availability import available
from autograph.kernels.native.parts import link_c
from autograph.kernels.native.runtime import runtime
from ops.core.records import NamedTuple

_PYTHON = (
    *("PyTuple_Type", "PyList_Type", "PyFloat_Type", "PyLong_Type"),
    *("_Py_NoneStruct", "_Py_TrueStruct", "_Py_FalseStruct", "Py_IncRef", "Py_DecRef"),
    *("PyTuple_Size", "PyTuple_New", "PyList_Size", "PyList_GetItem", "PyDict_Size", "PyDict_Next"),
    *("PyObject_GenericGetDict", "PyObject_GenericSetAttr", "PyErr_Clear"),
    *("PyObject_RichCompareBool", "PyObject_VectorcallDict", "PyFloat_FromDouble"),
    *("PyLong_FromLongLong", "PyLong_AsLongLongAndOverflow"),
)
_NUMPY = ("PyArray_Type", "PyArray_Empty", "PyArray_Scalar")

# What nodes, leaves and inputs begin with: the enums of ``gather.h``, in their order.
_UNREAD, _IDENTICAL, _EQUAL, _FLOAT, _INT, _BOOL, _SCALAR, _TEXT = range(8)
_MAYBE, _MEMBER, _LISTED, _TUPLE, _PLACED, _NUMBERED, _TYPED = range(8, 15)
_AS_IT_IS, _IN_HEAP, _IN_TABLE = range(3)
_OF_COLUMN, _OF_COUNT, _OF_LEAF, _OF_PLACE, _FIXED = range(5)

_MOST = 200  # columns, leaves and outputs: they are on the stack
ANY = 2**62  # how long a table may be

# -- what values are -------------------------------------------------------------------------------


class TableColumn(NamedTuple):
    """A column of a table.

    Attributes:
        name: by which who asks for it knows it: of what it is a part, and its number there.
    """

    name: tuple[int, int]
    dtype: np.dtype


class AnyValue(NamedTuple):
    """Anything."""


class OneValue(NamedTuple):
    """One object, or, of texts, one that is equal."""

    value: Any


class NumberValue(NamedTuple):
    """A number of a class: float, int, bool, or one of NumPy's."""

    kind: type
    column: TableColumn


class TextValue(NamedTuple):
    """One of some texts."""

    column: TableColumn
    texts: tuple[str, ...]


class MaybeValue(NamedTuple):
    """None, or something, which the column says."""

    column: TableColumn
    node: Any


class MemberValue(NamedTuple):
    """An object in a heap, which has a key."""

    column: TableColumn
    heap: Hashable
    with_none: bool


class ListValue(NamedTuple):
    """A list in a group, which has a key: for each part the column of places."""

    group: Hashable
    with_none: bool
    columns: tuple[TableColumn, ...]


class TupleValue(NamedTuple):
    """A tuple."""

    parts: tuple[Any, ...]


class TypedValue(NamedTuple):
    """A number of one of several of Python's types.

    Attributes:
        which: says which.
        promoted: the numbers as one type.
        kinds: the types.
        exact: for each the column of the numbers as such, where the promoted one is not exact.
    """

    which: TableColumn
    promoted: TableColumn
    kinds: tuple[type, ...]
    exact: tuple[TableColumn | None, ...]


class OwnPlace(NamedTuple):
    """No attribute: the place of an object."""

    column: TableColumn


class OwnNumber(NamedTuple):
    """No attribute: a number that objects of one class have."""

    column: TableColumn
    number: int


Node = (
    AnyValue
    | OneValue
    | NumberValue
    | TextValue
    | MaybeValue
    | MemberValue
    | ListValue
    | TupleValue
    | TypedValue
    | OwnPlace
    | OwnNumber
)


class MemberClass(NamedTuple):
    """A class of objects in a heap.

    Attributes:
        kind: the class.
        made_up: nodes of what is no attribute.
        slots: where attributes lie in objects that are in slots, and their nodes.
        items: the others, in order; None of a class whose objects have none.
    """

    kind: type
    made_up: tuple[Node, ...]
    slots: Mapping[int, Node]
    items: Mapping[str, Node] | None


class MemberHeap(NamedTuple):
    """A heap: the classes of the objects, and the columns, which may be more than these have."""

    classes: tuple[MemberClass, ...]
    columns: tuple[TableColumn, ...]


class ListPart(NamedTuple):
    """Lists in heaps: the columns of their starts, lengths and rooms, and the node of an item."""

    starts: TableColumn
    lengths: TableColumn
    rooms: TableColumn
    item: Any


class ListGroup(NamedTuple):
    """Lists that are in the same heaps: one of their items, or one for each item of tuples."""

    of_tuples: bool
    parts: tuple[ListPart, ...]


class ObjectArgument(NamedTuple):
    """An argument that is an object in a heap.

    Attributes:
        turn: those with less of it come into heaps earlier.
        place: where it has to be; None if it may be anywhere.
    """

    heap: Hashable
    turn: int
    place: int | None = None


class ListArgument(NamedTuple):
    """One that is a list of its own.

    Attributes:
        name: of the table, for `ListCount`, and for others that are as long.
        item: the node of an element.
        least, most: between what its length is.
        like: the name of the table of another list that is as long.
    """

    name: Hashable
    item: Node
    least: int = 1
    most: int = ANY
    padded: int = 0
    like: Hashable = None


class ListCount(NamedTuple):
    """An input: how many elements a list has."""

    table: Hashable


class ArgumentPlace(NamedTuple):
    """An input: the place of the object that is the argument with a number."""

    argument: int


class ArgumentItself(NamedTuple):
    """An input: the argument with a number."""

    argument: int


class FixedInput(NamedTuple):
    """An input that is always the same."""

    value: Any


class AttributeChange(NamedTuple):
    """What becomes of an attribute of the objects in a heap.

    Attributes:
        owners: the classes whose objects have it; none for all.
    """

    heap: Hashable
    name: str
    node: Node
    owners: tuple[type, ...] = ()


class Gathering(NamedTuple):
    """What is gathered, what the program takes, and what it changes.

    Attributes:
        heaps: by their keys.
        groups: by their keys.
        arguments: for each an `ObjectArgument`, a `ListArgument`, or None if it is what it is.
        inputs: of the program: columns, and the others.
        padded: how many elements columns of heaps have at least.
        outputs: for each output of the program, the column of which it is the new contents, or
            None; nothing if there are no changes, and the objects are not wanted.
        is_single: whether the program returns its only output, not a tuple.
        changes: what becomes of these.
        wants: whether the result is a tuple of what is left of the outputs, and of the objects in
            each heap.
        most: how many elements columns may have, by their names.
    """

    heaps: Mapping[Hashable, MemberHeap]
    groups: Mapping[Hashable, ListGroup]
    arguments: Sequence[ObjectArgument | ListArgument | None]
    inputs: Sequence[TableColumn | ListCount | ArgumentPlace | ArgumentItself | FixedInput]
    padded: int
    outputs: Sequence[TableColumn | None]
    is_single: bool
    changes: Sequence[AttributeChange]
    wants: bool
    most: Mapping[Hashable, int]


# -- plans -----------------------------------------------------------------------------------------


class _TooMuch(Exception):
    """There is more than there is room for."""


class _Table:
    """What becomes the plan of a table."""

    def __init__(self, number: int, padded: int, least: int, most: int, like: int = -1) -> None:
        self.number = number
        self.columns: list[TableColumn | None] = []  # None for objects
        self.ends = least, most, padded, like


class _Writer:
    """Writes the plan of what is gathered.

    Attributes:
        used: what it refers to.
    """

    def __init__(self, gathering: Gathering):
        self._gathering = gathering
        self.used: list[Any] = []
        self.tables: list[_Table] = []
        self._table_of: dict[Hashable, _Table] = {}
        self._heaps = list(gathering.heaps)
        self._groups = list(gathering.groups)
        self._first: dict[int, int] = {}
        self._numbers: dict[Hashable, int] = {}

    def written(self, rows: int) -> bytes:
        """The plan.

        Args:
            rows: the address of as many numbers as there are tables.
        """
        self._number()
        given = self._gathering
        tables = [self._table_of["heap", key].number for key in given.heaps]
        sizes = [
            *(
                6 * len(self.tables),
                3 * len(self._columns),
                3 * len(given.heaps),
                3 * len(given.groups),
            ),
            *(4 * len(given.arguments), 2 * len(given.inputs), len(given.outputs)),
            4 * len(given.changes),
        ]
        starts = list(itertools.accumulate(sizes, initial=_HEAD))
        self._next, self._tail = starts[-1], list[int]()
        table_words: list[int] = []
        for table in self.tables:
            least, most, padded, like = table.ends
            most = min([most, *(given.most.get(c.name, most) for c in table.columns if c)])
            table_words += self._first[table.number], len(table.columns), least, most, padded, like
        columns: list[int] = []
        for column, table in self._columns:
            bytes_ = 8 if column is None else column.dtype.itemsize
            columns += bytes_, 0 if column is None else self._refer(column.dtype), table.number
        heaps = [
            word
            for number, heap in zip(tables, given.heaps.values())
            for word in (number, len(heap.classes), self._classes(heap.classes))
        ]
        group_words = [word for key in self._groups for word in self._group(key)]
        turns = sorted(range(len(given.arguments)), key=lambda n: _turn_of(given.arguments[n]))
        leaves = [
            word
            for argument, turn in zip(given.arguments, turns)
            for word in (*self._leaf(argument), turn)
        ]
        inputs = [word for one in given.inputs for word in self._input(one)]
        outputs = [-1 if c is None else self._numbers[c.name] for c in given.outputs]
        changes = [word for change in given.changes for word in self._change(change)]
        head = [len(self.tables), len(self._columns), len(given.heaps), len(given.groups)]
        head += [len(given.arguments), len(given.inputs), len(outputs), len(given.changes)]
        head += [given.is_single, given.wants, rows, *starts[:-1]]
        words = [*head, *table_words, *columns, *heaps, *group_words, *leaves, *inputs]
        words += [*outputs, *changes, *self._tail]
        return struct.pack(f"<{len(words)}q", *words)

    # -- tables ------------------------------------------------------------------------------------

    def _number(self) -> None:
        """Say which tables and columns there are."""
        given = self._gathering
        for key, heap in given.heaps.items():
            table = self._add(("heap", key), given.padded, 1)
            table.columns += [None, *heap.columns]
        for key, group in given.groups.items():
            for number, part in enumerate(group.parts):
                table = self._add(("lists", key, number), given.padded, 0)
                table.columns += [None] * (not number)
                table.columns += [part.starts, part.lengths, part.rooms]
                self._meet(part.item, self._add(("items", key, number), given.padded, 0))
        for argument in given.arguments:
            if isinstance(argument, ListArgument):
                like = self._table_of.get(("argument", argument.like))
                table = self._add(
                    *(("argument", argument.name), argument.padded, argument.least, argument.most),
                    -1 if like is None else like.number,
                )
                self._meet(argument.item, table)
        self._columns: list[tuple[TableColumn | None, _Table]] = []
        for table in self.tables:
            self._first[table.number] = len(self._columns)
            for column in table.columns:
                if column is not None:
                    self._numbers[column.name] = len(self._columns)
                self._columns.append((column, table))
        counts = len(self._columns), len(given.arguments), len(given.inputs), len(given.outputs)
        if max(counts) > _MOST:
            raise _TooMuch

    def _add(
        self, key: Hashable, padded: int, least: int, most: int = ANY, like: int = -1
    ) -> _Table:
        table = _Table(len(self.tables), padded, least, most, like)
        self.tables.append(table)
        self._table_of[key] = table
        return table

    def _meet(self, node: Node, table: _Table) -> None:
        """Note the columns of a node."""
        for column in columns_of(node):
            if column.name not in (c.name for c in table.columns if c is not None):
                table.columns.append(column)

    # -- what follows the tables -------------------------------------------------------------------

    def _put(self, words: Iterable[int]) -> int:
        """Words after all others: where they begin."""
        start = self._next + len(self._tail)
        self._tail += words
        return start

    def _refer(self, value: Any) -> int:
        self.used.append(value)
        return id(value)

    def _classes(self, classes: Sequence[MemberClass]) -> int:
        words: list[int] = []
        for kind in classes:
            nodes = [word for node in kind.made_up for word in self._node(node)]
            for offset, node in kind.slots.items():
                nodes += [offset, *self._node(node)]
            for name, node in (kind.items or {}).items():
                nodes += [self._refer(name), *self._node(node)]
            count = -1 if kind.items is None else len(kind.items)
            head = self._refer(kind.kind), len(kind.made_up), len(kind.slots), count
            words += [*head, self._put(nodes)]
        return self._put(words)

    def _group(self, key: Hashable) -> tuple[int, int, int]:
        group = self._gathering.groups[key]
        words: list[int] = []
        for number, part in enumerate(group.parts):
            words.append(self._table_of["lists", key, number].number)
            words += [self._numbers[c.name] for c in (part.starts, part.lengths, part.rooms)]
            words.append(self._table_of["items", key, number].number)
            words.append(self._put(self._node(part.item)))
        return group.of_tuples, len(group.parts), self._put(words)

    def _leaf(self, argument: ObjectArgument | ListArgument | None) -> tuple[int, int, int]:
        if isinstance(argument, ObjectArgument):
            place = -1 if argument.place is None else argument.place
            return _IN_HEAP, self._heaps.index(argument.heap), place
        if isinstance(argument, ListArgument):
            table = self._table_of["argument", argument.name].number
            return _IN_TABLE, table, self._put(self._node(argument.item))
        return _AS_IT_IS, 0, 0

    def _input(
        self, given: TableColumn | ListCount | ArgumentPlace | ArgumentItself | FixedInput
    ) -> tuple[int, int]:
        if isinstance(given, TableColumn):
            return _OF_COLUMN, self._numbers[given.name]
        if isinstance(given, ListCount):
            return _OF_COUNT, self._table_of["argument", given.table].number
        if isinstance(given, FixedInput):
            return _FIXED, self._refer(given.value)
        kind = _OF_PLACE if isinstance(given, ArgumentPlace) else _OF_LEAF
        return kind, given.argument

    def _change(self, change: AttributeChange) -> tuple[int, int, int, int]:
        owners = [len(change.owners), *map(self._refer, change.owners)]
        node = self._put(self._node(change.node))
        heap = self._heaps.index(change.heap)
        return heap, self._refer(change.name), node, self._put(owners)

    def _node(self, node: Node) -> list[int]:
        """The words of a node."""
        match node:
            case AnyValue():
                return [_UNREAD]
            case OneValue(value):
                kind = _EQUAL if type(value) is str else _IDENTICAL
                return [kind, self._refer(value)]
            case NumberValue(kind, column):
                number = self._numbers[column.name]
                if kind in _KINDS:
                    return [_KINDS[kind], number]
                return [_SCALAR, number, self._refer(kind), self._refer(column.dtype)]
            case TextValue(column, texts):
                number = self._numbers[column.name]
                return [_TEXT, number, len(texts), *map(self._refer, texts)]
            case MaybeValue(column, inner):
                words = self._node(inner)
                return [_MAYBE, self._numbers[column.name], len(words), *words]
            case MemberValue(column, heap, with_none):
                number = self._numbers[column.name]
                return [_MEMBER, number, self._heaps.index(heap), with_none]
            case ListValue(group, with_none, columns):
                places = [self._numbers[column.name] for column in columns]
                return [_LISTED, self._groups.index(group), with_none, *places]
            case TupleValue(parts):
                inside = [word for part in parts for word in self._node(part)]
                return [_TUPLE, len(parts), *inside]
            case TypedValue(which, promoted, kinds, exact):
                numbers = [-1 if c is None else self._numbers[c.name] for c in exact]
                own = [word for k, n in zip(kinds, numbers) for word in (_KINDS[k], n)]
                is_float = promoted.dtype == np.float64
                head = self._numbers[which.name], self._numbers[promoted.name]
                return [_TYPED, *head, is_float, len(kinds), *own]
            case OwnPlace(column):
                return [_PLACED, self._numbers[column.name]]
        return [_NUMBERED, self._numbers[node.column.name], node.number]


_HEAD = 19  # words that a plan begins with
_KINDS = {float: _FLOAT, int: _INT, bool: _BOOL}


def _turn_of(argument: ObjectArgument | ListArgument | None) -> tuple[bool, int]:
    """Says in which order arguments are looked at."""
    return (False, argument.turn) if isinstance(argument, ObjectArgument) else (True, 0)


def columns_of(node: Node) -> list[TableColumn]:
    """Those of a node."""
    match node:
        case AnyValue() | OneValue():
            return []
        case MaybeValue(column, inner):
            return [column, *columns_of(inner)]
        case ListValue(_, _, columns):
            return list(columns)
        case TypedValue(which, promoted, _, exact):
            return [which, promoted, *(column for column in exact if column is not None)]
        case TupleValue(parts):
            return [column for part in parts for column in columns_of(part)]
    return [node.column]


def gatherer(
    gathering: Gathering, program: Callable[..., Any], unlike: Callable[[], NoReturn]
) -> Callable[..., Any] | None:
    """A function of the arguments of a call that gathers what they refer to, runs a program, and
    writes what that has changed into the objects.

    Args:
        unlike: called where something is not as planned, before the program has run; raises an
            exception.

    Returns:
        None where there is no machine code, or too much to be gathered.
    """
    if not available() or not python_api.usable():
        return None
    writer = _Writer(gathering)
    tables = len(gathering.heaps) + 2 * sum(len(g.parts) for g in gathering.groups.values())
    rows = (ctypes.c_int64 * (tables + len(gathering.arguments) + 1))()
    try:
        plan = writer.written(ctypes.addressof(rows))
    except _TooMuch:
        return None
    data = plan, program, unlike, _as_column, writer.used, rows
    return python_api.builtin_function("gathered", _address(), data)


def _as_column(output: Any, dtype: np.dtype, count: int) -> np.ndarray:
    """An output of a program as the new contents of a column."""
    made = np.ascontiguousarray(output, dtype)
    if len(made) < count:
        raise AssertionError("a column has fewer elements than before")
    return made


@functools.cache
def _address() -> int:
    """Where the machine code is."""
    own = {name: runtime().address(name) for name in ("ag_take", "ag_give")}
    symbols = python_api.addresses(_PYTHON, _NUMPY) | own
    return link_c(("gather",), ("ag_gathered",), symbols, python_api.CONSTANTS).address
