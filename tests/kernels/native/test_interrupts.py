"""Kernels that would run for ever: Ctrl-C ends them, and so does a limit of memory."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

pytest.importorskip("llvmlite")

# Shells let what they start in the background ignore it.
_LISTENS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
"""

_HEAD = """
import numpy as np
import autograph as ag

def endless(x):
    while x > 0:
        x = x * 0.5 + 1.0
    return x

def nested(x):
    n = 0
    while x > 0:
        while n < 10:
            n += 1
        x = x * 0.5 + n
        n = 0
    return x
"""

_COUNTED = """
import numpy as np
import autograph as ag

def counted(x, n):
    for i in range(n):
        x = x * 0.5 + i
    return x

def nested(x, n):
    for i in range(n):
        for j in range(n):
            for k in range(n):
                x = x * 0.5 + j
    return x

def known(x, n):
    for i in range(n // n * 100):
        for j in range(1_000_000):
            for k in range(1_000_000):
                x = x * 0.5 + j
    return x
"""

_INTERRUPTED = """
print(len(f.kernels(argument)), np.all(f(-argument) == -argument), flush=True)
try:
    f(argument)
except KeyboardInterrupt:
    print("interrupted")
print(np.all(f(-argument) == -argument))
"""


@contextlib.contextmanager
def _process(path, program, **environment):
    path.write_text(_LISTENS + textwrap.dedent(program))
    process = subprocess.Popen(
        [sys.executable, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "AUTOGRAPH_NUM_THREADS": "2", **environment},
    )
    try:
        yield process
    finally:
        process.kill()


@pytest.mark.costly
@pytest.mark.parametrize(
    ("function", "argument"),
    [
        ("ag.to_graph(endless)", "1.0"),
        ("ag.to_graph(nested)", "1.0"),
        ("ag.vmap(ag.to_graph(endless))", "np.ones(3)"),
        ("ag.vmap(ag.to_graph(endless))", "np.ones(100_000)"),
    ],
    ids=["scalar", "nested", "lanes", "threads"],
)
def test_ctrl_c_ends_a_kernel(tmp_path, function, argument):
    program = f"{_HEAD}\nf, argument = {function}, {argument}\n{_INTERRUPTED}"
    with _process(tmp_path / "endless.py", program) as process:
        assert process.stdout.readline() == "1 True\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)  # it would never end by itself
        assert out.split() == ["interrupted", "True"]


@pytest.mark.costly
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("ag.to_graph(counted)", "1.0, 2**60"),
        ("ag.to_graph(nested)", "1.0, 30_000"),
        ("ag.to_graph(known)", "1.0, 3"),
        ("ag.to_graph(counted)", "np.ones(500), 2**60"),
        ("ag.vmap(ag.to_graph(counted), (0, None))", "np.ones(9), 2**60"),
        ("ag.vmap(ag.to_graph(nested))", "np.ones(9), np.arange(9) * 2**50"),
    ],
    ids=["scalar", "nested", "known", "array", "lanes", "lanes of their own"],
)
def test_ctrl_c_ends_a_counted_loop(tmp_path, function, arguments):
    program = f"""{_COUNTED}
f, arguments = {function}, ({arguments})
print(len(f.kernels(*arguments)), flush=True)
try:
    f(*arguments)
except KeyboardInterrupt:
    print("interrupted")
"""
    with _process(tmp_path / "counted.py", program) as process:
        assert process.stdout.readline() == "1\n"
        time.sleep(0.3)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0].split() == ["interrupted"]
        assert time.monotonic() - begin < 60


def test_ctrl_c_where_the_entry_is_written_in_python(tmp_path):
    program = f"""
from autograph.kernels.native import python_api
python_api.usable = lambda: False
{_HEAD}
f, argument = ag.to_graph(endless), 1.0
{_INTERRUPTED}"""
    with _process(tmp_path / "endless.py", program) as process:
        assert process.stdout.readline() == "1 True\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0].split() == ["interrupted", "True"]


@pytest.mark.slow
def test_a_handler_of_signals_that_does_not_raise_lets_the_kernel_go_on(tmp_path):
    program = """
import signal
import autograph as ag

signal.signal(signal.SIGALRM, lambda *_: print("alarm", flush=True))

@ag.to_graph
def slow(x):
    n = 0
    while n < 300_000_000:
        n += 1
        x = x * 0.5 + 1.0
    return x

slow.kernels(1.0)
signal.setitimer(signal.ITIMER_REAL, 0.2)
print(slow(1.0))
"""
    with _process(tmp_path / "slow.py", program) as process:
        assert process.communicate(timeout=60)[0].split() == ["alarm", "2.0"]


_RECORDING = """
import numpy as np
import autograph as ag

def shrunk(x, n):
    while n > 0:
        x = np.sin(x)
        n = n - 1
    return x

f = ag.grad(ag.to_graph(shrunk))
print(len(f.kernels(0.5, 3)))
f = f.lower(0.5, 3).compile()  # which is not compiled anew with a budget
few = f(0.5, 1000)
for n in (1_000_000, 2**62):
    try:
        print(f(0.5, n))
    except MemoryError:
        print("no memory")
print(f(0.5, 1000) == few)
"""


def test_residuals_beyond_the_limit_are_a_memory_error(tmp_path):
    with _process(tmp_path / "recording.py", _RECORDING, AUTOGRAPH_ARENA_SIZE="4000000") as process:
        out, _ = process.communicate(timeout=30)
        assert out.splitlines() == ["1", "no memory", "no memory", "True"]
