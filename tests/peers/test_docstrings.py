"""The examples of `ag.interop`, beside the frameworks."""

import pytest

import autograph as ag
from tests.support.docstrings import failures


@pytest.mark.parametrize("name, framework", [("to_torch", "torch"), ("to_jax", "jax")])
def test_examples(name, framework):
    pytest.importorskip(framework)
    assert not failures(getattr(ag.interop, name), name)
