"""Processes that may never end, as those that wait for a GPU may not."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess

_PATIENCE = 5  # seconds for what is killed: a GPU may hold it, or what it started its pipe


def said_by(process: subprocess.Popen[str], seconds: float) -> tuple[str, bool]:
    """What a process says, which has one pipe, and whether it ended in time; if not, it is killed,
    and all of its group if it leads one."""
    with contextlib.ExitStack() as stack:
        stack.callback(_kill, process)  # also what it left, or if the user does not wait
        try:
            return _said(process, max(seconds, 1)), True
        except subprocess.TimeoutExpired:
            pass
    try:
        return _said(process, _PATIENCE), False
    except subprocess.TimeoutExpired as error:
        return _text(error.stdout or error.stderr), False


def _said(process: subprocess.Popen[str], seconds: float) -> str:
    found, errors = process.communicate(timeout=seconds)
    return _text(found or errors)


def _text(said: str | bytes | None) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else said or ""


def _kill(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        if process.poll() is None:
            process.kill()
        os.killpg(process.pid, signal.SIGKILL)  # which is no group, unless it leads it
