"""Functions in object files, linked and called, give what Python does."""

import json
import shutil
import struct
import subprocess

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedFunctionError
from autograph.kernels.native import available
from tests.export import libraries
from tests.export.programs import PROGRAMS, REFUSED, height, newton, slope_of_height

pytestmark = pytest.mark.skipif(not available(), reason="it needs LLVM")

LINKER = shutil.which("gcc")
NODE, WASM_LINKER, ZIG = map(shutil.which, ("node", "wasm-ld", "zig"))


def called(made, args, results, folder):
    """Link a function of this machine, and call it with room for results; what it returns."""
    made.save(folder / "made.o")
    assert LINKER is not None
    library = folder / "made.so"
    subprocess.run([LINKER, "-shared", "-o", library, folder / "made.o", "-lm"], check=True)
    return libraries.call(library, made.name, args, results)


@pytest.mark.skipif(LINKER is None, reason="it needs a linker")
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_it_gives_what_python_does(function, tmp_path):
    args = PROGRAMS[function]
    made = ag.export.object(function, *args)
    call = lambda results: called(made, args, results, tmp_path)
    results = libraries.check(call, function(*args))
    again = [np.full_like(leaf, 78) for leaf in results]  # memory is there anew
    assert call(again) == 0
    assert all(a.tobytes() == b.tobytes() for a, b in zip(results, again))


@pytest.mark.skipif(LINKER is None, reason="it needs a linker")
def test_errors_are_told(tmp_path):
    made = ag.export.object(lambda x, i: x[i] * 2.0, np.arange(5.0), 1, name="element")
    for i, code in ((4, 0), (-5, 0), (5, 1), (-6, 1)):
        assert called(made, (np.arange(5.0), i), [np.zeros(1)], tmp_path) == code


@pytest.mark.skipif(LINKER is None, reason="it needs a linker")
def test_memory_that_only_the_run_knows(tmp_path):
    def slope(a):
        return ag.grad(newton)(a)

    with pytest.raises(UnsupportedFunctionError, match=r"AG0750.*known only at run time"):
        ag.export.object(slope, 2.0)
    result = np.zeros(1)
    for memory, code in ((16, 2), (4096, 0)):
        made = ag.export.object(slope, 2.0, memory=memory)
        assert made.memory == memory
        (tmp_path / str(code)).mkdir()
        assert called(made, (2.0,), [result], tmp_path / str(code)) == code
    assert result[0] == pytest.approx(0.5 / np.sqrt(2.0))


# The first bytes of a file, and how many bytes it may have at most for a ball's height and slope.
MACHINES = {
    "wasm32": (b"\0asm\x01", 9500),
    "cortex-m0": (b"\x7fELF\x01", 4000),
    "cortex-m4": (b"\x7fELF\x01", 4000),
    "riscv32": (b"\x7fELF\x01", 4000),
    "aarch64": (b"\x7fELF\x02", 3000),
    "windows": (b"\x64\x86", 3000),
    "arm64-apple-macos": (b"\xcf\xfa\xed\xfe", 3000),
}


@pytest.mark.parametrize("target", MACHINES)
def test_other_machines(target):
    magic, most = MACHINES[target]
    made = ag.export.object(slope_of_height, 0.5, target=target)
    assert made.code.startswith(magic) and len(made.code) < most
    assert b"slope_of_height" in made.code
    assert not made.needed
    assert made.memory == 500 * 16


def symbols(code):
    """What a 32-bit ELF file asks others for."""
    (sections_at,) = struct.unpack_from("<I", code, 32)
    size, count, _ = struct.unpack_from("<HHH", code, 46)
    sections = [struct.unpack_from("<10I", code, sections_at + k * size) for k in range(count)]
    found = set()
    for _, kind, _, _, offset, length, link, *_ in sections:
        if kind != 2:
            continue
        names = sections[link][4]
        for at in range(offset + 16, offset + length, 16):
            name, _, _, _, _, section = struct.unpack_from("<IIIBBH", code, at)
            if section == 0:
                start = names + name
                found.add(code[start : code.index(b"\0", start)].decode())
    return found


