"""Modules of this package are found and read as Python finds and reads them."""

import importlib.machinery
import importlib.util
import os
import py_compile
import sys

import pytest

import autograph
from autograph import reading
from tests.support.processes import file_of, printed

PARTS = ("name", "origin", "cached", "submodule_search_locations", "has_location", "parent")


def compiled_of(path):
    return importlib.util.cache_from_source(str(path))


def test_all_are_found_as_python_finds_them():
    names = [name for name in sys.modules if name.startswith(("autograph.", "ops."))]
    for name in names:
        folders = sys.modules[name.rpartition(".")[0]].__path__
        expected = importlib.machinery.PathFinder.find_spec(name, folders)
        found = reading.spec_of(name, folders[0])
        assert [getattr(found, p) for p in PARTS] == [getattr(expected, p) for p in PARTS]
    assert len(names) > 400


def test_what_is_no_file_of_python_is_left_to_python(tmp_path):
    (tmp_path / "folder").mkdir()
    assert reading.spec_of("ops.folder", str(tmp_path)) is None
    assert reading.spec_of("ops.absent", str(tmp_path)) is None
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'autograph\.absent'"):
        importlib.import_module("autograph.absent")
    for name in ("autograph.Errors", "numpy.linalg"):
        assert reading._Finder.find_spec(name, autograph.__path__) is None
    assert reading._Finder.find_spec("autograph", None) is None


def changed(path, text):
    """Write a source that is as long as the one before, later."""
    before = path.stat()
    path.write_text(text)
    os.utime(path, (before.st_atime + 10, before.st_mtime + 10))


@pytest.mark.parametrize("mode", [None, "TIMESTAMP", "CHECKED_HASH", "UNCHECKED_HASH"])
def test_code_is_that_of_the_source_however_it_was_compiled(tmp_path, mode):
    path = file_of(tmp_path / "module.py", "x = 1\n")
    found = reading.spec_of("ops.module", str(tmp_path)).loader

    def value(loader):
        names = {}
        exec(loader.get_code("ops.module"), names)
        return names["x"]

    if mode is not None:
        mode = py_compile.PycInvalidationMode[mode]
        py_compile.compile(str(path), compiled_of(path), invalidation_mode=mode)
    plain = importlib.machinery.SourceFileLoader("ops.module", str(path))
    assert value(found) == value(plain) == 1
    changed(path, "x = 2\n")
    assert value(found) == value(plain)
    os.makedirs(tmp_path / "__pycache__", exist_ok=True)
    with open(compiled_of(path), "wb") as file:
        file.write(b"no code")
    assert value(found) == value(plain) == 2


def test_code_of_a_folder_that_was_moved_tells_where_it_is(tmp_path):
    (tmp_path / "before").mkdir()
    path = file_of(tmp_path / "before" / "module.py", "x = 1\n")
    py_compile.compile(str(path), compiled_of(path), doraise=True)
    (tmp_path / "before").rename(tmp_path / "after")
    loader = reading.spec_of("ops.module", str(tmp_path / "after")).loader
    assert loader.get_code("ops.module").co_filename == str(tmp_path / "after" / "module.py")


HOOKED = """
import sys

class Hook:
    asked = []

    def find_spec(name, path=None, target=None):
        Hook.asked.append(name)

sys.meta_path.insert(0, Hook)
import autograph.errors
from autograph import reading

print("autograph.errors" in Hook.asked, type(autograph.errors.__loader__) is reading.Loader)
"""


def test_hooks_of_others_are_asked_first_and_other_places_of_code_are_kept_to(tmp_path):
    path = file_of(tmp_path / "program.py", HOOKED)
    assert printed(path) == "True True\n"
    assert printed("-O", path) == "True False\n"
    elsewhere = {"PYTHONPYCACHEPREFIX": str(tmp_path / "code")}
    assert printed(path, **elsewhere) == "True False\n"
    assert any((tmp_path / "code").rglob("errors*.pyc")) or sys.dont_write_bytecode
