"""The example of `ag.interop.to_torch`, beside torch."""

import autograph as ag
from tests.support.docstrings import failures


def test_to_torch():
    assert not failures(ag.interop.to_torch, "to_torch")
