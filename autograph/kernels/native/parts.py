"""Parts of the runtime, in memory: files of `autograph.kernels.native.c`, in two tiers, as kernels
are in (`tiers`).

What is not on disk is made quickly, in a quarter of the time: a process that is over soon has
nothing else to pay for it. Once kernels have been called often, a thread makes the code that runs
fast, which the next processes find on disk. In this one it replaces what Python calls at each call
of a kernel. The other parts stay as they are: what they know of memory and threads is in them, and
what is made quickly of them takes no longer but for a few nanoseconds.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from autograph.kernels.native import c, compiler
from autograph.kernels.native.loader import Code, link
from autograph.kernels.native.tiers import AUTOMATIC, OPTIMISED, tier
from autograph.log import log
from ops.core.records import NamedTuple

# How many calls of kernels are worth to optimise the runtime: each gains some 50 nanoseconds, and
# it takes a tenth of a second.
CALLS = 50_000

# What stands before a function that Python calls while its code is one that was made quickly: it
# counts down the calls, has Python told when it is at 0, and goes on where the other code is once
# that is there. The GIL is held.
_COUNTING = """
@{name}_calls = global i64 {calls}
@{name}_now = global ptr @{name}
@ag_called_often = external global i8

define ptr @{name}_counted(ptr %self, ptr %arguments, i64 %count) {{
  %before = load i64, ptr @{name}_calls
  %left = sub i64 %before, 1
  store i64 %left, ptr @{name}_calls
  %is_last = icmp eq i64 %left, 0
  br i1 %is_last, label %tell, label %run
tell:
  %told = call ptr @PyObject_VectorcallDict(ptr @ag_called_often, ptr null, i64 0, ptr null)
  %failed = icmp eq ptr %told, null
  br i1 %failed, label %fail, label %let
let:
  call void @Py_DecRef(ptr %told)
  br label %run
fail:
  ret ptr null
run:
  %now = load ptr, ptr @{name}_now
  %result = tail call ptr %now(ptr %self, ptr %arguments, i64 %count)
  ret ptr %result
}}
"""


class _Part(NamedTuple):
    """A part that was made quickly.

    Attributes:
        texts: of its files.
        names, symbols: see `link_c`.
        replace: called with the code that is optimised; None if it is for other processes only.
    """

    texts: Collection[str]
    names: Collection[str]
    symbols: Mapping[str, int]
    replace: Callable[[Code], None] | None


_made_quickly: list[_Part] = []
_asked: list[bool] = []


def link_c(
    files: Iterable[str],
    names: Collection[str],
    symbols: Mapping[str, int],
    constants: Mapping[str, int],
    *,
    replace: Callable[[Code], None] | None = None,
    counted: str | None = None,
) -> Code:
    """Bring files of `autograph.kernels.native.c` into memory, where they stay.

    Args:
        files: their names, without their ends.
        names, symbols: see `link`.
        constants: see `autograph.kernels.native.c.text`.
        replace: called with other code of the same names, if this was made quickly and that runs
            faster. Both may run from then on.
        counted: the name of a function ``PyObject *f(PyObject *self, PyObject *const *args,
            Py_ssize_t nargs)``. If it was made quickly, ``<name>_counted`` is what Python shall
            call, so that its calls count, and the pointer ``<name>_now`` what that calls.
    """
    texts = [c.text(file, constants) for file in files]
    names, symbols = tuple(names), dict(symbols)
    code = _made_before(texts, names, symbols) or _quick(texts, names, symbols, replace, counted)
    if code is None:  # the compiler has optimised the texts; LLVM only puts in the constants
        contents = [compiler.object_code(text, quickly=True) for text in texts]
        code = link(contents, names, symbols)
    code.keep()
    return code


def is_on_disk(files: Iterable[str], constants: Mapping[str, int]) -> bool:
    """Whether machine code of files is on disk; see `link_c`."""
    texts = [c.text(file, constants) for file in files]
    return all(
        compiler.known_code(text, quickly=True) or compiler.known_quick_code(text, folded=True)
        for text in texts
    )


def _made_before(
    texts: Iterable[str], names: Iterable[str], symbols: Mapping[str, int]
) -> Code | None:
    """Code that is optimised, from the disk; None if it is not there."""
    contents = [compiler.known_code(text, quickly=True) for text in texts]
    found = [content for content in contents if content is not None]
    return link(found, names, symbols) if len(found) == len(contents) else None


def _quick(
    texts: Collection[str],
    names: Collection[str],
    symbols: Mapping[str, int],
    replace: Callable[[Code], None] | None,
    counted: str | None,
) -> Code | None:
    """Code that is made quickly; None if there is to be none. See `link_c`."""
    if tier() == OPTIMISED:
        return None
    counting, all_names, all_symbols = "", [*names], {**symbols}
    if counted is not None:
        counting = _COUNTING.format(name=counted, calls=CALLS)
        all_names += [f"{counted}_counted", f"{counted}_now"]
        all_symbols["ag_called_often"] = id(_called_often)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(_called_often))  # the code stays
    try:
        contents = [compiler.quick_code(text + counting, folded=True) for text in texts]
    except (RuntimeError, ValueError) as error:
        log.info("a part of the runtime can't be made quickly: %s", error)
        return None
    code = link(contents, all_names, all_symbols)
    part = _Part(texts, names, symbols, replace)
    _made_quickly.append(part)
    if _asked:
        _have_optimised([part])
    return code


def _called_often() -> None:
    """Have all that was made quickly optimised."""
    if not _asked and tier() == AUTOMATIC:
        _asked.append(True)
        _have_optimised([*_made_quickly])


def _have_optimised(parts: Sequence[_Part]) -> None:
    """Have parts optimised by a thread of its own. Python waits for it when it ends."""
    try:
        threading.Thread(target=_optimise, args=(parts,), name="autograph compiler").start()
    except RuntimeError as error:  # the process ends
        log.debug("the runtime is not optimised: %s", error)


def _optimise(parts: Sequence[_Part]) -> None:
    for part in parts:
        try:
            contents = [compiler.object_code(text, quickly=True) for text in part.texts]
            if part.replace is not None:
                code = link(contents, part.names, part.symbols)
                code.keep()
                part.replace(code)
        except Exception as error:
            log.info("a part of the runtime stays as it was made quickly: %s", error)
    log.debug("the runtime was optimised, since kernels are called often")
