"""Kernels that are made quickly compute the same bits, and are exchanged where nobody notices."""

import logging
import threading
import time

import numpy as np
import pytest

import autograph as ag
from autograph.errors import OptionError
from autograph.kernels import making
from autograph.kernels.making import longest
from autograph.kernels.native import compiler, tiers
from tests.support.processes import printed


@pytest.fixture
def tier(monkeypatch, tmp_path):
    """Sets the tier, with a cache of its own."""

    def choose(name):
        compiler.cache._checked.cache_clear()
        monkeypatch.setenv("AUTOGRAPH_TIER", name)
        monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", str(tmp_path / name))

    yield choose
    compiler.cache._checked.cache_clear()


def elementary(x, y):
    a = np.sin(x) * y + np.exp(-x * x) - np.log(np.abs(y) + 1.5)
    return a, np.tanh(a) ** 3 + np.sqrt(np.abs(a)) / (y + 3.0), np.arctan2(x, y)


def sums(x, y):
    return np.sum(x * y), np.mean(x), np.var(y), np.max(x - y), np.cumsum(x), np.prod(1 + x / 50)


def loops(x, y):
    a, s = x * 1.0, 0.0
    for i in range(7):
        a = np.where(a > y, a * 0.5 + y, a - 0.1 * i)
        s = s * 0.9 + a[i] * a[i + 1] + a[2]
        if s > 1.0:
            s = s - np.floor(s)
    return a, s


def whole(x, y):
    i, j = (x * 100).astype(np.int64), (y * 100).astype(np.int64) + 7
    return i // j, i % j, i ^ j, (i << 3) - j, np.minimum(i, j), i / j, x.astype("f4") * y


def nonfinite(x, y):
    a = np.where(x > 0, x / np.where(y > 0.5, 0.0, 1.0), np.sqrt(x))
    return a, np.maximum(a, y), np.fmin(a, y), a > y, np.sign(a), np.nansum(a)


def parts(x, y):
    z = x + 1j * y
    return z * z.conj(), np.exp(z), np.abs(z), np.sum(z * z)


def tree(a, n):
    return a * 0.7 if n == 0 else np.sin(tree(a + 0.3, n - 1)) + tree(a * 1.1, n - 1)


def halves(x):
    if len(x) < 3:
        return x * x
    half = len(x) // 2
    left, right = halves(x[:half]), halves(x[half:])
    return np.concatenate([right * left[0], left + np.sum(right)])


def recursive(x, y):
    return halves(x * y), tree(x[0], 5), tree(y[1], 4)


PROGRAMS = (elementary, sums, loops, whole, nonfinite, parts, recursive)


def bits(value):
    """An array with its type, and which NaN it holds left out."""
    array = np.asarray(value)
    is_nan = array != array
    return array.dtype, array.shape, np.where(is_nan, 0, array).tobytes(), is_nan.tobytes()


def in_lanes(program):
    return ag.vmap(lambda a, b: program(a * np.ones(9), b * np.ones(9)))


def gradient(program):
    return ag.grad(lambda x, y: np.sum(program(x, y)[0]))


CASES = [(to_graph, p) for p in PROGRAMS for to_graph in (ag.to_graph, in_lanes)]
CASES += [(gradient, p) for p in (elementary, sums, loops, parts, recursive)]


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize(("transform", "program"), CASES)
def test_both_have_the_same_bits(transform, program, dtype, tier):
    if (transform, program) == (gradient, parts):
        program = lambda x, y: (np.abs(parts(x, y)[1]),)
    rng = np.random.default_rng(0)
    x, y = (rng.normal(size=37).astype(dtype) for _ in range(2))
    found = []
    for name in (tiers.QUICK, tiers.OPTIMISED):
        tier(name)
        result = transform(program)(x, y)
        found.append([bits(v) for v in (result if type(result) is tuple else (result,))])
    assert found[0] == found[1]


@pytest.fixture
def soon(monkeypatch):
    """Kernels may run for some microseconds before they are optimised."""
    monkeypatch.setattr(tiers, "_COST_OF_LINE", 500.0)


def until_asked(made, f, x):
    """Call a function until the other code of its kernel is asked for, however fast the machine is,
    and wait for it; a result of each call."""
    first, end = f(x), time.monotonic() + 60
    while not made._is_asked:
        assert f(x)[0] == first[0]
        assert time.monotonic() < end, "no call of many was taken as long"
    wait()
    return first


