"""Loops that kernels run on several threads."""

import ctypes
import os
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels import native
from autograph.kernels.native.ctypes_entry import call
from autograph.kernels.native.runtime import runtime, thread_count
from tests.support.processes import file_of, run_python

TRIPS = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)

# Kernels that call @trips for chunks: inputs count, grain, array; output the result. Each trip
# adds its number to an element.
KERNEL = """
declare i32 @ag_parallel(ptr, ptr, i64, i64)

define internal i32 @trips(ptr %array, i64 %begin, i64 %end) {
  br label %loop
loop:
  %i = phi i64 [ %begin, %0 ], [ %next, %loop ]
  %item = getelementptr i64, ptr %array, i64 %i
  %old = load i64, ptr %item
  %new = add i64 %old, %i
  store i64 %new, ptr %item
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  %first = icmp eq i64 %begin, 0
  %last = icmp sgt i64 %end, 99
  %one = zext i1 %first to i32
  %last_32 = zext i1 %last to i32
  %two = shl i32 %last_32, 1
  %status = or i32 %one, %two
  ret i32 %status
}

define i32 @kernel(ptr %inputs, ptr %outputs) {
  %grain_item = getelementptr i64, ptr %inputs, i64 1
  %array_item = getelementptr i64, ptr %inputs, i64 2
  %count = load i64, ptr %inputs
  %grain = load i64, ptr %grain_item
  %array = load ptr, ptr %array_item
  %status = call i32 @ag_parallel(ptr @trips, ptr %array, i64 %count, i64 %grain)
  ret i32 %status
}
"""


# The same for loops of less than 900 trips that are shared with threads that are awake.
AWAKE = KERNEL.replace("@ag_parallel", "@ag_parallel_awake")
AWAKE = AWAKE.replace("i64, i64)", "i64, i64, i64)").replace("%grain)", "%grain, i64 900)")


@pytest.fixture(scope="module", params=[KERNEL, AWAKE], ids=["all", "awake"])
def kernel(request):
    return native.compile_kernel(request.param, "kernel")


