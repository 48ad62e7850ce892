"""Private names of classes: inside ``class C``, Python reads ``__x`` as ``_C__x``."""

from __future__ import annotations

import gast

from autograph.source.tree.scopes import evaluated_at_definition


def mangle(tree: gast.AST, class_name: str | None) -> None:
    """Write out all private names in a function, in place.

    Args:
        class_name: the class whose body the function is in; None outside of classes.
    """
    prefix = class_name.lstrip("_") if class_name else ""
    if not prefix:
        return

    def mangled(name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and "." not in name
        return f"_{prefix}{name}" if private else name

    todo = [tree]
    for node in todo:
        if isinstance(node, gast.ClassDef):  # in which names are mangled by its own name
            todo += evaluated_at_definition(node)
        else:
            todo += gast.iter_child_nodes(node)
        for field in ("id", "attr", "arg", "name", "asname", "rest"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                setattr(node, field, mangled(name))
        if isinstance(node, gast.Global | gast.Nonlocal):
            node.names = list(map(mangled, node.names))
