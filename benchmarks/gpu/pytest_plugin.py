"""A plugin for pytest where time and the device may end.

What each test came to is in the file of results at once, and that it has begun before. After an
error that leaves the device unusable, such as an access outside of memory, no test in the process
means anything, and it ends, as it does where a test does not end; xdist starts another for the
rest. Tests for which no time is left are skipped, and slow ones come last. In a rehearsal the
device is the stand-in, and the tests are a few of all.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator

import pytest

from benchmarks.gpu import device, watchdog
from benchmarks.gpu.records import ABSENT, FAILED, RIGHT, Records

ENDS = "AUTOGRAPH_TESTS_END"  # the variable with the time, in seconds since 1970
RECORDS = "AUTOGRAPH_TESTS_RECORDS"  # the variable with the path of the file of results

SHARE = "AUTOGRAPH_TESTS_SHARE"  # the variable that says of how many tests a rehearsal runs one
_SHARE = "20"
_reports: list[pytest.TestReport] = []  # of the test that runs


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Let tests import the stand-in, if it is one, before their fixtures look for a device."""
    if device.rehearsing():
        device.cupy()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests last."""
    if device.rehearsing():
        items[:] = items[:: int(os.environ.get(SHARE, _SHARE))]
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write what a test comes to, in the process that runs it, which ends if that does not."""
    _reports.clear()
    if RECORDS not in os.environ:
        return (yield)
    records = Records(os.environ[RECORDS], "cases")
    records.begin(item.nodeid)

    def give_up(problem: str) -> None:
        records.end(item.nodeid, FAILED, error=problem)
        os._exit(1)

    with watchdog.watched(give_up):
        done = yield
    _write(records, item.nodeid)
    return done


def _write(records: Records, name: str) -> None:
    failed = [x.longreprtext[-3000:] for x in _reports if x.failed]
    skipped = [x.longreprtext for x in _reports if x.skipped]
    if failed:
        records.end(name, FAILED, error="\n".join(failed))
    elif skipped:
        records.end(name, ABSENT, why=skipped[0])
    else:
        records.end(name, RIGHT)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that comes too late."""
    if time.time() > float(os.environ.get(ENDS, "inf")):
        pytest.skip("no time is left")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep it; end the process if the device is lost."""
    _reports.append(report)
    if not report.failed or not device.is_lost(report.longreprtext):
        return
    if RECORDS in os.environ:
        _write(Records(os.environ[RECORDS], "cases"), report.nodeid)
    if "PYTEST_XDIST_WORKER" in os.environ:
        os._exit(1)
    pytest.exit(f"the device is lost after {report.nodeid}", returncode=1)
