"""Python's module statistics, of numbers known only at run time."""

import math
import statistics

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from autograph.staging.python import averages
from tests.support.oracle import Programs
from tests.support.refusals import refused

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


@programs(2.0, 0.1, 7.0)
@programs(0.0, 1.0, 3.0)
@programs(-1.0, 1.0, 3.0)
@programs(2.0, 2.0, 2.0)
def harmonic_means(x, y, z):
    return statistics.harmonic_mean([x, y, z]), statistics.harmonic_mean([abs(x)])


@programs(2.0, 0.1, 7.0)
@programs(0.0, 1.0, 3.0)
@programs(-1.0, 1.0, 3.0)
@programs(1.0, -2.0, -3.0)
@programs(0.0, math.inf, 3.0)
@programs(0.0, math.nan, 3.0)
@programs(1.0, math.inf, 3.0)
@programs(1.0, math.nan, 3.0)
def geometric_means(x, y, z):
    return statistics.geometric_mean([x, y, z])


@programs(2.0, 0.1, 7.0)
@programs(0.0, 0.0, 0.0)
def of_two_series(x, y, z):
    return (
        statistics.covariance([x, y, z], [1.0, 2.0, y]),
        statistics.correlation([x, y, z], [1.0, 2.0, y]),
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
    assert "AG0" in refused(errors.AutographError, function, 3)


def test_too_few():
    compiled = ag.to_graph(lambda x: statistics.stdev([x]))
    with pytest.raises(statistics.StatisticsError, match="two data points"):
        compiled(1.0)


@pytest.mark.costly
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


# -- by direct calls -------------------------------------------------------------------------------

NAMES = ("mean", "fmean", "variance", "pvariance", "stdev", "pstdev")
MEDIANS = ("median", "median_low", "median_high")
LISTS = [
    [2.5],
    [3.0, 1.0],
    [0.1, 0.2, 0.4],
    [5.5, -2.0, 1e9, 3.0],
    [math.inf, 1.0],
    [math.nan, 1.0],
]


def outcome(function, *args):
    """What a function gives, as a text that tells all of its digits, or what it raises."""
    try:
        return repr(function(*args))
    except (statistics.StatisticsError, AttributeError, ValueError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("name", NAMES + MEDIANS)
@pytest.mark.parametrize("numbers", LISTS, ids=str)
def test_as_statistics(recording, name, numbers):
    theirs = getattr(statistics, name)
    given = [recording.given(x) for x in numbers]
    found = outcome(lambda: recording.run(averages.FUNCTIONS[theirs](given)))
    assert found == outcome(theirs, numbers)


@pytest.mark.parametrize("name", ("mean", "fmean", *MEDIANS))
@pytest.mark.parametrize("numbers", [[math.inf, 1.0], [math.nan, math.nan], [-math.inf, math.inf]])
def test_of_numbers_that_are_not_finite(recording, name, numbers):
    theirs = getattr(statistics, name)
    given = [recording.given(x) for x in numbers]
    found = outcome(lambda: recording.run(averages.FUNCTIONS[theirs](given)))
    assert found == outcome(theirs, numbers)


@pytest.mark.parametrize("name", NAMES + MEDIANS)
def test_of_nothing(recording, name):
    theirs = getattr(statistics, name)
    assert outcome(averages.FUNCTIONS[theirs], []) == outcome(theirs, [])


@pytest.mark.parametrize("name", ("variance", "stdev"))
def test_of_one(recording, name):
    theirs = getattr(statistics, name)
    assert outcome(averages.FUNCTIONS[theirs], [recording.given(1.0)]) == outcome(theirs, [1.0])


@pytest.mark.parametrize("name", ("stdev", "pstdev", *MEDIANS, "fmean"))
def test_of_ints(recording, name):
    theirs, numbers = getattr(statistics, name), [3, 1, 4, 1]
    given = [recording.given(n) for n in numbers]
    assert recording.run(averages.FUNCTIONS[theirs](given)) == theirs(numbers)


@pytest.mark.parametrize("name", ("mean", "variance", "pvariance"))
def test_the_type_of_the_result(recording, name):
    for numbers in ([1.0, 2.5], [np.float64(1.0), np.float64(2.5)]):
        given = [recording.given(x) for x in numbers]
        found = averages.FUNCTIONS[getattr(statistics, name)](given)
        assert found.type.weak is (type(numbers[0]) is float)


@pytest.mark.parametrize(
    "call, fix",
    [
        (lambda x: averages.mean([x, 1]), "statistics.fmean or np.mean"),
        (lambda x: averages.variance([x, np.float64(1)]), "np.var(data, ddof=1)"),
        (lambda x: averages.pvariance([np.float32(1), 1.0]), "np.var(data)"),
        (lambda x: averages.float_mean([x], weights=[1.0]), "np.average"),
        (lambda x: averages.stdev([x, 1.0], 0.5), "np.std"),
        (lambda x: averages.pvariance([x, 1.0], 0.5), "np.var"),
    ],
)
def test_what_is_refused(recording, call, fix):
    with pytest.raises(errors.UnsupportedFunctionError) as caught:
        call(recording.given(2.0))
    assert fix in caught.value.fix


# -- quantiles and modes ---------------------------------------------------------------------------


def quantiles_of(x):
    numbers = [x, 2.0, 3.0, 5.0]
    return (
        *(statistics.quantiles(numbers), statistics.quantiles(numbers, n=10)),
        *(statistics.quantiles(numbers, n=5, method="inclusive"), statistics.quantiles([x, 1.0])),
        *(statistics.quantiles([x, 4, 1], n=3), statistics.quantiles(numbers, n=1)),
    )


@pytest.mark.parametrize("x", [1.0, 2.5, 4.0, 9.0])
def test_quantiles(x):
    assert ag.to_graph(quantiles_of)(x) == quantiles_of(x)


def test_quantiles_of_lists():
    compiled = ag.to_graph(lambda xs: statistics.quantiles(xs, n=7))
    for xs in ([1.0, 4.0, 2.0, 8.0, 3.0], [5.0, 4.0]):
        assert compiled(xs) == statistics.quantiles(xs, n=7)


def test_derivatives_of_quantiles():
    ag.check_grads(lambda x: sum(w * q for w, q in zip((1, 2, 3), quantiles_of(x)[0])), (2.5,))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: statistics.quantiles([x, 1.0], n=0),
        lambda x: statistics.quantiles([x][1:]),
        lambda x: statistics.quantiles([x, 1.0], method="other"),
        lambda x: statistics.mode([x][1:]),
    ],
)
def test_mistakes_with_quantiles_and_modes(function):
    with pytest.raises(Exception) as expected:
        function(1.0)
    with pytest.raises(type(expected.value)) as found:
        ag.to_graph(function)(1.0)
    assert str(expected.value) in str(found.value)


def modes_of(x):
    return (
        *(statistics.mode([x, 2.0, 3.0, 2.0]), statistics.mode([x, 2.0, 3.0])),
        *(statistics.mode([x, x, 2.0, 2.0]), statistics.mode([3.0, x, float("nan"), x])),
    )


@pytest.mark.parametrize("x", [1.0, 2.0, 3.0, float("nan")])
def test_modes(x):
    assert repr(ag.to_graph(modes_of)(x)) == repr(modes_of(x))


def test_modes_of_ints_and_lists():
    compiled = ag.to_graph(lambda n, m: statistics.mode([n, 2, m]))
    assert [compiled(n, 3) for n in (1, 2, 3)] == [statistics.mode([n, 2, 3]) for n in (1, 2, 3)]
    for xs in ([1.0, 2.0, 2.0], [3.0] * 3 + [2.0] * 20):
        assert ag.to_graph(lambda xs: statistics.mode(xs))(xs) == statistics.mode(xs)


def test_modes_of_several_types_are_refused():
    with pytest.raises(errors.UnsupportedFunctionError):
        ag.to_graph(lambda x: statistics.mode([x, 2]))(1.0)
