"""From a function to its converted form, and from that to functions that run."""

from __future__ import annotations

import ast
import contextlib
import sys
import time
import types
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

import gast

import ops
from autograph import passes
from autograph.errors import Location, UnsupportedConstructError
from autograph.log import log
from autograph.passes import Observer, Pass
from autograph.source import stored
from autograph.source.desugar.statements import Desugar
from autograph.source.forwarding import forwarding
from autograph.source.picks import looked_up_by_ops
from autograph.source.ssa.exits import Exits
from autograph.source.ssa.ssa import Ssa
from autograph.source.ssa.versions import Namer, Version, names_in
from autograph.source.tree.build import arguments, at, function_def, is_docstring, is_native
from autograph.source.tree.context import Context
from autograph.source.tree.free import FreeVariable, Lookup, Surroundings
from autograph.source.tree.libraries import is_plain_of_ours
from autograph.source.tree.mangle import mangle
from autograph.source.tree.parse import FUTURE_FLAGS, Parsed, nested_codes, parse
from autograph.source.tree.printer import to_text
from autograph.source.tree.scopes import (
    dotted_names,
    free_reads,
    local_names,
    mark_native,
    outside_expressions,
)
from ops.core.lazy import lazy

# How deep expressions may be nested, in frames of the passes.
DEEP_RECURSION = 12_000

# All by the identity of a code object, since those that look alike compare equal; see `note`.
_parsed: dict[int, Parsed] = {}
_only_called: dict[int, frozenset[str]] = {}

_SEE_VARIABLES = frozenset({"locals", "vars", "eval", "exec", "dir"})
_converted: dict[int, dict[tuple[Any, ...], Converted]] = {}
_stored: dict[int, dict[bool, stored.StoredConversion | None]] = {}  # those that are on disk
# Of code that was compiled from converted source: the bodies of ``try`` statements that do
# something if an exception is raised in them.
_compiled: dict[int, list[Handled]] = {}
# Of the generators and methods that converted source defines: these are not converted themselves.
_inner: dict[int, bool] = {}


class Handled(NamedTuple):
    """The body of a ``try`` statement, or of a ``with`` statement like one.

    Attributes:
        first, last: its lines.
        kinds: the expressions for the classes of exceptions that are handled; None for all.
        is_manager: whether this is for a context manager that may do something then, whatever.
    """

    first: int
    last: int
    kinds: list[gast.AST] | None
    is_manager: bool = False


def note(table: dict[int, Any], code: types.CodeType, entry: Any) -> Any:
    """Keep something about a code object for as long as that lives: what was found out about
    functions that are gone would fill the memory, and their identities may be those of others."""
    if id(code) not in table:
        weakref.finalize(code, table.pop, id(code), None).atexit = False
    table[id(code)] = entry
    return entry


