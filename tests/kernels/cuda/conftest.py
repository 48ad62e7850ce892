"""What tests of the stand-in for CuPy share."""

import os
import signal
import threading
import time

import pytest


@pytest.fixture
def interrupts():
    """Sends Ctrl-C to this process a little after something is so."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    waiting = []

    def wait(is_so):
        begun = time.monotonic()
        while not is_so() and time.monotonic() - begun < 60:
            time.sleep(0.01)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    def send(is_so=lambda: True):
        waiting.append(threading.Thread(target=wait, args=(is_so,)))
        waiting[-1].start()

    yield send
    for thread in waiting:
        thread.join()
    signal.signal(signal.SIGINT, before)
