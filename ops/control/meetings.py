"""Where processes meet when a program runs.

While a function is recorded, the parts of a mesh meet in the operators of
`ops.control.collectives`, which have derivatives. In a program for processes one operator takes the
place of all of them. What it does belongs to who knows of processes, see `autograph.parallel`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ops.core.registry import Custom
from ops.core.types import ArrayType

# ``meet(kind, axis, detail, where, *arrays)`` and ``agree(program, names, *arrays)`` of a process;
# set by `autograph.parallel`.
executor: list[Callable[..., Any]] = []

IN_PLACE = "in place"  # the detail of a sum that may be written to the memory of its operand


def met(kind, axis, detail, where, *arrays):
    """What a process gets where it meets others."""
    import ops.control.meetings as meetings  # a fifth of the time of ``from``

    return meetings.executor[0](kind, axis, detail, where, *arrays)


def agreed(program, names, *arrays):
    """Called with arguments that have to be the same in all processes."""
    import ops.control.meetings as meetings

    meetings.executor[1](program, names, *arrays)


def _code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    axis = attrs["axis"]
    given = f"{attrs['kind']!r}, {(axis.name, axis.of)!r}, {attrs['detail']!r}, {attrs['where']!r}"
    call = f"met({', '.join([given, *args])})"
    return call if args else f"np.asarray({call})[()]"  # a number of the process, of no array


def _code_in_place(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    return _code(args, types, {**attrs, "detail": IN_PLACE})


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


meet_in_sum = Custom(
    "meet_in_sum",
    lambda operand, *, kind, axis, detail, where, types: types,
    _code,
    differentiable=False,
    helpers=(met,),
    raises=True,
    unknown_lengths=True,
    in_place=_code_in_place,
    texts=("where",),
    doc="""The sum of what processes have of one array, where they meet along an axis of a mesh.

    It is `meet`, but that the sum may take the place of its operand, which saves a copy.

    Args:
        kind, axis, detail, where, types: as for `meet`.
    """,
)


def _agree_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    return f"agreed({', '.join([repr(attrs['program']), repr(attrs['names']), *args])})"


agree = Custom(
    "agree",
    lambda *operands, program, names: (),
    _agree_code,
    differentiable=False,
    effect="raises",
    helpers=(agreed,),
    raises=True,
    unknown_lengths=True,
    texts=("program", "names"),
    doc="""Raise if arguments are not the same in all processes.

    Args:
        program: tells it from others.
        names: what messages call them.
    """,
)
