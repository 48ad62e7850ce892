"""Modules of StableHLO, run by XLA, give what Python does."""

import copy
import re

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import UnsupportedFunctionError
from ops.core.registry import REGISTRY, Elementwise
from tests.contexts.programs_of_all import all_calls
from tests.export.programs import PROGRAMS, newton
from tests.export.results import assert_same, leaves_of
from tests.nn.models import MODELS
from tests.ops.samples import SAMPLES, drawn, name_of
from tests.peers.stablehlo_runs import check, inputs_of, run
from tests.support.oracle import outcome

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_it_gives_what_python_does(function):
    check(function, *PROGRAMS[function])


CALLS = all_calls(("tests/language",))
REFUSED = re.compile(
    r"'\w+' changes its arguments"
    r"|'\w+' returns something that is neither an array nor a number"
    r"|'\w+' returns nothing"
    r"|'\w+' calls itself"
    r"|the shape of .* is known only at run time"
    r"|numbers are written to an array at places that may be the same"
    r"|there is no form in StableHLO of the operator "
)


@pytest.mark.parametrize("name", CALLS)
def test_programs(name):
    """They have the same results, say so where Python raises, or are refused with the line."""
    call = CALLS[name]
    expected = outcome(call.function, call.args)
    try:
        made = ag.export.stablehlo(call.function, *copy.deepcopy(call.args))
    except UnsupportedFunctionError as error:
        assert error.id == "AG0753" and error.location and REFUSED.match(error.message), error
        return
    except Exception as error:
        assert type(error) is type(expected.error), error
        return
    found = run(made, inputs_of(made, call.function, copy.deepcopy(call.args)))
    if expected.error is not None:
        assert made.checked and not found[-1]
        return
    if made.checked:
        assert found.pop()
    assert_same(found, leaves_of(expected.result), promoted=True)


@pytest.mark.parametrize("name", MODELS)
def test_layers(name):
    check(*MODELS[name])


OTHERS = ("float32", "int32", "uint8", "bool")
ELEMENTWISE = [op for op in REGISTRY.values() if isinstance(op, Elementwise)]
FLOATS = np.array(
    [-np.inf, -2.5, -1.0, -0.5, -0.0, 0.0, 0.5, 0.75, 1.0, 1.5, 700.0, np.inf, np.nan]
)
INTS = np.array([-(2**63), -7, -1, 0, 1, 2, 5, 63, 2**62])


@pytest.mark.parametrize("op", ELEMENTWISE, ids=lambda op: op.name)
@pytest.mark.parametrize(
    "dtype",
    [
        *("float64", "int64"),
        *(pytest.param(d, marks=pytest.mark.exhaustive) for d in OTHERS),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_elementwise_operators(op, dtype):
    """At edges, in all pairs."""
    kind = np.dtype(dtype).kind
    values = FLOATS.astype(dtype) if kind == "f" else INTS.astype(dtype)
    count = len(op.partials)
    pairs = np.meshgrid(*[values] * count)
    args = [np.ascontiguousarray(pair.ravel()) for pair in pairs]
    try:
        expected = op(*args)
    except (TypeError, ValueError):
        pytest.skip("not of this dtype, or not at all edges")
    try:
        made = ag.export.stablehlo(lambda *given: op(*given), *args)
    except UnsupportedFunctionError as error:
        assert "there is no" in error.message
        pytest.skip("refused")
    except TypeError:
        pytest.skip("not of an array of this dtype")
    (found,) = run(made, args)[:1]
    assert found.dtype == expected.dtype
    rtol = {2: 1e-3, 4: 1e-5, 8: 1e-12}[found.dtype.itemsize] if found.dtype.kind == "f" else 0.0
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * 1e-2)


WITHOUT = {"lane_number", "pshuffle"}  # of meshes


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_array_operators(sample):
    name, operands, attrs = sample[:3]
    op, args = REGISTRY[name], drawn(operands, np.random.default_rng(1))

    def apply(*args):
        return op.apply(args, attrs)

    if name in WITHOUT or any(np.iscomplexobj(arg) for arg in args):
        return
    try:
        expected = leaves_of(op.apply(args, attrs))
    except (TypeError, RuntimeError):
        return  # it is about lanes, or packs
    try:
        made = ag.export.stablehlo(apply, *args)
    except UnsupportedFunctionError as error:
        assert error.id == "AG0753" and error.location
        pytest.skip(error.message)
    found = run(made, list(map(np.asarray, args)))
    if made.checked and not found.pop():  # a length is another one than was assumed
        assert [x.shape for x in found] != [np.shape(x) for x in expected]
        return
    assert_same(found, expected)


def test_an_artifact_is_read_again():
    from jaxlib.mlir.dialects import stablehlo

    made = ag.export.stablehlo(newton, np.float64(2.0))
    for version in (None, "1.0.0"):
        artifact = made.serialize(version)
        assert artifact[:4] == b"ML\xefR"
        assert "stablehlo" in str(stablehlo.deserialize_portable_artifact_str(artifact))


def test_where_python_raises_the_module_says_so():
    def element(x, i):
        return x[i] / x[0]

    made = ag.export.stablehlo(element, np.arange(1.0, 4.0), 1)
    assert made.checked
    for i, fine in ((2, True), (-3, True), (3, False), (-4, False)):
        assert bool(run(made, [np.arange(1.0, 4.0), np.asarray(i)])[-1]) is fine


def test_gradients():
    def f(x):
        return np.sum(np.tanh(x) ** 2 / (1.0 + x[::-1] ** 2))

    x = RNG.normal(size=5)
    check(lambda x: ag.grad(f)(x), x)
    check(lambda x: ag.hessian(f)(x), x)
    check(lambda x: ag.jvp(f, (x,), (np.ones(5),)), x)
    check(lambda x: ag.vmap(ag.grad(f))(x), RNG.normal(size=(3, 5)))
    function, layer, given = MODELS["Dense"]

    def loss(layer, x):
        return np.sum(function(layer, x) ** 2)

    check(lambda layer, x: ag.grad(loss)(layer, x), layer, given)


def test_products_and_convolutions():
    x = RNG.normal(size=(2, 4, 7, 6))
    kernel = RNG.normal(size=(6, 2, 3, 2))
    options = {"stride": (2, 1), "padding": ((1, 0), (2, 1)), "groups": 2}
    check(lambda x, k: ops.nn.conv(x, k, **options), x, kernel)
    check(lambda x: x @ np.swapaxes(x, -1, -2), x)
    check(lambda x: x[0, 0, 0] @ x[1, 1].T, x)


def nested(a):
    s = a
    for _ in range(4):
        x, k = s, 0
        for _ in range(6):
            if x > 3.0:
                x = x * 0.5
            else:
                x = np.sin(x) * x * 0.7
            if x < 0.1:
                break
            k = k + 1
        s = s + x * k
    return s


def test_gradients_of_loops():
    check(lambda a: ag.value_and_grad(nested)(a), np.float64(2.3))
    check(lambda a: ag.grad(ag.grad(nested))(a), np.float64(2.3))
    check(lambda a: ag.vmap(ag.grad(nested))(a), np.linspace(0.5, 4.0, 5))
    with pytest.raises(UnsupportedFunctionError, match="how much a loop keeps") as caught:
        ag.export.stablehlo(lambda a: ag.grad(newton)(a), np.float64(2.0))
    assert caught.value.id == "AG0753"
