"""Kernels as machine code of the CPU: compiled by LLVM, kept on disk, called from Python.

==============  ====================================================================================
module          what it does
==============  ====================================================================================
`availability`  whether native code can and shall be used here
`compiler`      LLVM IR to an object file
`loader`        an object file to functions in memory
`c`             what of the following is machine code itself, in C
`tiers`         kernels that are made quickly, and optimised once they have run for long
`parts`         what is in C, in memory, in two tiers as well
`runtime`       kernels in memory, and what they call: scratch memory, threads, Ctrl-C
`blas`          and matrix products
`inner_loops`   and loops of NumPy's ufuncs
`sorts`         and its functions that sort
`signature`     what a kernel takes and returns, as Python sees it
`entry`         the function that Python calls, which checks arguments and makes results
`ctypes_entry`  the same in Python, where the other cannot be used
`matching`      whether the arguments of a call are like those of an earlier one
`python_api`    what machine code has to know of CPython and NumPy
==============  ====================================================================================

Nothing here imports llvmlite before the first kernel is compiled.
"""

from autograph.kernels.native.availability import available
from autograph.kernels.native.kernels import compile_kernel
from autograph.kernels.native.loader import Code

__all__ = ["Code", "available", "compile_kernel"]
