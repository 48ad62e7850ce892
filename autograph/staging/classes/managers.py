"""Context managers of the user's around what may fail when the program runs.

If something in a ``with`` block fails then, Python calls ``__exit__``, or goes on in a generator
behind its ``yield``, before the exception goes on or is swallowed. A program ends there. That can
be seen if it prints, or handles the exception, so it is refused.
"""

from __future__ import annotations

import contextlib
import dis
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FrameType
from typing import Any, NoReturn

from autograph.errors import (
    Location,
    MutationError,
    UnsupportedConstructError,
    UnsupportedFunctionError,
)
from autograph.graph.builder import current_builder
from autograph.graph.graph import Node
from autograph.source.load import Handled
from autograph.source.tree.options import Handling
from autograph.source.unconverted import handled_in_source
from autograph.staging.arrays.array import located_error
from autograph.staging.classes import specials
from autograph.staging.ground.handling import handles
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsHandlers
from ops.control import effects
from ops.core.op import Errors

_FAIL = (effects.check, effects.fail)
_MOVE = "test the values with 'if' instead, or move the 'with' out of the function"


class Managers:
    """The context managers that are entered now, with how many nodes there were then.

    Attributes:
        held: those of Python's own that are entered by `autograph.staging.control.leaving`.
    """

    def __init__(self) -> None:
        self.held: list[Any] = []
        self._entered: list[tuple[Any, int]] = []

    def __len__(self) -> int:
        return len(self._entered)

    def release(self) -> None:
        """Leave those that are held, where something could not be recorded."""
        while self.held:
            manager = self.held.pop()
            with contextlib.suppress(Exception):
                if isinstance(manager, GeneratorManager):
                    manager.gen.close()  # now, not when it is collected
                else:
                    type(manager).__exit__(manager, None, None, None)

    def enter(self, manager: Any, enter: Callable[[], Any]) -> Any:
        result = enter()
        self._entered.append((manager, len(current_builder().nodes)))
        return result

    def leave(self, manager: Any) -> int | None:
        """Take a manager off, and give the number of nodes when it was entered; None if it was not.

        The managers that a generator enters are entered before its own, and left before it is.
        """
        for place, (other, start) in reversed(list(enumerate(self._entered))):
            if other is manager:
                del self._entered[place]
                return start
        return None

    def exit(self, manager: Any, exit: Callable[[], Any], error: BaseException | None) -> Any:
        """Call ``exit``, which is the manager's ``__exit__``, unless the block ends with an error
        that Python knows nothing of: nothing may be done about that.

        A block that ends with an exception on each path may have failed before that as well.

        Args:
            error: the exception with which the block ends.

        Raises:
            UnsupportedConstructError: it does something that can be seen, and may not be called.
        """
        if _is_refused(error):
            self.leave(manager)
            return False
        nodes = current_builder().nodes
        stop = len(nodes)
        result = exit()
        start = self.leave(manager)
        if start is not None:
            may_fail = [node for node in all_nodes(nodes[start:stop]) if _may_fail(node)]
            seen = any(node.op.effect == "shows" for node in all_nodes(nodes[stop:]))
            own = specials.original(type(manager).__exit__)
            swallows = may_swallow(own)
            looks = is_user_object(manager) and _looks_at_error(own)
            if may_fail and (seen or swallows or looks):
                does = "may swallow the exception" if swallows else "prints something"
                does = does if swallows or seen else "does something about the exception"
                _refuse(
                    f"__exit__ of '{_name(manager)}' would not be called, which {does}",
                    may_fail[0].location,
                )
        return result

    def refuse_failure(self, errors: Errors, location: Location | None) -> None:
        """Refuse what may fail with one of some classes of exceptions inside of a manager that
        would do something about it."""
        for manager, _ in self._entered:
            if isinstance(manager, (GeneratorManager, Stack)) and manager.handles(errors):
                refuse_unfinished(manager, location)


def refuse_unfinished(manager: Any, location: Location | None) -> NoReturn:
    """Refuse what may fail in the block of a manager that goes on as Python is recorded."""
    _refuse(
        f"what '{_name(manager)}' does at the end of the 'with' block would not be done", location
    )


