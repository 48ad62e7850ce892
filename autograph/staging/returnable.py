"""What a function may return, or keep in an object, besides values and containers of them.

A function, method or iterator is the same object at each call. If it was made while the function
was recorded and holds symbolic values, it would hold them still after that.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable
from typing import Any

import optree

from autograph.errors import Location, UnsupportedFunctionError
from autograph.staging.containers import contents, reachable
from autograph.staging.items import Filtered, Items
from autograph.staging.iteration import is_native_iterator
from autograph.staging.shadows import ModuleShadow
from ops.registry import Symbolic

_CALLABLES = (types.FunctionType, types.MethodType, functools.partial)


def check_returnable(objects: Iterable[Any], location: Location | None) -> None:
    """Refuse objects that make sense only while the function is recorded.

    Raises:
        UnsupportedFunctionError: there is one; ``location`` is the function's.
    """
    for item in objects:
        if isinstance(item, _CALLABLES) and _holds_symbolic(item):
            what, fix = "a function that uses traced values", "return the values that it uses"
        elif is_native_iterator(item) or isinstance(item, (Items, Filtered)):
            what, fix = "an iterator", "return a list: list(...)"
        elif isinstance(item, ModuleShadow):
            what, fix = "a module", "import it where it is needed"
        else:
            continue
        raise UnsupportedFunctionError(
            f"the function returns {what}, or stores it in an object",
            location,
            id="AG0345",
            fix=fix,
        )


def _holds_symbolic(function: Any) -> bool:
    if getattr(getattr(function, "__self__", None), "of_a_recording", False):
        return True
    parts = [value for container in reachable([function]) for value in contents(container).values]
    if isinstance(function, functools.partial):
        parts += [function.args, function.keywords]
    return any(isinstance(part, Symbolic) for part in optree.tree_leaves(parts))
