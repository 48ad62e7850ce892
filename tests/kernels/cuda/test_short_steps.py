"""Loops of short steps on a GPU: one block runs all of them, with small products of matrices."""

import re

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda.plan import Launch, Repeat
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.cuda.told import loops_told
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.selection.parts import select
from benchmarks.gpu.choices import orbits, recurrent
from tests.kernels.cuda import hand_built
from tests.kernels.cuda.compare import run_both
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import ON_GPU, Unit


def numbers(*shapes):
    generator = np.random.default_rng(0)
    return [0.3 * generator.standard_normal(shape) for shape in shapes]


def conjugate_gradients(a, b):
    x, r = np.zeros_like(b), b
    p, rho = r, r @ r
    while rho > 1e-20:
        q = a @ p
        step = rho / (p @ q)
        x, r = x + step * p, r - step * q
        before, rho = rho, r @ r
        p = r + rho / before * p
    return x


def powers(a, n):
    """Products of all kinds of transposes."""
    c = a
    for _ in range(n):
        c = (c @ a + c.T @ a + a @ c.T) / np.max(np.abs(c))
    return c


def batches(x, w):
    for _ in range(3):
        x = np.tanh(x @ w)
    return x


NETWORK = ((6, 8, 16), (16, 24), (24, 24), (8, 24))


@pytest.mark.costly
@pytest.mark.parametrize(
    "program, arguments",
    [
        (recurrent, numbers(*NETWORK)),
        (lambda a: powers(a, 4), numbers((13, 13))),
        (batches, numbers((4, 5, 7), (4, 7, 7))),
        (orbits, numbers((90,))),
    ],
    ids=["recurrent", "transposes", "batches", "orbits"],
)
def test_one_launch(gpu, program, arguments):
    f = ag.to_graph(program)
    found = on_host(f(*map(on_device, arguments)))
    np.testing.assert_allclose(found, program(*arguments), rtol=1e-10, atol=1e-12)
    assert len(gpu.launches) == 1 and "a product" not in gpu.launches


def test_a_solver(gpu):
    (a,) = numbers((40, 40))
    a = a @ a.T + np.eye(40)
    b = np.linspace(-1, 1, 40)
    found = on_host(ag.to_graph(conjugate_gradients)(on_device(a), on_device(b)))
    np.testing.assert_allclose(found, np.linalg.solve(a, b), rtol=1e-8, atol=1e-10)
    assert len(gpu.launches) == 1


def test_gradients(gpu):
    x, w, u, h = numbers(*NETWORK)
    f = ag.grad(lambda w, u, x, h: np.sum(recurrent(x, w, u, h) ** 2), argnums=(0, 1))
    expected = f(w, u, x, h)
    for found, y in zip(f(*map(on_device, (w, u, x, h))), expected):
        np.testing.assert_allclose(on_host(found), y, rtol=1e-9, atol=1e-11)
    assert gpu.launches and "a product" not in gpu.launches


def multiplied(trips=3, **options):
    """A product in a loop, with gaps between rows and more of a matrix before it."""
    b = KernelBuilder("multiplied")
    x, y = b.input("float32", 200, "x"), b.input("float32", 200, "y")
    z = b.output("float32", 300, "z")
    with b.each(300) as i:
        b.store(z, i, b.cast(i, "float32") * 0.01)

    def step(t):
        at = b.long(3), b.long(5), t * 7
        strides = {"a_stride": 9, "b_stride": 8, "c_stride": 11, **options}
        b.add(ir.Multiply(x, y, z, 4, 6, 5, *at, **strides))
        b.written(z)
        return []

    b.for_(trips, [], step)
    return b.finish()


OPTIONS = [
    {},
    {"alpha": 0.5, "beta": 1.0},
    {"beta": 0.25, "a_transposed": True},
    {"b_transposed": True, "c_stride": 6},
    {"batch": 3, "a_step": 40, "b_step": 0, "c_step": 80},
    {"batch": 2, "a_step": 0, "b_step": 50, "c_step": 24, "c_stride": 6},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_forms_of_products(options):
    printed = print_cuda(multiplied(**options))
    assert all(isinstance(step, Launch) for step in printed.steps)
    generator = np.random.default_rng(0)
    inputs = [generator.integers(-4, 5, 200).astype("f4") for _ in range(2)]
    expected, found, _ = run_both(Unit([printed]), printed, inputs)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-5, atol=1e-5)


def steps_of(program, *shapes):
    graph = ag.to_graph(program).graph(*[np.zeros(shape) for shape in shapes])
    (kernel,) = select(graph, host=False).kernels.values()
    return print_cuda(kernel).steps


def test_large_steps_are_launches_and_the_librarys_products():
    network = ((6, 64, 256), (256, 512), (512, 512), (64, 512))
    assert any(isinstance(step, Repeat) for step in steps_of(recurrent, *network))
    assert any(isinstance(step, Repeat) for step in steps_of(orbits, (5000,)))
    assert not any(isinstance(step, Repeat) for step in steps_of(orbits, (4000,)))


@pytest.mark.parametrize(
    "program, shapes, told",
    [
        (recurrent, NETWORK, "for of 6 trips: one block runs all of it, in one launch"),
        (
            recurrent,
            ((6, 64, 256), (256, 512), (512, 512), (64, 512)),
            "for of 6 trips: each trip is launched, since a loop in it is over 32,768, and one "
            "block takes 4,096 at most",
        ),
        (batches, ((64, 64), (64, 64)), "for of 3 trips: each trip is launched, since a product"),
        (orbits, ((5000,),), "over 5,000, and one block takes 4,096 at most"),
        (conjugate_gradients, ((40, 40), (40,)), "while: one block runs all of it"),
    ],
)
def test_the_choice_is_printed(program, shapes, told):
    graph = ag.to_graph(program).graph(*[np.zeros(shape) for shape in shapes])
    (kernel,) = select(graph, host=False).kernels.values()
    assert told in loops_told(print_cuda(kernel).kernel)
    assert not loops_told(hand_built.selu())


@pytest.mark.skipif(ON_GPU, reason="a GPU does not tell")
def test_a_missing_barrier_is_found():
    graph = ag.to_graph(recurrent).graph(*numbers(*NETWORK))
    (kernel,) = select(graph, host=False).kernels.values()
    printed, barrier = print_cuda(kernel), "__syncthreads();\n"
    text, inputs = printed.text, numbers(*NETWORK)
    places = [m.start() for m in re.finditer(re.escape(barrier), text)]
    inputs = [x.reshape(-1) for x in inputs]
    run_both(Unit([printed]), printed, inputs)
    assert len(places) == 3  # the last one is followed by the first of the next trip
    for place in places[:-1]:
        printed.text = text[:place] + text[place + len(barrier) :]
        with pytest.raises(AssertionError, match="race"):
            run_both(Unit([printed]), printed, inputs)
