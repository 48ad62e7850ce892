"""Exceptions with values of the run in them reach the caller as Python raises them: of the same
class, with the same text, arguments and attributes, and raised from the same."""

import sys

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import compiled


class Wrong(Exception):
    """An exception of the user's that makes its text itself."""

    def __init__(self, value, where):
        super().__init__(f"wrong: {value}", where)
        self.value = value

    def __str__(self):
        return f"{self.value} at {self.args[1]}"


def raises_by_a_shape(x):
    if x.shape[0] != 3:
        raise ValueError(f"the sum is {x.sum()}")
    return x


def raises_an_f_string(x):
    raise TypeError(f"{x[0]:.3f} is no int")


def raises_percent(x):
    raise TypeError("%s of %d" % (x[0], x.shape[0]))  # noqa: UP031


def raises_format(x):
    raise TypeError(f"{x[0]!r} of {2}")


def raises_the_value(x):
    raise KeyError(x[0])


def raises_a_tuple(x):
    raise LookupError("at", (x[0], "in", (x, None)))


def raises_a_class_of_the_users(x):
    raise Wrong(x[1], "here")


def raises_from(x):
    try:
        raise KeyError(x[0])
    except KeyError as error:
        raise Wrong(x[1], "there") from error


def raises_amid(x):
    try:
        raise Wrong(x[0], "first")
    except Wrong:
        raise ValueError("then", x[1])  # noqa: B904


def raises_from_none(x):
    try:
        raise Wrong(x[0], "first")
    except Wrong:
        raise ValueError("then", x[1]) from None


def raises_in_a_chosen_branch(x):
    if np.sum(x) > 0.0:
        try:
            raise KeyError("text")
        except KeyError as error:
            raise Wrong(x[1], "branch") from error
    return x


def chooses_the_text(x):
    raise ValueError("much" if np.sum(x) > 0.0 else "little")


def prints_first(x):
    print("before")
    raise Wrong(x[0], "here")


RAISING = [value for name, value in list(globals().items()) if name.startswith("raises")]
RAISING += [chooses_the_text, prints_first]


def chain(error):
    """What tells exceptions apart, of one and of those that a traceback shows before it."""
    found = []
    while error is not None:
        arguments = [repr(part) for part in (error.args, sorted(vars(error)))]
        found.append((type(error), str(error), *arguments))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found


def error_of(function, *args):
    try:
        function(*args)
    except Exception as error:
        vars(error).pop("__notes__", None)  # of the line
        cause = error.__cause__
        if sys.version_info < (3, 11) and isinstance(cause, AutographError):  # that for a note
            assert cause.id == "AG0601"
            error.__cause__, error.__suppress_context__ = None, cause.__context__ is None
        return chain(error)
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize("function", RAISING, ids=lambda f: f.__name__)
def test_as_python_raises_it(function):
    x = np.array([1.5, 2.0])
    expected = error_of(function, x)
    for _ in range(2):  # the second call comes from the cache
        assert error_of(compiled(function), x) == expected


@pytest.mark.parametrize("function", RAISING, ids=lambda f: f.__name__)
def test_of_a_function_that_is_called(function):
    def calls(x):
        return 2.0 * function(x + 1.0)

    x = np.array([1.5, 2.0])
    expected = error_of(calls, x)
    assert error_of(ag.to_graph(calls), x) == expected


@pytest.mark.parametrize("function", [raises_by_a_shape, raises_from], ids=lambda f: f.__name__)
def test_of_a_function_that_is_differentiated(function):
    x = np.array([1.5, 2.0])
    expected = error_of(function, x)
    assert error_of(ag.grad(lambda x: np.sum(function(x))), x) == expected


def test_assert():
    def asserts(x):
        assert x.ndim == 2, f"got {x}"

    with pytest.raises(AssertionError, match=r"^got \[1\. 1\.\]"):
        ag.to_graph(asserts)(np.ones(2))


def test_each_call_has_its_own_values():
    for first in (1.0, 2.0):
        with pytest.raises(KeyError) as caught:
            compiled(raises_the_value)(np.array([first, 0.0]))
        assert caught.value.args == (first,)


def test_what_the_caller_handles_is_no_part_of_it():
    try:
        raise OSError("outside")
    except OSError:
        first, second = error_of(compiled(raises_from), np.array([1.5, 2.0]))
    assert (first[0], second[0]) == (Wrong, KeyError)


def test_with_an_object_it_is_refused():
    def raises_a_list(x):
        raise ValueError([x[0], 2])

    with pytest.raises(NotImplementedError, match="a list in it is raised") as caught:
        ag.to_graph(raises_a_list)(np.ones(2))
    assert caught.value.id == "AG0333"


def test_saved(tmp_path):
    path = tmp_path / "saved"
    compiled(raises_from).save(path, np.array([1.5, 2.0]))
    x = np.array([2.5, 3.0])
    assert error_of(ag.load(path, classes=[Wrong]), x) == error_of(raises_from, x)
