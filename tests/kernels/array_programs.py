"""Random programs on arrays that become kernels: element-wise chains, reductions, index maps,
products of matrices, changes in place and control flow.

Every variable has a dtype and a shape that the writer knows, so that programs seldom fail. Floats
are kept small by wrapping what grows, and integers by ``% 7``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import numpy as np

# The lengths of axes that programs are written for.
SIZES = [(3, 5), (3, 5), (3, 5), (2, 18), (4, 1), (1, 7), (20, 33)]


def shapes(n: int, m: int) -> list[tuple[int, ...]]:
    """The shapes that variables may have."""
    found = [(), (n,), (m,), (n, m), (n, 1), (1, m), (m, n), (2, n, m), (1,), (2, 1, m)]
    return list(dict.fromkeys(found))


def parameters(n: int, m: int) -> dict[str, tuple[str, tuple[int, ...]]]:
    """The dtypes and shapes of a program's parameters, by name."""
    return {
        "a": ("float64", (n, m)),
        "b": ("float64", (m,)),
        "c": ("float64", (n, 1)),
        "t": ("float64", (2, n, m)),
        "f": ("float32", (n, m)),
        "k": ("int64", (m,)),
        "u": ("uint8", (n, m)),
        "g": ("float", ()),
        "n": ("int", ()),
    }


