"""`checkpoint`: what a function computes is computed again for its derivative, and not kept."""

import functools
import re
import tracemalloc

import numpy as np
import optree
import pytest

import autograph as ag
import ops
from autograph import checkpoint_policies as policies
from autograph.errors import AutographError, OptionError, VerificationError
from autograph.graph.builder import Builder
from autograph.graph.graph import walk
from autograph.graph.verify import verify
from autograph.transforms.simplify.simplify import simplify
from ops.control import regions
from ops.core.types import array

X = np.array([0.5, 2.0])
W = np.array([[0.5, -0.3], [0.2, 0.7]])

POLICIES = [
    None,
    policies.dots_saveable,
    policies.everything_saveable,
    policies.save_only_these_names("y", "h"),
    policies.save_anything_except_these_names("y", "a"),
    lambda operator, *types: operator in ("sin", "multiply"),
]


# -- programs --------------------------------------------------------------------------------------


def layers(x):
    h = x
    for _ in (1, 2, 3):
        a = W @ h
        h = np.tanh(a) * np.exp(-a)
    return np.sum(h)


def branches(x):
    y = np.exp(-x)
    if y[0] > 0.1:
        y = np.sin(y * x) if x[1] > 5.0 else y * y
    return np.sum(y * x)


def loops(x):
    y, k = np.sin(x), 0
    for i in range(4):
        a = y * x
        y = np.sin(a) + i
    while np.sum(y) > 0.5 and k < 6:
        h = np.cos(y)
        y = 0.5 * y * h
        k += 1
    return np.sum(y) * k


def changes_what_it_makes(x):
    y = x * 2.0
    y[0] = np.sin(x[1])
    rows = [y]
    rows.append(x * x)
    rows[0][1] = rows[1][0] ** 2
    return np.sum(y * rows[1])


def halves(x):
    if len(x) == 1:
        return np.sin(x[0])
    middle = len(x) // 2
    y = halves(x[:middle]) * halves(x[middle:])
    return np.exp(-y) + y


def countdown(x, n):
    if n <= 0:
        return np.sum(x)
    y = np.sin(x)
    return countdown(y * 1.1, n - 1) * np.sum(y)


def recursion(x):
    return countdown(x, 3) + halves(x)


def inside_another(x):
    inner = ag.checkpoint(lambda y: np.exp(np.sin(y)) * x)
    return np.sum(inner(inner(x * 0.1)))


PROGRAMS = [layers, branches, loops, changes_what_it_makes, recursion, inside_another]


def assert_same(found, expected, rtol=1e-14):
    for a, b in zip(optree.tree_leaves(found), optree.tree_leaves(expected), strict=True):
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=0.0)


@pytest.mark.costly
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("function", PROGRAMS)
def test_derivatives_are_the_same(function, policy):
    checkpointed = ag.checkpoint(function, policy=policy)
    assert checkpointed(X) == function(X)
    plain, other = ag.value_and_grad(function), ag.value_and_grad(checkpointed)
    for x in (X, X[::-1].copy(), np.array([1.0, 7.0])):
        assert_same(other(x), plain(x))

    def twice(f):
        return ag.grad(lambda x: np.sum(np.cos(ag.grad(f)(x))))

    assert_same(twice(checkpointed)(X), twice(function)(X), rtol=1e-11)


@pytest.mark.costly
@pytest.mark.parametrize("function", PROGRAMS)
def test_second_derivatives_in_both_modes(function):
    ag.check_grads(ag.checkpoint(function), (X,), order=2, modes=("fwd", "rev"))


def test_third_derivatives():
    def f(x):
        y = np.sin(x) * x
        while y < 3.0:
            y = y * np.exp(x * 0.3)
        return y

    plain, other = f, ag.checkpoint(f)
    for _ in range(3):
        plain, other = ag.grad(plain), ag.grad(other)
        np.testing.assert_allclose(other(1.2), plain(1.2), rtol=1e-12)


def test_lanes():
    checkpointed = ag.checkpoint(loops)
    xs = np.stack([X, X + 1.0, X * 0.1])
    expected = [ag.grad(loops)(x) for x in xs]
    np.testing.assert_allclose(ag.vmap(ag.grad(checkpointed))(xs), expected, rtol=1e-13)
    lanes = ag.vmap(checkpointed)
    total = ag.grad(lambda xs: np.sum(lanes(xs)))(xs)
    np.testing.assert_allclose(total, expected, rtol=1e-13)


# -- what is kept ----------------------------------------------------------------------------------


def runs(function, name, *args):
    """How often the program of value and gradient calls a function of NumPy's."""
    program = ag.value_and_grad(function).program(*args)
    return len(re.findall(rf"np\.{name}\(", str(program)))


def test_it_is_computed_again():
    def f(x):
        return np.sum(np.exp(np.sin(x)) ** 3)

    assert runs(f, "exp", X) == 1
    assert runs(ag.checkpoint(f), "exp", X) == 2
    assert runs(ag.checkpoint(f, policy=policies.nothing_saveable), "exp", X) == 2
    assert runs(ag.checkpoint(f, policy=policies.everything_saveable), "exp", X) == 1
    assert runs(ag.checkpoint(f, policy=lambda name, *types: name == "exp"), "exp", X) == 1


