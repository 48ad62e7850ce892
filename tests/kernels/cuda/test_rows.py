"""The kernels of the benchmark's rows as CUDA C: NVRTC compiles them, and nothing is spilled."""

import pytest

pytest.importorskip("scipy")

from autograph.kernels.cuda import compile as nvrtc
from autograph.kernels.cuda.plan import Branch, Launch, Repeat, RepeatWhile
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.selection.parts import select
from benchmarks.kernels.peers import ours
from benchmarks.kernels.rows import ROWS

pytestmark = pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")

OFTEN = ["sm_75", "sm_120"]
OTHERS = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_100"]
LARGE = ("transformer", "transformer_gradient")
# The products inside of a convolution are a library's: kernels are what stands around them.
KERNELS = {"convolution": 0, "convolution_gradient": 2}
SINES = ("call", "nested_call")  # CUDA's sine of large doubles has a table in local memory


def shared_out(steps):
    """The entries that run in many blocks."""
    found = set()
    for step in steps:
        match step:
            case Launch(covers=True):
                found.add(step.entry)
            case Repeat():
                found |= shared_out(step.steps)
            case RepeatWhile():
                found |= shared_out([*step.test, *step.steps])
            case Branch():
                found |= shared_out([*step.then, *step.orelse])
    return found


def compiled(name, architectures):
    module = ours.MAKERS[name].compiled().graph(*ROWS[name].arguments())
    kernels = select(module, host=False).kernels
    for kernel in kernels.values():
        printed = print_cuda(kernel)
        for architecture in architectures:
            if architecture not in nvrtc.architectures():
                continue
            found = nvrtc.compile_cuda(printed.text, architecture)
            for entry in printed.entries:
                used = found.resources[entry.name]
                assert used.spilled == 0, (entry.name, architecture, used)
                assert used.stack == 0 or name in SINES, (entry.name, architecture, used)
                # Two blocks at least are on a multiprocessor, unless there is one in all.
                most = 2**15 if entry in shared_out(printed.steps) else 2**16
                assert used.registers * entry.threads <= most, (entry.name, architecture, used)
    return len(kernels)


@pytest.mark.parametrize("name", [x for x in ROWS if x not in LARGE])
def test_no_local_memory(name):
    assert compiled(name, OFTEN) == KERNELS.get(name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_no_local_memory_anywhere(name):
    assert compiled(name, OTHERS + OFTEN * (name in LARGE)) == KERNELS.get(name, 1)
