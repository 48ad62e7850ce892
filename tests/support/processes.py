"""Programs in a Python of their own, which imports the packages of this tree."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

from tests.support.tree import ROOT


def run_python(
    *arguments: Any,
    folder: Path | None = None,
    timeout: float = 600,
    together: bool = False,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Run Python.

    Args:
        arguments: of the command line.
        folder: to run it in.
        timeout: in seconds; only what hangs takes so long, also on a busy machine.
        together: whether what goes to standard error comes amid what is printed.
        environment: variables besides those of this process.
    """
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if together else subprocess.PIPE,
        text=True,
        timeout=timeout,
    )


def printed(*arguments: Any, **options: Any) -> str:
    """What Python prints, which must end well; see `run_python`."""
    ran = run_python(*arguments, **options)
    assert ran.returncode == 0, f"{ran.stdout}{ran.stderr or ''}"
    return ran.stdout


def file_of(path: Path, source: str, head: str = "") -> Path:
    """A file of a program, which may be indented, after a ``head``."""
    path.write_text(head + textwrap.dedent(source), encoding="utf-8")
    return path


# The start of a program that looks at what the compiler logs.
LISTENING = """
    import logging
    messages = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())
    logging.getLogger("autograph").addHandler(handler)
    logging.getLogger("autograph").setLevel("DEBUG")
"""


def with_cache(folder: Path) -> dict[str, str]:
    """The environment of programs of the NumPy backend that share what they compile on disk."""
    return {
        "AUTOGRAPH_CACHE_DIR": str(folder / "cache"),
        "AUTOGRAPH_CACHE_PROGRAMS": "",
        "AUTOGRAPH_KERNELS": "0",
        "AUTOGRAPH_VERIFY": "",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
