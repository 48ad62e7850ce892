"""Processes that are forked at a bad moment: nothing hangs, and their results are right."""

import os

import pytest

from tests.support.processes import file_of, run_python

pytest.importorskip("llvmlite")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")

PROGRAM = """
import gc, os, signal, sys, threading, time
import numpy as np
import autograph as ag

def make(number):
    return ag.to_graph(lambda x: np.sum(np.exp(x) * number + np.sin(x * number)))

def in_child(function):
    \"\"\"What a forked process ends with; it is killed if that takes long.\"\"\"
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(20)
            status = 7 if function() else 2
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""


def run(path, program, **environment):
    environment = {"AUTOGRAPH_NUM_THREADS": "2", "AUTOGRAPH_CACHE_DIR": "", **environment}
    path = file_of(path, program, PROGRAM)
    return run_python("-W", "ignore", "-X", "faulthandler", path, **environment)


def test_while_another_thread_makes_machine_code(tmp_path):
    """It waits where the thread has begun to ask a function for its machine code."""
    ran = run(
        tmp_path / "forks.py",
        """
        from autograph.kernels.program import NativeFunction

        load, loads, go_on = NativeFunction.load, threading.Event(), threading.Event()

        def waits(self, plain, codes):
            if threading.current_thread() is not threading.main_thread():
                loads.set()
                go_on.wait()
            return load(self, plain, codes)

        NativeFunction.load = waits
        x = np.linspace(0.0, 1.0, 1000)
        thread = threading.Thread(target=make(2), args=(x,))
        thread.start()
        loads.wait()
        print(in_child(lambda: np.isfinite(make(3)(x))))
        go_on.set()
        thread.join()
        """,
    )
    assert ran.stdout == "7\n", ran


def test_while_another_thread_records(tmp_path):
    """The child collects garbage, and calls as quickly."""
    ran = run(
        tmp_path / "forks.py",
        """
        from ops.core.recording import threads_recording

        records, go_on = threading.Event(), threading.Event()

        def slow(x):
            if threading.current_thread() is not threading.main_thread():
                records.set()
                go_on.wait()
            return x + 1.0

        def child():
            again = make(3)(np.ones(5)) == make(3)(np.ones(5))
            return again and gc.isenabled() and threads_recording.value == 0

        thread = threading.Thread(target=ag.to_graph(lambda x: slow(x)), args=(np.ones(3),))
        thread.start()
        records.wait()
        print(in_child(child))
        go_on.set()
        thread.join()
        """,
    )
    assert ran.stdout == "7\n", ran


@pytest.mark.slow
def test_many_while_others_compile_and_free(tmp_path):
    ran = run(
        tmp_path / "forks.py",
        """
        stop, x = False, np.linspace(0.0, 1.0, 1000)

        def work(number):
            while not stop:
                number += 0.001
                make(number)(x)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
        for thread in threads:
            thread.start()
        codes = {in_child(lambda: np.isfinite(make(100 + k)(x))) for k in range(20)}
        stop = True
        for thread in threads:
            thread.join()
        print(codes)
        """,
    )
    assert ran.stdout == "{7}\n", ran


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_in_a_handler_while_a_kernel_runs_on_several_threads(tmp_path, threads):
    """What is left of the kernel is computed in both processes, in the child by one thread."""
    ran = run(
        tmp_path / "forks.py",
        """
        def slow(x):
            y = x
            while y < 1.0:
                y = y + 0.00001
            return y

        def forks(number, frame):
            children.append(os.fork())
            if children[-1] == 0:
                signal.alarm(60)
                signal.setitimer(signal.ITIMER_REAL, 0)

        f, x = ag.to_graph(lambda x: ag.vmap(slow)(x)), np.linspace(0.0, 0.5, 20_000)
        wanted, children = f(x), []
        signal.signal(signal.SIGPROF, forks)
        signal.setitimer(signal.ITIMER_PROF, 0.1)
        while not children:
            found = f(x)
        signal.setitimer(signal.ITIMER_PROF, 0)
        same = np.array_equal(found, wanted) and np.array_equal(f(x), wanted)
        if children[0] == 0:
            os._exit(7 if same else 1)
        print(same, os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]))
        """,
        AUTOGRAPH_NUM_THREADS=str(threads),
    )
    assert ran.stdout == "True 7\n", ran


def test_while_another_thread_draws_from_a_generator_of_its_own(tmp_path):
    """Nobody in the child would give back what the thread holds."""
    ran = run(
        tmp_path / "draws.py",
        """
        from autograph.kernels import drawing

        place_of, draws, go_on = drawing.place_of, threading.Event(), threading.Event()

        def waits(bits):
            if threading.current_thread() is not threading.main_thread():
                draws.set()
                go_on.wait()
            return place_of(bits)

        drawing.place_of = waits

        def total(rng, n):
            x = 0.0
            for _ in range(n):
                x += rng.random()
            return x

        compiled = ag.to_graph(total)
        wanted = compiled(np.random.default_rng(1), 50)
        thread = threading.Thread(target=compiled, args=(np.random.default_rng(1), 50))
        thread.start()
        draws.wait()
        print(in_child(lambda: compiled(np.random.default_rng(1), 50) == wanted))
        go_on.set()
        thread.join()
        print(compiled(np.random.default_rng(1), 50) == wanted)
        """,
    )
    assert ran.stdout.split() == ["7", "True"], ran.stderr
