"""Modules that run when something of them is first used."""

import importlib
import sys
import threading
from types import ModuleType

import pytest

from ops.core import later

BODY = """
import time
RUNS.append(1)
first = 1
time.sleep(0.05)
second = 2

def both():
    return first, second
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Makes a package with one module ``part``, which is put off; gives the package."""

    def made(body):
        name = f"put_off_{tmp_path.name}"
        folder = tmp_path / name
        folder.mkdir()
        (folder / "part.py").write_text(body)
        text = "from ops.core.later import put_off\n\nput_off(__name__, 'part')\n"
        (folder / "__init__.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        return importlib.import_module(name)

    yield made
    for name in [name for name in sys.modules if name.startswith("put_off_")]:
        del sys.modules[name]
        later.waiting.discard(name)


def test_it_runs_once_when_it_is_used(package):
    found = package("runs = globals().get('runs', 0) + 1\nvalue = [3]\n")
    name = f"{found.__name__}.part"
    part = importlib.import_module(name)
    assert found.part is part is sys.modules[name]
    assert part.__name__ == name and part.__file__.endswith("part.py")
    assert not hasattr(part, "__warningregistry__")  # which is asked of all modules
    assert name in later.waiting
    assert part.value == [3] and part.runs == 1
    assert name not in later.waiting and type(part) is ModuleType
    assert part.value is part.value and part.runs == 1
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'other'"):
        _ = part.other


def test_a_name_of_it_is_imported(package):
    found = package("value = 3\n")
    namespace = {}
    exec(f"from {found.__name__}.part import value", namespace)
    assert namespace["value"] == 3


def test_what_is_assigned_stays(package):
    found = package("value = 3\nother = 4\n")
    found.part.value = 5
    assert (found.part.value, found.part.other) == (5, 4)


def test_what_is_deleted_is_gone(package):
    """It was said that there is no such name."""
    found = package("value = 3\nother = 4\n")
    del found.part.value
    assert not hasattr(found.part, "value") and found.part.other == 4


def test_its_names_are_listed(package):
    assert "value" in dir(package("value = 3\n").part)


def test_one_that_raises_runs_again(package):
    found = package("if not ready: raise ValueError('not yet')\nvalue = 3\n")
    vars(found.part)["ready"] = False
    for _ in range(2):
        with pytest.raises(ValueError, match="not yet"):
            _ = found.part.value
    vars(found.part)["ready"] = True
    assert found.part.value == 3


def test_threads_find_all_of_it(package):
    found = package(BODY)
    runs = vars(found.part)["RUNS"] = []
    seen, start = [], threading.Barrier(4)

    def look():
        start.wait()
        seen.append((found.part.first, found.part.second, found.part.both()))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [(1, 2, (1, 2))] * 4 and len(runs) == 1
