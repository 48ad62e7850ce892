"""Python's module statistics, of numbers that are only known when the program runs."""

import statistics

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from tests.support.oracle import Programs

programs = Programs()
X = np.array([0.3, 1.7, 4.1, 3.2, 5.5])


@programs.test
def test_averages(call):
    call.run()


@programs(X)
@programs(X[1:])
@programs(np.array([1e8 + 0.1, 1e8 + 0.2, 1e8 + 0.4]))
def of_an_array(x):
    return (
        *(statistics.mean(x), statistics.median(x), statistics.stdev(x), statistics.pstdev(x)),
        *(statistics.variance(x), statistics.pvariance(x), statistics.fmean(x)),
        *(statistics.median_low(x), statistics.median_high(x)),
    )


@programs(2.0, 0.1, 7.0)
@programs(0.0, 0.0, 0.0)
def of_floats(x, y, z):
    numbers = [x, y, z, 2.5]
    return (
        *(statistics.mean(numbers), statistics.median(numbers), statistics.stdev(numbers)),
        *(statistics.pstdev(numbers), statistics.variance(numbers), statistics.pvariance(numbers)),
        *(statistics.median_low(numbers), statistics.median_high(numbers)),
    )


@programs(3, 1)
def of_integers(n, m):
    numbers = (n, m, 2)
    return statistics.median(numbers), statistics.stdev(numbers), statistics.median_low(numbers)


@programs.smooth(X)
def differentiated(x):
    return statistics.stdev(x) + statistics.median(x)


@pytest.mark.parametrize(
    "function",
    (
        lambda n: statistics.variance([n, 1, 2]),
        lambda n: statistics.mean([n, 1, 2]),
        lambda n: statistics.stdev([n, 1.0], 0.5),
    ),
)
def test_refused(function):
    with pytest.raises(errors.AutographError) as caught:
        ag.to_graph(function)(3)
    assert caught.value.id and caught.value.fix


def test_too_few():
    compiled = ag.to_graph(lambda x: statistics.stdev([x]))
    with pytest.raises(statistics.StatisticsError, match="two data points"):
        compiled(1.0)


@pytest.mark.parametrize("name", ("mean", "variance", "pvariance", "stdev", "pstdev"))
def test_the_last_digit(name):
    of_list = getattr(statistics, name)
    f = ag.to_graph(lambda numbers: of_list(numbers))
    for numbers in ([1.1, 2.2, 3.3, 4.4, 5.6], [1e-6, 12483260.07, -4309.1, 1e16], [0.1] * 10):
        found = f(numbers)
        assert type(found) is float and found == of_list(numbers)
    lanes = np.array([[1.1, 2.2, 5.6], [0.1, 1e9, -7.3]])
    found = ag.vmap(lambda x: of_list([x[0], x[1], x[2]]))(lanes)
    np.testing.assert_array_equal(found, [of_list(row) for row in lanes])
    assert ag.check_grads(lambda x: of_list(x), (lanes[0],), order=2, modes=("fwd", "rev")) is None
