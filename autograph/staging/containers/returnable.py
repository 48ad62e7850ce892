"""What a function may return, or keep in an object, besides values and containers of them.

A function, method or iterator is the same object at each call. If it was made while the function
was recorded and holds symbolic values, it would hold them still after that.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import types
from collections.abc import Iterable
from typing import Any

import numpy as np
import optree

from autograph.errors import Location, UnsupportedFunctionError
from autograph.source.tree.free import is_user_module
from autograph.source.tree.libraries import OWN_PACKAGES, package_of
from autograph.staging.containers.containers import contents, reachable
from autograph.staging.ground.ownership import CALLABLES
from autograph.staging.lists.dict_views import DictView
from autograph.staging.sequences.items import Filtered, Items
from autograph.staging.sequences.iteration import is_native_iterator
from autograph.staging.sequences.own_iterators import ByCall
from autograph.staging.sequences.steps import Iteration
from autograph.staging.values.text import GraphText
from ops.core.operands import Symbolic

_ITERATORS = (Iteration, ByCall, Items, Filtered, DictView)


class StandIn:
    """What stands for an object of Python's while a function is recorded.

    Attributes:
        stands_for: what it is called in errors.
    """

    stands_for: str


def check_returnable(objects: Iterable[Any], location: Location | None) -> None:
    """Refuse objects that make sense only while the function is recorded.

    Raises:
        UnsupportedFunctionError: there is one; ``location`` is the function's.
    """
    for item in objects:
        if isinstance(item, CALLABLES) and captures_symbolic(item):
            what, fix = "a function that uses traced values", "return the values that it uses"
        elif is_native_iterator(item) or isinstance(item, _ITERATORS):
            what, fix = "an iterator", "return a list: list(...)"
        elif _is_ours(item) and isinstance(item, contextlib.AbstractContextManager):
            what, fix = "a context manager", "make it where it is entered"
        elif isinstance(item, StandIn):
            what, fix = item.stands_for, "make it where it is used"
        elif is_user_module(item):
            what, fix = "a module", "import it where it is needed"
        elif _leads_to_symbolic(item):
            what = f"an object ({type(item).__name__}) that holds traced values"
            fix = "return the values that it holds, or keep them in a class of yours"
        else:
            continue
        raise UnsupportedFunctionError(
            f"the function returns {what}, or stores it in an object",
            location,
            id="AG0345",
            fix=fix,
        )


_ENDS = (str, bytes, int, float, complex, np.ndarray, np.generic, type, types.ModuleType)
_MOST = 1000  # objects that are looked at


def _leads_to_symbolic(item: Any) -> bool:
    """Whether an object that a library made, and that nobody can take apart, refers to symbolic
    values."""
    seen, pending = {id(item)}, [(item, 0)] * (not _is_ours(item))
    while pending and len(seen) < _MOST:
        found, depth = pending.pop()
        if isinstance(found, (Symbolic, GraphText)):
            return True
        if depth > 3 or isinstance(found, (*_ENDS, *CALLABLES, types.CodeType, types.FrameType)):
            continue
        for inner in gc.get_referents(found):
            if id(inner) not in seen:
                seen.add(id(inner))
                pending.append((inner, depth + 1))
    return False


def _is_ours(item: Any) -> bool:
    return package_of(type(item)) in OWN_PACKAGES


def captures_symbolic(function: Any) -> bool:
    """Whether a function, method or partial application uses symbolic values."""
    if getattr(getattr(function, "__self__", None), "of_a_recording", False):
        return True
    parts: Any = [
        value for container in reachable([function]) for value in contents(container).values
    ]
    if isinstance(function, functools.partial):
        parts += [function.args, function.keywords]
    return any(isinstance(part, Symbolic) for part in optree.tree_leaves(parts))
