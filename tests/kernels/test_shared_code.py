"""Kernels of a program that are alike are compiled once."""

import numpy as np

import autograph as ag
from autograph.kernels import codes
from autograph.kernels.native.kernels import Routine
from autograph.kernels.selection import routines


def compiled(monkeypatch):
    """The texts of kernels that are compiled from now on, a list that grows."""
    texts, compile_kernel = [], codes.compile_kernel

    def noted(text, *args, **options):
        texts.append(text)
        return compile_kernel(text, *args, **options)

    monkeypatch.setattr(codes, "compile_kernel", noted)
    return texts


def smooth(x):
    return np.sin(x) * np.exp(-x) + 0.5 * x


def step(x):
    y = np.sort(x + 0j).real
    return smooth(y)


def thrice(x):
    return step(step(step(x)))


def test_what_is_done_again_is_compiled_once(monkeypatch):
    texts, x = compiled(monkeypatch), np.array([0.5, 1.0, 2.0])
    function = ag.to_graph(thrice)
    np.testing.assert_allclose(function(x), thrice(x), rtol=1e-14)
    assert len(function.kernels(x)) > len(texts) == len(set(texts))


def test_kernels_keep_their_names():
    x = np.array([0.5, 1.0, 2.0])
    kernels = ag.to_graph(thrice).kernels(x)
    assert all(f"@{kernel.kernel.name}(" in kernel.text for kernel in kernels.values())
    assert len({kernel.kernel.name for kernel in kernels.values()}) == len(kernels)


# -- what several kernels call ---------------------------------------------------------------------

X = np.array([0.3, -1.0, 2.5])


def much(x):
    y = np.sin(x) * 0.5 + 0.1 * np.exp(-x * x)
    y = np.sin(y) * 0.4 + 0.2 * np.exp(-y * y)
    y = np.sin(y) * 0.3 + 0.3 * np.exp(-y * y)
    return np.sin(y) * 0.2 + 0.4 * np.exp(-y * y)


def with_kernels_apart(x, n):
    y = 2.0 * much(x)
    for _ in range(n):
        y = np.sort(much(y) + x + 0j).real
    return much(np.sort(y + 0j).real) * y


def test_it_is_lowered_and_compiled_once(monkeypatch):
    lowered, compiled = [], []
    lower, object_code = routines.lower, Routine.object_code.function
    monkeypatch.setattr(
        routines, "lower", lambda *args, **more: lowered.append(args[1]) or lower(*args, **more)
    )
    monkeypatch.setattr(
        Routine.object_code,
        "function",
        lambda routine: compiled.append(routine.text) or object_code(routine),
    )
    function = ag.to_graph(with_kernels_apart)
    np.testing.assert_allclose(function(X, 3), with_kernels_apart(X, 3), rtol=1e-14)
    assert lowered == ["much_kernel"]
    assert len(compiled) == 1
    callers = [k for k in function.kernels(X, 3).values() if k.kernel.routines]
    assert len(callers) > 1
    for kernel in callers:
        assert kernel.text.count("define internal i32 @much_kernel(") == 1


def with_a_loop_in_the_kernel(x, n):
    total = much(x)
    while n > 0:
        total, n = total + much(total), n - 1
    return much(total)


def test_it_is_called_by_one_kernel():
    function = ag.to_graph(with_a_loop_in_the_kernel)
    np.testing.assert_allclose(function(X, 3), with_a_loop_in_the_kernel(X, 3), rtol=1e-14)
    (kernel,) = function.kernels(X, 3).values()
    assert list(kernel.kernel.routines) == ["much_kernel"]
    assert "moves" in str(function.explain(X, 3))


def test_lanes_build_it_in():
    function = ag.vmap(with_a_loop_in_the_kernel)
    xs, ns = np.stack([X, -X]), np.array([1, 3])
    expected = [with_a_loop_in_the_kernel(x, n) for x, n in zip(xs, ns)]
    np.testing.assert_allclose(function(xs, ns), expected, rtol=1e-13)


def test_with_fast_math():
    function = ag.to_graph(with_kernels_apart, fast_math=True)
    np.testing.assert_allclose(function(X, 3), with_kernels_apart(X, 3), rtol=1e-12)


def descended(x, n):
    def loss(x):
        return np.sum(much(x) ** 2)

    gradient = ag.grad(loss)
    x = x - 0.1 * gradient(x)
    for _ in range(n):
        x = x - 0.1 * gradient(x)
    return x, loss(x), loss(2.0 * x)


def test_numbers_that_it_gives_are_results():
    function = ag.to_graph(descended)
    found = function(X, 3)
    assert list(function.kernels(X, 3)) == ["descended"]
    np.testing.assert_allclose(found[1], np.sum(much(found[0]) ** 2), rtol=1e-13)
    np.testing.assert_allclose(found[2], np.sum(much(2.0 * found[0]) ** 2), rtol=1e-13)
    assert all(type(number) is np.float64 for number in found[1:])


def of_parameters(x, n):
    def loss(parameters):
        return np.sum(much(parameters["w"] * x + parameters["b"]) ** 2)

    gradient, parameters = ag.grad(loss), {"w": x, "b": 2.0 * x}
    found = gradient(parameters)
    for _ in range(n):
        parameters = {name: parameters[name] - 0.1 * found[name] for name in ("w", "b")}
        found = gradient(parameters)
    return parameters["w"], parameters["b"], found["w"]


def test_several_arrays_are_results_of_one_kernel():
    function = ag.to_graph(of_parameters)
    w, b, slope = function(X, 3)
    assert list(function.kernels(X, 3)) == ["of_parameters"]
    expected = ag.grad(lambda w: np.sum(much(w * X + b) ** 2))(w)
    np.testing.assert_allclose(slope, expected, rtol=1e-12)


def bends(v, d):
    re = 1e3 * abs(v) * d + 1e-9
    total = 0.0 * np.sin(v)
    for k, limit in enumerate((1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)):
        if re < limit:
            for n in range(3):
                total = total + k * np.log10(re + 1) - 0.01 * n * np.exp(-re / limit)
        elif d > 0.02 * k:
            total = total * 1.1 + 6 / (1 + np.sqrt(re)) + np.tanh(re / limit) * 0.1
    return total * v * abs(v)


def along(v, d):
    s = bends(v * 1.0, d)
    s = s + bends(v * 1.1, d + s * 1e-6)
    s = s + bends(v * 1.2, d + s * 1e-6)
    s = s + bends(v * 1.3, d + s * 1e-6)
    s = s + bends(v * 1.4, d + s * 1e-6)
    return s + bends(v * 1.5, d + s * 1e-6)


def test_passes_of_a_function_that_is_called_often():
    gradient = ag.grad(along, argnums=(0, 1))
    graphs = gradient.graph(0.31, 0.05).graphs
    assert [name.rpartition("_")[2] for name in graphs] == ["fwd", "bwd"]
    assert len(gradient.kernels(0.31, 0.05)) == 1
    assert not gradient.explain(0.31, 0.05).plain
    for at in ((0.31, 0.05), (-1e-3, 0.2), (4.0, 0.5)):
        ag.check_grads(along, at, order=1, rtol=1e-3)
