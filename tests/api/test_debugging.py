"""Debuggers and coverage see the user's lines while a function is recorded."""

import bdb
import inspect
import io
import json
import pdb
import sys

import pytest

import autograph as ag
from tests.support.lines import line_of
from tests.support.processes import file_of, printed


@pytest.fixture(autouse=True)
def _breakpoints():
    """All debuggers share them: one with breakpoints goes on tracing after its last command."""
    yield
    bdb.Breakpoint.clearBreakpoints()


class Recorder(bdb.Bdb):
    """A debugger that notes where it stops in this file, with the variables there."""

    def __init__(self):
        super().__init__()
        self.stops = []

    def user_line(self, frame):
        if frame.f_code.co_filename == __file__:
            self.stops.append((frame.f_lineno, frame.f_code.co_name, dict(frame.f_locals)))

    @property
    def lines(self):
        return [line for line, _, _ in self.stops]


def halved(x):
    return x / 2  # callee


def branches_and_loops(x, n):
    y = x * 2.0  # first
    for i in range(n):
        if y > 3.0:
            y = halved(y)  # then
        else:
            y = y + i  # else
    while y > 1.0:
        y = y - 1.0  # while
    return y  # last


@pytest.mark.parametrize("mark", ["# first", "# then", "# else", "# while", "# last"])
def test_a_breakpoint_by_line(mark):
    debugger = Recorder()
    line = line_of(branches_and_loops, mark)
    debugger.set_break(__file__, line)
    expected = branches_and_loops(1.0, 3)
    compiled = ag.to_graph(branches_and_loops)
    assert debugger.runcall(_go, debugger, compiled, 1.0, 3) == expected
    assert line in debugger.lines


def _go(debugger, function, *args):
    debugger.set_continue()
    return function(*args)


def test_a_breakpoint_in_a_called_function():
    debugger = Recorder()
    line = line_of(halved, "# callee")
    debugger.set_break(__file__, line)
    debugger.runcall(_go, debugger, ag.to_graph(branches_and_loops), 1.0, 3)
    assert (line, "halved") in [stop[:2] for stop in debugger.stops]


def test_stepping_goes_through_the_users_lines():
    debugger = Recorder()
    compiled = ag.to_graph(branches_and_loops)
    debugger.runcall(compiled, 1.0, 3)
    lines, first = inspect.getsourcelines(branches_and_loops)
    marked = [n for n, line in enumerate(lines, first) if "# " in line]
    assert set(marked) <= set(debugger.lines)


# -- breakpoint() ----------------------------------------------------------------------------------


def stops(x):
    rate = 2.0
    y = x * rate
    y = y + 1.0
    if y > 0.0:
        z = y * y
        breakpoint()  # here
    else:
        z = y
    return z


def stops_once(x):
    rate = 2.0
    y = x * rate
    y = y + 1.0
    breakpoint()  # here
    return y + rate


@pytest.fixture
def hooked(monkeypatch):
    """The frames in which ``breakpoint()`` is called: (line, function, variables)."""
    frames = []

    def hook(*args, **kwargs):
        frame = sys._getframe(1)
        frames.append((frame.f_lineno, frame.f_code.co_name, dict(frame.f_locals)))

    monkeypatch.setattr(sys, "breakpointhook", hook)
    return frames


def test_breakpoint_calls_the_hook_from_the_users_line(hooked):
    assert ag.to_graph(stops_once)(3.0) == 9.0
    ((line, name, variables),) = hooked
    assert (line, name) == (line_of(stops_once, "# here"), "stops_once")
    assert variables["rate_0"] == 2.0
    assert {"x", "y_0", "y_1"} <= variables.keys()
    assert repr(variables["y_1"]) == "GraphArray(y: float)"


def test_breakpoint_in_a_branch(hooked):
    assert ag.to_graph(stops)(3.0) == 49.0
    lines = {line for line, _, _ in hooked}
    assert lines == {line_of(stops, "# here")}
    assert repr(hooked[0][2]["z_0"]).startswith("GraphArray(z: float")


def test_breakpoint_that_the_environment_turns_off(monkeypatch):
    monkeypatch.setenv("PYTHONBREAKPOINT", "0")
    assert ag.to_graph(stops)(3.0) == 49.0


