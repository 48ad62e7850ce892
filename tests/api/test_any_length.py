"""One recording for arrays of all lengths; `with_and_without_kernels` runs native code as well."""

import numpy as np
import optree
import pytest

import autograph as ag
from autograph.api.derivatives.linear_maps import LinearPart
from autograph.api.recording.symbolic import LEAST, narrowed
from autograph.errors import OptionError, SignatureError
from autograph.graph.lengths import lengths_in
from ops.core.symbolic_lengths import LengthAssumption, Symbols

pytestmark = pytest.mark.usefixtures("with_and_without_kernels")


def forms(f):
    """How often a function was compiled: for any lengths, and for known ones."""
    found = [form.open_shapes is not None for form in f.compiled_forms()]
    return found.count(True), found.count(False)


def check(function, calls, any_length, known, tolerance=1e-12):
    """Compare a compiled function with Python in several calls, and count its forms; those for any
    length if ``any_length`` is not None: kernels may be others for long arrays."""
    f = ag.to_graph(function)
    for args in calls:
        theirs = [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
        ours = [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
        wanted, found = function(*theirs), f(*ours)
        assert type(found) is type(wanted)
        assert np.shape(found) == np.shape(wanted)
        assert np.asarray(found).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)
        for a, b in zip(ours, theirs):
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)
    found_any, found_known = forms(f)
    assert (found_any if any_length is not None else None, found_known) == (any_length, known)
    return f


def vectors(*lengths, seed=0):
    rng = np.random.default_rng(seed)
    return [(rng.standard_normal(n),) for n in lengths]


def test_the_second_length_makes_it_any():
    check(lambda x: np.sum(x * 2) + len(x), vectors(3, 4, 5, 17, 2, 1000, 3), 1, 1)


def test_lengths_of_nothing_and_one_are_known():
    check(lambda x: x + np.ones(1), vectors(1, 3, 0, 4, 1, 5, 0), 1, 3)


def test_shapes_that_agree_in_other_ways():
    rng = np.random.default_rng(1)
    shapes = [(5, 5), (6, 6), (6, 7), (1, 6), (0, 0), (8, 9), (9, 8), (4, 4), (1, 3)]
    calls = [(rng.random(shape), rng.random(shape)) for shape in shapes]
    # Squares, then any two lengths, then any one beside 1.
    check(lambda x, y: (x + y) * x.shape[0] - x.shape[1], calls, 3, 3)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.outer(x, x)[np.triu_indices(len(x))],
        lambda x: np.outer(x, x)[np.tril_indices_from(np.outer(x, x), -1)],
        lambda x: np.stack(np.triu_indices(len(x), 1, 5) + np.tril_indices(4, m=2 * len(x))[:0]),
        lambda x: np.stack(np.unravel_index(np.argmax(np.outer(x, x)), (len(x), len(x)))),
        lambda x: np.unique(np.round(x)),
        lambda x: np.concatenate(np.unique(np.round(x), True, True, True)),
    ],
)
def test_places_and_sets(function):
    check(function, vectors(3, 4, 5, 17, 2), 1, 1)


def test_places_of_any_shape_are_checked():
    f = ag.to_graph(lambda x, i: np.unravel_index(i, (len(x), 2)))
    for n in (3, 4, 5):
        assert f(np.ones(n), 2 * n - 1) == (n - 1, 1)
    with pytest.raises(ValueError, match="index is out of bounds for array with size"):
        f(np.ones(5), 10)
    assert forms(f) == (1, 1)


def test_operands_have_to_fit_as_in_numpy():
    f = ag.to_graph(lambda x, y: x * y)
    for n in (3, 4, 5):
        f(np.ones(n), np.ones(n))
    with pytest.raises(ValueError, match="could not be broadcast"):
        f(np.ones(6), np.ones(7))
    assert f(np.ones(6), np.ones(1)).shape == (6,)
    assert f(np.ones(9), np.ones(9)).shape == (9,)
    assert forms(f)[0] == 1


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def returns(r):
    out = np.zeros(len(r))
    total = 0.0
    for t in range(len(r) - 1, -1, -1):
        total = r[t] + 0.99 * total
        out[t] = total
    return out


def smoothed(a):
    b = a.copy()
    for _ in range(3):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
    return b


