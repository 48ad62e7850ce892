"""Arguments whose values are part of the signature because the user says so."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import ConcreteValueError, OptionError
from tests.support.oracle import assert_same

X = np.array([1.0, -2.0, 3.0])


def graphs(function):
    """How many graphs a function has compiled."""
    return len(function.compiled_forms())


def power(x, n):
    result = x
    for _ in range(n - 1):
        result = result * x
    return result


@pytest.mark.parametrize("options", [{"static_argnums": 1}, {"static_argnums": (-1,)}])
@pytest.mark.parametrize("by", ["position", "name"])
def test_the_value_is_part_of_the_signature(options, by):
    f = ag.to_graph(power, **options)
    for n in (3, 2, 3):
        found = f(X, n) if by == "position" else f(X, n=n)
        assert_same(found, power(X, n), "result")
    assert graphs(f) == 2
    assert [v.name for v in f.graph(X, 3).main.inputs] == ["x"]


def test_by_name():
    f = ag.to_graph(power, static_argnames="n")
    assert_same(f(X, 4), power(X, 4), "by position")
    assert_same(f(X, n=4), power(X, 4), "by keyword")
    assert [v.name for v in f.graph(X, 4).main.inputs] == ["x"]


def test_without_the_option_the_value_is_traced():
    assert "for_loop" in str(ag.to_graph(power).graph(X, 4))
    assert "for_loop" not in str(ag.to_graph(power, static_argnums=1).graph(X, 1))


def test_floats_containers_and_objects():
    class Settings:
        def __init__(self, rate, sizes):
            self.rate = rate
            self.sizes = sizes

    def f(x, rate, options, settings):
        names = {0.5: "half", 2.0: "twice"}
        total = x * options["scale"] + settings.rate
        for size in settings.sizes:
            total = total + size
        return total, names[rate]

    compiled = ag.to_graph(f, static_argnums=(1, 2), static_argnames=["settings"])
    for rate, scale, sizes in [
        (0.5, 2, (1, 2)),
        (2.0, 2, (1, 2)),
        (0.5, 3, (1, 2)),
        (0.5, 2, (3,)),
    ]:
        settings = Settings(rate, sizes)
        args = (X, rate, {"scale": scale}, settings)
        assert_same(compiled(*args), f(*args), "result")
        assert_same(compiled(*args), f(*args), "from the cache")
    assert graphs(compiled) == 4


def test_numbers_of_other_types_are_other_values():
    f = ag.to_graph(lambda x, n: x * n, static_argnums=1)
    for n in (2, 2.0, np.float32(2.0), True):
        assert_same(f(X, n), X * n, "result")
    assert graphs(f) == 4


def test_more_arguments_than_parameters():
    f = lambda x, *ns, **more: x * ns[1] + more["k"]
    f = ag.to_graph(f, static_argnums=2, static_argnames="k")
    assert_same(f(X, 1, 2, k=3), X * 2 + 3, "result")
    assert_same(f(X, 5, 2, k=3), X * 2 + 3, "result")
    assert graphs(f) == 1
    f(X, 5, 3, k=3), f(X, 5, 3, k=4)
    assert graphs(f) == 3


def test_methods_and_decorators():
    class Model:
        @ag.to_graph(static_argnums=2)
        def power(self, x, n):
            return power(x, n) * self.scale

        @staticmethod
        @ag.to_graph(static_argnames="n")
        def plain(x, n):
            return power(x, n)

    model = Model()
    model.scale = 2.0
    assert_same(model.power(X, 3), power(X, 3) * 2.0, "result")
    assert "for_loop" not in str(model.power.lower(X, 1).graph)
    assert_same(model.plain(X, 2), X * X, "result")


# -- inside of other functions ---------------------------------------------------------------------


def test_an_argument_of_the_function_around_becomes_static():
    inner = ag.to_graph(power, static_argnums=1)
    outer = ag.to_graph(lambda x, n: inner(x, n) + 1.0)
    for n in (2, 3):
        assert_same(outer(X, n), power(X, n) + 1.0, "result")
    assert graphs(outer) == 2
    halves = ag.to_graph(lambda x, h: x * h, static_argnums=1)
    assert_same(ag.to_graph(lambda x, h: halves(x, h))(X, 0.5), X * 0.5, "a float")


def test_derivatives():
    f = ag.to_graph(lambda x, n: np.sum(power(x, n)), static_argnums=1)
    assert_same(ag.grad(f)(X, 3), 3 * X**2, "gradient")
    assert_same(ag.jvp(lambda x: f(x, 3), (X,), (np.ones(3),))[1], np.sum(3 * X**2), "jvp")
    value, pull = ag.vjp(lambda x: f(x, 2), X)
    assert_same(pull(1.0)[0], 2 * X, "pullback")


def test_it_cannot_be_differentiated():
    f = ag.to_graph(lambda x, n: np.sum(x) * n, static_argnums=1)
    with pytest.raises(ConcreteValueError, match="argument 1 of '<lambda>' is static") as caught:
        ag.grad(f, argnums=1)(X, 2.0)
    assert caught.value.id == "AG0610"


def test_a_computed_value_is_refused():
    inner = ag.to_graph(power, static_argnums=1)
    with pytest.raises(ConcreteValueError, match="computed from traced values") as caught:
        ag.to_graph(lambda x: inner(x, x[0]))(X)
    assert caught.value.location.file == __file__


def test_options_of_a_compiled_function():
    f = ag.to_graph(ag.to_graph(power), static_argnums=1)
    assert_same(f(X, 2), X * X, "result")
    assert "for_loop" not in str(f.graph(X, 1))
    squared = ag.to_graph(ag.grad(lambda x, n: np.sum(power(x, n))), static_argnums=1)
    assert_same(squared(X, 2), 2 * X, "gradient")


# -- mistakes --------------------------------------------------------------------------------------


def test_arrays_are_refused():
    f = ag.to_graph(lambda x, options: x * options["w"], static_argnames="options")
    message = "'options_w' is static, but is an array"
    with pytest.raises(ConcreteValueError, match=message) as caught:
        f(1.0, {"w": X})
    assert caught.value.id == "AG0610" and caught.value.location is not None


@pytest.mark.parametrize("option", ["static", "donate"])
def test_bad_options(option):
    for given, message in [
        ({"argnums": 2}, "names argument 2, but the parameters of 'power' are: x, n"),
        ({"argnums": (0, -3)}, "names argument -3"),
        ({"argnums": 1.0}, "_argnums is 1.0"),
        ({"argnums": "n"}, "_argnums is 'n'"),
        ({"argnums": True}, "_argnums is True"),
        ({"argnames": "k"}, "names argument 'k', but the parameters of 'power' are: x, n"),
        ({"argnames": 1}, "_argnames is 1"),
    ]:
        options = {f"{option}_{key}": value for key, value in given.items()}
        with pytest.raises(OptionError, match=message.replace("(", "\\(")) as caught:
            ag.to_graph(power, **options)
        assert caught.value.id == "AG0609" and isinstance(caught.value, ValueError)


def test_both_at_once():
    with pytest.raises(OptionError, match="both static and donated"):
        ag.to_graph(power, static_argnums=1, donate_argnames="n")