@dataclass(frozen=True)
class Variable:
    """An array or number of a program. ``dtype`` is that of NumPy, or "float" or "int"."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def is_float(self) -> bool:
        return self.dtype.startswith("float")

    @property
    def is_array(self) -> bool:
        return self.shape != ()


class Writer:
    """Writes the statements of one program.

    Attributes:
        lines: so far.
        variables: that are bound where the next line stands.
    """

    def __init__(self, random: Random, smooth: bool = False, single: bool = False):
        self.random = random
        self.smooth = smooth
        self.sizes = random.choice(SIZES)
        self.shapes = shapes(*self.sizes)
        self.parameters = parameters(*self.sizes)
        self.lines: list[str] = []
        given = [x for x in self.parameters if single or x != "f"]
        self.variables = [Variable(x, *self.parameters[x]) for x in given]
        self.depth = 0
        self.count = 0

    # -- text --------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * (self.depth + 1) + text)

    def new(self, text: str, dtype: str, shape: tuple[int, ...]) -> Variable:
        """Bind a new variable."""
        self.count += 1
        variable = Variable(f"x{self.count}", dtype, shape)
        self.line(f"{variable.name} = {text}")
        self.variables.append(variable)
        return variable

    def pick(self, where=lambda v: True) -> Variable | None:
        """A variable, a recent one more likely."""
        found = [v for v in self.variables if where(v)]
        if not found:
            return None
        return self.random.choice([*found, *found[-4:]])

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # -- statements --------------------------------------------------------------------------------

    def program(self, size: int) -> str:
        """The text of a function ``program``, and of ``loss``, which is a float."""
        while size > 0:
            size -= self.statement()
        own = [v for v in self.variables if v.name.startswith("x")]
        own = own or [self.new("g * 2.0", "float", ())]
        results = list(dict.fromkeys(self.random.choices(own[-6:], k=self.random.randint(1, 3))))
        if self.chance(0.1):
            results.append(self.pick(lambda v: v.is_array))
        names = ", ".join(v.name for v in results)
        given = ", ".join(self.parameters)
        floats = [v for v in own if v.is_float][-3:] or [Variable("g", "float", ())]
        total = " + ".join(f"np.sum(np.sin({v.name}), dtype=np.float64)" for v in floats)
        body = "\n".join(self.lines)
        copies = "\n".join(
            f"    {x} = {x}.copy()" for x, (_, shape) in self.parameters.items() if shape
        )
        return (
            f"import numpy as np\n\n\ndef program({given}):\n{body}\n    return {names}\n\n\n"
            f"def loss({given}):\n{copies}\n{body}\n    return {total}\n"
        )

    def statement(self) -> int:
        """Write one; returns its size."""
        simple = [
            *[self.elementwise] * 6,
            *[self.reduction] * 4,
            *[self.index_map] * 4,
            *[self.product, self.normalised, self.gathered, self.number, self.scan],
        ]
        if not self.smooth:
            simple += [self.comparison, self.integers]
        compound = [self.change, self.change, self.branch, self.counted, self.repeated]
        choices = simple * 2 + (compound * 3 if self.depth < 2 else [self.change])
        return self.random.choice(choices)() or 1

    def small(self, text: str) -> str:
        return self.random.choice([f"np.tanh({text})", f"np.sin({text})", f"({text}) * 0.25"])

    def elementwise(self) -> None:
        x = self.pick(lambda v: v.is_float and v.is_array)
        kind = self.random.choice(["unary", "binary", "binary", "binary", "where"])
        dtype = x.dtype
        if kind == "unary":
            function = self.random.choice(
                [
                    "np.tanh({})",
                    "np.sin({})",
                    "np.exp(-np.abs({}))",
                    "-{}",
                    "np.sqrt(1.0 + {0} * {0})",
                ]
                + [
                    "{0} * {0} * 0.5",
                    "np.maximum({}, 0.0)",
                    "np.clip({}, -0.5, 0.5)",
                    "1.0 / (2.0 + np.cos({}))",
                ]
                + ["np.log1p(np.abs({}))", "np.abs({})", "{}.copy()"]
            )
            self.new(function.format(x.name), dtype, x.shape)
            return
        y = self.pick(lambda v: v.is_float and _fit(v.shape, x.shape))
        shape = np.broadcast_shapes(x.shape, y.shape)
        if shape not in self.shapes:
            return
        dtype = _promoted(x, y)
        if kind == "where":
            z = self.pick(lambda v: v.is_float and _fit(v.shape, shape))
            if np.broadcast_shapes(z.shape, shape) != shape:
                return
            # np.where promotes like the ufuncs do
            text = f"np.where({x.name} > {z.name}, {x.name}, {y.name})"
            self.new(text, dtype, shape)
            return
        text = self.random.choice(
            ["{} + {}", "{} - {}", "{} * {}", "np.maximum({}, {})", "np.minimum({}, {})"]
            + ["{} / (2.0 + np.abs({}))", "np.arctan2({}, {} + 3.0)", "np.hypot({}, {} + 1.0)"]
        ).format(x.name, y.name)
        self.new(self.small(text), dtype, shape)

    def comparison(self) -> None:
        x = self.pick(lambda v: v.is_float and v.is_array)
        y = self.pick(lambda v: v.is_float and _fit(v.shape, x.shape))
        if np.broadcast_shapes(x.shape, y.shape) != x.shape:
            return
        text = f"{x.name} {self.random.choice(['>', '<=', '==', '!='])} {y.name}"
        flag = self.new(text, "bool", x.shape)
        how = self.random.choice(["all", "any", "sum", "mask"])
        if how == "mask":
            self.new(f"{x.name} * {flag.name}", x.dtype, x.shape)
        else:
            axis = self.random.randrange(len(x.shape))
            result = "int64" if how == "sum" else "bool"
            self.new(f"np.{how}({flag.name}, axis={axis})", result, _without(x.shape, (axis,)))

    def integers(self) -> None:
        x = self.pick(lambda v: v.dtype in ("int64", "uint8", "bool") and v.is_array)
        y = self.pick(lambda v: v.dtype in ("int64", "uint8") and _fit(v.shape, x.shape))
        if y is None:
            return
        shape = np.broadcast_shapes(x.shape, y.shape)
        if shape not in self.shapes:
            return
        dtype = _promoted(x, y)
        text = self.random.choice(
            [
                "{} + {}",
                "{} * {}",
                "{} - {}",
                "{} // ({} + 1)",
                "{} % ({} + 2)",
                "{} & {}",
                "{} ^ {}",
            ]
        )
        if x.dtype == "bool" and "-" in text:
            return
        text = text.format(x.name, y.name)
        if self.chance(0.5):
            self.new(text, dtype, shape)
        else:
            self.new(f"np.sin(({text}).astype(np.float64))", "float64", shape)

    def reduction(self) -> None:
        x = self.pick(lambda v: v.is_float and v.is_array)
        axes = self._axes(x)
        keep = self.chance(0.4)
        names = ["sum", "mean", "max", "min", "prod", "std", "var", "sum", "max"]
        name = self.random.choice(names[:-4] if False else names)
        if self.smooth and name == "std":
            name = "var"
        shape = _without(x.shape, axes, keep)
        axis = "None" if len(axes) == len(x.shape) and self.chance(0.5) else str(axes)
        if len(axes) == 1 and self.chance(0.7):
            axis = str(axes[0] - (len(x.shape) if self.chance(0.3) else 0))
        text = f"np.{name}({x.name}, axis={axis}{', keepdims=True' if keep else ''})"
        if name == "prod":
            text = f"np.tanh({text})"
        self._bind(text, x.dtype, shape)

    def _axes(self, x: Variable) -> tuple[int, ...]:
        axes = range(len(x.shape))
        return tuple(sorted(self.random.sample(axes, self.random.randint(1, len(x.shape)))))

    def _bind(self, text: str, dtype: str, shape: tuple[int, ...]) -> None:
        if shape in self.shapes:
            self.new(text, dtype, shape)

    def normalised(self) -> None:
        x = self.pick(lambda v: v.is_float and v.is_array)
        axes = self._axes(x)
        kind = self.random.choice(["softmax", "norm", "logsumexp", "loss"])
        at = f"axis={axes}, keepdims=True"
        y = self.new(f"{x.name} - np.max({x.name}, {at})", x.dtype, x.shape)
        if kind == "softmax":
            e = self.new(f"np.exp({y.name})", x.dtype, x.shape)
            self.new(f"{e.name} / np.sum({e.name}, {at})", x.dtype, x.shape)
        elif kind == "logsumexp":
            text = f"np.log(np.sum(np.exp({y.name}), axis={axes}))"
            self._bind(text, x.dtype, _without(x.shape, axes))
        elif kind == "norm":
            mean = f"np.mean({x.name}, {at})"
            self.new(
                f"({x.name} - {mean}) / np.sqrt(np.var({x.name}, {at}) + 1.0)", x.dtype, x.shape
            )
        else:
            total = f"np.mean(np.log(np.sum(np.exp({y.name}), axis={axes})))"
            self.new(total, x.dtype, ())

    def index_map(self) -> None:
        x = self.pick(lambda v: v.is_array and v.dtype != "bool")
        d = len(x.shape)
        kind = self.random.choice(
            [
                "T",
                "reshape",
                "slice",
                "slice",
                "concatenate",
                "flip",
                "roll",
                "row",
                "stack",
                "ravel",
            ]
            + ["broadcast", "pad", "tile", "swap", "expand", "diff"]
        )
        name = x.name
        if kind == "T":
            self._bind(f"{name}.T", x.dtype, x.shape[::-1])
        elif kind == "swap" and d > 1:
            shape = (*x.shape[:-2], x.shape[-1], x.shape[-2])
            self._bind(f"np.swapaxes({name}, -1, -2)", x.dtype, shape)
        elif kind == "reshape":
            same = [s for s in self.shapes if math.prod(s) == math.prod(x.shape)]
            shape = self.random.choice(same)
            if shape:
                self.new(f"{name}.reshape({shape})", x.dtype, shape)
        elif kind == "slice":
            axis = self.random.randrange(d)
            n = x.shape[axis]
            step = self.random.choice(
                ["::-1", "1:", ":-1", "::2", ":2", "-2:", "::-2", "1:2", "2:2"]
            )
            length = len(range(n)[slice(*[int(s) if s else None for s in step.split(":")])])
            shape = (*x.shape[:axis], length, *x.shape[axis + 1 :])
            if length and shape in self.shapes:
                self.new(f"{name}[{':, ' * axis}{step}]", x.dtype, shape)
            elif length:
                y = f"{name}[{':, ' * axis}{step}]"
                if x.is_float:
                    rest = _without(x.shape, (axis,))
                    self._bind(f"np.sum({y} * 0.5, axis={axis})", x.dtype, rest)
        elif kind == "concatenate":
            axis = self.random.randrange(d)
            y = self.pick(lambda v: v.dtype == x.dtype and len(v.shape) == d)
            parts = [p.name for p in (x, y, x)][: self.random.randint(2, 3)]
            if y.shape == x.shape and x.is_float:
                text = f"np.concatenate([{', '.join(parts)}], axis={axis})"
                whole = f"np.sum({text} * np.cos({text}), axis={axis})"
                self._bind(whole, x.dtype, _without(x.shape, (axis,)))
        elif kind == "stack":
            y = self.pick(lambda v: v.dtype == x.dtype and v.shape == x.shape)
            self._bind(f"np.stack([{name}, {y.name}])", x.dtype, (2, *x.shape))
        elif kind == "flip":
            self.new(f"np.flip({name}, {self.random.randrange(d)})", x.dtype, x.shape)
        elif kind == "roll":
            shift = self.random.choice([-2, -1, 1, 4])
            self.new(f"np.roll({name}, {shift}, axis={self.random.randrange(d)})", x.dtype, x.shape)
        elif kind == "row" and d > 1:
            at = self.random.choice(["0", "-1", f"n % {x.shape[0]}", "1"])
            if x.shape[0] > 1:
                self._bind(f"{name}[{at}]", x.dtype, x.shape[1:])
        elif kind == "row":
            at = self.random.choice(["0", "-1", f"n % {x.shape[0]}"])
            self.new(f"{name}[{at}]", x.dtype, ())
        elif kind == "ravel":
            if x.is_float:
                self.new(f"np.sum({name}.ravel()[::-1] * 0.5)", x.dtype, ())
        elif kind == "broadcast":
            targets = [s for s in self.shapes if s and _covers(x.shape, s)]
            shape = self.random.choice(targets or [x.shape])
            self.new(f"np.broadcast_to({name}, {shape})", x.dtype, shape)
        elif kind == "expand":
            if d == 1:
                self._bind(f"{name}[:, None]", x.dtype, (*x.shape, 1))
                self._bind(f"{name}[None, :]", x.dtype, (1, *x.shape))
        elif kind == "pad" and x.is_float:
            self._bind(
                f"np.sum(np.pad({name}, 1) * 0.5, axis=-1)[..., 1:-1]"
                if d > 1
                else f"np.pad({name}, 1)[1:-1]",
                x.dtype,
                x.shape[:-1] if d > 1 and len(x.shape) == 2 else x.shape if d == 1 else (-1,),
            )
        elif kind == "tile" and x.is_float:
            self.new(f"np.mean(np.tile({name}, 2))", x.dtype, ())
        elif kind == "diff" and x.is_float and x.shape[-1] > 1:
            self._bind(f"np.sum(np.diff({name}, axis=-1), axis=-1)", x.dtype, x.shape[:-1])

    def scan(self) -> None:
        x = self.pick(lambda v: v.is_array and v.is_float)
        axis = self.random.randrange(len(x.shape))
        text = f"np.cumsum({x.name}, axis={axis})"
        self.new(self.small(text), x.dtype, x.shape)

    def gathered(self) -> None:
        x = self.pick(lambda v: v.is_array and v.is_float)
        i = self.pick(lambda v: v.dtype in ("int64", "uint8") and len(v.shape) == 1)
        size = x.shape[0]
        if self.chance(0.5):
            self._bind(f"{x.name}[{i.name} % {size}]", x.dtype, (*i.shape, *x.shape[1:]))
        else:
            text = f"np.take({x.name}, {i.name} % {x.shape[-1]}, axis=-1)"
            self._bind(text, x.dtype, (*x.shape[:-1], *i.shape))

    def product(self) -> None:
        x = self.pick(lambda v: v.is_array and v.is_float)
        y = self.pick(
            lambda v: (
                v.is_array and v.is_float and v.shape[-2 if len(v.shape) > 1 else 0] == x.shape[-1]
            )
        )
        if y is None:
            return
        shape = np.shape(np.zeros(x.shape) @ np.zeros(y.shape))
        self._bind(f"np.tanh({x.name} @ {y.name})", _promoted(x, y), shape)

    def number(self) -> None:
        x = self.pick(lambda v: v.dtype in ("float", "int"))
        if x.dtype == "float":
            text = ["{} * 0.5 + 1.0", "max({}, 0.25)", "abs({}) - 0.5", "{} / (1.0 + {} * {})"]
            self.new(self.random.choice(text).replace("{}", x.name), "float", ())
        else:
            text = ["{} + 1", "{} % 3", "{} // 2", "-{}", "{} * {} % 11", "min({}, 2)"]
            self.new(self.random.choice(text).replace("{}", x.name), "int", ())

    # -- changes in place --------------------------------------------------------------------------

    def change(self) -> int:
        """Change elements of an array of the program's own, or of an argument."""
        own = self.chance(0.9)
        x = self.pick(
            lambda v: v.is_array and v.is_float and (own == v.name.startswith(("x", "y")))
        )
        if x is None:
            return 0
        if own and self.chance(0.6):
            x = self.new(f"{x.name}.copy()", x.dtype, x.shape)
        elif self.variables and any(b in x.name for b in ()):
            return 0
        y = self.pick(lambda v: (v.is_float and not v.is_array) or v.dtype == "float")
        n = x.shape[0]
        at = self.random.choice(["0", "-1", f"n % {n}", ":", "::-1"] + ([":-1", "1:"] * (n > 1)))
        operation = self.random.choice(["=", "+=", "-=", "*="])
        z = self.pick(lambda v: v.is_float and _covers(v.shape, x.shape[1:]) and v.is_array)
        value = y.name
        if z is not None and self.chance(0.5):
            value = z.name
        if n > 1 and self.chance(0.3):
            at, value = "1:", f"{x.name}[:-1] * 0.5"
        self.line(f"{x.name}[{at}] {operation} {value}")
        if operation == "*=":
            self.line(f"{x.name}[:] = np.tanh({x.name})")
        return 1

    # -- control flow ------------------------------------------------------------------------------

    def body(self, size: int) -> None:
        """A block, after which some variables of before are bound anew."""
        outside = list(self.variables)
        self.depth += 1
        start = len(self.lines)
        while size > 0:
            size -= self.statement()
        inner = self.variables[len(outside) :]
        for _ in range(self.random.randint(1, 3)):
            target = self.random.choice(outside)
            fitting = [v for v in inner if (v.dtype, v.shape) == (target.dtype, target.shape)]
            if fitting and target.name.startswith("x"):
                source = self.random.choice(fitting)
                self.line(f"{target.name} = {source.name}")
        if self.chance(0.3):  # a swap
            same = [
                (v, w)
                for v in outside
                for w in outside
                if v.name < w.name
                and v.name.startswith("x")
                and w.name.startswith("x")
                and (v.dtype, v.shape) == (w.dtype, w.shape)
            ]
            if same:
                v, w = self.random.choice(same)
                self.line(f"{v.name}, {w.name} = {w.name}, {v.name}")
        if len(self.lines) == start:
            self.line("pass")
        self.depth -= 1
        self.variables = outside

    def condition(self) -> str:
        x = self.pick(lambda v: v.is_float)
        if x.is_array:
            return self.random.choice(
                [
                    f"np.sum({x.name}) > 0.25",
                    f"np.max({x.name}) > 0.5",
                    f"{x.name}.ravel()[0] > 0.1",
                ]
            )
        if self.chance(0.3):
            return "n > 1"
        return f"{x.name} > {self.random.choice(['0.0', '0.3', 'g'])}"

    def branch(self) -> int:
        self.line(f"if {self.condition()}:")
        self.body(2)
        if self.chance(0.7):
            self.line("else:")
            self.body(2)
        return 4

    def counted(self) -> int:
        self.count += 1
        index = f"i{self.count}"
        count = self.random.choice(["n", "3", "n + 1", "n % 2", "4", "0"])
        self.line(f"for {index} in range({count}):")
        if self.chance(0.5):
            x = self.pick(lambda v: v.is_array and v.is_float and v.name.startswith("x"))
            if x is not None:
                self.depth += 1
                n = x.shape[0]
                self.line(f"{x.name}[{index} % {n}] = {x.name}[({index} + 1) % {n}] * 0.5 + g")
                self.depth -= 1
                if "broadcast" in "".join(self.lines):
                    self.lines.pop()
        self.body(2)
        return 4

    def repeated(self) -> int:
        self.count += 1
        index = f"w{self.count}"
        self.line(f"{index} = 0")
        more = f" and {self.condition()}" if self.chance(0.5) else ""
        self.line(f"while {index} < {self.random.choice(['n', '3', '5'])}{more}:")
        self.depth += 1
        self.line(f"{index} += 1")
        if self.chance(0.3):
            self.line(f"if {self.condition()}:")
            self.line(f"    {self.random.choice(['break', 'continue'])}")
        self.depth -= 1
        self.body(2)
        return 4


