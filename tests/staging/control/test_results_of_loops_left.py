"""Functions that return from inside a loop or another block, called: what they return is used as
any other value."""

import contextlib
import functools

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check


def endless(x):
    while True:
        if np.sum(x) < 0.1:
            return x
        x = x / 2


def two_ways_out(x):
    while True:
        if np.sum(x) < 0.1:
            return x
        x = x / 2
        if np.sum(x) < 0.01:
            return x + 1


def or_broken(x):
    while True:
        if np.sum(x) < 0.1:
            return x
        if np.sum(x) > 1e9:
            break
        x = x / 2
    return x * 3


def for_else(x):
    for _ in range(60):
        if np.sum(x) < 0.1:
            return x
        x = x / 2
    else:
        return x - 1


def nested_loops(x):
    while True:
        for _ in range(3):
            if np.sum(x) < 0.1:
                return x
            x = x / 2


def finally_halved(x):
    while True:
        try:
            if np.sum(x) < 0.1:
                return x
        finally:
            x = x / 2


def inside_with(x):
    while True:
        with contextlib.nullcontext():
            if np.sum(x) < 0.1:
                return x
        x = x / 2


def inside_match(x):
    while True:
        match 1:
            case 1:
                if np.sum(x) < 0.1:
                    return x
        x = x / 2


def in_one_branch(x):
    if np.sum(x) > 1.0:
        while True:
            if np.sum(x) < 0.1:
                return x
            x = x / 2
    return x + 1


def or_none(x):
    for _ in range(60):
        if np.sum(x) < 0.1:
            return x
        x = x / 2


def recursive(x):
    while True:
        if np.sum(x) < 0.1:
            return x
        return recursive(x / 2)


def pair(x):
    while True:
        if np.sum(x) < 0.1:
            return x, {"half": [x / 2]}
        x = x / 2


class Halver:
    def __init__(self, x=None):
        self.x = x

    def halve(self, x):
        while True:
            if np.sum(x) < 0.1:
                return x
            x = x / 2

    @property
    def half(self):
        return self.halve(self.x)

    @property
    def own(self):
        x = self.x
        while True:
            if np.sum(x) < 0.1:
                return x
            x = x / 2

    __call__ = __add__ = __getitem__ = halve


def closure(x):
    def inner():
        y = x
        while True:
            if np.sum(y) < 0.1:
                return y
            y = y / 2

    return inner()


def default(x, function=endless):
    return function(x)


def generated(x):
    def generate():
        yield endless(x)

    return next(generate())


FORMS = {
    **{
        f.__name__: f
        for f in (
            *(two_ways_out, or_broken, for_else, nested_loops, finally_halved, inside_with),
            *(inside_match, in_one_branch, or_none, recursive, closure, default, generated),
        )
    },
    "pair": lambda x: pair(x)[0],
    "nested": lambda x: pair(x)[1]["half"][0],
    "unpacked": lambda x: (lambda whole, _: whole)(*pair(x)),
    "method": lambda x: Halver().halve(x),
    "property": lambda x: Halver(x).own,
    "method of a property": lambda x: Halver(x).half,
    "object": lambda x: Halver()(x),
    "operator": lambda x: Halver() + x,
    "item": lambda x: Halver()[x],
    "lambda": lambda x: (lambda y: endless(y))(x),
    "partial": lambda x: functools.partial(endless, x)(),
    "reduce": lambda x: functools.reduce(lambda a, b: endless(a + b), [x, x, x]),
    "comprehension": lambda x: [endless(y) for y in (x, x)][1],
    "generator": lambda x: next(endless(y) for y in (x, x)),
    "map": lambda x: list(map(endless, [x, x]))[1],
}


def arithmetic(halve, x):
    a, b = halve(x) + 1.0, 1.0 - halve(x)
    return a, b, halve(x) * halve(x * 3), -halve(x), 2 ** halve(x), halve(x) @ x, x @ halve(x)


def numpy_functions(halve, x):
    chosen = np.where(halve(x) > 0.04, halve(x), x)
    stacked = np.stack([halve(x), x]), np.array([halve(x), halve(x)])
    whole = np.exp(halve(x)), np.add(x, halve(x)), np.zeros_like(halve(x))
    return chosen, stacked, whole, np.sum(halve(x)), np.linalg.norm(halve(x))


