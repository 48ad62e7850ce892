"""Whether what is installed fits together; looked at when the package is imported."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from pathlib import Path

NEWEST = (3, 13)  # of the versions of Python that the tests run on

# How the file of our own package of that name begins.
_BEGINNING = '"""Operators on arrays, and control flow as functions'


def check_python() -> None:
    """Warn of a Python that is newer than those that the package is tested on."""
    found = sys.version_info[:2]
    if found > NEWEST:
        warnings.warn(
            f"autograph is tested on Python 3.10 to {NEWEST[0]}.{NEWEST[1]}, and this is "
            f"{found[0]}.{found[1]}: what is new in its language may be refused",
            RuntimeWarning,
            stacklevel=3,
        )


def check_operators() -> None:
    """Refuse another project's package named ``ops`` in the place of that of the operators.

    Raises:
        ImportError: `ops` is not what belongs to this package. It is no `AutographError`: nothing
            of the package can be imported.
    """
    spec = importlib.util.find_spec("ops")
    origin = None if spec is None else spec.origin
    if origin is not None and Path(origin).read_text("utf-8").startswith(_BEGINNING):
        return
    found = "there is none" if origin is None else f"the one in {origin} is another project's"
    raise ImportError(
        f"autograph needs its own package 'ops', which is installed with it, but {found}. Fix: "
        "uninstall the other project (the Python framework of Juju charms, for example, is named "
        "'ops', too) and install autograph-compiler again, or keep them in two environments"
    )
