"""The peers of the benchmark of programs give what NumPy gives, or what is compiled here."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from benchmarks.beside.suite import regrouped
from benchmarks.beside.worker import _leaves
from benchmarks.programs.peers import by_hand, ours
from benchmarks.programs.rows import PROGRAMS, ROWS


def peer_of(library):
    pytest.importorskip(library)
    return importlib.import_module(f"benchmarks.programs.peers.{library}")


@pytest.mark.parametrize("library", ["numba", "jax", "torch"])
def test_every_row_is_there_or_refused_with_a_reason(library):
    peer = peer_of(library)
    assert set(peer.MAKERS) | set(peer.REFUSES) == {row.maker for row in ROWS.values()}
    assert not set(peer.MAKERS) & set(peer.REFUSES)


@pytest.mark.parametrize("name", dict.fromkeys(row.maker for row in ROWS.values()))
@pytest.mark.parametrize("library", ["numba", "jax", "torch"])
def test_peers_give_the_same(library, name):
    peer = peer_of(library)
    if name not in peer.MAKERS:
        pytest.skip(peer.REFUSES[name])
    program = PROGRAMS[name.removesuffix(" forward")]
    args = program.arguments(program.small)
    oracle = by_hand if name in by_hand.MAKERS else ours
    expected = [np.asarray(leaf) for leaf in _leaves(oracle.MAKERS[name](*args)())]
    results = [np.asarray(peer.to_numpy(leaf)) for leaf in _leaves(peer.MAKERS[name](*args)())]
    for result, reference in zip(regrouped(results, expected), expected):
        np.testing.assert_allclose(result, reference, rtol=1e-8, atol=1e-10)
