"""LLVM IR to object files for this machine.

The text is optimised by LLVM's own pipeline, for the CPU and features of the host, without LLVM's
vectorisers. Loops over many elements are vectors in the text already. The vectoriser of loops would
find nothing but small ones, and in llvmlite's builds an assertion in it ends the process for some
of these. That of straight-line code (SLP) is left out as well: in LLVM 22 it uses a vector before
the vector is made, for twelve results side by side, which ends the process where there are
assertions and leaves code without meaning where there are none. That is not one mistake to go
round, see https://github.com/llvm/llvm-project/issues/198364 and, for wrong numbers, 197765; numba
left it out for such, see https://github.com/numba/numba/pull/8852. The 3 bodies of the benchmarks
take a quarter longer.

The pipeline is that of O2: O3 unrolls more, and may compile ten times as long for code that is not
faster. For text that needs little, there is a pipeline of a few passes, which take a tenth of the
time: they put registers in the place of memory and combine instructions. Machine code that is made
quickly goes without the latter. What either leaves is verified, in a hundredth of that time: LLVM
makes machine code of what is not valid, too.

The code is position-independent: the loader places it anywhere.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from typing import Any

from autograph import cache, signals
from autograph.kernels.llvm.target import Target
from ops.core.locks import lock_over_forks
from ops.core.records import NamedTuple

# How LLVM is used below. Another number makes files on disk that were compiled otherwise useless.
PIPELINE = "4: O2, not vectorised, position-independent"
QUICK_PIPELINE = "1: registers, combined instructions; position-independent"
QUICK_CODE = "2: registers, machine code as it comes; position-independent"

# llvmlite has a lock of its own, which a thread that frees machine code holds without ours.
_held: list[Any] = []


def _before_fork() -> None:
    module = sys.modules.get("llvmlite.binding.ffi")
    inner = getattr(getattr(module, "lib", None), "_lock", None)
    if inner is not None and hasattr(inner, "__enter__"):
        inner.__enter__()
        _held.append(inner)


def _after_fork() -> None:
    if _held:
        _held.pop().__exit__(None, None, None)


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)

# One thread at a time: llvmlite's modules live in one context. A fork waits for it, so that the
# child does not find LLVM at work; before it waits for llvmlite's, which is taken within this one:
# what is registered last comes first.
lock = lock_over_forks()


@contextlib.contextmanager
def at_work() -> Iterator[None]:
    """LLVM is at work: for one thread, and with signals that wait. llvmlite frees what it has in
    several steps, in its `__del__` as well."""
    with lock, signals.waiting():
        yield


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

    with at_work():
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


@functools.cache
def target() -> Target:
    """This machine, as text is written for it."""
    triple, cpu, features, _ = host()
    return Target.of(triple, cpu, features)


def new_machine(effort: int = 3) -> Any:
    """LLVM's description of the host as a target of compilation.

    Args:
        effort: from 0 to 3, what is done for machine code to be fast.
    """
    import llvmlite.binding as llvm

    triple, cpu, features, _ = host()
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=effort, reloc="pic", codemodel="small"
    )


@functools.cache
def _machine(effort: int = 3) -> Any:
    return new_machine(effort)


def object_code(text: str, quickly: bool = False, key: str | None = None) -> bytes:
    """The object file of a module, from the cache on disk if it is there.

    Args:
        text: LLVM IR.
        quickly: whether a few passes will do.
        key: where it is in the cache; `key_of` the text by default.

    Raises:
        ValueError: the text is not valid, or what LLVM's passes made of it is not.
    """
    key = key or key_of(text, quickly)
    found = cache.load(key)
    if found is None:
        found = compiled(text, quickly)
        cache.store(key, found)
    return found


def key_of(text: str, quickly: bool = False, made_by: str = "") -> str:
    """Where that is in the cache on disk.

    Args:
        made_by: there if the text is a brief one, and the module another that is made for the same;
            what makes that.
    """
    apart = (made_by,) if made_by else ()
    return cache.key(text, *host(), QUICK_PIPELINE if quickly else PIPELINE, *apart)


def quick_code(text: str) -> bytes:
    """The object file of a module, which is made in a tenth of the time, and runs some times as
    long. It computes the same bits: none of the ways to machine code reorders or contracts
    operations of floating-point numbers.

    Raises:
        ValueError, RuntimeError: LLVM refuses the text.
    """
    key = quick_key_of(text)
    found = cache.load(key)
    if found is None:
        with at_work(), optimised(text, quickly=True, combined=False) as module:
            found = bytes(_machine(0).emit_object(module))
        cache.store(key, found)
    return found


def quick_key_of(text: str) -> str:
    """Where that is in the cache on disk."""
    return cache.key(text, *host(), QUICK_CODE)


def compiled(text: str, quickly: bool = False) -> bytes:
    """The object file of a module, compiled now. See `object_code`."""
    with at_work(), optimised(text, quickly) as module:
        return bytes(_machine().emit_object(module))


def object_for(text: str, triple: str, cpu: str, features: str) -> bytes:
    """The object file of a module for another machine.

    Args:
        text: LLVM IR.
        triple, cpu, features: as `Host` has them.

    Raises:
        ValueError: LLVM does not know the machine, or the text is not valid.
    """
    import llvmlite.binding as llvm

    with at_work():
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        try:
            found = llvm.Target.from_triple(triple)
        except RuntimeError as error:
            raise ValueError(str(error)) from None
        # Shared libraries want code that may stand anywhere.
        system = any(name in triple for name in ("linux", "darwin", "freebsd", "android"))
        machine = found.create_target_machine(
            cpu=cpu, features=features, opt=2, reloc="pic" if system else "static"
        )
        module = optimised(text, machine=machine)
        with module:
            return bytes(machine.emit_object(module))


def optimised(
    text: str,
    quickly: bool = False,
    machine: Any = None,
    combined: bool = True,
) -> Any:
    """The module after LLVM's passes, of which ``str`` is the text.

    Args:
        text: LLVM IR.
        quickly: whether a few passes will do.
        machine: what it is for, this machine by default.
        combined: of few passes, whether instructions are combined. That takes most of their time,
            and machine code that is not optimised is hardly shorter for it.

    Raises:
        ValueError: the text is not valid, or what the passes made of it is not.
    """
    import llvmlite.binding as llvm

    with at_work():
        host()
        try:
            module = llvm.parse_assembly(text)
            module.verify()
        except RuntimeError as error:
            raise ValueError(f"LLVM refuses the text of a kernel: {error}") from None
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = False
        options.slp_vectorization = False
        builder = llvm.create_pass_builder(machine or _machine(), options)
        passes = _few_passes(combined) if quickly else builder.getModulePassManager()
        try:
            passes.run(module, builder)
        finally:
            _dispose(passes)
        try:
            module.verify()
        except RuntimeError as error:
            raise ValueError(f"LLVM made a kernel invalid: {error}") from None
        return module


def _dispose(passes: Any) -> None:
    """Free passes. llvmlite, to 0.50 at least, has a function for that which its own classes do not
    find; 90 KB would stay for each module."""
    from llvmlite.binding import ffi, newpassmanagers

    found = getattr(type(passes), "_dispose", None)
    if found is ffi.ObjectRef._dispose and hasattr(newpassmanagers, "NewPassManager"):
        newpassmanagers.NewPassManager._dispose(passes)
        passes.detach()
    else:
        passes.close()


def _few_passes(combined: bool) -> Any:
    """See `QUICK_PIPELINE`; nothing combined: `QUICK_CODE`."""
    import llvmlite.binding as llvm

    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    if combined:
        passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    return passes