@pytest.fixture(scope="module")
def parallel():
    arguments = (TRIPS, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    return ctypes.CFUNCTYPE(ctypes.c_int32, *arguments)(runtime().symbols["ag_parallel"])


@pytest.fixture(scope="module")
def parallel_awake():
    arguments = (TRIPS, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    return ctypes.CFUNCTYPE(ctypes.c_int32, *arguments)(runtime().symbols["ag_parallel_awake"])


@pytest.mark.parametrize("count", [0, 1, 2, 7, 99, 100, 1000])
@pytest.mark.parametrize("grain", [1, 3, 100, 10**9])
def test_every_trip_runs_once(kernel, count, grain):
    for _ in range(20):
        array = np.zeros(1000, np.int64)
        status = call(kernel, [np.int64(count), np.int64(grain), array], [])
        expected = np.arange(1000)
        expected[count:] = 0
        assert np.array_equal(array, expected)
        assert status == (count > 0) + 2 * (count > 99)


@pytest.mark.parametrize("count, grain", [(-5, 1), (0, 0), (-(2**63), 7)])
def test_no_trips(parallel, count, grain):
    assert parallel(TRIPS(lambda *_: 1), None, count, grain) == 0


@pytest.mark.parametrize("grain", [0, -3, -(2**63)])
def test_a_grain_that_makes_no_sense_is_one(parallel, grain):
    seen = []
    assert (
        parallel(TRIPS(lambda _, begin, end: seen.append((begin, end)) or 2), None, 3, grain) == 2
    )
    assert sorted(seen) == [(0, 1), (1, 2), (2, 3)]


def test_chunks_depend_on_count_and_grain_only(parallel):
    for _ in range(5):
        seen = []
        parallel(TRIPS(lambda _, begin, end: seen.append((begin, end)) or 0), None, 50, 7)
        assert sorted(seen) == [(i, min(i + 7, 50)) for i in range(0, 50, 7)]


@pytest.mark.skipif(thread_count() < 2, reason="there is one CPU")
def test_several_threads_work(parallel):
    seen = set()

    def trips(_, begin, end):
        seen.add(threading.get_native_id())
        time.sleep(0.002)
        return 0

    for pause in (0, 0.01, 0.05):  # workers that spin and workers that sleep
        time.sleep(pause)
        seen.clear()
        begun = time.monotonic()
        while len(seen) < 2 and time.monotonic() - begun < 20:  # others may have the CPUs
            assert parallel(TRIPS(trips), None, 40, 1) == 0
        assert 2 <= len(seen) <= thread_count()
        assert threading.get_native_id() in seen


@pytest.mark.skipif(thread_count() < 2, reason="there is one CPU")
def test_short_loops_wake_nobody_but_where_they_follow_each_other(parallel_awake):
    def threads(trips):
        seen = set()

        def body(_, begin, end):
            seen.add(threading.get_native_id())
            time.sleep(0.0001)
            return 0

        assert parallel_awake(TRIPS(body), None, 2, 1, trips) == 0
        return len(seen)

    threads(2)  # long enough for any number of trips
    begun = time.monotonic()
    while (awake := threads(3)) > 1 and time.monotonic() - begun < 20:  # until they sleep
        time.sleep(0.2)
    assert awake == 1

    def empty(_, begin, end):
        seen.add(threading.get_native_id())
        return 0

    seen, begun, body = set(), time.monotonic(), TRIPS(empty)
    while len(seen) < 2 and time.monotonic() - begun < 20:
        parallel_awake(body, None, 2, 1, 3)
    assert len(seen) == 2


@pytest.mark.parametrize("grain", [0, -3])
@pytest.mark.parametrize("many", [0, 100])
def test_short_loops_with_a_grain_that_makes_no_sense(parallel_awake, grain, many):
    seen = []
    body = TRIPS(lambda _, begin, end: seen.append((begin, end)) or 2)
    assert parallel_awake(body, None, 3, grain, many) == 2
    assert sorted(seen) == [(0, 1), (1, 2), (2, 3)]


def test_nested_loops(parallel):
    seen = []

    def inner(_, begin, end):
        seen.append(begin)
        return 2

    def outer(_, begin, end):
        return parallel(TRIPS(inner), None, 5, 1) | 1

    assert parallel(TRIPS(outer), None, 6, 1) == 3
    assert sorted(seen) == sorted(6 * list(range(5)))


def test_calls_from_several_threads(kernel):
    def work(_):
        for _ in range(300):
            array = np.zeros(1000, np.int64)
            call(kernel, [np.int64(1000), np.int64(10), array], [])
            if not np.array_equal(array, np.arange(1000)):
                return False
        return True

    with ThreadPoolExecutor(5) as pool:
        assert all(pool.map(work, range(5)))


def test_many_small_loops(kernel):
    """Jobs follow each other faster than workers notice."""
    array = np.zeros(1000, np.int64)
    for _ in range(20_000):
        call(kernel, [np.int64(4), np.int64(1), array], [])
    assert array[:5].tolist() == [0, 20_000, 40_000, 60_000, 0]


def diffused(a, steps):
    a = a.copy()
    for _ in range(steps):
        a[1:-1, 1:-1] += 0.1 * (a[2:, 1:-1] + a[:-2, 1:-1] - 2.0 * a[1:-1, 1:-1])
    return a, np.sum(a * a)


def test_steps_over_arrays_of_any_length():
    """Short ones are not shared, others with threads that are awake, long ones with all."""
    f = ag.to_graph(diffused)
    for n in (10, 20, 130, 400, 1000, 2):
        a = np.random.default_rng(n).random((n, n + 1))
        found, total = f(a, 6)
        expected, expected_total = diffused(a, 6)
        assert np.array_equal(found, expected)
        np.testing.assert_allclose(total, expected_total, rtol=1e-12)
        assert f(a, 6)[1] == total


# -- processes -------------------------------------------------------------------------------------

PROGRAM = """
import os, sys, time
import numpy as np
from autograph.kernels import native
from autograph.kernels.native.ctypes_entry import call
from autograph.kernels.native.runtime import runtime

kernel = native.compile_kernel({text!r}, "kernel")

def check(times=100):
    for _ in range(times):
        array = np.zeros(1000, np.int64)
        call(kernel, [np.int64(1000), np.int64(10), array], [])
        assert np.array_equal(array, np.arange(1000))

def threads():
    return len(os.listdir("/proc/self/task"))
"""


def run(program, **environment):
    program = PROGRAM.format(text=KERNEL) + textwrap.dedent(program)
    environment = {"OPENBLAS_NUM_THREADS": "1", **environment}
    return run_python("-W", "ignore", "-c", program, timeout=60, **environment)


def test_a_forked_process_has_threads_of_its_own():
    ran = run(
        """
        check()
        children = []
        for _ in range(4):
            child = os.fork()
            if child == 0:
                check()
                if os.fork() == 0:
                    check()
                    os._exit(0)
                status = os.wait()[1]
                count = threads() if os.path.exists("/proc") else 3
                os.write(1, f"child {count} {status}\\n".encode())  # whole lines
                os._exit(0)
            children.append(child)
        check()
        print(*(os.waitpid(child, 0)[1] for child in children))
        """,
        AUTOGRAPH_NUM_THREADS="3",
    )
    assert ran.stdout == "child 3 0\n" * 4 + "0 0 0 0\n", ran


def test_a_process_forked_while_a_loop_runs():
    ran = run(
        """
        import threading
        stop = False

        def work():
            while not stop:
                check(1)

        thread = threading.Thread(target=work)
        thread.start()
        for _ in range(30):
            child = os.fork()
            if child == 0:
                check(10)
                os._exit(7)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        stop = True
        thread.join()
        print("done")
        """,
        AUTOGRAPH_NUM_THREADS="2",
    )
    assert ran.stdout == "done\n", ran


@pytest.mark.costly
@pytest.mark.parametrize("pause", [0, 0.05])
def test_the_interpreter_ends_while_workers_wait(pause):
    ran = run(f"check()\ntime.sleep({pause})\nprint('done')", AUTOGRAPH_NUM_THREADS="4")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "done\n", "")


def test_the_interpreter_ends_while_a_loop_runs():
    ran = run(
        """
        import threading
        threading.Thread(target=check, args=(10**9,), daemon=True).start()
        time.sleep(0.1)
        print("done", flush=True)
        """,
        AUTOGRAPH_NUM_THREADS="2",
    )
    assert (ran.returncode, ran.stdout) == (0, "done\n"), ran


@pytest.mark.costly
@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="there is no /proc")
@pytest.mark.parametrize("wanted, threads", [("1", 1), ("7", 7)])
def test_the_number_of_threads(wanted, threads):
    ran = run("check()\nprint(threads(), runtime().threads)", AUTOGRAPH_NUM_THREADS=wanted)
    assert ran.stdout == f"{threads} {wanted}\n", ran


