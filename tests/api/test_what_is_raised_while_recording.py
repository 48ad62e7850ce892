"""Exceptions that are raised while a function is recorded: they are those that Python raises."""

import warnings

import numpy as np
import pytest

import autograph as ag

TABLE = {"u": 1.0, "l": [1]}


class Problem(Exception):
    def __init__(self, *parts):
        super().__init__(*parts)
        self.seen = [parts, {"k": [1]}]


def with_lists():
    raise Problem([1, [2]], (1, [2]), {1, 2}, {"k": [1]}, {})


def with_what_is_outside():
    raise Problem(TABLE, TABLE["l"])


def from_another():
    try:
        raise Problem([1])
    except Problem as error:
        raise ValueError([2]) from error


def of_an_assertion():
    raise AssertionError([1, 2])


def shown(content):
    """What something is, with the classes of all in it."""
    if isinstance(content, dict):
        return type(content), [(key, shown(value)) for key, value in content.items()]
    if isinstance(content, (list, tuple)):
        return type(content), list(map(shown, content))
    return type(content), content


def told(error):
    if error is None:
        return None
    own = {name: value for name, value in vars(error).items() if name != "__notes__"}
    return type(error), shown(error.args), shown(own), told(error.__cause__)


def raised(call):
    with pytest.raises((Problem, ValueError, AssertionError)) as caught:
        call()
    return caught.value


PROGRAMS = [with_lists, with_what_is_outside, from_another, of_an_assertion]


def of_a_number(program):
    def called(x):
        return program()

    return called


def gradient_inside(program):
    gradient = ag.grad(of_a_number(program))

    def called(x):
        return gradient(x)

    return ag.to_graph(called)


WAYS = {
    "compiled": lambda f: ag.to_graph(of_a_number(f)),
    "gradient": lambda f: ag.grad(of_a_number(f)),
    "lanes": lambda f: lambda x: ag.vmap(of_a_number(f))(np.array([x])),
    "gradient inside": gradient_inside,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_holds_what_python_lets_it_hold(program, way):
    made = WAYS[way](program)
    for _ in range(3):
        assert told(raised(lambda: made(1.0))) == told(raised(program))


def test_it_holds_what_is_outside_itself():
    error = raised(lambda: ag.to_graph(with_what_is_outside)())
    assert error.args[0] is TABLE and error.args[1] is TABLE["l"]


def outside_of_an_array(a, n):
    found = a[n]
    raise ValueError(f"later than {type(found).__name__}")


def divided_by_zero(a, n):
    found = 3 // (n - 7)
    raise ValueError(f"later than {found is None}")


def place_in_nothing(a, n):
    found = []
    return found[n % len(found)]


@pytest.mark.parametrize("program", [outside_of_an_array, divided_by_zero, place_in_nothing])
@pytest.mark.parametrize("way", [ag.to_graph, ag.grad])
def test_what_fails_before_is_raised_before(program, way):
    made = way(program)
    for n in (7, 1, 7):
        with pytest.raises(Exception) as expected:
            program(np.ones(3), n)
        with pytest.raises(type(expected.value)) as found:
            made(np.ones(3), n)
        assert str(found.value) == str(expected.value)


def test_it_has_the_context_that_it_has_in_python():
    def later():
        raise ValueError("later")

    for function in (later, ag.to_graph(later)):
        with pytest.raises(ValueError) as caught:
            try:
                raise KeyError("before")
            except KeyError:
                function()
        assert isinstance(caught.value.__context__, KeyError)
        assert caught.value.__context__.__context__ is None


def test_there_are_the_warnings_of_what_comes_before():
    def warns(x):
        y = x / np.zeros(2)
        raise ValueError("later")

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with pytest.raises(ValueError):
            ag.to_graph(warns)(1.0)
    assert [str(one.message) for one in said] == ["divide by zero encountered in divide"]
