"""What is imported when: what records, converts and makes kernels waits until it is needed."""

from __future__ import annotations

from tests.support.processes import file_of, printed, with_cache

# What stands for the parts of the compiler, and what these import from elsewhere.
RECORDS = {"autograph.staging.dispatch", "autograph.staging.calls.calls"}
CONVERTS = {"autograph.source.conversion", "autograph.source.ssa.ssa", "gast"}
MAKES_KERNELS = {"autograph.kernels.making", "autograph.kernels.llvm.printer"}
SELDOM = {"numpy.ma", "scipy", "cupy", "autograph.nn", "autograph.export"}

# How many modules of our own `import autograph` loads, and how many more a process that finds all
# on disk. More are a cost that each process has.
AT_IMPORT = 466
FOUND_ON_DISK = 5

PROGRAM = """
import sys
import numpy as np
import autograph as ag
from ops.core.later import waiting

def f(x):
    for i in range(3):
        x = np.sin(x) * x if np.sum(x) > 0.0 else x - i
    return np.sum(np.tanh(x))

before = set(sys.modules) - waiting
print(*sorted(before))
if len(sys.argv) > 1:
    value = ag.value_and_grad(f)(np.linspace(0.0, 1.0, 7))
print(*sorted(set(sys.modules) - waiting - before))
"""

# Names of `autograph` that are imported when they are first asked for, in what is recorded.
LATER = """
import sys
import numpy as np
import autograph as ag

def f(x):
    parts = ag.vmap(lambda y: y * y)(ag.stop_gradient(x) + x)
    return ag.checkpoint(lambda z: np.sum(np.exp(z)))(parts)

print(*ag.grad(f)(np.linspace(0.0, 1.0, 3)))
print(*sys.modules)
"""


def own(names):
    return [name for name in names if name.partition(".")[0] in ("autograph", "ops")]


def loaded(tmp_path, *arguments):
    """The modules that there are after the import, and those that a call loads."""
    path = file_of(tmp_path / "program.py", PROGRAM)
    lines = printed(path, *arguments, **with_cache(tmp_path))
    return [set(line.split()) for line in lines.split("\n")[:2]]


def test_an_import_leaves_the_compiler_for_later(tmp_path):
    at_import, _ = loaded(tmp_path)
    assert not at_import & (RECORDS | CONVERTS | MAKES_KERNELS | SELDOM | {"llvmlite"})
    assert len(own(at_import)) <= AT_IMPORT


def test_a_process_that_finds_all_on_disk_imports_little(tmp_path):
    _, first = loaded(tmp_path, "call")
    assert first >= RECORDS | CONVERTS and not first & SELDOM
    _, second = loaded(tmp_path, "call")
    assert not second & (RECORDS | CONVERTS | MAKES_KERNELS | SELDOM)
    assert len(own(second)) <= FOUND_ON_DISK
    assert len(own(first)) > 10 * FOUND_ON_DISK


def test_what_was_recorded_with_names_imported_later_is_found(tmp_path):
    path = file_of(tmp_path / "program.py", LATER)
    first, second = (printed(path, **with_cache(tmp_path)).split("\n") for _ in range(2))
    assert first[0] == second[0]
    assert set(first[1].split()) >= RECORDS
    assert not set(second[1].split()) & RECORDS


def test_operators_that_only_recording_asks_for_are_known():
    """Graphs from the disk have them by their names."""
    code = "import autograph; from ops.core.registry import REGISTRY as r; print(len(r)); "
    code += "import autograph.staging.dispatch; print(len(r))"
    before, after = printed("-c", code).split()
    assert before == after