def test_policies():
    def f(x):
        product = W @ x
        wave = np.sin(product)
        return np.sum(np.exp(wave * wave))

    def count(policy):
        text = str(ag.value_and_grad(ag.checkpoint(f, policy=policy)).program(X))
        return [text.count(part) for part in (" @ x", "np.sin(", "np.exp(")]

    assert count(None) == [2, 2, 2]
    assert count(policies.dots_saveable) == [1, 2, 2]
    assert count(policies.save_only_these_names("wave")) == [2, 1, 2]
    assert count(policies.save_anything_except_these_names("wave")) == [1, 2, 1]
    seen = []

    def noted(operator, *types):
        seen.append((operator, *map(str, types)))
        return False

    count(noted)
    assert ("matmul", "f64[2,2]", "f64[2]") in seen and ("sin", "f64[2]") in seen


def test_policies_reach_into_loops():
    def f(x):
        for _ in range(5):
            wave = np.sin(x)
            x = np.exp(-wave * wave)
        return np.sum(x)

    assert runs(ag.checkpoint(f), "sin", X) == 2
    assert runs(ag.checkpoint(f, policy=policies.save_only_these_names("wave")), "sin", X) == 1


def test_a_trip_of_a_loop_leaves_only_the_arguments():
    @ag.checkpoint
    def trip(w, h):
        a = w @ h
        return np.tanh(a) * np.exp(-a)

    def f(w, h):
        for _ in range(6):
            h = trip(w, h)
        return np.sum(h)

    module = ag.grad(f).graph(W, X)
    (packed,) = (node.inputs for node in walk(module.main) if node.op.name == "pack")
    assert [v.name for v in packed] == ["h"]


def test_an_eager_pullback_holds_only_arguments_and_constants():
    _, pull = ag.vjp(layers, X)
    _, short = ag.vjp(ag.checkpoint(layers), X)
    assert [r.type.shape for r in short.residuals] == [(2,), (2, 2)]
    assert len(pull.residuals) > 2
    np.testing.assert_allclose(short(1.0)[0], pull(1.0)[0], rtol=1e-14)


def peak(function, x):
    """The most memory that a call takes, in arrays like ``x``."""
    function(x)
    tracemalloc.start()
    try:
        function(x)
        return tracemalloc.get_traced_memory()[1] / x.nbytes
    finally:
        tracemalloc.stop()


@pytest.mark.numpy_program("tracemalloc does not see the memory of kernels")
def test_memory():
    def part(x):
        for k in (1.0, 2.0, 3.0, 4.0, 5.0):
            x = np.exp(-np.sin(x) * k) + x
        return x

    def whole(part):
        def f(x):
            for _ in (1, 2, 3, 4, 5):
                x = part(x)
            return np.sum(x)

        return f

    def second(f):
        return ag.grad(lambda x: np.sum(np.cos(ag.grad(f)(x))))

    x = np.linspace(0.0, 1.0, 20_000)
    plain, checkpointed = whole(part), whole(ag.checkpoint(part))
    assert peak(ag.grad(checkpointed), x) < 25 < 50 < peak(ag.grad(plain), x)
    assert peak(second(checkpointed), x) < 0.4 * peak(second(plain), x)


# -- the node --------------------------------------------------------------------------------------


def sine_again(dtype):
    """A graph with the sine of a float64 in a checkpoint, whose result is said to be of a dtype."""
    with Builder("f") as builder:
        x = builder.input(array("f8"), "x")
        with Builder("body") as inner:
            body = inner.finish([ops.sin(x)])
        attrs = {"policy": None}
        outputs = builder.add(regions.checkpoint, [], attrs, [array(dtype)], [body], ["y"])
        return builder.finish(outputs)


def test_the_node_in_a_graph():
    graph = sine_again("f8")
    verify(graph)
    assert [line.split("#")[0].strip() for line in str(graph).splitlines()] == [
        "graph f(x: f64[]) -> f64[]",
        "y: f64[] = checkpoint(policy=None)",
        "body() captures x",
        "t0: f64[] = sin(x)",
        "return t0",
        "return y",
    ]
    with pytest.raises(VerificationError, match="the outputs of the body should have the types"):
        verify(sine_again("f4"))


def test_the_graph_is_the_same_each_time():
    first, second = (str(ag.grad(ag.checkpoint(layers)).graph(X)) for _ in range(2))
    assert first == second and "recompute(" in first


def test_simplification_leaves_out_what_nobody_needs():
    with Builder("f") as builder:
        x = builder.input(array("f8"), "x")
        with Builder("body") as inner:
            body = inner.finish([ops.sin(x), ops.cos(x), x])
        types = [array("f8")] * 3
        sine, _, same = builder.add(regions.checkpoint, [], {"policy": None}, types, [body])
        graph = simplify(builder.finish([sine, same]))
    verify(graph)
    (node,) = graph.nodes
    assert [inner.op.name for inner in node.regions[0].nodes] == ["sin"]
    assert graph.outputs[1] is graph.inputs[0]


