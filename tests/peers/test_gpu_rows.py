"""What `make gpu` compares with gives the same, on a CPU: a row beside another result is not
measured."""

import numpy as np
import pytest

from benchmarks.gpu import rows


@pytest.fixture
def torch(monkeypatch):
    """PyTorch with the GPU's functions left out, and no compiler, which takes seconds a row."""
    found = pytest.importorskip("torch")
    monkeypatch.setattr(found.Tensor, "cuda", lambda self: self)
    monkeypatch.setattr(found, "compile", lambda function, **how: function)
    monkeypatch.setattr(found.cuda, "synchronize", lambda: None)
    return found


@pytest.fixture
def jax():
    """JAX, whose precision of products is what it was, afterwards."""
    found = pytest.importorskip("jax")
    before = found.config.jax_default_matmul_precision
    yield found
    found.config.update("jax_default_matmul_precision", before)


def result(peer, row):
    """Whether a peer has our result."""
    args = row.arguments(1e-5)
    expected = rows.transformed(row.name)(*args)
    way, finish, to_host = peer(row.name, args)
    found = to_host(way())
    finish()
    return rows._same(row, found, expected)


@pytest.mark.parametrize("row", rows.ROWS, ids=lambda row: row.name)
def test_jax(jax, row):
    assert result(rows._jax, row)
    assert jax.config.jax_default_matmul_precision == "highest"  # no TF32


@pytest.mark.parametrize("row", rows.ROWS, ids=lambda row: row.name)
def test_torch(torch, row):
    if row.name == "newton_lanes":
        with pytest.raises(LookupError):
            rows._torch(row.name, row.arguments(1e-5))
        return
    assert result(rows._torch, row)
    assert not torch.backends.cuda.matmul.allow_tf32


def test_another_result_is_not_the_same():
    row = next(x for x in rows.ROWS if x.name == "selu")
    (x,) = row.arguments(1e-5)
    assert not rows._same(row, x + np.float32(0.1), x)
