"""Imports run one way: in no circle, at the top of modules, and down the list of layers."""

import ast
import functools
from collections import defaultdict
from typing import NamedTuple

from tests.support.tree import ROOT

# From the top to the ground. A module belongs to the line with the longest name that its own begins
# with, and imports from that line and those below it.
LAYERS = (
    ("autograph",),
    ("autograph.export", "autograph.nn", "autograph.optim", "autograph.train"),
    ("autograph.api", "autograph.solvers", "autograph.tree"),  # what users call
    ("autograph.api.recording",),
    ("autograph.api.saving",),
    ("autograph.api.calls",),
    (
        "autograph.api.pipeline",
        "autograph.api.kept",
        "autograph.api.machine",
        "autograph.api.type_parameters",
    ),
    ("autograph.parallel",),
    ("autograph.staging",),
    ("autograph.staging.calls",),
    ("autograph.staging.python",),
    ("autograph.staging.control",),
    ("autograph.staging.border",),
    ("autograph.staging.joins",),
    ("autograph.staging.classes",),
    ("autograph.staging.containers",),
    ("autograph.staging.sequences",),
    ("autograph.staging.lists",),
    ("autograph.staging.values",),
    ("autograph.staging.arrays",),
    ("autograph.staging.ground",),
    ("autograph.transforms",),
    ("autograph.transforms.lanes",),
    ("autograph.transforms.batching",),
    ("autograph.transforms.forward",),
    ("autograph.transforms.reverse",),
    ("autograph.transforms.simplify",),
    ("autograph.transforms.analysis",),
    ("autograph.transforms.sparsity",),
    ("autograph.codegen",),
    ("autograph.kernels",),
    ("autograph.kernels.selection",),
    ("autograph.kernels.lowering",),
    ("autograph.kernels.c",),
    ("autograph.kernels.cuda",),
    ("autograph.kernels.native",),
    ("autograph.kernels.llvm",),
    ("autograph.kernels.passes",),
    ("autograph.kernels.mathematics",),
    ("autograph.kernels.ir",),
    ("autograph.kernels.floating_errors",),
    ("autograph.kernels.effects",),
    ("autograph.kernels.by_python",),
    ("autograph.source",),
    ("autograph.source.ssa",),
    ("autograph.source.desugar",),
    ("autograph.source.tree",),
    ("autograph.graph",),
    ("autograph.backends",),
    ("autograph.colouring",),
    ("autograph.parallel.nccl",),
    ("autograph.parallel.mpi",),
    ("autograph.versions",),
    ("autograph.cache",),
    ("autograph.log", "autograph.settings", "autograph.passes", "autograph.closure"),
    ("autograph.errors", "autograph.signals", "autograph.checkpoint_policies"),
    ("autograph.html", "autograph.installation", "autograph.nonfinite", "autograph.places"),
    ("autograph.collector", "autograph.leaving"),
    ("ops",),
    ("ops.nn", "ops.linalg", "ops.random", "ops.signal", "ops.statistics", "ops.polynomials"),
    ("ops.names",),
    ("ops.shapes",),
    ("ops.order",),
    ("ops.numbers",),
    ("ops.special",),
    ("ops.control",),
    ("ops.arrays",),
    ("ops.elementwise",),
    ("ops.structure",),
    ("ops.core",),
)

# What `import autograph` leaves for later.
LATER = {
    *("autograph.export", "autograph.interop", "autograph.nn", "autograph.optim"),
    *("autograph.train", "autograph.train.loss_scale", "autograph.debug"),
    "autograph.tree",
    *("autograph.api.callbacks", "autograph.api.precision", "autograph.api.vmap"),
    *("autograph.api.derivatives.checking", "autograph.api.derivatives.checkpointing"),
    *("autograph.api.derivatives.custom", "autograph.api.derivatives.jacobians"),
    "autograph.api.derivatives.pullbacks",
    *("autograph.api.derivatives.linearization", "autograph.api.derivatives.tangents"),
    "autograph.parallel.specs",
    *("autograph.api.implicit", "autograph.api.odeint", "autograph.api.pmap"),
    *("autograph.api.quantize", "autograph.api.shard_map"),
    *("autograph.api.derivatives.expectations", "autograph.api.derivatives.patterns"),
    *("autograph.api.derivatives.sparse", "autograph.parallel.mesh", "autograph.parallel.sharded"),
}

