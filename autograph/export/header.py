"""The header of C of a function that leaves Python."""

from __future__ import annotations

import re

from autograph.graph.graph import Graph, Value
from ops.core.types import ArrayType

OWN_TYPE = re.compile(r"\b(u?int(8|16|32|64))\b")


def header(declaration: str, main: Graph) -> str:
    """The header with a declaration, which tells what the function takes and gives."""
    standard = OWN_TYPE.sub(lambda m: f"{m[1]}_t", declaration)
    guard = (
        f"{re.sub(r'[^A-Z0-9]', '_', standard.partition('(')[0].removeprefix('int ').upper())}_H"
    )
    given = [f"//   {_described(v)}" for v in main.inputs]
    found = [f"//   {_described(v)}" for v in main.outputs]
    lines = [
        "// takes",
        *given,
        "// gives",
        *found,
        "// returns 0, or 1 where Python would raise, or 2",
    ]
    lines[-1] += " where memory is not enough"
    return "\n".join(
        [
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#include <stdbool.h>",
            "#include <stdint.h>",
            "",
            *lines,
            f"{standard};",
            "",
            "#endif",
            "",
        ]
    )


def _described(value: Value) -> str:
    type = value.type
    assert isinstance(type, ArrayType)
    shape = f"[{', '.join(map(str, type.shape))}]" if type.shape else ""
    return f"{value.name or 'a result'}: {type.dtype}{shape}"
