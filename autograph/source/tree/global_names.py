"""Global variables that functions assign.

To converted code they are what variables are that a function declares ``nonlocal``: cells, in which
the recorder sees what is assigned. `autograph.source.tree.places` says which cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NoReturn

import gast

from autograph.source.tree.build import at
from autograph.source.tree.context import Context
from autograph.source.tree.scopes import (
    BLOCKS,
    bindings,
    local_names,
    outside_expressions,
    own_statements,
)


def assigned_globals(tree: gast.FunctionDef) -> frozenset[str]:
    """The global variables that a function, or one in it, assigns."""
    found: set[str] = set()
    for function in outside_expressions([tree]):
        if isinstance(function, gast.FunctionDef):
            own = own_statements(function)
            declared = {n for node in own if isinstance(node, gast.Global) for n in node.names}
            found |= declared.intersection(bindings(function.body) if declared else ())
    return frozenset(found)


def declare_cells(
    tree: gast.FunctionDef, names: Collection[str], cells: Collection[str], context: Context
) -> None:
    """Declare global variables ``nonlocal`` where a function, or one in it, declares them
    ``global``.

    Args:
        names: of the variables.
        cells: what the function captures.

    Raises:
        UnsupportedConstructError: one has the name of a variable of a function around that.
    """
    for node in outside_expressions([tree]) if names else ():
        for field in BLOCKS:
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, [new for old in block for new in _declared(old, names)])
    if names:
        _check_hidden(tree, frozenset(cells), context)


def _declared(node: gast.AST, names: Collection[str]) -> Iterator[gast.AST]:
    """A statement, or what takes the place of one that declares global variables."""
    if not isinstance(node, gast.Global):
        yield node
        return
    for kind in (gast.Nonlocal, gast.Global):
        own = [name for name in node.names if (name in names) == (kind is gast.Nonlocal)]
        if own:
            made = at(kind(own), node)
            made.is_global = True
            yield made


def _check_hidden(function: gast.FunctionDef, around: frozenset[str], context: Context) -> None:
    inside = around | local_names(function)
    for node in own_statements(function):
        if isinstance(node, gast.Nonlocal) and getattr(node, "is_global", False):
            for name in around.intersection(node.names):
                refuse_hidden(name, node, context)
        inner = outside_expressions([node]) if isinstance(node, gast.ClassDef) else [node]
        for definition in inner:
            if isinstance(definition, gast.FunctionDef):
                _check_hidden(definition, inside, context)


def refuse_hidden(name: str, node: gast.AST, context: Context) -> NoReturn:
    """Refuse to declare a name that a function around has given to something else.

    Raises:
        UnsupportedConstructError: always.
    """
    context.refuse(
        node,
        f"the global variable '{name}' has the name of a variable of an outer function",
        "rename one of them",
        "AG0208",
    )