# Imports that stand in functions, and why.
INSIDE = {
    **{("autograph", name): "imported when it is first asked for" for name in sorted(LATER)},
    ("autograph.api.calls.compiled", "autograph.api.calls.drawing"): "few draw random numbers",
    ("autograph.api.calls.compiled", "autograph.api.calls.exceptions"): "few calls raise",
    ("autograph.api.calls.compiled", "autograph.api.calls.list_arguments"): "few take lists",
    ("autograph.api.calls.compiled", "autograph.api.calls.on_device"): "only for a device",
    ("autograph.api.calls.compiled", "autograph.api.calls.replays"): "few calls raise",
    ("autograph.api.recording.cached", "autograph.api.calls.replays"): "few calls raise",
    ("autograph.staging.trace", "autograph.staging.border.raised_contents"): "few recordings raise",
    (
        "autograph.api.recording.cached",
        "autograph.api.recording.given_functions",
    ): "few take functions",
    ("autograph.api.recording.cached", "autograph.api.recording.refusals"): "few are refused",
    ("autograph.api.recording.cached", "autograph.api.recording.refused_calls"): "few are refused",
    ("autograph.staging.sequences.lookups", "autograph.staging.sequences.gathered"): "few need it",
    (
        "autograph.api.recording.latest_calls",
        "autograph.api.recording.object_calls",
    ): "few take objects",
    (
        "autograph.api.recording.latest_calls",
        "autograph.api.recording.place_calls",
    ): "few assign such",
    ("autograph.api.recording.latest_calls", "autograph.api.recording.row_calls"): "few take rows",
    (
        "autograph.staging.lists.given_rows",
        "autograph.kernels.native.number_lists",
    ): "few take rows",
    (
        "autograph.api.recording.compiled_forms",
        "autograph.api.recording.drift",
    ): "if nothing is compiled",
    ("autograph.api.recording.recorded", "autograph.api.recording.ways"): "if nothing is recorded",
    ("autograph.api.calls.compiled", "autograph.api.calls.gathered_calls"): "few have objects",
    ("autograph.api.function", "autograph.api.explaining"): "all would wait for what few need",
    ("autograph.api.function", "autograph.api.profiling"): "as above",
    ("autograph.api.function", "autograph.api.stages"): "as above",
    ("autograph.api.function", "autograph.api.recording.forms_ahead"): "as above",
    ("autograph.api.methods", "autograph.api.explaining"): "as above",
    ("autograph.api.methods", "autograph.api.profiling"): "as above",
    (
        "autograph.api.derivatives.gradients",
        "autograph.api.derivatives.recorded_gradients",
    ): "if no gradient is recorded",
    ("autograph.transforms.lanes.presence", "autograph.transforms.lanes.node"): "if there are any",
    ("autograph.graph.graph", "autograph.graph.drawing"): "for notebooks only",
    ("autograph.api.pipeline", "autograph.kernels.pieces"): "needed for a GPU",
    ("autograph.kernels.cuda", "autograph.kernels.cuda.capturable"): "needed for a GPU",
    ("autograph.kernels.cuda", "autograph.kernels.cuda.device_numbers"): "needed for a GPU",
    ("autograph.kernels.cuda", "autograph.kernels.cuda.function"): "needed where there is a GPU",
    ("autograph.kernels.cuda", "autograph.kernels.cuda.whole"): "as above",
    ("autograph.kernels.cuda", "autograph.kernels.cuda.told"): "as above",
    ("autograph.kernels.cuda", "autograph.kernels.cuda.printer"): "as above",
    ("autograph.kernels.later", "autograph.kernels.making"): "not needed if kernels are on disk",
    ("autograph.kernels.later", "autograph.kernels.selection.eligible"): "as above",
    ("autograph.kernels.later", "autograph.kernels.drawing"): "few functions draw random numbers",
    ("autograph.kernels.making", "autograph.kernels.passes.host"): "if all kernels are short",
    ("autograph.kernels.making", "autograph.kernels.passes.contraction"): "few contract",
    ("autograph.kernels.codes", "autograph.kernels.ir.ir"): "for types only",
    ("autograph.kernels.partition", "autograph.kernels.selection.parts"): "for types only",
    ("autograph.kernels.program", "autograph.kernels.ir.ir"): "for types only",
    ("autograph.kernels.program", "autograph.kernels.selection.parts"): "for types only",
    **{
        (f"autograph.kernels.lowering.{importer}", f"autograph.kernels.lowering.rules.{rule}"): why
        for importer, rule, why in (("rules.scans", "gpu_scans", "needed for a GPU"),)
    },
    **{
        ("autograph.staging.calls.replacements", name): "for functions of SciPy's only"
        for name in ("ops.linalg.scipy_names", "ops.statistics.distributions")
    },
    **{
        ("autograph.kernels.native.kernels", f"autograph.kernels.native.{name}"): "few call NumPy's"
        for name in ("inner_loops", "random", "sorts")
    },
    ("autograph.kernels.native.entry", "autograph.kernels.native.ctypes_entry"): "seldom needed",
    ("autograph.source.load", "autograph.source.conversion"): "not needed if it is on disk",
    ("autograph.source.conversion", "autograph.source.tree.printer"): "few ask for a text",
    ("autograph.staging.later", "autograph.staging.dispatch"): "not needed if nothing is recorded",
    ("autograph.staging.trace", "autograph.staging.dispatch"): "for types only",
    (
        "autograph.staging.trace",
        "autograph.transforms.meshes",
    ): "few programs have several processes",
    ("ops.control.callbacks", "ops.control.callbacks"): "its source stands in programs",
    ("ops.control.meetings", "ops.control.meetings"): "its source stands in programs",
    ("ops.random.numpy_streams", "ops.random.numpy_streams"): "its source stands in programs",
}


