"""The runtime's machine code that comes with the package, and the texts that it is made of."""

import hashlib
import platform
import shutil
import sys

import pytest

pytest.importorskip("llvmlite")

from autograph.kernels.native import c
from autograph.kernels.native.c import make, make_objects
from tests.support.processes import printed


def test_it_is_made_of_the_texts():
    assert 2 * len(make_objects.objects()) == len(make.texts())  # which are for two kinds of CPUs
    assert make_objects.stale() == [], "run `make runtime`"


def test_what_is_stale_is_told(tmp_path):
    folder = tmp_path / "c"
    shutil.copytree(c.FOLDER, folder)
    with (folder / "texts" / "call.x86-64.ll").open("a") as file:
        file.write("; changed\n")
    assert make_objects.stale(folder) == ["call.x86-64.ll"]
    (folder / "objects" / "x86-64-linux" / "stack.o").unlink()
    assert make_objects.stale(folder) == ["call.x86-64.ll", "stack.o"]


MADE_NOW = """
import hashlib
from autograph.kernels.native.c import make_objects

for path, text in make_objects.objects().items():
    made = make_objects.made(text.read_text(encoding="utf-8"), path.parent.name)
    print(path.parent.name, path.name, hashlib.sha256(made).hexdigest())
"""


def test_it_is_what_llvm_makes_of_the_texts():
    """Byte by byte, with the LLVM that made it; others make other code, and so may one that has
    compiled much before, whose constants are in another order: it is made in a process anew."""
    if make_objects.recorded()[0] != make_objects.version():
        pytest.skip(f"it was made by {make_objects.recorded()[0]}")
    made = [line.split() for line in printed("-c", MADE_NOW).splitlines()]
    kept = [
        [path.parent.name, path.name, hashlib.sha256(path.read_bytes()).hexdigest()]
        for path in make_objects.objects()
    ]
    assert made == kept


@pytest.mark.parametrize(
    "machine, system, start",
    [
        ("x86_64", "linux", b"\x7fELF"),
        ("AMD64", "linux", b"\x7fELF"),
        ("aarch64", "linux", None),
        ("x86_64", "darwin", None),
        ("riscv64", "linux", None),
        ("x86_64", "freebsd14", None),
    ],
)
def test_the_machine_code_for_a_machine(monkeypatch, machine, system, start):
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(sys, "platform", system)
    found = c.machine_code("entry")
    assert found is None if start is None else found.startswith(start)


def test_machine_code_that_cannot_be_read_is_none(monkeypatch, tmp_path):
    monkeypatch.setattr(c, "FOLDER", tmp_path)
    (tmp_path / "objects" / "x86-64-linux" / "entry.o").mkdir(parents=True)
    assert c.machine_code("entry") is None
