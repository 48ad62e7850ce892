"""What handlers of signals raise while a function is compiled is no failure to compile."""

import functools
import os
import signal
import threading

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
import ops
from autograph import cache
from autograph.errors import OptionError, PerformanceWarning
from autograph.graph.graph import Constant
from autograph.kernels import codes, program
from autograph.kernels.native import kernels
from autograph.signals import raised_by_handler
from autograph.transforms.simplify.identities import Application, simpler
from ops.core.types import type_of

pytestmark = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals are for others"
)


class Late:
    def __call__(self, number, frame):
        raise TimeoutError("late")

    def method(self, number, frame):
        self(number, frame)


def late(number, frame):
    raise TimeoutError("late")


@pytest.fixture
def handled():
    before = signal.getsignal(signal.SIGUSR1)
    signal.signal(signal.SIGUSR1, late)
    yield
    signal.signal(signal.SIGUSR1, before)


@pytest.fixture
def not_strict(monkeypatch):
    monkeypatch.setattr(program, "VERIFY", False)


def with_signal(function):
    """The function, with a signal at its first call."""
    pending = [signal.SIGUSR1]

    @functools.wraps(function)
    def called(*args, **kwargs):
        if pending:
            signal.raise_signal(pending.pop())
        return function(*args, **kwargs)

    return called


@pytest.mark.parametrize(
    "handler", [late, Late(), Late().method, functools.partial(late), lambda *args: late(*args)]
)
def test_exceptions_of_handlers_are_told_from_others(handled, handler):
    signal.signal(signal.SIGUSR1, handler)
    with pytest.raises(TimeoutError) as raised:
        signal.raise_signal(signal.SIGUSR1)
    assert raised_by_handler(raised.value)
    with pytest.raises(OSError) as raised:
        os.stat("/nowhere/at/all")
    assert not raised_by_handler(raised.value)


def test_a_timeout_while_machine_code_is_made(handled, not_strict, monkeypatch):
    monkeypatch.setattr(codes, "compile_kernel", with_signal(codes.compile_kernel))
    f = ag.to_graph(lambda x: np.sum(x * 2.0))
    with pytest.raises(TimeoutError, match="late"):
        f(np.ones(3))
    assert f(np.ones(3)) == 6.0


@pytest.mark.parametrize("name", ["open", "fstat", "replace"])
def test_a_timeout_while_the_cache_is_read_or_written(handled, monkeypatch, tmp_path, name):
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", str(tmp_path))
    key = cache.key("a text")
    monkeypatch.setattr(os, name, with_signal(getattr(os, name)))
    with pytest.raises(TimeoutError):
        cache.store(key, b"contents")
        cache.load(key)
    cache.store(key, b"contents")
    assert cache.load(key) == b"contents"


def test_a_timeout_while_constants_are_folded(handled, monkeypatch):
    """It does not look like an operator that raises."""
    evaluate, operator = with_signal(np.exp), ops.exp
    monkeypatch.setattr(operator, "evaluate", lambda xp, inputs, attrs: evaluate(*inputs))
    zero = np.float64(0.0)
    application = Application(operator, (Constant(zero),), {})
    folded = functools.partial(simpler, application, [type_of(zero)])
    with pytest.raises(TimeoutError):
        folded()
    assert folded()[0].data == 1.0


def test_a_wrong_setting_is_told(not_strict, monkeypatch, recwarn):
    def refuses():
        raise OptionError("0 threads", id="AG0616")

    monkeypatch.setattr(kernels, "runtime", refuses)
    f = ag.to_graph(lambda x: np.sum(x * 3.0))
    with pytest.raises(OptionError, match="AG0616"):
        f(np.ones(3))
    assert not [w for w in recwarn if issubclass(w.category, PerformanceWarning)]
