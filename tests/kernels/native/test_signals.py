"""Signals that come while LLVM is at work, or something else that is whole or not at all."""

import signal
import threading

import numpy as np
import pytest

import autograph as ag
from autograph import signals
from autograph.kernels.native import compiler


@pytest.fixture(autouse=True)
def _ctrl_c_is_pythons():
    """A shell that starts a process behind itself makes it ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_handlers_wait():
    done = []
    with pytest.raises(KeyboardInterrupt), signals.waiting():
        with signals.waiting():
            signal.raise_signal(signal.SIGINT)
            done.append(1)
        done.append(2)
    assert done == [1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_exception_ends_it_as_well():
    with pytest.raises(ZeroDivisionError), signals.waiting():
        raise ZeroDivisionError
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt) as caught, signals.waiting():
        signal.raise_signal(signal.SIGINT)
        raise ZeroDivisionError
    assert isinstance(caught.value.__context__, ZeroDivisionError)


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="the system has no such signal")
def test_handlers_of_the_users_are_called_with_what_came(monkeypatch):
    came = []
    before = signal.signal(signal.SIGUSR1, lambda *given: came.append(given))
    try:
        with signals.waiting():
            signal.raise_signal(signal.SIGUSR1)
            assert not came
        assert [number for number, _ in came] == [signal.SIGUSR1]
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_other_threads_have_no_handlers():
    def work():
        with signals.waiting():
            handlers.append(signal.getsignal(signal.SIGINT))

    handlers = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]


@pytest.mark.parametrize("where", ["parse_assembly", "create_pass_builder", "_machine", "link"])
def test_ctrl_c_while_a_kernel_is_made(monkeypatch, where):
    """llvmlite frees what it has in several steps: with an exception in between, twice."""
    import llvmlite.binding as llvm

    places = {"_machine": (compiler, where), "link": (llvm.JITLibraryBuilder, where)}
    owner, name = places.get(where, (llvm, where))
    works, left = getattr(owner, name), []

    def interrupted(*args, **more):
        signal.raise_signal(signal.SIGINT)
        result = works(*args, **more)
        left.append(where)
        return result

    def function(x):
        total = 0.0
        for k in range(len(x)):
            total += np.sin(x[k]) * len(where)
        return total

    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", "")
    compiled = ag.to_graph(function)
    x = np.linspace(0.0, 1.0, 50)
    monkeypatch.setattr(owner, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        compiled(x)
    assert left
    monkeypatch.setattr(owner, name, works)
    assert np.isclose(compiled(x), function(x))
