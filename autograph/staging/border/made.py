"""Objects that are made while a function is recorded, and that each call makes anew in Python.

A ``Counter``, a ``bytearray``, an instance of a library's class or a function with variables of its
own is no part of a program. What the recording has made of it is kept as a template, of which each
call returns a copy. Nobody can see from an object whether it was made or found: ``re.compile`` and
``getLogger`` give the same one again. So where a result has such objects, the function is recorded
twice, and what is another one the second time was made.
"""

from __future__ import annotations

import copy
import dis
import functools
import gc
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.errors import Location, UnsupportedFunctionError
from autograph.source.tree.libraries import OWN_PACKAGES, package_of
from autograph.staging.border.constancy import has_identity
from autograph.staging.containers.containers import is_container
from autograph.staging.lists.lists import TrackedList
from ops.core.operands import Symbolic
from ops.core.records import NamedTuple

_ENDS = (str, bytes, int, float, complex, type, types.CodeType, types.FrameType, Symbolic)
_BOUND = (types.MethodType, types.BuiltinMethodType)
_MOST = 100_000  # objects that are looked at


class MadeObjects(NamedTuple):
    """The made objects of one result, which may share parts.

    Attributes:
        templates: what calls return copies of.
        kept: the objects from outside in them, by identity.
        functions: those in them that are copied with their variables.
    """

    templates: list[Any]
    kept: dict[int, Any]
    functions: list[types.FunctionType]

    def copy(self, number: int, memo: dict[int, Any]) -> Any:
        """A copy of one of them; ``memo`` has those that were made before for the same result."""
        if id(self) not in memo:
            memo[id(self)] = self
            memo.update(self.kept)
            _copy_functions(self.functions, memo)
        return copy.deepcopy(self.templates[number], memo)


def may_be_made(value: Any) -> bool:
    """Whether it matters if a static value is the same object at each call."""
    return _can_change(value, set())


def _can_change(value: Any, seen: set[int]) -> bool:
    if id(value) in seen:
        return False
    seen.add(id(value))
    if isinstance(value, types.FunctionType):
        return any(_can_change(part, seen) for part in _parts(value))
    if isinstance(value, types.CellType):  # another function may assign it
        parts = [part for part in _parts(value) if not isinstance(part, types.ModuleType)]
        return any(not callable(part) or _can_change(part, seen) for part in parts)
    if isinstance(value, _BOUND):
        return _can_change(value.__self__, seen)
    if isinstance(value, tuple):
        return any(_can_change(part, seen) for part in value)
    if isinstance(value, (frozenset, np.ndarray)):
        return False
    own = package_of(type(value)) in OWN_PACKAGES and type(value) is not TrackedList
    return has_identity(value) and not own


def _assigns(function: types.FunctionType) -> bool:
    """Whether a function assigns variables of the function around it."""
    free = function.__code__.co_freevars
    return any(
        step.opname in ("STORE_DEREF", "DELETE_DEREF") and step.argval in free
        for step in dis.get_instructions(function.__code__)
    )


def templates(
    values: Sequence[Any],
    earlier: Sequence[Any],
    original: Callable[[Any], Any],
    is_given: Callable[[Any], bool],
    location: Location | None,
) -> tuple[MadeObjects, dict[int, int]]:
    """What calls copy in place of those among ``values`` that were made while recording.

    Args:
        values: of which `may_be_made` is true.
        earlier: those of an earlier recording.
        original: gives the object from outside that one stands for.
        is_given: whether an object is made anew by the call otherwise, or stands for an argument.
        location: of the function.

    Returns:
        (group, numbers): by the identity of a value, its number in the group; none of those that
        are from outside.

    Raises:
        UnsupportedFunctionError: one can't be copied.
    """
    found = {id(value) for value in earlier}
    made = list({id(value): value for value in values if id(value) not in found}.values())
    if not made:
        return MadeObjects([], {}, []), {}
    before = _reached(earlier)

    def is_kept(item: Any) -> bool:
        if isinstance(item, types.ModuleType) or is_given(item):
            return True
        return original(item) is not item or id(item) in before

    now = _reached(made, is_kept)
    kept: dict[int, Any] = {}
    for key, item in now.items():
        if is_given(item):
            why = f"with a {_name(item)} in it that the function also returns, or was given"
            raise refused(made, location, why)
        if is_kept(item):
            kept[key] = original(item)
    lists = [item for item in now.values() if type(item) is TrackedList and id(item) not in kept]
    memo = dict(kept)
    plain: list[list] = [memo.setdefault(id(item), []) for item in lists]
    functions = [item for item in now.values() if _is_copied(item) and id(item) not in kept]
    try:
        _copy_functions(functions, memo)
        for items, copied in zip(lists, plain):
            copied.extend(copy.deepcopy(item, memo) for item in list.__iter__(items))
        copies = [copy.deepcopy(value, memo) for value in made]
        functions = [memo[id(function)] for function in functions]
        held = {id(item): item for item in kept.values()}
        group = MadeObjects(copies, held, functions)
        memo = {}
        second = [group.copy(number, memo) for number in range(len(copies))]
        again = _reached(second, lambda item: id(item) in held)
    except (UnsupportedFunctionError, RecursionError):
        raise
    except Exception:
        raise refused(made, location, "and copies of it can't be made") from None
    shared = _reached(copies).keys() & again.keys() - held.keys()
    if any(_changes(again[key]) for key in shared):
        raise refused(made, location, "and copies of it would share what they hold")
    return group, {id(value): number for number, value in enumerate(made)}


