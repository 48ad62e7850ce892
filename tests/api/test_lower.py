"""Compiling ahead of time: `lower` and `compile`."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import ConcreteValueError, SignatureError
from tests.support.oracle import assert_same

X = np.array([1.0, -2.0, 3.0])
scale = 2.0


def scaled(x, n=2):
    for i in range(n):
        x = x * scale + i
    return x


def count_of(function):
    return len(function.compiled_forms())


def test_lower_records_and_compile_generates():
    f = ag.to_graph(scaled)
    lowered = f.lower(X, 3)
    assert str(lowered.graph) == str(f.graph(X, 3))
    compiled = lowered.compile()
    assert str(compiled.graph) == str(lowered.graph)
    assert str(compiled.program) == str(f.program(X, 3))
    assert_same(compiled(X, 3), scaled(X, 3), "result")
    assert_same(compiled(X + 1.0, 5), scaled(X + 1.0, 5), "result")
    assert "scaled" in repr(lowered) and "scaled" in repr(compiled)


def test_calls_do_not_meet_what_is_lowered():
    f = ag.to_graph(scaled)
    f.lower(X).compile()
    assert count_of(f) == 0


def test_lowering_runs_nothing(capsys):
    def f(x):
        print("running")
        x[0] = 1.0
        return x

    x = X.copy()
    compiled = ag.to_graph(f).lower(x).compile()
    assert capsys.readouterr().out == "" and x[0] == X[0]
    x[0] = 0.0
    assert compiled(x) is x
    assert x[0] == 1.0 and capsys.readouterr().out == "running\n"


class Spec:
    """What another library has for the shape and dtype of an array."""

    __module__ = "numpy.like"  # not the user's

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype


SPECS = [
    ag.ShapeDtypeStruct((3,), np.float64),
    ag.ShapeDtypeStruct((3,), "float64"),
    Spec([3], np.dtype("f8")),
]


@pytest.mark.parametrize("spec", SPECS, ids=["dtype", "name", "another library's"])
def test_shapes_and_dtypes_in_place_of_arrays(spec):
    compiled = ag.to_graph(scaled).lower(spec).compile()
    assert_same(compiled(X), scaled(X), "result")
    with pytest.raises(SignatureError):
        compiled(X.astype("f4"))


def test_specs_in_containers():
    f = ag.to_graph(lambda p, *, y: p["w"] @ p["x"] + y)
    spec = ag.ShapeDtypeStruct
    lowered = f.lower({"w": spec((2, 3), "f4"), "x": spec((3,), "f4")}, y=spec((), "f4"))
    found = lowered.compile()(
        {"w": np.ones((2, 3), "f4"), "x": np.ones(3, "f4")}, y=np.float32(1.0)
    )
    assert_same(found, np.full(2, 4.0, "f4"), "result")
    assert "f32[2,3]" in str(lowered.graph)


def test_large_specs_take_no_memory():
    spec = ag.ShapeDtypeStruct((10**6, 10**6), "float64")
    assert "f64[1000000,1000000]" in str(ag.to_graph(lambda x: x + 1.0).lower(spec).graph)


def test_a_value_that_is_needed_has_to_be_given():
    f = ag.to_graph(lambda n: np.zeros(n))
    with pytest.raises(ConcreteValueError, match="the value of 'n' is needed") as caught:
        f.lower(ag.ShapeDtypeStruct((), "int64"))
    assert caught.value.id == "AG0611" and caught.value.location.file == __file__
    compiled = f.lower(3).compile()
    assert compiled(3).shape == (3,)
    with pytest.raises(SignatureError, match="argument 'n' was 3, is 4"):
        compiled(4)


def test_keywords_in_whatever_order():
    compiled = ag.to_graph(lambda x, *, a, b: x * a + b).lower(X, a=2.0, b=1).compile()
    assert_same(compiled(X, b=3, a=2.0), X * 2.0 + 3, "result")
    with pytest.raises(SignatureError):
        compiled(X, a=2.0)


def test_other_arguments_are_refused():
    def f(x, flag, p):
        return x * p["a"] if flag else x

    compiled = ag.to_graph(f).lower(X, True, {"a": 1}).compile()
    compiled(X, True, {"a": 5})
    for args, why in [
        ((X[:2], True, {"a": 1}), r"argument 'x' was f64\[3\], is f64\[2\]"),
        ((X, False, {"a": 1}), "argument 'flag' was True, is False"),
        ((X, True, {"a": 1.0}), "argument 'p_a' was int, is float"),
        ((X, True, {"b": 1}), "there is no argument 'p_a'"),
        ((X, True), "there is no argument 'p_a'"),
        ((X, True, [1]), "there is no argument 'p_a'"),
    ]:
        with pytest.raises(SignatureError, match=why) as caught:
            compiled(*args)
        assert caught.value.id == "AG0612" and isinstance(caught.value, TypeError)


def test_static_arguments():
    f = ag.to_graph(scaled, static_argnums=1)
    compiled = f.lower(X, 2).compile()
    assert_same(compiled(X, 2), scaled(X, 2), "result")
    with pytest.raises(SignatureError, match="argument 'n' was 2, is 3"):
        compiled(X, 3)


def test_a_change_outside_is_noticed():
    global scale
    compiled = ag.to_graph(scaled).lower(X).compile()
    scale = 3.0
    try:
        with pytest.raises(SignatureError, match=r"'scale' was 2.0, is 3.0"):
            compiled(X)
    finally:
        scale = 2.0
    assert_same(compiled(X), scaled(X), "result")


def test_one_array_by_two_names():
    def f(a, b):
        a[0] = 5.0
        return b * 1.0

    x = X.copy()
    compiled = ag.to_graph(f).lower(x, x).compile()
    assert compiled(x, x)[0] == 5.0
    with pytest.raises(SignatureError, match="by several names"):
        compiled(X.copy(), X.copy())
    apart = ag.to_graph(f).lower(X.copy(), X.copy()).compile()
    assert apart(X.copy(), X.copy())[0] == X[0]
    with pytest.raises(SignatureError, match="by several names"):
        apart(x, x)


def test_transforms_and_methods():
    loss = lambda x: np.sum(scaled(x) ** 2)
    for f in (ag.grad(loss), ag.value_and_grad(loss), ag.grad(lambda x: np.sum(ag.grad(loss)(x)))):
        assert_same(f.lower(X).compile()(X), f(X), "result")
    batched = ag.vmap(ag.grad(loss))
    lanes = np.stack([X, 2.0 * X])
    assert_same(batched.lower(lanes).compile()(lanes), batched(lanes), "vmap")

    class Model:
        w = 2.0

        @ag.to_graph
        def __call__(self, x):
            return x * self.w

    model = Model()
    compiled = model.__call__.lower(X).compile()
    assert_same(compiled(model, X), X * 2.0, "result")


def test_errors_of_the_program_are_those_of_the_function():
    class Negative(ValueError):
        pass

    def f(x):
        if x < 0:
            raise Negative("no", x)
        return x

    compiled = ag.to_graph(f).lower(1.0).compile()
    with pytest.raises(Negative, match="no"):
        compiled(-1.0)


def test_in_another_function_it_is_part_of_that():
    compiled = ag.to_graph(scaled).lower(X).compile()
    assert_same(ag.to_graph(lambda x: compiled(x) + 1.0)(X), scaled(X) + 1.0, "result")
    assert_same(ag.grad(lambda x: np.sum(compiled(x)))(X), np.full(3, 4.0), "gradient")


def test_generators():
    f = ag.to_graph(lambda rng, n: rng.normal(size=2) * n)
    compiled = f.lower(np.random.default_rng(0), 2.0).compile()
    expected = np.random.default_rng(3).normal(size=2)
    assert_same(compiled(np.random.default_rng(3), 1.0), expected, "draw")


def test_it_can_be_saved(tmp_path):
    compiled = ag.to_graph(scaled).lower(X, 3).compile()
    compiled.save(tmp_path / "f.ag")
    assert_same(ag.load(tmp_path / "f.ag")(X, 4), scaled(X, 4), "result")


# -- what is shown of lengths with names -----------------------------------------------------------


ANY = ag.ShapeDtypeStruct(("n", 3), float)


def by_length(x, y=1.0):
    return np.sum(x, axis=0) * x.shape[0] * y


def test_graphs_programs_and_kernels_of_shapes():
    function = ag.to_graph(by_length)
    assert "x: f64[n,3]" in str(function.graph(ANY, 2.0))
    assert "x: f64[n,3]" in str(function.program(ANY, y=2.0))
    gradient = ag.grad(lambda x: np.sum(np.sin(by_length(x))))
    assert "x: f64[n,3]" in str(gradient.graph(ANY))
    assert "f64[4,3]" in str(function.graph(ag.ShapeDtypeStruct((4, 3), float)))
    assert function.kernels(ANY).keys() == function.kernels(np.ones((2, 3))).keys()
    np.testing.assert_array_equal(function(np.ones((4, 3))), by_length(np.ones((4, 3))))


def test_they_are_told_by_their_names():
    function = ag.to_graph(by_length)
    assert "x: f64[n,3]" in str(function.explain(ANY))
    with pytest.raises(ag.errors.SignatureError, match=r"'x' was f64\[n,3\], is f64\[1,3\]"):
        function.lower(ANY).compile()(np.ones((1, 3)))
