"""What is known of a variable that crosses the border of a region, and how two such facts join.

A region gives values to variables: nested tuples, lists and dicts whose leaves are arrays, numbers,
or objects the graph knows nothing about. Where control flow joins, the two facts about each
variable must be made one: the same structure, for each leaf one type or one and the same object,
and for the variable as a whole whether it is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import optree

import ops
from autograph.graph.graph import Constant, Value
from autograph.staging.array import GraphArray
from autograph.staging.undefined import MaybeUndefined
from ops.control import Undefined
from ops.types import PYTHON_SCALARS, ArrayType, type_of, weak

_IMMUTABLE = (str, bytes, *PYTHON_SCALARS, np.generic)
NEVER, MAYBE, ALWAYS = range(3)  # whether a variable is defined


@dataclass(frozen=True)
class Known:
    """A leaf that is the same object whichever path was taken: static, or an untouched array."""

    content: Any

    @property
    def type(self) -> ArrayType | None:
        return self.content.type if isinstance(self.content, GraphArray) else type_of(self.content)

    def same(self, other: Known) -> bool:
        mine, theirs = self.content, other.content
        if mine is theirs:
            return True
        if isinstance(mine, GraphArray) or type(mine) is not type(theirs):
            return False
        # By their text, which tells -0.0 from 0.0 and takes NaN for itself.
        return isinstance(mine, _IMMUTABLE) and repr(mine) == repr(theirs)

    def __str__(self) -> str:
        return str(self.type) if self.type is not None else f"{type(self.content).__name__} object"


@dataclass(frozen=True)
class Variable:
    """What is known of one variable where control flow joins.

    Attributes:
        name: the user's name.
        defined: `NEVER`, `MAYBE` or `ALWAYS`.
        structure: the nesting of its leaves; None if it is never defined.
        leaves: for each leaf a type, or `Known`.
    """

    name: str
    defined: int
    structure: optree.PyTreeSpec | None = None
    leaves: tuple[ArrayType | Known, ...] = ()

    @property
    def types(self) -> list[ArrayType]:
        """The types of the graph values that carry the variable."""
        flag = [weak(bool)] if self.defined == MAYBE else []
        return flag + [leaf for leaf in self.leaves if isinstance(leaf, ArrayType)]

    @property
    def value_names(self) -> list[str | None]:
        """A name for each of these values: the variable's, with the path to the leaf."""
        names: list[str | None] = [None] if self.defined == MAYBE else []
        if self.structure is None:
            return names
        for path, leaf in zip(optree.treespec_paths(self.structure), self.leaves):
            if isinstance(leaf, ArrayType):
                name = "_".join([self.name, *map(str, path)])
                names.append(name if name.isidentifier() else None)
        return names

    def __str__(self) -> str:
        if self.structure is None:
            return "undefined"
        if self.structure.is_leaf():
            return str(self.leaves[0])
        return str(optree.tree_unflatten(self.structure, [_Text(str(v)) for v in self.leaves]))


class _Text(str):
    __repr__ = str.__str__


class Mismatch(Exception):
    """Two facts that cannot be joined; the text says what differs."""


def flatten(content: Any) -> tuple[list[Any], optree.PyTreeSpec]:
    leaves, structure = optree.tree_flatten(content, none_is_leaf=True)
    return leaves, structure


def describe(name: str, content: Any, older: Callable[[GraphArray], bool]) -> Variable:
    """The facts about a variable that holds ``content``.

    ``older(array)`` says whether an array is from outside the region, which left it alone.
    """
    if isinstance(content, Undefined):
        return Variable(name, NEVER)
    defined = ALWAYS
    if isinstance(content, MaybeUndefined):
        defined, content = MAYBE, content.content
    leaves, structure = flatten(content)
    return Variable(name, defined, structure, tuple(_describe_leaf(v, older) for v in leaves))


def _describe_leaf(leaf: Any, older: Callable[[GraphArray], bool]) -> ArrayType | Known:
    if isinstance(leaf, GraphArray) and not older(leaf):
        return leaf.type
    return Known(leaf)


def traced(variable: Variable) -> Variable:
    """The same with every number and array among the leaves taken as changing."""
    leaves = tuple(
        leaf if isinstance(leaf, ArrayType) or leaf.type is None else leaf.type
        for leaf in variable.leaves
    )
    return replace(variable, leaves=leaves)


