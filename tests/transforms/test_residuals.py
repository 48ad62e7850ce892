"""What loops, branches and calls keep for their backward passes."""

from __future__ import annotations

import copy
import itertools

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.graph.builder import Builder
from autograph.graph.graph import walk
from autograph.transforms.reverse.residuals import SOURCE, MinimumCut, Residuals
from ops.core import types
from tests.api import test_algorithms
from tests.api.derivatives import test_gradients
from tests.support.oracle import check_grad

RNG = np.random.default_rng(0)
LARGE = 10_000  # elements: far more than a call of the array library is worth


def packed(function, *args):
    """The types that one trip, branch or call leaves, for each pack of the gradient's program."""
    module = ag.grad(function).graph(*args)
    graphs = (module.main, *module.graphs.values())
    packs = [n for g in graphs for n in walk(g) if n.op is ops.control.regions.pack]
    return [sorted(str(v.type) for v in node.inputs) for node in packs]


# -- what is kept of a trip ------------------------------------------------------------------------


def only_the_state(x):
    for _ in range(3):
        y = x * 2.0 + 1.0
        x = np.sin(y * x - 3.0)
    return np.sum(x)


def scaled(x):
    for _ in range(3):
        x = np.sin(x * 3.0) * x
    return np.sum(x)


def masked(x):
    for _ in range(3):
        x = np.where(np.cos(x) > 0.5, x, 2.0 * x)
    return np.sum(x)


def rectified(x):
    for _ in range(3):
        x = np.maximum(np.cumsum(x), 0.0)
    return np.sum(x)


def broadcast(x):
    for _ in range(3):
        shift = np.broadcast_to(np.sin(np.sum(x)), x.shape) * 2.0
        x = np.cumsum(x) * shift
    return np.sum(x)


def reshaped(x):
    for _ in range(3):
        x = np.sum(np.sin(x.reshape(2, -1)) * x.reshape(2, -1)) * x
    return np.sum(x)


def nothing(x):
    for _ in range(3):
        x = np.cumsum(x) * 0.5 - x
    return np.sum(x)


def of_the_index(x):
    for i in range(3):
        x = np.cumsum(x) * (i + 1.0)
    return np.sum(x)


def invariant(x):
    y = np.zeros(x.shape)
    for _ in range(3):
        y = y * np.exp(x[0]) + np.sin(x) * np.tanh(x)
    return np.sum(y)


VECTOR, MASK, SCALAR = f"f64[{LARGE}]", f"bool[{LARGE}]", "f64[]"
MATRIX = f"f64[2,{LARGE // 2}]"
KEPT = [
    (only_the_state, [[VECTOR]]),
    (scaled, [[VECTOR, VECTOR]]),
    (masked, [[MASK]]),
    (rectified, [[MASK, MASK]]),
    (broadcast, [[VECTOR, SCALAR, SCALAR]]),
    (reshaped, [[VECTOR, MATRIX, SCALAR]]),
    (nothing, []),
    (of_the_index, [["float"]]),
    (invariant, [[VECTOR]]),
]
AT = np.abs(RNG.normal(size=LARGE)) / LARGE + 0.1


@pytest.mark.parametrize("function, expected", KEPT, ids=lambda a: getattr(a, "__name__", ""))
def test_kept_of_a_trip(function, expected):
    assert packed(function, AT) == expected


def test_made_again_from_what_is_kept():
    """sin(3 x) is kept, being expensive, and x; not 3 x."""
    text = str(ag.grad(scaled).program(AT))
    backward = text.split("for _ in range(3):")[2]
    assert "np.sin" not in backward
    assert "x * 3.0" in backward


def test_small_arrays_are_kept():
    """Making them again takes longer than keeping them."""

    def f(x):
        for _ in range(3):
            y = x * 2.0 + 1.0
            x = np.sin(y * x - 3.0)
        return np.sum(x)

    assert packed(f, np.ones(3)) == [["f64[3]"] * 3]


