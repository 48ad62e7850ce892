"""What tests of the stand-in for CuPy share."""

import os
import signal
import threading

import pytest


@pytest.fixture
def interrupts():
    """Sends Ctrl-C to this process a little later."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timers = []

    def send():
        timers.append(threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)))
        timers[-1].start()

    yield send
    for timer in timers:
        timer.join()
    signal.signal(signal.SIGINT, before)
