"""Checks of an everyday program: what it does, its gradients, and its converted source."""

from oracle import Call
from side_by_side import same_tree

from autograph.source.load import convert


def check_program(call: Call) -> None:
    """It does what Python does, and its printed form is the program that was compiled."""
    call.run()
    assert same_tree(convert(call.function))