def parts_that_stay(x, places, ends):
    s = 0.0
    for i in range(2):
        part = x[places[ends[i] : ends[i + 1]]]
        s += np.sum(np.flip(part) * x[: ends[i + 1]])
    return s


def parts_that_change(x, places, ends):
    x = x * 1.0
    for i in range(2):
        n = ends[i + 1]
        x[:n] = np.flip(x[:n]) * x[:n]
    return np.sum(x)


def test_parts_of_unknown_length_are_taken_again():
    """Of an array that is there anyway, and of each other; the array is not kept for them."""
    args = np.arange(1.0, 6.0), np.array([4, 0, 2, 2]), np.array([0, 2, 4])
    (kept,) = packed(parts_that_stay, *args)
    assert kept and not [type for type in kept if type.endswith("]") and type != "i64[]"]
    (kept,) = packed(parts_that_change, *args)
    assert kept.count("f64[?]") == 1 and "f64[5]" not in kept


def test_of_a_branch_and_a_call():
    def f(x, n):
        if n > 1:
            y = x * x + 1.0
            return np.sum(np.sin(y) * y)
        return np.sum(x)

    def g(x, n):
        y = x * x + 1.0
        return np.sum(y) if n < 1 else g(np.sin(y) * y, n - 1)

    assert [VECTOR] in packed(f, AT, 2)
    for kept in packed(g, AT, 2):
        assert kept.count(VECTOR) <= 1


@pytest.fixture
def made_again(monkeypatch):
    """Whatever may be made again is, also numbers."""
    monkeypatch.setattr("autograph.transforms.reverse.residuals._CALL", 0.5)
    monkeypatch.setattr("autograph.transforms.reverse.residuals._VIEW", 0.5)


@pytest.mark.usefixtures("made_again")
@pytest.mark.parametrize("function", [f for f, _ in KEPT], ids=lambda f: f.__name__)
def test_values(function):
    check_grad(lambda x: function(x), np.array([0.3, -0.2, 0.5, 0.7]))


PROGRAMS = [*test_algorithms.programs._calls, *test_gradients.programs._calls]
SMOOTH = [param for param in PROGRAMS if param.values[0].smooth]


@pytest.mark.usefixtures("made_again")
@pytest.mark.parametrize("call", SMOOTH)
def test_gradients_of_programs(call):
    first, *rest = copy.deepcopy(call.args)
    ag.check_grads(lambda x: call.function(x, *rest), (first,), order=2, modes="rev")


@pytest.mark.usefixtures("made_again")
def test_what_may_raise_stays():
    """A subscript that is not known to be in range runs where the program runs it."""

    def f(x, i):
        total = 0.0
        for k in range(3):
            if k < i:
                total = total + np.sin(x[i] * x[k]) * x[i]
        return total

    check_grad(f, AT[:4], 2)
    assert ag.grad(f)(AT[:4], 0).tolist() == [0.0] * 4


def test_effects_happen_once(capsys):
    def f(x):
        for _ in range(2):
            y = x * 3.0
            print("y", y[0])
            x = np.sin(y) * y
        return np.sum(x)

    ag.grad(f)(np.full(LARGE, 0.5))
    assert capsys.readouterr().out.count("y") == 2


def test_memory_that_is_written_again():
    """What is kept is taken where it is computed, before the array changes in place."""

    def f(x):
        y = np.zeros(4)
        for i in range(4):
            y[i] = x[i] * 2.0
            z = y * y + 1.0
            y = np.sin(z) * z
            y[0] = 0.5
        return np.sum(y)

    check_grad(f, np.array([0.3, -0.2, 0.5, 0.7]))


# -- the choice itself -----------------------------------------------------------------------------


