"""Which tests run with native code.

Compiling it takes most of the time of a test that makes many small functions. So what is about
operators one by one runs as NumPy's program in the suite; `tests/kernels` holds the kernels to
that. ``AUTOGRAPH_TEST_KERNELS=1`` lets all tests run with native code, but for those that are about
NumPy's program itself: its bits of functions such as ``exp``, the memory of its arrays, its calls.
They say so by ``@pytest.mark.numpy_program("what about it")``. With ``AUTOGRAPH_TEST_KERNELS=half``
(`make kernels`) half of the tests run, those with native code.

Machine code is kept beside pytest's own files, not among the user's. Which kernels a program has
is not kept: tests change what makes them, which no key tells. `tests/kernels/test_stored.py` has
processes of its own for that.
"""

import gc
import itertools
import math
import os
import sys
from collections import Counter
from pathlib import Path
from types import FunctionType
from zlib import crc32

import pytest

HERE = Path(__file__).parent
# Tests call a function once or twice; the code shall be that of programs that call it often.
os.environ.setdefault("AUTOGRAPH_TIER", "optimised")
os.environ.setdefault("AUTOGRAPH_CACHE_PROGRAMS", "0")
os.environ.setdefault("AUTOGRAPH_CACHE_DIR", str(HERE.parent / ".pytest_cache" / "kernels"))

# The folders of which the tests run without native code: `codegen`, which is about the programs in
# NumPy's terms, always.
WITHOUT = ("ops", "fuzz", "graph", "codegen", "transforms", "api", "staging", "contexts", "optim")
EVERYWHERE = os.environ.get("AUTOGRAPH_TEST_KERNELS", "") not in ("", "0")
HALF = os.environ.get("AUTOGRAPH_TEST_KERNELS") == "half"


@pytest.fixture(autouse=True)
def _native_code(request, monkeypatch):
    folder = request.path.relative_to(HERE).parts[0]
    is_about_it = request.node.get_closest_marker("numpy_program") is not None
    if folder == "codegen" or is_about_it or (folder in WITHOUT and not EVERYWHERE):
        monkeypatch.setenv("AUTOGRAPH_KERNELS", "0")
        if is_about_it and EVERYWHERE:
            _forget_what_was_made_of(vars(request.module).values())
            _forget_what_was_made_of(_parameters(request).values())
    elif folder == "kernels":
        monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)


@pytest.fixture(autouse=True)
def _shares_nothing_with_other_tests(monkeypatch):
    """Functions of the same code share what is compiled; a test that runs in several ways shall
    compile in each of them."""
    from autograph.api.kept import RecentEntries
    from autograph.api.recording import alike

    monkeypatch.setattr(alike, "_kept", RecentEntries())
    monkeypatch.setattr(alike, "_seen", RecentEntries())


def _parameters(request):
    return request.node.callspec.params if hasattr(request.node, "callspec") else {}


def _forget_what_was_made_of(values):
    """Tests before this one may have compiled the same functions with native code."""
    for each in values:
        if isinstance(each, FunctionType):
            vars(each).pop("__autograph__", None)


@pytest.fixture(autouse=True)
def _leaves_no_trace_function():
    """A debugger or profiler that stays would make all tests after this one many times slower."""
    before = sys.gettrace(), sys.getprofile()
    yield
    left = sys.gettrace(), sys.getprofile()
    sys.settrace(before[0])
    sys.setprofile(before[1])
    assert left == before


@pytest.fixture(params=["native", "numpy"])
def with_and_without_kernels(request, monkeypatch):
    """For tests that run twice."""
    if request.param == "native":
        monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    else:
        monkeypatch.setenv("AUTOGRAPH_KERNELS", "0")


@pytest.fixture
def device(monkeypatch):
    """`tests.support.strict_device` as a backend of that name."""
    from autograph.backends.select import BACKENDS
    from tests.support import strict_device

    monkeypatch.setitem(BACKENDS, strict_device.name, strict_device)
    strict_device.reads.clear()


MANY = 16  # of more variants of a test `make slow` does not take all
# Of a test with so many variants, at most, this share runs in the suite: of many two or more.
SHARES = ((2, 1.0), (5, 1 / 2), (MANY, 1 / 4), (math.inf, 1 / 12))
OF_COSTLY = 1 / 32  # of a costly test with many variants, and the middle one of any
# Multiples of it lie everywhere between two integers, without a period that parameters may have.
GOLDEN = (5**0.5 - 1) / 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Exhaustive tests run only where they are asked for: `make exhaustive`. Of a test with several
    variants a part runs in the suite, see `SHARES`, of a costly one fewer, see `OF_COSTLY`, and the
    others in `make slow`. Of one with many a fourth runs in both together, of a slow one a sixth;
    the others are exhaustive, but of documents all run. What is run by hand, without an expression
    of markers, runs with all variants."""
    is_slow = lambda item: item.get_closest_marker("slow") is not None
    place = lambda item: (item.path, getattr(item, "originalname", item.name), is_slow(item))
    counts, seen = Counter(map(place, items)), Counter()
    for item in items:
        count, number = counts[place(item)], seen[place(item)]
        seen[place(item)] += 1
        share = next(share for most, share in SHARES if count <= most)
        spread = number * GOLDEN % 1
        in_sample = in_suite = spread < share
        if item.get_closest_marker("costly") is not None:
            in_suite = number == (count - 1) // 2
            in_suite = in_suite or (count > MANY and 0 < spread < OF_COSTLY)
        if not in_suite:
            item.add_marker("variant")
        in_slow = count <= MANY or crc32(item.name.encode()) % 6 == 1
        in_slow = in_slow or ((in_sample or in_suite) and not is_slow(item))
        is_document = "documents" in item.path.parts
        if not in_slow and config.option.markexpr and not is_document:
            item.add_marker("exhaustive")
    if "exhaustive" in config.option.markexpr:
        return
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        marked = item.get_closest_marker("exhaustive") is not None
        other_half = HALF and crc32(item.nodeid.encode()) % 2 == 1
        (left_out if marked or other_half else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


# How many objects are made before the collector of garbage goes through them by itself, and how
# many tests run before it goes through what they have left. With Python's own numbers it goes
# through all that thousands of tests have left again and again.
YOUNG_OBJECTS = 50_000
TESTS_TOGETHER = 20
_ended = itertools.count(1)


def pytest_collection_finish():
    """The tests themselves stay until the end: the garbage collector need not go through them each
    time, which takes seconds where there are tens of thousands."""
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
    _collected()


def pytest_runtest_logfinish():
    """What is compiled for functions of modules stays, too."""
    if next(_ended) % TESTS_TOGETHER == 0:
        _collected()


def _collected():
    """All garbage is collected, and what is left does not become garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def quick_collections():
    """For tests that collect garbage again and again: not that of the tests before."""
    _collected()


def pytest_terminal_summary(terminalreporter):
    """How programs ended that were compared by the thousand, as the tests noted it."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, text in getattr(report, "user_properties", ()):
                if name == "endings" and report.when == "call":
                    terminalreporter.write_line(text)
