"""Converted functions, and functions made of them that run.

What converts one, `autograph.source.conversion`, is imported when that is first needed: a process
that finds all conversions on disk makes none.
"""

from __future__ import annotations

import ast
import functools
import time
import types
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import ops
from autograph.errors import Location
from autograph.log import log
from autograph.passes import Observer
from autograph.source import stored
from autograph.source.forwarding import forwarding
from autograph.source.tree.free import Always, FreeVariable, Lookup, Surroundings
from autograph.source.tree.libraries import is_plain_of_ours
from autograph.source.tree.options import PLAIN, ConversionOptions
from autograph.source.tree.parse import Parsed, nested_codes, parse
from autograph.source.tree.places import GlobalVariable, place_of
from ops.core.lazy import lazy
from ops.core.locks import lock_over_forks
from ops.core.records import NamedTuple

if TYPE_CHECKING:
    import gast

# All by the identity of a code object, since those that look alike compare equal; see `note`.
_parsed: dict[int, Parsed] = {}
_only_called: dict[int, frozenset[str]] = {}

# Functions that see the variables of those that call them.
SEE_VARIABLES = frozenset({"locals", "vars", "eval", "exec", "dir"})
_converted: dict[int, dict[tuple[Any, ...], Converted]] = {}
# Those that are on disk.
_stored: dict[int, dict[ConversionOptions, stored.StoredConversion | None]] = {}
# Of code that was compiled from converted source: the bodies of ``try`` statements that do
# something if an exception is raised in them.
_compiled: dict[int, list[Handled]] = {}
# Of the generators and methods that converted source defines: these are not converted themselves.
_inner: dict[int, bool] = {}

# Of functions that run as they are, see `autograph.source.unconverted`.
in_generators: dict[int, list[Handled]] = {}


class Resumption(NamedTuple):
    """How a generator function is cut at its yields, see `autograph.source.resumption`.

    Attributes:
        params: the names of the parameters.
        needs: for each yield, the names of what the step needs that begins there.
    """

    params: tuple[str, ...]
    needs: tuple[tuple[str, ...], ...]


class Handled(NamedTuple):
    """The body of a ``try`` statement, or of a ``with`` statement like one.

    Attributes:
        first, last: its lines.
        kinds: the expressions for the classes of exceptions that are handled; None for all.
        is_manager: whether this is for a context manager that may do something then, whatever.
        is_final: whether this is for a ``finally``, which lets exceptions pass.
    """

    first: int
    last: int
    kinds: list[gast.AST] | None
    is_manager: bool = False
    is_final: bool = False


_importing = lock_over_forks()  # a process that is forked meanwhile could never import it


@functools.cache
def conversion() -> types.ModuleType:
    """The module `autograph.source.conversion`."""
    with _importing:
        from autograph.source import conversion

        return conversion


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
        shared: the global variables that the source has as cells.
        assigned: those that it assigns.
        mentioned: the dotted names in the source that begin with a free variable or a built-in.
        resumption: of a step of a generator, how that is cut.
    """

    resumption: Resumption | None = None

    def __init__(
        self,
        tree: gast.FunctionDef | None,
        location: Location,
        free: dict[str, FreeVariable],
        rebound: frozenset[str],
        ops_alias: str,
        mentioned: frozenset[tuple[str, ...]],
        global_cells: tuple[tuple[str, ...], tuple[str, ...]],
        code: types.CodeType,
        native: frozenset[tuple[str, int]],
        handled: Mapping[str, list[Handled]] = {},
    ):
        self.tree = tree
        self.location = location
        self.free = free
        self.rebound = rebound
        self.mentioned = mentioned
        self.shared, self.assigned = global_cells
        self._ops_alias = ops_alias
        self._code = code
        self._native = native
        self.handled = handled
        for inner in nested_codes(code, native):
            name = tree.name if tree is not None and inner is code else inner.co_name
            note(_compiled, inner, self.handled.get(name, []))
        for inner in nested_codes(code):
            if id(inner) not in _compiled:
                note(_inner, inner, True)

    def stored(self, answers: Mapping[tuple[str, Any], Any]) -> stored.StoredConversion:
        """What is written of it, with what was asked for it, see `autograph.source.stored`."""
        return stored.StoredConversion(
            *(self.location, self.free, self.rebound, self._ops_alias, self.mentioned),
            *((self.shared, self.assigned), self._code, self._native),
            tuple((*question, _plain(answer)) for question, answer in answers.items()),
        )

    @lazy
    def text(self) -> str:
        """The converted source."""
        assert self.tree is not None  # see `text_of`
        return conversion().to_text(self.tree, self.location.file)

    def bindings(self, function: types.FunctionType) -> Iterator[tuple[str, bool, Lookup | Always]]:
        """The free variables of ``function``: for each its name, whether it holds data or may be
        assigned, and how to get what it holds now; of global variables that are cells, which place
        that is. Without those of converted source around it."""
        around, inside = Surroundings(function, (), ops), is_inner(function.__code__)
        for name, variable in self.free.items():
            if inside and variable.is_cell:
                continue
            if name in self.shared:
                yield name, True, Always(place_of(GlobalVariable, function.__globals__, name))
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
                variable that holds data, or a default, and the cell for one that may be assigned,
                that of a closure or a `NamedPlace`; it is called once for each of them, but not for
                what converted source has made.
            given: gives the cell that the source shall see for a free variable that is an input of
                the graph; None for others.
        """
        around, inside = Surroundings(function, (), ops), is_inner(function.__code__)

        def cell(name: str) -> types.CellType:
            if name == self._ops_alias:
                return types.CellType(ops)
            if inside and name in around.cells:
                return around.cells[name]
            if name in self.shared:
                return lookup(name, place_of(GlobalVariable, function.__globals__, name))
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


