"""Products of matrices that are added, by the library, to arrays in memory."""

import importlib.util
import random

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.native import available
from tests.kernels.kernel_check import ALL, check

if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)

R = np.random.default_rng(3)
N = 12  # of which products go to the library
ULPS = 200


def matrices(count, *shape):
    return [R.normal(size=shape or (N, N)) * 0.3 for _ in range(count)]


def added(compiled, *args):
    """For each product of the kernels whether it is added to what is in memory."""
    found = []
    for native in compiled.kernels(*args).values():
        products = [s for s in ir.walk(native.kernel.body) if isinstance(s, ir.Multiply)]
        found += [s.beta == 1.0 for s in products]
    return found


def check_added(function, *args, expected, kernels=ALL):
    compiled = check(function, *args, ulps=ULPS, scale=1.0, kernels=kernels)
    assert added(compiled, *args) == expected


def test_in_a_loop():
    def f(x, w):
        c = np.zeros((N, N))
        for i in range(4):
            c = c + x[i].T @ w
        return c

    check_added(f, R.normal(size=(4, 9, N)), R.normal(size=(9, N)), expected=[True])


def test_the_sum_may_have_the_product_first():
    def f(x, w):
        c = np.ones((N, N))
        for i in range(4):
            c = x[i] @ w + c
        return c * 2.0

    check_added(f, R.normal(size=(4, N, 9)), R.normal(size=(9, N)), expected=[True])


def test_two_products():
    def f(a, b, c):
        return np.tanh(a @ b + b @ c)

    check_added(f, *matrices(3), expected=[False, True])


def test_single_precision_and_batches():
    def f(a, b, c):
        return np.tanh(a @ b + c @ b)

    a, c = (x.astype("float32") for x in matrices(2, 3, N, N))
    check_added(f, a, *[x.astype("float32") for x in matrices(1)], c, expected=[False, True])


def test_an_argument_stays_as_it_is():
    def f(a, b, c):
        return a @ b + c

    check_added(f, *matrices(3), expected=[False])


def test_a_sum_that_is_read_later():
    def f(a, b, c):
        p = a @ c
        s = p + a @ b
        return s * p

    check_added(f, *matrices(3), expected=[False, False])


def test_a_sum_that_was_read_before():
    def f(a, b, c):
        p = a @ c
        e = p * 3.0
        t = np.sum(p, axis=0)
        s = p + a @ b
        return s + e[::-1], t

    check_added(f, *matrices(3), expected=[False, True])


def test_a_part_of_the_sum_is_read_later():
    def f(a, b, c):
        p = a @ c
        row = p[2]
        s = p + a @ b
        return s, row * 2.0

    check(f, *matrices(3), ulps=ULPS, scale=1.0)


def test_a_product_that_is_used_twice():
    def f(a, b, c):
        p = a @ c
        q = a @ b
        return (p + q) * q

    check_added(f, *matrices(3), expected=[False, False])


def test_a_product_of_the_sum_itself():
    def f(a, c, n):
        for _ in range(n):
            c = c + c @ a
        return c

    check_added(f, *matrices(2), 3, expected=[False])


def test_a_sum_with_other_axes():
    def f(a, b, c):
        row = np.tanh(c)
        return row + a @ b

    check(f, *matrices(2), R.normal(size=N), ulps=ULPS, scale=1.0)


def test_in_a_branch():
    def f(a, b, n):
        c = np.ones((N, N))
        for i in range(n):
            if i % 2 == 0:
                c = c + a @ b
            else:
                c = c - b @ a
        return c

    check(f, *matrices(2), 5, ulps=ULPS, scale=1.0)


def test_states_that_are_swapped():
    def f(a, b, n):
        c, d = np.ones((N, N)), np.zeros((N, N))
        for _ in range(n):
            c, d = d + a @ b, c
        return c, d

    for n in range(4):
        check(f, *matrices(2), n, ulps=ULPS, scale=1.0)


def test_the_state_is_kept_as_well():
    def f(a, b):
        c = np.zeros((N, N))
        last = c + 1.0
        for _ in range(3):
            last = c * 1.0
            c = c + a @ b
        return c, last

    check(f, *matrices(2), ulps=ULPS, scale=1.0)


def test_the_gradient_of_a_recurrent_network():
    def loss(w, u, x):
        h = np.zeros((N, N))
        for t in range(len(x)):
            h = np.tanh(x[t] @ w + h @ u)
        return np.sum(h * h)

    w, u = matrices(2)
    x = R.normal(size=(6, N, N))
    gradient = ag.grad(loss, argnums=(0, 1))
    found = gradient(w, u, x)
    assert added(gradient, w, u, x).count(True) == 3
    h = [np.zeros((N, N))]
    for t in range(6):
        h.append(np.tanh(x[t] @ w + h[t] @ u))
    d, d_w, d_u = 2 * h[6], np.zeros((N, N)), np.zeros((N, N))
    for t in reversed(range(6)):
        d = d * (1 - h[t + 1] ** 2)
        d_w, d_u, d = d_w + x[t].T @ d, d_u + h[t].T @ d, d @ u.T
    np.testing.assert_allclose(found[0], d_w, atol=1e-12)
    np.testing.assert_allclose(found[1], d_u, atol=1e-12)


def written(seed):
    """The text of a random program of sums and products, with loops."""
    pick = random.Random(seed)
    names, lines = ["a", "b", "c"], []
    outside = None  # the names that are known after the loop
    for number in range(pick.randint(6, 14)):
        if outside is None and pick.random() < 0.25:
            lines.append(f"    for i in range({pick.randint(0, 3)}):")
            outside = list(names)
        target = pick.choice(names) if pick.random() < 0.5 else f"x{number}"
        indent = "    " if outside is None else "        "
        lines.append(f"{indent}{target} = {term(pick, names)}")
        if target not in names:
            names.append(target)
        if outside is not None and pick.random() < 0.35:
            names, outside = outside, None
    results = ", ".join(dict.fromkeys(pick.choices(outside or names, k=3)))
    body = "\n".join(lines)
    return f"import numpy as np\n\n\ndef program(a, b, c):\n{body}\n    return {results}\n"


def term(pick, names):
    x, y, z = (pick.choice([*names, *names[-3:]]) for _ in range(3))
    sums = [f"{x} + {y} @ {z}", f"{y} @ {z} + {x}", f"{x}.T @ {y} + {y} @ {z}"]
    others = [f"{x} * {y}", f"{x} @ {y}", f"{x} + {y}", f"{x}[::-1].copy()", f"{x} * 0.5"]
    return pick.choice(["{}", "0.3 * ({})", "np.tanh({})"]).format(pick.choice(sums * 2 + others))


def program(seed, folder):
    path = folder / f"sums_{seed}.py"
    path.write_text(written(seed))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.program


def run_random(seeds, folder):
    for seed in seeds:
        function = program(seed, folder)
        args = matrices(3)
        expected = function(*[x.copy() for x in args])
        found = ag.to_graph(function)(*args)
        for x, y in zip(np.atleast_3d(found), np.atleast_3d(expected)):
            np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-9, err_msg=written(seed))


def test_random_programs(tmp_path):
    run_random(range(12), tmp_path)


@pytest.mark.slow
def test_many_random_programs(tmp_path):
    run_random(range(12, 300), tmp_path)