# -- how it is called ------------------------------------------------------------------------------


def test_as_plain_python_it_is_the_function():
    @ag.checkpoint
    def f(x, scale=2.0):
        """Doubled."""
        return [x * scale, "text", None]

    assert f(3.0) == [6.0, "text", None] and f(3.0, scale=1.0)[0] == 3.0
    assert f.__name__ == "f" and f.__doc__ == "Doubled." and "f" in repr(f)


@pytest.mark.numpy_program("the result is the same to the last bit")
def test_a_compiled_function_without_derivatives_just_calls_it():
    checkpointed = ag.checkpoint(layers)
    used = {node.op.name for node in walk(ag.to_graph(checkpointed).graph(X).main)}
    assert "matmul" in used and not used & {"checkpoint", "recompute", "saved"}
    assert ag.to_graph(checkpointed)(X) == layers(X)


def test_arguments_and_results():
    @ag.checkpoint
    def f(tree, *, mode="double", count=3):
        total = tree["a"] * (2.0 if mode == "double" else 1.0)
        return {"total": total, "count": count, "mode": mode}, (None, tree["b"][0] * total)

    def loss(a, b):
        found, (nothing, product) = f({"a": a, "b": [b]}, mode="double")
        assert nothing is None and found["mode"] == "double"
        return np.sum(np.exp(found["total"]) * product) * found["count"]

    def plain(a, b):
        return np.sum(np.exp(2.0 * a) * b * 2.0 * a) * 3

    found = ag.grad(loss, argnums=(0, 1))(X, 0.5)
    assert_same(found, ag.grad(plain, argnums=(0, 1))(X, 0.5), rtol=1e-13)


def test_it_may_change_its_arguments():
    @ag.checkpoint
    def f(xs, y):
        xs.append(np.sin(y))
        y[0] = np.exp(y[1])
        return xs[0] * y

    def loss(f):
        def g(x):
            xs, y = [x * 2.0], x * x
            z = f(xs, y)
            return np.sum(z * xs[1]) + np.sum(y)

        return ag.grad(g)

    assert_same(loss(f)(X), loss(f.__wrapped__)(X))


def test_what_recording_knows_of_results():
    """Lengths of lists, numbers without inputs, and the integers among the arguments."""
    grow = ag.checkpoint(lambda xs, y: xs.append(np.sin(y)))
    sizes = ag.checkpoint(lambda x, n: (np.exp(x), n + 1, np.array(2) + 1))

    def f(x, n):
        xs = []
        for i in range(4):
            grow(xs, x[0] * i)
        y, count, three = sizes(x, n)
        return np.sum(np.array(xs) @ np.ones(4)) * np.sum(y) * len(np.ones((count, three)))

    plain = X[0] * np.arange(4)
    expected = np.sum(np.sin(plain)) * np.sum(np.exp(X)) * 3
    assert ag.value_and_grad(f)(X, 2)[0] == pytest.approx(expected, rel=1e-14)


def test_methods_and_wrappers():
    class Model:
        def __init__(self):
            self.w = W

        @ag.checkpoint
        def apply(self, x):
            return np.sum(np.tanh(self.w @ x) ** 2)

        @ag.checkpoint(policy=policies.dots_saveable)
        @staticmethod
        def square(x):
            return np.sum(x * x)

    model = Model()

    def expected(x):
        return np.sum(np.tanh(W @ x) ** 2)

    assert model.apply(X) == expected(X)
    gradient = ag.grad(expected)(X)
    assert_same(ag.grad(model.apply)(X), gradient)
    assert_same(ag.grad(lambda x: model.apply(x))(X), gradient)
    assert_same(ag.grad(Model.square)(X), 2.0 * X)
    assert_same(ag.grad(ag.checkpoint(model.apply))(X), gradient)
    assert_same(ag.grad(ag.checkpoint(ag.to_graph(expected)))(X), gradient)
    assert_same(ag.to_graph(ag.grad(ag.checkpoint(expected)))(X), gradient)
    scaled = functools.partial(lambda k, x: k * np.sum(np.sin(x)), 2.0)
    assert_same(ag.grad(ag.checkpoint(scaled))(X), 2.0 * np.cos(X))


def test_an_error_in_it_has_the_users_place():
    @ag.checkpoint
    def f(x):
        return np.sum(x @ np.ones(3))

    with pytest.raises(AutographError) as caught:
        ag.grad(f)(X)
    assert caught.value.location.line == f.__wrapped__.__code__.co_firstlineno + 2


def test_wrong_options():
    for wrong in (lambda: ag.checkpoint("sqrt"), lambda: ag.checkpoint(layers, policy="dots")):
        with pytest.raises(OptionError, match="AG0551"):
            wrong()
    with pytest.raises(TypeError):
        policies.save_only_these_names(["y"])
