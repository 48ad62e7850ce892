"""Every error has an id, and docs/errors.md explains it with examples that hold.

After a change of messages, ``UPDATE_DOCUMENTS=1 pytest tests/documents/test_errors.py``
(Python 3.11 or newer, one process) writes the new ones into the document; look at the difference.
"""

import ast
import contextlib
import difflib
import functools
import importlib.util
import io
import linecache
import logging
import os
import re
import sys
import traceback
import types

import numpy as np
import onnx.inliner  # noqa: F401, parts in C without a file, which would not be imported twice
import pytest
from scipy.sparse import csr_array

import autograph as ag
import ops
from autograph import errors, log
from autograph.source.tree import libraries
from tests.support.documents import sections
from tests.support.tree import ROOT

ID = re.compile(r"AG\d{4}")
CLASSES = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.AutographError)
}
SOURCES = sorted((ROOT / "autograph").rglob("*.py"))
DOCUMENT = {title[:6]: (title, blocks) for title, blocks in sections("docs/errors.md").items()}

# Examples that need certain versions of Python.
SINCE = {"AG0204": (3, 11), "AG0205": (3, 12)}
BEFORE = {"AG0104": (3, 11), "AG0105": (3, 13)}


# Examples that need several processes: `tests/mpi/test_errors.py` runs them.
PROCESSES = {"AG0648", *(f"AG066{digit}" for digit in "012345679")}

# Examples that need GPUs: `tests/parallel/nccl` compares their messages.
GPUS = {f"AG067{digit}" for digit in "23568"}


# -- ids -------------------------------------------------------------------------------------------


@functools.cache
def raise_sites():
    """Every call that makes an error of ours: (place, its class, its arguments by name)."""
    return list(_found_sites())


@functools.cache
def calls_and_ids():
    """The calls in the sources, with their paths, and the ids among the texts."""
    calls, ids = [], set()
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        if not any(name in source for name in (*CLASSES, "located_error", "AG")):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call):
                calls.append((path, node))
            elif isinstance(node, ast.Constant) and ID.fullmatch(str(node.value)):
                ids.add(node.value)
    return calls, ids


def _found_sites():
    for path, node in calls_and_ids()[0]:
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        names = {keyword.arg for keyword in node.keywords}
        place = f"{path.relative_to(ROOT)}:{node.lineno}"
        if called in CLASSES:
            yield place, CLASSES[called], names
        elif called == "located_error" and isinstance(node.args[0], ast.Name):
            made = CLASSES.get(node.args[0].id)
            if made is not None:
                yield place, made, names


def test_every_raise_site_has_an_id():
    sites = raise_sites()
    assert len(sites) > 50
    without = [place for place, kind, names in sites if not kind.id and "id" not in names]
    assert without == []


def test_every_raise_site_proposes_a_fix():
    without = [place for place, kind, names in raise_sites() if "fix" not in names]
    (note,) = without  # on an exception of the user's program
    assert note.startswith("autograph/codegen/program.py")


def test_every_id_is_documented_and_every_documented_id_exists():
    assert calls_and_ids()[1] == set(DOCUMENT)


def test_no_two_classes_share_an_id():
    ids = [kind.id for kind in CLASSES.values() if "id" in vars(kind) and kind.id]
    assert len(ids) == len(set(ids))


def test_ids_are_documented_once_and_in_order():
    text = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (AG\d{4}): \S", text, re.MULTILINE)
    assert headings == sorted(set(headings))
    assert headings == list(DOCUMENT)


# -- the examples ----------------------------------------------------------------------------------


def plain_gradient(function, argnums=0, has_aux=False, holomorphic=False, memory=None):
    """The gradient by differences, for code that is not compiled."""

    def gradient(*args, **kwargs):
        def value(x):
            found = function(*args[:argnums], x, *args[argnums + 1 :], **kwargs)
            return found[0] if has_aux else found

        dtype = complex if holomorphic else float
        at, step = np.asarray(args[argnums], dtype=dtype), 1e-6
        slopes = np.empty(at.shape, dtype)
        for index in np.ndindex(at.shape):
            offset = np.zeros(at.shape)
            offset[index] = step
            slopes[index] = (value(at + offset) - value(at - offset)) / (2 * step)
        slopes = slopes if at.shape else slopes.item()
        return (slopes, function(*args, **kwargs)[1]) if has_aux else slopes

    return gradient


def plain_jvp(function, primals, tangents):
    """The derivative by differences."""

    def moved(step):
        return function(*(x if t is None else x + step * t for x, t in zip(primals, tangents)))

    return function(*primals), (moved(1e-6) - moved(-1e-6)) / 2e-6


