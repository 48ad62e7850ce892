"""Products of arrays: ``np.einsum``, ``np.tensordot``, ``np.dot`` and the like, against NumPy."""

import random

import numpy as np
import pytest

import autograph as ag
import ops
from tests.support.oracle import check

RNG = np.random.default_rng(0)


def numbers(shape, dtype="float64"):
    x = RNG.normal(size=shape) * 3
    if np.dtype(dtype).kind == "c":
        x = x + 1j * RNG.normal(size=shape)
    return np.asarray(x).astype(dtype)


def total(x):
    rng = np.random.default_rng(x.size)
    return np.sum(np.real(x * (rng.normal(size=x.shape) + 1j * rng.normal(size=x.shape))))


# -- einsum ----------------------------------------------------------------------------------------


def random_case(rng):
    """Subscripts, with all that they may contain, and shapes that fit, or nearly so."""
    pool = "ijkABz"[: rng.choice([2, 3, 4, 6])]
    lengths = {label: rng.choice([1, 2, 3]) for label in pool}
    lengths[rng.choice(pool)] = rng.choice([0, 2, 3, 4])
    common = [rng.choice([1, 2]) for _ in range(2)] if rng.random() < 0.3 else None
    terms, shapes = [], []
    for _ in range(rng.choice([1, 1, 2, 2, 2, 3, 4])):
        term = "".join(rng.choice(pool) for _ in range(rng.choice([0, 1, 2, 2, 3])))
        shape = [lengths[label] if rng.random() > 0.1 else 1 for label in term]
        if common and rng.random() < 0.7:
            place, count = rng.randint(0, len(term)), rng.choice([0, 1, 2])
            shape[place:place] = [n if rng.random() < 0.8 else 1 for n in common[2 - count :]]
            term = f"{term[:place]}...{term[place:]}"
        terms.append(term)
        shapes.append(tuple(shape))
    text = ",".join(terms)
    if rng.random() < 0.6:
        letters = sorted(set(text) - set(".,"))
        output = "".join(rng.sample(letters, rng.randint(0, len(letters))))
        if "..." in text and rng.random() < 0.9:
            output = rng.choice([f"...{output}", f"{output}..."])
        text = f"{text}->{output}"
    return text, shapes


@pytest.mark.costly
@pytest.mark.parametrize("seed", range(8))
def test_einsum_of_anything(seed):
    rng = random.Random(seed)
    dtypes = ["float64", "float64", "complex128", "int32", "int8", "bool", "uint8"]
    for _ in range(50):
        text, shapes = random_case(rng)
        dtype = rng.choice(dtypes)
        args = [numbers(s, dtype if rng.random() < 0.8 else rng.choice(dtypes)) for s in shapes]
        check(lambda *x, text=text: np.einsum(text, *x), *args)


@pytest.mark.parametrize("optimize", [True, "greedy", "optimal", ["einsum_path", (0, 2), (0, 1)]])
def test_optimize(optimize):
    x, y, z = (numbers(shape) for shape in ((2, 3), (3, 4), (4, 5)))
    check(lambda *args: np.einsum("ij,jk,kl->il", *args, optimize=optimize), x, y, z)
    check(lambda *args: np.einsum_path("ij,jk,kl", *args, optimize=optimize), x, y, z)


def test_each_step_has_the_dtype_of_its_operands_if_optimized():
    x = np.full(4, 100, np.uint8)
    check(lambda x, y: np.einsum("i,j->j", x, y, optimize=True), x, numbers(2))
    check(lambda x, y: np.einsum("i,j->j", x, y), x, numbers(2))
    check(lambda x: np.einsum("...i->i", x, optimize=True), numbers((2, 3)))


def test_the_order_is_chosen():
    args = [np.ones(shape) for shape in ((50, 50), (50, 50), (50,))]
    program = str(ag.to_graph(lambda *x: np.einsum("ij,jk,k->i", *x)).program(*args))
    assert "arg0 @ (arg1 @ arg2)" in program or "arg1 @ arg2" in program, program


def test_lists_as_subscripts():
    x, y = numbers((2, 3)), numbers((3, 4))
    check(lambda x, y: np.einsum(x, [0, 1], y, [1, 2]), x, y)
    check(lambda x, y: np.einsum(x, [0, 1], y, [1, 2], [2, 0]), x, y)
    check(lambda x, y: np.einsum(x, [..., 1], y, [1, ...], [...]), x, y[:, :2])
    check(lambda x: np.einsum(x, [30, 1]), x)
    check(lambda x: np.einsum(x, [60, 1]), x)
    check(lambda x: np.einsum(x, ["a", 1]), x)


def test_other_arguments():
    x, y = numbers((2, 3)), numbers((3, 4))
    check(lambda x, y: np.einsum("ij,jk", x, y, dtype=np.float32), x, y)
    check(lambda x, y: np.einsum("ij,jk", x, y, dtype=np.float32, casting="unsafe"), x, y)
    check(lambda x, y: np.einsum("ij,jk", x, y, dtype=complex), x, y)
    check(lambda x, y: np.einsum("ij,jk", x, y, order="F") + 0, x, y)
    check(lambda x, y, out: np.einsum("ij,jk", x, y, out=out), x, y, np.zeros((2, 4)))
    check(lambda x, y: np.einsum("ij,jk", x, y, out=np.zeros((2, 4), np.float32)), x, y)
    check(lambda x, a: np.einsum(",i", a, x), numbers(3, "float32"), 2.0)
    check(lambda x: np.einsum("i,i", x, [1.0, 2.0, 3.0]), numbers(3))


