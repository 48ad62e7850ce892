"""From a function object to its syntax tree.

The whole file is parsed, so that every position in the tree is the one in the file, and compiled
again, so that a file that has changed since it was imported is noticed.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import dis
import functools
import inspect
import linecache
import reprlib
import sys
import types
from collections.abc import Callable, Collection, Iterator
from typing import Any

from autograph.errors import (
    ChangedSourceError,
    GeneratorFunctionError,
    Location,
    NoSourceError,
    UnsupportedConstructError,
)
from autograph.source.tree import magics, shipped
from ops.core.records import NamedTuple

FUTURE_FLAGS = functools.reduce(
    int.__or__, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


class Parsed(NamedTuple):
    """The source of one function.

    Attributes:
        node: the function's definition.
        location: where the definition begins.
        class_name: the class whose body the function is in, for mangling; None outside of classes.
        rebound: names that some ``nonlocal`` statement around the function declares, so that their
            cells may change at any time.
    """

    node: ast.FunctionDef | ast.Lambda
    location: Location
    class_name: str | None
    rebound: frozenset[str]


class _Scope(NamedTuple):
    """A definition in the file and what it is nested in."""

    node: ast.FunctionDef | ast.Lambda
    class_name: str | None
    outermost: ast.AST


class _File:
    """A file of source. Of a long one, only what is around the functions that are asked for is
    looked through and compiled."""

    def __init__(self, name: str, tree: ast.Module):
        self.name = name
        self.tree = tree
        self._codes: dict[ast.AST, dict[int, list[types.CodeType]]] = {}  # of what was compiled

    def scopes(self, line: int) -> list[_Scope]:
        """The functions whose definitions begin at a line."""
        found = []
        for scope in _scopes(self.tree, line):
            decorators = getattr(scope.node, "decorator_list", None)
            first = decorators[0] if decorators else scope.node
            if first.lineno == line:
                found.append(scope)
        return found

    def codes(self, line: int) -> Iterator[types.CodeType]:
        """The code that begins at a line: of the file's statements compiled one at a time, as
        notebooks do, and of the file. Python makes different code for a name if it sees that it is
        imported."""
        for statement in self.tree.body:
            if _reaches(statement, line):
                yield from self._codes_in(statement, ast.Module([statement], [])).get(line, ())
        yield from self._codes_in(self.tree, self.tree).get(line, ())

    def _codes_in(self, part: ast.AST, module: ast.Module) -> dict[int, list[types.CodeType]]:
        """The code in a part of the file, which is compiled once, as a module."""
        if part not in self._codes:
            self._codes[part] = _codes_by_line(module, self.name)
        return self._codes[part]


def parse(function: Callable[..., Any], is_inner: bool = False, is_cut: bool = False) -> Parsed:
    """Find and parse the source of a function.

    Args:
        function: a function written in Python, with ``def`` or ``lambda``.
        is_inner: whether it was compiled as a part of converted source, where what the original
            reads as a global may be a closure variable.
        is_cut: whether it may be a generator, which is cut at its yields.

    Raises:
        NoSourceError: it has no source file, or two lambdas in a line can't be told apart.
        ChangedSourceError: the file no longer holds the source that the function came from.
        GeneratorFunctionError: it is a generator, a coroutine or an asynchronous generator.
    """
    code = getattr(function, "__code__", None)
    if not isinstance(function, types.FunctionType) or code is None:
        raise _without_source(function)
    if code.co_filename.startswith("<"):
        known = shipped.restored(code, _is_in)
        if known is not None:
            function.__code__ = code = known
    place = Location(code.co_filename, code.co_firstlineno, None, code.co_name)
    if not (is_cut and code.co_flags & inspect.CO_GENERATOR):
        _refuse_generators(code, place)
    lines = _read_lines(function, place)
    with _refusals_of(code.co_filename, place):
        file = _index_file(code.co_filename, "".join(lines))
        found = _find(file, code, place, _fingerprint if is_inner else _signature)
    node = found.node
    location = Location(code.co_filename, node.lineno, node.col_offset, code.co_name)
    rebound = frozenset(
        name
        for inner in _outside_expressions(found.outermost)
        if isinstance(inner, ast.Nonlocal)
        for name in inner.names
    )
    return Parsed(node, location, found.class_name, rebound)


def _without_source(given: Any) -> NoSourceError:
    """Why something is not a function that can be converted."""
    name = getattr(given, "__name__", None) or reprlib.repr(given)
    problem = "is not a function written in Python, so it has no source"
    fix = "wrap it in a Python function, or call it from one"
    if isinstance(given, type):
        problem = "is a class, not a function"
        fix = "make its objects in a function, or compile its methods"
    elif isinstance(given, property):
        name, problem = getattr(given.fget, "__name__", name), "is a property, not a function"
        fix = "compile the function of the property: write the decorator below @property"
    elif callable(getattr(given, "__wrapped__", None)):
        problem = f"is a '{type(given).__name__}' around a function, not a function"
        fix = "compile the function in it: write the decorator below that one"
    return NoSourceError(f"'{name}' {problem}", id="AG0101", fix=fix)


def _outside_expressions(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those in it that are not in expressions, all statements among them."""
    todo = [node]
    for inner in todo:
        yield inner
        todo += [part for part in ast.iter_child_nodes(inner) if not isinstance(part, ast.expr)]