class Import(NamedTuple):
    """One module imports another; ``inside`` a function, or for types only."""

    importer: str
    imported: str
    inside: bool


@functools.cache
def modules():
    """The files of both packages, by the names of their modules."""
    found = {}
    for package in ("autograph", "ops"):
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported_by(statement, package):
    """The names that an import statement in a module of a package may import modules by."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    base = statement.module or ""
    if statement.level:
        around = package.split(".")[: len(package.split(".")) - statement.level + 1]
        base = ".".join([*around, base] if base else around)
    names = [f"{base}.{alias.name}" for alias in statement.names]
    return [name if name in modules() else base for name in names]


def statements(tree, inside=False):
    """The import statements in a tree, and whether each is in a function or for types only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, inside
        is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        is_for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        yield from statements(node, inside or is_function or is_for_types)


class Parsed(NamedTuple):
    """What the tests look at in the modules.

    Attributes:
        imports: all of them.
        run: (importer, module) where a module is run at once, as names are taken from it.
        put_off: the modules that packages put off; see `ops.core.later`.
        classes: the public ones, with the names of their modules.
    """

    imports: set[Import]
    run: set[tuple[str, str]]
    put_off: set[str]
    classes: list[tuple[str, ast.ClassDef]]


@functools.cache
def parsed():
    """All modules, each of which is parsed once: that takes most of the time."""
    found = Parsed(set(), set(), set(), [])
    for name, path in modules().items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        tree = ast.parse(path.read_text())
        for statement, inside in statements(tree):
            for imported in imported_by(statement, package):
                if imported in modules() and (imported != name or inside):
                    found.imports.add(Import(name, imported, inside))
            if isinstance(statement, ast.ImportFrom) and not inside:
                found.run.add((name, statement.module))
        if path.name == "__init__.py" and name != "ops.core":
            found.put_off.update(f"{name}.{module}" for module in put_off_by(tree))
        for statement in tree.body:
            if isinstance(statement, ast.ClassDef) and not statement.name.startswith("_"):
                found.classes.append((name, statement))
    return found


def put_off_by(tree):
    """The modules that a package puts off."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "put_off":
            yield from (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))


def imports():
    return parsed().imports


def circles(edges):
    """The sets of modules that import each other, directly or through others."""
    order, done = [], set()

    def visit(name, following, found):
        stack = [(name, iter(sorted(following[name])))]
        done.add(name)
        while stack:
            name, rest = stack[-1]
            step = next((n for n in rest if n not in done), None)
            if step is None:
                found.append(stack.pop()[0])
            else:
                done.add(step)
                stack.append((step, iter(sorted(following[step]))))

    forwards, backwards = defaultdict(set), defaultdict(set)
    for importer, imported in edges:
        forwards[importer].add(imported)
        backwards[imported].add(importer)
    for name in sorted({*forwards, *backwards}):
        if name not in done:
            visit(name, forwards, order)
    done.clear()
    found = []
    for name in reversed(order):
        if name not in done:
            circle = []
            visit(name, backwards, circle)
            if len(circle) > 1:
                found.append(sorted(circle))
    return found


@functools.cache
def layer_of(name):
    """The number of a module's layer."""
    fitting = [
        (len(prefix), number)
        for number, prefixes in enumerate(LAYERS)
        for prefix in prefixes
        if f"{name}.".startswith(f"{prefix}.")
    ]
    return max(fitting)[1]


def test_circles_are_found():
    assert circles({("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")}) == [["a", "b", "c"]]
    assert not circles({("a", "b"), ("b", "c"), ("a", "c")})


def test_no_modules_import_each_other():
    assert not circles({(i.importer, i.imported) for i in imports() if i[:2] not in INSIDE})


def test_imports_stand_at_the_top():
    assert {i[:2] for i in imports() if i.inside} == set(INSIDE)


def test_imports_go_down():
    up = [i[:2] for i in imports() if layer_of(i.importer) > layer_of(i.imported)]
    assert not up


def test_what_is_put_off_is_imported_as_a_module():
    """Who imports a name of it at the top runs it at once, which only another one may."""
    put_off = parsed().put_off
    assert put_off <= modules().keys() and len(put_off) > 30
    assert not [x for x in parsed().run if x[1] in put_off and x[0] not in put_off]


def test_each_layer_has_modules():
    assert {layer_of(name) for name in modules()} == set(range(len(LAYERS)))


# Where two classes of a name are one thing: what may be asked of a part of a recorder is declared
# in the one, for what is below the part, and the other is the part; see `test_recorder`.
DECLARED = "autograph.staging.ground.recorder"


def test_a_public_class_has_a_name_of_its_own():
    places = defaultdict(list)
    for name, statement in parsed().classes:
        protocol = any(ast.unparse(base) == "Protocol" for base in statement.bases)
        if not (name == DECLARED and protocol):
            places[statement.name].append(name)
    assert not {name: found for name, found in places.items() if len(found) > 1}
