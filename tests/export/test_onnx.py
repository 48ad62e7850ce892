"""Models of ONNX, run by ONNX Runtime, give what Python does."""

import copy
import re
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest

import autograph as ag
import ops
from autograph.errors import AutographError, UnsupportedFunctionError
from ops.core.registry import REGISTRY, Elementwise
from tests.contexts.programs_of_all import all_calls
from tests.export.onnx_runs import check, feeds_of, run, session
from tests.export.programs import PROGRAMS, low, newton, rnn
from tests.export.results import assert_same, leaves_of
from tests.nn.models import MODELS
from tests.ops.samples import SAMPLES, drawn, name_of
from tests.support.oracle import outcome

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    "function", [f for f in PROGRAMS if f is not low], ids=lambda f: f.__name__
)
def test_it_gives_what_python_does(function):
    check(function, *PROGRAMS[function])


# -- the programs of the language ------------------------------------------------------------------

CALLS = all_calls(("tests/language",))

# What programs of the language tests do that a model can't.
REFUSED = re.compile(
    r"'\w+' changes its arguments"
    r"|'\w+' returns something that is neither an array nor a number"
    r"|'\w+' returns nothing"
    r"|'\w+' calls itself"
    r"|there is no form in ONNX of the operator '(print|solve|python_order)'"
)


@pytest.mark.parametrize("name", CALLS)
def test_programs(name):
    """They have the same results, raise where Python does, or are refused with the line."""
    call = CALLS[name]
    expected = outcome(call.function, call.args)
    try:
        made = ag.export.onnx(call.function, *copy.deepcopy(call.args))
    except UnsupportedFunctionError as error:
        assert error.id == "AG0752" and error.location and REFUSED.match(error.message), error
        return
    except Exception as error:
        assert type(error) is type(expected.error), error
        return
    feeds = feeds_of(made, call.function, copy.deepcopy(call.args))
    if expected.error is not None:
        with pytest.raises(Exception, match=r"indices element out of data bounds"):
            session(made).run(None, feeds)
        return
    assert_same(session(made).run(None, feeds), leaves_of(expected.result), promoted=True)


def test_most_programs_have_a_model():
    """A refusal that is not expected would not be seen above."""
    refused = 0
    names = list(CALLS)[::10]
    for name in names:
        try:
            ag.export.onnx(CALLS[name].function, *copy.deepcopy(CALLS[name].args))
        except UnsupportedFunctionError:
            refused += 1
        except Exception:
            assert outcome(CALLS[name].function, CALLS[name].args).error is not None
    assert refused < 0.3 * len(names)


# -- layers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_layers(name):
    check(*MODELS[name])


def single(leaf):
    return leaf.astype(np.float32) if getattr(leaf, "dtype", None) == np.float64 else leaf


@pytest.mark.parametrize("name", MODELS)
def test_layers_in_single_precision(name):
    """For which ONNX Runtime has other operators."""
    function, layer, x = MODELS[name]
    layer, x = ag.tree.map(single, layer), single(x)
    found = run(ag.export.onnx(function, layer, x), function, (layer, x))
    for ours, theirs in zip(found, leaves_of(function(layer, x))):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-6)


def test_parameters_that_are_found_outside_are_initializers():
    function, layer, x = MODELS["Dense"]

    def closed(x):
        return function(layer, x)

    made = check(closed, x)
    assert [given.name for given in made.graph.input] == ["x"]
    held = [onnx.numpy_helper.to_array(data) for data in made.graph.initializer]
    for leaf in ag.tree.leaves(layer):
        assert any(np.array_equal(data, leaf) for data in held)


def test_inputs_have_the_names_of_their_paths():
    made = ag.export.onnx(lambda model, x: model["w"][0] @ x, {"w": [np.eye(2)]}, np.ones(2))
    assert [given.name for given in made.graph.input] == ["model['w'][0]", "x"]


# -- gradients -------------------------------------------------------------------------------------


def nested(a):
    s = a
    for _ in range(4):
        x, k = s, 0
        while x > 1.0:
            if x > 3.0:
                x = x * 0.5
            else:
                x = np.sin(x) * x * 0.7
            k = k + 1
        s = s + x * k
    return s


def of_a_list(x):
    found = []
    for v in x:
        if v > 0:
            found.append(v * v)
    total = 0.0
    for v in found:
        total = total + np.sin(v)
    return total


