"""What is left to the system when a process ends: memory.

As it ends, Python goes through all objects, three times, for garbage in circles, and takes apart
what is found, which is nearly all there is. That took as long as a third of the import. It can be
seen only where something happens as an object goes: a method ``__del__``, a file that is written
out, a generator with a ``finally``, a function that waits for the end of an object. If there is no
such object but those that are known, nothing is to be seen, and the objects are frozen: Python
leaves them where they are. What it frees without going through all, it frees as ever. Where it is
not known, as with functions that the program does at the end, after all others, nothing is frozen.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib.machinery
import inspect
import io
import itertools
import os
import sys
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator
from types import BuiltinMethodType, FunctionType, GeneratorType, ModuleType
from typing import Any

# The packages whose objects free memory, and nothing else, as they go.
_OURS = ("autograph", "ops", "llvmlite", "optree")

# Those of whose extension modules that holds, but not of each class written in Python. An extension
# module of any other package may have objects that, say, write a file as they go.
_OF_MEMORY = (
    *("numpy", "scipy", "pandas", "sklearn", "charset_normalizer"),
    *("matplotlib", "PIL", "contourpy", "kiwisolver"),
)

# Python's own whose objects tidy up files as they go.
_DATABASES = frozenset(("_sqlite3", "_dbm", "_gdbm"))

# Python's own functions that wait for the end of objects are in these, and only forget them.
_FORGETTING = ("weakref", "_weakrefset", "logging")

_EXTENSIONS = tuple(importlib.machinery.EXTENSION_SUFFIXES)
_IS_COLLECTED = 1 << 14  # of the flags of a class, `Py_TPFLAGS_HAVE_GC`


def install() -> None:
    """Have it done after what is imported later has done what it has to do at the end, but not if
    anything else is to be done after that: it may leave something to what is frozen."""
    if not atexit._ncallbacks():
        atexit.register(_leave)


def _leave() -> None:
    if gc.get_debug() or gc.callbacks or _has_foreign_extensions():
        return
    ending = list(_with_subclasses(filter(_has_ending, _with_subclasses([object]))))
    if not all(map(_are_known_to_collector, ending)):
        return
    waiting: list[type] = [weakref.ref, *weakref.ProxyTypes]
    classes = {*map(id, ending), *map(id, _with_subclasses(waiting))}
    objects = gc.get_objects()
    found = itertools.compress(objects, map(classes.__contains__, map(id, map(type, objects))))
    if all(map(_goes_unseen, found)):
        gc.freeze()


def _has_foreign_extensions() -> bool:
    """Whether there are extension modules of packages that are not known, or of databases."""
    if not _DATABASES.isdisjoint(sys.modules):
        return True
    known = {*_OURS, *_OF_MEMORY, *sys.stdlib_module_names}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in known:
            file = _global_of(module, "__file__")
            if isinstance(file, str) and file.endswith(_EXTENSIONS) and _folder(file) not in known:
                return True
    return False


def _global_of(module: Any, name: str) -> Any:
    """Read without running a module that waits to be run."""
    is_module = isinstance(module, ModuleType)
    return object.__getattribute__(module, "__dict__").get(name) if is_module else None


def _folder(file: str) -> str:
    return os.path.basename(os.path.dirname(file))


def _with_subclasses(classes: Iterable[type]) -> Iterator[type]:
    """Some classes, and all that derive from them; no metaclass is asked."""
    seen: set[int] = set()
    pending = list(classes)
    while pending:
        new = {id(cls): cls for cls in pending if id(cls) not in seen}
        seen.update(new)
        yield from new.values()
        pending = list(itertools.chain.from_iterable(map(type.__subclasses__, new.values())))


# Asked of `type` itself, since a metaclass may have its own answers.
_names_in: Callable[[type], Any] = vars(type)["__dict__"].__get__
_module_of: Callable[[type], Any] = vars(type)["__module__"].__get__


def _has_ending(cls: type) -> bool:
    return "__del__" in _names_in(cls)


def _are_known_to_collector(cls: type) -> bool:
    """Whether the collector knows which objects of a class there are, or nobody need know."""
    is_python = _is_in(_module_of(cls), sys.stdlib_module_names)
    return bool(cls.__flags__ & _IS_COLLECTED) or is_python or _is_ours(cls)


def _is_ours(cls: type) -> bool:
    return _is_in(_module_of(cls), _OURS)


def _is_in(module: Any, packages: Collection[str]) -> bool:
    return isinstance(module, str) and module.partition(".")[0] in packages


def _goes_unseen(found: Any) -> bool:
    """Whether nothing but memory is to do with the end of this object."""
    cls = type(found)
    if cls in weakref.ProxyTypes:  # which do not tell what is called, but the collector
        return all(map(_only_forgets, gc.get_referents(found)))
    if issubclass(cls, weakref.ref):
        return cls is not weakref.WeakMethod and _only_forgets(found.__callback__)
    if cls is GeneratorType:
        is_suspended = inspect.getgeneratorstate(found) == inspect.GEN_SUSPENDED
        return not is_suspended or _is_in(found.gi_frame.f_globals.get("__name__"), _OURS)
    if cls in _IN_MEMORY:
        return True
    if cls in _FILES:
        return any(found is stream for stream in _streams()) or _is_closed(found)
    return _is_ours(cls)


def _only_forgets(called: Any) -> bool:
    """Whether what is called as another object goes only forgets that one. `weakref.finalize` calls
    nothing any more once all functions of `atexit` have been called."""
    if getattr(called, "__name__", "") == "clear_locals":  # of `threading.local`, in Python 3.13
        return type(getattr(called, "__self__", None)) is tuple
    if isinstance(called, BuiltinMethodType):  # of registries of abstract classes, and of optree
        owner = called.__self__
        return isinstance(owner, weakref.ref) or type(owner).__module__ == "pybind11_builtins"
    if isinstance(called, FunctionType):
        return called.__module__ in _FORGETTING or _is_in(called.__module__, _OURS)
    cls = type(called)
    return called is None or cls is weakref.finalize or cls.__module__ == "_ctypes"


def _is_closed(file: Any) -> bool:
    try:
        return bool(file.closed)
    except ValueError:  # it has been detached from what it wrote to
        return True


_IN_MEMORY = (io.StringIO, io.BytesIO)
_FILES = (io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.FileIO)


@functools.cache
def _streams() -> tuple[Any, ...]:
    """Those that Python writes out by itself; not those in whose place others are."""
    found = [sys.stdin, sys.stdout, sys.stderr]
    for name in ("buffer", "raw"):
        for stream in tuple(found):
            with contextlib.suppress(AttributeError, ValueError):  # none, or it is detached
                found.append(getattr(stream, name))
    return tuple(found)
