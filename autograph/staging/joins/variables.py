"""What is known of a variable that crosses the border of a region, and how two such facts join.

A region gives values to variables: nested tuples, lists, dicts and objects whose leaves are arrays,
numbers, or objects the graph knows nothing about. Where control flow joins, the two facts about
each variable must be made one: the same structure, for each leaf one kind (see
`autograph.staging.values.leaves`), and for the variable as a whole whether it is defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.containers import is_rebuilt
from autograph.staging.containers.structure import (
    ContainerOf,
    ElementType,
    NoneOrOf,
    SameAs,
    paths,
    text,
)
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.lists.heap import PooledRow
from autograph.staging.lists.lists import TrackedList
from autograph.staging.values.choice import is_choosable
from autograph.staging.values.leaves import (
    ColumnOf,
    Known,
    Leaf,
    Mismatch,
    along,
    axes_of,
    carried,
    join_leaves,
    join_types,
)
from ops.core.records import dataclass
from ops.core.types import ArrayType, weak

NEVER, MAYBE, ALWAYS = range(3)  # whether a variable is defined


@dataclass(frozen=True)
class Variable:
    """What is known of one variable where control flow joins.

    Attributes:
        name: the user's name.
        defined: `NEVER`, `MAYBE` or `ALWAYS`.
        structure: the nesting of its leaves.
        leaves: the kinds of its leaves.
        varies: along which axes of a mesh it is defined or not.
    """

    name: str
    defined: int
    structure: Structure = LEAF
    leaves: tuple[Leaf, ...] = ()
    varies: frozenset = frozenset()

    def along(self, axes: frozenset) -> Variable:
        """The same of a variable that varies along some axes, too."""
        if not axes:
            return self
        leaves = tuple(along(leaf, axes) for leaf in self.leaves)
        return replace(self, leaves=leaves, varies=self.varies | axes)

    @property
    def types(self) -> list[ArrayType]:
        """The types of the graph values that carry the variable."""
        flag = [weak(bool).along(self.varies)] if self.defined == MAYBE else []
        return flag + [type for leaf in self.leaves for type in carried(leaf)]

    @property
    def value_names(self) -> list[str | None]:
        """A name for each of these values: the variable's, with the path to the leaf."""
        names: list[str | None] = [None] if self.defined == MAYBE else []
        stem = re.sub(r"\W+", "_", self.name).strip("_")  # xs[0] and self.h are names as well
        for path, leaf in zip(paths(self.structure), self.leaves):
            name = "_".join([stem, *path])
            values = carried(leaf)
            names += [None] * (len(values) - 1)
            names += [name if name.isidentifier() else None] * bool(values)
        return names

    def __str__(self) -> str:
        if self.defined == NEVER:
            return "undefined"
        return text(self.structure, iter(self.leaves))


class Expand(Exception):
    """Two contents can be joined only if containers that are leaves of them are taken apart.

    Attributes:
        containers: one of the first content, one of the second; None where there is none.
    """

    def __init__(self, *containers: Any):
        super().__init__()
        self.containers = containers


class NeedRows(Exception):
    """Two contents can be joined only if a list in them is kept as rows.

    Attributes:
        numbers: of the list in the first and second content; None where it is kept so already.
        element: the type of its elements.
    """

    def __init__(self, numbers: tuple[int | None, int | None], element: ElementType):
        super().__init__()
        self.numbers = numbers
        self.element = element


class NeedSeat(Mismatch):
    """Two contents can't be joined, but could be if both lists in them were in one heap.

    Attributes:
        numbers: of the lists in the first and second content.
        position: of the variable, among those that are joined.
    """

    def __init__(self, numbers: tuple[int, int], text: str):
        super().__init__(text)
        self.numbers = numbers
        self.position = 0


def traced(variable: Variable, but_arrays: bool = False) -> Variable:
    """The same with every number and array among the leaves taken as changing.

    Args:
        but_arrays: whether arrays that are the same object whichever path was taken stay so.
    """
    leaves = tuple(
        leaf
        if not isinstance(leaf, Known) or (but_arrays and _is_array(leaf.content))
        else leaf.changing or leaf
        for leaf in variable.leaves
    )
    return replace(variable, leaves=leaves)


def of_same_arrays(variable: Variable, leaves: Sequence[Any]) -> Variable:
    """The same of a variable whose arrays, among these leaves, stay the objects they are."""
    kinds = [
        Known(leaf) if _is_array(leaf) else kind for kind, leaf in zip(variable.leaves, leaves)
    ]
    return replace(variable, leaves=tuple(kinds))


def _is_array(leaf: Any) -> bool:
    return type(leaf) is GraphArray and bool(leaf.ndim or leaf.is_array)


def join(a: Variable, b: Variable) -> Variable:
    """What is known of a variable that is either ``a`` or ``b``.

    Raises:
        Mismatch: the structures differ, or some leaves cannot be joined.
        Expand, NeedRows: they can be joined if containers are seen in another way.
    """
    if a.defined == NEVER or b.defined == NEVER:
        other = b if a.defined == NEVER else a
        defined = NEVER if other.defined == NEVER else MAYBE
        return replace(other, defined=defined, varies=a.varies | b.varies)
    defined = min(a.defined, b.defined)
    optional = _join_optional(a, b, defined)
    if optional is not None:
        return optional
    if a.structure != b.structure:
        _reconcile(a, b)
    leaves = tuple(_join_leaf(x, y) for x, y in zip(a.leaves, b.leaves))
    return Variable(a.name, defined, a.structure, leaves, a.varies | b.varies)


