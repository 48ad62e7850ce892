"""Programs with inner functions, lambdas, partial applications and decorators."""

import functools

import numpy as np

import autograph as ag
from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


RATE = 0.5
TABLE = {"gain": 2.0}


def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("call", function.__name__)
        return function(*args, **kwargs)

    return wrapper


@traced
def decorated_square(x):
    return x * x


@functools.lru_cache
def cached_constant(n):
    return sum(range(n))


def apply_n(f, n, x):
    for _ in range(n):
        x = f(x)
    return x


def compose(*functions):
    def composed(x):
        for f in reversed(functions):
            x = f(x)
        return x

    return composed


def weighted(x, *more, scale=1.0, **options):
    total = x
    for i, m in enumerate(more):
        total = total + m * (i + 1)
    if "shift" in options:
        total = total + options["shift"]
    return total * scale


@programs.smooth(1.5)
def captured_variable(x):
    scale = 3.0

    def scaled(y):
        return y * scale + x

    return scaled(x) * scaled(2.0)


@programs(np.array([1.0, -1.0, 2.0]))
def nonlocal_counter(x):
    count = 0

    def check(v):
        nonlocal count
        if v > 0:
            count += 1
        return v * 2

    total = 0.0
    for v in x:
        total += check(v)
    return total, count


@programs(3)
@programs(0)
def counter_factory(n):
    def make():
        value = 0

        def tick():
            nonlocal value
            value += 1
            return value

        return tick

    a, b = make(), make()
    for _ in range(n):
        a()
    return a(), b()


@programs(2.0)
def lambda_sees_later_changes(x):
    f = lambda y: y * factor
    factor = 2.0
    first = f(x)
    factor = 10.0
    return first, f(x)


@programs(2.0)
@programs(-2.0)
def lambda_and_branch(x):
    offset = 0.0
    f = lambda y: y + offset
    if x > 0:
        offset = 100.0
    return f(x)


@programs(1.0)
def lambdas_in_a_loop(x):
    functions = []
    for k in range(3):
        functions.append(lambda y: y + k)
    bound = []
    for k in range(3):
        bound.append(lambda y, k=k: y + k)
    return [f(x) for f in functions], [f(x) for f in bound]


@programs.smooth(0.5)
def global_read(x):
    return x * RATE + TABLE["gain"] * x * x


@programs.smooth(0.7)
def higher_order(x):
    return apply_n(lambda t: np.sin(t) + 0.1, 4, x)


@programs.smooth(0.7)
def composed_functions(x):
    return compose(np.sin, np.exp, lambda t: t * t)(x)


@programs.smooth(0.7)
def partial_application(x):
    scale = functools.partial(weighted, scale=2.0)
    return scale(x, 1.0) + functools.partial(np.power, x)(2.0)


@programs(2.0)
def all_kinds_of_arguments(x):
    args, options = (1.0, 2.0), {"shift": 5.0}
    return (
        weighted(x),
        weighted(x, *args),
        weighted(x, 3.0, scale=0.5, **options),
        weighted(*args, x, **{"scale": x}),
    )


@programs(3.0)
def decorated(x):
    return decorated_square(x) + cached_constant(4)


@programs.smooth(2.0)
def defaults_are_evaluated_once(x):
    step = 0.5

    def advance(y, h=step):
        return y + h * x

    step = 100.0
    return advance(1.0) + advance(1.0, step)


@programs.smooth(np.array([0.5, 1.0]))
def functional_tools(x):
    squares = map(lambda t: t * t, x)
    total = functools.reduce(lambda a, b: a + 2 * b, squares, 0.0)
    return total


@programs.smooth(1.3, 0.7)
def runge_kutta(y, t):
    def slope(y, t):
        return -y * np.cos(t) + 0.1 * y * y

    h = 0.1
    for _ in range(4):
        k1 = slope(y, t)
        k2 = slope(y + 0.5 * h * k1, t + 0.5 * h)
        k3 = slope(y + 0.5 * h * k2, t + 0.5 * h)
        k4 = slope(y + h * k3, t + h)
        y, t = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), t + h
    return y


@programs(2.0)
@programs(-2.0)
def function_chosen_by_data(x):
    def double(y):
        return y * 2

    def negate(y):
        return -y

    return double(x) if x > 0 else negate(x)


@programs("sin", 0.5)
@programs("square", 0.5)
def function_chosen_by_name(name, x):
    table = {"sin": np.sin, "square": lambda t: t**2}
    return table[name](x)


@programs(3.0)
def nonlocal_in_nested_branches(x):
    best = -1.0

    def offer(v):
        nonlocal best
        if v > best:
            if v < 10:
                best = v
                return True
        return False

    taken = (offer(x), offer(x - 1), offer(x + 1), offer(x * 100))
    return best, taken


@programs.smooth(0.4)
def immediately_called(x):
    return (lambda a, *rest, k=2.0: a * k + sum(rest))(x, x * x, 1.0)


def counted(function):
    calls = 0

    @functools.wraps(function)
    def counting(*args, **kwargs):
        nonlocal calls
        calls += 1
        return function(*args, **kwargs), calls

    return counting


def scaled(factor, *, shift=0.0):
    return lambda function: lambda *args: factor * function(*args) + shift


class Noted:
    def __init__(self, function):
        self.function, self.calls = function, 0

    def __call__(self, *args):
        self.calls += 1
        return self.function(*args)


@programs(1.5)
@programs(-30.0)
def decorators_of_inner_functions(x):
    @counted
    def area(a, b=2.0):
        return a * b

    @scaled(2.0, shift=1.0)
    @scaled(0.5)
    def cube(a):
        return a * a * a

    @Noted
    def step(a):
        return a * 0.5 if a > 1 else a + 1

    while step(x) < 8:
        x = x + 2
    return area(x), area(x, b=x), cube(x), step.calls, area.__name__


def test_a_decorator_that_counts_is_recorded_once(caplog):
    def twice(x):
        @counted
        def area(a):
            return a * a

        area(x)
        return area(x)

    compiled = ag.to_graph(twice)
    with caplog.at_level("INFO", "autograph"):
        assert [compiled(float(n)) for n in range(4)] == [twice(float(n)) for n in range(4)]
    assert sum("compiled for" in record.getMessage() for record in caplog.records) == 1
