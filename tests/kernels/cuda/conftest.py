"""What tests of the stand-in for CuPy share."""

import os
import signal
import threading
import time

import pytest

from autograph.kernels.cuda import printer
from tests.kernels.cuda.cupy_stand_in import stand_in
from tests.kernels.cuda.machine import ON_GPU


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


@pytest.fixture
def products_of_the_library(monkeypatch):
    """Products are the library's, where small ones in loops would be loops."""
    monkeypatch.setattr(printer, "with_small_products", lambda kernel: kernel)


@pytest.fixture
def gpu(monkeypatch):
    """A device, on which cuBLASLt refuses nothing."""
    with stand_in(monkeypatch) as made:
        yield made
    assert ON_GPU or made.cublaslt is None or not made.cublaslt.refused
