"""What is compiled goes: with the function, or when others are used."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.native import loader
from tests.support.processes import file_of, printed

PROGRAM = """
import gc, os, sys
import numpy as np
import autograph as ag

def memory():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def make(number):
    return ag.to_graph(lambda x: np.sum(np.exp(x) * number))

def functions(start, count):
    for number in range(start, start + count):
        make(float(number))(np.ones(3))

def gradients(start, count):
    for number in range(start, start + count):
        ag.grad(lambda x: np.sum(np.exp(x) * number))(np.ones(3))

def signatures(start, count):
    for length in range(start, start + count):
        one(np.ones(length + 1))

one, run = make(2.0), globals()[sys.argv[1]]
count, most = int(sys.argv[2]), int(sys.argv[3])
run(0, 100)
before = memory()
run(100, count)
grown = memory() - before
print("grown by", grown, flush=True)
sys.exit(grown > most)
"""


def grow(tmp_path, what, count, most, **environment):
    path = file_of(tmp_path / "grows.py", PROGRAM)
    environment = {"AUTOGRAPH_CACHE_DIR": "", "AUTOGRAPH_VERIFY": "", **environment}
    printed("-W", "ignore", path, what, count, most, timeout=3000, **environment)


needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="there is no /proc")


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("what", ["functions", "signatures"])
def test_two_hundred(tmp_path, what):
    """It was 100 KB and more for each."""
    grow(tmp_path, what, 200, 12 << 20, AUTOGRAPH_SIGNATURES="20")


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("what", ["functions", "gradients", "signatures"])
def test_two_thousand(tmp_path, what):
    grow(tmp_path, what, 2_000, 100 << 20)


@needs_proc
@pytest.mark.exhaustive
@pytest.mark.parametrize("what", ["functions", "gradients", "signatures"])
def test_ten_thousand(tmp_path, what):
    """Each takes minutes."""
    grow(tmp_path, what, 10_000, 100 << 20)


@pytest.mark.slow
def test_machine_code_goes_with_its_function():
    import gc

    def used():
        gc.collect()
        loader.free_unused()
        return sum(len(linker.used) for linker in loader._linkers)

    # Each of its own code: functions of one code share what is compiled.
    made = [
        lambda x: np.sum(np.exp(x) * 2),
        lambda x: np.sum(np.exp(x) * 3),
        lambda x: np.sum(np.exp(x) * 4),
    ]
    ag.to_graph(lambda x: np.sum(np.exp(x)))(np.ones(3))
    before = used()
    functions = [ag.to_graph(f) for f in made]
    results = [f(np.ones(3)) for f in functions]
    assert used() == before + 3
    kept = functions.pop()
    functions.clear()
    assert used() == before + 1
    assert kept(np.ones(3)) == results[-1]
    del kept
    assert used() == before


def test_linkers_go_as_well(quick_collections):
    import gc

    ag.to_graph(lambda x: np.sum(x * 0.5))(np.ones(3))  # the runtime's own code stays
    before = len(loader._linkers)
    for k in range(3 * loader._LIBRARIES):
        ag.to_graph(lambda x, k=k: np.sum(x * float(k)))(np.ones(3))
        gc.collect()
    assert len(loader._linkers) <= before + 1


def compilations(f, monkeypatch):
    """Counts the compilations of a function from now on."""
    found, compiles = [], type(f)._compile
    counted = lambda *args, **more: found.append(1) or compiles(*args, **more)
    monkeypatch.setattr(type(f), "_compile", counted)
    return found


def test_the_least_recently_used_goes(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_SIGNATURES", "8")
    f = ag.to_graph(lambda x: np.sum(x * 2.0))
    for ndim in range(1, 9):
        f(np.ones([1] * ndim))
    f.program(np.ones(1))  # which is looked up
    f(np.ones([1] * 9))
    found = compilations(f, monkeypatch)
    f.program(np.ones(1))
    assert not found
    assert f(np.ones((1, 1))) == 2.0
    assert len(found) == 1
    assert len(f._lengths) <= 8


def test_what_quick_calls_use_stays(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_SIGNATURES", "4")
    f = ag.to_graph(lambda x: np.sum(x * 2.0))
    f(np.ones(1))
    for ndim in range(2, 30):
        assert f(np.ones(1)) == 2.0  # found without a look-up, until others were later
        assert f(np.ones([1] * ndim)) == 2.0
    assert len(f._cache) <= 4 + 3


def test_what_was_made_of_a_function_that_is_gone_still_runs():
    import gc

    def made():
        f = ag.to_graph(lambda x: np.sum(np.exp(x) * 3.0))
        out, pull = ag.vjp(f, np.ones(4))
        _, linear = ag.linearize(f, np.ones(4))
        return out, pull, linear, f.lower(np.ones(4)).compile()

    out, pull, linear, compiled = made()
    for k in range(2 * loader._LIBRARIES):
        ag.to_graph(lambda x, k=k: np.sum(x * float(k)))(np.ones(3))
    gc.collect()
    wanted = np.exp(np.ones(4)) * 3.0
    np.testing.assert_allclose(pull(1.0)[0], wanted)
    np.testing.assert_allclose(linear(np.ones(4)), np.sum(wanted))
    np.testing.assert_allclose(compiled(np.ones(4)), np.sum(wanted))
    assert out == compiled(np.ones(4))
