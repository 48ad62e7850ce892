"""`explain` says why a part of a function is no kernel: there is a program for each reason."""

import ast
import re

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import measured
from autograph.kernels.lowering.dispatch import lower_region
from autograph.kernels.lowering.kernel import lower
from autograph.kernels.lowering.rules import calls
from autograph.kernels.lowering.state import KernelState, State
from autograph.kernels.lowering.values import CannotLower
from autograph.kernels.native import available
from autograph.kernels.selection import parts
from ops.control import regions
from ops.core.types import ArrayType, StackType
from tests.support.tree import ROOT

pytestmark = pytest.mark.skipif(not available(), reason="there is no native code here")

X = np.arange(1.0, 5.0)
SQUARE = X.reshape(2, 2)


def keeps_adding(x, n):
    if n == 0:
        return np.sum(x)
    out, total = [x], 0.0
    while x[0] < 100.0:
        copy = list(out)
        copy[0] = x * 2.0  # here
        total = total + np.sum(copy[0])
        x = x * 2.0
        out.append(x)
    return total + keeps_adding(x * 0.01, n - 1)


def calls_python(x):
    y = np.sin(x) * 2.0
    return ag.pure_callback(np.sin, y, y) * x + y  # here


def meets(x):
    y = np.sin(x) * 2.0
    return ops.psum(y, "data") * x  # here


def prints(x):
    for i in range(3):
        x = np.sin(x) + i
        print(x[x > 0.5])  # here
    return x


def draws(x, rng):
    return np.sin(x) * 2.0 + rng.normal(size=4)  # here


def factors(x):
    return np.spacing(np.sin(x) * 2.0)  # here


def is_half(x):
    return np.exp(x * 2.0).astype(np.float16) + np.float16(1)  # here


def has_a_large_int(x):
    y = np.sin(x)
    return (y < 0.5) & (y > 2**70)  # here


def selects(x):
    return np.sum(np.tile(x[x > 1.0], 2))  # here


def sums_parts(x):
    t = 0.0
    for i in range(4):
        t = t + np.sum(x[:i])  # here
        print(x[x > t])
    return t


def writes_parts(x):
    x = x * 1
    for i in range(1, 4):
        x[1 : i + 1] = np.sin(x[:i])  # here
    return x


def recursive(x, n):
    return x if n == 0 else np.argpartition(recursive(x, n - 1) + 0j, 1) * 1.0  # here


def multiplies(x, y):
    return np.sin(x @ y)  # here


def multiplies_only(x, y):
    return x @ y  # here


def does_little(x):
    y = x * 2.0  # here
    print(x[0])
    return y


def views(x):
    return x[1:]  # here


def joins(x):
    a, b = x * 2.0, x * 3.0
    if x[0] > 1.0:  # here
        b = a
    return a, b


def has_no_axes(x):
    return np.where(x[0] > 1.0, np.array(1.0), x[0])[...]  # here


def trains(x):
    while np.sum(x) < 100.0:
        x = x * np.sin(x) + x  # here
        print(x[x > 0.5])
    return np.sum(x)


def many(x):
    y = np.sin(np.cos(x) * np.exp(x)) + x
    print(y[0])
    return y


def copies(x):
    if len(x) == 1:
        return np.sin(x) * 2.0
    half = len(x) // 2
    return np.concatenate((copies(x[:half]), copies(x[half:]))) * 3.0


def partitions(x):
    while np.sum(x) < 100.0:
        x = x * 2.0 + np.spacing(x)  # here
    return x


def multiplies_lanes(x):
    while np.sum(x) < 100.0:
        x = x @ x + 1.0  # here
    return x


def looped(x):
    while np.sum(x) < 1000.0:  # here
        x = x * 2.0
    return x


def loss(x):
    for i in range(3):  # here
        x = np.sin(x) * x[i]
    return np.sum(x)


def left(ct):
    _, pull = ag.vjp(loss, X)
    return ag.to_graph(lambda ct: pull(ct)[0] * 2.0)