def counted(x):
    total = 0.0
    for i in range(3):
        y = x
        for _ in range(i + 1):
            while y < 10.0:
                y = y * 1.7
            y = y / 2.0
        total = total + y
    return total


def of_newton(a):
    return ag.grad(newton)(a)


def of_nested(a):
    return ag.grad(nested)(a)


def of_lists(x):
    return ag.grad(of_a_list)(x)


def of_counted(x):
    return ag.grad(counted)(x)


def twice(a):
    return ag.grad(ag.grad(newton))(a)


def forward_over_reverse(a):
    return ag.jvp(ag.grad(nested), (a,), (1.0,))[1]


def in_lanes(x):
    return ag.vmap(ag.grad(nested))(x)


GRADIENTS = {
    of_newton: (2.0,),
    nested: (7.3,),
    of_nested: (7.3,),
    of_lists: (RNG.normal(size=6),),
    of_counted: (1.2,),
    twice: (2.0,),
    forward_over_reverse: (7.3,),
    in_lanes: (np.array([2.0, 7.3, 0.5]),),
}


@pytest.mark.parametrize("function", GRADIENTS, ids=lambda f: f.__name__)
def test_gradients_through_loops(function):
    check(function, *GRADIENTS[function])


def test_a_gradient_runs_for_other_numbers_of_trips():
    made = ag.export.onnx(ag.grad(newton), 2.0)
    runs = session(made)
    for a in (1.0, 2.0, 1e4, 1e-3):  # 1.0 needs none
        (found,) = runs.run(None, {"a": np.array(a)})
        assert found == pytest.approx(ag.grad(newton)(a), rel=1e-12)


# -- what it looks like ----------------------------------------------------------------------------


def kinds(graph):
    for node in graph.node:
        yield node.op_type
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from kinds(attribute.g)


def test_control_flow_is_that_of_onnx():
    def branch(x):
        if x > 0:
            return np.exp(x)
        return x - 1.0

    assert "If" in kinds(check(branch, 2.0).graph) and "If" in kinds(check(branch, -2.0).graph)
    assert [*kinds(check(newton, 2.0).graph)].count("Loop") == 1


def test_a_loop_that_stacks_is_a_scan():
    def states(w, x):
        h, found = np.zeros(2), []
        for row in x:
            h = np.tanh(w @ h + row)
            found.append(h)
        return np.stack(found), h

    made = check(states, 0.5 * np.eye(2), RNG.normal(size=(5, 2)))
    (scan,) = [node for node in made.graph.node if node.op_type == "Scan"]
    body = next(a.g for a in scan.attribute if a.HasField("g"))
    assert "x" in scan.input and "ScatterElements" not in kinds(body)
    assert "w" in [name for node in body.node for name in node.input]  # from around it
    assert "Scan" not in kinds(check(rnn, *PROGRAMS[rnn]).graph)


def test_names_and_lines():
    made = check(newton, 2.0)
    loop = next(node for node in made.graph.node if node.op_type == "Loop")
    assert re.fullmatch(r"programs\.py:\d+", loop.doc_string)
    assert made.graph.name == "newton"
    assert ag.export.onnx(newton, 2.0, name="root").graph.name == "root"


def test_other_arguments_take_the_same_model():
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    runs = session(ag.export.onnx(collatz, 6))
    for n in (1, 6, 27, 97):
        assert runs.run(None, {"n": np.array(n)})[0] == collatz(n)


# -- what raises -----------------------------------------------------------------------------------


def checked(x):
    if x < 0:
        raise ValueError("no root of a negative number")
    return np.sqrt(x)


def in_a_loop(x):
    for i in range(5):
        x = x - 1.0
        assert x > 0, "it went below zero"
    return x


