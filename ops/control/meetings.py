"""Where processes meet when a program runs.

While a function is recorded, the parts of a mesh meet in the operators of `ops.control.collectives`,
which have derivatives. In a program for processes one operator takes the place of all of them. What
it does belongs to who knows of processes, see `autograph.parallel`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ops.core.registry import Custom
from ops.core.types import ArrayType

# ``meet(kind, axis, detail, where, *arrays)`` of this process; set by `autograph.parallel`.
executor: list[Callable[..., Any]] = []


def met(kind, axis, detail, where, *arrays):
    """What a process gets where it meets others."""
    from ops.control.meetings import executor

    return executor[0](kind, axis, detail, where, *arrays)


def _code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    axis = attrs["axis"]
    given = f"{attrs['kind']!r}, {(axis.name, axis.of)!r}, {attrs['detail']!r}, {attrs['where']!r}"
    return f"met({', '.join([given, *args])})"


meet = Custom(
    "meet",
    lambda *operands, kind, axis, detail, where, types: types,
    _code,
    differentiable=False,
    helpers=(met,),
    raises=True,
    creates=True,
    unknown_lengths=True,
    texts=("where",),
    doc="""What a process gets where it meets the others along an axis of a mesh.

    Args:
        kind: the name of the operator that it stands for.
        axis: a `ops.control.meshes.MeshAxis`.
        detail: what else the operator is told.
        where: the user's line.
        types: of the results; there is one for each operand, or one.
    """,
)