class Converted:
    """The converted form of a function.

    Attributes:
        location: where the definition of the original begins.
        free: the variables that the source reads from around it, by name, without built-ins.
        rebound: the closure variables that may be assigned at any time, also by others.
        tree: the converted definition, as it was compiled but for reads of elements; see
            `autograph.source.picks`. None for what was on disk.
        handled: for the functions in it, by name, the `Handled` in them.
        mentioned: the dotted names in the source that begin with a free variable or a built-in.
    """

    def __init__(
        self,
        tree: gast.FunctionDef | None,
        location: Location,
        free: dict[str, FreeVariable],
        rebound: frozenset[str],
        ops_alias: str,
        mentioned: frozenset[tuple[str, ...]],
        code: types.CodeType,
        native: frozenset[tuple[str, int]],
    ):
        self.tree = tree
        self.location = location
        self.free = free
        self.rebound = rebound
        self.mentioned = mentioned
        self._ops_alias = ops_alias
        self._code = code
        self._native = native
        self.handled = {} if tree is None else _handled(tree)
        for inner in nested_codes(code, native):
            name = tree.name if tree is not None and inner is code else inner.co_name
            note(_compiled, inner, self.handled.get(name, []))
        for inner in nested_codes(code):
            if id(inner) not in _compiled:
                note(_inner, inner, True)

    @classmethod
    def of(
        cls,
        tree: gast.FunctionDef,
        location: Location,
        free: dict[str, FreeVariable],
        rebound: frozenset[str],
        ops_alias: str,
        mentioned: frozenset[tuple[str, ...]],
        original: types.CodeType,
    ) -> Converted:
        """What a converted definition is, once it is compiled.

        Args:
            original: the code of the function.
        """
        data = [name for name, variable in free.items() if variable.is_data]
        cells = list(dict.fromkeys([ops_alias, *original.co_freevars, *data]))
        native = frozenset(
            (n.name, _first_line(n)) for n in outside_expressions([tree]) if is_native(n)
        )
        code = _compile(tree, cells, original, native)
        return cls(tree, location, free, rebound, ops_alias, mentioned, code, native)

    def stored(self, answers: Mapping[tuple[str, Any], Any]) -> stored.StoredConversion:
        """What is written of it, with what was asked for it, see `autograph.source.stored`."""
        return stored.StoredConversion(
            *(self.location, self.free, self.rebound, self._ops_alias, self.mentioned),
            *(self._code, self._native),
            tuple((*question, _plain(answer)) for question, answer in answers.items()),
        )

    @lazy
    def text(self) -> str:
        """The converted source."""
        assert self.tree is not None  # see `text_of`
        return to_text(self.tree, self.location.file)

    def bindings(self, function: types.FunctionType) -> Iterator[tuple[str, bool, Lookup]]:
        """The free variables of ``function``: for each its name, whether it holds data or may be
        assigned, and how to get what it holds now. Without those of converted source around it."""
        around, inside = Surroundings(function, (), ops), is_inner(function.__code__)
        for name, variable in self.free.items():
            if inside and variable.is_cell:
                continue
            rebound = variable.is_cell and name in self.rebound
            yield name, variable.is_data or rebound, around.lookup(name)

    def instantiate(
        self,
        function: types.FunctionType,
        lookup: Callable[[str, Any], Any],
        given: Callable[[Lookup], types.CellType | None] = lambda variable: None,
    ) -> types.FunctionType:
        """Make a function that runs the converted source.

        Args:
            function: the original, or another closure of the same code.
            lookup: ``lookup(name, value)`` gives the value that the source shall see for a free
                variable that holds data, or a default, and the cell for one that may be assigned;
                it is called once for each of them, but not for what converted source has made.
            given: gives the cell that the source shall see for a free variable that is an input of
                the graph; None for others.
        """
        around, inside = Surroundings(function, (), ops), is_inner(function.__code__)

        def cell(name: str) -> types.CellType:
            if name == self._ops_alias:
                return types.CellType(ops)
            if inside and name in around.cells:
                return around.cells[name]
            if (input_cell := given(around.lookup(name))) is not None:
                return input_cell
            if name in self.free and self.free[name].is_data:
                return types.CellType(lookup(name, around.value(name)))
            if name in self.rebound:
                return lookup(name, around.cells[name])
            return around.cells[name]

        def default(name: str, value: Any) -> Any:
            return value if inside else lookup(name, value)

        made = types.FunctionType(
            self._code,
            function.__globals__,
            function.__name__,
            function.__defaults__ and tuple(default("default", v) for v in function.__defaults__),
            tuple(map(cell, self._code.co_freevars)),
        )
        made.__kwdefaults__ = function.__kwdefaults__ and {
            name: default(name, v) for name, v in function.__kwdefaults__.items()
        }
        made.__annotations__ = function.__annotations__
        made.__qualname__ = function.__qualname__
        made.__doc__ = function.__doc__
        made.__module__ = function.__module__
        made.__dict__.update(function.__dict__)
        return made


def convert(function: Callable[..., Any], handling: bool = False) -> Converted:
    """Convert a function; once for each code object and kinds of its free variables.

    Args:
        function: a Python function. Of a method, the underlying function.
        handling: whether the program handles exceptions; see `autograph.source.desugar.handlers`.

    Raises:
        NoSourceError: it has no source file.
        ChangedSourceError: the file has changed since the function was made.
        GeneratorFunctionError: it is a generator or a coroutine.
        UnsupportedConstructError: it contains something that cannot be converted.
    """
    code = getattr(function, "__code__", None)
    on_disk = _on_disk(code, handling) if isinstance(code, types.CodeType) else None
    rebound = _parse_once(function).rebound if on_disk is None else on_disk.rebound
    around = stored.AskedSurroundings(function, rebound, ops)
    code = function.__code__
    names = {name for inner in nested_codes(code) for name in (*inner.co_names, *inner.co_freevars)}
    key = (handling, *((name, around.kind(name)) for name in sorted(names)))
    known = _converted.get(id(code))
    if known is None:
        known = note(_converted, code, {})
    if key not in known:
        if on_disk is not None and on_disk.fits(around):
            known[key] = Converted(None, *on_disk[:-1])
            return known[key]
        start = time.perf_counter()
        parsed = _parse_once(function)
        around = stored.AskedSurroundings(function, rebound, ops)
        known[key] = found = _convert(parsed, around, code, handling)
        elapsed = 1e3 * (time.perf_counter() - start)
        log.info("%s (%s): converted in %.1f ms", code.co_name, parsed.location, elapsed)
        if not (found.handled or is_inner(code)):
            stored.store(code, handling, found.stored(around.answers))
    return known[key]


