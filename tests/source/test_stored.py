"""Conversions on disk: a second process converts nothing that is as it was."""

import os

import pytest

from tests.support.processes import LISTENING, file_of, printed, with_cache

# What the functions below find outside, and what stands behind them in their file.
BEFORE = """
    import numpy as np
    import helpers
    from helpers import array, called, replaced, values

    def reads(x):
        return x * array

    def calls(x):
        return called(x) + abs(x)

    def asks(x):
        return replaced(x, 0.0) + float(x > values)

    def outer():
        n = 1.0
        def inner(x):
            return x * n
        return inner{after}
"""
AFTER = """
        def other():
            nonlocal n
            n += 1.0
"""
MAIN = (
    LISTENING
    + """
    import sys
    import numpy as np
    import autograph as ag
    import functions
    inner = functions.outer()
    cases = [functions.reads, functions.calls, functions.asks, inner]
    for f in cases:
        compiled = ag.to_graph(f)
        assert np.all(compiled(2.0) == f(2.0)), f
        converted = sum("converted in" in message for message in messages)
        print(f.__name__, converted, repr(compiled.converted))
        messages.clear()
"""
)
HELPERS = """
    import numpy as np
    array = np.arange(3.0)
    def called(x):
        return x + 1.0
    replaced = np.maximum
    values = 1.5
"""


@pytest.fixture
def run(tmp_path):
    """What a process prints, in lines; all have one cache."""

    def run(helpers=HELPERS, after="", **environment):
        file_of(tmp_path / "helpers.py", helpers)
        file_of(tmp_path / "functions.py", BEFORE.replace("{after}", after))
        settings = {
            **with_cache(tmp_path),
            **environment,
        }
        lines = printed(file_of(tmp_path / "main.py", MAIN), **settings).splitlines()
        return {name: (int(count), text) for name, count, text in (x.split(" ", 2) for x in lines)}

    return run


@pytest.mark.slow
def test_a_second_process_converts_nothing(run):
    """It shows the same text to whoever asks for it."""
    first, second = run(), run()
    assert all(count for count, _ in first.values())
    assert not any(count for count, _ in second.values())
    texts = {name: text for name, (_, text) in first.items()}
    assert texts == {name: text for name, (_, text) in second.items()}
    assert run(AUTOGRAPH_CACHE_PROGRAMS="0") == first


@pytest.mark.slow
def test_what_the_passes_have_asked_is_asked_again(run):
    run()
    changed = HELPERS.replace("np.arange(3.0)", "2.0")  # no data any more
    changed = changed.replace("def called(x):", "def called(x, abs=abs):")
    changed = changed.replace("np.maximum", "lambda x, y: x - y")  # no function of NumPy's
    changed = changed.replace("1.5", "np.array(1.5)")
    found = run(changed)
    assert found["reads"][0] and found["asks"][0]


@pytest.mark.slow
def test_other_functions_around_one_may_assign_its_variables(run):
    """Its own code tells nothing of them."""
    first = run()
    second = run(after=AFTER)
    assert first["inner"][0] and second["inner"][0]
    assert run(after=AFTER)["inner"][0] == 0


@pytest.mark.slow
def test_a_damaged_conversion_is_none(run, tmp_path):
    first = run()
    folder = tmp_path / "cache"
    for name in os.listdir(folder):
        content = bytearray((folder / name).read_bytes())
        content[-1] ^= 1
        (folder / name).write_bytes(content)
    assert run() == first
