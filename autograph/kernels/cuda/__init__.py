"""Kernels for NVIDIA GPUs.

================  =================================================================================
module            what it does
================  =================================================================================
`interchange`     independent loops brought outside, as suits a GPU
`split`           a kernel cut into launches, and what the host does between them
`entry`           one launch as a ``__global__`` function: threads, teams, barriers, reductions
`statements`      statements as C; `expressions` scalars; `helpers` the functions that these call;
                  `ranges` which integers fit into 32 bits; `names` identifiers; `reserved` the
                  memory of residuals
`printer`         all of these together: `print_cuda`
`plan`, `run`     what the host does, and doing it on a device
`compile`         CUDA C to machine code, by NVRTC, without a GPU, and kept on disk
`launch`          the device that is CuPy's
`function`        a kernel in the place of a function of a program
================  =================================================================================

The tests execute the same text on the CPU: see ``tests/kernels/cuda/shim.py``.
"""
