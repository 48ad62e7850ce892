"""``with`` blocks of the user's managers in which something fails as only the run knows: their
``__exit__`` hears of it, and may swallow it, raise another exception, or print."""

import contextlib
import threading

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedConstructError
from tests.support.oracle import Programs, check
from tests.support.refusals import refused

programs = Programs()


class Guard:
    """Swallows exceptions of some kinds, and counts what it hears of."""

    def __init__(self, *kinds):
        self.kinds, self.depth, self.seen = kinds, 0, 0

    def __enter__(self):
        self.depth += 1
        print("enter", self.depth)
        return self.depth

    def __exit__(self, kind, error, trace):
        self.depth -= 1
        if kind is None:
            print("left")
            return None
        self.seen += 1
        print("failed", kind.__name__, error)
        return issubclass(kind, self.kinds)


class Converts:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is ZeroDivisionError:
            raise ValueError("converted") from error


class Restores:
    def __init__(self, kept):
        self.kept = kept

    def __enter__(self):
        self.saved = dict(self.kept)
        return self.kept

    def __exit__(self, kind, *rest):
        if kind:
            self.kept.update(self.saved)
        return kind is ValueError


@programs(2.0)
@programs(0.0)
def swallowed(x):
    guard, y = Guard(ZeroDivisionError), -1.0
    with guard as n:
        y = n / x
        y += 1
    return y, guard.depth, guard.seen


@programs(2.0)
@programs(-1.0)
@programs(0.0)
def returned(x):
    guard = Guard(ValueError)
    with guard:
        if x < 0:
            raise ValueError("negative")
        return 1 / x, guard.depth
    return -5.0, guard.depth


@programs(2.0)
@programs(-1.0)
@programs(5.0)
def in_a_loop(x):
    guard, total = Guard(ValueError, ZeroDivisionError), 0.0
    for i in range(4):
        with guard:
            if i == 2:
                continue
            if x > 4:
                break
            if x - i < -2:
                raise ValueError("low")
            total += 1 / (x - i)
    else:
        total += 100
    return total, guard.seen


@programs(2.0)
@programs(-1.0)
@programs(0.0)
def two(x):
    outer, inner, y = Guard(ValueError), Guard(ZeroDivisionError), 0.0
    with outer, inner as n:
        if x < 0:
            raise ValueError("negative")
        y = n / x
    return y, outer.seen, inner.seen


def guarded(x):
    with Guard() as n:
        if x < 0:
            raise ValueError("negative")
        return n / x


@programs(2.0)
@programs(-1.0)
@programs(0.0)
def goes_on(x):
    return guarded(x) + 1


@programs(2.0)
@programs(-1.0)
@programs(0.0)
def handled_by_the_caller(x):
    try:
        return guarded(x)
    except ValueError:
        return -1.0
    except ZeroDivisionError as error:
        print(error)
        return -2.0
    finally:
        print("end")


@programs(2.0)
@programs(-1.0)
@programs(0.0)
def converted(x):
    with Converts():
        if x < 0:
            raise KeyError("negative")
        return 1 / x


@programs(2.0)
@programs(-1.0)
@programs(0.0)
def converted_and_handled(x):
    try:
        return converted(x)
    except ValueError:
        return -1.0
    except KeyError:
        return -2.0


@programs(2.0)
@programs(50.0)
def restored(x):
    with Restores({"a": 10.0, "b": 0.0}) as kept:
        kept["a"] -= x
        if kept["a"] < 0:
            raise ValueError("funds")
        kept["b"] += x
    return kept


@programs(2.0)
@programs(-1.0)
@programs(0.0)
def beside_others(x):
    n = 0.0
    with contextlib.suppress(ValueError), threading.Lock(), Guard(ZeroDivisionError):
        n += 1.0
        if x < 0:
            raise ValueError("negative")
        n += 1 / x
    return n


@programs(np.array([1.0, 0.0, 2.0]), 7)
@programs(np.array([1.0, 1.0, 2.0]), 1)
def an_index(xs, i):
    guard, found = Guard(IndexError), -1.0
    with guard:
        found = xs[i]
    return found, guard.seen


@programs.test
def test_managers_of_failing_blocks(call):
    call.run()


def test_gradient():
    def product(x):
        with Guard() as n:
            y = n * 10 / x
        return y * x * x

    assert ag.grad(product)(2.0) == 10.0


@contextlib.contextmanager
def noting(log):
    log.append(1)
    yield
    log.append(2)


def test_a_lock_is_free_when_something_is_refused():
    lock = threading.Lock()

    def locked(x):
        with Guard(ZeroDivisionError), lock:
            y = 1 / x
            np.nonexistent(y)
        return y

    for _ in range(2):
        with pytest.raises(AttributeError):
            ag.to_graph(locked)(2.0)
        assert not lock.locked()


def test_a_lock_around_a_loop_that_is_recorded_again():
    lock = threading.RLock()

    def counted(x):
        total = 0
        while x > 0:
            with lock, Guard(ZeroDivisionError):
                with lock:
                    total += 1 / x
                x -= 1
        return total

    check(counted, 2.5)
    check(counted, 2)


def test_a_generator_that_goes_on_in_one_case():
    """It runs while the program is recorded, once."""

    def noted(x):
        log = []
        with Guard(ZeroDivisionError), noting(log):
            x = 1 / x
        return x, log

    assert "what 'noting' does" in refused(UnsupportedConstructError, noted, 2.0)