def convert(
    function: Callable[..., Any], options: ConversionOptions = PLAIN, place: int | None = None
) -> Converted:
    """Convert a function; once for each code object and kinds of its free variables.

    Args:
        function: a Python function. Of a method, the underlying function.
        options: how it is converted.
        place: of a generator function, where the step begins that is converted; see
            `autograph.source.resumption`.

    Raises:
        NoSourceError: it has no source file.
        ChangedSourceError: the file has changed since the function was made.
        GeneratorFunctionError: it is a generator or a coroutine.
        UnsupportedConstructError: it contains something that cannot be converted.
    """
    code = getattr(function, "__code__", None)
    is_cut = place is not None
    on_disk = None
    if isinstance(code, types.CodeType) and not is_cut:
        on_disk = _on_disk(code, options)
    rebound = parse_once(function, is_cut).rebound if on_disk is None else on_disk.rebound
    around = stored.AskedSurroundings(function, rebound, ops)
    code = function.__code__
    names = {name for inner in nested_codes(code) for name in (*inner.co_names, *inner.co_freevars)}
    key = (options, place, *((name, around.kind(name)) for name in sorted(names)))
    known = _converted.get(id(code))
    if known is None:
        known = note(_converted, code, {})
    if key not in known:
        if on_disk is not None and on_disk.fits(around):
            known[key] = Converted(None, *on_disk[:-1])
            return known[key]
        start = time.perf_counter()
        parsed = parse_once(function, is_cut)
        around = stored.AskedSurroundings(function, rebound, ops)
        known[key] = found = conversion().converted(parsed, around, code, options, place)
        elapsed = 1e3 * (time.perf_counter() - start)
        log.info("%s (%s): converted in %.1f ms", code.co_name, parsed.location, elapsed)
        if not (found.handled or is_inner(code) or is_cut):
            stored.store(code, options, found.stored(around.answers))
    return known[key]


def text_of(function: Callable[..., Any], options: ConversionOptions = PLAIN) -> str:
    """The converted source of a function, which is converted anew if that was on disk."""
    found = convert(function, options)
    if found.tree is None:
        parsed = parse_once(function)
        around = Surroundings(function, parsed.rebound, ops)
        found.tree = conversion().converted(parsed, around, function.__code__, options).tree
    return found.text


def _on_disk(code: types.CodeType, options: ConversionOptions) -> stored.StoredConversion | None:
    """The conversion of code that has not been parsed here, if it is on disk."""
    known = _stored.get(id(code))
    if known is None:
        known = note(_stored, code, {})
    if options not in known:
        is_new = id(code) not in _parsed and not is_converted(code)
        known[options] = stored.load(code, options) if is_new else None
    return known[options]


def watched(function: Callable[..., Any], options: ConversionOptions, watch: Observer) -> None:
    """Convert a function once more, for somebody who watches.

    Args:
        function, handling: as for `convert`.
        watch: is told of each of `autograph.source.conversion.PASSES`, with texts.
    """
    parsed = parse_once(function)
    around = Surroundings(function, parsed.rebound, ops)
    conversion().watched(parsed, around, function.__code__, options, watch)


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
    return parse_once(function).rebound if found is None else found.rebound


def only_called(function: types.FunctionType) -> frozenset[str]:
    """The names in a function's source that stand for what is called there, and for nothing else:
    whether that is this or another function which does the same, nobody can tell."""
    code = function.__code__
    found = _only_called.get(id(code))
    if found is None:
        nodes = list(ast.walk(parse_once(function).node))
        called = {id(node.func): node.func for node in nodes if isinstance(node, ast.Call)}
        names = [node for node in nodes if isinstance(node, ast.Name)]
        others = {node.id for node in names if id(node) not in called}
        found = frozenset(node.id for node in names) - others
        found = frozenset() if found & SEE_VARIABLES else found
        note(_only_called, code, found)
    return found


def is_inner(code: types.CodeType) -> bool:
    """Whether a code object is that of a generator or method that converted source defines. What it
    captures is what the converted source around it sees."""
    return id(code) in _inner


def may_handle_something(code: types.CodeType) -> bool:
    """Whether `handled_at` or `handled_by_generators` has anything for a line of code: to find the
    line that a frame is at takes longer than this."""
    place = id(code)
    return bool(_compiled.get(place) or in_generators.get(place))


def handled_by_generators(code: types.CodeType, line: int) -> list[Handled]:
    """Those around a line of a function that `autograph.source.unconverted` was asked about."""
    return [h for h in in_generators.get(id(code), ()) if h.first <= line <= h.last]


def handled_at(code: types.CodeType, line: int) -> list[Handled]:
    """The ``try`` statements, innermost last, around a line of converted code that do something if
    an exception is raised there: they may handle it, or their ``finally`` calls functions."""
    return [h for h in _compiled.get(id(code), ()) if h.first <= line <= h.last]


def parse_once(function: Callable[..., Any], is_cut: bool = False) -> Parsed:
    """What `parse` finds; once for each code object."""
    code: Any = getattr(function, "__code__", None)
    found = _parsed.get(id(code))
    return found or note(_parsed, code, parse(function, is_inner(code), is_cut))


def _plain(answer: Any) -> Any:
    return tuple(answer) if isinstance(answer, tuple) else answer