def test_a_breakpoint_does_not_stay_in_the_program(hooked):
    f = ag.to_graph(stops_once)
    f(3.0)
    f(4.0)
    assert len(hooked) == 1
    assert "breakpoint()" in f.converted


def _session(monkeypatch, commands):
    """A pdb that is given commands; what it prints is in its ``stdout``."""
    debugger = pdb.Pdb(
        stdin=io.StringIO("\n".join(commands) + "\n"), stdout=io.StringIO(), nosigint=True
    )
    debugger.use_rawinput = False
    debugger.rcLines = []
    return debugger


def test_a_session_of_pdb(monkeypatch):
    commands = ["p y_0", "next", "p y_1", "where", "continue"]
    debugger = _session(monkeypatch, commands)

    def hook():
        debugger.set_trace(sys._getframe(1))

    monkeypatch.setattr(sys, "breakpointhook", hook)
    assert ag.to_graph(stops_once)(3.0) == 9.0
    printed = debugger.stdout.getvalue()
    assert "GraphArray(y: float)" in printed
    assert f"{__file__}({line_of(stops_once, '# here') + 1})stops_once()" in printed
    assert "-> return y + rate" in printed


def traced_by_pdb(x):
    y = x + 1.0
    pdb.set_trace()  # here
    return y


def test_set_trace_of_pdb_stops_in_the_users_function(monkeypatch):
    frames = []
    monkeypatch.setattr(pdb, "set_trace", lambda: frames.append(sys._getframe(1)))
    assert ag.to_graph(traced_by_pdb)(1.0) == 2.0
    (frame,) = frames
    assert (frame.f_code.co_filename, frame.f_code.co_name) == (__file__, "traced_by_pdb")


# -- coverage --------------------------------------------------------------------------------------

PROGRAM = """\
import autograph as ag


def helper(x):
    if x > 10.0:
        return x - 1.0
    return x + 1.0


@ag.to_graph
def f(x, n):
    y = x
    if x > 0.0:
        y = y * 2.0
    else:
        y = y - 1.0
    while y < 100.0:
        y = helper(y) * 2.0
        if y > 50.0:
            break
    else:
        y = 0.0
    for i in range(n):
        y = y + i
    if n is None:
        y = 7.0
    return y


def never(x):
    return x


print(f(1.0, 3))
"""


def test_coverage_counts_the_users_lines(tmp_path):
    """Both sides of a branch on a traced value are recorded, those of a static one are not."""
    file_of(tmp_path / "program.py", PROGRAM)

    def coverage(*arguments):
        return printed("-m", "coverage", *arguments, folder=tmp_path)

    namespace = {}
    exec(PROGRAM.replace("@ag.to_graph", ""), namespace)
    assert coverage("run", "--include=program.py", "program.py") == f"{namespace['f'](1.0, 3)}\n"
    coverage("json", "-q", "-o", "report.json")
    report = json.loads((tmp_path / "report.json").read_text())["files"]["program.py"]
    lines = PROGRAM.splitlines()
    missing = [lines[n - 1].strip() for n in report["missing_lines"]]
    assert missing == ["y = 7.0", "return x"]


def test_plain_python_by_the_environment(tmp_path):
    """``AUTOGRAPH_DISABLE=1``: a debugger stops in the user's own code; derivatives are as ever."""
    program = """
        import sys
        import numpy as np
        import autograph as ag

        def f(x):
            frame = sys._getframe()
            return x * x if frame.f_code is f.__code__ else -1.0

        class Model:
            @ag.to_graph
            def loss(self, x):
                return [type(self).__name__, type(x).__name__, sys._getframe().f_code.co_name]

        print(ag.to_graph(f)(3.0), Model().loss(2.0))
        print(ag.grad(ag.to_graph(lambda x: x**3))(2.0))

        namespace = {"ag": ag}
        exec("@ag.to_graph\\ndef typed(x): return x + 1", namespace)  # its source is not kept
        print(namespace["typed"](2.0))
    """
    shown = printed(file_of(tmp_path / "program.py", program), AUTOGRAPH_DISABLE="1")
    assert shown.splitlines() == [
        "9.0 ['Model', 'float', 'loss']",
        "12.0",
        "3.0",
    ]
