"""CUDA C -> machine code, by NVRTC, which needs no GPU.

NVRTC comes with CuPy's extra ``ctk``, or as the wheel ``nvidia-cuda-nvrtc``; CuPy has the binding.
The result is a cubin for one architecture rather than PTX, which a driver older than NVRTC refuses.
Only for a GPU that is newer than NVRTC it is PTX, for the last architecture before it that NVRTC
knows: that is what the driver of a newer GPU takes ("CUDA C++ Programming Guide", compatibility).
CuPy's own `RawModule` is not used, since it always flushes denormals of float32 to zero.

`binary` takes what it can from the cache on disk, under a key of the text, the version of NVRTC,
its options and the architecture.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from dataclasses import dataclass
from typing import Any

from autograph import cache

# IEEE 754 throughout: NumPy's results depend on it.
_OPTIONS = (
    "--std=c++17",
    "--fmad=false",
    "--ftz=false",
    "--prec-div=true",
    "--prec-sqrt=true",
    "--ptxas-options=-v",
)


class CompilationError(Exception):
    """NVRTC refuses a kernel: this is an error of ours.

    Attributes:
        log: what it says.
    """

    def __init__(self, log: str, text: str):
        super().__init__(f"{log}\n{text}")
        self.log = log


@dataclass(frozen=True)
class Resources:
    """What a thread of an entry uses.

    Attributes:
        registers: of 32 bits.
        stack: bytes of local memory for arrays that are indexed, and calls.
        spilled: bytes of local memory for values that did not fit into registers.
        shared: bytes of shared memory of a block.
    """

    registers: int
    stack: int
    spilled: int
    shared: int


@dataclass(frozen=True)
class Binary:
    """Machine code.

    Attributes:
        cubin: for `architecture`; PTX, if NVRTC does not know that.
        resources: by the name of the entry; what they use is not known, and 0, where it is PTX.
    """

    cubin: bytes
    architecture: str
    resources: dict[str, Resources]


def available() -> bool:
    """Whether CuPy and NVRTC are installed."""
    try:
        _nvrtc().getVersion()
    except Exception:  # an ImportError, or CuPy's complaint that there is no library
        return False
    return True


@functools.cache
def _nvrtc() -> Any:
    from cupy_backends.cuda.libs import nvrtc

    return nvrtc


def architectures() -> tuple[str, ...]:
    """What NVRTC compiles for: ``("sm_75", ...)``."""
    return tuple(f"sm_{number}" for number in _nvrtc().getSupportedArchs())


def binary(text: str, architecture: str) -> Binary:
    """Machine code of CUDA C, from the cache on disk if it is there. See `compile_cuda`."""
    version = ".".join(map(str, _nvrtc().getVersion()))
    key = cache.key("CUDA C", text, f"NVRTC {version}", *_OPTIONS, architecture)
    found = cache.load(key)
    if found is None:
        made = compile_cuda(text, architecture)
        cache.store(key, _packed(made))
        return made
    return _unpacked(found, architecture)


def _packed(made: Binary) -> bytes:
    """A line of JSON that says what entries use, and the cubin."""
    used = {name: dataclasses.astuple(x) for name, x in made.resources.items()}
    return json.dumps(used).encode() + b"\n" + made.cubin


def _unpacked(packed: bytes, architecture: str) -> Binary:
    head, _, cubin = packed.partition(b"\n")
    resources = {name: Resources(*numbers) for name, numbers in json.loads(head).items()}
    return Binary(cubin, architecture, resources)


def compile_cuda(text: str, architecture: str) -> Binary:
    """Machine code of CUDA C, compiled now.

    Args:
        architecture: such as ``"sm_90"``.

    Raises:
        CompilationError: the text is not right, or NVRTC has nothing that such a GPU runs.
    """
    number = int(architecture.removeprefix("sm_"))
    older = [x for x in _nvrtc().getSupportedArchs() if x < number]
    if older and architecture not in architectures():
        text_of_driver = ptx(text, f"sm_{max(older)}")
        names = _ENTRY_OF_PTX.findall(text_of_driver)
        unknown = {name: Resources(0, 0, 0, 0) for name in names}
        return Binary(text_of_driver.encode(), architecture, unknown)
    cubin, log = _compiled(text, (*_OPTIONS, f"--gpu-architecture={architecture}"), "getCUBIN")
    return Binary(cubin, architecture, _resources(log))


def ptx(text: str, architecture: str) -> str:
    """The intermediate code of CUDA C, to be read.

    Raises:
        CompilationError: the text is not right.
    """
    virtual = architecture.replace("sm", "compute")
    found, _ = _compiled(text, (*_OPTIONS[:-1], f"--gpu-architecture={virtual}"), "getPTX")
    return found.decode() if isinstance(found, bytes) else found


def _compiled(text: str, options: tuple[str, ...], what: str) -> tuple[Any, str]:
    """What NVRTC makes of a text, by a function of it, and its log."""
    nvrtc = _nvrtc()
    program = nvrtc.createProgram(text, "kernel.cu", (), ())
    try:
        try:
            nvrtc.compileProgram(program, options)
        except nvrtc.NVRTCError:
            raise CompilationError(nvrtc.getProgramLog(program), text) from None
        return getattr(nvrtc, what)(program), nvrtc.getProgramLog(program)
    finally:
        nvrtc.destroyProgram(program)


_ENTRY = re.compile(r"Compiling entry function '(\w+)'")
_ENTRY_OF_PTX = re.compile(r"^\s*\.visible \.entry (\w+)", re.MULTILINE)
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")


def _resources(log: str) -> dict[str, Resources]:
    """What ``ptxas -v`` says of each entry."""
    found = {}
    for part in log.split("Compiling entry function")[1:]:
        name = _ENTRY.search("Compiling entry function" + part)
        stack, used, shared = _STACK.search(part), _USED.search(part), _SHARED.search(part)
        if not (name and stack and used):
            continue
        found[name.group(1)] = Resources(
            registers=int(used.group(1)),
            stack=int(stack.group(1)),
            spilled=int(stack.group(2)) + int(stack.group(3)),
            shared=int(shared.group(1)) if shared else 0,
        )
    return found