@pytest.mark.parametrize("wanted", ["0", "-1", "two", "1.5", "1" * 30])
def test_a_number_of_threads_that_is_none(monkeypatch, wanted):
    from autograph.errors import OptionError

    monkeypatch.setenv("AUTOGRAPH_NUM_THREADS", wanted)
    with pytest.raises(OptionError, match="AUTOGRAPH_NUM_THREADS"):
        thread_count()


def test_one_thread_where_there_are_no_threads():
    """On a system without pthreads the loops run in their caller."""
    ran = run(
        """
        from autograph.kernels.native import runtime as module
        module.runtime.cache_clear()
        found = module.library_addresses
        module.library_addresses = lambda names: {
            name: address for name, address in found(names).items() if "pthread" not in name
        }
        kernel = native.compile_kernel(kernel_text, "kernel")
        check()
        print(module.runtime().threads)
        """.replace("kernel_text", repr(KERNEL)),
        AUTOGRAPH_NUM_THREADS="4",
    )
    assert ran.stdout == "1\n", ran


def test_workers_take_no_signals():
    """One that is blocked in the threads of Python waits for `sigwait`."""
    ran = run(
        """
        import signal
        check()
        assert threads() == 3 or not os.path.exists("/proc")
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        os.kill(os.getpid(), signal.SIGUSR1)
        print(signal.sigwait([signal.SIGUSR1]) == signal.SIGUSR1)
        print(signal.pthread_sigmask(signal.SIG_BLOCK, []) == {signal.SIGUSR1})
        """,
        AUTOGRAPH_NUM_THREADS="3",
    )
    assert ran.stdout == "True\nTrue\n", ran


def test_a_process_forked_by_a_thread():
    ran = run(
        """
        import threading

        def work():
            for _ in range(5):
                child = os.fork()
                if child == 0:
                    check(10)
                    os._exit(7)
                codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

        codes = []
        check()
        workers = [threading.Thread(target=work) for _ in range(4)]
        for thread in workers:
            thread.start()
        check(200)
        for thread in workers:
            thread.join()
        print(set(codes), len(codes))
        """,
        AUTOGRAPH_NUM_THREADS="2",
    )
    assert ran.stdout == "{7} 20\n", ran


COMPILED = """
import os, sys, threading
import numpy as np
import autograph as ag

def make(number):
    def f(x):
        return np.sum(np.exp(x) * number + np.sin(x * number))
    return ag.to_graph(f)

x = np.linspace(0.0, 1.0, 200_000)
"""


def run_compiled(path, program, **environment):
    environment = {"AUTOGRAPH_NUM_THREADS": "2", "AUTOGRAPH_CACHE_DIR": "", **environment}
    path = file_of(path, program, COMPILED)
    return run_python("-W", "ignore", "-X", "faulthandler", path, **environment)


def test_a_process_forked_while_others_compile():
    """A fork waits until LLVM is at rest."""
    ran = run(
        """
        import threading
        from autograph.kernels.native import compiler

        def work(start):
            for number in range(start, start + 4):
                sizes.append(len(compiler.compiled(text.replace("99", str(number)))))

        text, sizes = kernel_text, []
        workers = [threading.Thread(target=work, args=(100 * k,)) for k in range(3)]
        for thread in workers:
            thread.start()
        for number in range(4):
            child = os.fork()
            if child == 0:
                work(1000 + number)
                check(10)
                os._exit(7)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        for thread in workers:
            thread.join()
        print(len(sizes), min(sizes) > 0)
        """.replace("kernel_text", repr(KERNEL)),
        AUTOGRAPH_NUM_THREADS="2",
    )
    assert ran.stdout == "12 True\n", ran


def test_code_that_is_freed_while_others_compile_and_run(tmp_path):
    ran = run_compiled(
        tmp_path / "freed.py",
        """
        import gc

        def work(start):
            for n in range(start, start + 6):
                f = make(n)
                found = f(x)
                del f
                gc.collect()
                fine.append(np.isclose(found, np.sum(np.exp(x) * n + np.sin(x * n))))

        fine = []
        workers = [threading.Thread(target=work, args=(6 * k,)) for k in range(3)]
        for thread in workers:
            thread.start()
        for thread in workers:
            thread.join()
        print(all(fine), len(fine))
        """,
    )
    assert (ran.returncode, ran.stdout) == (0, "True 18\n"), ran