BAD = ["ij,jk->", "i", "ij,j", "ijk,jk", "ij,jk->il", "ij,jk->ii", "i.j,jk", "ij;jk", "ij,jk,", ""]


@pytest.mark.parametrize("text", [*BAD, "->", "ij...,jk->ik", "ij,jk->...ik", "ij,ij"])
def test_subscripts_that_do_not_fit(text):
    check(lambda x, y: np.einsum(text, x, y), numbers((2, 3)), numbers((3, 4)))


EINSUMS = [
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ii->i", (3, 3)),
    ("ii", (3, 3)),
    ("...ij,...jk->...ik", (5, 2, 3), (3, 4)),
    ("ij,j", (2, 1), (3,)),
    ("ijk,jl,kl->il", (2, 3, 4), (3, 5), (4, 5)),
    ("i,i,i->i", (3,), (3,), (3,)),
    ("i,j,k->kji", (2,), (3,), (4,)),
    ("ab,bc,cd,de->ae", (2, 3), (3, 4), (4, 2), (2, 3)),
    ("iij,ji->", (2, 2, 3), (3, 2)),
    ("i...,i...->...", (2, 3, 2), (2, 3, 2)),
]


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("text, shapes", [(text, shapes) for text, *shapes in EINSUMS], ids=str)
def test_derivatives_of_einsum(text, shapes, dtype):
    args = [numbers(shape, dtype) for shape in shapes]
    ag.check_grads(lambda *x: total(np.einsum(text, *x)), args)


# -- products of two arrays ------------------------------------------------------------------------

PAIRS = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (2, 3)), ((2, 3), (3, 2))]
PAIRS += [((4, 2, 3), (3,)), ((2, 2, 3), (2, 3, 2)), ((), (3,)), ((), ()), ((0, 3), (3,))]
PAIRS += [((0,), (0,)), ((3, 0), (0, 2)), ((2, 3), (4,)), ((4, 2, 3), (2, 3)), ((2, 1, 3), (4, 3))]
DTYPES = [("float64", "float64"), ("float32", "complex64"), ("int32", "int8"), ("bool", "bool")]
DTYPES += [("complex128", "complex128"), ("float32", "int64"), ("float16", "float16")]
FUNCTIONS = [np.dot, np.inner, np.outer, np.vdot, np.kron, np.tensordot, np.matmul, np.vecdot]
FUNCTIONS += [getattr(np, name) for name in ("matvec", "vecmat") if hasattr(np, name)]


@pytest.mark.costly
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_products(function):
    for shapes in PAIRS:
        for dtypes in DTYPES if shapes in PAIRS[:5] else DTYPES[:2]:
            check(function, *map(numbers, shapes, dtypes))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_python_numbers(function):
    x = numbers(3, "float32")
    for args in [(2.0, x), (x, 2.0), (2, 3.0), (2, numbers(3, "int16")), (True, x)]:
        check(function, *args)


@pytest.mark.parametrize(
    "axes",
    [0, 1, 2, 3, -1, (0, 1), ([0, 1], [1, 0]), ((1,), (0,)), (-1, 0), ([0], [0, 1])]
    + [(0, 0), ([0, 0], [0, 0]), (7, 0)],
    ids=str,
)
def test_tensordot(axes):
    shapes = [((2, 3), (3, 2)), ((2, 3, 2), (3, 2, 4)), ((2, 2), (2, 2)), ((0, 3), (3, 0))]
    for x, y in [*shapes, ((2,), (2,))]:
        check(lambda x, y: np.tensordot(x, y, axes), numbers(x), numbers(y, "float32"))


def test_axes_of_vectors():
    x, y = numbers((3, 3), "complex128"), numbers((3, 3))
    for axis in (0, 1, -1, 5):
        check(lambda x, y: np.vecdot(x, y, axis=axis), x, y)


@pytest.mark.costly
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_derivatives_of_products(function):
    stacks = {"matvec": ((2, 3, 3), (2, 3)), "vecmat": ((2, 3), (2, 3, 3))}
    stacks["tensordot"] = ((2, 3, 3), (3, 3))
    for shapes in [((3, 3), (3, 3)), stacks.get(function.__name__, ((2, 3, 3), (2, 3, 3)))]:
        for dtype in ("float64", "complex128"):
            args = [numbers(shape, dtype) for shape in shapes]
            ag.check_grads(lambda x, y: total(function(x, y)), args)


# -- lengths known only at run time ---------------------------------------------------------------


def positive(x):
    y = x[x > 0]
    z = np.outer(y, [1.0, 2.0])
    return (
        np.einsum("i,ij->j", y, z),
        np.einsum("ij,kj->ik", z, z),
        np.einsum("i,i,i", y, y, y),
        np.einsum("i,j", y, y),
        np.tensordot(y, z, (0, 0)),
        np.tensordot(y, y, 0),
        np.vecdot(y, y),
        np.dot(y, y),
    )


def test_unknown_lengths():
    check(positive, numbers(7))
    ag.check_grads(lambda x: total(positive(x)[0]) + np.sum(positive(x)[5] ** 2), [numbers(7)])


def test_lengths_that_turn_out_not_to_fit():
    def function(x):
        return np.einsum("i,i", x[x > 0], np.ones(3))

    check(function, np.array([1.0, 2.0, 3.0, -1.0]))
    with pytest.raises(ValueError):
        ag.to_graph(function)(np.array([1.0, 2.0]))


def test_eager_calls():
    x = numbers((2, 3))
    np.testing.assert_allclose(ops.einsum("ij->ji", x), x.T)
    np.testing.assert_allclose(ops.matvec(x, x[0]), x @ x[0])
    np.testing.assert_allclose(ops.vecmat(x[:, 0], x), x[:, 0] @ x)