def _join_optional(a: Variable, b: Variable, defined: int) -> Variable | None:
    """The same where one of the two may be None and the other is no single number or text."""
    known = [_present(variable) for variable in (a, b) if not _is_none(variable)]
    some_none = len(known) == 1 or any(isinstance(v.structure, NoneOrOf) for v in (a, b))
    if not known or not some_none or all(map(_is_simple, known)):
        return None
    joined = join(*known) if len(known) == 2 else known[0]
    flags = [v.leaves[0] for v in (a, b) if isinstance(v.structure, NoneOrOf)]
    axes = frozenset().union(*map(axes_of, flags))
    leaves = (weak(bool).along(axes), *joined.leaves)
    return Variable(a.name, defined, NoneOrOf(joined.structure), leaves, a.varies | b.varies)


def _is_none(variable: Variable) -> bool:
    return variable.structure is LEAF and variable.leaves == (Known(None),)


def _present(variable: Variable) -> Variable:
    """What is known of a variable when it is not None."""
    if not isinstance(variable.structure, NoneOrOf):
        return variable
    return replace(variable, structure=variable.structure.part, leaves=variable.leaves[1:])


def _is_simple(variable: Variable) -> bool:
    """Whether there is a kind of leaf for a variable that may be None."""
    if variable.structure is not LEAF:
        return False
    (leaf,) = variable.leaves
    return not isinstance(leaf, Known) or leaf.type is not None or is_choosable(leaf.content)


def in_order(joined: Variable, variable: Variable, leaves: list[Any]) -> list[Any]:
    """The leaves of ``variable``, in the order of those of ``joined``."""
    if not isinstance(joined.structure, NoneOrOf) or isinstance(variable.structure, NoneOrOf):
        return leaves
    return [] if variable.defined == NEVER or _is_none(variable) else [None, *leaves]


def _join_leaf(x: Leaf, y: Leaf) -> Leaf:
    try:
        return join_leaves(x, y)
    except Mismatch:
        both = [_container(x), _container(y)]
        if both[0] is not None and both[1] is not None:
            raise Expand(*both) from None
        raise


def _container(leaf: Leaf) -> Any:
    content = leaf.content if isinstance(leaf, Known) else None
    return content if content is not None and is_rebuilt(content) else None


def _reconcile(a: Variable, b: Variable) -> None:
    """Raise what has to be done, or that nothing can be done, about two differing structures."""
    mismatch = Mismatch(f"{a} and {b}")
    a_leaves, b_leaves = iter(a.leaves), iter(b.leaves)

    def visit(x: Structure, y: Structure) -> None:
        if x is LEAF and y is LEAF:
            _join_leaf(next(a_leaves), next(b_leaves))
        elif x is LEAF or y is LEAF:
            leaf = _container(next(a_leaves if x is LEAF else b_leaves))
            if leaf is None:
                raise mismatch
            raise Expand(leaf, None) if x is LEAF else Expand(None, leaf)
        elif isinstance(x, TupleOf) and isinstance(y, TupleOf):
            if x.kind != y.kind or len(x.parts) != len(y.parts):
                raise mismatch
            for p, q in zip(x.parts, y.parts):
                visit(p, q)
        elif isinstance(x, ContainerOf) and isinstance(y, ContainerOf) and x.kind is y.kind:
            if x.keys != y.keys and issubclass(x.kind, list):
                raise _rows_needed(x, y, a_leaves, b_leaves, mismatch)
            if x.keys != y.keys or x.number != y.number:
                raise mismatch
            for p, q in zip(x.parts, y.parts):
                visit(p, q)
        elif isinstance(x, ContainerOf) and isinstance(y, ContainerOf) and _are_lists(x, y):
            raise NeedSeat((x.number, y.number), str(mismatch))
        elif not isinstance(x, SameAs) or x != y:
            raise mismatch

    visit(a.structure, b.structure)
    raise mismatch


def _are_lists(x: ContainerOf, y: ContainerOf) -> bool:
    """Whether one is a list in a heap, and the other one an ordinary list."""
    return {x.kind, y.kind} == {PooledRow, TrackedList}


def _rows_needed(
    x: ContainerOf,
    y: ContainerOf,
    x_leaves: Iterator[Leaf],
    y_leaves: Iterator[Leaf],
    mismatch: Mismatch,
) -> NeedRows | Mismatch:
    elements = [*_elements(x, x_leaves), *_elements(y, y_leaves)]
    structures = {structure for structure, _ in elements}
    if len(structures) != 1:
        return mismatch
    joined: list[ArrayType | None] = list(elements[0][1])
    for _, kinds in elements[1:]:
        joined = [a and b and join_types(a, b) for a, b in zip(joined, kinds)]
    types = tuple(kind for kind in joined if kind is not None)
    if len(types) != len(joined):
        return mismatch
    numbers = (None if x.is_rows else x.number, None if y.is_rows else y.number)
    if numbers == (None, None) or not types:  # no elements, or elements that contain nothing
        return mismatch
    return NeedRows(numbers, ElementType(structures.pop(), types))


def _elements(
    node: ContainerOf, leaves: Iterator[Leaf]
) -> list[tuple[Structure, tuple[ArrayType | None, ...]]]:
    """The structures of the elements of a list, and the types of their parts."""
    if node.is_rows:
        return [(node.keys[1], tuple(_type_of(next(leaves)) for _ in node.parts))]
    return [(part, tuple(_type_of(next(leaves)) for _ in paths(part))) for part in node.parts]


def _type_of(leaf: Leaf) -> ArrayType | None:
    if isinstance(leaf, ColumnOf):
        return leaf.element
    return leaf if isinstance(leaf, ArrayType) else leaf.type
