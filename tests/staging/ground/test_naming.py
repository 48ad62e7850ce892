"""From code to places and names in the user's source."""

import dis
import sys

import pytest

from autograph.errors import Location
from autograph.staging.ground.naming import (
    assigned_attributes,
    assignment_in,
    bound_names,
    is_at_operator,
    location_of,
    unversioned,
)
from tests.support.lines import first_line


@pytest.mark.parametrize(
    "name, plain",
    [
        ("x_2", "x"),
        ("x_10", "x"),
        ("x", "x"),
        ("x_y", "x_y"),
        ("x_y_3", "x_y"),
        ("_2", "_2"),
        ("x_", "x_"),
        ("x2", "x2"),
    ],
)
def test_unversioned(name, plain):
    assert unversioned(name) == plain


def function_of(text):
    namespace = {}
    exec(compile(text, "made.py", "exec"), namespace)
    return namespace["f"]


def test_bound_names():
    function = function_of("def f(x):\n    y_1 = g(x)\n    return h(y_1)\n")
    assert set(bound_names(function.__code__).values()) == {"y"}


def test_what_a_call_of_a_function_gives_is_bound():
    """Also where the frame stands at a cache of the call, as in Python 3.11."""
    function = function_of("def f(g, x):\n    y_1 = g.method(x)\n    return y_1\n")
    found = []

    class Owner:
        def method(self, x):
            frame = sys._getframe(1)
            found.append(bound_names(frame.f_code).get(frame.f_lasti))

    function(Owner(), 1)
    assert found == ["y"]


@pytest.mark.parametrize("captured", [False, True])
def test_bound_names_are_those_of_dis(captured):
    """Also from the 256th variable on, where arguments of instructions take two bytes."""
    lines = [f"    y{i}_1 = g(x, y{i - 1}_1) + {i}" for i in range(1, 300)]
    lines += ["    lambda: (x, y0_1, y7_1)"] * captured
    code = function_of("\n".join(["def f(x, y0_1):", *lines, "    return x"])).__code__
    steps = [i for i in dis.get_instructions(code) if i.opname != "CACHE"]
    expected = {}
    for before, step in zip(steps, steps[1:]):
        if step.opname in ("STORE_FAST", "STORE_DEREF"):
            name = unversioned(step.argval)
            expected.update(dict.fromkeys(range(before.offset, step.offset, 2), name))
    assert bound_names(code) == expected and "y200" in expected.values()


def test_nothing_is_bound():
    assert bound_names(function_of("def f(x):\n    return x + 1\n").__code__) == {}


def test_location_of_a_frame():
    here = location_of(sys._getframe())
    line = first_line(test_location_of_a_frame) + 1
    assert (here.file, here.line, here.function) == (__file__, line, "test_location_of_a_frame")
    if sys.version_info >= (3, 11):
        assert here.column == len("    here = ")


class Asked:
    """Notes whether it is asked by an operator."""

    def __init__(self):
        self.by_operator = []

    def note(self, *_):
        self.by_operator.append(is_at_operator(sys._getframe(1).f_back))

    def __add__(self, _):
        self.note()

    def __iadd__(self, _):
        self.note()
        return self

    def __call__(self):
        self.note()


def test_is_at_operator():
    x = Asked()
    x + 1
    x()
    x += 1
    assert x.by_operator == [True, False, True]


def attributes(function):
    return [(name, attribute, imported) for name, attribute, imported, _ in found(function)]


def found(function):
    return assigned_attributes(function.__code__)


def test_attributes_of_globals_that_are_assigned():
    function = function_of("def f(x):\n    m.a = x\n    m.b += x\n    del m.c\n    return m.d\n")
    assert attributes(function) == [("m", "a", False), ("m", "b", False), ("m", "c", False)]
    assert {place.line for *_, place in found(function)} == {2, 3, 4}


def test_attributes_of_local_objects_do_not_count():
    assert attributes(function_of("def f(x):\n    x.a = 1\n    y = x\n    y.b = 2\n")) == []


def test_attributes_of_modules_that_are_imported_inside():
    for between in ("\n    ", "; "):  # on one line Python 3.13 has instructions of two variables
        function = function_of(f"def f(x):\n    import sys{between}sys.a = x\n")
        assert attributes(function) == [("sys", "a", True)]


def test_attributes_that_an_inner_function_assigns():
    function = function_of("def f(x):\n    def g():\n        m.a = x\n    return g\n")
    assert attributes(function) == [("m", "a", False)]


def test_an_inner_function_that_assigns_attributes_of_the_outer_ones_variables():
    function = function_of("def f(x):\n    y = g(x)\n    def h():\n        y.a = x\n    return h\n")
    assert attributes(function) == []


def test_where_a_variable_is_assigned():
    code = function_of("def f(x):\n    y_1 = x\n    y_2 = y_1\n    return y_2\n").__code__
    assert assignment_in(code, "y").line == 3
    second = max(offset for offset, name in bound_names(code).items() if name == "y")
    assert assignment_in(code, "y", second).line == 2


def test_where_a_parameter_is_given():
    code = function_of("def f(x, *, k=1):\n    return x\n").__code__
    assert assignment_in(code, "x") == Location("made.py", 1, None, "f")
    assert assignment_in(code, "k") == Location("made.py", 1, None, "f")


def test_what_is_returned_is_where_the_function_ends():
    code = function_of("def f(x):\n    x = x\n    return x\n").__code__
    assert assignment_in(code, "result").line == 3
