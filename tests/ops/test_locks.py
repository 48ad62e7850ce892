"""Locks that a fork waits for."""

import os

import pytest

from ops.core.locks import around_forks


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing to fork")
def test_what_a_fork_has_not_begun_it_does_not_end():
    """While a fork waits for a lock, another thread may make the next; that was released, though
    nobody had taken it."""
    called = []

    def late():
        if not called:
            around_forks(*(lambda name=name: called.append(name) for name in ("a", "b", "c")))
            called.append("made")

    around_forks(late, lambda: None, lambda: None)
    for expected in (["made"], ["made", "a", "b"]):
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        assert called == expected
