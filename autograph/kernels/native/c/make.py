"""Compile the C of this folder to the texts that are shipped: ``make runtime``.

Run with a Python that has the package ``ziglang``, in which there is a clang.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent

# The names of CPUs in the names of texts, and the targets that the compiler makes them for.
TARGETS = {"x86-64": "x86_64-linux-gnu", "aarch64": "aarch64-linux-gnu"}

# LLVM makes machine code of the text as it is, but for constants, where it is used.
_FLAGS = (
    *("-S", "-emit-llvm", "-O2", "-g0", "-std=c11", "-ffreestanding", "-fPIC", "-fno-ident"),
    *("-fno-strict-aliasing", "-fno-stack-protector", "-fno-sanitize=all"),
    *("-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize"),
    "-fno-discard-value-names",
    *("-Wall", "-Wextra", "-Werror"),
)


def fingerprint(source: Path) -> str:
    """A hash of a C file and of all headers, of which it may include any."""
    contents = [path.read_bytes() for path in (source, *sorted(source.parent.glob("*.h")))]
    return hashlib.sha256(b"".join(contents)).hexdigest()[:16]


def texts(folder: Path = FOLDER) -> dict[Path, tuple[Path, str]]:
    """The texts that there shall be, each with the C file and the target it is made of and for."""
    return {
        folder / "texts" / f"{source.stem}.{cpu}.ll": (source, target)
        for source in sorted(folder.glob("*.c"))
        for cpu, target in TARGETS.items()
    }


def heading(source: Path, target: str) -> str:
    """How a text begins, but for the version of the compiler."""
    return f"; Made by `make runtime` of {source.name} ({fingerprint(source)}) for {target}, by "


def stale(folder: Path = FOLDER) -> list[str]:
    """The names of texts that are not those of the C as it is."""
    wanted = {path: heading(*made_of) for path, made_of in texts(folder).items()}
    found = {path: path.read_text(encoding="utf-8") for path in folder.glob("texts/*")}
    return sorted(
        path.name
        for path in wanted.keys() | found.keys()
        if path not in wanted or not found.get(path, "").startswith(wanted[path])
    )


def cleaned(text: str) -> str:
    """A text without what says how, where and for which CPU it was made, and without attributes of
    functions and metadata, which other versions of LLVM might not know. What names have to begin
    with is up to the system that it is used on."""
    kept = []
    for line in text.splitlines():
        if re.match(
            r"(; ModuleID|; Function Attrs|source_filename|target triple|attributes|!)", line
        ):
            continue
        line = re.sub(r"( #\d+)(?=( align \d+)? \{$|$|,)", "", line)
        line = re.sub(r", ![\w.]+ !\d+", "", line)
        line = re.sub(r" ?\b(nocapture|(local_)?unnamed_addr)\b", "", line)
        kept.append(line.replace('target datalayout = "e-m:e-', 'target datalayout = "e-'))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip() + "\n"


def main() -> None:
    compiler = [sys.executable, "-m", "ziglang", "cc"]
    said = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True)
    version = said.stdout.partition(" (")[0]
    for path, (source, target) in texts().items():
        subprocess.run([*compiler, *_FLAGS, "-target", target, source, "-o", path], check=True)
        text = cleaned(path.read_text(encoding="utf-8"))
        path.write_text(f"{heading(source, target)}{version}.\n\n{text}", encoding="utf-8")
        print(path.relative_to(Path.cwd()))


if __name__ == "__main__":
    main()
