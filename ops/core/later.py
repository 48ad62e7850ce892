"""Modules that are run when something of them is first used.

What imports them stands at the top of modules as ever; a package says of which of its modules that
is so, in its ``__init__.py``, before anything imports them. These are imported as modules: who
wants a name of one at once runs it at once.
"""

from __future__ import annotations

import os
import sys
from importlib.util import spec_from_file_location
from types import ModuleType
from typing import Any

from ops.core.locks import lock_over_forks

# The names of those that have not run.
waiting: set[str] = set()

_lock = lock_over_forks()  # one thread runs them, which others wait for


class _Later(ModuleType):
    """A module that has not run. Names with two underscores, which programs look for in all modules
    that there are, say nothing of what is in it."""

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("__") or name == "__all__":
            _run(self)
        return ModuleType.__getattribute__(self, name)  # it may be of another class by now

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("__"):
            _run(self)
        ModuleType.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if not name.startswith("__"):
            _run(self)
        ModuleType.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        _run(self)
        return list(ModuleType.__dir__(self))


def put_off(package: str, *names: str) -> None:
    """Let modules of a package run when something of them is first used.

    Args:
        package: the name of the package, whose ``__init__.py`` runs.
        names: of the modules, without that of the package.
    """
    parent = sys.modules[package]
    folder = os.path.dirname(parent.__file__ or "")
    for name in names:
        full = f"{package}.{name}"
        spec = spec_from_file_location(full, os.path.join(folder, f"{name}.py"))
        assert spec is not None and spec.origin is not None
        module = _Later(full)
        module.__spec__, module.__loader__ = spec, spec.loader
        module.__package__, module.__file__ = package, spec.origin
        waiting.add(full)
        sys.modules[full] = module
        setattr(parent, name, module)


def _run(module: ModuleType) -> None:
    with _lock:
        name = module.__name__
        if name not in waiting:  # another thread has run it, or this one is about to
            return
        try:
            waiting.discard(name)
            spec = module.__spec__
            assert spec is not None and spec.loader is not None
            spec.loader.exec_module(module)
        except BaseException:
            waiting.add(name)
            raise
        module.__class__ = ModuleType
