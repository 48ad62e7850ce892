"""Array libraries that generated programs run on.

A backend is a module with the same few names: ``name`` (what a program imports), ``host`` (whether
its arrays live in the memory of the host), ``kernels`` (whether native kernels read and write its
arrays: "llvm", "cuda" or None), ``module()``, ``from_host(x)``, ``to_host(x)`` and ``is_array(x)``.
"""