def test_a_machine_without_floats_asks_for_its_own_arithmetic():
    made = ag.export.object(height, 0.5, 700, target="cortex-m0")
    assert symbols(made.code) == {"__adddf3", "__ltdf2", "__muldf3"}
    assert symbols(ag.export.object(height, 0.5, 700, target="cortex-m7").code) == set()


MAIN = """
#include <stdio.h>
#include "slope_of_height.h"

int main(void)
{
    double value = 0, slope = 0;
    int status = slope_of_height(0.5, &value, &slope);
    printf("[%d, %.17g, %.17g]", status, value, slope);
    return 0;
}
"""

# Names of a machine here, of its system for zig's C compiler, and of what plays it.
PLAYED = {
    "aarch64": ("aarch64-linux-musl", "qemu-aarch64"),
    "cortex-m7": ("arm-linux-musleabihf", "qemu-arm"),
}


@pytest.mark.skipif(ZIG is None, reason="it needs zig")
@pytest.mark.parametrize("target", PLAYED)
def test_under_qemu(target, tmp_path):
    system, player = PLAYED[target]
    if shutil.which(player) is None:
        pytest.skip(f"it needs {player}")
    ag.export.object(slope_of_height, 0.5, target=target).save(tmp_path / "made.o")
    (tmp_path / "main.c").write_text(MAIN)
    program = tmp_path / "program"
    files = [tmp_path / "main.c", tmp_path / "made.o"]
    options = ["-target", system, "-static", "-o", program]
    subprocess.run([ZIG, "cc", *options, *files], check=True)
    done = subprocess.run([player, program], capture_output=True, text=True, check=True)
    status, value, slope = json.loads(done.stdout)
    assert status == 0
    np.testing.assert_allclose([value, slope], slope_of_height(0.5), rtol=1e-12)


PAGE = """
const fs = require("fs");
const module_ = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const instance = new WebAssembly.Instance(module_, {});
const f = instance.exports, view = new Float64Array(f.memory.buffer, 65536 * 4, 2);
const status = f.slope_of_height(0.5, 65536 * 4, 65536 * 4 + 8);
console.log(JSON.stringify([status, ...view]));
"""


@pytest.mark.skipif(not (NODE and WASM_LINKER), reason="it needs node and wasm-ld")
def test_in_a_browsers_machine(tmp_path):
    ag.export.object(slope_of_height, 0.5, target="wasm32").save(tmp_path / "made.o")
    linked = tmp_path / "made.wasm"
    options = ["--no-entry", "--export=slope_of_height", "--initial-memory=524288"]
    subprocess.run([WASM_LINKER, *options, "-o", linked, tmp_path / "made.o"], check=True)
    (tmp_path / "page.js").write_text(PAGE)
    done = subprocess.run(
        [NODE, tmp_path / "page.js", linked], capture_output=True, text=True, check=True
    )
    status, value, slope = json.loads(done.stdout)
    assert status == 0
    np.testing.assert_allclose([value, slope], slope_of_height(0.5), rtol=1e-12)


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    function, arg, message = REFUSED[name]
    with pytest.raises(UnsupportedFunctionError, match=message) as caught:
        ag.export.object(function, arg)
    assert caught.value.id == "AG0750" and caught.value.fix
    assert "programs.py" in str(caught.value)


def test_without_llvm(monkeypatch):
    monkeypatch.setattr("autograph.export.object_code.available", lambda: False)
    with pytest.raises(UnsupportedFunctionError, match=r"AG0751.*LLVM") as caught:
        ag.export.object(newton, 2.0)
    assert "llvmlite" in caught.value.fix


def test_machines_that_are_none():
    with pytest.raises(UnsupportedFunctionError, match="'toaster'") as caught:
        ag.export.object(newton, 2.0, target="toaster")
    assert caught.value.id == "AG0751" and "wasm32" in caught.value.fix