def wait():
    for thread in threading.enumerate():
        if thread.name == "autograph compiler":
            thread.join(60)


def small(x):
    return np.sum(np.sin(x) * x), np.cos(x) * 2.0


def the_tiers(f, *args):
    """Of the only kernel."""
    found = []

    def noted(self, *given, **more):
        found.append(self)
        plain(self, *given, **more)

    plain = tiers.Tiers.__init__
    tiers.Tiers.__init__ = noted
    try:
        f(*args)
    finally:
        tiers.Tiers.__init__ = plain
    (made,) = found
    return made


def test_what_runs_for_long_is_optimised(tier, soon, caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("autograph"), "propagate", True)
    tier(tiers.AUTOMATIC)
    f, x = ag.to_graph(small), np.linspace(0.0, 3.0, 50)
    made = the_tiers(f, x)
    with caplog.at_level(logging.DEBUG, "autograph"):
        first = until_asked(made, f, x)
    assert made._code is not None
    assert "a kernel that has run for long was optimised" in caplog.text
    assert not any("NumPy computes" in record.message for record in caplog.records)
    for _ in range(3):
        again = f(x)
        assert again[0] == first[0] and np.array_equal(again[1], first[1])
    # The next process, and so the next function, finds it.
    g = ag.to_graph(lambda x: small(x))
    assert g(x)[0] == first[0]


def test_what_runs_shortly_is_not(tier):
    tier(tiers.AUTOMATIC)
    f, x = ag.to_graph(small), np.linspace(0.0, 3.0, 50)
    made = the_tiers(f, x)
    for _ in range(100):
        f(x)
    assert not made._is_asked
    tier(tiers.QUICK)
    f = ag.to_graph(lambda x: small(x * 2.0))
    made = the_tiers(f, x)
    for _ in range(500):
        f(x)
    assert not made._is_asked


def test_arrays_that_are_copied_first(tier, soon):
    """They go to the same kernel by another way, also in the call that asks for the other code."""
    tier(tiers.AUTOMATIC)
    f, x = ag.to_graph(small), np.linspace(0.0, 3.0, 100)
    first = f(x[:50].copy())
    f(x[::2])
    for k in range(500):
        given = x[:50].copy() if k % 2 else np.repeat(x[:50], 2)[::2]
        found = f(given)
        assert found[0] == first[0] and np.array_equal(found[1], first[1])
    wait()
    assert f(x[:50].copy())[0] == first[0]


def test_code_that_cannot_be_made(tier, soon, monkeypatch, caplog):
    monkeypatch.setattr(logging.getLogger("autograph"), "propagate", True)
    tier(tiers.AUTOMATIC)
    f, x = ag.to_graph(small), np.linspace(0.0, 3.0, 50)
    made = the_tiers(f, x)

    def fails():
        raise RuntimeError("no memory for LLVM")

    made._optimise = fails
    with caplog.at_level(logging.INFO, "autograph"):
        first = until_asked(made, f, x)
    assert "stays as it was made quickly: no memory for LLVM" in caplog.text
    assert f(x)[0] == first[0]


def test_threads_while_it_is_exchanged(tier, soon):
    tier(tiers.AUTOMATIC)
    f, x = ag.to_graph(small), np.linspace(0.0, 3.0, 50)
    first, wrong = f(x), []

    def run():
        end = time.monotonic() + 1.0
        while time.monotonic() < end:
            found = f(x)
            if found[0] != first[0] or not np.array_equal(found[1], first[1]):
                wrong.append(found)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait()
    assert not wrong


@pytest.fixture
def quickly(monkeypatch):
    """The texts of kernels that are made quickly."""
    made, quick_code = [], compiler.quick_code

    def noted(text):
        made.append(text)
        return quick_code(text)

    monkeypatch.setattr(compiler, "quick_code", noted)
    return made


def test_long_work_is_optimised_at_once(tier, quickly):
    tier(tiers.AUTOMATIC)
    f = ag.to_graph(lambda x: np.sum(np.sin(np.sin(np.sin(np.sin(x))))))
    assert f(np.zeros(4_000_000)) == 0.0
    assert not quickly


