"""The machine code of kernels: compiled, or found on disk by the keys of its object files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from autograph import cache
from autograph.kernels.native import compiler, python_calls
from autograph.kernels.native.loader import Code, link
from autograph.kernels.native.runtime import library_addresses, runtime
from autograph.kernels.native.tiers import IS_LATE, IS_SPENT, TIMED, Tiers, polling, timing
from autograph.log import log
from ops.core.lazy import lazy
from ops.core.records import NamedTuple

Functions = Mapping[str, Any]
NONE: Functions = MappingProxyType({})


class Recipe(NamedTuple):
    """How a kernel gets into memory without its text.

    Attributes:
        name: of its function.
        objects: the keys of its code, and of that of each routine that it calls.
        quick: the keys of the code that is made quickly, in the same order; none if there is no
            such.
        loops: those of NumPy; see `inner_loops.loops_in`.
        sorts: its functions that sort; see `sorts.sorts_in`.
        functions: those of the program; see `python_calls.functions_in`.
        draws: those of NumPy that draw; see `random.functions_in`.
    """

    name: str
    objects: Sequence[str]
    quick: Sequence[str]
    loops: Sequence[Sequence[str]]
    sorts: Sequence[Sequence[str]]
    functions: Sequence[Sequence[str]] = ()
    draws: Sequence[str] = ()

    def addresses(self, contents: Collection[bytes], functions: Functions) -> dict[str, int]:
        """What it refers to.

        Args:
            contents: its object files, which name what they call of the runtime.
            functions: the program's, by name.

        Raises:
            RuntimeError: NumPy does not have all of it.
        """
        with compiler.lock:  # so that one thread makes the runtime, and no process is forked now
            made = runtime()
            own = {n: made.address(n) for n in made.symbols.in_objects(contents)}
            if self.loops or self.sorts or self.draws:  # few kernels call NumPy's
                from autograph.kernels.native import inner_loops, random, sorts

                own |= inner_loops.addresses(self.loops) | sorts.addresses(self.sorts)
                own |= random.addresses(self.draws)
            return own | python_calls.addresses(self.functions, functions)

    def load(self, optimised: Callable[[], Code], functions: Functions = NONE) -> Code | None:
        """Its code from the disk; None if that is not there.

        Args:
            optimised: makes the code anew, for a kernel that runs for long and was made quickly.
            functions: see `addresses`.
        """
        found = _all_found(self.objects)
        if found:
            return self.linked(found, functions)
        quick = _all_found(self.quick)
        return self.timed(quick, optimised, functions) if quick else None

    def linked(self, contents: Collection[bytes], functions: Functions) -> Code:
        """Code that is optimised, of its object files; for ``functions`` see `addresses`."""
        symbols = self.addresses(contents, functions)
        return self._made(link(contents, (self.name,), symbols), functions)

    def timed(
        self, contents: Collection[bytes], optimised: Callable[[], Code], functions: Functions
    ) -> Code:
        """Code that was made quickly.

        Args:
            contents: its object files.
            optimised, functions: see `load`.
        """
        names = (self.name, TIMED, IS_SPENT, IS_LATE)
        symbols = self.addresses(contents, functions) | library_addresses(("clock_gettime",))
        code = link(contents, names, symbols)
        code.tiers = Tiers(optimised, self.name, needs_less=len(self.objects) > 1)
        return self._made(code, functions)

    def _made(self, code: Code, functions: Functions) -> Code:
        code.recipe = self
        code.kept = [functions[name] for _, name in self.functions]
        return code


def _all_found(keys: Sequence[str]) -> list[bytes]:
    """What is on disk under some keys; nothing if some of it is not."""
    contents = [cache.load(key) for key in keys]
    found = [content for content in contents if content is not None]
    return found if len(found) == len(contents) else []


class Routine:
    """What kernels of a program call, compiled once.

    Args:
        text: LLVM IR, which defines a function that does not begin as a kernel does.
        quickly: see `autograph.kernels.llvm.effort`.
    """

    def __init__(self, text: str, quickly: bool):
        self.text = text
        self._quickly = quickly

    @property
    def key(self) -> str:
        """Of the object file on disk."""
        return compiler.key_of(self.text, self._quickly)

    @lazy
    def object_code(self) -> bytes:
        """The object file."""
        return compiler.object_code(self.text, self._quickly)

    @property
    def quick_key(self) -> str:
        """Of the object file on disk that is made quickly."""
        return compiler.quick_key_of(polling(self.text))

    @lazy
    def quick_code(self) -> bytes:
        """That object file."""
        return compiler.quick_code(polling(self.text))


def compile_kernel(
    text: str,
    name: str,
    quickly: bool = False,
    routines: Sequence[Routine] = (),
    time: int | None = None,
    functions: Functions = NONE,
    whole: Callable[[], str] | None = None,
    key: str | None = None,
) -> Code:
    """A kernel as machine code.

    Args:
        text: LLVM IR, which may call what `autograph.kernels.native.runtime` has.
        name: of the function, ``i32 name(ptr inputs, ptr outputs)``.
        quickly: see `autograph.kernels.llvm.effort`.
        routines: what it calls besides.
        time: for how many nanoseconds it may run before it is optimised, unless that was done
            before; None: it is optimised at once.
        functions: those of Python's that it calls, by name; see `python_calls.receiver`.
        whole: gives the text that is optimised, if that is another one, which computes the same,
            and calls no other functions of NumPy's and of Python's.
        key: where the code that is optimised is on disk; by default it follows from the text.

    Raises:
        ValueError: the text is not valid, or what LLVM makes of it is not.
        RuntimeError: it calls a function that does not exist.
    """
    from autograph.kernels.native import inner_loops, random, sorts

    others = [routine.text for routine in routines]
    texts = (text, *others)
    timed = None if time is None else timing(text, name, time, others)
    key = key or compiler.key_of(text, quickly)
    recipe = Recipe(
        name,
        [key, *(routine.key for routine in routines)],
        [] if timed is None else [compiler.quick_key_of(timed), *(r.quick_key for r in routines)],
        inner_loops.loops_in(texts),
        sorts.sorts_in(texts),
        python_calls.functions_in(texts),
        random.functions_in(texts),
    )

    def optimised() -> Code:
        return linked(compiler.object_code(text if whole is None else whole(), quickly, key))

    def linked(content: bytes) -> Code:
        contents = (content, *(routine.object_code for routine in routines))
        return recipe.linked(contents, functions)

    if timed is None:
        return optimised()
    known = cache.load(key)
    if known is not None:
        return linked(known)
    try:
        quick = [compiler.quick_code(timed), *(routine.quick_code for routine in routines)]
        return recipe.timed(quick, optimised, functions)
    except (RuntimeError, ValueError) as error:
        log.info("a kernel can't be made quickly: %s", error)
        return optimised()
