"""Compiled kernels on disk."""

import logging
import os
import stat
import subprocess
import sys
import textwrap
import time

import pytest

from autograph import cache
from autograph.errors import OptionError
from tests.support.processes import printed

NAME = cache.key("a text")
OTHER = cache.key("another text")


@pytest.fixture(autouse=True)
def messages(caplog, monkeypatch):
    """What is logged."""
    monkeypatch.setattr(logging.getLogger("autograph"), "propagate", True)
    cache._checked.cache_clear()
    cache._warned.clear()
    cache._writes = 0
    with caplog.at_level(logging.INFO, "autograph"):
        yield caplog
    cache._checked.cache_clear()
    cache._warned.clear()


@pytest.fixture
def directory(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", str(tmp_path / "deep" / "cache"))
    return tmp_path / "deep" / "cache"


def warnings(messages):
    return [record.getMessage() for record in messages.records if record.levelname == "WARNING"]


def new_process():
    """As a process that has not looked at the directory yet."""
    cache._checked.cache_clear()
    cache._warned.clear()


# -- storing and loading ---------------------------------------------------------------------------


@pytest.mark.parametrize("contents", [b"", b"x", bytes(range(256)) * 100])
def test_what_is_stored_is_loaded(directory, contents):
    assert cache.load(NAME) is None
    cache.store(NAME, contents)
    assert cache.load(NAME) == contents
    assert cache.load(OTHER) is None
    assert os.listdir(directory) == [NAME]
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert stat.S_IMODE((directory / NAME).stat().st_mode) == 0o600


def test_keys_tell_everything_apart():
    keys = [
        cache.key(*parts)
        for parts in [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("", "abc")]
    ]
    assert len(set(keys)) == 5
    assert cache.key("ab", "c") == keys[0]


def test_storing_again_replaces(directory):
    cache.store(NAME, b"old")
    cache.store(NAME, b"new")
    assert cache.load(NAME) == b"new"


def test_an_empty_variable_turns_it_off(monkeypatch, tmp_path):
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache.store(NAME, b"contents")
    assert cache.load(NAME) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "darwin", reason="it has another place for caches")
@pytest.mark.parametrize("given", ["absolute", "relative", None])
def test_the_default_directory(monkeypatch, tmp_path, given):
    monkeypatch.delenv("AUTOGRAPH_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    place = {"absolute": str(tmp_path / "elsewhere"), "relative": "elsewhere", None: ""}[given]
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    cache.store(NAME, b"contents")
    base = tmp_path / ("elsewhere" if given == "absolute" else ".cache")
    assert (base / "autograph" / "kernels" / NAME).exists()


def test_a_home_directory_in_the_variable(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", "~/mine")
    cache.store(NAME, b"contents")
    assert (tmp_path / "mine" / NAME).exists()


def test_a_directory_that_cannot_be_made(monkeypatch, tmp_path, messages):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", str(tmp_path / "file" / "cache"))
    cache.store(NAME, b"contents")
    assert cache.load(NAME) is None
    assert "there is no cache" in messages.text


def test_a_directory_that_disappears(directory):
    cache.store(NAME, b"contents")
    (directory / NAME).unlink()
    directory.rmdir()
    cache.store(NAME, b"contents")
    assert cache.load(NAME) is None


# -- damage ----------------------------------------------------------------------------------------


def damaged(whole):
    middle = len(whole) // 2
    yield "empty", b""
    yield "one byte less", whole[:-1]
    yield "half", whole[:middle]
    yield "the head", whole[:20]
    yield "longer", whole + b"x"
    yield "a bit", whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    yield "another format", b"autograph object 0\n" + whole[19:]
    yield "the checksum", whole[:25] + bytes([whole[25] ^ 128]) + whole[26:]
    yield "something else", b"#!/bin/sh\n" * 100


def test_damaged_files_are_ignored_and_replaced(directory, messages):
    cache.store(NAME, b"contents" * 10)
    whole = (directory / NAME).read_bytes()
    for what, contents in damaged(whole):
        (directory / NAME).write_bytes(contents)
        assert cache.load(NAME) is None, what
        cache.store(NAME, b"contents" * 10)
        assert cache.load(NAME) == b"contents" * 10, what
    assert not warnings(messages)


def test_a_file_under_another_name_is_ignored(directory):
    cache.store(NAME, b"contents")
    (directory / NAME).rename(directory / OTHER)
    assert cache.load(OTHER) is None


def test_links_pipes_and_directories_are_ignored(directory, tmp_path):
    cache.store(NAME, b"contents")
    (directory / NAME).rename(tmp_path / "elsewhere")
    (directory / NAME).symlink_to(tmp_path / "elsewhere")
    assert cache.load(NAME) is None
    (directory / NAME).unlink()
    os.mkfifo(directory / NAME)
    assert cache.load(NAME) is None  # without waiting
    cache.store(NAME, b"contents")
    assert cache.load(NAME) == b"contents"
    (directory / NAME).unlink()
    (directory / NAME).mkdir()
    assert cache.load(NAME) is None
    cache.store(NAME, b"contents")
    assert os.listdir(directory) == [NAME]  # and nothing is left behind


# -- trust -----------------------------------------------------------------------------------------

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o702])
def test_a_directory_others_can_write_to_is_refused(directory, messages, mode):
    directory.mkdir(parents=True)
    directory.chmod(mode)
    cache.store(NAME, b"contents")
    assert cache.load(NAME) is None
    assert os.listdir(directory) == []
    (warning,) = warnings(messages)  # once
    assert "can be written to by other users" in warning and str(directory) in warning


