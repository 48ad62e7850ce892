"""The choice of a mesh on the command line, and of the process that prints, for all samples here.

A mesh of lanes is in one process, and gives the numbers that as many processes give.

    python -m samples.parallel.data_parallel --parts 4
    mpiexec -n 4 python -m samples.parallel.data_parallel --processes
"""

from __future__ import annotations

import argparse

import autograph as ag


def parser_of(doc: str | None, parts: int = 4) -> argparse.ArgumentParser:
    """A parser of the command line with the choice of the mesh.

    Args:
        doc: of the sample, whose first line is the description.
        parts: how many lanes there are unless said otherwise.
    """
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument(
        "--processes",
        action="store_true",
        help="run on the processes that mpiexec has started instead of lanes of this one",
    )
    parser.add_argument(
        "--parts", type=int, default=parts, help="lanes; of processes, mpiexec -n says how many"
    )
    return parser


def mesh_of(options: argparse.Namespace, axis: str, **others: int) -> ag.Mesh:
    """The mesh that was chosen.

    Args:
        axis: the axis along which what remains of the parts lies.
        others: the axes before it, with their sizes.
    """
    if options.processes:
        return ag.Mesh.processes(**others, **{axis: -1})
    for size in others.values():
        if options.parts % size:
            raise SystemExit(f"--parts {options.parts} is no multiple of {size}")
        options.parts //= size
    return ag.Mesh.lanes(**others, **{axis: options.parts})


def is_first(mesh: ag.Mesh) -> bool:
    """Whether this process is the one that prints: lanes are all in one."""
    return mesh.kind == "lanes" or not any(mesh.place.values())
