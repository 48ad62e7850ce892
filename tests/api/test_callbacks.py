"""Functions that stay Python, called when the program runs."""

import functools

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError, CallbackError, SaveError

SCALAR = ag.ShapeDtypeStruct((), np.float64)
VECTOR = ag.ShapeDtypeStruct((3,), np.float64)
X = np.array([1.0, 2.0, 3.0])


def python_sine(x):
    assert type(x) is np.ndarray
    return np.sin(x)


@ag.custom_vjp
def sine(x):
    return ag.pure_callback(python_sine, ag.ShapeDtypeStruct(np.shape(x), np.float64), x)


def cosine(x):
    return sine(x + np.pi / 2)


sine.defvjp(lambda x: (sine(x), x), lambda x, ct: (cosine(x) * ct,))


@ag.custom_jvp
def forward_sine(x):
    return ag.pure_callback(python_sine, SCALAR, x)


@forward_sine.defjvp
def rule(primals, tangents):
    return forward_sine(primals[0]), np.cos(primals[0]) * tangents[0]


def test_called_and_compiled_alike():
    f = lambda x: ag.pure_callback(python_sine, VECTOR, x) * 2.0
    found = ag.to_graph(f)(X)
    assert found.dtype == f(X).dtype
    np.testing.assert_array_equal(found, f(X))
    one = ag.to_graph(lambda x: ag.pure_callback(python_sine, SCALAR, x))(0.5)
    assert type(one) is np.float64 and one == np.sin(0.5)


def test_nested_arguments_and_results():
    def split(pair, scale):
        return {"sum": pair[0] + pair[1]["b"], "parts": (pair[0] * scale, np.int64(len(pair)))}

    wanted = {"sum": VECTOR, "parts": (VECTOR, ag.ShapeDtypeStruct((), np.int64))}

    def f(x):
        return ag.pure_callback(split, wanted, (x, {"b": 2 * x}), 10.0)

    for found in (f(X), ag.to_graph(f)(X)):
        np.testing.assert_array_equal(found["sum"], 3 * X)
        np.testing.assert_array_equal(found["parts"][0], 10 * X)
        assert found["parts"][1] == 2


def test_in_loops_branches_and_recursion():
    def loop(x):
        total = 0.0
        for v in x:
            if v > 1.5:
                total += ag.pure_callback(python_sine, SCALAR, v)
        while total < 5.0:
            total = total + ag.pure_callback(lambda t: t * 0 + 2.0, SCALAR, total)
        return total

    def depth(n):
        return 0.0 if n <= 0.0 else ag.pure_callback(python_sine, SCALAR, n) + depth(n - 1.0)

    assert ag.to_graph(loop)(X) == pytest.approx(loop(X))
    assert ag.to_graph(depth)(4.0) == pytest.approx(depth(4.0))


def test_derivatives_by_rules_around_it():
    assert ag.grad(sine)(0.5) == pytest.approx(np.cos(0.5))
    assert ag.grad(ag.grad(sine))(0.5) == pytest.approx(-np.sin(0.5))
    assert ag.jvp(forward_sine, (0.5,), (2.0,))[1] == pytest.approx(2 * np.cos(0.5))
    assert ag.hessian(forward_sine)(0.5) == pytest.approx(-np.sin(0.5))
    np.testing.assert_allclose(ag.vmap(ag.grad(sine))(X), np.cos(X))
    np.testing.assert_allclose(ag.grad(lambda x: np.sum(sine(x)))(X), np.cos(X))


@pytest.mark.parametrize("call", [ag.pure_callback, ag.io_callback])
def test_without_a_rule_there_is_no_derivative(call):
    def f(x):
        return call(python_sine, SCALAR, x)

    for derivative in (lambda: ag.grad(f)(0.5), lambda: ag.jvp(f, (0.5,), (1.0,))):
        with pytest.raises(AutographError, match="derivative of 'python_sine', a callback"):
            derivative()


