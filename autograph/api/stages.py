"""What each pass makes of a function: see `autograph.passes` for what a pass is."""

from __future__ import annotations

from autograph.api.pipeline import optimized, program_of
from autograph.api.recording.ahead import Lowered
from autograph.api.recording.recorded import source_of
from autograph.graph.graph import Module
from autograph.passes import Pass, Stages
from autograph.source.load import watched


def _recorded(_: str, lowered: Lowered) -> Module:
    return lowered.traced.module


_RECORD = Pass("record", "run on symbolic values, the converted source gives a graph", _recorded)


def stages_of(lowered: Lowered) -> Stages:
    """The stages of a recorded function, from its source to its program.

    All passes but the recording are run now, once more. Functions that it calls have a source of
    their own; they are seen from the graph on.
    """
    stages = Stages()
    watched(source_of(lowered.source), lowered.conversion, stages.add)
    converted = stages["ssa"].after
    stages.add(_RECORD, converted, _RECORD.run(converted, lowered), lowered.seconds)
    graph = optimized(lowered.traced.module, lowered.compilation, stages.add)
    program_of(graph, lowered.compilation, stages.add)
    return stages