def _fit(x: tuple[int, ...], y: tuple[int, ...]) -> bool:
    try:
        np.broadcast_shapes(x, y)
    except ValueError:
        return False
    return True


def _covers(x: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether an array of one shape can be broadcast to another."""
    return _fit(x, shape) and np.broadcast_shapes(x, shape) == shape


def _without(shape: tuple[int, ...], axes: tuple[int, ...], keep: bool = False) -> tuple[int, ...]:
    if keep:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)


def _promoted(x: Variable, y: Variable) -> str:
    """The dtype of an operation on two variables."""
    kinds = {"float": 1.0, "int": 1}
    one, other = (
        kinds.get(v.dtype, np.dtype(v.dtype) if v.dtype not in kinds else None) for v in (x, y)
    )
    return np.result_type(one, other).name


def arguments(sizes: tuple[int, int], seed: int = 0) -> list[tuple]:
    """Those that a program for axes of these lengths is called with."""
    random = np.random.default_rng(seed)
    found = []
    for g, n in ((0.4, 2), (-0.7, 0), (0.9, 3)):
        made = []
        for dtype, shape in parameters(*sizes).values():
            if dtype in ("float", "int"):
                made.append(g if dtype == "float" else n)
            elif dtype.startswith("float"):
                made.append(random.normal(size=shape).astype(dtype))
            else:
                made.append(random.integers(0, 7, size=shape).astype(dtype))
        found.append(tuple(made))
    return found
