"""CUDA C of kernels, its compilation by NVRTC, and its launch through CuPy."""