def plain_vjp(function, *args):
    """The cotangent of the first argument, by differences."""

    def pull(ct):
        return (plain_gradient(lambda x: np.sum(ct * function(x, *args[1:])))(*args[:1]),)

    return function(*args), pull


def plain_vmap(function, in_axes=0):
    """A loop over the lanes."""

    def batched(*args):
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
        parts = [x if axis is None else np.moveaxis(x, axis, 0) for x, axis in zip(args, axes)]
        size = next(len(x) for x, axis in zip(parts, axes) if axis is not None)
        lanes = [
            function(*(x if axis is None else x[i] for x, axis in zip(parts, axes)))
            for i in range(size)
        ]
        if isinstance(lanes[0], tuple):
            return tuple(map(np.array, zip(*lanes)))
        return np.array(lanes)

    return batched


def plain_jacobian(function):
    """The Jacobian by differences."""

    def jacobian(x):
        steps = np.eye(x.size) * 1e-6
        return np.stack([(function(x + s) - function(x - s)) / 2e-6 for s in steps], -1)

    return jacobian


def plain_sparse(function, pattern=None, **options):
    """The Jacobian by differences, without what rounding leaves."""

    def jacobian(x, *others):
        found = plain_jacobian(lambda x: function(x, *others))(x)
        return csr_array(np.round(found, 5))

    return jacobian


SAVED = {}


class PlainCustom:
    """A function whose derivative is that by differences, whatever its rule says."""

    def __init__(self, function):
        self.function = function
        self.defvjp = self.defjvp = lambda *rules: None

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)


def plain_to_graph(function=None, **options):
    if function is None:
        return plain_to_graph
    with contextlib.suppress(AttributeError):  # a function of a library has none of its own
        function.lower = lambda *args: types.SimpleNamespace(compile=lambda: function)
        function.save = lambda path, *args: SAVED.update({path: function})
    return function


def plain_root(function, x, info=False, **options):
    """A root by secants."""
    step, converged = 0.1, False
    for _ in range(60):
        before, now = function(x - step), function(x)
        slope = (now - before) / step
        step = -now / slope if slope else 0.1
        x, converged = x + step, abs(step) < 1e-12
        if converged:
            break
    return (x, types.SimpleNamespace(converged=converged)) if info else x


def plain_expectation(function, samples=1, **options):
    """The mean of a few thousand runs, by differences that are large, as it jumps."""
    keys = ops.random.split(ops.random.key(1), 3000)
    return lambda p, key: np.mean([function(p, key) for key in keys])


def plain_score_gradient(function, **options):
    mean = plain_expectation(function)
    return lambda p, key: (mean(p + 0.2, key) - mean(p - 0.2, key)) / 0.4


def plain_hessian(mean):
    return lambda p, key: (mean(p + 0.2, key) - 2 * mean(p, key) + mean(p - 0.2, key)) / 0.04


def plain_odeint(function, y, times, **options):
    """By many steps of Euler's, with what is left of their error extrapolated."""

    def by(count):
        states = [y]
        for start, end in zip(times[:-1], times[1:]):
            h, state = (end - start) / count, states[-1]
            for i in range(count):
                half = state + 0.5 * h * function(state, start + i * h)
                state = state + h * function(half, start + (i + 0.5) * h)
            states.append(state)
        return np.array(states)

    return (4.0 * by(2000) - by(1000)) / 3.0


def plain_shard_map(function, mesh, in_specs, out_specs):
    """Of one array divided by its rows: each part by itself."""
    (count,) = mesh.shape.values()
    assert in_specs == out_specs == ag.P(*mesh.shape)
    return lambda x: np.concatenate([function(part) for part in np.split(x, count)])


# What examples import in place of this package, to find out what plain Python does.
PLAIN = types.ModuleType("autograph")
PLAIN.to_graph = plain_to_graph
PLAIN.grad, PLAIN.jvp, PLAIN.vjp = plain_gradient, plain_jvp, plain_vjp
PLAIN.vmap, PLAIN.jacfwd, PLAIN.jacrev = plain_vmap, plain_jacobian, plain_jacobian
PLAIN.load = SAVED.get
PLAIN.pure_callback = lambda function, result, *args, **options: function(*args)
PLAIN.ShapeDtypeStruct = ag.ShapeDtypeStruct
PLAIN.custom_vjp = PLAIN.custom_jvp = PlainCustom
PLAIN.check_grads = lambda function, args, **options: None
PLAIN.checkpoint = lambda function, **options: function
PLAIN.convert_packages = lambda *names: None
PLAIN.debug = ag.debug
PLAIN.optim = ag.optim  # plain Python itself
PLAIN.Policy = ag.Policy
PLAIN.precision = lambda function, policy="": function  # of numbers that are not rounded
PLAIN.quantize = lambda function, samples, **options: function
PLAIN.root = plain_root
PLAIN.expectation, PLAIN.score_gradient = plain_expectation, plain_score_gradient
PLAIN.hessian = plain_hessian
PLAIN.sparse_jacobian = plain_sparse
PLAIN.odeint = plain_odeint
PLAIN.Mesh, PLAIN.P, PLAIN.shard_map = ag.Mesh, ag.P, plain_shard_map
PLAIN.put = lambda x, mesh, spec: x


