"""Kernels of a program that are alike are compiled once."""

import numpy as np

import autograph as ag
from autograph.kernels import codes


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
    y = np.linalg.solve(np.eye(3) * 2.0, x)
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