@AS_ROOT
def test_a_directory_of_another_user_is_refused(directory, messages):
    cache.store(NAME, b"contents")
    os.chown(directory, 12345, 12345)
    new_process()
    assert cache.load(NAME) is None
    cache.store(OTHER, b"contents")
    assert os.listdir(directory) == [NAME]
    (warning,) = warnings(messages)
    assert "belongs to another user" in warning


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_others_can_write_to_is_refused(directory, messages, mode):
    cache.store(NAME, b"contents")
    (directory / NAME).chmod(mode)
    assert cache.load(NAME) is None
    assert cache.load(NAME) is None
    assert len(warnings(messages)) == 1
    cache.store(NAME, b"contents")
    assert cache.load(NAME) == b"contents"


@AS_ROOT
def test_a_file_of_another_user_is_refused(directory, messages):
    cache.store(NAME, b"contents")
    os.chown(directory / NAME, 12345, 12345)
    assert cache.load(NAME) is None
    assert "belongs to another user" in warnings(messages)[0]


def test_a_directory_that_others_can_read_will_do(directory):
    directory.mkdir(parents=True)
    directory.chmod(0o755)
    cache.store(NAME, b"contents")
    assert cache.load(NAME) == b"contents"


# -- size ------------------------------------------------------------------------------------------


def test_what_was_not_used_for_longest_is_removed(directory, monkeypatch):
    monkeypatch.setattr(cache, "_MEASURED", 1)
    monkeypatch.setenv("AUTOGRAPH_CACHE_SIZE", "5000")
    names = [cache.key(str(i)) for i in range(6)]
    for i, name in enumerate(names[:4]):
        cache.store(name, bytes(1000))
        os.utime(directory / name, (time.time() - 10_000 + i, time.time() - 10_000 + i))
    assert cache.load(names[0]) is not None  # which counts as a use
    cache.store(names[4], bytes(1000))
    kept = set(os.listdir(directory))
    assert names[4] in kept and names[0] in kept
    assert names[1] not in kept and names[2] not in kept
    assert sum((directory / name).stat().st_size for name in kept) <= 5000


