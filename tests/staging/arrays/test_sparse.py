"""SciPy's sparse matrices in compiled functions, beside SciPy."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError

sp = pytest.importorskip("scipy.sparse")

RNG = np.random.default_rng(0)
DENSE = np.where(RNG.uniform(size=(4, 5)) < 0.5, RNG.normal(size=(4, 5)), 0.0)
DENSE[2] = 0.0  # an empty row, and an empty last one
DENSE[3] = 0.0
X, Y = RNG.normal(size=5), RNG.normal(size=4)
COLUMNS, ROWS = RNG.normal(size=(5, 3)), RNG.normal(size=(3, 4))
FORMATS = ["csr", "csc", "coo"]
FAMILIES = ["array", "matrix"]


def matrix(format, family="array", dense=DENSE):
    return getattr(sp, f"{format}_{family}")(dense)


def assert_same(found, wanted):
    assert type(found) is type(wanted)
    if isinstance(wanted, (str, bool, tuple)):
        assert found == wanted
        return
    if sp.issparse(wanted):
        assert found.shape == wanted.shape
        for name in ("data", "indices", "indptr", "row", "col"):
            if hasattr(wanted, name):
                assert_same(getattr(found, name), getattr(wanted, name))
        return
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-15)


METHODS = {
    "product with a vector": lambda a: a @ X,
    "product with columns": lambda a: a @ COLUMNS,
    "product from the left": lambda a: Y @ a,
    "product of rows": lambda a: ROWS @ a,
    "product with a list": lambda a: a @ [1, 2, 3, 4, 5],
    "dot": lambda a: a.dot(X),
    "dot with a number": lambda a: a.dot(3.0),
    "of the transpose": lambda a: a.T @ Y,
    "transpose": lambda a: a.T,
    "transposed copy": lambda a: a.transpose(copy=True),
    "times a number": lambda a: a * 2.5,
    "a number times": lambda a: 2 * a,
    "divided": lambda a: a / 4,
    "negative": lambda a: -a,
    "absolute": lambda a: abs(a),
    "sine": lambda a: a.sin(),
    "root": lambda a: abs(a).sqrt(),
    "power": lambda a: a.power(3),
    "multiplied": lambda a: a.multiply(DENSE + 1.0).toarray(),
    "multiplied by a row": lambda a: a.multiply(X).toarray(),
    "dense": lambda a: a.toarray(),
    "sum": lambda a: a.sum(),
    "diagonal": lambda a: a.diagonal(),
    "diagonals": lambda a: np.concatenate([a.diagonal(k) for k in range(-5, 7)]),
    "trace": lambda a: a.trace(),
    "copy": lambda a: a.copy(),
    "to single": lambda a: a.astype(np.float32),
    "single times double": lambda a: a.astype(np.float32) @ X,
    "integers": lambda a: a.astype(np.int32) @ np.arange(5, dtype=np.int16),
    "truths": lambda a: a.astype(bool) @ (X > 0.0),
    "complex": lambda a: (a * 1j).conj() @ X,
    "real": lambda a: (a * (2 + 1j)).real,
    "to rows": lambda a: a.tocsr(),
    "to columns": lambda a: a.tocsc(),
    "to places": lambda a: a.tocoo(),
    "shape": lambda a: (a.shape, a.ndim, a.nnz, a.size, a.format, str(a.dtype), sp.issparse(a)),
    "kind": lambda a: (isinstance(a, sp.csr_array), isinstance(a, sp.sparray)),
    "parts": lambda a: a.data * 2.0,
    "bool": lambda a: a.sum() > 0 and a is not None,
}
OF_ARRAYS = {
    "element": lambda a: a[1, 2] + a[-3, -1] + a[3, 0],
    "sums of columns": lambda a: a.sum(axis=0),
    "sums of rows": lambda a: a.sum(axis=-1),
    "sums of truths": lambda a: a.astype(bool).sum(axis=1),
    "plus dense": lambda a: a + DENSE,
    "minus dense": lambda a: a - DENSE,
    "dense minus": lambda a: DENSE * 2.0 - a,
    "sum of one": lambda a: sum([a @ X, a @ X]) + sum([a]).toarray()[:, 0],
    "to a power": lambda a: a**2,
    "todense": lambda a: a.todense(),
    "in place": lambda a: _doubled(a),
}
OF_MATRICES = {
    "star": lambda a: a * X,
    "star from the left": lambda a: Y * a,
}


def _doubled(a):
    a *= 2.0
    a /= 3.0
    return a


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", METHODS)
def test_methods(name, format):
    for family in FAMILIES:
        function = METHODS[name]
        wanted = function(matrix(format, family))
        assert_same(ag.to_graph(function)(matrix(format, family)), wanted)
        captured = matrix(format, family)
        assert_same(ag.to_graph(lambda: function(captured))(), wanted)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", OF_ARRAYS)
def test_methods_of_arrays(name, format):
    function = OF_ARRAYS[name]
    if name == "element" and not hasattr(matrix(format), "__getitem__"):
        pytest.skip("this SciPy takes no elements of such an array")
    assert_same(ag.to_graph(function)(matrix(format)), function(matrix(format)))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", OF_MATRICES)
def test_methods_of_matrices(name, format):
    function = OF_MATRICES[name]
    found = ag.to_graph(function)(matrix(format, "matrix"))
    assert_same(found, function(matrix(format, "matrix")))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("family", FAMILIES)
def test_made_of_triplets_with_places_that_occur_twice(family, format):
    kind = getattr(sp, f"{format}_{family}")
    rows, columns = np.array([0, 3, 0, 2, 3, 0]), np.array([1, 4, 1, 0, 4, 2])

    def assembled(values, x):
        a = kind((values, (rows, columns)), shape=(4, 5))
        return a.tocsr(), a.tocsc(), a @ x, a.toarray(), a.sum(), a.diagonal(1), a.nnz

    values = np.arange(1.0, 7.0)
    found = ag.to_graph(assembled)(values, X)
    for one, other in zip(found[:-1], assembled(values, X), strict=False):
        assert_same(one, other)
    assert found[-1] == kind((values, (rows, columns)), shape=(4, 5)).nnz


def test_made_of_compressed_rows_and_by_its_gradient():
    a = matrix("csr")

    def quadratic(values, x):
        b = sp.csr_array((values, a.indices, a.indptr), shape=a.shape)
        return np.sum((b @ x) ** 2)

    found = ag.grad(quadratic, argnums=(0, 1))(a.data, X)
    outer = np.outer(2.0 * (a @ X), X)
    np.testing.assert_allclose(found[0], outer[a.nonzero()], rtol=1e-13)
    np.testing.assert_allclose(found[1], 2.0 * a.T @ (a @ X), rtol=1e-13)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_gradient_is_a_matrix_with_elements_at_the_same_places(family, format):
    a = matrix(format, family)
    found = ag.grad(lambda a, x: np.sum(np.sin(a @ x)))(a, X)
    assert type(found) is type(a)
    wanted = np.outer(np.cos(a @ X), X)
    np.testing.assert_allclose(found.toarray(), np.where(DENSE, wanted, 0.0), rtol=1e-13)
    assert found.nnz == a.nnz


def test_in_parameters_beside_others():
    params = {"a": matrix("csr"), "b": X.copy(), "names": ("a",)}

    def loss(params):
        return np.sum((params["a"] @ params["b"]) ** 2)

    value, found = ag.value_and_grad(loss)(params)
    assert value == pytest.approx(loss(params))
    outer = np.outer(2.0 * (params["a"] @ X), X)
    np.testing.assert_allclose(found["a"].toarray(), np.where(DENSE, outer, 0.0))
    stepped = ag.tree.map(
        lambda p, g: p if g is None else p - 0.1 * g, params, {**found, "names": (None,)}
    )
    assert type(stepped["a"]) is sp.csr_array
    assert loss(stepped) < value


def test_forward_mode_and_second_derivatives():
    a = matrix("csr")

    def energy(x):
        return 0.25 * np.sum((a @ x) ** 4)

    hessian = a.toarray().T @ np.diag(3.0 * (a @ X) ** 2) @ a.toarray()
    np.testing.assert_allclose(ag.hessian(energy)(X), hessian, rtol=1e-12)
    tangent = a * 0.5
    out, moved = ag.jvp(lambda a: a @ X, (a,), (tangent,))
    np.testing.assert_allclose(out, a @ X)
    np.testing.assert_allclose(moved, 0.5 * (a @ X))


def test_a_matrix_for_all_lanes():
    lanes = RNG.normal(size=(7, 5))
    a = matrix("csr")
    found = ag.vmap(lambda a, x: a @ x, in_axes=(None, 0))(a, lanes)
    np.testing.assert_allclose(found, (a @ lanes.T).T, rtol=1e-13)
    found = ag.vmap(lambda x: np.sum(x @ a.T))(lanes)
    np.testing.assert_allclose(found, np.sum(a @ lanes.T, axis=0), rtol=1e-13)


def test_values_that_differ_between_lanes():
    a = matrix("csr")
    values = RNG.normal(size=(3, a.nnz))

    def product(values, x):
        return sp.csr_array((values, a.indices, a.indptr), shape=a.shape) @ x

    found = ag.vmap(product, in_axes=(0, None))(values, X)
    np.testing.assert_allclose(found, [product(row, X) for row in values], rtol=1e-13)
    with pytest.raises(AutographError, match="lanes"):
        ag.vmap(lambda a, x: a @ x)(matrix("coo"), RNG.normal(size=(a.nnz, 5)))


def conjugate_gradients(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r
    while np.sqrt(r @ r) > 1e-14:
        q = a @ p
        step = (r @ r) / (p @ q)
        x = x + step * p
        fresh = r - step * q
        p = fresh + ((fresh @ fresh) / (r @ r)) * p
        r = fresh
    return x


def relaxed(a, b):
    x = np.zeros_like(b)
    r = b
    while np.sqrt(r @ r) > 1e-12:
        x = x + 0.2 * r
        r = b - a @ x
    return x


def test_solvers_are_one_kernel_and_have_a_gradient(monkeypatch):
    pytest.importorskip("llvmlite")
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    n = 12
    lattice = sp.diags_array([-1.0, 4.0, -1.0], offsets=[-1, 0, 1], shape=(n, n)).tocsr()
    b = RNG.normal(size=n)
    solve = ag.to_graph(conjugate_gradients)
    np.testing.assert_allclose(solve(lattice, b), np.linalg.solve(lattice.toarray(), b), rtol=1e-8)
    found = ag.grad(lambda a, b: np.sum(relaxed(a, b)))(lattice, b)
    left = np.linalg.solve(lattice.toarray(), np.ones(n))
    wanted = -np.outer(left, np.linalg.solve(lattice.toarray(), b))
    np.testing.assert_allclose(found.toarray()[lattice.nonzero()], wanted[lattice.nonzero()], 1e-9)
    kernels = solve.kernels(lattice, b)
    assert len(kernels) == 1
    assert "while" in str(kernels)


def test_a_matrix_that_a_loop_changes():
    def halved(a):
        count = 0
        while np.max(np.abs(a.data)) > 0.1:
            a = a * 0.5
            count += 1
        return a, count

    for format in ("csr", "csc"):
        found, wanted = ag.to_graph(halved)(matrix(format)), halved(matrix(format))
        assert_same(found[0], wanted[0])
        assert found[1] == wanted[1]


def test_on_one_branch_only():
    def either(a, x):
        if x[0] > 0.0:
            a = a * 2.0
        else:
            a.data[0] = 7.0
        return a @ x, a

    for sign in (1.0, -1.0):
        x = sign * np.abs(X)
        found, wanted = ag.to_graph(either)(matrix("csr"), x), either(matrix("csr"), x)
        assert_same(found[0], wanted[0])
        assert_same(found[1], wanted[1])


def test_a_matrix_that_is_given_is_changed_and_returned_itself():
    def change(a):
        a.data *= 2.0
        a.data[0] = 0.5
        return a

    wanted = change(matrix("csr"))
    a = matrix("csr")
    values = a.data
    found = ag.to_graph(change)(a)
    assert found is a
    assert a.data is values
    assert_same(a, wanted)


def test_a_captured_matrix_is_read_at_each_call():
    a = matrix("csr")
    product = ag.to_graph(lambda x: a @ x)
    np.testing.assert_allclose(product(X), a @ X)
    a.data[:] = 1.0
    np.testing.assert_allclose(product(X), a @ X)
    a.data = a.data * 3.0
    np.testing.assert_allclose(product(X), a @ X)


def test_one_graph_for_all_matrices_with_as_many_elements():
    product = ag.to_graph(lambda a, x: a @ x)
    for shift in range(4):
        a = matrix("csr", dense=np.roll(DENSE, shift, axis=1))
        np.testing.assert_allclose(product(a, X), a @ X)
    assert "compiled by calls so far: 1 signature" in str(product.explain(matrix("csr"), X))


def test_made_by_scipy_while_recorded():
    def smoothed(x):
        a = sp.diags_array([1.0, -2.0, 1.0], offsets=[-1, 0, 1], shape=(5, 5)).tocsr()
        return a @ x + sp.eye_array(5, format="csr") @ x

    np.testing.assert_allclose(ag.to_graph(smoothed)(X), smoothed(X))


def test_scipy_itself_is_as_it_was():
    before = dict(vars(sp.csr_array))
    ag.to_graph(lambda a: a.T @ (a @ X))(matrix("csr"))
    assert dict(vars(sp.csr_array)) == before


REFUSED = {
    "a product of two": (lambda a: a.T @ a, "two sparse"),
    "a sum of two": (lambda a: a + a, "two sparse"),
    "a part": (lambda a: a[1:3], "a part of a sparse matrix"),
    "another format": (lambda a: a.tolil(), "tolil"),
    "a method without a counterpart": (lambda a: a.argmax(), "argmax"),
    "a number added": (lambda a: a + 1.0, "nonzero scalar"),
    "of a dense array": (lambda a: sp.csr_array(a.toarray()), "dense"),
    "without a shape": (lambda a: sp.coo_array((a.data, (a.row, a.col))), "shape"),
    "wrong lengths": (lambda a: a @ Y, "dimension mismatch"),
    "a number as an operand": (lambda a: a @ 2.0, "Scalar operands"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_fix(name):
    function, message = REFUSED[name]
    with pytest.raises(AutographError, match=message) as caught:
        ag.to_graph(function)(matrix("csr" if name == "a part" else "coo"))
    assert caught.value.fix
    assert caught.value.location.file == __file__


def test_values_of_which_an_element_has_parts():
    rows = np.array([0, 0, 1])

    def roots(values):
        return sp.coo_array((values, (rows, rows)), shape=(2, 2)).sqrt()

    with pytest.raises(NotImplementedError, match="stored in parts"):
        ag.to_graph(roots)(np.ones(3))


def test_a_matrix_in_another_format_is_told():
    lists = sp.lil_array(DENSE)
    with pytest.raises(AutographError, match="CSR, CSC or COO"):
        ag.to_graph(lambda x: lists @ x)(X)
    with pytest.raises(AutographError, match="CSR, CSC or COO"):
        ag.to_graph(lambda x: x @ lists)(Y)


class Diffusion:
    def __init__(self, a, rate):
        self.a = a
        self.rate = rate

    def step(self, x):
        return x + self.rate * (self.a @ x)

    def after(self, x, count):
        return x if count == 0 else self.after(self.step(x), count - 1)


def square():
    return sp.csr_array(DENSE[:, :4])


def test_in_an_object_by_which_is_differentiated():
    model = Diffusion(square(), 0.1)

    def loss(model, x):
        return np.sum(model.after(x, 3) ** 2)

    assert ag.to_graph(loss)(model, Y) == pytest.approx(loss(model, Y))
    found = ag.grad(loss)(model, Y)
    assert type(found) is Diffusion
    step = 1e-6
    moved = [Diffusion(square(), 0.1 + sign * step) for sign in (1, -1)]
    wanted = (loss(moved[0], Y) - loss(moved[1], Y)) / (2.0 * step)
    assert found.rate == pytest.approx(wanted, rel=1e-6)
    for place in range(found.a.nnz):
        values = []
        for sign in (1, -1):
            other = Diffusion(square(), 0.1)
            other.a.data[place] += sign * step
            values.append(loss(other, Y))
        wanted = (values[0] - values[1]) / (2.0 * step)
        assert found.a.data[place] == pytest.approx(wanted, rel=1e-5, abs=1e-8)


def test_in_lists_and_called_functions():
    layers = [matrix("csr"), matrix("csc").T, matrix("coo")]

    def through(layers, x):
        for layer in layers:
            x = np.tanh(apply(layer, x))
        return x

    def apply(layer, x):
        return layer @ x

    np.testing.assert_allclose(ag.to_graph(through)(layers, X), through(layers, X))
    found = ag.grad(lambda layers: np.sum(through(layers, X)))(layers)
    assert [type(layer) for layer in found] == [type(layer) for layer in layers]


def test_under_other_transforms():
    a = matrix("csr")
    squares = lambda a, x: np.sum((a @ x) ** 2)
    out, pull = ag.vjp(squares, a, X)
    assert out == pytest.approx(squares(a, X))
    by_matrix, by_vector = pull(1.0)
    np.testing.assert_allclose(by_vector, 2.0 * a.T @ (a @ X))
    assert type(by_matrix) is sp.csr_array
    kept = ag.grad(ag.checkpoint(squares), argnums=1)(a, X)
    np.testing.assert_allclose(kept, by_vector)
    np.testing.assert_allclose(ag.jacrev(lambda x: a @ x)(X), a.toarray())
    twice = ag.grad(lambda a: np.sum(ag.grad(squares, argnums=1)(a, X) ** 2))(a)
    whole = a.toarray()
    inner = 2.0 * whole.T @ whole @ X
    wanted = 4.0 * (np.outer(whole @ X, inner) + np.outer(whole @ inner, X))
    np.testing.assert_allclose(twice.toarray(), np.where(DENSE, wanted, 0.0), rtol=1e-12)


def test_jacobians_by_a_matrix_are_by_its_data():
    a = matrix("csr")
    by_data = ag.jacrev(lambda d: sp.csr_array((d, a.indices, a.indptr), shape=a.shape) @ X)
    assert by_data(a.data).shape == (4, a.nnz)
    with pytest.raises(AutographError, match="data"):
        ag.jacrev(lambda a: a @ X)(a)


def test_lowered_and_saved(tmp_path):
    a = matrix("csr")
    product = ag.to_graph(lambda a, x: a @ x)
    compiled = product.lower(a, X).compile()
    np.testing.assert_allclose(compiled(a, X), a @ X)
    assert "A_data" in str(ag.to_graph(lambda A, x: A @ x).graph(a, X))


def test_given_to_a_callback():
    a = matrix("csr")

    def solved(a, x):
        return ag.pure_callback(lambda d: d * 2.0, ag.ShapeDtypeStruct((a.nnz,), float), a.data)

    np.testing.assert_allclose(ag.to_graph(solved)(a, X), 2.0 * a.data)


def test_solvers_say_how_they_can_be_called():
    from scipy.sparse.linalg import spsolve

    a = sp.csr_array(np.eye(5))
    with pytest.raises(AutographError, match="spsolve") as caught:
        ag.to_graph(lambda x: spsolve(a, x))(X)
    assert "pure_callback" in caught.value.fix