def collatz(n):
    steps = 0
    for start in range(1, n):
        k = start
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps = steps + 1
    return steps


def test_a_call_without_bounds_is_given_up_when_it_takes_long(tier, quickly, caplog, monkeypatch):
    """It is made quickly, and begins again when its time is over."""
    monkeypatch.setattr(logging.getLogger("autograph"), "propagate", True)
    tier(tiers.AUTOMATIC)
    f = ag.to_graph(collatz)
    made = the_tiers(f, 27)
    assert quickly and not made._is_asked
    with caplog.at_level(logging.DEBUG, "autograph"):
        assert f(100_000) == 10_753_712
    assert made._code is not None  # by then, as the call waited for it
    assert not any("NumPy computes" in record.message for record in caplog.records)
    assert f(100_000) == 10_753_712
    assert f(27) == collatz(27)


def test_routines_are_made_quickly_too(tier, quickly):
    tier(tiers.AUTOMATIC)
    x, y = np.linspace(0.1, 2.0, 9), np.linspace(1.0, 0.2, 9)
    for _ in range(2):  # the second function finds them on disk
        made = the_tiers(ag.to_graph(lambda x, y: recursive(x, y)), x, y)
        assert not made._is_asked
    assert len(quickly) > 2
    assert any("define i32 @kernel(" not in text for text in quickly)


def takeuchi(x, y, z):
    if y >= x:
        return z
    return takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y))


def test_a_call_that_calls_itself_for_long_is_given_up(tier, soon, quickly):
    """It is the loop of a routine that tells it is late."""
    tier(tiers.AUTOMATIC)
    f = ag.to_graph(takeuchi)
    made = the_tiers(f, 3, 2, 1)
    assert quickly and not made._is_asked
    assert f(24, 16, 8) == 9
    assert made._code is not None
    assert f(24, 16, 8) == 9


def depth(n):
    return 0 if n == 0 else depth(n - 1) + 1


def test_what_comes_to_the_end_of_the_stack_is_optimised(tier, caplog, monkeypatch):
    """It takes less of it then; NumPy's program does not take over."""
    monkeypatch.setattr(logging.getLogger("autograph"), "propagate", True)
    tier(tiers.AUTOMATIC)
    f, found = ag.to_graph(depth), []
    made = the_tiers(f, 3)
    before = threading.stack_size(1 << 20)
    try:
        thread = threading.Thread(target=lambda: found.extend(map(f, (100, 12_000, 12_000))))
        with caplog.at_level(logging.DEBUG, "autograph"):
            thread.start()
            thread.join()
    finally:
        threading.stack_size(before)
    assert found == [100, 12_000, 12_000]
    assert made._code is not None
    assert not any("NumPy computes" in record.message for record in caplog.records)


def spins(x, n):
    """Changes what it is given, in loops that take long."""
    k, changed = 0, 0
    while k < n:
        i = (k * 7919 + changed) % len(x)
        if x[i] + x[i - 1] > k % 3:
            x[i] = x[i] - 1
            changed += 1
        else:
            x[i] = x[i] + 1
        k += 1
    return changed


def test_what_a_call_has_changed_that_is_given_up(tier, soon):
    """It changes its argument once, whenever it is given up."""
    tier(tiers.AUTOMATIC)
    f = ag.to_graph(spins)
    for n in (10, 3_000_000, 1000):
        x, expected = np.arange(11) % 3, np.arange(11) % 3
        plain = spins(expected, min(n, 20_000))
        if n > 20_000:  # Python would take long
            f(expected := np.arange(11) % 3, n)
        assert (f(x, n) == plain) or n > 20_000
        assert np.array_equal(x, expected)


def test_a_call_of_lanes_that_is_given_up(tier, soon):
    tier(tiers.AUTOMATIC)

    def steps(a):
        k, x = 0, a
        while x < 1000.0:
            x = x + 0.0001 * a
            k += 1
        return k

    f, a = ag.vmap(steps), np.linspace(1.0, 2.0, 9)
    made = the_tiers(f, a + 1000.0)
    found = f(a)
    assert made._code is not None and np.array_equal(found, f(a))
    tier(tiers.OPTIMISED)
    assert np.array_equal(found, ag.vmap(lambda a: steps(a))(a))


