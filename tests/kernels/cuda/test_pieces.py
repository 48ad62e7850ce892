"""Programs of which a part cannot be in a graph of CUDA's: the rest is, in pieces."""

import numpy as np
import pytest

import autograph as ag
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import ON_GPU
from tests.kernels.cuda.noted import stand_in
from tests.kernels.cuda.test_graphs import started
from tests.kernels.cuda.test_whole import X, same, turned

pytestmark = pytest.mark.skipif(ON_GPU, reason="it looks at what the stand-in has done")


@pytest.fixture
def gpu(monkeypatch):
    with stand_in(monkeypatch) as made:
        yield made


def around(what):
    """A function that does something between two pieces."""

    def program(x):
        y, total = turned(x)
        z = what(y)
        w, other = turned(z)
        return w * total, other

    return program


def decided(y):
    while np.sum(np.abs(np.arctan(y + 0.1j))) > 60.0:
        y = 0.5 * y
    return y


BETWEEN = {
    "a sort": (np.sort, 2),
    "an order": (lambda y: y[np.argsort(y)], 2),
    "a transform": (lambda y: np.fft.fft(y).real, 2),
    "a factorisation": (lambda y: np.linalg.solve(np.outer(y, y) + 400.0 * np.eye(300), y), 2),
    "a decision of the host's": (decided, 2),
    "elements that are chosen": (lambda y: np.cumsum(y)[y > -1.0], 1),
}


@pytest.mark.costly
@pytest.mark.parametrize("what", BETWEEN)
def test_pieces_around(gpu, what):
    between, pieces = BETWEEN[what]
    program = around(between)
    f, x = ag.to_graph(lambda x: program(x)), on_device(X)
    for k in range(12):
        x[...] = X * (1 + k % 2)
        before = len(started(gpu))
        for found, expected in zip(f(x), program(X * (1 + k % 2)), strict=True):
            np.testing.assert_allclose(on_host(found), expected, rtol=1e-9)
    assert len(started(gpu)) - before >= pieces
    told = str(f.explain(x))
    assert "as one graph of CUDA's: no, " in told and "but in pieces:" in told
    assert told.count("_piece") >= pieces


def test_kernels_that_are_shown_are_those_that_run(gpu):
    """A processor's kernel sorts, too, which one for a GPU does not."""
    program = around(np.sort)
    f, x = ag.to_graph(lambda x: program(x)), on_device(X)
    shown = str(f.kernels(x))
    assert "__global__" in shown and "sort of" not in str(f.explain(x))
    f(x)
    assert set(gpu.launches) <= {w.split("(")[0] for w in shown.split()}


def test_what_is_printed_between(gpu, capsys):
    def program(x):
        y, total = turned(x)
        print("total:", total.shape)
        return turned(y)

    f, x = ag.to_graph(lambda x: program(x)), on_device(X)
    for _ in range(5):
        same(f(x), program(X))
    lines = capsys.readouterr().out.splitlines()
    assert len(set(lines)) == 1 and len(lines) == 10


def test_views_of_what_comes_from_outside_stay_there(gpu):
    """A graph's results are copied: a view of an argument would not be one any more."""

    def program(x):
        part = x[:150]
        y, total = turned(part)
        return np.sort(y), part, total, y[::2]

    f, x = ag.to_graph(lambda x: program(x)), on_device(X)
    for k in range(5):
        x[...] = X * (1 + k % 2)
        found, expected = f(x), program(X * (1 + k % 2))
        same(found, expected)
        assert np.shares_memory(found[1], x)
    assert len(started(gpu)) == 3


def test_an_argument_that_is_given_up(gpu):
    f = ag.to_graph(lambda x: turned(x), donate_argnums=0)
    for k in range(6):
        same(f(on_device(X * k)), turned(X * k))
    assert "but in pieces:" in str(f.explain(on_device(X)))
    x = on_device(X)
    for _ in range(4):
        x[...] = X
        same(f(x), turned(X))
    assert started(gpu)


def test_the_body_of_a_loop_of_the_hosts(gpu):
    def program(x):
        y, total = turned(x)
        while total > 1.0:
            y, total = turned(np.sort(y))
            y = np.abs(np.arctan(y + 0.1j)) * 0.9
        return y

    f, x = ag.to_graph(lambda x: program(x)), on_device(X)
    for _ in range(6):
        same(f(x), program(X))
    assert started(gpu)


def test_a_gradient_in_pieces(gpu):
    loss = lambda x: np.sum(turned(np.sort(turned(x)[0]))[0] ** 2)
    f, x = ag.grad(loss), on_device(X)
    expected = ag.grad(loss)(X)
    for _ in range(5):
        np.testing.assert_allclose(on_host(f(x)), expected, rtol=1e-9)
    assert len(started(gpu)) >= 4


def test_what_may_be_one_graph_has_no_pieces(gpu):
    f, x = ag.to_graph(lambda x: turned(x)), on_device(X)
    assert "lambda__piece" not in str(f.program(x)) and "lambda__piece" not in str(f.explain(x))


def test_a_program_in_cupys_terms_has_none(gpu, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CUDA_GRAPHS", "kernels")
    f, x = ag.to_graph(lambda x: np.sort(turned(x)[0])), on_device(X)
    assert "lambda__piece" not in str(f.program(x))
