"""Recursion as deep as memory allows.

A program's recursive functions call each other as Python functions do, at Python's speed and down
to Python's recursion limit. Where that is not deep enough the program runs in another form: each
recursive function is a generator, and each call of one is ``yield f(...)``. `run` does the calls
that are yielded, one after the other, and keeps those that wait for a result in a list. Nothing
is nested then, neither Python's frames nor C's, whatever the version of Python.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Generator
from pathlib import Path
from typing import Any

from autograph.settings import most_waiting_calls

_FIRST, _INTERVAL = 64, 1024  # levels before the first look at the memory; at most between two
_SHARE = 4  # recursion may take one part in so many of the memory available when it began


class TooDeep(RecursionError):
    """So many calls wait for their results that they fill the memory that recursion may take, or
    that there is likely no end.

    The innermost of them is the last one in the traceback.
    """


def run(call: Generator) -> Any:
    """The result of a call of a recursive function.

    Raises:
        TooDeep: there is no memory for more calls, or there are more than
            ``AUTOGRAPH_RECURSION_DEPTH`` allows.
    """
    waiting: list[Generator] = []
    memory = _Memory()
    result = None
    try:
        while True:
            try:
                inner = call.send(result)
            except StopIteration as end:
                if not waiting:
                    return end.value
                call, result = waiting.pop(), end.value
                continue
            waiting.append(call)
            call, result = inner, None
            if len(waiting) >= memory.next_look:
                why = memory.refusal(len(waiting))
                if why:
                    waiting.pop().throw(TooDeep(why))
    finally:
        waiting.clear()  # the traceback of an error keeps this frame


def as_generators(text: str, functions: Container[str], recursive: Container[str]) -> ast.Module:
    """The other form of a program.

    Args:
        text: the program.
        functions: the names of its functions, without its helpers.
        recursive: those of them that are recursive.

    Returns:
        A tree that defines these functions, named by `deep_name`, with the lines that they have in
        ``text``. The recursive ones are generators. It needs `run` under the name `RUN`.
    """
    tree = ast.parse(text)
    tree.body = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in functions]
    _AsGenerators(functions, recursive).visit(tree)
    return ast.fix_missing_locations(tree)


def deep_name(name: str) -> str:
    """What a function of a program is called in its other form; no identifier, so it is free."""
    return f"{name} (deep)"


RUN = deep_name("run")


class _AsGenerators(ast.NodeTransformer):
    def __init__(self, functions: Container[str], recursive: Container[str]):
        self.functions = functions
        self.recursive = recursive
        self.inside = False  # a recursive function

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.inside = node.name in self.recursive
        node.name = deep_name(node.name)
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id in self.functions):
            return node
        recursive = node.func.id in self.recursive
        node.func.id = deep_name(node.func.id)
        if not recursive:
            return node
        call = ast.Yield(node) if self.inside else ast.Call(ast.Name(RUN, ast.Load()), [node], [])
        return ast.copy_location(call, node)


class _Memory:
    """The memory that one recursion may take, looked up when it first gets deep.

    Attributes:
        next_look: the number of calls that wait when it is to be looked at again.
    """

    def __init__(self) -> None:
        self.next_look = _FIRST
        self._most = 0  # levels
        self._first: int | None = None  # what was available at the first look
        self._reserve = 0  # how much has to stay available

    def refusal(self, depth: int) -> str:
        """Why no more calls may wait than there do; empty if they may."""
        self._most = self._most or most_waiting_calls()
        if depth >= self._most:
            return f"more than {depth} of its calls wait for results"
        available = available_memory()
        step = _INTERVAL
        if available is not None:
            if self._first is None:
                self._first, self._reserve = available, available - available // _SHARE
            if available < self._reserve:
                return f"more than {depth} of its calls wait for results and fill the memory"
            used = self._first - available
            if used > 0:  # so that half of what is left may be used until then
                step = max(min(depth * (available - self._reserve) // (2 * used), step), 1)
        self.next_look = min(depth + step, self._most)
        return ""


def available_memory() -> int | None:
    """The bytes that this process can still get, or None if the system does not tell."""
    limits = [_free_in_system(), *(_free_in_group(*group) for group in _GROUPS)]
    return min((limit for limit in limits if limit is not None), default=None)


def _free_in_system() -> int | None:
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return 1024 * int(line.split()[1])
    return None


# Where the system tells about the control group (the container) of the process: the limit, what is
# used, and what part of that are files it would forget.
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "inactive_file "),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        "total_inactive_file ",
    ),
)


def _free_in_group(limit: str, used: str, files: str) -> int | None:
    most, now = _read(limit).strip(), _read(used).strip()
    if not (most.isdigit() and now.isdigit()):
        return None
    lines = _read(str(Path(used).with_name("memory.stat"))).splitlines()
    forgettable = [int(line.split()[1]) for line in lines if line.startswith(files)]
    return int(most) - int(now) + sum(forgettable)


def _read(file: str) -> str:
    try:
        return Path(file).read_text()
    except OSError:
        return ""