def test_many_files(directory, monkeypatch):
    """Their size is found out from some of them, as long as it is far from the limit."""
    directory.mkdir(parents=True, mode=0o700)
    names = [cache.key(str(i)) for i in range(cache._MANY + 100)]
    for i, name in enumerate(names):
        (directory / name).write_bytes(bytes(1000))
        os.utime(directory / name, (i, i))
    monkeypatch.setenv("AUTOGRAPH_CACHE_SIZE", str(10_000_000))
    cache.store(NAME, b"contents")
    assert len(os.listdir(directory)) == len(names) + 1
    monkeypatch.setattr(cache, "_MEASURED", 1)
    monkeypatch.setenv("AUTOGRAPH_CACHE_SIZE", str(400_000))
    cache.store(OTHER, b"contents")
    kept = os.listdir(directory)
    assert 250 <= len(kept) <= 302 and OTHER in kept and names[-1] in kept and names[0] not in kept


def test_a_size_of_nothing(directory, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CACHE_SIZE", "0")
    cache.store(NAME, b"contents")
    assert os.listdir(directory) == []


def test_what_unfinished_writers_left_is_removed(directory, monkeypatch):
    directory.mkdir(parents=True, mode=0o700)
    for name in ("new-old", "new-young", "README"):
        (directory / name).write_bytes(b"x")
    os.utime(directory / "new-old", (1, 1))
    cache.store(NAME, b"contents")
    assert sorted(os.listdir(directory)) == sorted(["README", NAME, "new-young"])


@pytest.mark.parametrize("size", ["-1", "512M", "1" * 40])
def test_a_size_that_is_no_number(directory, monkeypatch, size):
    monkeypatch.setenv("AUTOGRAPH_CACHE_SIZE", size)
    with pytest.raises(OptionError, match="AUTOGRAPH_CACHE_SIZE"):
        cache.size_limit()


# -- processes -------------------------------------------------------------------------------------

WRITER = """
import sys
from autograph import cache
cache._MEASURED = 1
who = int(sys.argv[1])
for k in range(150):
    name = cache.key(str(k % 5))
    contents = bytes([k % 5]) * 20_000
    found = cache.load(name)
    assert found is None or found == contents
    if k % 3 == who % 3:
        cache.store(name, contents)
"""


def test_processes_at_the_same_time(directory):
    """Each finds whole files or none, also while others remove them."""
    environment = {**os.environ, "AUTOGRAPH_CACHE_SIZE": "70000"}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(i)], env=environment) for i in range(4)
    ]
    assert [writer.wait(60) for writer in writers] == [0] * 4
    assert all(len(name) == 64 for name in os.listdir(directory))


def test_a_second_process_does_not_compile(directory):
    pytest.importorskip("llvmlite")
    from autograph.kernels.native.blas import blas_available

    program = """
    from autograph.kernels import native
    from autograph.kernels.native import c, compiler
    from autograph.kernels.native.ctypes_entry import call
    from autograph.kernels.native.runtime import runtime
    made = []
    c.machine_code = lambda name: None  # the runtime is compiled as well
    plain = compiler.compiled
    compiler.compiled = lambda text, *more: made.append(text) or plain(text, *more)
    code = native.compile_kernel("define i32 @f(ptr %i, ptr %o) {{ ret i32 1 }}", "f")
    kernels = len(made)
    for name in {names}:
        runtime().address(name)
    print(kernels, len(made), call(code, [], []))
    """
    # The stack, memory, interrupts, threads; products by the library of one dtype, and what all
    # share: what is asked for.
    names = ["ag_stack_floor", "ag_take", "ag_parallel"]
    parts = 5
    if blas_available():
        names, parts = [*names, "cblas_sgemm"], 7
    program = textwrap.dedent(program.format(names=names))
    for found in (f"1 {parts} 1\n", "0 0 1\n"):
        assert printed("-c", program) == found
    assert len(os.listdir(directory)) == parts
