"""Context managers of the user's classes around what may fail when the program runs.

If something in a ``with`` block fails then, Python calls ``__exit__`` before the exception goes on.
A program ends there. That can be seen if ``__exit__`` prints, so it is refused.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph.errors import UnsupportedConstructError
from autograph.graph.builder import current_builder
from autograph.graph.graph import Node
from autograph.staging import specials
from ops import effects

_SEEN = effects.LASTING
_FAIL = (effects.check, effects.fail)


class Managers:
    """The context managers that are entered now, with how many nodes there were then."""

    def __init__(self) -> None:
        self._entered: list[tuple[Any, int]] = []

    def __len__(self) -> int:
        return len(self._entered)

    def enter(self, manager: Any, enter: Callable[[], Any]) -> Any:
        result = enter()
        self._entered.append((manager, len(current_builder().nodes)))
        return result

    def exit(self, manager: Any, exit: Callable[[], Any], error: type | None) -> Any:
        """Call ``exit``, which is the manager's ``__exit__``.

        Args:
            error: the class of the exception with which the block ends.

        Raises:
            UnsupportedConstructError: it does something that can be seen, and may not be called.
        """
        nodes = current_builder().nodes
        stop = len(nodes)
        result = exit()
        if self._entered and self._entered[-1][0] is manager:
            start = self._entered.pop()[1]
            may_fail = [n for n in _all_nodes(nodes[start:stop]) if n.required or n.op in _FAIL]
            seen = error is None and any(node.op in _SEEN for node in _all_nodes(nodes[stop:]))
            swallows = may_swallow(type(manager).__exit__)
            if may_fail and (seen or swallows):
                does = "may swallow the exception" if swallows else "prints something"
                raise UnsupportedConstructError(
                    "whether this fails is only known when the program runs, and then __exit__ of "
                    f"'{type(manager).__name__}' would not be called, which {does}",
                    may_fail[0].location,
                    id="AG0334",
                    fix="test the values with 'if' instead, or move the 'with' out of the function",
                )
        return result


def may_swallow(exit: Any) -> bool:
    """Whether an ``__exit__`` may return something true: True, or what is no constant."""
    code = getattr(specials.original(exit), "__code__", None)
    if code is None:
        return False
    before = None
    for instruction in dis.get_instructions(code):
        if instruction.opname == "RETURN_CONST" and instruction.argval:
            return True
        constant = before is not None and before.opname.startswith("LOAD_CONST")
        if instruction.opname == "RETURN_VALUE" and not (constant and not before.argval):
            return True
        before = instruction
    return False


def _all_nodes(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes and those of their regions."""
    for node in nodes:
        yield node
        for region in node.regions:
            yield from _all_nodes(region.nodes)
