"""`return`, `break` and `continue` in a `try` that may raise what is handled, with a `finally`."""

import numpy as np

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()


class Log:
    def __init__(self):
        self.entries = 0

    def close(self):
        self.entries += 1


@programs(2.0)
@programs(0.0)
@programs(4.0)
def returns_in_body_and_handler(x):
    log = []
    try:
        if x > 3:
            return x, log
        y = 1 / x
    except ZeroDivisionError:
        return -1.0, log
    finally:
        log.append(7.0)
    return y, log


@programs(2.0)
@programs(0.0)
def in_another_try(x):
    t = 0.0
    try:
        try:
            return 1 / x
        finally:
            t = t + 1.0
    except ZeroDivisionError:
        return t


@programs(np.array([1.0, -2.0, 0.0, 4.0]))
@programs(np.array([1.0, 60.0, 4.0]))
@programs(np.array([1.0, 13.0, 4.0]))
def every_exit_of_a_loop(xs):
    log, total = Log(), 0.0
    for x in xs:
        log.entries += 10
        try:
            if x < 0:
                continue
            if x > 50:
                break
            if x == 13:
                return "thirteen", total, log
            total += 1 / float(x)
        except ZeroDivisionError:
            total += 100
        finally:
            log.close()
        total += 0.5
    else:
        total = -total
    return "end", total, log


@programs(np.array([1.0, 2.0]))
@programs(np.array([1.0, 9.0]))
@programs(np.array([1.0, -2.0, 9.0]))
def return_of_inner_loops(xs):
    log = Log()
    try:
        for i, x in enumerate(xs):
            for j in range(3):
                if x * j > 7:
                    return i * 10 + j, log
            if x < 0:
                raise ValueError(f"negative {x}")
        result = 5
    except ValueError as error:
        print(error)
        result = -1
    finally:
        log.close()
    return result, log


@programs(2.0)
@programs(0.0)
def only_a_finally(x):
    try:
        return 1 / x
    finally:
        print("closed")


@programs(5.0)
@programs(2.0)
@programs(1.0)
@programs(0.0)
def of_a_callee(x):
    log = Log()

    def work(v):
        try:
            if v > 2:
                return v * 2
            log.entries += 100
            return 1 / v
        except ZeroDivisionError as error:
            raise ValueError("zero") from error
        finally:
            log.close()

    try:
        return work(x) + work(x - 1), log
    except ValueError:
        return -1.0, log


@programs.test
def test_exits_before_a_finally(call):
    call.run()


def test_gradient():
    def inverse(x):
        log = Log()
        try:
            if x > 3:
                return x**3
            return 1 / x
        except ZeroDivisionError:
            return 0.0
        finally:
            log.close()

    for x in (2.0, 4.0):
        ag.check_grads(inverse, (x,), order=2)