def refused(made: Sequence[Any], location: Location | None, why: str) -> UnsupportedFunctionError:
    """The error for objects that calls can't make."""
    kinds = ", ".join(dict.fromkeys(map(_name, made)))
    return UnsupportedFunctionError(
        f"each call would have to return a new object ({kinds}) that was made while the code was "
        f"recorded, {why}",
        location,
        id="AG0364",
        fix="return the arrays, numbers, lists and dicts that it is made of, and make it where the "
        "function is called",
    )


def _name(value: Any) -> str:
    return "list" if isinstance(value, TrackedList) else type(value).__name__


def part_of_argument(value: Any, location: Location | None) -> UnsupportedFunctionError:
    """The error for a part, returned as it is, of an argument that is no container."""
    return UnsupportedFunctionError(
        f"the function returns the very {_name(value)} that it finds in an argument of a library's "
        "class; programs know only what such an object holds, not where",
        location,
        id="AG0366",
        fix="pass it as an argument of its own, or return a copy of it",
    )


class Parts:
    """What is found in some objects that converted code sees as they are."""

    def __init__(self, owners: Sequence[Any]):
        self._owners = owners

    @functools.cached_property
    def _found(self) -> dict[int, Any]:
        return _reached(self._owners)

    def __contains__(self, value: Any) -> bool:
        if not self._owners or isinstance(value, Symbolic):
            return False
        is_object = isinstance(value, np.ndarray) or is_container(value) or may_be_made(value)
        return is_object and id(value) in self._found


def _changes(item: Any) -> bool:
    """Whether something that two copies share can change, other than in what it refers to."""
    if isinstance(item, types.FunctionType):
        return _assigns(item)
    if isinstance(item, (tuple, types.CellType, *_BOUND)):
        return False
    return isinstance(item, np.ndarray) or may_be_made(item)


def _is_copied(item: Any) -> bool:
    return isinstance(item, types.FunctionType) and may_be_made(item)


def _copy_functions(functions: Iterable[types.FunctionType], memo: dict[int, Any]) -> None:
    """Put copies of functions, with variables of their own, into a memo of ``deepcopy``."""
    copied = []
    for function in functions:
        cells = []
        for cell in function.__closure__ or ():
            cells.append(memo.setdefault(id(cell), types.CellType()))
        made = types.FunctionType(
            function.__code__, function.__globals__, function.__name__, None, tuple(cells)
        )
        memo[id(function)] = functools.update_wrapper(made, function, updated=())
        del vars(made)["__wrapped__"]
        copied.append((function, made))
    for function, made in copied:
        made.__defaults__ = copy.deepcopy(function.__defaults__, memo)
        made.__kwdefaults__ = copy.deepcopy(function.__kwdefaults__, memo)
        made.__dict__.update(copy.deepcopy(function.__dict__, memo))
        for old, new in zip(function.__closure__ or (), made.__closure__ or ()):
            try:
                content = old.cell_contents
            except ValueError:
                continue
            new.cell_contents = copy.deepcopy(content, memo)


def _parts(item: Any) -> list[Any]:
    """What an object refers to, as far as copies of it could share that."""
    if isinstance(item, types.FunctionType):
        keywords = (item.__kwdefaults__ or {}).values()
        attributes = [item.__dict__] if item.__dict__ else []
        return [*(item.__closure__ or ()), *(item.__defaults__ or ()), *keywords, *attributes]
    return gc.get_referents(item)


def _reached(
    roots: Iterable[Any], is_end: Callable[[Any], bool] = lambda item: False
) -> dict[int, Any]:
    """The objects that can be reached from others, but not through those that are ends, by
    identity."""
    pending = list(roots)
    found: dict[int, Any] = {}
    while pending and len(found) < _MOST:
        item = pending.pop()
        if id(item) in found or item is None or isinstance(item, _ENDS):
            continue
        found[id(item)] = item
        if not (isinstance(item, types.ModuleType) or is_end(item)):
            pending += _parts(item)
    return found
