"""Operators whose result depends on more of a number's type than promotion says, where its type
depends on the path."""

import itertools
import linecache

import numpy as np
import pytest

import autograph as ag

_KINDS = (
    "k",
    "k * 0.5",
    "np.float64(k)",
    "np.float16(k)",
    "k > 2",
    "np.bool_(k > 2)",
    "np.int8(k)",
)
_numbers = itertools.count()


def function_of(first, second, shown):
    lines = (f"y = {first}", f"if c > 0.5: y = {second}", f"return {shown}")
    text = "\n    ".join(["def f(k, c):", *lines]) + "\n"
    name = f"<in each type {next(_numbers)}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    namespace = {"np": np}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("second", _KINDS)
@pytest.mark.parametrize("shown", ["1j * y", "1j - y", "y * 1j", "y ** 2", "y ** 3"])
def test_the_type_is_that_of_the_path(second, shown):
    for first in ("np.float64(k)", "np.bool_(k > 2)", "k"):
        if first == second:
            continue
        function = function_of(first, second, shown)
        compiled = ag.to_graph(function)
        for args in ((3, 0.2), (2, 0.9)):
            assert repr(compiled(*args)) == repr(function(*args)), (first, second, args)