def text_of(function: Callable[..., Any], handling: bool = False) -> str:
    """The converted source of a function, which is converted anew if that was on disk."""
    found = convert(function, handling)
    if found.tree is None:
        parsed = _parse_once(function)
        around = Surroundings(function, parsed.rebound, ops)
        found.tree = _convert(parsed, around, function.__code__, handling).tree
    return found.text


def _on_disk(code: types.CodeType, handling: bool) -> stored.StoredConversion | None:
    """The conversion of code that has not been parsed here, if it is on disk."""
    known = _stored.get(id(code))
    if known is None:
        known = note(_stored, code, {})
    if handling not in known:
        is_new = id(code) not in _parsed and not is_converted(code)
        known[handling] = stored.load(code, handling) if is_new else None
    return known[handling]


def watched(function: Callable[..., Any], handling: bool, watch: Observer) -> None:
    """Convert a function once more, for somebody who watches.

    Args:
        function, handling: as for `convert`.
        watch: is told of each of `PASSES`, with texts.
    """
    parsed = _parse_once(function)
    around = Surroundings(function, parsed.rebound, ops)
    with _recursion_limit(DEEP_RECURSION):
        before = to_text(_as_function(parsed.tree()), parsed.location.file)

        def tell(step: Pass, _: gast.FunctionDef, tree: gast.FunctionDef, seconds: float) -> None:
            nonlocal before
            after = to_text(tree, parsed.location.file)
            watch(step, before, after, seconds)
            before = after  # a pass may change the tree that it takes

        _passed(parsed, around, function.__code__, handling, tell)


def definition(function: Callable[..., Any]) -> Location | None:
    """Where a function is defined; None if it only forwards to a library's.

    A function that cannot be converted is refused, as by `convert`, unless one of the same code
    could be.
    """
    code = function.__code__ if isinstance(function, types.FunctionType) else None
    if code is forwarding(len).__code__:
        return None
    if code is not None and is_converted(code):
        return Location(code.co_filename, code.co_firstlineno, None, code.co_name)
    for known in _converted.get(id(code), {}).values():
        return known.location
    return convert(function).location


def is_converted(code: types.CodeType) -> bool:
    """Whether a code object was compiled from converted source; also those of inner functions."""
    return id(code) in _compiled


def converted_frame(frame: types.FrameType | None) -> types.FrameType | None:
    """``frame``, or the nearest of its callers, that runs converted code of the user's; of this
    package's methods only if nothing else does."""
    ours = None
    while frame is not None:
        if id(frame.f_code) in _compiled:
            if not is_plain_of_ours(frame.f_globals.get("__name__", "")):
                return frame
            ours = ours or frame
        frame = frame.f_back
    return ours


def assigned_elsewhere(function: types.FunctionType) -> frozenset[str]:
    """The closure variables that may be assigned at any time, also by other functions."""
    known = _stored.get(id(function.__code__), {}).values()
    found = next((conversion for conversion in known if conversion is not None), None)
    return _parse_once(function).rebound if found is None else found.rebound


def only_called(function: types.FunctionType) -> frozenset[str]:
    """The names in a function's source that stand for what is called there, and for nothing else:
    whether that is this or another function which does the same, nobody can tell."""
    code = function.__code__
    found = _only_called.get(id(code))
    if found is None:
        nodes = list(ast.walk(_parse_once(function).node))
        called = {id(node.func): node.func for node in nodes if isinstance(node, ast.Call)}
        names = [node for node in nodes if isinstance(node, ast.Name)]
        others = {node.id for node in names if id(node) not in called}
        found = frozenset(node.id for node in names) - others
        found = frozenset() if found & _SEE_VARIABLES else found
        note(_only_called, code, found)
    return found