def _refuse(what: str, location: Location | None) -> NoReturn:
    """Refuse what may fail in a ``with`` block, unless functions that are converted such that the
    program handles exceptions can be recorded.

    Raises:
        NeedsHandlers, UnsupportedConstructError: always.
    """
    refusal = UnsupportedConstructError(
        f"whether this fails is known only at run time, and then {what}",
        location,
        id="AG0334",
        fix=_MOVE,
    )
    raise refusal if recorder().handling else NeedsHandlers(refusal, Handling.TRIES)


def _is_refused(error: BaseException | None) -> bool:
    """Whether a block ends with what Python knows nothing of."""
    return error is not None and not recorder().is_of_program(error)


def _name(manager: Any) -> str:
    return getattr(manager, "_shown", None) or type(manager).__name__


def _looks_at_error(exit: Any) -> bool:
    """Whether an ``__exit__`` reads what it is told of the exception, or raises one itself."""
    code = getattr(exit, "__code__", None)
    if code is None:
        return False
    count = code.co_argcount + bool(code.co_flags & inspect.CO_VARARGS)
    names = (*code.co_varnames[1:count], *code.co_cellvars)
    return any(
        i.opname.startswith("RAISE") or (i.opname.startswith("LOAD") and _names(i, names))
        for i in dis.get_instructions(code)
    )


def _names(instruction: dis.Instruction, names: Sequence[str]) -> bool:
    """Whether an instruction is about one of some variables; some are about two at once."""
    found = instruction.argval
    return not set(found if isinstance(found, tuple) else (found,)).isdisjoint(names)


def may_swallow(exit: Any) -> bool:
    """Whether an ``__exit__`` may return something true: True, or what is no constant."""
    code = getattr(exit, "__code__", None)
    if code is None:
        return False
    before = None
    for instruction in dis.get_instructions(code):
        if instruction.opname == "RETURN_CONST" and instruction.argval:
            return True
        constant = before is not None and before.opname.startswith("LOAD_CONST")
        if instruction.opname == "RETURN_VALUE" and not (constant and not before.argval):
            return True
        before = instruction
    return False


def _may_fail(node: Node) -> bool:
    return node.required or node.op in _FAIL