def join(a: Variable, b: Variable) -> Variable:
    """What is known of a variable that is either ``a`` or ``b``.

    Raises:
        Mismatch: the structures differ, or some leaves cannot be joined.
    """
    if a.defined == NEVER or b.defined == NEVER:
        other = b if a.defined == NEVER else a
        return replace(other, defined=NEVER if other.defined == NEVER else MAYBE)
    if a.structure != b.structure:
        raise Mismatch(f"{a} and {b}")
    leaves = tuple(_join_leaves(x, y) for x, y in zip(a.leaves, b.leaves))
    return Variable(a.name, min(a.defined, b.defined), a.structure, leaves)


def _join_leaves(x: ArrayType | Known, y: ArrayType | Known) -> ArrayType | Known:
    if isinstance(x, Known) and isinstance(y, Known) and x.same(y):
        return x
    x_type = x.type if isinstance(x, Known) else x
    y_type = y.type if isinstance(y, Known) else y
    if x_type is None or y_type is None:
        raise Mismatch(f"{x} and {y}")
    return join_types(x_type, y_type)


def join_types(a: ArrayType, b: ArrayType) -> ArrayType:
    """The type that holds values of both, by NumPy's promotion; shapes must agree."""
    if a == b:
        return a
    if a.shape != b.shape:
        raise Mismatch(f"{a} and {b}")
    if a.weak and b.weak:
        return max(a, b, key=lambda t: "biufc".index(t.dtype.kind))
    samples = [t.dtype if not t.weak or t.scalar is bool else t.scalar(0) for t in (a, b)]
    return ArrayType(np.result_type(*samples), a.shape)


# -- crossing the border ---------------------------------------------------------------------------


def outputs(variable: Variable, content: Any) -> list[Value]:
    """The graph values that carry ``content`` for ``variable``, in the order of its ``types``."""
    if variable.defined == NEVER:
        return []
    values = []
    if variable.defined == MAYBE:
        values.append(_flag(content))
    if isinstance(content, MaybeUndefined):
        content = content.content
    if isinstance(content, Undefined):
        return values + [
            placeholder(leaf) for leaf in variable.leaves if isinstance(leaf, ArrayType)
        ]
    leaves, _ = flatten(content)
    for leaf, kind in zip(leaves, variable.leaves):
        if isinstance(kind, ArrayType):
            values.append(converted(leaf, kind))
    return values


def _flag(content: Any) -> Value:
    if isinstance(content, MaybeUndefined):
        return converted(content.flag, weak(bool))
    return Constant(not isinstance(content, Undefined))


def placeholder(type: ArrayType) -> Value:
    """A value of the given type that nobody will read."""
    zero = type.dtype.type(0)
    if type.weak:
        return Constant(zero.item())
    return Constant(zero) if type.shape == () else ops.full(type.shape, Constant(zero))


def converted(leaf: Any, type: ArrayType) -> Value:
    """``leaf`` as a graph value of exactly ``type``."""
    value = leaf.value if isinstance(leaf, GraphArray) else leaf
    if not isinstance(value, Value):
        value = Constant(value)
    if value.type == type:
        return value
    if isinstance(value, Constant) and value.is_scalar:
        scalar = type.dtype.type(value.data)
        return Constant(scalar.item() if type.weak else scalar)
    return ops.cast(value, dtype=type.dtype.name, weak=type.weak)


def rebuild(variable: Variable, values: Sequence[Value]) -> tuple[Any, list[GraphArray]]:
    """The content of ``variable`` carried by ``values``, and the arrays made for it."""
    if variable.defined == NEVER:
        return Undefined(variable.name), []
    values = iter(values)
    flag = GraphArray(next(values)) if variable.defined == MAYBE else None
    arrays, leaves = [], []
    for kind in variable.leaves:
        if isinstance(kind, ArrayType):
            arrays.append(GraphArray(next(values)))
            leaves.append(arrays[-1])
        else:
            leaves.append(kind.content)
    content = optree.tree_unflatten(variable.structure, leaves)
    if flag is not None:
        content = MaybeUndefined(variable.name, content, flag)
    return content, arrays


def split(variables: Sequence[Variable], values: Sequence[Value]) -> list[Sequence[Value]]:
    """The values that belong to each variable."""
    parts, start = [], 0
    for variable in variables:
        stop = start + len(variable.types)
        parts.append(values[start:stop])
        start = stop
    return parts