def choice(forward, backward, free=(), native=False):
    """The `Residuals` of a forward pass of one array x, of which ``backward(ct, *values)`` takes
    what ``forward(x)`` gives."""
    with Builder("forward") as outer:
        x = outer.input(types.array("f8", (LARGE,)), "x")
        values = forward(x)
        with Builder("backward") as builder:
            ct = builder.input(types.array("f8", (LARGE,)), "ct")
            template = builder.finish(backward(ct, *values))
        local = {x, *(v for node in outer.nodes for v in node.outputs)}
        return Residuals(template, local, [values[k] for k in free], native), outer


def test_the_backward_pass_is_visible_in_what_it_needs():
    residuals, outer = choice(
        lambda x: (ops.exp(x), x), lambda ct, y, x: [ops.multiply(ct, ops.less(y, x))]
    )
    assert [str(v.type) for v in residuals.kept] == [MASK]
    kept = residuals.compute(outer)
    assert [node.op.name for node in outer.nodes] == ["exp", "less"]
    template = residuals.rewritten(kept)
    assert [node.op.name for node in template.nodes] == ["multiply"]
    assert template.captures == (outer.nodes[1].outputs[0],)


def test_what_is_free_is_not_kept():
    residuals, _ = choice(
        lambda x: (x, ops.exp(x)), lambda ct, x, y: [ops.multiply(ct, ops.add(x, y))], free=[0]
    )
    assert [v.producer.op.name for v in residuals.kept] == ["exp"]


@pytest.mark.parametrize("native, kept", [(False, 3), (True, 1)])
def test_small_arrays_are_made_again_in_native_code(native, kept, monkeypatch):
    """There an operation costs no call."""
    monkeypatch.setattr("tests.transforms.test_residuals.LARGE", 100)

    def forward(x):
        e = ops.exp(x)
        s = ops.add(1.0, e)
        return e, s, ops.divide(1.0, s)

    def backward(ct, *values):
        for value in values:
            ct = ops.sin(ops.multiply(ct, value))
        return [ct]

    residuals, _ = choice(forward, backward, native=native)
    assert len(residuals.kept) == kept


def test_what_ran_in_the_forward_pass_may_be_made_again_though_it_may_raise():
    """A shift of Python's ints raises if it is negative; it was not."""

    def f(x, n):
        total = 0.0
        for i in range(n):
            if (n >> i) & 1 == 1:
                total = total + np.sin(x) * x
        return total

    assert ag.grad(f)(0.5, 6) == pytest.approx(2.0 * (np.sin(0.5) + 0.5 * np.cos(0.5)))


def test_a_view_costs_what_it_keeps_alive():
    residuals, _ = choice(
        lambda x: (ops.exp(x), ops.getitem(ops.exp(x), index=(("slice", 0, 8, None),))),
        lambda ct, y, part: [ops.multiply(ct, ops.sum(part, axis=(0,)))],
    )
    assert [str(v.type) for v in residuals.kept] == ["f64[]"]


def least_cut(capacities, count, sinks):
    """The least capacity of a cut, by trying all."""
    best = np.inf
    for flags in itertools.product((True, False), repeat=count - 1):
        inside = {SOURCE, *(n for n, flag in enumerate(flags, 1) if flag)}
        if not inside & set(sinks):
            cut = [c for (a, b), c in capacities.items() if a in inside and b not in inside]
            best = min(best, sum(cut))
    return best


@pytest.mark.parametrize("seed", range(30))
def test_minimum_cuts(seed):
    rng = np.random.default_rng(seed)
    count = 7
    pairs = [(a, b) for a in range(count) for b in range(1, count) if a < b]
    chosen = [pair for pair in pairs if rng.random() < 0.5]
    capacities = {pair: float(rng.choice([0, 1, 2, 5, 9])) for pair in chosen}
    sinks = sorted(rng.choice(np.arange(1, count), size=2, replace=False).tolist())
    network = MinimumCut()
    for (a, b), capacity in capacities.items():
        network.join(a, b, capacity)
    for sink in sinks:
        network.saturate(sink)
    inside = network.reached()
    assert not inside & set(sinks)
    found = sum(c for (a, b), c in capacities.items() if a in inside and b not in inside)
    assert found == least_cut(capacities, count, sinks)
