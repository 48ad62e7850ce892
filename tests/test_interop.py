"""`ag.interop` where the other frameworks are not installed; beside them, see `tests/peers`."""

import sys

import pytest

import autograph as ag
from autograph.errors import MissingLibraryError


def test_jax_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    squared = ag.interop.to_jax(lambda x: x * x)
    with pytest.raises(MissingLibraryError, match="pip install jax"):
        squared(2.0)


def test_torch_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    squared = ag.interop.to_torch(lambda x: x * x)
    with pytest.raises(MissingLibraryError, match="pip install torch"):
        squared(2.0)
