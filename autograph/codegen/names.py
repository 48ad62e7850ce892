"""Which Python variable holds which value.

Values that the user gave the same name share a variable where their live ranges allow, so that
``x = x + 1`` prints as written. A loop's state has one variable for all trips and for the result.
A value without a name takes the variable that it is going to be copied to, if that is free, or a
temporary.
"""

from __future__ import annotations

import heapq
import keyword
import re
from collections.abc import Collection, Container, Iterable, Iterator

from autograph.codegen.liveness import Liveness
from autograph.codegen.memory import is_update
from autograph.graph.graph import Constant, Graph, Value, walk
from autograph.graph.wiring import wiring
from ops.core.types import ArrayType


def identifier(name: str) -> str:
    """``name`` as a valid identifier."""
    text = re.sub(r"\W", "_", name, flags=re.ASCII).strip("_") or "value"
    return f"_{text}" if text[0].isdigit() else text


class ModuleNames:
    """The names of a module: functions and constants, each given once.

    Args:
        taken: names that must not be given.
    """

    def __init__(self, taken: Iterable[str]):
        self.taken = set(taken)

    def give(self, name: str) -> str:
        """``name``, or the first of ``name_1``, ``name_2`` ... that is free."""
        base = identifier(name)
        candidate, k = base, 0
        while candidate in self.taken or keyword.iskeyword(candidate):
            k += 1
            candidate = f"{base}_{k}"
        self.taken.add(candidate)
        return candidate


class Variables:
    """The local variables of one function.

    Args:
        graph: the function's graph.
        liveness: its live ranges.
        reserved: names that no local variable may have.
    """

    def __init__(self, graph: Graph, liveness: Liveness, reserved: Collection[str]):
        self._liveness = liveness
        self._reserved = reserved
        self._chosen: dict[Value, str] = {}
        self._groups: dict[Value, tuple[Value, ...]] = {}
        self._hints: dict[Value, list[Value]] = {}
        self._holders: dict[str, list[Value]] = {}
        self._user_names: set[str] = set()
        self._numbers = {"t": _Numbers(range(0))}  # by the name before them
        self._collect(graph)

    def _collect(self, graph: Graph) -> None:
        values = [*graph.inputs]
        for node in walk(graph):
            values += node.outputs
            for region in node.regions:
                values += region.inputs
            wires = wiring(node)
            for result, output in wires.leaves:
                self._hint(result, output)
            for variable in wires.carried:
                group = (variable.entered, variable.result, *variable.tested)
                self._groups.update((member, group) for member in group)
                self._hint(variable.left, variable.entered)
                self._hint(variable.start, variable.entered)
        self._user_names = {identifier(v.name) for v in values if v.name}

    def _hint(self, value: Value, target: Value) -> None:
        if not isinstance(value, Constant):
            self._hints.setdefault(value, []).append(target)

    def prefer(self, value: Value, target: Value) -> None:
        """Let ``value`` share the variable of ``target``, if neither the user nor a loop named
        another one."""
        self._hint(value, target)

    def of(self, value: Value, now: int, avoid: Container[str] = ()) -> str:
        """The variable of a value, chosen when first asked for.

        Args:
            value: a value that is not a constant.
            now: a position in program order: what is not needed after it may be overwritten.
            avoid: variables that a value without a name should not get.
        """
        if value not in self._chosen:
            group = self._groups.get(value, (value,))
            name = self._named(group, now) or self._hinted(group, now, avoid)
            self._record(group, name or self._temporary(group, now, avoid))
        return self._chosen[value]

    def of_arrays(self) -> set[str]:
        """The variables chosen so far that hold arrays, or what contains them."""
        return {
            name
            for value, name in self._chosen.items()
            if not isinstance(value.type, ArrayType) or value.type.shape
        }

    def _record(self, group: tuple[Value, ...], name: str) -> None:
        self._chosen.update((value, name) for value in group)
        self._holders.setdefault(name, []).extend(group)
        if name not in self._user_names and (match := re.fullmatch(r"(\w+)_(\d+)", name)):
            end = max(self._liveness.last_position(value) for value in group)
            self._numbers_of(match[1]).take(int(match[2]), end)

    def _numbers_of(self, base: str) -> _Numbers:
        return self._numbers.setdefault(base, _Numbers(range(1, 5)))

    def _named(self, group: tuple[Value, ...], now: int) -> str | None:
        base = next((identifier(value.name) for value in group if value.name), None)
        if base is None:
            return None
        if not keyword.iskeyword(base) and self._is_possible(base, group, now):
            return base
        for k in self._numbers_of(base).candidates(now):
            name = f"{base}_{k}"
            if name not in self._user_names and self._is_possible(name, group, now):
                return name
        raise AssertionError

    def _hinted(
        self, group: tuple[Value, ...], now: int, avoid: Container[str], follow: bool = True
    ) -> str | None:
        """The variable of a value that one of the group will be copied to.

        Args:
            follow: whether to choose the variable of such a value now. It follows no hints that
                lead to further choices, since those may form long chains.
        """
        for target in (target for value in group for target in self._hints.get(value, ())):
            if target not in self._chosen and follow:
                targets = self._groups.get(target, (target,))
                name = self._named(targets, now) or self._hinted(targets, now, avoid, False)
                self._record(targets, name or self._temporary(targets, now, avoid))
            name = self._chosen.get(target)
            if name is not None and name not in avoid and self._is_free(name, group, now):
                return name
        return None

    def _is_possible(self, name: str, group: tuple[Value, ...], now: int) -> bool:
        return name not in self._reserved and self._is_free(name, group, now)

    def _is_free(self, name: str, group: tuple[Value, ...], now: int) -> bool:
        holders = self._holders.get(name, [])
        holders[:] = [v for v in holders if self._liveness.last_position(v) >= now]
        return not any(self._interfere(a, b) for a in group for b in holders)

    def _interfere(self, a: Value, b: Value) -> bool:
        return self._liveness.interfere(a, b) or _is_read_late(a, b) or _is_read_late(b, a)

    def _temporary(self, group: tuple[Value, ...], now: int, avoid: Container[str]) -> str:
        for k in self._numbers_of("t").candidates(now):
            name = f"t_{k}"  # a second ``t`` of the user's is ``t_1``
            if name in self._user_names or name in avoid:
                continue
            if self._is_possible(name, group, now):
                return name
        raise AssertionError


class _Numbers:
    """The numbers at the end of the variables of one name.

    Args:
        always: those to try each time, though they may be in use: a variable of a loop may hold
            its own next value.
    """

    def __init__(self, always: range):
        self._always = always
        self._next = always.stop
        self._busy: list[tuple[int, int]] = []  # with the last position at which each is needed
        self._free: list[int] = []

    def take(self, number: int, end: int) -> None:
        """Say that a number is in use, up to a position."""
        if number not in self._always:
            heapq.heappush(self._busy, (end, number))

    def candidates(self, now: int) -> Iterator[int]:
        """The numbers that may be free at a position, the least first. Each is taken or is not
        free."""
        yield from self._always
        while self._busy and self._busy[0][0] <= now:
            heapq.heappush(self._free, heapq.heappop(self._busy)[1])
        while self._free:
            yield heapq.heappop(self._free)
        while True:
            self._next += 1
            yield self._next - 1


def _is_read_late(value: Value, result: Value) -> bool:
    """Whether ``value`` is an operand of the update that computes ``result``, which sets the
    variable of its result before it reads the operands."""
    node = result.producer
    return node is not None and is_update(node) and any(value is v for v in node.inputs[1:])