def _refuse_generators(code: types.CodeType, place: Location) -> None:
    kinds = {
        inspect.CO_GENERATOR: ("a generator", "return a list or an array instead"),
        inspect.CO_COROUTINE: ("a coroutine", "use 'def' instead of 'async def'"),
        inspect.CO_ASYNC_GENERATOR: ("an asynchronous generator", "return a list instead"),
    }
    for flag, (kind, fix) in kinds.items():
        if code.co_flags & flag:
            raise GeneratorFunctionError(
                f"'{code.co_name}' is {kind}, which cannot be converted",
                _below_decorators(place),
                fix=fix,
            )


def _below_decorators(place: Location) -> Location:
    """Where the definition itself begins, of a function that begins with its decorators."""
    lines = linecache.getlines(place.file)
    for number in range(place.line, len(lines) + 1):
        text = lines[number - 1].lstrip()
        if text.startswith((f"def {place.function}", f"async def {place.function}")):
            column = len(lines[number - 1]) - len(text)
            return place._replace(line=number, column=column)
    return place


def _read_lines(function: types.FunctionType, place: Location) -> list[str]:
    linecache.checkcache(place.file)
    lines = linecache.getlines(place.file, function.__globals__)
    if place.file.startswith("<") and (not lines or place.file in _of_magics):
        lines = _lines_of_magic(function.__code__, place) or lines
    if not lines:
        with contextlib.suppress(OSError):  # from Python 3.13 on, what was typed at the prompt
            lines = inspect.findsource(function)[0]
    if not lines and place.file.startswith("<"):
        raise NoSourceError(
            f"the source of '{place.function}' is not kept: it was typed at a prompt, or made by "
            "'exec'",
            id="AG0102",
            fix="define the function in a file or a notebook",
        )
    if not lines:
        raise NoSourceError(
            f"the source of '{place.function}' cannot be read: there is no file '{place.file}'",
            id="AG0102",
            fix="define the function in a file",
        )
    return lines


# Names under which magics of IPython have run something, each time something else.
_of_magics: set[str] = set()


def _lines_of_magic(code: types.CodeType, place: Location) -> list[str]:
    """The lines that a magic of IPython has run, if a function comes from there; see `magics`."""
    for text in magics.texts():
        if _is_in(code, place.file, text):
            lines = text.splitlines(keepends=True)
            linecache.cache[place.file] = len(text), None, lines, place.file  # for messages
            _of_magics.add(place.file)
            return lines
    return []


def _is_in(code: types.CodeType, name: str, text: str) -> bool:
    """Whether a function's code is compiled from a text."""
    try:
        candidates = _index_file(name, text).codes(code.co_firstlineno)
        return any(_same_code(code, candidate, _signature) for candidate in candidates)
    except (SyntaxError, ValueError, RecursionError):
        return False


@contextlib.contextmanager
def _refusals_of(name: str, place: Location) -> Iterator[None]:
    """Has what Python refuses in a file raise an error of ours."""
    try:
        yield
    except RecursionError:
        raise UnsupportedConstructError(
            "the source is nested too deeply to be taken apart",
            place,
            id="AG0105",
            fix="split its longest expression into several statements",
        ) from None
    except SyntaxError as error:
        raise ChangedSourceError(
            f"'{name}' has changed since it was imported, and no longer parses: {error.msg}",
            place,
            fix="restart Python",
        ) from None


@functools.lru_cache(maxsize=32)
def _index_file(name: str, text: str) -> _File:
    return _File(name, ast.parse(text, name))


def _reaches(statement: ast.stmt, line: int) -> bool:
    """Whether a statement, with its decorators, is at a line, too."""
    decorators = getattr(statement, "decorator_list", None)
    first = statement.lineno
    if decorators:
        first = min(first, *[decorator.lineno for decorator in decorators])
    return first <= line <= (statement.end_lineno or first)


def _codes_by_line(tree: ast.Module, name: str) -> dict[int, list[types.CodeType]]:
    found: dict[int, list[types.CodeType]] = {}
    for code in nested_codes(compile(tree, name, "exec", dont_inherit=True)):
        found.setdefault(code.co_firstlineno, []).append(code)
    return found


_NO_FUNCTIONS = (
    *(ast.Name, ast.Constant, ast.expr_context),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
)


