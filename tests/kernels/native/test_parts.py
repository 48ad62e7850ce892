"""The runtime's own machine code: it comes with the package, or is made of its texts."""

import platform
import sys

import pytest

pytest.importorskip("llvmlite")

from tests.support.processes import file_of, printed

START = """
import threading
import numpy as np
import autograph as ag
from autograph.kernels.native import c, compiler, parts, quick_calls, runtime

shipped, made, linked = c.machine_code, [], []
compiled, link = compiler.compiled, parts.link
compiler.compiled = lambda text, *more: made.append(text) or compiled(text, *more)
parts.link = lambda contents, names, symbols: linked.append(names) or link(contents, names, symbols)

quick_calls._LOOK_UPS = 64
f = ag.to_graph(lambda x: (np.sum(np.cumsum(x) * 2.0), x + 1.0))
x = np.arange(20000.0)
expected = np.sum(np.cumsum(x) * 2.0), x + 1.0

def check(times):
    for _ in range(times):
        total, more = f(x)
        assert total == expected[0] and np.array_equal(more, expected[1])
"""

# What uses all parts.
ALL = """
from autograph.kernels.native import blas
symbols = runtime.runtime().symbols
print(all(symbols[name] for name in symbols))
check(100)
a, b = np.random.default_rng(0).random((2, 200, 200))
for n in (3, 200):
    p, q = a[:n, :n], b[:n, :n]
    product = ag.to_graph(lambda p, q: np.tanh(p @ q))(p, q)
    assert np.allclose(product, np.tanh(p @ q), 1e-14, 0)
rows = ag.to_graph(lambda rows: [[2.0 * x for x in row] for row in rows])
assert rows([[1.0, 2.0], [3.0]]) == [[2.0, 4.0], [6.0]]
"""


@pytest.fixture
def run(tmp_path):
    """Runs a program in a process, with a cache on disk that is there for the next one."""

    def run(program):
        environment = {"AUTOGRAPH_TIER": "quick", "AUTOGRAPH_CACHE_DIR": str(tmp_path / "cache")}
        return printed(file_of(tmp_path / "program.py", program, START), **environment).split()

    return run


HAS_MACHINE_CODE = pytest.mark.skipif(
    sys.platform not in ("linux", "darwin")
    or platform.machine().lower() not in ("x86_64", "amd64", "arm64", "aarch64"),
    reason="there is none for this machine",
)


@HAS_MACHINE_CODE
def test_nothing_of_the_runtime_is_compiled(run):
    assert run(ALL + "print(len(made))") == ["True", "0"]


@pytest.mark.slow
def test_it_is_made_of_the_texts_where_there_is_no_machine_code(run):
    program = ALL.replace("from", "c.machine_code = lambda name: None\nfrom", 1)
    program += "print(len(made) > 10, len(made) - len({*made}))"
    assert run(program) == ["True", "True", "0"]
    assert run(program) == ["True", "False", "0"]  # from the disk


@HAS_MACHINE_CODE
def test_it_is_made_of_the_texts_where_its_machine_code_does_not_fit(run):
    program = """
        c.machine_code = lambda name: shipped("lists") if name == "entry" else shipped(name)
        check(3)
        print(len(made))
        """
    assert run(program) == ["1"]


def test_calls_are_matched_in_machine_code_once_there_are_many(run):
    program = """
        check(20)
        print(len(linked))
        check(100)
        print(len(linked))
        """
    assert run(program) == ["3", "4"]  # memory, arrays and entry, then call


def test_results_have_memory_of_the_runtime_once_one_is_big(run):
    program = """
        small = ag.to_graph(lambda x: (x + 1.0, np.sum(x)))
        assert small(np.ones(3))[1] == 3.0
        print(len(linked))
        check(1)
        assert small(np.ones(3))[1] == 3.0
        print(len(linked))
        """
    assert run(program) == ["1", "4"]  # entry; then memory and arrays, and entry with them