ENDS = {
    "ValueError: no root": (checked, 4.0, -4.0),
    "AssertionError: it went below": (in_a_loop, 6.0, 4.5),
    "ZeroDivisionError": (lambda x: 7 // x, 2, 0),
    "OverflowError": (lambda x: x * x, 3, 2**40),
    "64 bits": (lambda x: x + 2**62, 1, 2**62),
    "complex": (lambda x: x**0.5, 2.0, -2.0),
    "out of data bounds": (lambda i: np.arange(3.0)[i], -3, 3),
}


@pytest.mark.parametrize("message", ENDS)
def test_the_run_ends_where_python_raises(message):
    function, right, wrong = ENDS[message]
    made = ag.export.onnx(function, right)
    runs = session(made)
    name = made.graph.input[0].name
    assert_same(runs.run(None, {name: np.asarray(right)}), leaves_of(function(right)))
    with pytest.raises(Exception, match=message):
        runs.run(None, {name: np.asarray(wrong)})


def test_what_always_raises_has_a_model():
    def fails(x):
        raise RuntimeError("never")

    made = ag.export.onnx(lambda x: x * 2.0 if x > 0 else fails(x), 1.0)
    name = made.graph.input[0].name
    assert session(made).run(None, {name: np.array(1.0)}) == [2.0]
    with pytest.raises(Exception, match="RuntimeError: never"):
        session(made).run(None, {name: np.array(-1.0)})


# -- operators -------------------------------------------------------------------------------------

_FLOATS = np.array(
    [0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5, 3.0, -7.0, 1e-20, 1e-5, 100.0, -100.0]
    + [1e10, -1e10, 0.1, 0.9999, np.inf, -np.inf, np.nan, 1e300, 8.0, 1000.0, 27.0]
)
_INTS = np.array([0, 1, -1, 2, -2, 3, -3, 7, -7, 63, 64, -64, 100, 127, -128])
with np.errstate(over="ignore"):
    EDGES = {
        "float64": _FLOATS,
        "float32": _FLOATS.astype(np.float32),
        "int64": np.append(_INTS, [2**62, -(2**63), 2**63 - 1]),
        "int32": _INTS.astype(np.int32),
        "int8": _INTS.astype(np.int8),
        "uint8": np.abs(_INTS).astype(np.uint8),
        "uint64": np.append(np.abs(_INTS).astype(np.uint64), np.uint64(2**63)),
        "bool": np.array([True, False]),
    }
ELEMENTWISE = [op.name for op in REGISTRY.values() if isinstance(op, Elementwise)]
# Differences of large logarithms, of which the last digit decides.
_ILL_CONDITIONED = {"special_beta", "special_betaln"}


@pytest.mark.parametrize("name", sorted(set(ELEMENTWISE) - _ILL_CONDITIONED))
@pytest.mark.filterwarnings("ignore")
def test_elementwise_operators_at_edges(name):
    """As NumPy computes them, but for the sign of a zero, which ONNX Runtime's Where loses."""
    op = REGISTRY[name]
    count = len(op.partials)
    if count > 2:
        pytest.skip("it has no samples")
    for values in EDGES.values():
        args = (values,) if count == 1 else (values[:, None].copy(), values[None].copy())
        try:
            expected = np.asarray(op(*args))
        except (TypeError, ValueError, NotImplementedError):
            continue
        try:
            made = ag.export.onnx(lambda *args: op(*args), *args)
        except AutographError as error:
            assert error.id in ("AG0752", None) or "signature" in str(error), error
            continue
        feeds = {given.name: arg for given, arg in zip(made.graph.input, args)}
        (found,) = session(made).run(None, feeds)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        rtol = (
            {2: 2e-3, 4: 2e-6, 8: 4e-14}[expected.dtype.itemsize]
            if expected.dtype.kind == "f"
            else 0
        )
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=0, err_msg=str(values.dtype))


# Operators on arrays that have no form. Those on complex numbers are not listed.
WITHOUT = set(
    "solve inv inverse_or_nan det sign_and_log_det eigh_factors eigvalsh eig_factors eigvals "
    "svd_factors svdvals adjugate cholesky_lower qr_factors lu_packed pseudo_inverse "
    "least_squares expm exchanges_of_order order_of_exchanges partition argpartition "
    "products_of_others max_shared max_chosen random_gamma gamma_slope random_poisson "
    "gamma lgamma ieee_remainder polygamma fsum convolve_full bincount python_order "
    "exact_statistic pure_callback vectorized_callback io_callback draw draw_next seeded fresh "
    "round_to print warn log_message repeat sinc_slope linalg_fails bitcast agree "
    "meet meet_in_sum round_number".split()
)


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_operators_on_arrays(sample):
    name, operands, attrs = sample[:3]
    op = REGISTRY[name]
    args = drawn(operands, np.random.default_rng(1))

    def apply(*args):
        return op.apply(args, attrs)

    if name in WITHOUT or any(np.iscomplexobj(arg) for arg in args):
        return
    try:
        expected = leaves_of(op.apply(args, attrs))
    except (TypeError, RuntimeError):
        return  # it is about lanes, or packs
    try:
        made = ag.export.onnx(apply, *args)
    except UnsupportedFunctionError as error:
        assert any(leaf.dtype.kind == "c" for leaf in expected), error
        return
    found = session(made).run(None, {i.name: np.asarray(a) for i, a in zip(made.graph.input, args)})
    assert_same(found, expected)


