"""Imported first, it lets `autograph.errors` and `autograph.parallel.mpi` be imported without the
rest of the package, which they know nothing of: it takes seconds where all cores have other work.
``python -m tests.mpi.light FILE`` runs a program so."""

import runpy
import sys
import types

from tests.support.tree import ROOT

for name in ("autograph", "autograph.parallel"):
    package = types.ModuleType(name)
    package.__path__ = [str(ROOT / name.replace(".", "/"))]
    sys.modules[name] = package

if __name__ == "__main__":
    runpy.run_path(sys.argv[1], run_name="__main__")
