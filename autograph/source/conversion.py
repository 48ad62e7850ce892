"""The passes that convert a function, and the code of what they make."""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Collection, Iterator
from typing import Any

import gast

from autograph import passes
from autograph.errors import Location, UnsupportedConstructError
from autograph.passes import Observer, Pass
from autograph.source import resumption as resuming
from autograph.source.desugar.statements import Desugar
from autograph.source.load import Converted, Handled, is_inner
from autograph.source.picks import looked_up_by_ops
from autograph.source.ssa.exits import Exits
from autograph.source.ssa.ssa import Ssa
from autograph.source.ssa.versions import Namer, Version, names_in
from autograph.source.tree.build import arguments, at, function_def, is_docstring, is_native
from autograph.source.tree.context import Context
from autograph.source.tree.free import FreeVariable, Surroundings
from autograph.source.tree.global_names import assigned_globals, declare_cells
from autograph.source.tree.mangle import mangle
from autograph.source.tree.options import ConversionOptions
from autograph.source.tree.parse import FUTURE_FLAGS, Parsed
from autograph.source.tree.scopes import (
    dotted_names,
    free_reads,
    local_names,
    mark_native,
    outside_expressions,
)
from autograph.source.tree.translate import to_gast
from ops.core.records import NamedTuple

# How deep expressions may be nested, in frames of the passes.
DEEP_RECURSION = 12_000


def to_text(tree: gast.FunctionDef, file: str) -> str:
    """See `autograph.source.tree.printer`; few ask for a text."""
    from autograph.source.tree import printer

    return printer.to_text(tree, file)


def converted(
    parsed: Parsed,
    around: Surroundings,
    code: types.CodeType,
    options: ConversionOptions,
    place: int | None = None,
) -> Converted:
    """What `PASSES` make of a function, however deep it is nested.

    Args:
        place: see `autograph.source.load.convert`.
    """
    with contextlib.suppress(RecursionError):
        return _passed(parsed, around, code, options, place=place)
    try:
        with _recursion_limit(DEEP_RECURSION):
            return _passed(parsed, around, code, options, place=place)
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
    options: ConversionOptions,
    watch: Observer | None = None,
    place: int | None = None,
) -> Converted:
    tree = _as_function(to_gast(parsed.node))
    mangle(tree, parsed.class_name)
    mark_native(tree)
    context = Context(parsed.location, options)
    assigned = assigned_globals(tree)
    shared = assigned.union(options.shared).difference(around.cells)
    declare_cells(tree, assigned, () if is_inner(code) else around.cells, context)
    resumption = None
    if place is not None:
        generator = resuming.Generator(tree, context, around.is_builtin)
        tree, resumption = generator.step(place), generator.resumption
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
    conversion = _Conversion(context, around, namer, alias, captured)
    tree = passes.run(PASSES, tree, conversion, watch=watch)
    free = {
        name: FreeVariable(name, False, False) if name in shared else around.variable(name)
        for name in sorted(free_reads(tree) - {alias})
        if name in shared or not around.is_builtin(name)
    }
    global_cells = tuple(name for name in free if name in shared), tuple(sorted(assigned))
    rebound = parsed.rebound
    found = _compiled(tree, parsed.location, free, rebound, alias, mentioned, global_cells, code)
    found.resumption = resumption
    return found


def watched(
    parsed: Parsed,
    around: Surroundings,
    code: types.CodeType,
    options: ConversionOptions,
    watch: Observer,
) -> None:
    """Run `PASSES` for somebody who watches.

    Args:
        watch: is told of each of them, with texts.
    """
    with _recursion_limit(DEEP_RECURSION):
        before = to_text(_as_function(to_gast(parsed.node)), parsed.location.file)

        def tell(step: Pass, _: gast.FunctionDef, tree: gast.FunctionDef, seconds: float) -> None:
            nonlocal before
            after = to_text(tree, parsed.location.file)
            watch(step, before, after, seconds)
            before = after  # a pass may change the tree that it takes

        _passed(parsed, around, code, options, tell)


def _compiled(
    tree: gast.FunctionDef,
    location: Location,
    free: dict[str, FreeVariable],
    rebound: frozenset[str],
    ops_alias: str,
    mentioned: frozenset[tuple[str, ...]],
    global_cells: tuple[tuple[str, ...], tuple[str, ...]],
    original: types.CodeType,
) -> Converted:
    """What a converted definition is, once it is compiled.

    Args:
        original: the code of the function.
    """
    data = [name for name, variable in free.items() if variable.is_data]
    cells = list(dict.fromkeys([ops_alias, *original.co_freevars, *data, *global_cells[0]]))
    native = frozenset(
        (n.name, _first_line(n)) for n in outside_expressions([tree]) if is_native(n)
    )
    code = _compile(tree, cells, original, native)
    return Converted(
        *(tree, location, free, rebound, ops_alias, mentioned, global_cells, code, native),
        _handled(tree),
    )


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
    handlers = [h for h in node.handlers if not getattr(h, "lets_pass", False)]
    if _calls(node.finalbody) or any(handler.type is None for handler in handlers):
        return None
    return [handler.type for handler in handlers]


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
    own = code.co_qualname.replace(prefix, name, 1)
    constants: list[Any] = []
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            constant = _requalify(constant, prefix, name)
        elif isinstance(constant, str) and constant == code.co_qualname:  # of a class, in its body
            constant = own
        constants.append(constant)
    return code.replace(co_consts=tuple(constants), co_qualname=own)