def test_lane_by_lane():
    shapes = []

    def look(x):
        shapes.append(x.shape)
        return np.sum(x)

    found = ag.vmap(lambda x: ag.pure_callback(look, SCALAR, x))(np.ones((4, 3)))
    np.testing.assert_array_equal(found, [3.0] * 4)
    assert shapes == [(3,)] * 4


class TestEffectsInLanes:
    """A callback with effects is called as `print` prints: at each place, lane by lane."""

    @pytest.fixture(autouse=True)
    def calls(self):
        self.seen = []

    def number(self, x):
        self.seen.append(float(x))
        return np.float64(len(self.seen))

    def call(self, x):
        return ag.io_callback(self.number, SCALAR, x)

    def test_in_a_loop(self):
        def f(x):
            total = 0.0
            for i in range(2):
                total += self.call(x + i)
            return total

        np.testing.assert_array_equal(ag.vmap(f)(X), [1 + 4.0, 2 + 5.0, 3 + 6.0])
        assert self.seen == [1.0, 2.0, 3.0, 2.0, 3.0, 4.0]

    def test_only_for_lanes_that_come_there(self):
        def f(x):
            trips = 0
            while x < 4.0:
                if x != 2.0:
                    self.call(x)
                x, trips = 2.0 * x, trips + 1
            return trips

        np.testing.assert_array_equal(ag.vmap(f)(X), [2, 1, 1])
        assert self.seen == [1.0, 3.0]

    def test_for_each_lane_also_with_the_same_arguments(self):
        for f in (lambda x, y: self.call(y), lambda x, y: self.call(y) if y > 0 else y):
            self.seen.clear()
            np.testing.assert_array_equal(ag.vmap(f, (0, None))(X, 5.0), [1.0, 2.0, 3.0])
            assert self.seen == [5.0] * 3

    def test_how_long_a_loop_goes_on(self):
        def f(x):
            while self.call(x) < 5.0:
                pass
            return x

        np.testing.assert_array_equal(ag.vmap(f)(X), X)
        assert self.seen == [1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0]  # the first alone comes again

    def test_no_lanes(self):
        assert ag.vmap(self.call)(np.zeros(0)).shape == (0,)
        assert not self.seen

    def test_derivatives(self):
        @ag.custom_vjp
        def doubled(x):
            return 2.0 * x + 0.0 * self.call(x)

        doubled.defvjp(lambda x: (doubled(x), x), lambda x, ct: (2.0 * ct,))
        np.testing.assert_array_equal(ag.vmap(ag.grad(lambda x: doubled(x) ** 2))(X), 8.0 * X)
        assert self.seen == [1.0, 2.0, 3.0]

    def test_a_rule_that_would_be_computed_twice(self):
        @ag.custom_vjp
        def called(x):
            return self.call(x) * x

        called.defvjp(lambda x: (called(x), x), lambda x, ct: (2.0 * ct,))
        with pytest.raises(AutographError, match="a callback with effects") as caught:
            ag.hessian(lambda x: called(x[0]) ** 2)(X)
        assert "pure_callback" in caught.value.fix and not self.seen

    def test_recursion(self):
        def f(x, n):
            return self.call(n) + f(x, n - 1) if n > 0 else x

        found = ag.vmap(f)(X, np.array([1, 0, 2]))
        np.testing.assert_array_equal(found, [1.0 + 1.0, 2.0, 3.0 + 2.0 + 3.0])
        assert self.seen == [1.0, 2.0, 1.0]

        def same(n):
            return self.call(n) + same(n - 1) if n > 0 else 0.0

        self.seen.clear()
        found = ag.vmap(lambda x, n: x + same(n), (0, None))(X, 2)
        np.testing.assert_array_equal(found, X + [1.0 + 4.0, 2.0 + 5.0, 3.0 + 6.0])
        assert self.seen == [2.0] * 3 + [1.0] * 3


