"""What `stages` shows: each pass with what it took and what it made."""

import numpy as np
import pytest

import autograph as ag
from autograph import passes
from autograph.api import pipeline
from autograph.codegen.program import Program
from autograph.graph.graph import Module
from autograph.kernels.native import available
from autograph.kernels.partition import Partition
from autograph.passes import Pass
from autograph.source import conversion

X = np.arange(1.0, 5.0)
NAMES = [
    step.name for step in (*conversion.PASSES, *pipeline.GRAPH_PASSES, *pipeline.PROGRAM_PASSES)
]
NAMES.insert(len(conversion.PASSES), "record")


@ag.to_graph
def doubled(x):
    y = x * 1.0 + 0.0
    while np.sum(y) < 100.0:
        if y[0] > 50.0:
            break
        y = y * 2.0
    return y


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


FUNCTIONS = {
    "plain": doubled,
    "gradient": ag.grad(lambda x: np.sum(doubled(x))),
    "pushed": ag.to_graph(lambda x: ag.jvp(doubled, (x,), (x,))),
    "lanes": ag.vmap(newton),
    "lanes of gradients": ag.vmap(ag.grad(newton)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_stage_begins_with_what_the_last_one_made(name):
    function = FUNCTIONS[name]
    stages = function.stages(X)
    assert list(stages) == NAMES
    for earlier, later in zip([*stages.values()], [*stages.values()][1:]):
        assert str(earlier.after) == str(later.before)
        assert earlier.seconds > 0.0 and earlier.does
    assert str(stages["ssa"].after) == function.converted.strip("\n") + "\n"
    assert str(stages["refuse"].after) == str(function.graph(X))
    assert str(stages["generate"].after) == str(function.program(X))


def test_what_is_before_and_after():
    stages = doubled.stages(X)
    assert "break" in stages["exits"].before and "break" not in stages["exits"].after
    assert "while" in stages["ssa"].before and "ops.while_loop" in stages["ssa"].after
    before, after = stages["simplify"].before, stages["simplify"].after
    assert isinstance(before, Module) and isinstance(after, Module)
    assert "multiply(x, 1.0)" in str(before) and "multiply(x, 1.0)" not in str(after)
    assert isinstance(stages["kernels"].after, Partition)
    assert isinstance(stages["generate"].after, Program)
    assert str(stages["kernels"].after).endswith(
        "# native kernels: doubled" if available() else "# native kernels: none"
    )


def test_a_stage_that_changes_nothing_says_so():
    stages = doubled.stages(X)
    assert not stages["erase"].changed
    assert stages["erase"].before is stages["erase"].after
    assert "changed nothing" in str(stages["erase"])
    assert stages["simplify"].changed
    text = str(stages["simplify"])
    assert "changed nothing" not in text
    assert str(stages["simplify"].before) in text and str(stages["simplify"].after) in text
    listed = str(stages).splitlines()
    assert [line.split()[0] for line in listed] == NAMES
    assert [n for n, line in zip(NAMES, listed) if "changed nothing" in line] == [
        name for name in NAMES if not stages[name].changed
    ]


@pytest.mark.skipif(not available(), reason="there are no native kernels")
def test_what_is_computed_for_many_lanes(monkeypatch):
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    stages = FUNCTIONS["lanes"].stages(X)
    assert "lanes(" in str(stages["record"].after)
    assert list(stages["kernels"].after.kernels)


def test_marks_of_what_is_computed_again():
    loss = ag.checkpoint(lambda x: np.sum(np.sin(np.exp(x))))
    stages = ag.grad(lambda x: loss(x) * 2.0).stages(X)
    assert "checkpoint" in str(stages["erase"].before)
    assert "checkpoint" not in str(stages["erase"].after)
    assert stages["kernels"].after.frees
    assert "recompute" in str(stages["kernels"].before)
    assert "recompute" not in str(stages["unmark"].after)


def test_functions_of_libraries_methods_and_shapes():
    class Model:
        @ag.to_graph
        def twice(self, x):
            return x * 2.0

    assert "x * 2.0" in Model().twice.stages(X)["desugar"].before
    spec = ag.ShapeDtypeStruct((4,), "float64")
    simplified = lambda stages: str(stages["simplify"].after)
    assert simplified(doubled.stages(spec)) == simplified(doubled.stages(X))
    assert simplified(ag.to_graph(np.exp).stages(X)) == str(ag.to_graph(np.exp).graph(X))


def test_programs_that_handle_exceptions():
    @ag.to_graph
    def guarded(x):
        try:
            if x[0] > 2.0:
                raise ValueError("large")
            y = x * 2.0
        except ValueError:
            y = x
        return y

    assert guarded.stages(X)["ssa"].after == guarded.converted


def test_it_compiles_nothing_for_calls():
    function = ag.to_graph(lambda x: x * 2.0)
    function.stages(X)
    assert len(function._cache) == 0


def test_passes_are_not_watched_unless_somebody_asks(monkeypatch):
    made, stage = [], passes.Stage
    monkeypatch.setattr(passes, "Stage", lambda *args: made.append(args) or stage(*args))
    function = ag.to_graph(lambda x: x * 3.0)
    np.testing.assert_array_equal(function(X), X * 3.0)
    assert not made
    function.stages(X)
    assert len(made) == len(NAMES)


def test_a_pass_of_ones_own(monkeypatch):
    """An entry of the list is run, in its place, and verified."""
    seen, checked = [], []

    def note(module, compilation):
        seen.append(str(module))
        return Module(module.main, module.graphs)

    own = Pass("note", "notes", note)
    monkeypatch.setattr(pipeline, "GRAPH_PASSES", (*pipeline.GRAPH_PASSES, own))
    monkeypatch.setattr(pipeline, "_CHECK", checked.append)
    function = ag.to_graph(lambda x: x * 3.0)
    np.testing.assert_array_equal(function(X), X * 3.0)
    assert seen == [str(function.graph(X))]
    assert any(made is function.graph(X) for made in checked)
    stages = function.stages(X)
    assert not stages["note"].changed and str(stages["note"].after) == seen[0]
