"""From running code to places and names in the user's source."""

from __future__ import annotations

import ast
import dis
import functools
import linecache
import re
import sys
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

from autograph.errors import Location
from autograph.source.load import is_converted
from ops.core.lazy import KnownWhileAlive
from ops.core.recording import raises_as_python
from ops.core.records import NamedTuple


def location_of(frame: FrameType) -> Location:
    """Where a frame is. To ask it for its line would go through the code's table of lines up to
    there, each time: of a long function that is quadratic."""
    code, instruction = frame.f_code, frame.f_lasti
    line = column = None
    if hasattr(code, "co_positions"):
        line, _, column, _ = _positions(code)[instruction // 2]
    return Location(code.co_filename, line or frame.f_lineno, column, code.co_name)


def function_at(location: Location) -> tuple[str | None, int]:
    """The name of the function of the user's that a place is in, and its first line; code in
    branches and loops has other names."""
    name, first = location.function, 0
    for known, begin, end in _functions_in("".join(linecache.getlines(location.file))):
        if first <= begin <= location.line <= end:
            name, first = known, begin
    return name, first


@functools.lru_cache(maxsize=8)
def _functions_in(text: str) -> list[tuple[str, int, int]]:
    """The functions that the text of a file defines, those around others first: their names, and
    their first and last lines."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    return [
        (getattr(node, "name", "<lambda>"), node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.Lambda))
    ]


def location_in(code: CodeType, line: int, instruction: int) -> Location:
    """The place of an instruction; its column is known from Python 3.11 on."""
    column = None
    if hasattr(code, "co_positions"):
        _, _, column, _ = _positions(code)[instruction // 2]
    return Location(code.co_filename, line, column, code.co_name)


@KnownWhileAlive
def _positions(code: CodeType) -> list[tuple]:
    return list(code.co_positions())


def is_at_operator(frame: FrameType) -> bool:
    """Whether what a frame runs is an operator, and no call of a function."""
    name = dis.opname[frame.f_code.co_code[frame.f_lasti]]
    return name.startswith(("BINARY_", "INPLACE_"))  # the latter up to Python 3.10


def unpacked_into(frame: FrameType) -> int | None:
    """Into how many variables what a frame goes through is unpacked, as in ``a, b = xs``; None if
    the frame does something else with it, or takes what is left over."""
    content, place = frame.f_code.co_code, frame.f_lasti
    if place < 2 or dis.opname[content[place]] != "UNPACK_SEQUENCE":
        return None
    return None if content[place - 2] == dis.EXTENDED_ARG else content[place + 1]


_LOADS = {"LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME", "LOAD_FAST", "LOAD_FAST_BORROW"}
_ASSIGNING = {dis.opmap["STORE_ATTR"], dis.opmap["DELETE_ATTR"]}
_STORE_NAME, _STORE_DEREF = dis.opmap["STORE_NAME"], dis.opmap["STORE_DEREF"]
_STORE_FAST, _CACHE = dis.opmap["STORE_FAST"], dis.opmap.get("CACHE")
_STORES = {"STORE_FAST", "STORE_DEREF", "STORE_NAME"}


class _Step(NamedTuple):
    """What an instruction does, one variable at a time: from Python 3.13 on some have two."""

    kind: str
    argument: Any
    offset: int


_OF_LOCALS = re.compile(r"(?:LOAD|STORE)_FAST(?:_BORROW)?")


def _steps(code: CodeType) -> Iterator[_Step]:
    """The instructions of some code, without their caches."""
    for instruction in dis.get_instructions(code):
        kinds = _OF_LOCALS.findall(instruction.opname)
        if len(kinds) > 1:
            for kind, name in zip(kinds, instruction.argval):
                yield _Step(kind, name, instruction.offset)
        elif instruction.opname != "CACHE":
            yield _Step(instruction.opname, instruction.argval, instruction.offset)


@KnownWhileAlive
def bound_names(code: CodeType) -> dict[int, str]:
    """For each instruction whose result is stored into a variable right after: that variable.

    The names of converted source carry a version (``x_2``), which is dropped. The caches of an
    instruction count as the instruction: in Python 3.11 a frame that waits for a call of a Python
    function stands at the last one.
    """
    names = {}
    previous = None
    for offset, stored in _stores(code):
        if stored is not None and previous is not None:
            names.update(dict.fromkeys(range(previous, offset, 2), unversioned(stored)))
        previous = offset
    return names


def _stores(code: CodeType) -> Iterator[tuple[int, str | None]]:
    """Where the instructions of some code are, and the variables that they store into.

    Up to Python 3.12 it is read from the bytes: `dis` takes ten times as long.
    """
    content = code.co_code
    if sys.version_info >= (3, 13) or _STORE_NAME in content[::2]:
        for step in _steps(code):
            yield step.offset, step.argument if step.kind in _STORES else None
        return
    variables = {_STORE_FAST: code.co_varnames, _STORE_DEREF: _names_of_cells(code)}
    before = 0  # the upper bits of the argument
    for offset in range(0, len(content), 2):
        kind, argument = content[offset], before | content[offset + 1]
        if kind != _CACHE:
            yield offset, variables[kind][argument] if kind in variables else None
            before = argument << 8 if kind == dis.EXTENDED_ARG else 0


def _names_of_cells(code: CodeType) -> tuple[str, ...]:
    """The variables that the arguments of ``STORE_DEREF`` count: from Python 3.11 on all, of which
    parameters that are cells are among the first."""
    if sys.version_info < (3, 11):
        return (*code.co_cellvars, *code.co_freevars)
    cells = [name for name in code.co_cellvars if name not in code.co_varnames]
    return (*code.co_varnames, *cells, *code.co_freevars)


@KnownWhileAlive
def assigned_attributes(code: CodeType) -> list[tuple[str, str, bool, Location]]:
    """The attributes of variables that code assigns or deletes, also that inside of it.

    Returns:
        For each ``name.attribute = v`` the name, the attribute, whether the name is a module that
        the code imports, and where it is.
    """
    found, imported = [], set()
    before = copied = None  # an augmented assignment copies what the variable holds first
    for step in _steps(code) if _ASSIGNING.intersection(code.co_code[::2]) else ():
        kind, name, offset = step
        if before is not None and before.kind == "IMPORT_NAME" and before.argument == name:
            imported.add(name)
        if kind in ("COPY", "DUP_TOP"):
            copied = before
            continue
        stores = kind in ("STORE_ATTR", "DELETE_ATTR") or (kind == "LOAD_ATTR" and copied)
        if stores and before and before.kind in _LOADS:
            variable = before.argument
            local = before.kind.startswith("LOAD_FAST")
            if isinstance(variable, str) and (not local or variable in imported):
                place = _site(code, offset)
                found.append((variable, name, variable in imported, place))
        before, copied = step, None
    inner = [part for part in code.co_consts if isinstance(part, CodeType)]
    inside = [entry for part in inner for entry in assigned_attributes(part)]
    return [entry for entry in found + inside if entry[0] not in code.co_cellvars]


def assignment_in(code: CodeType, name: str, before: int | None = None) -> Location:
    """Where a function last assigns a variable, up to the instruction ``before``.

    Failing that it is a parameter, or what the function returns: then it is where that is given.
    """
    steps = [step for step in _steps(code) if before is None or step.offset < before]
    for kind, argument, offset in reversed(steps):
        if kind in _STORES and unversioned(argument) == name:
            return _site(code, offset)
    if name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        return Location(code.co_filename, code.co_firstlineno, None, code.co_name)
    return _site(code, steps[-1].offset)


def _site(code: CodeType, offset: int) -> Location:
    lines = (line for start, stop, line in code.co_lines() if start <= offset < stop)
    return location_in(code, next(lines, None) or code.co_firstlineno, offset)


def unversioned(name: str) -> str:
    """``x`` for ``x_2``."""
    stem, _, version = name.rpartition("_")
    return stem if stem and version.isdigit() else name


def named_place(name: str) -> str:
    """What messages call a place that code assigns; its name may be one that nobody has given."""
    return f"'{name}'" if name.isidentifier() else "a global variable or attribute of a class"


def kind_shown(container: Any) -> str:
    """What messages call a container: the lists of the recorder are lists."""
    return "list" if isinstance(container, list) else type(container).__name__


class SeenByUsers:
    """Base of what stands for something of the user's, whose attributes may have any names.

    The recorder asks it for what it consists of by names of its own (`content`, `position`). Code
    of the user's that asks for an attribute of such a name gets what `_seen` gives: what all get
    that ask for what it has not, if it does not say otherwise.
    """

    __slots__ = ()

    @raises_as_python
    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_") and is_converted(sys._getframe(1).f_code):
            return self._seen(name)
        return super().__getattribute__(name)

    def _seen(self, name: str) -> Any:
        return self.__getattr__(name)  # type: ignore[attr-defined]
