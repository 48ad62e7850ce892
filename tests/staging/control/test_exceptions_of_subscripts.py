"""Elements that are there or not, as the run decides, and what around them can't raise."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()
X = np.array([1.0, -1.0, 2.0])


@programs(X, 0)
@programs(X, 2)
@programs(X, -3)
@programs(X, -2)
def of_unknown_length(x, i):
    y = x[x > 0.0]
    try:
        v = y[i]
    except IndexError as e:
        print(e)
        return -1.0
    return v


@programs(X)
@programs(-X)
@programs(np.arange(5.0))
def at_known_places(x):
    y = x[x > 0.0]
    try:
        return y[2] + y[-1]
    except IndexError as e:
        print(e)
        return -1.0


@programs(X, 1)
@programs(X, 2)
def written(x, i):
    y = x[x > 0.0]
    try:
        y[i] = 3.0
    except IndexError as e:
        print(e)
    return y


@programs(np.array([0, 0, 1, 5]))
def of_a_list(ks):
    found = []
    for k in ks:
        try:
            found.append(found[int(k)] + 1)
        except IndexError:
            found.append(0)
    return found


@programs(np.array([3, 60, 50]))
@programs(np.array([3, 60]))
def an_integer_of_an_integer(ks):
    n = 0
    for k in ks:
        try:
            n += int(k)
            if n > 100:
                raise ValueError("too many")
        except ValueError:
            n = -1
    return n


@programs(np.array([3, 11, 3]), np.array([1.0, -1.0, 2.0]))
def counted(ks, values):
    sums, refused = {}, 0
    for k, v in zip(ks, values):
        try:
            if v < 0.0:
                raise ValueError("negative")
            sums[int(k)] = sums.get(int(k), 0.0) + v
        except ValueError:
            refused += 1
    return sums, refused


@programs.test
def test_exceptions_of_subscripts(call):
    call.run()
