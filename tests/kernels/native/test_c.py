"""The runtime's C and the LLVM texts made of it, without the compiler that makes them."""

import platform
import shutil

import llvmlite.binding as llvm
import pytest

from autograph.kernels.native import c
from autograph.kernels.native.c import make


def test_the_texts_are_those_of_the_c():
    assert make.texts()
    assert make.stale() == [], "run `make runtime`"


def test_what_is_stale_is_told(tmp_path):
    folder = tmp_path / "c"
    shutil.copytree(c.FOLDER, folder)
    call = [f"call.{cpu}.ll" for cpu in sorted(make.TARGETS)]
    with (folder / "call.c").open("a") as file:
        file.write("/* changed */\n")
    assert make.stale(folder) == call
    (folder / "call.c").unlink()
    assert make.stale(folder) == call
    with (folder / "objects.h").open("a") as file:
        file.write("/* changed */\n")
    assert set(make.stale(folder)) == {path.name for path in make.texts()}


@pytest.mark.parametrize("path", make.texts(), ids=lambda path: path.name)
def test_llvm_reads_a_text(path):
    text = path.read_text(encoding="utf-8")
    llvm.parse_assembly(text).verify()
    assert "target-cpu" not in text and "target triple" not in text


TRIPLES = {"aarch64": "aarch64-unknown-linux-gnu", "x86-64": "x86_64-unknown-linux-gnu"}


@pytest.mark.parametrize("path", make.texts(), ids=lambda path: path.name)
def test_llvm_makes_machine_code_of_a_text(path):
    """For its own target, whatever the machine of this test is."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    triple = TRIPLES[path.name.split(".")[1]]
    module = llvm.parse_assembly(path.read_text(encoding="utf-8"))
    module.triple = triple
    machine = llvm.Target.from_triple(triple).create_target_machine(opt=2)
    assert machine.emit_object(module).startswith(b"\x7fELF")


@pytest.mark.parametrize("machine", ["x86_64", "arm64"])
def test_constants_are_filled_in(monkeypatch, machine):
    monkeypatch.setattr(platform, "machine", lambda: machine)
    text = c.text("call", {"ag_tuple_head": 24, "ag_bytes_head": 32})
    assert "@ag_tuple_head = internal constant i64 24\n" in text
    assert "external constant" not in text
    with pytest.raises(KeyError):
        c.text("call", {"ag_tuple_head": 24})


def test_a_text_without_what_other_versions_may_not_know():
    made = """\
; ModuleID = 'a.c'
source_filename = "a.c"
target datalayout = "e-m:e-i64:64"
target triple = "x86_64-unknown-linux-gnu"

@a = internal unnamed_addr global i32 0, align 4

; Function Attrs: nounwind
define i32 @f(ptr nocapture noundef %p) local_unnamed_addr #0 {
  %v = load i32, ptr %p, align 4, !tbaa !3
  call void @g(i32 %v) #1
  ret i32 %v, !dbg !5
}

attributes #0 = { nounwind "target-cpu"="x86-64" }
!3 = !{!"int"}
"""
    assert (
        make.cleaned(made)
        == """\
target datalayout = "e-i64:64"

@a = internal global i32 0, align 4

define i32 @f(ptr noundef %p) {
  %v = load i32, ptr %p, align 4
  call void @g(i32 %v)
  ret i32 %v
}
"""
    )
