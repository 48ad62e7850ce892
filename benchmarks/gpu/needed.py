"""Whether an interpreter has what `make gpu` imports: ``python -m benchmarks.gpu.needed`` says in a
line what it lacks, and how that gets to a machine without a network."""

from __future__ import annotations

import importlib
import sys

# What each module is a part of.
PACKAGES = {
    "cupy": "cupy-cuda13x",
    "gast": "gast",
    "astunparse": "astunparse",
    "llvmlite": "llvmlite",
    "numpy": "numpy",
    "optree": "optree",
    "pytest": "pytest",
    "scipy": "scipy",
}


def lacking() -> dict[str, str]:
    """Why each package cannot be used that is lacking."""
    found = {}
    for module, package in PACKAGES.items():
        try:
            importlib.import_module(module)
        except Exception as error:  # a library of CUDA's may be absent, or of another version
            found[package] = f"{error}".strip().partition("\n")[0] or type(error).__name__
    return found


def main() -> int:
    """Say what is lacking; 1 if anything is."""
    found = lacking()
    if not found:
        return 0
    shown = "; ".join(f"{package} ({why})" for package, why in found.items())
    names = " ".join(found)
    print(
        f"{sys.executable} lacks what 'make gpu' needs: {shown}. Without a network: elsewhere, "
        f"with the same Python, python -m pip download -d wheels {names}; here, python -m pip "
        "install --no-index --no-deps --target place wheels/*.whl, and make gpu with "
        "PYTHONPATH=place",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
