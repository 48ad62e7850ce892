"""The benchmark of kernels: its programs give what NumPy gives by hand, and its report is whole."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy")

from benchmarks.beside import report
from benchmarks.beside.measure import measure
from benchmarks.beside.suite import close, mostly_equal
from benchmarks.beside.worker import _leaves
from benchmarks.kernels import SUITE
from benchmarks.kernels.peers import by_hand, ours
from benchmarks.kernels.rows import ROWS

SLOW = ("transformer", "black_scholes", "mandelbrot")


@pytest.mark.parametrize("peer", [ours, by_hand])
def test_every_row_is_there_or_refused_with_a_reason(peer):
    assert set(peer.MAKERS) | set(peer.REFUSES) == set(ROWS)
    assert not set(peer.MAKERS) & set(peer.REFUSES)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name in by_hand.MAKERS
    ],
)
def test_compiled_rows_give_what_numpy_gives(name):
    row = ROWS[name]
    results, expected = (
        [np.asarray(leaf) for leaf in _leaves(peer.MAKERS[name](*row.arguments())())]
        for peer in (ours, by_hand)
    )
    assert row.same(results, expected)
    assert [r.dtype for r in results] == [e.dtype for e in expected]


def test_results_that_differ_are_not_the_same():
    expected = [np.array([1.0, 2.0]), np.array(3.0)]
    assert close([np.array([[1.0], [2.0]]), np.array([3.0])], expected)
    assert not close([np.array([1.0, 2.0 + 1e-6]), np.array(3.0)], expected)
    assert not close([np.array([1.0, np.nan]), np.array(3.0)], expected)
    counts = np.arange(1000)
    assert mostly_equal([np.where(counts < 4, -1, counts)], [counts])
    assert not mostly_equal([np.where(counts < 6, -1, counts)], [counts])


@pytest.mark.slow
def test_two_processes_are_measured_and_reported():
    (results,) = measure(SUITE, ["autograph", "NumPy"], ["call"], rounds=5, threads=1, twice=False)
    entries = results.entries["call"]
    assert set(entries) == {"autograph", "NumPy"}
    for entry in entries.values():
        assert entry.reason is None
        assert len(entry.turns) == 5
        assert 0.0 < entry.seconds < 1.0
        assert entry.first > 0.0
    times, *_ = report.tables(SUITE, results)
    (line,) = times.rows
    assert line[0] == "call, one array"
    assert line[-2].startswith("NumPy ")


def test_a_peer_that_cannot_be_imported_is_left_out(capsys):
    (results,) = measure(SUITE, ["nobody", "NumPy"], ["call"], rounds=5, threads=1, twice=False)
    assert set(results.entries["call"]) == {"NumPy"}
    assert "nobody is left out" in capsys.readouterr().err
