"""A module of graphs as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.export.results import Place
from autograph.export.stablehlo_module import arrays, control
from autograph.export.stablehlo_module.control import fine
from autograph.export.stablehlo_module.terms import HloTerm, known
from autograph.export.stablehlo_module.text import Text, indented, refuse, static, tensor
from autograph.export.stablehlo_module.writer import ModuleWriter
from autograph.graph.graph import Module

RULES_OF = (arrays, control)  # whose import enters them


def module_text(
    module: Module, paths: Sequence[str], results: Sequence[tuple[str, Any]], name: str
) -> tuple[str, bool]:
    """The text of a module with a function ``main``, and whether that tells if Python would raise.

    Args:
        paths: what the inputs are called.
        results: of each what it is called, and the place of an output, or what it always is.
        name: of the module.
    """
    main = module.main
    text = Text()
    writer = ModuleWriter(text, main, module.graphs)
    given = []
    for value, path in zip(main.inputs, paths):
        if not static(value.type):
            raise refuse(f"the shape of '{path}' is known only at run time", main.location)
        own = text.new(value.name)
        type = value.type
        writer.held[value] = HloTerm(text, own, type.dtype, type.known_shape)
        given.append(f'{own}: {tensor(type.dtype, type.known_shape)} loc("{_quoted(path)}")')
    found = writer.write(main)
    terms = [
        found[r.number] if isinstance(r, Place) else known(text, np.asarray(r)) for _, r in results
    ]
    checked = bool(text.block.guards)
    if checked:
        flag = fine(text, text.block)
        checked = flag.value is None or not np.all(flag.value)
        terms += [flag] if checked else []
    names = ", ".join(x.name for x in terms)
    types = ", ".join(x.type for x in terms)
    arrow = f" -> ({types})" if terms else ""
    lines = [
        f"module @{_symbol(name)} {{",
        f"  func.func public @main({', '.join(given)}){arrow} {{",
        *indented(indented(text.block.lines)),
        f"    return {names} : {types}",
        "  }",
        "}",
        "",
    ]
    return "\n".join(lines), checked


def _symbol(name: str) -> str:
    plain = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
    return plain if plain[:1].isalpha() or plain[:1] == "_" else f"f_{plain}"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', "'")