X = np.arange(24.0).reshape(2, 3, 4)
I_, J = np.array([1, 0, 1]), np.array([[0], [-1]])
SUBSCRIPTS = {
    "slices": lambda x, i: (x[:, ::-1], x[-1, 1:, ::2], x[..., 3:0:-2], x[:, 5:], x[..., :-1]),
    "dynamic slices": lambda x, i: (x[:, : i[0] + 1], x[0, i[0] :], x[:, i[1] - 2 :: 2]),
    "new axes": lambda x, i: (x[:, None], x[None, 0, ..., None], x[i[0], None]),
    "an index array": lambda x, i: (x[i], x[:, i], x[:, :, i], x[i - 2]),
    "several": lambda x, i: (x[i, i], x[i, :, i], x[0, :, i], x[i, 0], x[:, J, i], x[J, :, i]),
    "scalars": lambda x, i: (x[i[0]], x[:, i[1]], x[i[0], i[1], -1], x[0, 1, i[2]]),
    "a mask": lambda x, i: (x[x > 5.0], x[:, i > 0], np.sum(x[0][x[0] > 2.0]), x[0, i > 0]),
    "writes": lambda x, i: (written(x, i), added(x, i), masked(x)),
}


def written(x, i):
    x = x.copy()
    x[i] = x[0] * 2.0
    x[0, i] = np.arange(12.0).reshape(3, 4)  # of the rows that are written twice the last stays
    x[:, 1, ::2] = -1.0
    x[i[0], :, -1] = i
    return x


def added(x, i):
    x = x.copy()
    np.add.at(x, i, 1)
    x[:, i[0]] += 10
    return x


def masked(x):
    x = x.copy()
    x[x > 7.0] = 0.5
    x[:, x[0, :, 0] > 2.0] = 3.0
    return x


@pytest.mark.parametrize("name", SUBSCRIPTS)
def test_subscripts(name):
    check(SUBSCRIPTS[name], X, I_)
    check(SUBSCRIPTS[name], X.astype(np.int32), I_)


EXTREMES = {
    "nan": np.array([[1.0, np.nan, 2.0], [3.0, 3.0, -1.0]]),
    "ties": np.array([[2, 2, 1], [0, 0, 0]]),
    "bools": np.array([[True, False, True], [False, False, False]]),
    "unsigned": np.array([[2**63, 5, 2**63 + 1], [1, 0, 0]], np.uint64),
    "small": np.array([[100, 100, 100], [-100, -128, 127]], np.int8),
}


@pytest.mark.parametrize("name", EXTREMES)
def test_reductions(name):
    def reductions(x):
        return (
            np.max(x, 1),
            np.min(x, 0, keepdims=True),
            np.argmax(x, 1),
            np.argmin(x),
            np.sum(x),
            np.sum(x, 1),
            np.prod(x, 0),
            np.any(x, 1),
            np.all(x, 1),
            np.cumsum(x, 1),
            np.sort(x, 1),
            np.argsort(x, 1, kind="stable"),
        )

    check(reductions, EXTREMES[name])


def test_reductions_of_nothing():
    check(lambda x: (np.sum(x), np.prod(x, 1), np.all(x), np.any(x, 0), x @ x.T), np.zeros((2, 0)))
    check(lambda x: x[x > 99.0].astype(int) ** np.arange(3)[:0], X)
    check(lambda x: (np.sum(x[x > 9.0]), np.all(x[x > 9.0] > 0), np.any(x[x > 9.0] > 0)), X)
    runs = session(ag.export.onnx(lambda x: np.max(x[x > 9.0]), X))
    assert runs.run(None, {"x": X}) == [23.0]
    with pytest.raises(Exception, match="ValueError"):
        runs.run(None, {"x": X * 0.0})


