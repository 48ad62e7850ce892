"""Methods of built-in classes that are called through the class: ``list.count(xs, x)``,
``map(str.upper, words)``.

They read an object's own memory, where what stands for a list keeps nothing, and know no
symbolic values: the method that is called is the one of what stands for the object.
"""

from __future__ import annotations

import functools
import operator
import types
from collections import deque
from collections.abc import Callable
from typing import Any

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.source.tree.libraries import OWN_PACKAGES, module_of, package_of
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.border.endings import name_of
from autograph.staging.ground.ownership import is_user_class
from autograph.staging.lists.lists import TrackedList, is_rows
from autograph.staging.python.builtins import is_instance

_DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType)
_BOUND = (types.BuiltinMethodType, types.MethodWrapperType)
_CLASSES = (list, dict, set, frozenset, deque, str, int, float, complex)
_OF_OBJECTS = (object.__new__, object.__init__)
_MADE = ("__init__", "__new__")
# What stands for a list has no such methods of its own, or they are for libraries.
_ASKED_BY: dict[str, Callable] = {
    "__contains__": operator.contains,
    "__repr__": repr,
    "__reversed__": reversed,
    "__str__": str,
}
# Of modules whose functions go through a list by its methods, as `iter` does.
_GO_THROUGH = ("builtins", "collections", "functools", "itertools", "operator")


def method_of_stand_in(function: Any, args: tuple, symbolic: Callable[[Any], bool]) -> Any:
    """What is called in place of a method of a built-in class; None if that runs as it is.

    Args:
        function: what is called.
        symbolic: whether there are symbolic values in something.
    """
    if isinstance(function, _BOUND) and isinstance(function.__self__, TrackedList):
        asked = _ASKED_BY.get(function.__name__)
        return asked and functools.partial(ops.call, asked, function.__self__)
    if not isinstance(function, _DESCRIPTORS) or not args or function.__name__ in _MADE:
        return None
    kind, owner = function.__objclass__, args[0]
    if kind not in _CLASSES or not _stands_for(owner, kind, args, symbolic):
        return None
    return _of_first(function.__name__)


def _stands_for(owner: Any, kind: type, args: tuple, symbolic: Callable[[Any], bool]) -> bool:
    if type(owner) is kind:
        return symbolic(args)
    if package_of(type(owner)) not in OWN_PACKAGES or is_instance(owner, kind) is not True:
        return False
    # A number's methods tell by NotImplemented that they don't know the other operand.
    return not isinstance(owner, GraphArray) or all(is_instance(x, kind) is True for x in args)


def _of_first(name: str) -> Callable:
    if name in _ASKED_BY:
        return functools.partial(ops.call, _ASKED_BY[name])

    def call(owner: Any, *args: Any, **kwargs: Any) -> Any:
        return ops.call(getattr(owner, name), *args, **kwargs)

    return call


def _is_made_by_python(kind: Any) -> bool:
    """Whether something is a class whose objects are made by Python code, which is given the list
    itself."""
    if not isinstance(kind, type):
        return False
    makers = [getattr(kind, name) for name in ("__new__", "__init__")]
    return is_user_class(kind) or all(
        isinstance(maker, types.FunctionType) or maker in _OF_OBJECTS for maker in makers
    )


def refuse_memory(function: Any, args: tuple) -> None:
    """Refuse to give a list whose length only the run knows to compiled functions of libraries,
    which read the memory of a list.

    Raises:
        UnsupportedFunctionError: it is such a function.
    """
    if not any(map(is_rows, (getattr(function, "__self__", None), *args))):
        return
    by_methods = module_of(function).lstrip("_") in _GO_THROUGH
    if by_methods or isinstance(function, types.FunctionType) or _is_made_by_python(function):
        return
    if package_of(type(function)) in OWN_PACKAGES:  # what is compiled already
        return
    raise located_error(
        UnsupportedFunctionError,
        f"{name_of(function)} of a list whose length is known only at run time",
        fix="call it outside of the function, or make an array of the list: np.array(items)",
    )
