"""Compiling leaves the collector of cyclic garbage as it was."""

import gc
import subprocess
import sys

import numpy as np
import pytest

import autograph as ag
from autograph import collector


@pytest.mark.parametrize("enabled", [True, False])
def test_it_waits_and_goes_on(enabled):
    seen = []

    def f(x):
        seen.append(gc.isenabled())
        return np.sin(x)

    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        ag.grad(f)(0.5)
        assert gc.isenabled() == enabled
        with pytest.raises(TypeError):
            ag.grad(lambda x: np.sin(x, "no"))(0.5)
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()
    assert seen == [False]


def test_importing_the_package_leaves_it_as_it_was():
    """Also where the import fails, as it does without the package of the operators."""
    program = (
        "import gc, sys; gc.{state}(); before = gc.isenabled()\n"
        "if {fails}: sys.modules['ops.core'] = None\n"
        "try:\n    import autograph\nexcept ImportError:\n    assert {fails}\n"
        "assert gc.isenabled() == before"
    )
    for state, fails in [("enable", False), ("disable", False), ("enable", True)]:
        subprocess.run([sys.executable, "-c", program.format(state=state, fails=fails)], check=True)


def test_what_an_import_makes_is_old():
    """Python need not go through it when the next objects are made; what was frozen stays so."""
    program = (
        "import gc\nif {freezes}: gc.freeze()\nbefore = gc.get_freeze_count()\nimport autograph\n"
        "assert before // 2 <= gc.get_freeze_count() <= before\n"
        "old = {{id(x) for x in gc.get_objects(generation=2)}}\n"
        "assert (id(autograph.__dict__) in old) != {freezes}"
    )
    for freezes in (False, True):
        subprocess.run([sys.executable, "-c", program.format(freezes=freezes)], check=True)


GROWING_OLD = """
import gc, weakref
from autograph import collector

class Ring:
    def __init__(self):
        self.own = self

@collector.collector_waits()
def make(many):
    garbage = [Ring() for _ in range(many)]
    return garbage[0]

ring = make(1)
made = weakref.ref(ring)
assert any(x is ring for x in gc.get_objects(generation=2))
del ring
before = collector._new
make(1000)
assert made() is not None and collector._new >= before + 1000
collector._most = collector._new + 100
make(1000)
assert made() is None
assert collector._new == 0 and collector._most >= collector._FEWEST
"""


def test_what_compiling_makes_is_old_and_garbage_goes_after_a_while():
    """Python need not go through all that was made when the next objects are made; so much garbage
    stays, but no more."""
    subprocess.run([sys.executable, "-c", GROWING_OLD], check=True)


def test_frozen_objects_are_not_counted_again_and_again(monkeypatch):
    """There may be millions of them, as in a server that freezes what it has before it forks."""
    asked = []
    monkeypatch.setattr(collector, "_somebody_freezes", False)
    monkeypatch.setattr(collector.gc, "get_freeze_count", lambda: asked.append(1) or 5)
    for n in range(3):
        ag.to_graph(lambda x: x + n)(0.5)
    assert len(asked) == 1
