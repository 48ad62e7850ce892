"""The runtime's own machine code: made quickly in a process that finds none on disk, and optimised
once kernels are called often."""

import pytest

pytest.importorskip("llvmlite")

from tests.support.processes import file_of, printed

START = """
import threading
import numpy as np
import autograph as ag
from autograph.kernels.native import compiler, entry, parts, quick_calls
from autograph.kernels.native.runtime import runtime

def of_thread():
    for thread in threading.enumerate():
        if thread.name == "autograph compiler":
            thread.join()

def known():
    return [all(compiler.known_code(t, quickly=True) for t in p.texts) for p in parts._made_quickly]

parts.CALLS = 300
quick_calls._LOOK_UPS = 64
f = ag.to_graph(lambda x: (np.sum(np.cumsum(x) * 2.0), x + 1.0))
x = np.arange(20000.0)
expected = np.sum(np.cumsum(x) * 2.0), x + 1.0

def check(times):
    for _ in range(times):
        total, more = f(x)
        assert total == expected[0] and np.array_equal(more, expected[1])
"""


@pytest.fixture
def run(tmp_path):
    """Runs a program in a process, with a cache on disk that is there for the next one."""

    def run(program, tier="automatic"):
        environment = {"AUTOGRAPH_TIER": tier, "AUTOGRAPH_CACHE_DIR": str(tmp_path / "cache")}
        return printed(file_of(tmp_path / "program.py", program, START), **environment).split()

    return run


def test_what_is_called_often_is_optimised_and_on_disk(run):
    program = """
        check(100)
        if parts._made_quickly:
            before = entry._entry().address
            print(len(parts._made_quickly), any(known()))
            check(300)
            of_thread()
            check(300)
            print(all(known()), entry._entry().address != before)
        else:
            print("optimised")
        """
    assert run(program) == ["4", "False", "True", "True"]  # memory, arrays, entry and call
    assert run(program) == ["optimised"]


def test_what_is_called_seldom_is_made_quickly_in_the_next_process_as_well(run):
    program = """
        check(100)
        of_thread()
        print(len(parts._made_quickly), any(known()))
        """
    assert run(program) == ["4", "False"]
    assert run(program) == ["4", "False"]


def test_calls_are_matched_in_machine_code_once_there_are_many(run):
    program = """
        check(20)
        print(len(parts._made_quickly))
        check(100)
        print(len(parts._made_quickly))
        """
    assert run(program) == ["3", "4"]  # memory, arrays and entry, then call
    assert run(program) == ["4", "4"]  # which is on disk


def test_results_have_memory_of_the_runtime_once_one_is_big(run):
    program = """
        small = ag.to_graph(lambda x: (x + 1.0, np.sum(x)))
        assert small(np.ones(3))[1] == 3.0
        print(len(parts._made_quickly))
        check(1)
        assert small(np.ones(3))[1] == 3.0
        print(len(parts._made_quickly))
        """
    assert run(program) == ["1", "4"]  # entry; then memory and arrays, and entry with them


@pytest.mark.costly
@pytest.mark.parametrize("tier, made", [("optimised", "0"), ("quick", "4")])
def test_the_setting(run, tier, made):
    program = """
        check(700)
        of_thread()
        print(len(parts._made_quickly), any(known()))
        """
    assert run(program, tier) == [made, "False"]


def test_an_interruption_amid_that_is_the_callers(run):
    program = """
        def interrupted():
            raise KeyboardInterrupt

        tier, parts.tier = parts.tier, parts.tier
        check(100)
        parts.tier = interrupted
        raised = 0
        for _ in range(300):
            try:
                f(x)
            except KeyboardInterrupt:
                raised += 1
        parts.tier = tier
        check(300)
        print(raised)
        """
    assert run(program) == ["1"]


def test_code_that_is_replaced_while_threads_run_it(run):
    program = """
        found = []

        def calls():
            check(2000)
            found.append(True)

        threads = [threading.Thread(target=calls) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        of_thread()
        print(len(found), all(known()))
        """
    assert run(program) == ["4", "True"]