PROGRAMS = {
    "operator": (ag.to_graph(factors), (SQUARE,)),
    "callback": (ag.to_graph(calls_python), (X,)),
    "meeting": (
        ag.shard_map(meets, ag.Mesh.planned(data=2), ag.P("data"), ag.P("data")),
        (X,),
    ),
    "output": (ag.to_graph(prints), (X,)),
    "random": (ag.to_graph(draws), (X, np.random.default_rng(0))),
    "adds up": (ag.to_graph(keeps_adding), (X, 2)),
    "dtype": (ag.to_graph(is_half), (X,)),
    "big int": (ag.to_graph(has_a_large_int), (X,)),
    "unknown length": (ag.to_graph(selects), (X,)),
    "unknown length alone": (ag.to_graph(sums_parts), (X,)),
    "recursion": (ag.to_graph(recursive), (X, 3)),
    "memory": (
        ag.to_graph(lambda x: np.sum(np.sin(x * 2.0))),  # here
        (ag.ShapeDtypeStruct((10**13,), np.float64),),
    ),
    "product": (ag.to_graph(multiplies), (SQUARE.astype(np.float32), SQUARE)),
    "earlier call": (left, (1.0,)),
    "kept apart": (ag.grad(trains), (X,)),
    "view": (ag.to_graph(views), (X,)),
    "shared": (ag.to_graph(joins), (X,)),
    "no axes": (ag.to_graph(has_no_axes), (X,)),
    "blas": (ag.to_graph(multiplies_only), (np.ones((60, 60)), np.ones((60, 60)))),
    "little": (ag.to_graph(does_little), (X,)),
    "lane size": (ag.vmap(looped), (np.ones((4, 5000)) / 50.0,)),
    "lane product": (ag.vmap(multiplies_lanes), (np.ones((4, 20, 20)),)),
}


def line_of(function):
    """The line of a function that is marked."""
    code = (getattr(function, "__wrapped__", None) or function).__code__
    lines = (ROOT / "tests/kernels/test_reasons.py").read_text().splitlines()
    return next(n for n in range(code.co_firstlineno, len(lines)) if "# here" in lines[n - 1])


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_for_each_reason(name):
    function, args = PROGRAMS[name]
    marked = loss if function is left else function
    if function is left:
        function = left(*args)
    explained = function.explain(*args)
    found = [part for part in explained.plain if part.reason == name]
    assert line_of(marked) in [part.location.line for part in found if part.location]
    for part in found:
        assert "{" not in part.why + part.fix
        assert part.place in str(explained) and part.why in str(explained)
    (part,) = [part for part in found if part.place.endswith(f":{line_of(marked)}")]
    assert "# here" in part.source and part.place == f"test_reasons.py:{line_of(marked)}"


def test_the_loops_around():
    (part,) = [p for p in ag.to_graph(prints).explain(X).plain if p.reason == "output"]
    first = prints.__code__.co_firstlineno
    assert part.around == (f"the loop at test_reasons.py:{first + 1}",)


def grown(x):
    out = []
    while x[0] < 100.0:
        x = x * 2.0
        out.append(x)
    return np.array(out)


def test_lists_are_no_part_of_kernels_for_cuda():
    module = ag.to_graph(grown).graph(X)
    found = [o.why for o in parts.outside_of_kernels(module, host=False)]
    (why, *_) = [why for why in found if why.reason is reasons.LIST]
    assert "the list 'out' grows" in why.text and "write into out[i]" in why.fix
    assert parts.outside_of_kernels(module) == []


def test_complex_numbers_are_no_part_of_kernels_for_cuda():
    module = ag.to_graph(lambda x: np.abs(np.exp(1j * x))).graph(X)
    found = [o.why for o in parts.outside_of_kernels(module, host=False)]
    assert reasons.COMPLEX in [why.reason for why in found]
    assert parts.outside_of_kernels(module) == []


def test_of_a_gradient_the_lines_are_the_users():
    explained = ag.grad(lambda x: np.sum(selects(x))).explain(X)
    found = [part.source for part in explained.plain if part.reason.startswith("unknown")]
    assert found and set(found) == {"return np.sum(np.tile(x[x > 1.0], 2))  # here"}


def test_of_lanes_it_is_said_why_they_are_not_one_kernel():
    part, *others = ag.vmap(partitions).explain(np.ones((4, 3))).plain
    assert {other.reason for other in others} <= {"little"}
    assert part.reason == "operator" and "'spacing'" in part.why
    assert part.location.line == line_of(partitions)


def test_nothing_is_told_where_all_is_a_kernel():
    explained = ag.to_graph(looped).explain(X)
    assert explained.plain == [] and "no kernels" not in str(explained)


# -- reasons that take large programs, or another machine ------------------------------------------


