"""What a function does with a parameter that is given a function: whether it only calls it, or
passes it to functions that do no more.

Whether such a function is this or another one that does the same, nobody can tell.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.source.load import SEE_VARIABLES, note, parse_once
from autograph.source.tree.free import MISSING
from autograph.source.tree.libraries import OWN_PACKAGES, is_library_file, package_of

# Functions of Python's and NumPy's that call what they are given.
_CALLING = (
    *(map, filter, sorted, min, max, callable, functools.reduce, functools.partial),
    *(np.vectorize, np.apply_along_axis, np.apply_over_axes, np.fromfunction, np.piecewise),
)

# By the identity of code objects: for each parameter how it is used, None if in other ways.
_uses: dict[int, dict[str, tuple[_Passed, ...] | None]] = {}


class _Passed:
    """That a parameter is passed on.

    Attributes:
        called: the expression for the function that it is passed to.
        place: the position of the argument, or its keyword.
    """

    __slots__ = ("called", "place")

    def __init__(self, called: ast.expr, place: int | str):
        self.called = called
        self.place = place


class OnlyCalled:
    """Tells whether functions only call what they are given.

    Args:
        source_of: gives the user's function that something is made of which is called.
        owner: the object whose method the function is; None if it is none.
    """

    def __init__(self, source_of: Callable[[Any], Any], owner: Any = None):
        self._source_of = source_of
        self._owner = owner
        self._met: set[tuple[int, str]] = set()

    def __call__(self, function: FunctionType, place: int | str, is_method: bool = False) -> bool:
        """Whether this one does with an argument.

        Args:
            place: its position, or its keyword.
            is_method: whether the first parameter is the object.
        """
        name = _parameter(function, place)
        if name is None:
            return False
        if (id(function.__code__), name) in self._met:  # it calls itself
            return True
        self._met.add((id(function.__code__), name))
        passed = _uses_of(function, name)
        own = _parameter(function, 0) if is_method else None
        return passed is not None and all(self._is_fine(function, own, one) for one in passed)

    def _is_fine(self, function: FunctionType, own: str | None, passed: _Passed) -> bool:
        called, place, is_method = passed.called, passed.place, False
        if isinstance(called, ast.Attribute):
            name = called.attr
            if not isinstance(called.value, ast.Name):
                return False
            if called.value.id == own and own is not None:
                if name in getattr(self._owner, "__dict__", ()):
                    return False
                found = self._source_of(inspect.getattr_static(type(self._owner), name, None))
                is_method = isinstance(found, FunctionType)
                place = place + 1 if is_method and isinstance(place, int) else place
            else:
                holder = _value(function, called.value.id)
                if not isinstance(holder, ModuleType):
                    return False
                found = vars(holder).get(name)
        elif isinstance(called, ast.Name):
            found = _value(function, called.id)
        else:
            return False
        if any(found is known for known in _CALLING):
            return found is not functools.partial or place == 0
        found = self._source_of(found)
        if package_of(found) in OWN_PACKAGES:
            return callable(found) and not isinstance(found, type)
        if type(found) is not FunctionType or is_library_file(found.__code__.co_filename):
            return False
        return self(found, place, is_method)


def _parameter(function: FunctionType, place: int | str) -> str | None:
    """The name of the parameter that an argument is for; None if it is among those that have no
    name of their own."""
    code = function.__code__
    if isinstance(place, int):
        return code.co_varnames[place] if place < code.co_argcount else None
    return place if place in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] else None


def _value(function: FunctionType, name: str) -> Any:
    """What a free variable of a function holds; `MISSING` if nothing."""
    for variable, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        if variable == name:
            try:
                return cell.cell_contents
            except ValueError:
                return MISSING
    if name in function.__code__.co_varnames:
        return MISSING
    return function.__globals__.get(name, getattr(builtins, name, MISSING))


def _uses_of(function: FunctionType, name: str) -> tuple[_Passed, ...] | None:
    """Where a function passes what a parameter is given; None if it uses it otherwise than to call
    it, pass it on, or ask whether it is None."""
    code = function.__code__
    found = _uses.get(id(code))
    if found is None:
        found = note(_uses, code, {})
    if name not in found:
        found[name] = _found_uses(parse_once(function).node, name)
    return found[name]


def _found_uses(definition: ast.AST, name: str) -> tuple[_Passed, ...] | None:
    fine: dict[int, ast.AST] = {}  # what is fine where it is, by identity
    passed: list[_Passed] = []
    names: list[ast.Name] = []
    parameters = 0
    for node in ast.walk(definition):
        if isinstance(node, ast.Name):
            if node.id in SEE_VARIABLES:
                return None
            names += [node] if node.id == name else []
        elif isinstance(node, ast.arg):
            parameters += node.arg == name
        elif isinstance(node, ast.Compare):
            if all(isinstance(c, ast.Constant) and c.value is None for c in node.comparators):
                fine[id(node.left)] = node.left
        elif isinstance(node, ast.Call):
            fine[id(node.func)] = node.func
            given = [*enumerate(node.args), *((k.arg, k.value) for k in node.keywords)]
            if any(isinstance(value, ast.Starred) for value in node.args):
                continue
            for place, value in given:
                if isinstance(value, ast.Name) and value.id == name and place is not None:
                    fine[id(value)] = value
                    passed.append(_Passed(node.func, place))
    if parameters != 1 or not all(id(node) in fine for node in names):
        return None
    return tuple(passed)
