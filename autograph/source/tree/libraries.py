"""Which files are a library's, whose code runs as it is, and which are the user's.

Python's own files and those of installed packages are, but for the packages that the user wants to
have converted: their functions, classes and modules are then what the user's own are.
"""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import os
import site
from collections.abc import Callable
from typing import Any

from autograph.errors import OptionError

OWN_PACKAGES = ("autograph", "ops")

# What of this package is plain Python: converted as the user's functions are.
_PLAIN = (
    "autograph.interop.onnx_operators",
    "autograph.nn",
    "autograph.optim",
    "autograph.solvers",
    "autograph.train",
)

# Of the same places `sysconfig` tells only after a module of all of Python's settings is imported.
_PATHS = (os.path.dirname(os.__file__), *site.getsitepackages(), site.getusersitepackages())
_SOURCE = tuple(importlib.machinery.SOURCE_SUFFIXES)

_HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
_PLACES_OF_PLAIN = tuple([os.path.join(_HERE, *name.split("."), "") for name in _PLAIN])

_converted = _PLACES_OF_PLAIN  # where the packages are that are converted, too
_caches: list[Callable[[], None]] = []


def module_of(item: Any) -> str:
    """The name of the module that a class or function says it is of; empty where C code says
    nothing, or a class only what its instances say."""
    module = getattr(item, "__module__", None)
    return module if isinstance(module, str) else ""


def full_name(kind: type) -> str:
    """The name of a class, after that of its module."""
    return f"{kind.__module__}.{kind.__qualname__}"


def package_of(item: Any) -> str:
    """The name of the package that a class or function says it is of. What of this package is plain
    Python is a package of its own."""
    return _package(module_of(item))


@functools.lru_cache(maxsize=4096)
def _package(module: str) -> str:
    return next(filter(functools.partial(_is_in, module), _PLAIN), module.partition(".")[0])


def _is_in(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


def is_plain_of_ours(module: str) -> bool:
    """Whether a module of this package is converted as the user's are."""
    return _package(module) in _PLAIN


def is_library_file(file: str) -> bool:
    """Whether a file belongs to a library whose code is not converted."""
    return file.startswith(_PATHS) and not file.startswith(_converted)


def python_function(function: Any) -> Any:
    """The function of the user's that was wrapped to be compiled by Numba; others as they are."""
    if package_of(type(function)) == "numba":
        return getattr(function, "py_func", function)
    return function


def converted_places() -> tuple[str, ...]:
    """The folders and files of packages that are converted as the user's functions are."""
    return _converted


def depends_on_libraries(clear: Callable[[], None]) -> None:
    """Have ``clear`` called when other packages become converted."""
    _caches.append(clear)


def convert_packages(*names: str) -> None:
    """Convert the functions of installed packages too, where a compiled function calls them.

    The code of installed packages runs as it is: its functions take traced arrays as long as they
    only compute with them. Those of the packages named here are converted as the user's own
    functions are, with their ``if`` and ``while``, classes and methods. That holds from now on, so
    this is called before the functions are that it is for. Modules written in C stay as they are.

    Args:
        names: of packages or modules, as in an ``import``: ``"filterpy"``, ``"colorsys"``.

    Raises:
        OptionError: there is no such package, none written in Python, or it is NumPy, which reaches
            the compiler in another way.

    Examples:
        >>> import colorsys
        >>> ag.convert_packages("colorsys")
        >>> brightness = ag.to_graph(lambda r, g, b: colorsys.rgb_to_hsv(r, g, b)[2])
        >>> brightness(0.2, 0.4, 0.3)
        0.4
    """
    global _converted
    found = tuple(place for name in names for place in _places(name))
    _converted = tuple(dict.fromkeys((*_converted, *found)))
    for clear in _caches:
        clear()


def _places(name: str) -> list[str]:
    """The folders of a package, or the file of a module."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # of a package around it; a name such as "__main__"
        spec = None
    if spec is None:
        raise _cannot(f"there is no package '{name}'", "give a name that 'import' takes")
    if name.partition(".")[0] in (*OWN_PACKAGES, "numpy"):
        raise _cannot(
            f"the functions of '{name}' are operators already", "leave it out: it works as it is"
        )
    if spec.submodule_search_locations:
        return [os.path.join(place, "") for place in spec.submodule_search_locations]
    origin = spec.origin or ""
    if not origin.endswith(_SOURCE):
        raise _cannot(
            f"'{name}' is not written in Python",
            "call its functions outside of compiled functions, or use NumPy's",
        )
    return [origin]


def _cannot(message: str, fix: str) -> OptionError:
    return OptionError(message, id="AG0619", fix=fix)
