"""The variables that a function reads from around it: closure cells, globals, built-ins."""

from __future__ import annotations

import builtins
import numbers
import sys
import types
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from autograph.source.tree.libraries import OWN_PACKAGES, is_library_file, module_of, package_of
from ops.core.records import NamedTuple

STATIC_TYPES = (
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    type,
    str,
    bytes,
    type(None),
    type(Ellipsis),
    type(NotImplemented),
    numbers.Number,
)

# NumPy's functions that dispatch on their arguments are of these types.
NUMPY_DISPATCHERS = {"ufunc", "_ArrayFunctionDispatcher"}

# Dispatchers that do not look at every argument that may be symbolic, or look at the items of a
# sequence, which may be a list whose length is known only at run time, or give arrays of
# known numbers, which are written to, beside symbolic ones.
PARTIAL_DISPATCHERS = {
    *("linspace", "logspace", "geomspace", "full_like"),
    *("histogram", "histogram_bin_edges", "histogram2d", "histogramdd"),
    *("stack", "vstack", "hstack", "dstack", "column_stack", "concatenate", "block"),
}

# Classes of objects that make arrays of what stands between brackets: np.r_, np.c_ ...
SUBSCRIPTED = {"CClass", "MGridClass", "OGridClass", "RClass"}

MISSING = object()


class FreeVariable(NamedTuple):
    """A variable that a function reads from around it.

    Attributes:
        name: what the function calls it.
        is_cell: whether it is a closure cell; a global otherwise.
        is_data: whether it holds arrays, or an object that may.
    """

    name: str
    is_cell: bool
    is_data: bool


class Lookup:
    """A free variable of a function: called, it gives its present value; MISSING if it has none.

    Args:
        place: the cell, or the dict of the globals or of a namespace, that holds it.
        name: of the variable.
    """

    __slots__ = ("name", "place")

    def __init__(self, place: types.CellType | Mapping[str, Any], name: str):
        self.place = place
        self.name = name

    def __call__(self) -> Any:
        if not isinstance(self.place, types.CellType):
            return self.place.get(self.name, MISSING)
        try:
            return self.place.cell_contents
        except ValueError:
            return MISSING


class Always:
    """Gives the same object whenever it is called."""

    __slots__ = ("value",)

    def __init__(self, value: Any):
        self.value = value

    def __call__(self) -> Any:
        return self.value


