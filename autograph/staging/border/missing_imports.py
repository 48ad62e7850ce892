"""What functions import, and is not there when they are recorded.

An ``import`` that fails raises, so what was recorded depends on that as on a value. Nothing runs at
the place of the statement then: what may have been imported is found in the code of functions.

With these guards all that a recording depends on is known, and is put together here.
"""

from __future__ import annotations

import dis
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from autograph.errors import Location
from autograph.source.tree.free import Lookup
from autograph.source.tree.parse import nested_codes
from autograph.staging.border.guards import (
    Owners,
    guard_on_attribute,
    guards_of_owners,
    same_object,
)
from autograph.staging.border.retracing import Guard, each_once
from autograph.staging.classes import class_attributes
from ops.core.lazy import KnownWhileAlive

_IMPORT = dis.opmap["IMPORT_NAME"]


def guards_of_missing_imports(met: Iterable[FunctionType | ModuleType]) -> Iterator[Guard]:
    """The guards on what the code of functions imports, where that is missing.

    Args:
        met: functions that were recorded, after that; modules do not count.
    """
    for function in dict.fromkeys(met):
        if isinstance(function, ModuleType):
            continue
        for level, module, names in _imports(function.__code__):
            full = _full_name(function, level, module)
            found = sys.modules.get(full)
            if found is None:
                yield same_object(Lookup(sys.modules, full), full)
            elif isinstance(found, ModuleType):
                missing = [name for name in names if name != "*" and not hasattr(found, name)]
                yield from (guard_on_attribute(found, name) for name in missing)


def _full_name(function: FunctionType, level: int, module: str) -> str:
    if not level:
        return module
    package = function.__globals__.get("__package__")
    try:
        return importlib.util.resolve_name("." * level + module, package)
    except (ImportError, TypeError):  # it is in no package, and so the statement fails anyway
        return module


@KnownWhileAlive
def _imports(function: CodeType) -> tuple[tuple[int, str, tuple[str, ...]], ...]:
    """What a function and those inside of it import: of how many packages above, the module, and
    which names of it."""
    found = []
    for code in nested_codes(function):
        if _IMPORT not in code.co_code[::2]:
            continue
        steps = [s for s in dis.get_instructions(code) if s.opcode != dis.EXTENDED_ARG]
        for at, step in enumerate(steps):
            if step.opcode == _IMPORT:
                # What is taken of the module, and of how many packages above, are pushed before.
                level, names = (steps[at - k].argval for k in (2, 1))
                found.append((level or 0, step.argval, tuple(names or ())))
    return tuple(found)


class MetOutside(list[Any]):
    """What each recording of a function has met from outside; see `Outside` in the module of that
    name, which is imported when something is recorded."""


def owners_of(outside: Any) -> Owners:
    """The classes and functions whose attributes are guarded."""
    places = outside.places.values()
    cells = {(p.owner, p.name) for p in places if isinstance(p, class_attributes.ClassAttribute)}
    classes = outside.classes
    return Owners([*classes.owners], classes.of_arguments, outside.names, cells)


def guards_on(outside: Any, owners: Owners, location: Location | None) -> list[Guard]:
    """The guards on all that a recording has met.

    Args:
        owners: see `owners_of`.
        location: of the function, for errors.
    """
    return [
        *each_once(outside.guards),
        *guards_of_owners(owners, location),
        *guards_of_missing_imports(owner for owner, _ in outside.met),
    ]
