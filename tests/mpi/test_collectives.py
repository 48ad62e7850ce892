"""Collectives on arrays, compared with NumPy."""

import pytest

from tests.mpi.launch import launch

CHECKS = 8


@pytest.mark.parametrize("count, guard", [(1, "1"), (2, "1"), (3, "1"), (4, "1"), (2, "0")])
def test_collectives_do_what_numpy_does(count, guard):
    outcome = launch(count, "collectives.py", limit=120, AUTOGRAPH_COLLECTIVE_GUARD=guard)
    assert "differs" not in outcome.output, outcome.output
    assert outcome.code == 0, outcome.errors
    for label in ("all", "split", "in pieces"):
        assert outcome.output.count(f"{label} check_") == CHECKS * count