def test_integers_of_64_bits_are_exact():
    """ONNX Runtime totals integers as doubles, and makes ``y / y`` of ``1 / y * y``."""
    x = np.array([2**62 + 1, 2**61 + 3, -(2**62) + 7, 2**53 + 1])

    def totals(x):
        return np.sum(x), np.prod(x[1:3]), x @ x, np.sum(x.reshape(2, 2), 0), 1 - 1 // x * x, 1 % x

    with np.errstate(over="ignore"):
        check(totals, x)
        check(totals, x.astype(np.uint64))
    check(lambda y: (1 % y, 1 - 1 // y * y, -7 % y, np.fmod(-7, y)), 3)


def test_slices_past_the_end_end_the_run():
    made = ag.export.onnx(lambda x, i: np.sum(x[i : i + 2]), np.arange(4.0), 1)
    runs = session(made)
    assert runs.run(None, {"x": np.arange(4.0), "i": np.array(2)}) == [5.0]
    with pytest.raises(Exception, match="reaches past the end"):
        runs.run(None, {"x": np.arange(4.0), "i": np.array(3)})


def test_random_numbers_are_the_same():
    def noise(key):
        first, second = ops.random.split(key)
        bits = ops.random.bits(first, (7,), np.uint64)
        return ops.random.normal(first, (5,)), ops.random.randint(second, (4,), 0, 9), bits

    check(noise, ops.random.key(3))


def test_searches():
    a = np.array([0.0, 1.0, 1.0, 2.0, np.nan])
    v = np.array([-1.0, 1.0, 1.5, 3.0, np.nan])
    check(lambda a, v: (np.searchsorted(a, v), np.searchsorted(a, v, "right")), a, v)


# -- refusals --------------------------------------------------------------------------------------


def recursive(n):
    return n if n < 2 else recursive(n - 1) + recursive(n - 2)


REFUSALS = {
    "an operator": (
        lambda x: np.linalg.inv(x @ x.T),
        X[0],
        "no form in ONNX of the operator 'inv'",
    ),
    "recursion": (recursive, 5, "calls itself"),
    "complex numbers": (lambda x: np.real(np.fft.fft(x)), np.ones(3), "value of complex128"),
    "text": (lambda x: (x * 2, "two"), np.ones(3), "'two'"),
    "a text of a number": (lambda x: f"{x:.3f}", 2.0, "a text"),
    "nothing": (lambda x: None, np.ones(3), "returns nothing"),
    "another type on each path": (
        lambda x: np.float32(0.5) if x > 0 else x,
        2.0,
        "a number of float or f32|f32.* or float",
    ),
    "what may be none": (lambda x: x * 2 if x[0] > 0 else None, np.ones(3), "may be None"),
    "a change": (lambda x: x.sort(), np.ones(3), "changes its arguments"),
    "low precision": (lambda x: ops.round_to(x, "bfloat16"), np.ones(3), "for 'bits'"),
    "a callback": (
        lambda x: ag.pure_callback(np.sin, ag.ShapeDtypeStruct((3,), float), x),
        np.ones(3),
        "operator 'pure_callback'",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name):
    function, arg, message = REFUSALS[name]
    with pytest.raises(UnsupportedFunctionError, match=message) as caught:
        ag.export.onnx(function, arg)
    assert caught.value.id == "AG0752" and caught.value.fix
    assert "test_onnx.py" in str(caught.value)


def test_without_the_package():
    program = """
import sys
sys.modules["onnx"] = None
import numpy as np, autograph as ag
try:
    ag.export.onnx(np.sin, 1.0)
except ag.errors.MissingLibraryError as error:
    print(error.id, "pip install" in error.fix)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["AG0604", "True"], done.stderr


def test_it_is_imported_when_asked_for():
    program = "import sys, autograph; print('onnx' in sys.modules, 'onnxruntime' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


def test_a_file(tmp_path):
    path = tmp_path / "newton.onnx"
    onnx.save(ag.export.onnx(newton, 2.0), path)
    (found,) = onnxruntime.InferenceSession(path).run(None, {"a": np.array(2.0)})
    assert found == pytest.approx(np.sqrt(2.0))
