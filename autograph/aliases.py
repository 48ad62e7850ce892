"""`autograph.ops`: another name of the package `ops`, and of what is in it.

A module has one name, here that in ``ops``: imported under the other one it is the same module, not
a second one with operators of its own.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Loader
else:  # what it is needs no base, and this one takes long to import
    Loader = object

_ALIAS, _NAME = "autograph.ops", "ops"


class _Aliases(Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _ALIAS and not fullname.startswith(f"{_ALIAS}."):
            return None
        return spec_from_loader(fullname, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(_NAME + spec.name[len(_ALIAS) :])
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        module.__spec__ = spec.loader_state  # its own, which the import has replaced


def install() -> None:
    """Let `import autograph.ops` find `ops`."""
    if not any(isinstance(finder, _Aliases) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Aliases())
