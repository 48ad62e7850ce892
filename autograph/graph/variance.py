"""Along which axes of a mesh values vary, while the function for a mesh is recorded.

What each part of a mesh computes of values that are the same in all parts is the same as well:
it is *invariant*. Other values *vary* along some of the axes, which their types name. An operator
whose operands vary along different axes is given all of them along all: `vary` comes before it,
which does nothing but to be the transpose of a sum over the parts. That is what makes the cotangent
of an invariant value the sum of what all parts contribute to it.

Where control flow varies, parts may be in different places. Everything that is computed there
varies, and `vary` stands before the branch or loop: nobody must meet where some do not come.

The rules are those of ``jax.shard_map`` with ``check_vma=True``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph.graph.graph import Constant, Value, building, current_builder
from ops.control import regions
from ops.control.collectives import vary
from ops.control.meshes import MeshAxis
from ops.core.registry import Op
from ops.core.types import ArrayType, Type

Axes = frozenset

NONE: Axes = frozenset()


def control() -> Axes:
    """The axes along which parts may have taken different ways to what is recorded now."""
    return building.control or NONE


@contextmanager
def on_a_mesh(axes: Iterable[MeshAxis]) -> Iterator[None]:
    """What is recorded inside is the function for a mesh with these axes."""
    before = building.control, building.axes
    building.control, building.axes = control(), {axis.name: axis for axis in axes}
    try:
        yield
    finally:
        building.control, building.axes = before


@contextmanager
def outside_of_meshes() -> Iterator[None]:
    """What is recorded inside is a program by itself."""
    before = building.control, building.axes
    building.control, building.axes = None, {}
    try:
        yield
    finally:
        building.control, building.axes = before


def enter_processes(axes: Iterable[MeshAxis]) -> None:
    """From here on, what is recorded knows of processes, that is, until the program is.

    Raises:
        ValueError: there are others already with an axis of that name.
    """
    known = dict(building.axes)
    for axis in axes:
        if known.setdefault(axis.name, axis) != axis:
            raise ValueError(axis.name)
    building.control, building.axes = control(), known


def knows_processes() -> bool:
    """Whether something that is recorded in this program is for processes."""
    return building.control is not None


def axes_named(names: Iterable[str]) -> tuple[MeshAxis, ...]:
    """What operators have for axes of the mesh."""
    return tuple(building.axes[name] for name in sorted(names))


@contextmanager
def controlled(axes: Axes) -> Iterator[None]:
    """Inside, parts may have taken different ways along some axes, too."""
    before = building.control
    if axes:
        building.control = control() | axes
    try:
        yield
    finally:
        building.control = before


def axes_of(*values: Value) -> Axes:
    """The axes along which one of some values varies."""
    return NONE.union(*(axes_of_type(value.type) for value in values))


def axes_of_type(type: Type) -> Axes:
    """The axes along which values of a type vary."""
    return type.varies if isinstance(type, ArrayType) else NONE


def varied(value: Value, axes: Axes) -> Value:
    """A value along some axes, too. What has no derivative is left as it is."""
    missing = axes - axes_of(value) - control()
    if not missing or isinstance(value, Constant) or not _is_inexact(value.type):
        return value
    known = current_builder().varied
    found = known.get((value, missing))
    if found is None:
        found = known[value, missing] = vary(value, axes=axes_named(missing))
    return found


def like(value: Value, type: Type) -> Value:
    """A cotangent or tangent, or what stands for one, along all axes along which what it belongs to
    does; a constant as well, since state of loops begins with it."""
    axes = axes_of_type(type)
    if not axes <= axes_of(value) and isinstance(value, Constant):
        missing = axes_named(axes - axes_of(value))
        return current_builder().apply(vary, [value], {"axes": missing})
    return varied(value, axes)


def _is_inexact(type: Type) -> bool:
    return isinstance(type, ArrayType) and type.inexact


def meeting(inputs: tuple[Value, ...], attrs: dict[str, Any]) -> tuple[Value, ...]:
    """The operands of an operator, all along the axes along which one of them varies; and along
    the one in which parts meet."""
    axis = attrs.get("axis_name")
    axes = axes_of(*inputs) | ({axis.name} if isinstance(axis, MeshAxis) else NONE)
    return tuple(varied(value, axes) for value in inputs) if axes else inputs


def varying(
    op: Op, inputs: Sequence[Value], attrs: dict[str, Any], types: Sequence[Type]
) -> tuple[Type, ...]:
    """The types of an operator's results, with the axes along which they vary."""
    if isinstance(op, regions.Container):
        return tuple(along(types, control()))
    axes = axes_of(*inputs) | control()
    if op.variance is not None:
        axes = op.variance(axes, **attrs)
    return tuple(t._replace(varies=axes) if isinstance(t, ArrayType) else t for t in types)


def along(types: Iterable[Type], axes: Axes) -> list[Type]:
    """Types of values along some axes, too."""
    return [t.along(axes) if isinstance(t, ArrayType) else t for t in types]
