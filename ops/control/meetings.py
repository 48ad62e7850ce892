"""Where processes meet when a program runs.

While a function is recorded, the parts of a mesh meet in the operators of
`ops.control.collectives`, which have derivatives. In a program for processes one operator takes the
place of all of them. What it does belongs to who knows of processes, see `autograph.parallel`.

A program makes a function for each meeting when it is loaded, so that what does not depend on the
arrays is looked up once: ``psum_data = meeting("psum", ...)``, and then ``psum_data(x)``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ops.core.registry import Custom
from ops.core.types import ArrayType

# ``meeting(kind, axis, detail, where)`` and ``agreement(program, names, fixed)`` of a process,
# which give functions, and ``are_same(digest)``, whether all processes give the same bytes; set by
# `autograph.parallel`.
executor: list[Callable[..., Any]] = []


def meeting(kind, axis, detail, where):
    """A function that gives a process what it gets where it meets others."""
    import ops.control.meetings as meetings

    return meetings.executor[0](kind, axis, detail, where)


def agreement(program, names, fixed):
    """A function to call with arguments that have to be the same in all processes."""
    import ops.control.meetings as meetings

    return meetings.executor[1](program, names, fixed)


def _meeting(types: Sequence[ArrayType], attrs: dict[str, Any]) -> tuple[str, str]:
    axis = attrs["axis"]
    given = [attrs["kind"], (axis.name, axis.of), attrs["detail"], attrs["where"]]
    return f"{attrs['kind']}_{axis.name}", f"meeting({', '.join(map(repr, given))})"


def _is_fixed(type: ArrayType) -> bool:
    """Whether NumPy makes arrays of the same dtype and shape of all values of a type. Python's ints
    become objects where 64 bits are not enough."""
    return type.is_static and not (type.weak and type.dtype.kind == "i")


def _code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    return f"{attrs['made']}({', '.join(args) or 'np'})"  # a number of the process is of no array


def _code_in_place(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    return f"{attrs['made']}({', '.join(args)}, donate=True)"


meet = Custom(
    "meet",
    lambda *operands, kind, axis, detail, where, types: types,
    _code,
    differentiable=False,
    helpers=(meeting,),
    made_once=_meeting,
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
    helpers=(meeting,),
    made_once=_meeting,
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


def _agreement(types: Sequence[ArrayType], attrs: dict[str, Any]) -> tuple[str, str]:
    given = [attrs["program"], attrs["names"], all(map(_is_fixed, types))]
    return "require_agreement", f"agreement({', '.join(map(repr, given))})"


agree = Custom(
    "agree",
    lambda *operands, program, names: (),
    "{made}({args})",
    differentiable=False,
    effect="raises",
    helpers=(agreement,),
    made_once=_agreement,
    raises=True,
    unknown_lengths=True,
    texts=("program", "names"),
    doc="""Raise if arguments are not the same in all processes.

    Args:
        program: tells it from others.
        names: what messages call them.
    """,
)
