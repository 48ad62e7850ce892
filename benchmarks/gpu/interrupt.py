"""Ctrl-C ends a kernel that does not end by itself, and the next call is right."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import numpy as np

import autograph as ag
from autograph.kernels.cuda import flag
from benchmarks.gpu import device

_AFTER = 0.5  # seconds


def halved(x):
    """A loop that does not end for infinity."""
    while x > 1.0:
        x = x * 0.5
    return x


def check(cupy: Any) -> tuple[str, dict[str, float]]:
    """What is wrong, or nothing; and how long it took until the kernel had ended."""
    x = np.linspace(1.0, 1e6, 300)
    endless = np.where(x == x[7], np.inf, x)
    compiled = ag.vmap(halved)
    expected = np.array([halved(v) for v in x])
    if not np.array_equal(device.on_host(compiled(device.on_device(x))), expected):
        return "wrong before", {}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(_AFTER, _interrupting(cupy))
    begun = time.perf_counter()
    try:
        timer.start()
        compiled(device.on_device(endless))
        return "it ended by itself", {}
    except KeyboardInterrupt:
        taken = {"ms until it ended": 1e3 * (time.perf_counter() - begun - _AFTER)}
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    after = device.on_host(compiled(device.on_device(x)))
    return "" if np.array_equal(after, expected) else "wrong afterwards", taken


def _interrupting(cupy: Any) -> Any:
    """What a thread does for Ctrl-C. The stand-in has the interpreter while it computes: there the
    thread sets this one's flag itself."""
    if device.rehearsing():
        return flag.flag_of(cupy, 0).set
    return lambda: os.kill(os.getpid(), signal.SIGINT)
