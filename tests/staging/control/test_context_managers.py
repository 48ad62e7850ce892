"""``with`` blocks of generators, and of `contextlib`'s managers, around what only the run knows."""

import contextlib
import io
import warnings

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check
from tests.support.refusals import refused

programs = Programs()


@contextlib.contextmanager
def announced(name):
    print("in", name)
    try:
        yield name
    finally:
        print("out", name)


@contextlib.contextmanager
def handling(*kinds):
    try:
        yield
    except kinds as error:
        print("handled", error)


@contextlib.contextmanager
def bracketed():
    print("(")
    yield
    print(")")


@contextlib.contextmanager
def suppressing():
    with contextlib.suppress(ZeroDivisionError):
        yield


@contextlib.contextmanager
def nested():
    with announced("inner"):
        yield


class Resource:
    def __init__(self, name):
        self.name = name

    def close(self):
        print("closed", self.name)


class Silent:
    def close(self):
        self.is_closed = True


@programs(2.0)
def what_cannot_fail(x):
    with announced("a") as name, nested():
        x = x * 2.0
    with contextlib.ExitStack() as stack:
        stack.enter_context(announced("b"))
        stack.enter_context(contextlib.closing(Resource("c")))
        x = x + 1.0
    return x, name


@programs(2)
@programs(0)
def what_passes_them(n):
    with bracketed(), contextlib.nullcontext(n) as m, contextlib.ExitStack() as stack:
        stack.enter_context(bracketed())
        return 1 / m


@programs(2)
@programs(0)
def what_is_for_other_exceptions(n):
    with handling(KeyError, TypeError):
        return 1 // n


@programs(2.0)
@programs(-1.0)
def closing_what_is_silent(x):
    with contextlib.closing(Silent()):
        if x < 0:
            raise ValueError("negative")
    return x


@programs(2.0)
def closing_what_prints(x):
    with contextlib.closing(Resource(x)) as thing:
        return thing.name * 2.0


@programs(3)
@programs(9)
def left_early(n):
    for i in range(5):
        with announced(i):
            if i == n:
                break
    return i


@programs(np.array([1.0, 2.0]))
def redirected_around_nothing(x):
    with contextlib.redirect_stdout(io.StringIO()):
        return x * 2.0


@programs.test
def test_managers(call):
    call.run()


def ends_by_printing(n):
    with announced("a"):
        return 1 / n


def ends_by_handling(n):
    with handling(ZeroDivisionError):
        return 1 / n
    return 0.0


def swallows(n):
    with suppressing():
        return 1 / n
    return 0.0


def prints_within(n):
    with nested():
        return 1 / n


def raises(n):
    with announced("a"):
        if n == 0:
            raise ValueError(n)
    return n


def called_within(n):
    with announced("a"):
        return quotient(n)


def quotient(n):
    return 1 / n


def closes(n):
    with contextlib.closing(Resource("a")):
        return 1 / n


def a_stack(n):
    with contextlib.ExitStack() as stack:
        stack.callback(print, "left")
        return 1 / n


def a_stack_that_suppresses(n):
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(ZeroDivisionError))
        return 1 / n
    return 0.0


@pytest.mark.parametrize(
    "function",
    [
        ends_by_printing,
        ends_by_handling,
        swallows,
        prints_within,
        raises,
        called_within,
        closes,
        a_stack,
        a_stack_that_suppresses,
    ],
)
def test_what_would_be_left_out_is_refused(function):
    assert "AG0334" in refused(ag.errors.UnsupportedConstructError, function, 2)


def redirects(x):
    with contextlib.redirect_stdout(io.StringIO()):
        print(x)
    return x


def sets_print_options(x):
    np.set_printoptions(precision=3)
    return x


def print_options(x):
    with np.printoptions(precision=3):
        return str(x)


def warnings_that_are_errors(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return np.log(x)


def recorded_warnings(x):
    with warnings.catch_warnings(record=True) as seen:
        return np.log(x), len(seen)


@pytest.mark.parametrize(
    "function",
    [
        redirects,
        sets_print_options,
        print_options,
        warnings_that_are_errors,
        recorded_warnings,
    ],
)
def test_settings_of_the_recording_are_refused(function):
    with pytest.raises(ag.errors.UnsupportedFunctionError, match="AG0404"):
        ag.to_graph(function)(np.ones(2))


def test_warnings_that_are_ignored_are_no_part_of_the_result():
    @ag.to_graph
    def f(x):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.log(x)

    assert f(np.ones(2)).tolist() == [0.0, 0.0]


@contextlib.contextmanager
def quiet():
    try:
        yield
    except Exception:
        print("failed")


class Swallowing:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None


def stack():
    made = contextlib.ExitStack()
    made.push(lambda *error: True)
    return made


@pytest.mark.parametrize(
    "manager", [quiet, Swallowing, stack, lambda: contextlib.suppress(Exception)]
)
def test_what_cannot_be_recorded_is_no_exception_for_managers(manager):
    def hashed(n):
        result = 0.0
        with manager():
            result = hash(n) + 1.0
        return result

    def static(n):
        result = 0.0
        with manager():
            result = np.zeros(n).sum() + 1.0
        return result

    assert "AG0404" in refused(ag.errors.UnsupportedFunctionError, hashed, 3)
    check(static, 3)


def handling_generator(n):
    try:
        yield 1 / n
    except ZeroDivisionError:
        yield 5.0


def calling_generator(n):
    try:
        yield quotient(n)
    finally:
        print("over")


def other_generator(n):
    try:
        yield 1 / n
    except KeyError:
        yield 5.0


def test_handlers_of_generators():
    for generator in (handling_generator, calling_generator):
        f = lambda n, generator=generator: list(generator(n))
        assert "AG0585" in refused(ag.errors.UnsupportedConstructError, f, 2)
    for n in (2, 0):
        check(lambda n: list(other_generator(n)), n)


def swallowing_generator(x):
    try:
        size = len(str(x))
    except Exception:
        size = -1
    yield size


def test_what_cannot_be_recorded_is_no_exception_for_generators():
    with pytest.raises(ag.errors.ConcreteValueError, match="AG0306"):
        ag.to_graph(lambda x: list(swallowing_generator(x)))(3.5)
