"""``try``, ``except``, ``else``, ``finally`` and ``with`` around code that is left early."""

# The programs under test are odd on purpose.
# ruff: noqa: B012

import contextlib
import itertools

from tests.support.side_by_side import check


def all_inputs(function, *domains):
    for args in itertools.product(*domains):
        check(function, *args)


def test_else_is_skipped_when_the_body_is_left():
    def f(xs, log):
        for x in xs:
            try:
                if x == 1:
                    continue
                if x == 2:
                    break
                if x == 3:
                    return log
                y = 10 // x
            except ZeroDivisionError:
                log.append("zero")
            else:
                log.append(("else", y))
                if x == 5:
                    return "five"
            finally:
                log.append(("finally", x))
            log.append("end")
        else:
            log.append("no break")
        return log

    for xs in ([], [1, 4], [4, 2, 4], [0, 3], [0, 5], [4, 0, 1]):
        check(f, xs, [])


def test_return_in_finally():
    def f(x, log):
        try:
            log.append(10 // x)
            if x == 2:
                return "body"
        finally:
            log.append("finally")
            if x < 2:
                return log
        return "end"

    all_inputs(f, range(-1, 4), [[]])


def test_finally_that_always_returns():
    def f(x):
        try:
            return 10 // x
        finally:
            return "always"

    all_inputs(f, range(3))


def test_break_and_continue_in_finally():
    def f(xs, log):
        for x in xs:
            try:
                try:
                    if x == 3:
                        return "three"
                    log.append(10 // x)
                except ZeroDivisionError:
                    if x is False:
                        raise
                    log.append("zero")
                else:
                    if x == 5:
                        raise KeyError(x)
            finally:
                log.append("finally")
                if x == 3:
                    break
                if x == 5 or x is False:
                    continue
                log.append("no exit")
            log.append("end")
        return log

    for xs in ([1], [0, 1], [3, 1], [5, 2], [False, 4], [2, "a"]):
        check(f, xs, [])


def test_exceptions_go_on_after_finally():
    def f(x):
        try:
            10 // x
        finally:
            if x:
                return "dropped"
        return "never"

    all_inputs(f, range(2))


def test_nested_finally():
    def f(x, log):
        while True:
            try:
                try:
                    if x > 2:
                        break
                    x += 1
                    10 // (x - 1)
                    if x == 2:
                        continue
                finally:
                    log.append(("inner", x))
            except ZeroDivisionError:
                log.append("zero")
                return log
            finally:
                log.append(("outer", x))
        return x, log

    all_inputs(f, range(-1, 4), [[]])


def test_handler_that_raises_again():
    def f(x, log):
        try:
            try:
                return 10 // x
            except ZeroDivisionError as e:
                log.append(str(e))
                if x == 0:
                    raise
            except TypeError as e:
                raise ValueError("bad") from e
            finally:
                log.append("finally")
        except (ValueError, ZeroDivisionError) as e:
            return type(e).__name__, str(e), str(e.__cause__), log

    for x in (0, 1, "a", None):
        check(f, x, [])


def test_name_of_the_exception_is_used_elsewhere():
    def f(x):
        e = 5
        try:
            y = 10 // x
        except ZeroDivisionError as e:
            y = str(e)
        except TypeError as e:
            e = "rebound"
            return e
        else:
            return y, e
        try:
            return y, e
        except NameError:
            return y

    for x in (0, 1, "a"):
        check(f, x)


def test_name_of_the_exception_in_a_loop():
    def f(xs):
        trace = []
        for x in xs:
            try:
                trace.append(10 // x)
                last = None
            except ZeroDivisionError as e:
                last = e
                continue
            if last is None:
                e = x
        return trace, str(last), e

    for xs in ([1, 0], [0, 1], [0], []):
        check(f, xs)


def test_with_that_swallows():
    def f(xs, log):
        n = 0
        for x in xs:
            with contextlib.suppress(ZeroDivisionError):
                n = x
                log.append(10 // x)
                if x == 2:
                    break
                if x == 3:
                    return n, log
                n = n + 100
            log.append(n)
        return n, log

    for xs in ([], [0, 1], [2, 1], [3], [0, 0, 3]):
        check(f, xs, [])


def test_several_managers():
    @contextlib.contextmanager
    def noted(log, name, swallow=False):
        log.append(("enter", name))
        try:
            yield name
        except ValueError:
            log.append(("error", name))
            if not swallow:
                raise
        finally:
            log.append(("exit", name))

    def f(x, log):
        with noted(log, "a", x == 1) as a, noted(log, "b"):
            if x:
                raise ValueError
            return a, log
        return "swallowed", log

    for x in range(3):
        check(f, x, [])


def test_raise_in_finally_and_else():
    def f(x):
        try:
            try:
                y = 10 // x
            except ZeroDivisionError:
                y = 0
            else:
                raise KeyError("else")
            finally:
                if x == 2:
                    raise IndexError("finally")
        except LookupError as error:
            return repr(error)
        return y

    all_inputs(f, range(4))


def test_exit_in_while_test_of_try():
    def f(n, log):
        try:
            while n:
                n -= 1
                try:
                    if n == 2:
                        return log
                finally:
                    log.append(n)
            else:
                log.append("else")
        finally:
            log.append("last")
        return n

    all_inputs(f, range(5), [[]])
