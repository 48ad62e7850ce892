"""A recording to try the functions of `staging` in: symbolic values, and what they are when the
program runs.

    def test_add(recording):  # the fixture of `tests/staging/conftest.py`
        x = recording.given(2.0)
        assert recording.run(x + 1.0) == 3.0

Each value that is `given` is an input of the graph, of which only the run knows what it is: here it
is what it was given as.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph.backends.select import is_array
from autograph.graph.builder import Builder
from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Module
from autograph.staging.arrays.array import GraphArray
from autograph.staging.dispatch import GraphRecorder
from autograph.staging.ground.effort import Effort
from ops.core.types import ArrayType, type_of
from tests.support.interpret import interpret


class RecordingOfTest:
    """One that is active while a test runs.

    Attributes:
        recorder: what values ask; see `autograph.staging.ground.recorder`.
        builder: of the graph.
    """

    def __init__(self, recorder: GraphRecorder, builder: Builder):
        self.recorder = recorder
        self.builder = builder
        self._arguments: list[Any] = []

    def given(self, argument: Any, type: ArrayType | None = None) -> GraphArray:
        """An argument; its type may leave open what only the run is to know."""
        self._arguments.append(argument)
        box = GraphArray(self.builder.input(type or type_of(argument)))
        box.is_array = is_array(argument) and not np.ndim(argument)
        return box

    def vector(self, *numbers: float) -> GraphArray:
        """An array of floats whose length is known only at run time."""
        return self.given(np.array(numbers), ArrayType(np.dtype("f8"), (None,)))

    def run(self, *results: Any) -> Any:
        """What results are when the program runs, one by itself.

        Raises:
            Exception: what the program raises.
        """
        graph = self.builder.finish([self.recorder.value_of(result) for result in results])
        outputs = interpret(Module(graph, dict(self.builder.graphs)), *self._arguments)
        return outputs[0] if len(outputs) == 1 else outputs

    def ops(self) -> list[str]:
        """The names of the operators recorded by now."""
        return [node.op.name for node in self.builder.nodes]


@contextmanager
def recording_of_test(**options: Any) -> Iterator[RecordingOfTest]:
    """A recording that is active inside.

    Args:
        options: of `GraphRecorder`.
    """
    machine = Capabilities(native=False, cuda=False, refuses_lane=lambda *graphs: None)
    recorder = GraphRecorder("test", Effort(100_000), machine, **options)
    with recorder.active(), recorder.builder("test") as builder:
        yield RecordingOfTest(recorder, builder)
