"""LLVM IR to object files for this machine.

The text is optimised by LLVM's own pipeline, with its loop and SLP vectorisers, for the CPU and
features of the host. The pipeline is that of O2: O3 unrolls more, and may compile ten times as long
for code that is not faster. The code is position-independent: the loader places it anywhere.
"""

from __future__ import annotations

import functools
import os
import threading
from typing import Any, NamedTuple

from autograph.kernels.native import cache

# How LLVM is used below. Another number makes files on disk that were compiled otherwise useless.
PIPELINE = "2: O2, loops and SLP vectorised, position-independent"

# One thread at a time: llvmlite's modules live in one context. A fork waits for it, so that the
# child does not find LLVM at work.
lock = threading.RLock()
os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


class Host(NamedTuple):
    """The machine that code is compiled for.

    Attributes:
        triple: LLVM's name for architecture, vendor, system.
        cpu: LLVM's name of the CPU.
        features: of the CPU, as LLVM's option ``-mattr`` has them.
        version: of LLVM and llvmlite.
    """

    triple: str
    cpu: str
    features: str
    version: str


@functools.cache
def host() -> Host:
    """This machine. LLVM is set up by the first call."""
    import llvmlite
    import llvmlite.binding as llvm

    with lock:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        version = ".".join(map(str, llvm.llvm_version_info))
        try:
            features = llvm.get_host_cpu_features().flatten()
        except RuntimeError:  # the system does not tell
            features = ""
        return Host(
            llvm.get_process_triple(),
            llvm.get_host_cpu_name(),
            features,
            f"{version} {llvmlite.__version__}",
        )


def new_machine() -> Any:
    """LLVM's description of the host as a target of compilation."""
    import llvmlite.binding as llvm

    triple, cpu, features, _ = host()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(
        cpu=cpu, features=features, opt=3, reloc="pic", codemodel="small"
    )


@functools.cache
def _machine() -> Any:
    return new_machine()


def object_code(text: str) -> bytes:
    """The object file of a module, from the cache on disk if it is there.

    Args:
        text: LLVM IR.

    Raises:
        ValueError: the text is not valid.
    """
    key = cache.key(text, *host(), PIPELINE)
    found = cache.load(key)
    if found is None:
        found = compiled(text)
        cache.store(key, found)
    return found


def compiled(text: str) -> bytes:
    """The object file of a module, compiled now. See `object_code`."""
    with lock:
        module = optimised(text)
        with module:
            return _machine().emit_object(module)


def optimised(text: str) -> Any:
    """The module after LLVM's passes, of which ``str`` is the text."""
    import llvmlite.binding as llvm

    with lock:
        host()
        try:
            module = llvm.parse_assembly(text)
            module.verify()
        except RuntimeError as error:
            raise ValueError(f"LLVM refuses the text of a kernel: {error}") from None
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = True
        options.slp_vectorization = True
        builder = llvm.create_pass_builder(_machine(), options)
        with builder.getModulePassManager() as passes:
            passes.run(module, builder)
        return module


def assembly(text: str) -> str:
    """The machine code of a module, as text, for reading."""
    with lock, optimised(text) as module:
        return _machine().emit_assembly(module)