def parts(halve, x):
    place = np.arange(10.0)[(halve(x)[0] * 10).astype(int)], x[np.argmax(halve(x))]
    return halve(x)[0], halve(x)[:1], place, halve(x).shape, halve(x).T, halve(x).sum()


def containers(halve, x):
    filled, rows, record = [0.0], np.zeros((2, 2)), Halver()
    filled[0] = halve(x)
    filled.append(halve(x))
    rows[0] = halve(x)
    record.x = halve(x)
    return [halve(x), 1.0], (1, (halve(x), x)), {"a": [halve(x)]}, filled, rows, record.x * 2


def control_flow(halve, x):
    count = 1.0 if halve(x)[0] > 0.04 else 2.0
    while count < halve(x)[0] + 3:
        count = count + 1.0
    for number in halve(x):
        count = count + number
    for _ in range(int(halve(x)[0] * 100)):
        x = halve(x) + 0.1
    first, second = halve(x)
    return count, x, first * second, not np.any(halve(x)), halve(x) is None


def texts(halve, x):
    print(halve(x)[0], f"{np.sum(halve(x)):.3f}", "%.2f" % np.sum(halve(x)))  # noqa: UP031


def calls(halve, x):
    def added(y):
        nonlocal kept
        kept = y + kept
        return kept

    kept = halve(x)
    return added(halve(x)), (lambda *ys: ys[0] * 2)(*[halve(x)]), halve(halve(x) * 100), kept


@pytest.mark.parametrize(
    "use", [arithmetic, numpy_functions, parts, containers, control_flow, texts, calls]
)
def test_used_as(use):
    check(lambda x: use(endless, x), np.array([1.0, 0.5]))


@pytest.mark.parametrize("name", FORMS)
def test_left_from(name):
    halve = FORMS[name]

    def use(x):
        items = [halve(x), 1.0]
        return 1.0 + halve(x) * items[0], items, np.sum(halve(x)), halve(x)[0]

    check(use, np.array([1.0, 0.5]))


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(
    "use", [arithmetic, numpy_functions, parts, containers, control_flow, texts, calls]
)
def test_left_from_and_used_as(use, name):
    check(lambda x: use(FORMS[name], x), np.array([1.0, 0.5]))


def test_under_transforms():
    x = np.array([1.0, 0.5])
    square = ag.to_graph(lambda x: np.sum(endless(x) ** 2) + endless(x)[0])
    assert np.allclose(ag.grad(square)(x), 2 * x / 256 + np.array([1 / 16, 0.0]))
    lanes = np.stack([x, x / 100, x * 40])
    expected = np.array([np.sum(endless(lane)) for lane in lanes])
    assert np.allclose(ag.vmap(lambda x: np.sum(endless(x)))(lanes), expected)
    value, tangent = ag.jvp(lambda x: 1.0 + endless(x), (x,), (np.ones(2),))
    assert np.allclose(value, 1.0 + x / 16) and np.allclose(tangent, 1 / 16)


def test_nothing_is_checked_that_is_certain():
    graph = ag.to_graph(lambda x: np.sum(endless(x))).graph(np.ones(2))
    assert "check" not in str(graph)


def test_a_method_reads_a_variable_that_one_path_assigns():
    def read(x):
        if x > 0:
            y = x * 2

        class Reader:
            def read(self):
                return y

        return [Reader().read() + 1.0]

    check(read, 2.0)
    check(read, -2.0)


def test_a_generator_that_reads_such_a_variable():
    def read(x):
        if x > 0:
            y = x * 2

        def generate():
            yield y

        return list(generate())

    assert ag.to_graph(read)(2.0) == [4.0]
    with pytest.raises(NameError):
        ag.to_graph(read)(-2.0)


def test_a_generator_of_pythons_that_reads_such_a_variable_is_refused():
    def read(x):
        if x > 0:
            y = x * 2

        def generate():
            yield y

        first, *_ = generate()
        return first

    with pytest.raises(ag.errors.UndefinedVariableError, match="AG0346"):
        ag.to_graph(read)(2.0)
