"""What conversion makes grows no faster than the source, and it is made once."""

import itertools
from collections import Counter

import gast
import numpy as np
import pytest

import autograph as ag
from autograph.source import load
from autograph.source.tree.parse import nested_codes
from benchmarks import conversion
from tests.support.call_counts import count_calls


def sizes(text: str, folder) -> tuple[int, int, int]:
    """Characters printed, without margins and origins; nodes of the tree; bytes of code."""
    function = conversion.fresh(text, folder)
    form = load.convert(function)
    printed = sum(len(line.partition("  # ")[0].strip()) for line in form.text.splitlines())
    codes = nested_codes(form.instantiate(function, lambda name, value: value).__code__)
    return printed, sum(1 for _ in gast.walk(form.tree)), sum(len(code.co_code) for code in codes)


@pytest.mark.parametrize("make, smaller, larger", [
    (conversion.nested, 3, 12),
    (conversion.repeated, 1, 8),
])  # fmt: skip
def test_size_is_linear(make, smaller, larger, tmp_path):
    first, second = sizes(make(smaller), tmp_path), sizes(make(larger), tmp_path)
    growth = make(larger).count("\n") / make(smaller).count("\n")
    for a, b in zip(first, second):
        assert b <= 1.5 * growth * a, (first, second, growth)


def chain(count: int) -> str:
    """The source of a function with so many variables, each made of the one before."""
    lines = [f"    x{i} = x{i - 1} * 2 - 1" for i in range(1, count + 1)]
    return "\n".join(["def chain(x0):", *lines, f"    return x{count}", ""])


def test_the_work_is_linear(tmp_path):
    work = []
    for count in 40, 320:
        function = conversion.fresh(chain(count), tmp_path)
        counts = count_calls(lambda function=function: load.convert(function))
        work.append(counts["call"] + counts["c_call"])
    assert work[1] <= 1.2 * 8 * work[0], work


def test_a_function_is_parsed_and_converted_once(monkeypatch):
    def helper(x):
        return x * 2 if np.sum(x) > 0 else x

    def program(x, n):
        for _ in range(n):
            x = helper(x) + 1
        return x

    counts = Counter()

    def count(module, name):
        original = getattr(module, name)

        def counted(*args):
            counts[name] += 1
            return original(*args)

        monkeypatch.setattr(module, name, counted)

    count(load, "parse")
    count(load.conversion(), "converted")
    compiled = ag.to_graph(program)
    for x in (1.0, 2, np.ones(2), np.ones(3), np.ones((2, 2)), np.ones(3, dtype=np.float32)):
        compiled(x, 2)
    ag.grad(lambda x: np.sum(program(x, 3)))(np.ones(2))
    ag.to_graph(program)(1.0, 3)
    assert counts == {"parse": 3, "converted": 3}


def test_a_long_file_is_only_looked_through_where_the_function_is(tmp_path):
    others = "\n".join(f"def other_{i}(x):\n    return x + {i}\n\n" for i in range(300))
    text, numbers = conversion.repeated(1), itertools.count()

    def work(before: str) -> int:
        path = tmp_path / f"file_{next(numbers)}.py"
        path.write_text(f"import numpy as np\n\n\n{before}{text}")
        function = conversion.fresh_module(path).mixed
        return count_calls(lambda: load.convert(function))["call"]

    work("")  # what is done once
    more, less = work(others), work("")
    assert more - less <= 300 * 11, f"{less} calls become {more}"  # to see that it is another one