def first_above(x):
    for i in range(len(x)):
        if x[i] > 1.0:
            return i
    return -1


def distances(x):
    d = x[:, None] - x[None, :]
    return np.sqrt(d * d + 1.0).sum()


PROGRAMS = [
    *(softmax, returns, smoothed, first_above, distances),
    lambda x: np.concatenate([x, x[::-1], np.zeros(3)]),
    lambda x: x.reshape(-1, 1) @ np.ones((1, 2)),
    lambda x: np.cumsum(x)[::2],
    lambda x: np.pad(x, 2)[1:-1],
    lambda x: x[len(x) // 2 :],
    lambda x: np.where(np.arange(len(x)) % 2 == 0, x, 0.0),
    lambda x: (x - x.mean()) / x.std(),
    lambda x: np.mean(x[1:] * x[:-1]) * x.size,
    lambda x: np.outer(x, x).T[1],
    lambda x: np.roll(x, 1),
    lambda x: np.stack([x, x * 2], axis=1).sum(axis=0),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program):
    calls = vectors(6, 9, 40, 8, 123)
    f = ag.to_graph(program)
    for (x,) in calls:
        np.testing.assert_allclose(f(x.copy()), program(x.copy()), rtol=1e-12, atol=1e-12)
    assert forms(f)[0] >= 1


@pytest.mark.costly
@pytest.mark.parametrize("program", [softmax, returns, distances, lambda x: np.cumsum(x) * x])
def test_derivatives(program):
    def loss(x):
        return np.sum(program(x) ** 2)

    gradient, curvature = ag.grad(loss), ag.grad(lambda x: np.sum(ag.grad(loss)(x) ** 2))
    for n in (5, 7, 20):
        x = np.random.default_rng(n).standard_normal(n)
        alone = ag.grad(loss)(x), ag.grad(lambda x: np.sum(ag.grad(loss)(x) ** 2))(x)
        np.testing.assert_allclose(gradient(x), alone[0], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(curvature(x), alone[1], rtol=1e-9, atol=1e-12)
    ag.check_grads(loss, (np.linspace(0.3, 1.0, 6),), order=2)
    assert forms(gradient)[0] == 1 and forms(curvature)[0] == 1


def test_forward_mode_and_lanes():
    def f(x):
        return np.tanh(x) * np.sum(x)

    lanes, tangent = ag.vmap(f), ag.to_graph(lambda x: ag.jvp(f, (x,), (x * 2,))[1])
    for n, m in ((4, 3), (5, 3), (7, 9), (2, 30)):
        x = np.random.default_rng(n).standard_normal((n, m))
        np.testing.assert_allclose(lanes(x), np.stack([f(row) for row in x]), rtol=1e-12)
        wanted = ag.jvp(f, (x[0],), (x[0] * 2,))[1]
        np.testing.assert_allclose(tangent(x[0].copy()), wanted, rtol=1e-12)


def recordings(caplog):
    """How many forms the log says that were compiled."""
    texts = [record.message for record in caplog.records]
    assert not [text for text in texts if "for each length by itself" in text]
    return sum(": compiled for " in text for text in texts)


@pytest.mark.costly
@pytest.mark.parametrize("f", [lambda x: np.sin(x) * np.sum(x), np.sum, lambda x: x[1:] * 3.0])
def test_linear_maps_are_split_off_once(f, caplog):
    function, pulls, pushes = lambda x: f(x), [], []
    caplog.set_level("INFO", logger="autograph")
    for n in (3, 4, 6, 9):
        x = np.linspace(0.0, 1.0, n)
        out, pull = ag.vjp(function, x)
        pulls.append((pull, np.ones_like(out), x))
        pushes.append((ag.linearize(function, x)[1], x))
    assert recordings(caplog) == 4  # for the first length and for all others, of both
    for pull, cotangent, x in pulls:
        wanted = ag.grad(lambda x: np.sum(f(x)))(x)
        np.testing.assert_allclose(pull(cotangent)[0], wanted, rtol=1e-12)
        np.testing.assert_allclose(ag.to_graph(lambda c: pull(c)[0])(cotangent), wanted, rtol=1e-12)
        both = ag.vmap(lambda c: pull(c)[0])(np.stack([cotangent, cotangent * 2]))
        np.testing.assert_allclose(both, np.stack([wanted, wanted * 2]), rtol=1e-12)
    for push, x in pushes:
        np.testing.assert_allclose(push(x), ag.jvp(f, (x,), (x,))[1], rtol=1e-12)


def test_what_compiling_a_pullback_assumes_is_not_for_those_before(monkeypatch):
    compiled_for = LinearPart._compiled_for

    def assuming(self, backend, numbers):
        lengths = lengths_in(self.graph)
        assert not lengths or numbers or lengths[0] > 4
        return compiled_for(self, backend, numbers)

    monkeypatch.setattr(LinearPart, "_compiled_for", assuming)
    made = [(x, ag.vjp(np.sin, x)[1]) for x in map(np.arange, (3.0, 5.0, 4.0, 6.0))]
    for x, pull in reversed(made):
        np.testing.assert_allclose(pull(x)[0], np.cos(x) * x, rtol=1e-12)


JACOBIANS = [
    lambda x: np.tanh(x) * np.sum(x),
    lambda x: (x[1:] * x[:-1], np.sum(x * x)),
    lambda x: np.outer(x, x),
    lambda x: {"a": x[0] * x[1], "b": x[0]},
]


@pytest.mark.parametrize("f", JACOBIANS)
def test_jacobians(f):
    forward, reverse = ag.jacfwd(f), ag.jacrev(f)
    for n in (5, 6, 3, 20):
        x = np.random.default_rng(n).standard_normal(n)
        leaves, spec = optree.tree_flatten(forward(x))
        columns = [ag.jvp(f, (x,), (e,))[1] for e in np.eye(n)]
        for k, (ours, other) in enumerate(zip(leaves, optree.tree_leaves(reverse(x)))):
            wanted = np.stack([optree.tree_leaves(column)[k] for column in columns], axis=-1)
            np.testing.assert_allclose(ours, wanted, rtol=1e-10, atol=1e-13)
            np.testing.assert_allclose(other, wanted, rtol=1e-10, atol=1e-13)
    assert forms(forward)[1] == forms(reverse)[1] == 1


def test_hessian_by_several_arguments():
    def f(x, y, scale):
        return np.sum(np.sin(x)) * np.sum(y) ** 3 * scale**2

    h = ag.hessian(f, (0, 1, 2))
    for n, m in ((3, 4), (5, 6), (7, 2), (4, 4)):
        x, y = np.linspace(0.1, 1.0, n), np.linspace(0.2, 0.5, m)
        s, t = np.sum(np.sin(x)), np.sum(y)
        (xx, xy, xs), (yx, yy, ys), (sx, sy, ss) = h(x, y, 2.0)
        np.testing.assert_allclose(xx, np.diag(-np.sin(x)) * t**3 * 4, atol=1e-12)
        np.testing.assert_allclose(xy, np.outer(np.cos(x), np.full(m, 12 * t**2)), rtol=1e-10)
        np.testing.assert_allclose(yx, xy.T, rtol=1e-12)
        np.testing.assert_allclose(yy, np.full((m, m), 24 * s * t), rtol=1e-10)
        np.testing.assert_allclose([xs, sx], np.stack([np.cos(x) * t**3 * 4] * 2), rtol=1e-10)
        np.testing.assert_allclose([ys, sy], np.full((2, m), 12 * s * t**2), rtol=1e-10)
        assert np.isclose(ss, 2 * s * t**3)
    assert forms(h) == (1, 1)


def test_unit_matrices():
    def f(x):
        n = len(x)
        wide = np.eye(n, n + 2, dtype=bool)
        return np.eye(n) * x, np.identity(n), np.eye(n, 3, 1), np.eye(2, n, k=-1, dtype=int), wide

    compiled = ag.to_graph(f)
    for n in (3, 4, 5, 9):
        for ours, wanted in zip(compiled(np.ones(n)), f(np.ones(n))):
            assert ours.dtype == wanted.dtype
            np.testing.assert_array_equal(ours, wanted)
    assert forms(compiled) == (1, 1)


@pytest.mark.costly
@pytest.mark.parametrize("k", [-1, 0, 2])
def test_triangles(k):
    def f(x):
        return np.tril(np.outer(x, x), k) @ np.triu(np.outer(x, x[1:]), k)

    compiled, slope = ag.to_graph(f), ag.grad(lambda x: np.sum(f(x) ** 2))
    for n in (4, 5, 9, 3):
        x = np.random.default_rng(n).standard_normal(n)
        np.testing.assert_allclose(compiled(x), f(x), rtol=1e-12, atol=1e-13)
        wanted = ag.grad(lambda x: np.sum(f(x) ** 2))(x)
        np.testing.assert_allclose(slope(x), wanted, rtol=1e-10, atol=1e-13)
    assert forms(compiled)[1] == forms(slope)[1] == 1


def test_recursion_on_parts_ends():
    def total(x):
        if len(x) == 1:
            return x[0]
        return total(x[: len(x) // 2]) + total(x[len(x) // 2 :])

    check(total, vectors(5, 6, 7), 0, 3)


def test_what_needs_a_number_is_compiled_for_each_length(caplog):
    def f(x):
        line = "-" * len(x)  # Python's own text
        return np.sum(x) + len(line)

    compiled = ag.to_graph(f)
    with caplog.at_level("INFO", logger="autograph"):
        for n in (3, 4, 5):
            assert compiled(np.arange(float(n))) == f(np.arange(float(n)))
    assert forms(compiled) == (0, 3)
    told = [r.message for r in caplog.records if "for each length by itself" in r.message]
    assert len(told) == 1


def test_a_length_that_decides():
    def f(x):
        return x * 2 if len(x) > 10 else np.sum(x) + x

    check(f, vectors(3, 5, 12, 15, 10, 11), 1, 1)


def test_changed_arguments():
    def f(x, y):
        x += 1.0
        y[1:] = x[:-1]
        return np.sum(y)

    calls = [(np.arange(float(n)), np.ones(n)) for n in (3, 5, 8, 4)]
    check(f, calls, 1, 1)
    compiled = ag.to_graph(f)
    for n in (3, 5, 6):
        x, y = np.arange(float(n)), np.arange(float(n))
        assert compiled(x, x) == f(y, y)  # one array by two names
        np.testing.assert_array_equal(x, y)


def test_nested_arguments_and_objects():
    class Layer:
        def __init__(self, n):
            self.w, self.b = np.ones((n, 3)), np.zeros(n)

    def f(layers, x):
        return [np.sum(layer["l"].w @ x + layer["l"].b) for layer in layers]

    compiled = ag.to_graph(f)
    for n in (4, 5, 9):
        layers = [{"l": Layer(n)}, {"l": Layer(2 * n)}]
        x = np.arange(3.0)
        np.testing.assert_allclose(compiled(layers, x), f(layers, x))
    assert forms(compiled)[0] == 1


def test_texts_have_the_symbols():
    f = ag.to_graph(lambda x: x[1:] * len(x))
    f(np.ones(3))
    f(np.ones(4))
    assert "x: f64[n]" in str(f.graph(np.ones(5)))
    program = str(f.program(np.ones(5)))
    assert "n = x.shape[0]" in program and "f64[n - 1]" in program


def test_variables_have_other_names_than_symbols():
    def f(n, m):
        k = n[0] * 2
        return n * k + len(m) * len(n)

    calls = [(np.arange(a) + 1.0, np.ones(b)) for a, b in ((3, 4), (5, 9), (7, 2), (4, 4))]
    check(f, calls, 1, 1)


def test_lower_with_names():
    spec = ag.ShapeDtypeStruct
    f = ag.to_graph(lambda x, y: np.sum(x * y, axis=0) / len(x))
    compiled = f.lower(spec(("n", 3), float), spec(("n", 3), float)).compile()
    for n in (2, 5, 70000):
        x = np.random.default_rng(n).random((n, 3))
        np.testing.assert_allclose(compiled(x, x + 1), np.sum(x * (x + 1), axis=0) / n, rtol=1e-11)
    with pytest.raises(SignatureError, match="other lengths"):
        compiled(np.ones((3, 3)), np.ones((4, 3)))
    with pytest.raises(SignatureError):
        compiled(np.ones((1, 3)), np.ones((1, 3)))
    with pytest.raises(SignatureError):
        compiled(np.ones((3, 3)), np.ones((3, 3), np.float32))


def test_names_of_lengths_are_names():
    f = ag.to_graph(lambda x: x)
    for name in ("", "n m", "if", "2n"):
        with pytest.raises(OptionError, match="the name of a length"):
            f.lower(ag.ShapeDtypeStruct((name,), float))


def test_errors_of_the_run_name_the_line():
    f = ag.to_graph(lambda x, i: x[i])
    for n in (3, 4, 5):
        assert f(np.arange(float(n)), n - 1) == n - 1
    with pytest.raises(IndexError):
        f(np.arange(4.0), 4)


def test_threads_share_what_is_compiled():
    from concurrent.futures import ThreadPoolExecutor

    f = ag.to_graph(lambda x: np.sum(np.sqrt(x)) * len(x))
    arrays = [np.arange(float(n)) for n in range(2, 60)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(f, arrays))
    np.testing.assert_allclose(found, [np.sum(np.sqrt(x)) * len(x) for x in arrays])


def test_bounds_of_patterns_are_where_assumptions_hold():
    for factor in (3, -3, 1, -1, 2):
        for offset in range(-9, 10):
            for relation in (">", "==", "!="):
                symbols = Symbols()
                length = symbols.new("n", 5) * factor + offset
                assumption = LengthAssumption(length, relation)
                for at in range(LEAST, 30):
                    if not assumption.holds({"n": at}):
                        continue
                    bounds = narrowed({"n": (LEAST, 50)}, assumption, {"n": at})
                    low, high = bounds["n"]
                    assert low <= at <= high
                    assert all(assumption.holds({"n": n}) for n in range(low, high + 1))
                    ends = [n for n in (low - 1, high + 1) if LEAST <= n <= 50]
                    assert not any(assumption.holds({"n": n}) for n in ends)


def test_bounds_for_assumptions_about_several_symbols():
    symbols = Symbols()
    n, m = symbols.new("n", 5), symbols.new("m", 4)
    numbers = {"n": 5, "m": 4}
    lengths = (100 - n * m, n - m, n * n - m, 2 * n - n // 4 * 3, (n + m) // 2 - 3, m - 4)
    for length in lengths:
        for relation in (">", "==", "!="):
            assumption = LengthAssumption(length, relation)
            if not assumption.holds(numbers):
                continue
            bounds = narrowed(dict.fromkeys("nm", (LEAST, 40)), assumption, numbers)
            (a, b), (c, d) = bounds["n"], bounds["m"]
            assert a <= 5 <= b and c <= 4 <= d
            found = [assumption.holds({"n": i, "m": j}) for i in (a, 5, b) for j in (c, 4, d)]
            assert all(found)


def test_a_batch_as_long_as_a_layer_is_wide():
    """That these lengths agree means nothing to the gradient of a network."""

    def loss(w, b, v, c, x, places):
        scores = np.tanh(x @ w + b) @ v + c
        scores = scores - np.max(scores, axis=1, keepdims=True)
        logs = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
        return -np.mean(logs[np.arange(len(places)), places])

    rng = np.random.default_rng(0)
    weights = [rng.normal(size=shape) for shape in ((4, 6), (6,), (6, 3), (3,))]
    f = ag.grad(loss, (0, 1, 2, 3))
    for n in (9, 8, 6, 4, 3, 7, 6):
        x, places = rng.normal(size=(n, 4)), rng.integers(0, 3, n)
        alone = ag.grad(lambda *w, x=x, places=places: loss(*w, x, places), (0, 1, 2, 3))
        for found, expected in zip(f(*weights, x, places), alone(*weights)):
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    assert forms(f) == (1, 1)


@pytest.mark.parametrize("second", [10, 1000])
def test_an_array_whose_length_has_not_changed_yet(second):
    """What is recorded for any length of one argument is for the length that the other one had."""

    @ag.to_graph
    def f(x, y):
        return len(x) + 1000 * len(y) + np.sum(x) * 0 + np.sum(y) * 0

    for m, n in ((1000, 9), (1000, second), (20, 500), (1000, 500), (2, 7)):
        assert f(np.ones(m), np.ones(n)) == m + 1000 * n