def _scopes(tree: ast.AST, line: int) -> Iterator[_Scope]:
    """The functions in the statements of a tree that are at a line, found without recursion:
    expressions can be very deep."""
    todo: list[tuple[ast.AST, str | None, ast.AST | None]] = [(tree, None, None)]
    while todo:
        node, class_name, outermost = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            outermost = outermost or node
            yield _Scope(node, class_name, outermost)
        elif isinstance(node, ast.ClassDef):
            class_name = node.name
        parts = (p for p in _parts(node) if not isinstance(p, ast.stmt) or _reaches(p, line))
        todo.extend((part, class_name, outermost) for part in parts)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes in a node in which there may be functions."""
    for field in node._fields:
        value = getattr(node, field, None)
        if type(value) is list:
            yield from (item for item in value if isinstance(item, ast.AST))
        elif isinstance(value, ast.AST) and not isinstance(value, _NO_FUNCTIONS):
            yield value


def nested_codes(
    code: types.CodeType, without: Collection[tuple[str, int]] = ()
) -> Iterator[types.CodeType]:
    """A code object and all those nested in it, without the definitions of the given names and
    lines."""
    yield code
    for constant in code.co_consts:
        if _is_code(constant) and (constant.co_name, constant.co_firstlineno) not in without:
            yield from nested_codes(constant, without)


# -- finding the definition ------------------------------------------------------------------------


def _find(
    file: _File, code: types.CodeType, place: Location, key: Callable[[types.CodeType], Any]
) -> _Scope:
    if not any(
        _same_code(code, candidate, key)
        for candidate in file.codes(place.line)
        if candidate.co_name == code.co_name
    ):
        raise ChangedSourceError(
            f"'{place.file}' has changed since '{place.function}' was imported",
            place,
            fix="reload the module, or restart Python",
        )
    is_lambda = code.co_name == "<lambda>"
    scopes = [
        scope
        for scope in file.scopes(place.line)
        if (isinstance(scope.node, ast.Lambda) if is_lambda else _named(scope.node, code.co_name))
    ]
    if is_lambda and len(scopes) > 1:
        scopes = [scope for scope in scopes if _is_lambda_of(scope, code)]
    if len(scopes) != 1 and len({ast.dump(scope.node) for scope in scopes}) != 1:
        raise NoSourceError(
            "this line holds several lambdas that cannot be told apart",
            place,
            id="AG0104",
            fix="put them on lines of their own, or define them with 'def'",
        )
    return scopes[0]


def _named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == name


def _is_lambda_of(scope: _Scope, code: types.CodeType) -> bool:
    assert isinstance(scope.node, ast.Lambda)
    module = ast.Module([ast.copy_location(ast.Expr(scope.node), scope.node)], [])
    if scope.class_name is not None:  # where private names have other names
        (definition,) = ast.parse(f"class {scope.class_name}: pass").body
        assert isinstance(definition, ast.ClassDef)
        module.body, definition.body = [definition], module.body
    alone = compile(module, code.co_filename, "exec", dont_inherit=True)
    candidate = next(c for c in nested_codes(alone) if c.co_name == "<lambda>")
    return _fingerprint(candidate) == _fingerprint(code)


def _fingerprint(code: types.CodeType) -> tuple[Any, ...]:
    """What a lambda's code has in common with the same lambda compiled on its own, where names of
    enclosing functions look like globals."""
    names = {*code.co_names, *code.co_freevars, *code.co_cellvars, *code.co_varnames}
    constants = [
        _fingerprint(c) if _is_code(c) else _constant_key(c)
        for c in code.co_consts
        if _is_code(c) or "<locals>" not in str(c)
    ]
    return frozenset(names), constants, code.co_varnames, _places(code)


if sys.version_info >= (3, 11):

    def _places(code: types.CodeType) -> object:
        """Where the instructions come from, which no two lambdas share."""
        return {place for place in code.co_positions() if place[2:] not in ((0, 0), (None, None))}

else:

    def _places(code: types.CodeType) -> object:
        """Without columns, the instructions themselves, but for those that load names."""
        loads = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLOSURE", "LOAD_CONST", "BUILD_TUPLE")
        found = [i for i in dis.get_instructions(code) if i.opname not in (*loads, "MAKE_FUNCTION")]
        return [(i.opname, i.argval if i.opname == "COMPARE_OP" else None) for i in found]


def _is_code(constant: Any) -> bool:
    return isinstance(constant, types.CodeType)


def _same_code(
    code: types.CodeType, other: types.CodeType, key: Callable[[types.CodeType], Any]
) -> bool:
    if any(name.startswith("@py") for name in (*code.co_names, *code.co_varnames)):
        # pytest has rewritten the function's asserts: the rest of the source must still be in it.
        return set(other.co_varnames) <= set(code.co_varnames) and _numbers(other) <= _numbers(code)
    return key(code) == key(other)


def _numbers(code: types.CodeType) -> set[str]:
    return {repr(c) for c in code.co_consts if isinstance(c, int | float | complex)}


def _signature(code: types.CodeType) -> tuple[Any, ...]:
    constants = tuple(_signature(c) if _is_code(c) else _constant_key(c) for c in code.co_consts)
    return (
        code.co_name,
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        constants,
    )


def _constant_key(constant: Any) -> Any:
    """Equal for equal constants; ``repr`` tells 1 from 1.0 and 0.0 from -0.0, but the order of a
    frozenset is not fixed, and Python 3.10 keeps the full names of inner functions."""
    if isinstance(constant, str) and ".<locals>." in constant:
        return constant.rpartition(".<locals>.")[2]
    if isinstance(constant, frozenset):
        return frozenset(map(_constant_key, constant))
    return repr(constant)