def test_effects_happen_in_order():
    seen = []

    def note(x):
        seen.append(float(x))

    @ag.to_graph
    def f(x):
        for v in x:
            ag.io_callback(note, None, v)
            if v > 1.5:
                ag.io_callback(note, None, -v)
        return np.sum(x)

    assert f(X) == 6.0
    assert seen == [1.0, 2.0, -2.0, 3.0, -3.0]
    seen.clear()
    assert f(X) == 6.0
    assert seen == [1.0, 2.0, -2.0, 3.0, -3.0]


class OwnError(Exception):
    pass


def test_exceptions_arrive_as_they_were_raised():
    error = OwnError("no", 3)

    def fail(x):
        raise error

    with pytest.raises(OwnError) as caught:
        ag.to_graph(lambda x: ag.pure_callback(fail, SCALAR, x) + 1.0)(0.5)
    assert caught.value is error and error.args == ("no", 3)


@pytest.mark.parametrize(
    "function, said",
    [
        (lambda x: x, "f64[3], where its result is described as f64[]"),
        (lambda x: np.float32(1.0), "f32[], where its result is described as f64[]"),
        (lambda x: 1, "i64[], where its result is described as f64[]"),
    ],
)
def test_what_it_returns_is_compared(function, said):
    def f(x):
        return ag.pure_callback(function, SCALAR, x)

    with pytest.raises(CallbackError, match="AG0528") as caught:
        ag.to_graph(f)(X)
    assert said in caught.value.message
    assert caught.value.location.line == f.__code__.co_firstlineno + 1


def test_nested_otherwise():
    with pytest.raises(CallbackError, match="not nested"):
        ag.to_graph(lambda x: ag.pure_callback(lambda x: x, (SCALAR, SCALAR), x))(0.5)
    with pytest.raises(CallbackError, match="described by 'float'"):
        ag.to_graph(lambda x: ag.pure_callback(np.sin, "float", x))(0.5)


def test_what_only_the_program_knows_is_an_argument():
    def f(x):
        y = x * 2.0
        return ag.pure_callback(lambda z: z + y, SCALAR, x)

    with pytest.raises(CallbackError, match="give it as an argument"):
        ag.to_graph(f)(0.5)


def test_printed_and_not_saved(tmp_path):
    f = ag.to_graph(lambda x: ag.pure_callback(python_sine, SCALAR, x))
    assert "'python_sine')(x)" in str(f.program(0.5))
    with pytest.raises(SaveError):
        f.save(tmp_path / "f.ag", 0.5)


class Log:
    def __init__(self):
        self.items, self.count = [], 0

    def add(self, x):
        self.items.append(float(x))
        self.count += 1


def test_inner_functions_change_what_is_outside():
    items, found, log = [], {}, Log()

    def f(x):
        def note(v):
            items.append(float(v))
            found["last"] = float(v)
            log.count += 10

        while x > 1.0:
            ag.io_callback(note, None, x)
            ag.io_callback(lambda v: note(v + 1.0), None, x)
            x = x / 2.0
        return x

    compiled = ag.to_graph(f)
    for times in (1, 2):
        assert compiled(4.0) == 1.0
        assert items == [4.0, 5.0, 2.0, 3.0] * times
    assert found == {"last": 3.0} and log.count == 80


def test_methods_change_what_is_outside():
    items, log = [], Log()

    @ag.to_graph
    def f(x):
        ag.io_callback(log.add, None, x)
        ag.io_callback(items.append, None, 2.0 * x)
        ag.io_callback(functools.partial(Log.add, log), None, 3.0 * x)
        return x

    assert f(1.0) == f(1.0) == 1.0
    assert log.items == [1.0, 3.0] * 2 and log.count == 4 and items == [2.0, 2.0]


def test_inner_functions_that_call_themselves():
    def f(x):
        def power(x, n=3):
            return x * power(x, n - 1) if n else np.float64(1.0)

        return ag.pure_callback(power, SCALAR, x)

    assert ag.to_graph(f)(2.0) == f(2.0) == 8.0