def test_there_is_no_native_code(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_KERNELS", "0")
    (part,) = ag.to_graph(looped).explain(X).plain
    assert part.reason == "unavailable" and "AUTOGRAPH_KERNELS is 0" in part.why


def test_a_library_is_missing(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    from autograph.kernels.native.availability import missing

    assert missing() == "llvmlite is not installed"


@pytest.mark.parametrize("name", ["many", "copies"])
def test_there_are_too_many_operations(name, monkeypatch):
    monkeypatch.setattr(parts, {"many": "_MOST_IN_ALL", "copies": "_MOST_COPIES"}[name], 2)
    function = {"many": many, "copies": copies}[name]
    explained = ag.to_graph(function).explain(np.ones(16))
    assert name in [part.reason for part in explained.plain]


def test_an_array_of_unknown_length_is_too_large(monkeypatch):
    monkeypatch.setattr(measured, "MOST_ELEMENTS", 1)
    found = ag.to_graph(writes_parts).explain(X).plain
    assert "large unknown length" in [part.reason for part in found]


# -- reasons that selection anticipates, or that no program is known for ---------------------------


def refused(make):
    """Why the graph of a function of one array cannot be lowered."""
    with Builder("f") as builder:
        graph = builder.finish([make(builder.input(ArrayType(np.dtype(float), (4,)), "x"))])
    with pytest.raises(CannotLower) as caught:
        lower(graph, "kernel")
    assert str(caught.value) == caught.value.why.text
    return caught.value.why.reason.name


def changed_constant(x):
    return ops.index_update(Constant(X), ops.getitem(x, index=(("int", 0),)), index=(("int", 0),))


def kept_twice(x):
    pack = regions.pack(x)
    stack = regions.push(regions.push(Constant(None, StackType()), pack), pack)
    _, top = regions.pop(stack)
    (found,) = current_builder().add(regions.unpack, [top], {"types": (x.type,)}, [x.type])
    return found


DIRECT = {
    "argument": lambda x: x,
    "constant": changed_constant,
    "kept": kept_twice,
}


@pytest.mark.parametrize("name", DIRECT)
def test_a_graph_for_each_other_reason(name):
    assert refused(DIRECT[name]) == name


def test_lanes_in_lanes():
    with Builder("f") as builder:
        graph = builder.finish([ops.exp(builder.input(ArrayType(np.dtype(float), (4,)), "x"))])
    b = KernelBuilder("kernel", None)
    try:
        state = State(KernelState(b, graph, lambda name: graph, lower_region), graph)
        with pytest.raises(CannotLower, match="inside of another"):
            calls.lanes(state.inner(graph, serial=True), graph.nodes[0])
    finally:
        b.close()


# -- all of them -----------------------------------------------------------------------------------

ELSEWHERE = {"list", "complex", "unavailable", "many", "copies", "large unknown length", "lanes"}


def test_each_reason_has_a_test():
    assert set(reasons.REASONS) == {*PROGRAMS, *DIRECT, *ELSEWHERE}


@pytest.mark.parametrize("reason", reasons.REASONS.values(), ids=lambda reason: reason.name)
def test_each_reason_is_a_clause_with_a_fix(reason):
    for text in (reason.text, reason.fix):
        assert (text and text[0].islower()) or text.startswith("'")
        assert not re.search(r"[.;:,] *$", text)


def test_each_place_gives_what_the_texts_of_its_reason_need():
    checked = 0
    for path in (ROOT / "autograph").rglob("*.py"):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "reasons" in text else ():
            match node:
                case ast.Call(ast.Attribute(value, "of" | "_leave"), args, keywords):
                    names = [ast.unparse(arg) for arg in (value, *args)]
                    found = [getattr(reasons, name.rpartition(".")[2], None) for name in names]
                    for reason in [r for r in found if isinstance(r, reasons.Reason)]:
                        fields = set(re.findall(r"\{(\w+)\}", reason.text + reason.fix))
                        assert fields <= {k.arg for k in keywords}, (path, node.lineno)
                        checked += 1
    assert checked > 30


def test_whatever_refuses_gives_a_reason():
    """No place where lowering gives up has words of its own."""
    for path in (ROOT / "autograph/kernels").rglob("*.py"):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "CannotLower" in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "CannotLower":
                (argument,) = node.args
                assert ast.unparse(argument).startswith("reasons."), (path, node.lineno)


def doubled_above_zero(x):
    y = x[x > 0.0]
    t = np.zeros(len(y))
    for i in range(len(y)):
        t[i] = y[i] * 2.0
    return np.sum(t)


def test_what_moves_of_arrays_of_unknown_lengths_is_left_out():
    (found,) = ag.to_graph(doubled_above_zero).explain(np.linspace(-1.0, 1.0, 100)).kernels
    assert found.is_open and 800 <= found.moved < 100_000
    (found,) = ag.to_graph(lambda x: np.sum(x * x)).explain(np.ones(100)).kernels
    assert not found.is_open and found.moved == 800
