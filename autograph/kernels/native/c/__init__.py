"""The parts of the runtime that are machine code, in C.

================  ==================================================================================
file              what it does
================  ==================================================================================
``entry.c``       the function that Python calls for a kernel
``call.c``        the method ``__call__`` of compiled functions
``match.h``       whether the arguments of a call are like those of an earlier one
``memory.c``      scratch memory; ``memory.h``: its blocks
``arrays.c``      that of big results
``arenas.c``      memory that is taken piece by piece; ``arenas.h``: what an arena is
``records.c``     what stays of that while the rest is given back
``threads.c``     loops on several threads
``products.c``    how a library's threads are kept from products that several threads share
``product.h``     such products of one dtype: ``double_products.c``, ``float_products.c``; small
                  ones, for no threads: ``small_double_products.c``, ``small_float_products.c``
``products.h``    what these have in common
``interrupts.c``  Ctrl-C while a kernel runs
``lists.c``       lists of numbers as arrays
``gather.c``      calls with the caller's objects, of which ``gather.h`` makes columns
``stack.c``       how much of the stack functions that call themselves may use
``objects.h``     CPython's and NumPy's objects
================  ==================================================================================

No compiler is needed where the package is built or used. ``make runtime`` compiles each file to
LLVM text, one for each kind of CPU, in ``texts/``, with the compiler that ``make.py`` names, and
has LLVM make machine code of that for Linux on x86-64, in ``objects/``, with ``make_objects.py``.
It is for any CPU of its kind; on other systems LLVM makes it of the text where it is used. The C
asks nothing of the system's headers, and says itself what it calls, so that one text serves all.
What only the Python that runs it knows, like the layout of its objects, is declared as a constant
(``extern const``): machine code reads it from memory, in a text it is filled in.
"""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent

# The names of CPUs in the names of texts, by those that systems have for them.
_CPUS = {"x86_64": "x86-64", "amd64": "x86-64", "arm64": "aarch64", "aarch64": "aarch64"}

# The names of systems in the names of folders of machine code.
_SYSTEMS = {"linux": "linux"}


def machine_code(name: str) -> bytes | None:
    """The object file of a file, for this kind of CPU and this system; None if there is none. What
    is declared as ``extern const`` is a symbol in it, for 64 bits of memory.

    Args:
        name: of the C file, without its end.
    """
    cpu, system = _CPUS.get(platform.machine().lower()), _SYSTEMS.get(sys.platform)
    try:
        return (FOLDER / "objects" / f"{cpu}-{system}" / f"{name}.o").read_bytes()
    except OSError:  # there is none, or it can't be read
        return None


def text(name: str, constants: Mapping[str, int]) -> str:
    """The LLVM text of a file, for this kind of CPU.

    Args:
        name: of the C file, without its end.
        constants: the values of what is declared as ``extern const``.
    """
    cpu = _CPUS[platform.machine().lower()]
    content = (FOLDER / "texts" / f"{name}.{cpu}.ll").read_text(encoding="utf-8")

    def defined(found: re.Match) -> str:
        constant, type_ = found.groups()
        return f"@{constant} = internal constant {type_} {constants[constant]}"

    return re.sub(r"^@(ag_\w+) = external .*\bconstant (i\d+).*$", defined, content, flags=re.M)