def test_a_call_that_raises_after_its_time(tier, soon):
    """The kernel gives up for both: Python's exception comes."""
    tier(tiers.AUTOMATIC)

    def f(x, n):
        k, total = 0, 0.0
        while k < n:
            total = total + x[k % len(x)]
            k += 1
        return total + x[k]

    compiled = ag.to_graph(f)
    assert compiled(np.ones(5), 3) == 4.0
    for _ in range(3):
        with pytest.raises(IndexError):
            compiled(np.ones(5), 3_000)
        with pytest.raises(IndexError):
            compiled(np.ones(5), 30_000)
    assert compiled(np.ones(5), 4) == 5.0


def test_transposed_arrays_have_optimised_code(tier, soon, quickly):
    tier(tiers.AUTOMATIC)
    f, x = ag.to_graph(lambda x: np.sin(x) + 1.0), np.asfortranarray(np.ones((400, 300)))
    found = [f(x) for _ in range(4)]
    assert all(np.array_equal(a, found[0]) for a in found) and found[3].flags.f_contiguous
    assert len(quickly) <= 1  # that for C order


SHIFTS = [0.01 * k for k in range(60)]  # a loop over a list is written out


def written_out(x, y):
    for shift in SHIFTS:
        x = np.where(x > y, np.tanh(x) * 0.9 - y, np.exp(-x) + shift)
    return np.sum(x)


def test_a_long_kernel_may_take_longer(tier):
    """It would take seconds to optimise, which its calls do not lose."""
    tier(tiers.AUTOMATIC)
    f, x = ag.to_graph(written_out), np.linspace(-1.0, 1.0, 2000)
    made = the_tiers(f, x, 0.5 * x)
    assert not made._is_asked
    (kernel,) = f.kernels(x, 0.5 * x).values()
    work = longest(kernel.kernel)
    lines = kernel.text.count("\n")
    none = lambda: 0.0
    assert tiers.quick_time(kernel.text, (), lambda: work, none, False) == 80e3 * lines
    assert tiers.quick_time(kernel.text[:100], (), lambda: work, none, False) is None
    assert tiers.quick_time(kernel.text, (), lambda: None, none, False) is None
    assert tiers.quick_time(kernel.text, (), lambda: None, none, True) == 80e3 * lines
    assert tiers.quick_time(kernel.text, (), lambda: work, lambda: 0.5, True) == 160e3 * lines
    assert tiers.quick_time(kernel.text, (), lambda: work, lambda: 1.0, True) == 800e3 * lines


def test_what_libraries_do_is_none_of_the_work_that_is_optimised():
    """The share of products is large where matrices are, and 0 without any."""
    in_libraries = lambda f, *args: making.in_libraries(
        next(iter(ag.to_graph(f).kernels(*args).values())).kernel
    )
    large, small = np.ones((200, 200)), np.ones((3, 3))
    assert in_libraries(lambda x: np.tanh(x @ x), large) > 0.5
    assert in_libraries(lambda x: np.tanh(x + x), large) == 0.0
    assert 0.0 <= in_libraries(lambda x: np.tanh(x @ x), small) < 0.5


def test_another_tier_is_an_error(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_TIER", "fast")
    with pytest.raises(OptionError, match=r"AG0846.*'fast'"):
        tiers.tier()


ENDS = """
import os, sys, time
import numpy as np
import autograph as ag
from autograph.kernels.native import compiler, tiers

plain = compiler.compiled
def slowly(*args):
    time.sleep(0.3)
    return plain(*args)
compiler.compiled = slowly
tiers._COST_OF_LINE = 500.0

@ag.to_graph
def f(x):
    return np.sum(np.sin(x) * x)

x = np.linspace(0.0, 3.0, 50)
first = f(x)
for _ in range(300):
    assert f(x) == first
if sys.argv[1] == "fork":
    child = os.fork()
    for _ in range(300):
        assert f(x) == first
    if child == 0:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
print("well")
if sys.argv[1] == "exit":
    sys.exit(0)
"""


@pytest.mark.costly
@pytest.mark.parametrize("how", ["end", "exit", "fork"])
def test_a_process_that_ends_meanwhile(how, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(ENDS)
    environment = {"AUTOGRAPH_TIER": "automatic", "AUTOGRAPH_CACHE_DIR": ""}
    assert "well" in printed(path, how, **environment)
