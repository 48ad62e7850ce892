"""Make machine code of the texts of this folder, for the system that most have: ``make runtime``.

It is what LLVM would make of them where they are used, but for any CPU of a kind. None of them has
arithmetic for which wide registers would be worth anything.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import llvmlite.binding as llvm

from autograph.kernels.native import compiler
from autograph.kernels.native.c import FOLDER

# LLVM's names of systems and CPUs, by the folders of the machine code for them: of what the tests
# run on, for what is wrong with it would end the process.
TARGETS = {"x86-64-linux": ("x86_64-unknown-linux-gnu", "x86-64")}


def objects(folder: Path = FOLDER) -> dict[Path, Path]:
    """The object files that there shall be, each with the text that it is made of."""
    return {
        folder / "objects" / target / f"{text.name.partition('.')[0]}.o": text
        for target in TARGETS
        for text in sorted(folder.glob(f"texts/*.{target.rpartition('-')[0]}.ll"))
    }


def made(text: str, target: str) -> bytes:
    """The object file of a text.

    Args:
        target: one of `TARGETS`.
    """
    triple, cpu = TARGETS[target]
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, opt=3, reloc="pic", codemodel="small"
    )
    with compiler.at_work(), compiler.optimised(text, quickly=True, machine=machine) as module:
        return bytes(machine.emit_object(module))


def version() -> str:
    """Which LLVM makes it."""
    return "LLVM " + ".".join(map(str, llvm.llvm_version_info))


def record(folder: Path = FOLDER) -> str:
    """What says what the object files were made of, but for the line that says by which LLVM."""
    lines = []
    for made_of in sorted({*objects(folder).values()}):
        content = made_of.read_bytes()
        lines.append(f"{hashlib.sha256(content).hexdigest()[:16]} {made_of.name}\n")
    return "".join(lines)


def recorded(folder: Path = FOLDER) -> tuple[str, str]:
    """By which LLVM the object files there were made, and of what."""
    first, _, rest = (
        (folder / "objects" / "made_of.txt").read_text(encoding="utf-8").partition("\n")
    )
    return first, rest


def stale(folder: Path = FOLDER) -> list[str]:
    """What is not made of the texts as they are: names of object files and of texts."""
    there = {path for path in folder.glob("objects/*/*") if path.is_file()}
    wrong = [path.name for path in there ^ objects(folder).keys()]
    found, wanted = ({*lines.splitlines()} for lines in (recorded(folder)[1], record(folder)))
    return sorted({*wrong, *(line.split()[1] for line in found ^ wanted)})


def main() -> None:
    for path, text in objects().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(made(text.read_text(encoding="utf-8"), path.parent.name))
        print(path.relative_to(Path.cwd()))
    index = FOLDER / "objects" / "made_of.txt"
    index.write_text(f"{version()}\n{record()}", encoding="utf-8")


if __name__ == "__main__":
    main()
