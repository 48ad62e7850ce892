"""What is known of a variable that crosses the border of a region, and how two such facts join.

A region gives values to variables: nested tuples, lists, dicts and objects whose leaves are arrays,
numbers, or objects the graph knows nothing about. Where control flow joins, the two facts about
each variable must be made one: the same structure, for each leaf one kind (see
`autograph.staging.values.leaves`), and for the variable as a whole whether it is defined.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import ops
from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.exact_types import converted, no_rows, placeholder
from autograph.staging.classes.presence import refused_attribute
from autograph.staging.containers.containers import Contents, contents, is_rebuilt
from autograph.staging.containers.structure import (
    ContainerOf,
    ElementType,
    Flattener,
    NoneOrOf,
    SameAs,
    Stacked,
    Unflattener,
    paths,
    text,
)
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.lists.columns import constant_of
from autograph.staging.lists.elements import of_one
from autograph.staging.lists.lists import Column
from autograph.staging.values.choice import Choice, is_choosable, looked_up
from autograph.staging.values.leaves import (
    ColumnOf,
    Known,
    Leaf,
    Mismatch,
    OneOf,
    Optional,
    Promoted,
    along,
    axes_of,
    carried,
    join_leaves,
    join_types,
)
from autograph.staging.values.maybe import (
    MaybeNone,
    MaybeUndefined,
    ObjectOrNone,
    OnlyTruth,
    none_or,
)
from autograph.staging.values.promoted import PromotedNumber, carry, types_of
from ops.control.constructs import Undefined
from ops.core.records import dataclass
from ops.core.types import ArrayType, weak

# Numbers of a list that are appended one by one: kernels hold no array constants.
_FEW = 4

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


class Side:
    """What some variables contain at one place: before a loop, or at the end of a region.

    Args:
        slots: the names and contents of the variables.
        is_older: whether an array is from before that place's region, so that it may be named.
        is_leaf: whether a container is.
        contents_of: gives the state of a container there.
        value_of: gives the graph value of an array there.
    """

    def __init__(
        self,
        slots: Sequence[tuple[str, Any]],
        *,
        is_older: Callable[[GraphArray], bool] = lambda array: False,
        is_leaf: Callable[[Any], bool] = lambda container: True,
        contents_of: Callable[[Any], Contents] = contents,
        value_of: Callable[[GraphArray], Value] = lambda array: array.value,
    ):
        self.slots = list(slots)
        self.expanded = ByIdentity()
        self.as_rows = ByIdentity()
        self._is_older = is_older
        self._is_leaf = is_leaf
        self._contents_of = contents_of
        self.value_of = value_of
        self.describe()

    def describe(self) -> None:
        """Find `variables` and `leaves` anew."""
        self._flattener = Flattener(
            lambda container: container not in self.expanded and self._is_leaf(container),
            self.as_rows,
            self._contents_of,
        )
        self.variables: list[Variable] = []
        self.leaves: list[list[Any]] = []
        for name, content in self.slots:
            defined, flag = ALWAYS, None
            if isinstance(content, MaybeUndefined):
                defined, flag, content = MAYBE, content.flag, content.content
            if isinstance(content, Undefined):
                self.leaves.append([])
                self.variables.append(Variable(name, NEVER))
                continue
            leaves, structure = self._flattener.flatten(content)
            kinds = tuple(map(self._kind, leaves))
            axes = flag.type.varies if flag is not None else frozenset()
            self.leaves.append(leaves)
            self.variables.append(Variable(name, defined, structure, kinds, axes))

    def _kind(self, leaf: Any) -> Leaf:
        if isinstance(leaf, Column):
            return ColumnOf(leaf.element, leaf.value.type.shape[0])
        if isinstance(leaf, Stacked):
            return ColumnOf(leaf.element, len(leaf.parts) if leaf.is_steady else None)
        if isinstance(leaf, Choice):
            return OneOf(leaf.movable(), leaf.position.type.varies)
        if isinstance(leaf, OnlyTruth):
            raise leaf.error
        if isinstance(leaf, MaybeUndefined):
            raise refused_attribute(leaf.name, "is what a variable holds where paths join")
        if isinstance(leaf, GraphArray) and not self._is_older(leaf):
            if types_of(leaf):
                return Promoted(leaf.kinds, leaf.type.varies)
            if isinstance(leaf, MaybeNone):
                return Optional(leaf.type.along(leaf.present.type.varies))
            return leaf.type
        return Known(leaf)

    @property
    def containers(self) -> list[Any]:
        """The containers that were taken apart, by number."""
        return self._flattener.containers

    def expand(self, container: Any) -> None:
        """Take an older container apart as if it were new."""
        self.expanded[container] = None
        self.describe()

    def keep_as_rows(self, number: int, element: ElementType) -> None:
        """Take a list as rows."""
        self.as_rows[self._flattener.containers[number]] = element
        self.describe()

    def expanded_numbers(self) -> list[tuple[int, Any]]:
        """The containers that were taken apart although they are older, by number."""
        return [
            (number, container)
            for number, container in enumerate(self._flattener.containers)
            if container in self.expanded
        ]

    def leaves_for(self, joined: Sequence[Variable]) -> list[list[Any]]:
        """The leaves of the variables in the order of those of ``joined``."""
        return list(map(_in_order, joined, self.variables, self.leaves))

    def outputs(self, joined: Sequence[Variable]) -> list[Value]:
        """The graph values that carry the contents for ``joined``, in the order of their types."""
        values: list[Value] = []
        for variable, (_, content), leaves in zip(joined, self.slots, self.leaves):
            values += outputs(variable, content, leaves, self.value_of)
        return values


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


# -- joining ---------------------------------------------------------------------------------------


def join_sides(a: Side, b: Side) -> list[Variable]:
    """What is known of each variable that has the contents of one of two sides.

    Containers are taken apart, and lists kept as rows, where that makes them fit.

    Raises:
        MismatchAt: the facts about a variable cannot be joined.
    """
    while True:
        try:
            return [join_at(i, x, y) for i, (x, y) in enumerate(zip(a.variables, b.variables))]
        except (Expand, NeedRows) as need:
            apply_need(need, a, b)


def apply_need(need: Expand | NeedRows, a: Side, b: Side) -> None:
    if isinstance(need, Expand):
        for side, container in zip((a, b), need.containers):
            if container is not None:
                side.expand(container)
        return
    for side, number in zip((a, b), need.numbers):
        if number is not None:
            side.keep_as_rows(number, need.element)


class MismatchAt(Exception):
    """The variable at ``position`` has contents that cannot be joined."""

    def __init__(self, position: int, text: str):
        super().__init__(text)
        self.position = position


def join_at(position: int, a: Variable, b: Variable) -> Variable:
    try:
        return join(a, b)
    except Mismatch as mismatch:
        raise MismatchAt(position, str(mismatch)) from None


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


def _in_order(joined: Variable, variable: Variable, leaves: list[Any]) -> list[Any]:
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
        elif not isinstance(x, SameAs) or x != y:
            raise mismatch

    visit(a.structure, b.structure)
    raise mismatch


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
    joined: tuple[ArrayType, ...] | None = None
    for _, kinds in elements:
        if any(kind is None for kind in kinds):
            return mismatch
        merged = kinds if joined is None else tuple(map(join_types, joined, kinds))
        if any(kind is None for kind in merged):
            return mismatch
        joined = merged
    numbers = tuple(None if node.is_rows else node.number for node in (x, y))
    if numbers == (None, None) or not joined:  # no elements, or elements that contain nothing
        return mismatch
    return NeedRows(numbers, ElementType(structures.pop(), joined))


def _elements(
    node: ContainerOf, leaves: Iterator[Leaf]
) -> list[tuple[Structure, tuple[ArrayType | None, ...]]]:
    """The structures of the elements of a list, and the types of their parts."""
    if node.is_rows:
        return [(node.keys[1], tuple(next(leaves).element for _ in node.parts))]
    return [(part, tuple(_type_of(next(leaves)) for _ in paths(part))) for part in node.parts]


def _type_of(leaf: Leaf) -> ArrayType | None:
    return leaf if isinstance(leaf, ArrayType) else leaf.type


# -- crossing the border ---------------------------------------------------------------------------


def outputs(
    variable: Variable, content: Any, leaves: Sequence[Any], value_of: Callable[[GraphArray], Value]
) -> list[Value]:
    """The graph values that carry ``content``, whose leaves are ``leaves``, for ``variable``."""
    if variable.defined == NEVER:
        return []
    values: list[Value] = []
    if variable.defined == MAYBE:
        values += _flag(content, value_of)
    if isinstance(content, MaybeUndefined):
        content = content.content
    if isinstance(content, Undefined):
        return values + [placeholder(t) for leaf in variable.leaves for t in carried(leaf)]
    if not any(map(carried, variable.leaves)):
        return values
    kinds = variable.leaves
    if isinstance(variable.structure, NoneOrOf) and not isinstance(content, ObjectOrNone):
        values.append(Constant(content is not None))
        kinds = kinds[1:]
        if content is None:
            return values + [placeholder(t) for leaf in kinds for t in carried(leaf)]
    for leaf, kind in zip(leaves, kinds):
        values += _carry(leaf, kind, value_of)
    return values


def _flag(content: Any, value_of: Callable[[GraphArray], Value]) -> list[Value]:
    if isinstance(content, MaybeUndefined):
        return [converted(value_of(content.flag), weak(bool))]
    return [Constant(not isinstance(content, Undefined))]


def _carry(leaf: Any, kind: Leaf, value_of: Callable[[GraphArray], Value]) -> list[Value]:
    """The graph values that carry one leaf."""
    match kind:
        case ArrayType() if isinstance(leaf, (Column, Stacked)):  # of a list of lists
            return _carry(leaf, ColumnOf(of_one(kind), kind.shape[0]), value_of)
        case ArrayType():
            return [converted(value_of(leaf) if isinstance(leaf, GraphArray) else leaf, kind)]
        case Promoted():
            return carry(leaf, kind, value_of)
        case OneOf():
            return [_position(leaf, kind, value_of)]
        case Optional(type):
            if leaf is None:
                return [Constant(False), placeholder(type)]
            if isinstance(leaf, MaybeNone):
                content = converted(value_of(leaf.content), type)
                return [converted(value_of(leaf.present), weak(bool)), content]
            return [Constant(True), *_carry(leaf, type, value_of)]
        case ColumnOf(element, length):
            row = element._replace(weak=False)
            known = None if isinstance(leaf, Column) else constant_of(leaf.parts, row)
            if isinstance(leaf, Column):
                value = leaf.value
            elif known is not None and length is None and len(leaf.parts) <= _FEW:
                value = no_rows(element.dtype.name, element.shape)
                for part in leaf.parts:
                    value = ops.append_row(value, _carry(part, row, value_of)[0])
            elif known is not None:
                value = known.value
            elif leaf.parts:
                parts = [_carry(part, row, value_of)[0] for part in leaf.parts]
                value = ops.rows_of(parts) if length is None else ops.stack(parts, axis=0)
            else:
                value = no_rows(element.dtype.name, element.shape)
            if value.type.dtype != element.dtype:
                value = ops.cast(value, dtype=element.dtype.name)
            if length is None and value.type.shape[0] is not None:
                value = ops.refine(value, shape=(None, *element.shape))
            return [value]
    return []


def _position(leaf: Any, kind: OneOf, value_of: Callable[[GraphArray], Value]) -> Value:
    """Which of the objects a leaf is."""
    if not isinstance(leaf, Choice):
        return Constant(kind.position(leaf))
    positions = [kind.position(item) for item in leaf.objects]
    index: Any = GraphArray(value_of(leaf.position))
    if positions != [*range(len(positions))]:
        index = looked_up(index, positions)
    return converted(index, weak(int))


@dataclass
class Rebuilt:
    """The contents of variables on the other side of a border.

    Attributes:
        contents: of each variable.
        leaves: of each variable, new arrays for those that graph values carry.
        containers: the containers made, by their number in the structures.
    """

    contents: list[Any]
    leaves: list[list[Any]]
    containers: dict[int, Any]


def rebuild(
    variables: Sequence[Variable],
    values: Sequence[Value],
    replace_leaf: Callable[[list[list[Any]]], list[list[Any]]] = lambda leaves: leaves,
) -> Rebuilt:
    """The contents of ``variables`` carried by ``values``.

    ``replace_leaf`` may put other objects in the place of the new leaves.
    """
    remaining = iter(values)
    flags = []
    leaves: list[list[Any]] = []
    for variable in variables:
        flags.append(GraphArray(next(remaining)) if variable.defined == MAYBE else None)
        leaves.append([_arrived(kind, remaining) for kind in variable.leaves])
    leaves = replace_leaf(leaves)
    unflattener = Unflattener()
    contents_ = []
    for variable, flag, parts in zip(variables, flags, leaves):
        if variable.defined == NEVER:
            contents_.append(Undefined(variable.name))
            continue
        content = unflattener.unflatten(variable.structure, iter(parts))
        if flag is not None:
            content = MaybeUndefined(variable.name, content, flag)
        contents_.append(content)
    return Rebuilt(contents_, leaves, unflattener.containers)


def _arrived(kind: Leaf, values: Iterator[Value]) -> Any:
    match kind:
        case ArrayType():
            return GraphArray(next(values))
        case OneOf(objects):
            return Choice(GraphArray(next(values)), objects)
        case Optional():
            present = GraphArray(next(values))
            return none_or(present, GraphArray(next(values)))
        case Promoted(kinds):
            which, apart = GraphArray(next(values)), kind.apart
            exact = [GraphArray(next(values)) if own in apart else None for own in kinds]
            return PromotedNumber(next(values), kinds, which, exact)
        case ColumnOf(element):
            return Column(next(values), element)
    return kind.content