@pytest.fixture
def example(tmp_path, monkeypatch):
    """A function that runs a program in the file example.py and gives what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("AUTOGRAPH_RECURSION_DEPTH", "20000")  # deep enough to see what happens
    monkeypatch.setattr(libraries, "_converted", libraries._converted)
    monkeypatch.setattr(log.log, "handlers", [])
    monkeypatch.setattr(log.log, "propagate", True)
    monkeypatch.setattr(log.log, "level", logging.NOTSET)
    modules, limit = set(sys.modules), sys.getrecursionlimit()

    def run(text):
        (tmp_path / "example.py").write_text(text, encoding="utf-8")
        linecache.clearcache()
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(text, "example.py", "exec", dont_inherit=True), {"__name__": "example"})
        return output.getvalue()

    yield run
    sys.setrecursionlimit(limit)
    linecache.clearcache()
    for name in set(sys.modules) - modules:
        if not getattr(sys.modules[name], "__file__", None) or str(tmp_path) in str(
            sys.modules[name].__file__
        ):
            del sys.modules[name]


def comparable(message, path):
    """A message without what differs from one version of Python or run to the next."""
    message = re.sub(r"more than \d+ of its calls", "more than N of its calls", message)
    message = message.replace(f"{path}/", "").strip()
    if sys.version_info < (3, 11):  # does not know columns
        message = re.sub(r"(\.py:\d+):\d+", r"\1", message)
        message = re.sub(r"\n *\^$", "", message, flags=re.MULTILINE)
    return message


def _has(library):
    return importlib.util.find_spec(library) is not None


def runnable(id):
    if id in PROCESSES | GPUS or (id == "AG0668" and _has("mpi4py")):
        return False
    if sys.version_info < SINCE.get(id, (3, 0)) or sys.version_info >= BEFORE.get(id, (9, 9)):
        return False
    return id != "AG0604" or not _has_cupy()


def _has_cupy():
    try:
        import cupy  # noqa: F401
    except ImportError:
        return False
    return True


def update(id, message):
    """Put a message into the document in place of the one that is there."""
    path = ROOT / "docs/errors.md"
    text = path.read_text(encoding="utf-8")
    start = text.index("```text\n", text.index(f"\n## {id}: ")) + len("```text\n")
    end = text.index("```", start)
    path.write_text(f"{text[:start]}{message}\n{text[end:]}", encoding="utf-8")


@pytest.mark.parametrize("id", DOCUMENT)
def test_the_example_raises_the_error(id, example, tmp_path):
    if not runnable(id):
        pytest.skip("for other versions of Python, or other machines")
    languages, (program, message, _) = zip(*DOCUMENT[id][1])
    assert languages == ("python", "text", "python")
    with pytest.raises(Exception) as caught:
        example(program)
    error = caught.value
    shown = "".join(traceback.format_exception_only(type(error), error))
    if id == "AG0601":
        if sys.version_info < (3, 11):
            assert error.__cause__.id == id
            return
    else:
        assert error.id == id
        assert error.fix or error.__cause__
    if os.environ.get("UPDATE_DOCUMENTS"):
        update(id, shown.replace(f"{tmp_path}/", "").strip())
        return
    found, expected = comparable(shown, tmp_path), comparable(message, tmp_path)
    assert found == expected, "\n".join(
        difflib.unified_diff(expected.splitlines(), found.splitlines(), "documented", "found")
    )


@pytest.mark.parametrize("id", DOCUMENT)
def test_the_fix_does_what_plain_python_does(id, example, monkeypatch):
    if id in PROCESSES | GPUS:
        pytest.skip("for several processes, or GPUs")
    program = DOCUMENT[id][1][2][1]
    found = example(program)
    if "import autograph as ag" not in program and "autograph as ag" not in program:
        return
    assert found, "the example prints what it computes"
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "autograph", PLAIN)
        assert example(program) == found
    assert sys.modules["autograph"] is ag
