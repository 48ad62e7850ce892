"""Exceptions known only at run time, handled by the function that raises them."""

import contextlib
import math

import numpy as np

from tests.support.oracle import Programs

programs = Programs()
REGULAR = np.array([[2.0, 1.0], [0.5, 3.0]])


@programs(2.0)
@programs(0.0)
def as_str(x):
    try:
        y = str(1 / x)
    except ZeroDivisionError as e:
        return str(e)
    return "fine"


@programs(2.0)
@programs(0.0)
def as_print(x):
    try:
        y = 1 / x
    except ZeroDivisionError as e:
        print("failed:", e)
        y = 0.0
    return y


@programs(2.0)
@programs(0.0)
def as_from(x):
    try:
        y = 1 / x
    except ZeroDivisionError as e:
        raise ValueError("bad") from e
    return y


@programs(2.0)
@programs(0.0)
def as_args0(x):
    try:
        y = 1 / x
    except ZeroDivisionError as e:
        print(e.args[0], len(e.args), type(e).__name__, repr(e), isinstance(e, ArithmeticError))
        y = 0.0
    return y


@programs(2.5)
@programs(math.nan)
@programs(math.inf)
def two_handlers_as(x):
    try:
        return int(x)
    except ValueError as e:
        print(e)
        return -1
    except OverflowError as e:
        print(e)
        return -2


@programs(2.5)
@programs(0.0)
def bare(x):
    try:
        return 1 / x
    except:  # noqa: E722
        return -1.0


@programs(2.5)
@programs(0.0)
def reraise(x):
    try:
        y = 1 / x
    except ZeroDivisionError:
        print("oops")
        raise
    return y


@programs(REGULAR @ REGULAR.T)
@programs(-REGULAR @ REGULAR.T)
def chol(a):
    try:
        np.linalg.cholesky(a)
        return True
    except np.linalg.LinAlgError:
        return False


@programs({1: 1.0, 2: 3.0}, 1)
@programs({1: 1.0}, 5)
def dict_traced(d, k):
    try:
        return d[k]
    except KeyError:
        return -1.0


@programs(2.0)
@programs(0.0)
def suppress(x):
    y = 0.0
    with contextlib.suppress(ZeroDivisionError):
        y = 1 / x
    return y


@programs(2.0)
@programs(0.0)
def list_state(x):
    items = []
    try:
        items.append(1.0)
        items.append(1 / x)
        items.append(2.0)
    except ZeroDivisionError:
        items.append(-1.0)
    return items


@programs(np.zeros(3), 2.0)
@programs(np.zeros(3), 0.0)
def arr_state(a, x):
    try:
        a[0] = 1.0
        a[1] = 1 / x
        a[2] = 1.0
    except ZeroDivisionError:
        a[1] = -1.0
    return a.sum()


@programs(2.0, 1.0)
@programs(-2.0, 1.0)
@programs(2.0, -1.0)
def two_raises(x, y):
    try:
        if x < 0:
            raise ValueError("x")
        if y < 0:
            raise KeyError("y")
    except ValueError:
        return 1.0
    except KeyError:
        return 2.0
    return 3.0


@programs(2.0, 0.0)
@programs(0.0, 1.0)
@programs(0.0, 0.0)
def outer_catches(x, y):
    try:
        try:
            z = 1 / x
        except ZeroDivisionError:
            raise ValueError("no")  # noqa: B904
    except ValueError as e:
        print(e)
        z = 0.0
    return z


@programs(np.array([1.0, 2.0]), 0.0)
@programs(np.array([1.0, 2.0]), 2.0)
def aug_inplace(a, x):
    b = a
    try:
        b += 1.0
        b += 1 / x
    except ZeroDivisionError:
        pass
    return a


@programs(np.array([1.0, 2.0]), 0.0, 0)
@programs(np.array([1.0, 2.0]), 2.0, 1)
@programs(np.array([1.0, 2.0]), 2.0, 5)
def aug_sub(a, x, i):
    try:
        a[i] += 1 / x
    except ZeroDivisionError:
        a[0] = -1.0
    except IndexError:
        a[0] = -2.0
    return a


