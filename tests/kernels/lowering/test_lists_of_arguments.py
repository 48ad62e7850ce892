"""Lists of numbers among the arguments that loops read and change: the loop is one kernel, though a
result may be what came in, of which nobody but the call has the array."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.support.oracle import check, check_grad, compiled


class Run:
    def __init__(self, trail):
        self.trail = trail

    def step(self, x):
        self.trail.append(self.trail[-1] * 0.5 + x)


def appended(log, n):
    for _ in range(n):
        log.append(log[-1] * 0.5)


def appended_in_a_while(log, n):
    while n > 0:
        log.append(log[-1] * 0.5)
        n -= 1
    return log


def extended(log, n):
    for i in range(n):
        log += [log[-1] * 0.5, log[i]]
        log.extend([log[i + 1]])


def inserted(log, n):
    for i in range(n):
        log.insert(1, log[-1] + i)


def taken_away(log, n):
    total = 0.0
    for _ in range(n):
        total += log.pop() - log.pop(0)
        del log[0]
    return total


def as_a_stack(log, n):
    while len(log) > 2 and n > 0:
        v = log.pop()
        log[0] = v
        if v > 2:
            log.append(v * 0.5)
        n -= 1


def bound_anew(log, n):
    out = log
    for _ in range(n):
        out = out + [out[-1] * 0.5]
    return out


def in_a_branch(log, n):
    if n > 2:
        log.append(log[0] * 0.5)
    return len(log)


def in_loops_that_grow_nothing_else(log, n):
    for i in range(n):
        log[i] = log[i + 1] * 0.5
        kept = list(log)
        for k in range(i):
            kept.append(kept[-1] * 0.5 + k)
        log[0] = kept[-1]


def with_another(log, n):
    other = log[:]
    for i in range(n):
        other.append(log[i] * 0.5)
        log.append(other[-1] * 0.5)
    return other


def grow(log, x):
    log.append(log[-1] * 0.5 + x)


def by_a_function(log, n):
    for i in range(n):
        grow(log, i)


def by_itself(log, n):
    if n > 0:
        log.append(log[-1] * 0.5)
        by_itself(log, n - 1)


def of_an_object(run, n):
    for i in range(n):
        run.trail.append(run.trail[-1] * 0.5 + i)


def by_a_method(run, n):
    for _ in range(n):
        run.step(0.25)


def of_tuples(pairs, n):
    for _ in range(n):
        a, b = pairs[-1]
        pairs.append((b, a * 0.5))


def floats(n):
    return [1.0 + k for k in range(n)]


def arguments(function, length):
    numbers = floats(length)
    if function in (of_an_object, by_a_method):
        return Run(numbers)
    return list(zip(numbers, numbers[::-1])) if function is of_tuples else numbers


OF_ARGUMENTS = [
    *(appended, appended_in_a_while, extended, inserted, taken_away, as_a_stack, bound_anew),
    *(in_a_branch, in_loops_that_grow_nothing_else, with_another, by_a_function, by_itself),
    *(of_an_object, by_a_method, of_tuples),
]


@pytest.mark.parametrize("function", OF_ARGUMENTS, ids=lambda f: f.__name__)
def test_a_loop_that_changes_a_list_of_the_callers_is_one_kernel(function):
    for length, n in ((40, 5), (60, 0), (30, 7)):
        check(function, arguments(function, length), n)
    assert [form.is_kernel for form in compiled(function).compiled_forms()] == [True]


@pytest.mark.parametrize("kind", [int, np.float64])
def test_its_numbers_stay_of_their_type(kind):
    def f(log, n):
        for _ in range(n):
            log.append(log[-1] + log[0])

    for n in (0, 4):
        check(f, [kind(k) for k in range(30)], n)


def test_the_caller_keeps_the_list():
    log = kept = floats(30)
    assert ag.to_graph(bound_anew)(log, 0) == log == kept
    ag.to_graph(appended)(log, 3)
    assert log is kept and len(log) == 33


def test_derivatives_by_what_is_put_into_it():
    def f(x, log, n):
        own = log + [x]
        for _ in range(n):
            own.append(own[-1] * own[-1] * 0.5)
            own.append(own[0] * x)
        return own[-2] * x

    check_grad(lambda x: f(x, [1.0] * 20, 3), 0.8)


def test_an_array_of_the_callers_that_grows_may_be_what_is_returned():
    @ag.to_graph
    def f(x, n):
        for _ in range(n):
            x = np.append(x, x[-1] * 0.5)
        return x

    x = np.ones(3)
    assert f(x, 0) is x
    assert f(x, 2).tolist() == [1.0, 1.0, 1.0, 0.5, 0.25]
