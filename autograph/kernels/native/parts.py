"""Parts of the runtime, in memory: files of `autograph.kernels.native.c`.

For the systems and CPUs that most have, their machine code comes with the package: it only has to
be linked, where LLVM would take 10 to 30 ms for each. Elsewhere it is made once, and found on disk
from then on.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterable, Mapping

from autograph.kernels.native import c, compiler
from autograph.kernels.native.loader import Code, link
from autograph.log import log

_constants: list[ctypes.c_int64] = []  # what code in memory reads


def link_c(
    files: Iterable[str],
    names: Collection[str],
    symbols: Mapping[str, int],
    constants: Mapping[str, int],
) -> Code:
    """Bring files of `autograph.kernels.native.c` into memory, where they stay.

    Args:
        files: their names, without their ends.
        names, symbols: see `link`.
        constants: see `autograph.kernels.native.c.text`.
    """
    files = tuple(files)
    code = _shipped(files, names, symbols, constants)
    if code is None:  # the compiler has optimised the texts; LLVM only puts in the constants
        texts = [c.text(file, constants) for file in files]
        code = link([compiler.object_code(text, quickly=True) for text in texts], names, symbols)
    code.keep()
    return code


def _shipped(
    files: Collection[str],
    names: Collection[str],
    symbols: Mapping[str, int],
    constants: Mapping[str, int],
) -> Code | None:
    """What comes with the package; None if there is nothing for this machine."""
    contents = [content for file in files if (content := c.machine_code(file)) is not None]
    if len(contents) < len(files):
        return None
    held = {name: ctypes.c_int64(value) for name, value in constants.items()}
    places = {name: ctypes.addressof(value) for name, value in held.items()}
    try:
        code = link(contents, names, {**symbols, **places})
    except RuntimeError as error:
        log.info("machine code of the runtime is made anew: %s", error)
        return None
    _constants.extend(held.values())
    return code
