"""``warnings.catch_warnings`` and filters in a function."""

import contextlib
import sys
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedFunctionError


def simple(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("not heard", stacklevel=2)
    warnings.warn(f"heard {x}", stacklevel=2)
    return x


def of_a_class(x):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        warnings.warn("not heard", RuntimeWarning, stacklevel=2)
        warnings.warn("heard", UserWarning, stacklevel=2)
    return x


def by_the_manager(x):
    with warnings.catch_warnings(action="ignore"):
        warnings.warn("not heard", stacklevel=2)
    return x


def in_a_branch(x):
    if x > 1.0:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            says(x)
            x = x * 2.0
    return says(x)


def in_a_loop(x):
    for i in range(3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            with warnings.catch_warnings():
                says(x + i)
            if x > 1.0:
                says(x)
        x = says(x + 1.0)
    return x


def says(x):
    warnings.warn(f"at {x}", stacklevel=2)
    return x


def left_early(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if x > 1.0:
            return says(x)
    return says(-x)


class Told:
    def parts(self, x):
        warnings.warn("in a generator", stacklevel=1)
        if x > 1.0:
            warnings.warn("for who takes it", stacklevel=2)
        yield x
        self.tell()

    def tell(self):
        warnings.warn("called by a generator", stacklevel=2)


@contextlib.contextmanager
def manager(level):
    warnings.warn("entered", stacklevel=level)
    yield
    warnings.warn("left", stacklevel=level)


def generators(x):
    """The lines named were those of what the generators are used by."""
    told = Told()
    total = sum(told.parts(x))
    for part in told.parts(x):
        total += part
    with manager(1), manager(2), manager(3):
        warnings.warn("inside", stacklevel=1)
    return total


def countdown(n, x):
    if n == 0:
        warnings.warn("deep", stacklevel=2)
        return x
    return countdown(n - 1, x * 2.0)


def unrolled(x):
    """Calls of a function by itself counted as one."""
    return countdown(3, x)


PROGRAMS = [generators, unrolled, simple, of_a_class, in_a_branch, in_a_loop, left_early]
if sys.version_info >= (3, 11):
    PROGRAMS.append(by_the_manager)


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_ignored_is_not_heard(program):
    compiled = ag.to_graph(program)
    for x in (0.5, 3.0):
        found = []
        for function in (program, compiled):
            with warnings.catch_warnings(record=True) as heard:
                warnings.simplefilter("always")
                result = function(x)
            found.append((result, [(w.category, str(w.message)) for w in heard]))
        assert found[0] == found[1]


def here(x):
    if x > 1.0:
        warnings.warn(f"at {x}", RuntimeWarning)  # noqa: B028 (this line is meant)
    return x


def around(x):
    total = 0.0
    for i in range(3):
        if x > 2.0:
            total += says(x + i)
        else:
            total += here(x + i) + says(x)
    return total


def two_out(x):
    return inner(x) + inner(x + 1.0)


def inner(x):
    if x > 0.0:
        warnings.warn("from further out", stacklevel=3)
    return x


@pytest.mark.parametrize("program", [here, says, around, two_out])
@pytest.mark.parametrize("action", ["always", "default", "module", "once"])
def test_warnings_come_from_the_lines_that_python_names(program, action):
    def call(function):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter(action)
            for x in (0.5, 3.0, 1.5, 3.0):
                function(x)
        return [(w.category, str(w.message), w.filename, w.lineno) for w in heard]

    compiled = ag.to_graph(program)
    expected = call(program)
    assert expected
    assert call(compiled) == expected
    assert call(compiled) == call(program)


def recorded(x):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        says(x)
    return len(heard)


def as_errors(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return np.float64(x) / 0.0


def of_a_message(x):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="at")
        return says(x)


def for_all(x):
    warnings.simplefilter("ignore")
    return says(x)


def reset(x):
    warnings.resetwarnings()
    return says(x)


def decided_by_data(x):
    with warnings.catch_warnings():
        if x > 1.0:
            warnings.simplefilter("ignore")
        return says(x)


@pytest.mark.parametrize(
    "program", (recorded, as_errors, of_a_message, for_all, reset, decided_by_data)
)
def test_other_filters_are_refused(program):
    before = list(warnings.filters)
    with pytest.raises(UnsupportedFunctionError, match=r"AG0404.*warnings\."):
        ag.to_graph(program)(2.0)
    assert warnings.filters == before


IN_NO_MODULE = """
import warnings

def f(x):
    for i in range(3):
        if x > i:
            warnings.warn("above")
    return x
"""


def test_code_in_no_module_warns_once_as_well(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(IN_NO_MODULE)
    namespace = {"__name__": "in_no_module"}
    exec(compile(IN_NO_MODULE, str(path), "exec"), namespace)
    function = ag.to_graph(namespace["f"])
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("default")
        function(2.0), function(3.0)
    assert len(heard) == 1
