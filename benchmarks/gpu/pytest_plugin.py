"""A plugin for pytest where time and the device may end.

After an error that leaves the device unusable, such as an access outside of memory, no test in the
process means anything, and it ends; xdist starts another for the rest. Tests for which no time is
left are skipped, and slow ones come last. In a rehearsal the device is the stand-in, and the tests
are a few of all.
"""

from __future__ import annotations

import os
import time

import pytest

from benchmarks.gpu import device

ENDS = "AUTOGRAPH_TESTS_END"  # the variable with the time, in seconds since 1970

_REHEARSED = 100  # of so many tests a rehearsal runs one


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Let tests import the stand-in, if it is one, before their fixtures look for a device."""
    if device.rehearsing():
        device.cupy()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests last."""
    if device.rehearsing():
        items[:] = items[::_REHEARSED]
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that comes too late."""
    if time.time() > float(os.environ.get(ENDS, "inf")):
        pytest.skip("no time is left")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """End the process."""
    if not report.failed or not device.is_lost(report.longreprtext):
        return
    if "PYTEST_XDIST_WORKER" in os.environ:
        os.write(2, f"\n{report.nodeid}\n{report.longreprtext[-2000:]}\n".encode())
        os._exit(1)
    pytest.exit(f"the device is lost after {report.nodeid}", returncode=1)
