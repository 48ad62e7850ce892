"""The benchmark of programs: compiled they give what NumPy gives, and derivatives are those that
differences of NumPy's results have."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.beside import growth, measure, report
from benchmarks.beside.measure import Entry, Results
from benchmarks.beside.worker import _leaves
from benchmarks.programs import SUITE, derivatives
from benchmarks.programs.peers import by_hand, ours
from benchmarks.programs.rows import FAMILIES, FORWARD, PROGRAMS, ROWS

STEP = 1e-5
GRADIENTS = ("lenet", "mlp", "attention", "lstm", "gru", "log_likelihood", "determinant")
GRADIENTS += ("predator_prey", "march")


def arrays(tree):
    return [np.asarray(leaf) for leaf in _leaves(tree)]


def small(name):
    program = PROGRAMS[name]
    return program.function, program.arguments(program.small)


def compiled(name, args):
    return ours.MAKERS[name](*args)()


def along(args, count, step=STEP):
    """A direction in the first arguments, and the arguments a step there and a step back."""
    rng = np.random.default_rng(0)
    directions = [rng.normal(size=np.shape(arg)) for arg in args[:count]]
    ways = [
        [*(arg + h * d for arg, d in zip(args, directions)), *args[count:]] for h in (step, -step)
    ]
    return directions, *ways


def lanes(function):
    return lambda *args: np.array([function(*lane) for lane in zip(*args)])


def test_there_are_seventy_four_in_five_families():
    assert [len(programs) for programs in FAMILIES.values()] == [15, 15, 15, 16, 13]
    assert len(PROGRAMS) == 74
    assert set(SUITE.memory) <= set(ROWS)
    assert {row for rows in SUITE.scaling.values() for row in rows} <= set(ROWS)


@pytest.mark.parametrize("peer", [ours, by_hand])
def test_every_row_is_there_or_refused_with_a_reason(peer):
    assert set(peer.MAKERS) | set(peer.REFUSES) == {row.maker for row in ROWS.values()}
    assert not set(peer.MAKERS) & set(peer.REFUSES)


@pytest.mark.parametrize("name", by_hand.MAKERS)
def test_compiled_programs_give_what_numpy_gives(name):
    function, args = small(name.removesuffix(" forward"))
    before = arrays([np.copy(arg) for arg in args])
    results, expected = arrays(compiled(name, args)), arrays(function(*args))
    assert [(r.dtype, r.shape) for r in results] == [(e.dtype, e.shape) for e in expected]
    for result, reference in zip(results, expected):
        np.testing.assert_allclose(result, reference, rtol=1e-9, atol=1e-11)
    for arg, reference in zip(args, before):
        np.testing.assert_array_equal(arg, reference)


@pytest.mark.costly
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_are_those_of_differences(name):
    function, args = small(name)
    gradient = compiled(name, args)
    gradient = gradient if isinstance(gradient, tuple) else (gradient,)
    directions, there, back = along(args, len(gradient))
    expected = (function(*there) - function(*back)) / (2.0 * STEP)
    slope = sum(np.sum(g * d) for g, d in zip(gradient, directions))
    np.testing.assert_allclose(slope, expected, rtol=1e-5, atol=1e-8)


@pytest.mark.costly
@pytest.mark.parametrize("name", ["reprojection", "contact", "hand"])
def test_jacobians_are_those_of_differences(name):
    function, args = small(name)
    jacobian = compiled(name, args)
    jacobian = jacobian if isinstance(jacobian, tuple) else (jacobian,)
    directions, there, back = along(args, len(jacobian))
    if name == "reprojection":  # no rotation stays none: there its norm has a kink
        directions[0][np.sum(args[0][:, :3] ** 2, axis=1) == 0.0, :3] = 0.0
        there[0], back[0] = (args[0] + h * directions[0] for h in (STEP, -STEP))
    several = function if name == "hand" else lanes(function)
    expected = (several(*there) - several(*back)) / (2.0 * STEP)
    found = sum(
        np.einsum("...rd,...d->...r", j.reshape(*expected.shape, -1), d.reshape(len(d), -1))
        if name != "hand"
        else j @ d
        for j, d in zip(jacobian, directions)
    )
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


def test_greeks_are_those_of_differences():
    function, args = small("option")
    prices, slopes = compiled("option", args)
    np.testing.assert_allclose(prices, lanes(function)(*args), rtol=1e-10)
    step = 1e-7  # prices have many kinks: when an option is exercised
    directions, there, back = along(args, 5, step)
    expected = (lanes(function)(*there) - lanes(function)(*back)) / (2.0 * step)
    found = sum(slope * d for slope, d in zip(slopes, directions))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


def second_difference(function, x, direction, *rest):
    step = 1e-3
    values = [function(x + h * direction, *rest) for h in (step, 0.0, -step)]
    return (values[0] - 2.0 * values[1] + values[2]) / step**2


def test_second_derivatives_are_those_of_differences():
    function, args = small("logistic")
    direction = np.random.default_rng(0).normal(size=len(args[0]))
    expected = second_difference(function, args[0], direction, *args[1:])
    hessian = compiled("logistic", args)
    np.testing.assert_allclose(direction @ hessian @ direction, expected, rtol=1e-4)
    function, (centres, points, direction) = small("k_means")
    direction = 0.01 * direction  # no point gets another centre
    expected = second_difference(function, centres, direction, points)
    product = compiled("k_means", (centres, points, direction))
    np.testing.assert_allclose(np.sum(direction * product), expected, rtol=1e-4)


def test_a_hamiltonian_step_is_that_with_a_gradient_by_hand():
    function, args = small("hamiltonian")

    def gradient(weights, x, labels):
        return x.T @ (labels - derivatives.sigmoid(x @ weights)) - weights

    for result, expected in zip(compiled("hamiltonian", args), function(gradient, *args)):
        np.testing.assert_allclose(result, expected, rtol=1e-10)


DRAWN = [name for name, program in PROGRAMS.items() if program.draws > 1]


@pytest.mark.parametrize("name", DRAWN)
def test_other_data_have_the_same_shapes(name):
    row = ROWS[name]
    args, *others = row.arguments(), *row.others()
    assert len(others) == PROGRAMS[name].draws - 1
    kinds = [(arg.shape, arg.dtype) for arg in arrays(args)]
    for other in others:
        assert [(arg.shape, arg.dtype) for arg in arrays(other)] == kinds
        assert any(np.any(x != y) for x, y in zip(arrays(args), arrays(other)))


def test_programs_that_branch_on_data_get_others_at_each_call():
    assert {"dijkstra", "components", "csr_product", "contact"} <= set(DRAWN)
    function, args = small("edit_distance")
    others = PROGRAMS["edit_distance"].others(40)
    expected = [function(*each) for each in (args, *others)]
    assert len(set(expected)) > 1
    for peer in (ours, by_hand):
        call = peer.MAKERS["edit_distance"](*args, others=others)
        assert [call() for _ in range(2 * len(expected))] == 2 * expected


def test_means_and_the_worst_rows_are_of_what_was_timed():
    found = {
        "gemm": {"autograph": Entry(turns=[2.0]), "NumPy": Entry(turns=[8.0])},
        "lu": {"autograph": Entry(turns=[2.0]), "NumPy": Entry(turns=[2.0])},
        "life": {"autograph": Entry(reason="fails"), "NumPy": Entry(turns=[1.0])},
    }
    results = Results({"autograph": "1", "NumPy": "2"}, found)
    means, worst, times, *_, remarks = report.tables(SUITE, results)
    assert means.rows[0] == ("linear algebra and stencils", "0.50 (2)", "0.50 (2)")
    assert means.rows[1][1] == "-"
    assert means.rows[-1] == ("all", "0.50 (2)", "0.50 (2)")
    assert [row[0] for row in worst.rows] == [ROWS["lu"].title, ROWS["gemm"].title]
    assert times.rows[2][1] == "-"
    assert (ROWS["life"].title, "autograph", "not timed: fails") in remarks.rows


def test_many_rows_are_drawn_as_dots(tmp_path):
    pytest.importorskip("matplotlib")
    found = {
        name: {"autograph": Entry(turns=[2.0]), "NumPy": Entry(turns=[8.0]), "JAX": Entry()}
        for name in PROGRAMS
    }
    versions = {"autograph": "1", "NumPy": "2", "JAX": "3"}
    report.chart(SUITE, Results(versions, found), tmp_path / "dots.png", "a machine")
    assert (tmp_path / "dots.png").stat().st_size > 10_000


def test_a_process_that_takes_too_long_is_ended(tmp_path):
    peer = measure.Peer(SUITE, "NumPy", 1, tmp_path, timed=True, limit=0.2)
    try:
        with pytest.raises(RuntimeError, match=r"takes longer than 0\.2 s"):
            peer.ask("prepare", "collinear")
        assert not peer.runs()
    finally:
        peer.close()


def test_a_peer_that_fails_while_it_is_timed_leaves_the_others():
    class Timed:
        def __init__(self, name, turns):
            self.name, self.turns = name, iter(turns)

        def calibrate(self):
            return 1.0

        def turn(self):
            seconds = next(self.turns)
            if seconds is None:
                raise RuntimeError("the process ended")
            return seconds

    found = {"autograph": Entry(), "NumPy": Entry()}
    measure._rounds([Timed("autograph", [1.0, None]), Timed("NumPy", [2.0] * 5)], found, 5)
    assert found["autograph"].reason == "fails: the process ended"
    assert not found["autograph"].turns
    assert found["NumPy"].turns == [2.0] * 5


def test_memory_of_each_in_a_process_of_its_own():
    ((worst, calls, peaks),) = growth.memory(SUITE, ["NumPy"], ["clipped"], 1, 60.0)
    ((title, peak),) = peaks.rows
    assert title == ROWS["clipped"].title
    assert 10.0 < float(peak) < 1000.0
    assert not worst.rows  # nothing of ours is compared
    ((_, call),) = calls.rows
    if call != growth.NOTHING:  # a compiler made what counts: two arrays are held at once
        assert 2 * 2.74 < float(call) < 2 * 2.80


def test_where_ours_holds_more_than_the_least():
    held = {"autograph": growth.Held(2.0), "NumPy": growth.Held(3.0), "numba": growth.Held(1.5)}
    alone, none = {"autograph": growth.Held(2.0)}, {**held, "autograph": growth.Held()}
    less = {**held, "autograph": growth.Held(1.5)}
    found = growth._worst({"more": held, "less": less, "alone": alone, "none": none})
    assert list(found.rows) == [("more", "2.00", "numba", "1.50", "0.50")]


def test_forward_rows_are_functions_whose_gradients_are_rows():
    assert set(FORWARD) <= set(derivatives.PROGRAMS)