def all_nodes(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes and those of their regions."""
    for node in nodes:
        yield node
        for region in node.regions:
            yield from all_nodes(region.nodes)


# -- those of contextlib ---------------------------------------------------------------------------


class GeneratorManager(contextlib._GeneratorContextManager):
    """What a function makes that is decorated with `contextlib.contextmanager`.

    Attributes:
        handled: the parts of the generator in which it does something about exceptions.
    """

    handled: Sequence[Handled] = ()
    _shown = ""

    def __enter__(self) -> Any:
        self._frame = recorder().frame
        return recorder().managers.enter(self, super().__enter__)

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> Any:
        start = recorder().managers.leave(self)
        if _is_refused(error):
            with contextlib.suppress(Exception):
                self.gen.close()  # now, not when it is collected
            return False
        is_final = self.reacts((Exception,))
        builder, stop = current_builder(), len(current_builder().nodes)
        is_done = False
        try:
            result = super().__exit__(kind, error, trace)
            is_done = True
        finally:
            if is_final and start is not None:
                self._refuse_final(builder.nodes[start:stop], builder.nodes[stop:], is_done)
        return result

    def _refuse_final(self, block: Sequence[Node], final: Sequence[Node], is_done: bool) -> None:
        """Refuse a ``finally`` of which can be seen whether it was run, after a block that may
        fail: what it changes cannot, as nothing changes then.

        Args:
            block, final: what the block and what follows it in the generator computes.
            is_done: whether that came to its end.
        """
        failing = [node for node in all_nodes(block) if _may_fail(node)]
        seen = (node for node in all_nodes(final) if node.op.effect == "shows" or _may_fail(node))
        if failing and not (is_done and next(seen, None) is None):
            refuse_unfinished(self, failing[0].location)

    def is_here(self) -> bool:
        """Whether it was entered in this branch or loop, where the generator can go on."""
        return self._frame is recorder().frame

    def handles(self, errors: Errors) -> bool:
        """Whether the generator does more than that in an ``except`` if one of the exceptions is
        thrown into it now."""
        frame: FrameType | None = self.gen.gi_frame
        around = [one for one in self._around() if not one.is_final]
        return any(handles(one, frame, errors) for one in around)

    def reacts(self, errors: Errors) -> bool:
        """Whether it does something then."""
        return self.handles(errors) or any(one.is_final for one in self._around())

    def _around(self) -> list[Handled]:
        frame: FrameType | None = self.gen.gi_frame
        if frame is None:
            return []
        return [one for one in self.handled if one.first <= frame.f_lineno <= one.last]


def of_generator(generator: Callable, source: Callable) -> Callable:
    """`contextlib.contextmanager` of a generator function, as it is recorded, whose source is that
    of another one."""
    handled = handled_in_source(source)

    def make(*args: Any, **kwargs: Any) -> GeneratorManager:
        manager = GeneratorManager(generator, args, kwargs)
        manager.handled, manager._shown = handled, generator.__name__
        return manager

    return make


class Stack(contextlib.ExitStack):
    """`contextlib.ExitStack`."""

    _shown = "ExitStack"

    def __init__(self) -> None:
        super().__init__()
        self._frame = recorder().frame

    def _push_exit_callback(self, callback: Callable, is_sync: bool = True) -> None:
        self._refuse_elsewhere()
        super()._push_exit_callback(callback, is_sync)  # type: ignore[misc]

    def pop_all(self) -> Stack:
        self._refuse_elsewhere()
        return super().pop_all()

    def is_here(self) -> bool:
        """Whether it was made in this branch or loop."""
        return self._frame is recorder().frame

    def _refuse_elsewhere(self) -> None:
        if not self.is_here():
            raise located_error(
                MutationError,
                "an ExitStack changes that is made before this branch or loop: how often is known "
                "only at run time",
                id="AG0379",
                fix="make the stack where it is used, or keep what is to be called in a list",
            )

    def __enter__(self) -> Any:
        return recorder().managers.enter(self, super().__enter__)

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> Any:
        recorder().managers.leave(self)
        if _is_refused(error):
            while self._exit_callbacks:
                _, exit = self._exit_callbacks.pop()
                if _looks_after_itself(exit):
                    exit(kind, error, trace)
            return False
        return super().__exit__(kind, error, trace)

    def handles(self, errors: Errors) -> bool:
        """Whether there is something in it besides managers that are looked at themselves."""
        return not all(_looks_after_itself(exit) for _, exit in self._exit_callbacks)

    reacts = handles


def _looks_after_itself(exit: Callable) -> bool:
    """Whether a function in an `ExitStack` is the ``__exit__`` of a manager that is known here."""
    owner = getattr(exit, "__self__", None)
    return isinstance(owner, (GeneratorManager, Stack)) or specials.is_replaced(type(owner))


class Suppress(contextlib.suppress):
    """`contextlib.suppress`, which does not suppress that something can't be recorded."""

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> Any:
        return not _is_refused(error) and super().__exit__(kind, error, trace)


class Closing(contextlib.closing):
    """`contextlib.closing`, whose ``close`` is called when the program runs."""

    _shown = "closing"

    def __enter__(self) -> Any:
        return recorder().managers.enter(self, super().__enter__)

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> None:
        recorder().managers.exit(self, self.close, error)

    def close(self) -> None:
        recorder().call(self.thing.close, (), {})


def _redirected(kind: type) -> type:
    """`contextlib.redirect_stdout` or `contextlib.redirect_stderr`."""

    class Redirected(kind):
        def __enter__(self) -> Any:
            self._start = len(current_builder().nodes)
            return super().__enter__()

        def __exit__(self, *error: Any) -> None:
            super().__exit__(*error)
            inside = all_nodes(current_builder().nodes[self._start :])
            if any(node.op.effect == "shows" for node in inside):
                raise located_error(
                    UnsupportedFunctionError,
                    f"contextlib.{kind.__name__} around what prints when the program runs",
                    fix="put it around the call of the compiled function",
                )

    return Redirected


FUNCTIONS: dict[Callable, Callable] = {
    contextlib.ExitStack: Stack,
    contextlib.closing: Closing,
    contextlib.suppress: Suppress,
    contextlib.redirect_stdout: _redirected(contextlib.redirect_stdout),
    contextlib.redirect_stderr: _redirected(contextlib.redirect_stderr),
}