def is_inner(code: types.CodeType) -> bool:
    """Whether a code object is that of a generator or method that converted source defines. What it
    captures is what the converted source around it sees."""
    return id(code) in _inner


def _handled(tree: gast.FunctionDef) -> dict[str, list[Handled]]:
    """For the functions in converted source the `Handled` in them, without those of functions
    inside. A line may be in several functions, of which one is in a ``try``."""
    found: dict[str, list[Handled]] = {}
    pending: list[tuple[str, gast.AST]] = [(tree.name, tree)]
    while pending:
        owner, node = pending.pop()
        if isinstance(node, gast.FunctionDef):
            owner = node.name
        tries = isinstance(node, gast.Try) and (node.handlers or _calls(node.finalbody))
        if tries or (isinstance(node, gast.With) and any(map(_suppresses, node.items))):
            last = max(inner.end_lineno for inner in node.body)
            one = Handled(node.body[0].lineno, last, _kinds(node))
            found.setdefault(owner, []).append(one)
        elif isinstance(node, gast.With) and getattr(node, "swallows", True):  # in a generator, say
            last = max(inner.end_lineno for inner in node.body)
            found.setdefault(owner, []).append(Handled(node.body[0].lineno, last, None, True))
        # What is looked for are statements, and there are none in expressions.
        inside = (
            child for child in gast.iter_child_nodes(node) if not isinstance(child, gast.expr)
        )
        pending += [(owner, child) for child in inside]
    return found


def _kinds(node: gast.AST) -> list[gast.AST] | None:
    """What of `Handled`."""
    if isinstance(node, gast.With):
        calls = [item.context_expr for item in node.items if _suppresses(item)]
        kinds = [kind for call in calls for kind in call.args[1:]]  # behind `contextlib.suppress`
        return None if any(call.keywords for call in calls) else kinds
    if _calls(node.finalbody) or any(handler.type is None for handler in node.handlers):
        return None
    return [handler.type for handler in node.handlers]


def _suppresses(item: gast.withitem) -> bool:
    """Whether a context manager is made by `contextlib.suppress`."""
    call = item.context_expr
    called = call.args[0] if isinstance(call, gast.Call) and call.args else None
    name = getattr(called, "attr", None) or getattr(called, "id", None)
    return name == "suppress"


def _calls(statements: list[gast.AST]) -> bool:
    """Whether some converted statements call functions of the user's."""
    nodes = (node for statement in statements for node in gast.walk(statement))
    calls = (node.func for node in nodes if isinstance(node, gast.Call))
    return any(isinstance(called, gast.Attribute) and called.attr == "call" for called in calls)


def handled_at(code: types.CodeType, line: int) -> list[Handled]:
    """The ``try`` statements, innermost last, around a line of converted code that do something if
    an exception is raised there: they may handle it, or their ``finally`` calls functions."""
    return [h for h in _compiled.get(id(code), ()) if h.first <= line <= h.last]


def _parse_once(function: Callable[..., Any]) -> Parsed:
    code: Any = getattr(function, "__code__", None)
    found = _parsed.get(id(code))
    return found or note(_parsed, code, parse(function, is_inner(code)))


def _convert(
    parsed: Parsed, around: Surroundings, code: types.CodeType, handling: bool
) -> Converted:
    """What `PASSES` make of a function, however deep it is nested."""
    with contextlib.suppress(RecursionError):
        return _passed(parsed, around, code, handling)
    try:
        with _recursion_limit(DEEP_RECURSION):
            return _passed(parsed, around, code, handling)
    except RecursionError:
        raise UnsupportedConstructError(
            "the source is nested too deeply to be taken apart",
            parsed.location,
            id="AG0105",
            fix="split its longest expression into several statements",
        ) from None


@contextlib.contextmanager
def _recursion_limit(limit: int) -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, limit))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Conversion(NamedTuple):
    """What the passes of a function's source may ask for besides its tree."""

    context: Context
    around: Surroundings
    namer: Namer
    alias: str
    captured: dict[str, Version]


def _desugar(tree: gast.FunctionDef, conversion: _Conversion) -> gast.FunctionDef:
    return Desugar(conversion.context, conversion.around).function(tree)


