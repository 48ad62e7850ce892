"""Random kernels as CUDA C, executed on the CPU in random order, against the interpreter."""

import numpy as np
import pytest

from autograph.kernels.cuda.compile import available, compile_cuda
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir.interpreter import GaveUp, interpret
from tests.kernels.cuda.machine import Unit, execute
from tests.kernels.cuda.programs import Program
from tests.kernels.random_kernels import RandomKernel


def programs(seeds):
    """Kernels whose structure is random: launches, rows, control flow of the host."""
    return [Program(seed) for seed in seeds]


def reserving(seeds):
    """The same with memory reserved at any level, several in one kernel."""
    return [Program(seed, reserves=True) for seed in seeds]


def trips(seeds):
    """Kernels with a random body of one loop."""
    modes, counts = ("vector", "parallel", "none"), (0, 1, 7, 40, 70)
    return [
        RandomKernel(seed, counts[seed % 5], modes[seed % 3], rows=(3, 5)[seed % 2])
        for seed in seeds
    ]


def outcome(run, kernel, inputs):
    """The outputs, or None if the kernel gives up."""
    outputs = [np.full(x.size, 7).astype(x.dtype) for x in kernel.outputs]
    for shared, written in kernel.shared:
        place = [x is written for x in kernel.outputs].index(True)
        outputs[place][:] = inputs[[x is shared for x in kernel.inputs].index(True)]
    try:
        run(outputs)
    except GaveUp:
        return None
    return outputs


def compare(made):
    """Run kernels in both ways."""
    printed = [print_cuda(x.kernel) for x in made]
    unit = Unit(printed)
    for program, kernel in zip(made, printed):
        name, inputs = program.kernel.name, program.inputs
        interpreted = lambda outputs: interpret(program.kernel, inputs, outputs)
        executed = lambda outputs: execute(unit, kernel, inputs, outputs, seed=len(kernel.text))
        expected = outcome(interpreted, program.kernel, inputs)
        found = outcome(executed, program.kernel, inputs)
        assert (found is None) == (expected is None), name
        for x, y in zip(found or (), expected or ()):
            np.testing.assert_array_equal(x, y, err_msg=name)
            if x.dtype.kind == "f":
                signs = [np.signbit(v[~np.isnan(y)]) for v in (x, y)]
                np.testing.assert_array_equal(*signs, err_msg=name)


@pytest.mark.costly
@pytest.mark.parametrize("start", range(0, 20, 10))
@pytest.mark.parametrize("make", [programs, reserving, trips])
def test_random_kernels(make, start):
    compare(make(range(start, start + 10)))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 1400, 20))
@pytest.mark.parametrize("make", [programs, reserving, trips])
def test_many_random_kernels(make, start):
    compare(make(range(start, start + 20)))


@pytest.mark.costly
@pytest.mark.skipif(not available(), reason="CuPy or NVRTC is not installed")
@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 10), marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [programs, reserving, trips])
def test_random_kernels_compile(make, seeds):
    for program in make(seeds):
        binary = compile_cuda(print_cuda(program.kernel).text, "sm_90")
        assert binary.cubin.startswith(b"\x7fELF")