class Surroundings:
    """Looks up names that a function does not define itself.

    Args:
        function: the function whose globals and cells are looked at.
        rebound: names of cells that may be assigned at any time, and so are never data.
        ops: the module of operators.
    """

    def __init__(self, function: Callable[..., Any], rebound: Iterable[str], ops: types.ModuleType):
        self.cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        self.globals = function.__globals__
        self.rebound = frozenset(rebound)
        self.ops = ops

    def value(self, name: str) -> Any:
        """The present value of a closure variable or global; MISSING if it has none."""
        return self.lookup(name)()

    def lookup(self, name: str) -> Lookup:
        """A closure variable or global."""
        return Lookup(self.cells.get(name, self.globals), name)

    def means_operators(self, name: str) -> bool:
        """Whether a name means the module of operators."""
        return self.value(name) is self.ops

    def is_builtin(self, name: str) -> bool:
        """Whether a name means the built-in of that name."""
        return self.value(name) is MISSING and name not in self.cells and hasattr(builtins, name)

    def variable(self, name: str) -> FreeVariable:
        """Classify a free name."""
        value = self.value(name)
        fixed = value is MISSING or (name in self.cells and name in self.rebound)
        return FreeVariable(name, name in self.cells, not fixed and is_data(value))

    def is_native(self, path: tuple[str, ...]) -> bool:
        """Whether a dotted name can be called with symbolic arguments as it is: an operator, or a
        function of NumPy that dispatches on all of its arguments."""
        root, *attributes = path
        value = self.value(root)
        if not isinstance(value, types.ModuleType) or not attributes:
            return False
        if value is self.ops:
            return True
        if value.__name__.partition(".")[0] != "numpy" or attributes[-1] in PARTIAL_DISPATCHERS:
            return False
        for attribute in attributes:
            value = getattr(value, attribute, None)
        return type(value).__name__ in NUMPY_DISPATCHERS

    def makes_arrays(self, path: tuple[str, ...]) -> bool:
        """Whether a dotted name is an object of NumPy's that makes arrays of a subscript."""
        root, *attributes = path
        value = self.value(root)
        for attribute in attributes:
            value = getattr(value, attribute, None) if isinstance(value, types.ModuleType) else None
        return type(value).__name__ in SUBSCRIPTED and package_of(type(value)) == "numpy"

    def is_of_numpy(self, path: tuple[str, ...]) -> bool:
        """Whether a dotted name is a function, or anything else, in a module of NumPy's."""
        value = self.value(path[0])
        for attribute in path[1:]:
            if not isinstance(value, types.ModuleType):
                return False
            if value.__name__.partition(".")[0] != "numpy":
                return False
            value = getattr(value, attribute, None)
        return len(path) > 1

    def is_users(self, name: str) -> bool:
        """Whether a name is a function or class that was written in Python, and not a library's."""
        value = self.value(name)
        if not isinstance(value, (types.FunctionType, type)):
            return False
        module = sys.modules.get(module_of(value))
        file = getattr(module, "__file__", None) or ""
        return module_of(value) != "builtins" and not is_library_file(file)

    def is_transform(self, path: tuple[str, ...]) -> bool:
        """Whether a dotted name is a function of this package."""
        root, *attributes = path
        value = self.value(root)
        for attribute in attributes:
            value = getattr(value, attribute, None)
        return _is_ours(value) and isinstance(value, types.FunctionType)

    def named(self, path: tuple[str, ...]) -> str:
        """The full name of the function or class that a dotted name means."""
        root, *attributes = path
        value = getattr(builtins, root, None) if self.is_builtin(root) else self.value(root)
        for attribute in attributes:
            value = getattr(value, attribute, None)
        module, name = getattr(value, "__module__", ""), getattr(value, "__qualname__", "")
        return f"{module}.{name}"

    def kind(self, name: str) -> Hashable:
        """What the conversion of a function depends on, of the value of a free variable."""
        value = self.value(name)
        if isinstance(value, types.ModuleType):
            return id(value), is_data(value)
        return value is MISSING, self.variable(name).is_data, _is_ours(value)


def _is_ours(value: Any) -> bool:
    return str(getattr(value, "__module__", "")).partition(".")[0] == "autograph"


def is_data(value: Any) -> bool:
    """Whether a value is an array, or something that may hold one."""
    if isinstance(value, tuple):
        return any(map(is_data, value))
    if isinstance(value, types.ModuleType):
        return is_user_module(value)
    if _has_state(value):
        return True
    return not isinstance(value, STATIC_TYPES) and type(value).__name__ not in NUMPY_DISPATCHERS


def _has_state(value: Any) -> bool:
    """Whether a built-in function is bound to an object that may change, or a number or text has
    attributes."""
    if isinstance(value, types.BuiltinFunctionType):
        return not isinstance(value.__self__, (type(None), type, types.ModuleType))
    return isinstance(value, (str, bytes, numbers.Number)) and hasattr(value, "__dict__")


def is_user_module(value: Any) -> bool:
    """Whether a value is a module of the user's, not one of a library."""
    if not isinstance(value, types.ModuleType):
        return False
    file = getattr(value, "__file__", None)
    if not file:  # made by the user's code, or the one that a session runs in
        return value.__spec__ is None and value.__name__ != "builtins"
    own = value.__name__.partition(".")[0] in OWN_PACKAGES
    return not own and not is_library_file(file)
