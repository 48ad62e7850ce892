"""Checks of an everyday program: what it does, its gradients, and its converted source."""

from autograph.source.load import convert
from tests.support.oracle import Call
from tests.support.side_by_side import same_tree


def check_program(call: Call) -> None:
    """It does what Python does, and its printed form is the program that was compiled."""
    call.run()
    assert same_tree(convert(call.function))