def _exits(tree: gast.FunctionDef, conversion: _Conversion) -> gast.FunctionDef:
    return Exits(conversion.context).function(tree)


def _ssa(tree: gast.FunctionDef, conversion: _Conversion) -> gast.FunctionDef:
    context, _, namer, alias, captured = conversion
    return Ssa(context, namer, alias, tree).function(captured)


PASSES = (
    Pass("desugar", "sugar becomes core constructs", _desugar),
    Pass("exits", "break, continue and return become values", _exits),
    Pass("ssa", "variables are assigned once, control flow becomes calls of ops", _ssa),
)


def _passed(
    parsed: Parsed,
    around: Surroundings,
    code: types.CodeType,
    handling: bool,
    watch: Observer | None = None,
) -> Converted:
    tree = _as_function(parsed.tree())
    mangle(tree, parsed.class_name)
    mark_native(tree)
    names = names_in(tree)
    namer = Namer(names)
    alias = namer.unused("ops", "ag_ops")
    local = local_names(tree)
    if "ops" not in local and around.means_operators("ops"):
        alias = "ops"
    mentioned = frozenset(path for path in dotted_names(tree) if path[0] not in local)
    # Converted source around it may have left what it captures unassigned.
    around_it = code.co_freevars if is_inner(code) else ()
    captured = {name: Version(name, maybe=True) for name in around_it}
    context = Context(parsed.location, handling)
    conversion = _Conversion(context, around, namer, alias, captured)
    tree = passes.run(PASSES, tree, conversion, watch=watch)
    free = {
        name: around.variable(name)
        for name in sorted(free_reads(tree) - {alias})
        if not around.is_builtin(name)
    }
    return Converted.of(tree, parsed.location, free, parsed.rebound, alias, mentioned, code)


def _plain(answer: Any) -> Any:
    return tuple(answer) if isinstance(answer, tuple) else answer


def _first_line(node: gast.AST) -> int:
    return min(part.lineno for part in (*node.decorator_list, node))


def _as_function(tree: gast.FunctionDef | gast.Lambda) -> gast.FunctionDef:
    """The definition without decorators and docstring; that of a lambda is a function that returns
    its body."""
    if isinstance(tree, gast.Lambda):
        body: list[gast.AST] = [at(gast.Return(tree.body), tree.body)]
        return at(function_def("lambda_0", tree.args, body), tree)
    tree.decorator_list = []
    if is_docstring(tree.body[0]):
        del tree.body[0]
    return tree


def _compile(
    tree: gast.FunctionDef,
    cells: list[str],
    original: types.CodeType,
    native: Collection[tuple[str, int]],
) -> types.CodeType:
    """The code of a converted function, with some names as closure variables, the first of them
    the module of operators.

    Args:
        native: the names and first lines of the definitions in it that stay as they are.
    """
    # Under a name that no source can contain: the function's own name, in its body, is a global or
    # a closure variable of the original, not this definition.
    name, tree.name = tree.name, f"{tree.name}."
    factory = at(function_def("factory", arguments(cells), [tree]), tree)
    flags = original.co_flags & FUTURE_FLAGS
    plain = looked_up_by_ops(gast.Module([factory], []), cells[0], native)
    compiled = compile(plain, original.co_filename, "exec", flags=flags, dont_inherit=True)
    outer = _inner_code(compiled, "factory")
    code = _inner_code(outer, tree.name)
    prefix = f"factory.<locals>.{tree.name}"
    tree.name = name
    return _rename(code, original, prefix)


def _inner_code(code: types.CodeType, name: str) -> types.CodeType:
    codes = [c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name]
    return codes[-1]


def _rename(code: types.CodeType, original: types.CodeType, prefix: str) -> types.CodeType:
    """Give a code object the name of the original, and those in it the names that follow."""
    code = code.replace(co_name=original.co_name)
    if sys.version_info >= (3, 11):
        code = _requalify(code, prefix, original.co_qualname)
    return code


def _requalify(code: types.CodeType, prefix: str, name: str) -> types.CodeType:
    constants = tuple(
        _requalify(c, prefix, name) if isinstance(c, types.CodeType) else c for c in code.co_consts
    )
    return code.replace(co_consts=constants, co_qualname=code.co_qualname.replace(prefix, name, 1))