def its_list(x):
    found = []
    ag.io_callback(lambda v: found.append(v), None, x)
    return found


def its_object(x):
    log = Log()
    ag.io_callback(log.add, None, x)
    return log.count


def its_variable(x):
    count = 0

    def note(v):
        nonlocal count
        count += 1

    ag.io_callback(note, None, x)
    return count


def its_argument(x, log):
    ag.io_callback(log.add, None, x)


@pytest.mark.parametrize(
    "function, args, said",
    [
        (its_list, (), "'found', which"),
        (its_object, (), "'self', which"),
        (its_variable, (), "'count', which it assigns"),
        (its_argument, (Log(),), "'self', which"),
    ],
)
def test_changes_that_the_program_would_not_see_are_refused(function, args, said):
    with pytest.raises(CallbackError, match="AG0528") as caught:
        ag.to_graph(function)(1.0, *args)
    assert f"a callback, refers to {said}" in caught.value.message


# -- many lanes at once ----------------------------------------------------------------------------


class Counted:
    """Counts its calls, and remembers the shapes it is given."""

    def __init__(self, function):
        self.function = function
        self.shapes = []

    def __call__(self, *args):
        self.shapes.append([np.shape(arg) for arg in args])
        return self.function(*args)


def test_lanes_at_once():
    sines = Counted(lambda x, y: np.sin(x) * y[..., None])
    f = lambda x, y: ag.pure_callback(sines, VECTOR, x, y, vectorized=True) + x
    xs = np.stack([X, 2 * X])
    found = ag.vmap(f, in_axes=(0, None))(xs, 2.0)
    np.testing.assert_array_equal(found, np.sin(xs) * 2.0 + xs)
    assert sines.shapes == [[(2, 3), (2,)]]
    np.testing.assert_array_equal(ag.to_graph(f)(X, 2.0), np.sin(X) * 2.0 + X)
    assert sines.shapes[-1] == [(3,), ()]


def test_lanes_in_lanes_at_once():
    sums = Counted(lambda x, y: np.sum(x, axis=-1) * y)
    f = lambda x, y: ag.pure_callback(sums, SCALAR, x, y, vectorized=True)
    xs, ys = np.arange(12.0).reshape(4, 3), np.arange(5.0)
    found = ag.vmap(ag.vmap(f, in_axes=(None, 0)), in_axes=(0, None))(xs, ys)
    np.testing.assert_array_equal(found, np.sum(xs, 1)[:, None] * ys)
    assert sums.shapes == [[(4, 5, 3), (4, 5)]]


def test_lanes_at_once_in_loops_and_branches():
    def f(x):
        while x < 10.0:
            if x > 3.0:
                x = x + ag.pure_callback(np.sqrt, SCALAR, x, vectorized=True)
            else:
                x = x * 2.0
        return x

    xs = np.array([0.5, 4.0, 11.0])
    np.testing.assert_allclose(ag.vmap(f)(xs), [f(x) for x in xs], rtol=1e-15)


def test_derivatives_of_lanes_at_once():
    @ag.custom_vjp
    def square(x):
        return ag.pure_callback(np.square, SCALAR, x, vectorized=True)

    square.defvjp(lambda x: (square(x), x), lambda x, ct: (2 * x * ct,))
    np.testing.assert_allclose(ag.vmap(ag.grad(lambda x: square(x) * x))(X), 3 * X**2)


def test_a_function_that_does_not_take_lanes():
    f = lambda x: ag.pure_callback(lambda x: np.float64(1.0), SCALAR, x, vectorized=True)
    with pytest.raises(CallbackError, match=r"described as f64\[3\]"):
        ag.vmap(f)(X)


def test_vectorized_is_a_bool():
    with pytest.raises(AutographError, match="vectorized='all'"):
        ag.to_graph(lambda x: ag.pure_callback(np.sin, SCALAR, x, vectorized="all"))(0.5)
