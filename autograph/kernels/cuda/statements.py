"""Statements as C, the same on all levels: scalars, loads and stores, structured control flow."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from autograph.kernels.cuda import helpers, ranges
from autograph.kernels.cuda.expressions import CExpression, ExpressionPrinter, number
from autograph.kernels.cuda.helpers import ctype
from autograph.kernels.cuda.names import ScopedNames
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Buffer, Operand, Statement, Var

_LONGEST = 72  # characters of an expression within another
_MOST_UNROLLED = 32  # trips of a loop over a local array
_MUCH_LOADED = 4  # elements of a trip
_CHECKED = {"add_checked": "add", "subtract_checked": "subtract", "multiply_checked": "multiply"}


class CudaStatements:
    """Prints statements of one function.

    Args:
        expressions: prints computations.
        names: in which nothing is taken yet but functions and parameters.
        statements: all of the function, to see what is used once, and what is only read.
    """

    def __init__(
        self, expressions: ExpressionPrinter, names: ScopedNames, statements: Sequence[Statement]
    ):
        self.expressions = expressions
        self.names = names
        self.lines: list[str] = []
        self.depth = 1
        self.written = uses.writes(statements)
        self._bound: dict[Operand, CExpression] = {}
        self._uses = Counter(x for s in ir.walk(statements) for x in uses.operands(s))
        self._used_in: dict[Var, int] = {}
        self._note_blocks(statements)
        self._locals: dict[Buffer, str] = {}
        self._conditions: dict[Operand, ir.Compute] = {}
        self._learned: list[tuple[Var, CExpression]] = []  # what held before, in this scope
        self.labels: list[str | None] = []  # where a trip that gives up goes on
        self._label_count = 0

    # -- for subclasses ----------------------------------------------------------------------------

    def pointer(self, buffer: Buffer) -> str:
        """The C name of a buffer that is not local."""
        raise NotImplementedError

    def record(self, buffer: Buffer, index: str) -> str:
        """An element of a buffer in reserved memory."""
        raise NotImplementedError

    def each(self, s: ir.Each) -> None:
        """Print a loop of independent trips."""
        raise NotImplementedError

    def reserve(self, s: ir.Reserve) -> None:
        """Print a reservation."""
        raise NotImplementedError

    def announce(self, s: ir.Announce) -> None:
        """Print what lets later trips of a loop in order know what this one stored."""
        raise NotImplementedError

    def await_(self, s: ir.Await) -> None:
        """Print a wait for that."""
        raise NotImplementedError

    def declare_local(self, buffer: Buffer, name: str) -> None:
        """Print the declaration of a local buffer."""
        self.line(f"{ctype(buffer.dtype)} {name}[{max(buffer.size, 1)}];")

    def wait(self, s: Statement) -> None:
        """Let threads wait for each other before a load, a store or an `Each`, if they have to."""

    def look(self, s: ir.While | ir.For) -> None:
        """Print what a trip does so that the user can end the kernel."""

    @contextmanager
    def repeated(self, blocks: Sequence[ir.Block]) -> Iterator[None]:
        """Print the body of a loop."""
        yield

    @contextmanager
    def side(self) -> Iterator[None]:
        """Print one side of a conditional."""
        yield

    def stored(self, text: str) -> str:
        """A store, by those threads that have to."""
        return text

    # -- text --------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append("    " * self.depth + text if text else "")

    @contextmanager
    def braces(self, head: str) -> Iterator[None]:
        """A block of C, and a scope of names."""
        self.line(f"{head} {{" if head else "{")
        self.depth += 1
        self.names.enter()
        learned = len(self._learned)
        yield
        while len(self._learned) > learned:
            self.bind(*self._learned.pop())
        self.names.leave()
        self.depth -= 1
        self.line("}")

    def _note_blocks(self, statements: Sequence[Statement]) -> None:
        """Note the block in which each scalar is used; a negative number if in several."""

        def note(operands: Sequence[Operand], block: int) -> None:
            for x in operands:
                if isinstance(x, Var):
                    self._used_in[x] = block if self._used_in.get(x, block) == block else -1

        def look(statements: Sequence[Statement], block: int) -> None:
            for s in statements:
                inner = [id(b) for b in ir.blocks(s)]
                match s:
                    case ir.For():
                        note((s.count, *s.init), block)
                        note(s.following, inner[0])
                    case ir.While():
                        note(s.init, block)
                        note((s.condition,), inner[0])
                        note(s.following, inner[1])
                    case ir.If():
                        note((s.condition,), block)
                        note(s.then_results, inner[0])
                        note(s.else_results, inner[1])
                    case ir.Each():
                        note((s.count,), block)
                        note([r.value for r in s.reductions], inner[0])
                    case _:
                        note(uses.operands(s), block)
                for b in ir.blocks(s):
                    look(list(b), id(b))

        look(statements, 0)

    # -- scalars -----------------------------------------------------------------------------------

    def operand(self, x: Operand) -> CExpression:
        """An operand as an expression."""
        return number(x.value) if isinstance(x, ir.Number) else self._bound[x]

    def bind(self, var: Var, expression: CExpression) -> None:
        """Say what a scalar is."""
        self._bound[var] = expression

    def type_of(self, var: Var, interval: ranges.Interval | None) -> str:
        """The C type of a scalar: int for an int64 that fits."""
        if var.dtype == ir.LONG and interval is not None and ranges.is_small(interval):
            return "int"
        return ctype(var.dtype)

    def define(self, var: Var, value: CExpression, default: str = "t") -> None:
        """Define a scalar that does not change."""
        name = self.names.new(var.name, default)
        kind = self.type_of(var, value.interval)
        self.line(f"const {kind} {name} = {value.text};")
        self.bind(var, CExpression(name, interval=value.interval, wide=kind == "int64"))

    def variable(self, var: Var, value: Operand | None, default: str = "x") -> str:
        """Declare a variable that stands for a scalar of the IR, and changes."""
        name = self.names.new(var.name, default)
        given = "" if value is None else f" = {self.operand(value).text}"
        self.line(f"{ctype(var.dtype)} {name}{given};")
        self.bind_variable(var, name)
        return name

    def bind_variable(self, var: Var, name: str) -> None:
        """Say that a scalar is what a variable holds."""
        interval = ranges.of_dtype(var.dtype) if var.dtype.kind in "iub" else None
        wide = var.dtype == ir.LONG
        self.bind(var, CExpression(name, interval=interval, wide=wide, reads=frozenset((name,))))

    def _result(self, var: Var, value: CExpression, block: int) -> None:
        """Define what a statement computes, or put it where it is used, if that is once, in the
        same block, and short."""
        once = self._uses[var] == 1 and self._used_in.get(var) == block
        is_name = value.text.isidentifier() and not value.reads
        if is_name or (once and var.name is None and len(value.text) <= _LONGEST):
            self.bind(var, value)
        else:
            self.define(var, value)

    def assign(self, names: Sequence[str], values: Sequence[Operand]) -> None:
        """Assign to variables at once."""
        pairs = [(name, self.operand(x), x.dtype) for name, x in zip(names, values)]
        pairs = [(name, x, dtype) for name, x, dtype in pairs if x.text != name]
        texts = []
        for i, (name, x, dtype) in enumerate(pairs):
            text = x.text
            if any(before in x.reads for before, _, _ in pairs[:i]):
                text = self.names.new(f"next_{name}")
                self.line(f"const {ctype(dtype)} {text} = {x.text};")
            texts.append(text)
        for (name, _, _), text in zip(pairs, texts):
            self.line(f"{name} = {text};")

    # -- statements --------------------------------------------------------------------------------

    def statements(self, statements: Sequence[Statement], block: int = 0) -> None:
        """Print statements of a block."""
        for s in statements:
            match s:
                case ir.Compute():
                    self._compute(s, block)
                case ir.Load():
                    self._load(s, block)
                case ir.Store():
                    self.wait(s)
                    target = self.element(s.buffer, s.index)
                    self.line(self.stored(f"{target} = {self.operand(s.value).text};"))
                case ir.Local():
                    name = self._locals[s.buffer] = self.names.new(s.buffer.name, "buffer")
                    self.declare_local(s.buffer, name)
                case ir.For():
                    self._for(s)
                case ir.While():
                    self._while(s)
                case ir.If():
                    self._if(s)
                case ir.Each():
                    self.each(s)
                case ir.Check():
                    self.line(f"if (!{self.operand(s.condition).within(90)}) {self.give_up()}")
                    self._learn(s.condition)
                case ir.Announce():
                    self.announce(s)
                case ir.Await():
                    self.await_(s)
                case ir.Reserve():
                    self.reserve(s)
                case _:
                    raise NotImplementedError(f"{type(s).__name__} within a kernel for CUDA")

    def block(self, block: ir.Block) -> None:
        """Print the statements of a block."""
        self.statements(list(block), id(block))

    def _learn(self, condition: Operand) -> None:
        """Note what holds for integers, until the end of the scope, once a condition does."""
        s = self._conditions.get(condition)
        if s is None:
            return
        x, y = s.operands
        if s.function == "&":
            self._learn(x)
            self._learn(y)
        elif isinstance(x, Var) and isinstance(y, ir.Number) and x.dtype == ir.LONG:
            known, limit = self._bound[x], int(y.value)
            assert known.interval is not None  # it is an integer's
            low, high = known.interval
            match s.function:
                case "<":
                    high = min(high, limit - 1)
                case "<=":
                    high = min(high, limit)
                case ">":
                    low = max(low, limit + 1)
                case ">=":
                    low = max(low, limit)
            if low <= high:
                self._learned.append((x, known))
                self.bind(x, dataclasses.replace(known, interval=(low, high)))

    def _compute(self, s: ir.Compute, block: int) -> None:
        if s.out.dtype == ir.BOOL and len(s.operands) == 2:
            self._conditions[s.out] = s
        operands = [self.operand(x) for x in s.operands]
        if s.function in _CHECKED:
            name = self.names.new(s.out.name)
            call = self.expressions.call(
                helpers.overflowing(_CHECKED[s.function]), *operands, CExpression(f"&{name}")
            )
            self.line(f"int64 {name};")
            self.line(f"if ({call.text}) {self.give_up()}")
            self.bind(s.out, CExpression(name, interval=ranges.of_dtype(s.out.dtype), wide=True))
            return
        dtype = s.operands[0].dtype
        value = self.expressions.compute(s.function, s.out.dtype, dtype, operands)
        self._result(s.out, value, block)

    def element(self, buffer: Buffer, index: Operand) -> str:
        """An element of a buffer."""
        text = self.operand(index).text
        if buffer.kind == "record":
            return self.record(buffer, text)
        return f"{self.place(buffer)}[{text}]"

    def place(self, buffer: Buffer) -> str:
        """Where a buffer starts."""
        return self._locals.get(buffer) or self.pointer(buffer)

    def _load(self, s: ir.Load, block: int) -> None:
        self.wait(s)
        interval = ranges.of_dtype(s.out.dtype) if s.out.dtype.kind in "iub" else None
        wide = s.out.dtype == ir.LONG
        reads = self.operand(s.index).reads
        value = CExpression(
            self.element(s.buffer, s.index), interval=interval, wide=wide, reads=reads
        )
        fixed = s.buffer.kind != "record" and not self.is_written(s.buffer)
        if fixed:
            self._result(s.out, value, block)
        else:
            self.define(s.out, value)

    def is_written(self, buffer: Buffer) -> bool:
        """Whether the function writes to a buffer."""
        return buffer in self.written

    def give_up(self) -> str:
        """What a thread does when a check fails."""
        return f"{{ status[0] = 1; {self.leave()} }}"

    def leave(self) -> str:
        """Leave the trip."""
        if not self.labels:
            return "return;"
        if self.labels[-1] is None:
            self._label_count += 1
            number = f"_{self._label_count}" if self._label_count > 1 else ""
            self.labels[-1] = f"given_up{number}"
        return f"goto {self.labels[-1]};"

    @contextmanager
    def trip(self) -> Iterator[None]:
        """Print what may be left by `leave`."""
        start = len(self.lines)
        self.labels.append(None)
        yield
        label = self.labels.pop()
        if label is not None:  # a jump must not pass the definitions of its own scope
            indent = "    " * self.depth
            inner = [f"    {line}" if line else line for line in self.lines[start:]]
            self.lines[start:] = [f"{indent}{{", *inner, f"{indent}}}", f"{indent}{label}:;"]

    # -- control flow ------------------------------------------------------------------------------

    def _for(self, s: ir.For) -> None:
        count = self.operand(s.count)
        names = [self.variable(var, init) for var, init in zip(s.state, s.init)]
        self.unroll(s)
        with self.loop(s.index, count, "0", "++"), self.repeated([s.body]):
            self.look(s)
            self.block(s.body)
            self.assign(names, s.following)
        for var, name in zip(s.results, names):
            self.bind_variable(var, name)

    def unroll(self, s: ir.For | ir.Each) -> None:
        """Ask for a loop to be unrolled: a local array stays in registers if no loop over it is
        left. One that loads much in each trip is left as it is: more at a time would take so many
        registers that fewer threads load at once."""
        few = isinstance(s.count, ir.Number) and int(s.count.value) <= _MOST_UNROLLED
        touched = uses.reads(s.body) | uses.writes(s.body)
        if few and any(b.kind == "local" for b in touched):
            self.line("#pragma unroll")
        elif isinstance(s, ir.For) and sum(isinstance(x, ir.Load) for x in s.body) >= _MUCH_LOADED:
            self.line("#pragma unroll 1")

    @contextmanager
    def loop(self, index: Var, count: CExpression, start: str, step: str) -> Iterator[None]:
        """A loop over ``index`` from ``start`` to ``count`` by ``step``."""
        interval = count.interval or ranges.of_dtype(ir.LONG)
        is_int = interval[1] <= ranges.MOST_TRIPS
        self.names.enter()
        name = self.names.new(index.name, "i")
        kind = "int" if is_int else "int64"
        step = step if step == "++" else f" += {step}"
        begin = start if is_int or start.isidentifier() or start == "0" else f"(int64){start}"
        with self.braces(
            f"for ({kind} {name} = {begin}; {name} < {count.within(65)}; {name}{step})"
        ):
            top = (0, max(interval[1] - 1, 0))
            self.bind(index, CExpression(name, interval=top, wide=not is_int))
            yield
        self.names.leave()

    def _while(self, s: ir.While) -> None:
        names = [self.variable(var, init) for var, init in zip(s.state, s.init)]
        start = len(self.lines)
        with self.braces("for (;;)"), self.repeated([s.test, s.body]):
            self.block(s.test)
            condition = self.operand(s.condition)
            if len(self.lines) == start + 1:  # the test is one expression
                self.lines.pop()
                self.lines.append("    " * (self.depth - 1) + f"while ({condition.text}) {{")
            else:
                self.line(f"if (!{condition.within(90)}) break;")
            self.look(s)
            self.block(s.body)
            self.assign(names, s.following)
        for var, name in zip(s.results, names):
            self.bind_variable(var, name)

    def _if(self, s: ir.If) -> None:
        names = [self.variable(var, None) for var in s.results]
        with self.braces(f"if ({self.operand(s.condition).text})"), self.side():
            self.block(s.then)
            self.assign(names, s.then_results)
        if names or s.orelse.statements:
            self.lines.pop()
            with self.braces("} else"), self.side():
                self.block(s.orelse)
                self.assign(names, s.else_results)
