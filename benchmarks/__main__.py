"""Run the benchmarks: ``python -m benchmarks [name ...] [--write FILE]``.

Beside other compilers: ``python -m benchmarks kernels [options]``, ``models``, ``programs``,
``recursive``, and ``samplers``.
"""

from __future__ import annotations

import argparse
import sys
from datetime import date
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from benchmarks.beside import command
from benchmarks.beside.suite import suite_of
from benchmarks.machine import machine
from benchmarks.table import Table

# Each is a module here, imported when it runs: what one needs another does without.
BENCHMARKS = (
    *("call_overhead", "compile_time", "conversion", "derivatives", "digits_epoch", "few_bits"),
    *("gradient_memory", "implicit", "least_squares", "loop_memory", "loops", "memory_budget"),
    *("mpc", "nuts", "object_calls", "odeint", "recursion", "sparse", "whole_scripts"),
)
SUITES = ("kernels", "models", "programs", "recursive", "samplers")  # beside other compilers
PACKAGES = ("numpy", "gast", "optree")
PEERS = ("jax", "equinox", "scipy", "diffrax", "asdex", "casadi", "autograd")


def header() -> str:
    """The machine and the versions, as the head of a results file."""
    installed = [*PACKAGES, *(name for name in PEERS if find_spec(name))]
    packages = ", ".join(f"{name} {version(name)}" for name in installed)
    lines = [
        f"# Benchmarks, {date.today()}",
        "",
        f"{machine()}, {packages}.",
        "Medians of interleaved rounds; ratios are taken within a round.",
    ]
    return "\n".join(lines)


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] in SUITES:
        command.main(suite_of(sys.argv[1]), sys.argv[2:], machine())
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHMARKS))
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write a results file")
    options = parser.parse_args()
    for name in options.names:
        if name not in BENCHMARKS:
            parser.error(f"no benchmark '{name}'; choose from {', '.join(BENCHMARKS)}")
    print(header(), flush=True)
    tables: list[Table] = []
    for name in options.names or BENCHMARKS:
        tables.append(import_module(f"benchmarks.{name}").run())
        print(f"\n{tables[-1]}", end="", flush=True)
    if options.write:
        options.write.write_text("\n".join([header(), "", *map(str, tables)]))


if __name__ == "__main__":
    main()