@programs(2.0, 1)
@programs(0.0, 1)
@programs(2.0, 7)
def list_store(x, i):
    items = [1.0, 2.0, 3.0]
    try:
        items[i] = 1 / x
    except ZeroDivisionError:
        items[0] = -1.0
    except IndexError:
        items[0] = -2.0
    return items


@programs(2.0, 1.0)
@programs(0.0, 1.0)
@programs(0.0, 0.0)
@programs(2.0, 0.0)
def nested_else_finally(x, y):
    t = 0.0
    try:
        try:
            z = 1 / x
        except ZeroDivisionError:
            t += 1
            z = 1 / y
        else:
            t += 10
            z = z / y
        finally:
            t += 100
    except ZeroDivisionError:
        t += 1000
        z = -1.0
    return (z, t)


@programs(2.0)
@programs(-2.0)
@programs(200.0)
def same_class_texts(x):
    try:
        if x < 0:
            raise ValueError("negative")
        if x > 100:
            raise ValueError("large")
        return x
    except ValueError as e:
        print("got:", e)
        return 0.0


@programs(2.0)
@programs(-2.0)
@programs(200.0)
def same_class_texts_raise(x):
    try:
        if x < 0:
            raise ValueError("negative")
        if x > 100:
            raise ValueError("large")
        return x
    except ValueError as e:
        raise RuntimeError(f"wrapped {e}") from e


@programs(2.0)
@programs(0.0)
def comp(x):
    try:
        items = [1 / (x - k) for k in range(3)]
    except ZeroDivisionError:
        items = [0.0, 0.0, 0.0]
    return items


@programs(2.0)
@programs(0.0)
def with_errstate(x):
    try:
        with np.errstate(all="ignore"):
            y = 1 / x
    except ZeroDivisionError:
        y = 0.0
    return y


@programs(3.7)
@programs(math.nan)
@programs(math.inf)
def round_(x):
    try:
        return round(x)
    except (ValueError, OverflowError):
        return -1


@programs([1.0], 2.0)
@programs([1.0], 0.0)
def list_arg(acc, x):
    try:
        acc.append(5.0)
        acc[0] = 1 / x
    except ZeroDivisionError:
        acc.append(-3.0)
    return len(acc)


@programs({"a": 1.0}, 2.0)
@programs({"a": 1.0}, 0.0)
def dict_arg(d, x):
    try:
        d["b"] = 2.0
        d["a"] = 1 / x
    except ZeroDivisionError:
        d["b"] = -3.0
    return d


@programs(2.0)
@programs(-1.0)
def raise_e_alias(x):
    try:
        try:
            if x < 0:
                raise ValueError("a")
        except ValueError as e:
            err = e
            raise err  # noqa: B904
    except ValueError as e2:
        return str(e2)
    return "n"


@programs(2.0, 3)
@programs(0.0, 3)
@programs(1.0, 0)
def kinds_var(x, n):
    K = (ZeroDivisionError, IndexError)
    try:
        y = [1.0, 2.0, 3.0, 4.0][n] / x
    except K:
        y = 0.0
    return y


@programs(2.0)
@programs(0.0)
def name_err(x):
    try:
        y = 1 / x
        return undefined_thing
    except NameError:
        return 0.0
    except ZeroDivisionError:
        return 1.0


@programs(2.0)
@programs(0.0)
def unbound(x):
    try:
        if x > 1:
            z = 1.0
        y = 1 / x
    except ZeroDivisionError:
        y = 3.0
    try:
        return z + y
    except UnboundLocalError:
        return -9.0


@programs(2.0, "a")
@programs(0.0, "b")
@programs(2.0, "b")
def key_static(x, k):
    d = {"a": 1.0}
    try:
        return d[k] / x
    except KeyError as e:
        print(e)
        return -1.0
    except ZeroDivisionError:
        return -2.0


@programs(np.arange(4.0), 1)
@programs(np.arange(4.0), 9)
def slice_store(a, i):
    try:
        a[1:3] = 7.0
        a[i] = 2.0
        a[::2] = 1.0
    except IndexError:
        a[0] = -1.0
    return a


@programs.test
def test_exceptions_as_values(call):
    call.run()
