"""Saved functions do what Python does, in this process and in another one without the source."""

import copy
import dataclasses
import importlib.util
import io
import logging
import subprocess
import sys
import types
from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import NamedTuple

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import nn
from autograph.errors import MutationError, SaveError, SignatureError
from autograph.graph.named_functions import function_of
from tests.support import strict_device
from tests.support.oracle import Programs, assert_same, assert_same_outcome, outcome
from tests.support.tree import ROOT

X = np.array([0.5, -1.0, 2.0])


def saved(function, *args, path="", classes=(), **kwargs):
    """The function after it has been in a file."""
    compiled = function if isinstance(function, ag.GraphFunction) else ag.to_graph(function)
    compiled.save(path, *args, **kwargs)
    return ag.load(path, classes=classes)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "function.ag"


def same(function, *args, path, classes=()):
    """Check that a saved function does what Python does."""
    loaded = saved(function, *args, path=path, classes=classes)
    assert_same_outcome(outcome(loaded, args), outcome(function, args))
    return loaded


# -- every program of the language corpus ----------------------------------------------------------


def programs_of(file):
    spec = importlib.util.spec_from_file_location(f"saved_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found = [v for v in vars(module).values() if isinstance(v, Programs)]
    calls = [param.values[0] for programs in found for param in programs._calls]
    return calls, [v for v in vars(module).values() if isinstance(v, type)]


FILES = [
    *sorted((ROOT / "tests/language").glob("test_*.py")),
    ROOT / "tests/staging/containers/test_containers.py",
    ROOT / "tests/staging/lists/test_lists_of_lists.py",
    ROOT / "tests/staging/calls/test_recursion.py",
]


@pytest.mark.costly
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_program_of_the_corpus(file, path, monkeypatch):
    calls, classes = programs_of(file)
    checked = 0
    for call in calls:
        compiled = ag.to_graph(call.function)
        try:
            lowered = compiled.lower(*call.args)
        except Exception:  # it cannot be recorded, which its own test expects
            continue
        try:
            lowered.save(path)
        except SaveError as error:
            assert "changes an array" in str(error), call.function
            continue
        loaded = ag.load(path, classes=classes)
        expected, found = outcome(call.function, call.args), outcome(loaded, call.args)
        assert_same_outcome(found, expected)
        assert str(loaded.graph) == str(lowered.graph)
        checked += 1
    assert checked >= 0.8 * len(calls)


ELSEWHERE = """
import pickle, sys
import numpy as np, autograph as ag
for path, args in pickle.load(sys.stdin.buffer):
    f = ag.load(path)
    result = f(*args)
    pickle.dump((result, args), sys.stdout.buffer)
"""


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def fills(x, log):
    x[1:] = 0.0
    log.append(x[0])
    return {"sum": np.sum(x), "shape": x.shape, "log": log}


WEIGHTS = np.array([1.0, 2.0, 3.0])


def weighted(x, scale=2.0):
    return np.cumsum(x * WEIGHTS) * scale


def loop_loss(x):
    total = 0.0
    for i in range(4):
        if x[0] > i:
            x = np.sin(x) * x
        total = total + np.sum(x**2)
    return total


def test_without_the_source_in_another_process(tmp_path):
    import pickle

    cases = [
        (newton, (2.0,)),
        (factorial, (6,)),
        (fills, (X, [1.0])),
        (weighted, (X,)),
        (ag.grad(loop_loss), (X,)),
        (ag.grad(lambda x: np.sum(ag.grad(loop_loss)(x) ** 2)), (X,)),
    ]
    given = []
    for i, (function, args) in enumerate(cases):
        target = tmp_path / f"{i}.ag"
        ag.to_graph(function).save(target, *args)
        given.append((str(target), copy.deepcopy(args)))
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=pickle.dumps(given),
        capture_output=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr.decode()
    output = io.BytesIO(done.stdout)
    for function, args in cases:
        expected = outcome(function, args)
        assert expected.error is None
        result, after = pickle.load(output)
        assert_same(result, expected.result, "result")
        assert_same(after, expected.args, "arguments")


# -- arguments and results -------------------------------------------------------------------------


class Point(NamedTuple):
    x: float
    y: float


@dataclasses.dataclass
class Ball:
    at: Point
    mass: float


def test_named_tuples_keep_their_names_and_become_the_users_if_given(path):
    def moved(p):
        return Point(p.x + 1.0, p.y), [p]

    loaded = saved(moved, Point(1.0, 2.0), path=path)
    point, (given,) = loaded(Point(1.0, 2.0))
    assert type(point).__name__ == "Point" and point == (2.0, 2.0)
    assert point.x == 2.0 and given == (1.0, 2.0)
    assert type(ag.load(path, classes=[Point])(Point(1.0, 2.0))[0]) is Point


def test_objects_become_namespaces_or_the_users(path):
    def heavier(ball, m):
        ball.mass = ball.mass + m
        return Ball(ball.at, m * 2.0)

    ball = Ball(Point(0.0, 1.0), 2.0)
    loaded = saved(heavier, ball, 1.0, path=path)
    found = loaded(ball, 1.0)
    assert ball.mass == 3.0
    assert type(found) is types.SimpleNamespace
    assert found.mass == 2.0 and found.at == (0.0, 1.0)
    found = ag.load(path, classes=[Ball, Point])(ball, 0.25)
    assert found == Ball(Point(0.0, 1.0), 0.5) and ball.mass == 3.25


def test_containers_of_the_standard_library(path):
    def kinds(x, q):
        counts = defaultdict(int)
        counts["a"] += x
        q.append(x)
        return OrderedDict(b=x, a=2), counts, deque([x], maxlen=3), {1, 2}, (None, True, "t", b"b")

    loaded = same(kinds, 1.5, deque([0.5], maxlen=2), path=path)
    result = loaded(1.5, deque([0.5], maxlen=2))
    assert result[1]["missing"] == 0 and result[2].maxlen == 3


def test_keys_and_static_values_of_all_kinds(path):
    def f(x, key):
        return {1.5: x, 1.0 + 0j: x, (2, "b"): x, None: key, b"c": 2, "d": np.float32}

    for key in ("a", 2 + 1j, np.float32(0.5), None, ..., range(3), frozenset({"b"}), np.int8):
        loaded = saved(ag.to_graph(f, static_argnums=1), 1.0, key, path=path)
        assert repr(loaded(1.0, key)) == repr(f(1.0, key))
        with pytest.raises(SignatureError, match="argument 'key' was"):
            loaded(1.0, "another")


def test_keywords_and_defaults(path):
    def f(x, *rest, scale=2.0, **more):
        return x * scale + sum(rest) + more["shift"]

    loaded = saved(f, 1.0, 2, 3.0, path=path, shift=0.5)
    assert loaded(1.0, 2, 3.0, shift=0.5) == f(1.0, 2, 3.0, shift=0.5)
    loaded = saved(f, 1.0, path=path, shift=0.5, scale=3.0)
    assert loaded(1.0, scale=3.0, shift=0.5) == 3.5  # in whatever order
    with pytest.raises(SignatureError):
        loaded(1.0, 2, 3.0, shift=0.5, scale=3.0)


def test_texts_are_made_when_it_runs(path):
    same(lambda x: f"x is {x:.2f} or {x!r}", 1.5, path=path)


def test_prints_and_warns(path):
    def f(x):
        print("x =", x, sep="", end="\n\n")
        for i in range(2):
            print(f"{i}: {x:6.2f}", "__0__", "{}")
        return x

    same(f, 2.5, path=path)


class TooLarge(ValueError):
    def __init__(self, size):
        super().__init__(f"{size} is too large")
        self.size = size


def test_exceptions_keep_their_names_and_become_the_users_if_given(path):
    def f(x):
        if x > 1.0:
            raise TooLarge(x)
        return x

    loaded = saved(f, 1.0, path=path)
    with pytest.raises(ValueError, match="is too large") as caught:
        loaded(2.0)
    assert type(caught.value).__name__ == "TooLarge" and caught.value.size == 2.0
    with pytest.raises(TooLarge):
        ag.load(path, classes=[TooLarge])(2.0)


def test_arrays_from_outside_are_saved_as_they_are(path):
    weights = np.array([1.0, 2.0])
    f = ag.to_graph(lambda x: (x * weights, weights))
    f.save(path, np.ones(2))
    weights[:] = 0.0
    product, kept = ag.load(path)(np.ones(2))
    assert product.tolist() == [1.0, 2.0] == kept.tolist()


def test_bfloat16(path):
    dtypes = pytest.importorskip("ml_dtypes")
    table = np.arange(3).astype(dtypes.bfloat16)
    loaded = saved(lambda x: x * table + table[1], table, path=path)
    assert loaded(table).dtype == dtypes.bfloat16
    assert loaded(table).tolist() == [1.0, 2.0, 5.0]


def test_generators_of_random_numbers(path):
    outside = np.random.default_rng(5)

    def draws(rng, n):
        return rng.normal(size=3) * n, rng.integers(10), outside.uniform()

    loaded = saved(draws, np.random.default_rng(1), 2.0, path=path)
    expected = draws(np.random.default_rng(1), 2.0)
    assert_same(loaded(np.random.default_rng(1), 2.0), expected, "result")
    for kind in (np.random.MT19937, np.random.Philox, np.random.SFC64, np.random.PCG64DXSM):
        outside = np.random.Generator(kind(3))
        loaded = saved(draws, np.random.default_rng(1), 2.0, path=path)
        assert_same(loaded(np.random.default_rng(1), 2.0)[2], outside.uniform(), "result")


def test_extreme_numbers(path):
    f = lambda x: (x, np.nan, -np.inf, -0.0, 2**70, np.float32(0.1), complex(-0.0, np.inf), 1, 1.0)
    loaded = saved(f, 1.0, path=path)
    assert repr(loaded(1.0)) == repr(f(1.0))


# -- what it takes ---------------------------------------------------------------------------------


def test_other_arguments_are_refused(path):
    loaded = saved(lambda x, flag, p: x, X, True, {"a": 1}, path=path)
    assert repr(loaded) == "<saved <lambda>(x: f64[3], flag: True, p_a: int)>"
    loaded(X, True, {"a": 2})
    for args, why in [
        ((X[:2], True, {"a": 1}), "argument 'x' was f64\\[3\\], is f64\\[2\\]"),
        ((X.astype("f4"), True, {"a": 1}), "argument 'x' was f64\\[3\\], is f32\\[3\\]"),
        ((X, False, {"a": 1}), "argument 'flag' was True, is False"),
        ((X, True, {"a": True}), "argument 'p_a' was int, is True"),
        ((X, True, {"b": 1}), "nested in another way"),
        ((X, True), "nested in another way"),
    ]:
        with pytest.raises(SignatureError, match=why):
            loaded(*args)


def test_an_array_without_axes_is_no_number(path):
    loaded = saved(lambda x: x + 1.0, np.array(1.0), path=path)
    assert loaded(np.array(2.0)) == 3.0
    with pytest.raises(SignatureError, match="was an array"):
        loaded(np.float64(2.0))


def test_one_array_by_two_names(path):
    def f(a, b):
        a[0] = 5.0
        return b * 1.0

    x = X.copy()
    assert saved(f, x, x, path=path)(x, x)[0] == 5.0
    with pytest.raises(SignatureError, match="by several names"):
        ag.load(path)(X.copy(), X.copy())


def test_in_compiled_functions_and_derivatives(path):
    loaded = saved(loop_loss, X, path=path)
    assert_same(ag.grad(lambda x: loaded(x) * 2.0)(X), 2.0 * ag.grad(loop_loss)(X), "gradient")
    assert_same(ag.grad(loaded)(X), ag.grad(loop_loss)(X), "gradient")
    assert_same(ag.value_and_grad(loaded)(X)[0], loop_loss(X), "value")
    lanes = np.stack([X, X * 2.0])
    assert_same(ag.vmap(loaded)(lanes), np.array([loop_loss(x) for x in lanes]), "vmap")
    assert ag.to_graph(lambda x: loaded(x))(X) == loop_loss(X)
    tripled = ag.jvp(lambda x: loaded(x), (X,), (np.ones(3),))
    assert_same(tripled, ag.jvp(loop_loss, (X,), (np.ones(3),)), "jvp")
    filler = saved(fills, X, [1.0], path=path)
    with pytest.raises(MutationError):
        ag.to_graph(lambda x: filler(x, [1.0])["sum"])(X)


def test_recursion_in_a_recursive_function_of_the_same_name(path):
    loaded = saved(factorial, 5, path=path)

    @ag.to_graph
    def both(n):
        return loaded(n) + (1 if n <= 0 else both_inner(n))

    def both_inner(n):
        return 0 if n <= 0 else n + both_inner(n - 1)

    assert both(4) == 24 + 10


def test_on_the_backend_that_was_chosen(path, device):
    """A stand-in for CuPy, which refuses to be mixed with NumPy's arrays."""
    loaded = saved(ag.to_graph(weighted, backend="strict_device"), X, path=path)
    result = loaded(strict_device.from_host(X))
    assert strict_device.is_array(result)
    assert_same(strict_device.to_host(result), weighted(X), "result")
    assert "import strict_device as np" in str(loaded.program)


def test_it_shows_graph_and_program(path):
    loaded = saved(newton, 2.0, path=path)
    assert "while_loop" in str(loaded.graph)
    assert "while " in str(loaded.program) and "# test_saving.py:" in str(loaded.program)


# -- what cannot be saved --------------------------------------------------------------------------

LOG = []


def test_changes_of_the_outside_are_refused(path):
    def logs(x):
        LOG.append(x)
        return x

    with pytest.raises(SaveError, match="finds outside") as caught:
        ag.to_graph(logs).save(path, 1.0)
    assert caught.value.location.function == "logs"


def test_functions_among_arguments_and_results_are_refused(path):
    with pytest.raises(SaveError, match="argument 'g' is a function"):
        ag.to_graph(lambda x, g: g(x)).save(path, 1.0, abs_of)
    with pytest.raises(SaveError, match="returns is a function"):
        ag.to_graph(lambda x: (x, abs_of)).save(path, 1.0)


def test_dicts_whose_keys_only_the_run_knows_are_refused(path):
    def counted(xs):
        counts = {}
        for x in xs:
            counts[int(x)] = counts.get(int(x), 0) + 1
        return counts

    with pytest.raises(SaveError, match="has keys"):
        ag.to_graph(counted).save(path, np.array([3, 1, 3]))


def abs_of(x):
    return abs(x)


def test_nothing_is_written_when_it_is_refused(path):
    with pytest.raises(SaveError):
        ag.to_graph(lambda x: (x, abs_of)).save(path, 1.0)
    assert not path.exists()


Pair = namedtuple("Pair", "a b")


def test_results_of_one_named_tuple_are_of_one_class(path):
    first, second = saved(lambda x: (Pair(x, 1), Pair(2, x)), 1.0, path=path)(1.0)
    assert type(first) is type(second)


def test_texts_of_the_user_in_attributes(path, caplog):
    def logs(x):
        logging.warning("it is %s: a/b", x)
        return x + 1.0

    assert saved(logs, 2.0, path=path)(2.0) == 3.0
    assert [record.getMessage() for record in caplog.records] == ["it is 2.0: a/b"]


def test_python_ints_of_lanes(path):
    def trips(x):
        i = 0
        while x > 1.0:
            x, i = x / 2.0, i + 1
        return i * i

    xs = np.array([0.5, 3.0, 17.0])
    np.testing.assert_array_equal(saved(ag.vmap(trips), xs, path=path)(xs), [0, 4, 25])


def test_a_model_as_an_argument(tmp_path):
    """With activations that a file may name, and with configuration, for which the file is."""
    model = nn.MLP.make(ops.random.key(0), [2, 3, 1], ops.nn.gelu)
    norm, x = nn.LayerNorm.make(2, eps=0.5), np.ones((4, 2), np.float32)

    @ag.to_graph
    def applied(model, norm, x):
        return model(norm(x)), norm

    applied.save(tmp_path / "f", model, norm, x)
    loaded = ag.load(tmp_path / "f", classes=[nn.MLP, nn.Dense, nn.LayerNorm])
    found, same = loaded(model, norm, x)
    np.testing.assert_array_equal(found, applied(model, norm, x)[0])
    assert type(same) is nn.LayerNorm and same.eps == 0.5
    with pytest.raises(SignatureError):
        loaded(model, nn.LayerNorm.make(2, eps=0.25), x)
    with pytest.raises(SignatureError):
        loaded(nn.MLP(model.layers, np.tanh), norm, x)
    other = nn.MLP(model.layers, lambda x: x)
    with pytest.raises(SaveError, match="activation"):
        applied.save(tmp_path / "g", other, norm, x)


@pytest.mark.parametrize("name", ["numpy.save", "os.system", "ops.nn.nothing", 3, None])
def test_functions_that_a_file_may_not_name(name):
    assert function_of(name) is None


def test_elements_of_lists_that_are_not_there(tmp_path):
    table = [1.0, 2.0, 3.0]

    def element(x, i):
        return x * table[i]

    ag.to_graph(element).save(tmp_path / "f.ag", 2.0, 1)
    loaded = ag.load(tmp_path / "f.ag")
    assert loaded(2.0, 2) == 6.0
    for function in (element, loaded):
        with pytest.raises(IndexError) as caught:
            function(2.0, 5)
        assert caught.value.args == ("list index out of range",)
