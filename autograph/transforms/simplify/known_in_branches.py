"""What a branch knows of the results of other conditionals with the predicate that it has itself.

In the branch that is taken where ``x < 0``, what ``0.0 if x < 0 else x`` gives is 0.0. Recorded
code has such branches where a number is of one of two types, and an operator not the same for both:
what ``max(x, 0.0) ** 2`` is depends on which of the two was the greater one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import ops
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.transforms.simplify.identities import Application, Term, simpler
from ops.core.records import NamedTuple
from ops.core.types import ArrayType, Type


class _Choice(NamedTuple):
    """A value that a conditional gave, or that was made of one.

    Attributes:
        value: as it was in the graph that is rebuilt.
        sides: what stands for it where the predicate holds, and where not; None: nothing does.
    """

    value: Value
    sides: tuple[Value | None, Value | None]


class KnownInBranches:
    """What conditionals gave so far.

    Args:
        env: what old values became.
    """

    def __init__(self, env: dict[Value, Value]):
        self._env = env
        self._choices: dict[Value, list[_Choice]] = {}  # by the bool that decides
        self._made: dict[Value, tuple[Value, _Choice]] = {}

    def gave(
        self,
        predicate: Value,
        value: Value,
        sides: Sequence[Value],
        is_known: Callable[[Value], bool],
    ) -> None:
        """Note what a conditional gave.

        Args:
            predicate: its new one.
            value: an old result.
            sides: the new results of its branches.
            is_known: whether a new value may stand for the result elsewhere.
        """
        then, orelse = (side if is_known(side) else None for side in sides)
        if then is not None or orelse is not None:
            decides, holds = _decided_by(predicate)
            self._note(decides, _Choice(value, (then, orelse) if holds else (orelse, then)))

    def cast(self, node: Node, application: Application) -> None:
        """Note what a cast made of what a conditional gave, where that is a number."""
        noted = self._made.get(node.inputs[0])
        if noted is None:
            return
        decides, choice = noted
        types = [v.type for v in node.outputs]
        then, orelse = (_cast(application, side, types) for side in choice.sides)
        if then is not None or orelse is not None:
            self._note(decides, _Choice(node.outputs[0], (then, orelse)))

    def _note(self, decides: Value, choice: _Choice) -> None:
        self._choices.setdefault(decides, []).append(choice)
        self._made[choice.value] = (decides, choice)

    @contextmanager
    def taken(self, predicate: Value, side: bool, branch: Graph) -> Iterator[bool]:
        """Let what is rebuilt meanwhile be the branch on one side of a predicate. What it gives is
        whether something is known there that the branch uses."""
        decides, holds = _decided_by(predicate)
        known, used = {}, set(branch.captures)
        for value, sides in self._choices.get(decides, ()):
            stands = sides[0 if side == holds else 1]
            if stands is not None and value in used:
                known[value] = stands
        before = {value: self._env[value] for value in known}
        self._env.update(known)
        yield bool(known)
        self._env.update(before)


def _cast(application: Application, side: Value | None, types: Sequence[Type]) -> Value | None:
    """What a cast makes of a number; None of anything else."""
    if not isinstance(side, Constant) or not side.is_scalar:
        return None
    found = simpler(application._replace(inputs=(side,)), types)
    if found is None or isinstance(found, Term):
        return None
    return found[0] if isinstance(found[0], Constant) else None


def _decided_by(predicate: Value) -> tuple[Value, bool]:
    """The bool that a predicate is, or of which it is the opposite; and whether it is that bool."""
    holds = True
    while (node := predicate.producer) is not None:
        if node.op is ops.logical_not:
            holds = not holds
        elif node.op is not ops.cast or not _is_bool(node.inputs[0]):
            break
        predicate = node.inputs[0]
    return predicate, holds


def _is_bool(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and value.type.dtype == bool
