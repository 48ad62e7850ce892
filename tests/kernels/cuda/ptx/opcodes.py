"""Instructions of PTX as statements of C++.

`written` takes an instruction apart into its name, what modifies it and its types, and calls the
function of that name below. What a function is not given by an instruction that it knows it
refuses, by the instruction's text, so that nothing is translated that was not thought of.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.kernels.cuda.ptx.parse import Statement

_FLOATS = ("f32", "f64")
_ROUNDING = {"rn": "", "rz": "FE_TOWARDZERO", "rm": "FE_DOWNWARD", "rp": "FE_UPWARD"}
_TO_INTEGRAL = {
    "rni": "FE_TONEAREST",
    "rzi": "FE_TOWARDZERO",
    "rmi": "FE_DOWNWARD",
    "rpi": "FE_UPWARD",
}
_SPECIAL = {
    "%tid.x": "threadIdx.x",
    "%ctaid.x": "blockIdx.x",
    "%ntid.x": "blockDim.x",
    "%nctaid.x": "gridDim.x",
    "%laneid": "(threadIdx.x % 32)",
    "%tid.y": "0u",
    "%tid.z": "0u",
}
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNSIGNED = {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="}


class UnknownInstruction(ValueError):
    """An instruction that is not translated."""


@dataclass
class Scope:
    """What operands mean.

    Attributes:
        registers: the C++ type of each, by its name.
        shared: where variables of shared memory are, from its start.
        memory: variables that are arrays of C++, which have addresses.
        bytes_of: parameters: expressions of where they are.
    """

    registers: dict[str, str]
    shared: dict[str, int]
    memory: set[str]
    bytes_of: dict[str, str]


class Instruction:
    """An instruction that is being translated.

    Attributes:
        name: the first part of the opcode.
        modifiers: the other parts, but for the types.
        types: in C++: that of the result first.
    """

    def __init__(self, statement: Statement, scope: Scope, line: int):
        self.statement = statement
        self.scope = scope
        self.line = line
        self.name, *parts = statement.opcode.split(".")
        is_type = re.compile(r"[bsuf](8|16|32|64)$|pred$").match
        self.types = [_c_type(x) for x in parts if is_type(x)]
        self.modifiers = [x for x in parts if not is_type(x)]
        self.operands = statement.operands

    def refuse(self, why: str = "is not known") -> UnknownInstruction:
        return UnknownInstruction(f"PTX: '{self.statement.text}' {why}")

    def take(self, *known: str) -> str:
        """The one of some modifiers that there is, which is taken off; empty if there is none."""
        for each in known:
            if each in self.modifiers:
                self.modifiers.remove(each)
                return each
        return ""

    @property
    def type(self) -> str:
        """The type of the result."""
        if not self.types:
            raise self.refuse("has no type")
        return self.types[0]

    # -- operands ----------------------------------------------------------------------------------

    def read(self, place: int, type_: str | None = None) -> str:
        """An operand as an expression of a type."""
        return self.value(self.operands[place], type_ or self.type)

    def value(self, text: str, type_: str) -> str:
        """A register, a number or a symbol as an expression of a type."""
        if text in _SPECIAL:
            return f"({type_}){_SPECIAL[text]}"
        if text.startswith("%"):
            name, held = register(text), self.scope.registers.get(register(text))
            if held is None:
                raise self.refuse(f"has the register {text}, which is not declared")
            return _as(name, held, type_)
        if re.match(r"0[fF][0-9a-fA-F]{8}$", text):
            return f"same_bits<f32>((u32)0x{text[2:]})"
        if re.match(r"0[dD][0-9a-fA-F]{16}$", text):
            return f"same_bits<f64>((u64)0x{text[2:]}ull)"
        if re.match(r"-?(0x[0-9a-fA-F]+|\d+)U?$", text):
            number = int(text.rstrip("U"), 0)
            if type_ in _FLOATS:
                raise self.refuse("has a whole number where a float is")
            if type_ == "bool":
                return str(bool(number)).lower()
            return f"({type_}){number % 2**64}ull"
        return f"({type_}){self.address_of(text)}"

    def address_of(self, symbol: str) -> str:
        """Where a variable is."""
        if symbol in self.scope.shared:
            return f"{self.scope.shared[symbol]}u"
        if symbol in self.scope.memory:
            return f"(u64)({_name(symbol)})"
        raise self.refuse(f"has the symbol {symbol}")

    def place(self, text: str) -> str:
        """An operand in brackets as an address: a number."""
        base, offset = re.match(r"\[\s*([%\w$]+)\s*(?:\+\s*(-?\d+))?\s*\]$", text).groups()  # type: ignore[union-attr]
        offset = int(offset or 0)
        if base.startswith("%"):
            held = self.scope.registers[register(base)]
            # An offset is added in the width of the register.
            return f"(u64)({held})({register(base)} + ({held}){offset % 2**64}ull)"
        if base in self.scope.bytes_of:
            return f"({self.scope.bytes_of[base]} + {offset})"
        return f"({self.address_of(base)} + {offset})"

    def parts(self, place: int) -> list[str]:
        """The registers of an operand in braces."""
        text = self.operands[place]
        return [x.strip() for x in text[1:-1].split(",")] if text.startswith("{") else [text]

    def write(self, expression: str, type_: str | None = None, to: str | None = None) -> str:
        """An assignment to a register, the first operand unless another is named."""
        to, type_ = to or self.operands[0], type_ or self.type
        if to == "_":
            return f"{expression};"
        held = self.scope.registers.get(register(to))
        if held is None:
            raise self.refuse(f"has the register {to}, which is not declared")
        if held == type_:
            return f"{register(to)} = {expression};"
        if held == "bool" or type_ == "bool":
            raise self.refuse("mixes a predicate with a number")
        if (held in _FLOATS) != (type_ in _FLOATS):
            return f"{register(to)} = same_bits<{held}>(({type_})({expression}));"
        return f"{register(to)} = ({held})({type_})({expression});"


def _name(text: str) -> str:
    return text.replace("$", "_")


def register(text: str) -> str:
    """What a register is called, which may have the name of a type."""
    return _name(text.lstrip("%")) + "_"


def _c_type(type_: str) -> str:
    if type_ == "pred":
        return "bool"
    return "u" + type_[1:] if type_[0] == "b" else type_


def _signed(type_: str) -> str:
    return "s" + type_[1:]


def _unsigned(type_: str) -> str:
    return "u" + type_[1:]


def _width(type_: str) -> int:
    return int(type_[1:])


def _as(expression: str, held: str, type_: str) -> str:
    """What is held as one type, as another."""
    if held == type_:
        return expression
    if (held in _FLOATS) != (type_ in _FLOATS):
        if held in _FLOATS:
            return f"same_bits<{type_}>({expression})"
        return f"same_bits<{type_}>(({_unsigned(type_)}){expression})"
    return f"({type_}){expression}"


# -- the instructions, by their names --------------------------------------------------------------

OPCODES: dict[str, Callable[[Instruction], str]] = {}


def _opcode(*names: str) -> Callable:
    def add(function: Callable[[Instruction], str]) -> Callable[[Instruction], str]:
        OPCODES.update(dict.fromkeys(names, function))
        return function

    return add


def written(statement: Statement, scope: Scope, line: int) -> str:
    """An instruction as C++.

    Args:
        line: a number of its own, at which threads meet.

    Raises:
        UnknownInstruction: it is not known, or in another form.
    """
    i = Instruction(statement, scope, line)
    if i.name not in OPCODES:
        raise i.refuse()
    text = OPCODES[i.name](i)
    if i.modifiers:
        raise i.refuse(f"is modified by {', '.join(i.modifiers)}, which is not known")
    if statement.guard:
        sign = "!" * statement.guard.startswith("!")
        text = f"if ({sign}{register(statement.guard.lstrip('!'))}) {{ {text} }}"
    return text


@_opcode("add", "sub", "addc", "subc")
def _sum(i: Instruction) -> str:
    if i.type in _FLOATS:
        return _float(i, "+" if i.name == "add" else "-")
    flags = i.take("cc")
    function = "sum" if i.name.startswith("add") else "less"
    if flags or i.name.endswith("c"):
        before = "carry" if i.name.endswith("c") else "0u"
        after = "carry" if flags else "unused"
        type_ = _unsigned(i.type)
        return i.write(
            f"{function}<{type_}>({i.read(1, type_)}, {i.read(2, type_)}, {before}, {after})", type_
        )
    type_ = _unsigned(i.type)  # which wraps around
    return i.write(
        f"({type_})({i.read(1, type_)} {'+' if i.name == 'add' else '-'} {i.read(2, type_)})", type_
    )


def _float(i: Instruction, sign: str) -> str:
    """A sum, difference or product of floats."""
    mode = _ROUNDING[i.take(*_ROUNDING) or "rn"]
    flush, clamp = i.take("ftz"), i.take("sat")
    x, y = (f"flushed({i.read(k)})" if flush else i.read(k) for k in (1, 2))
    if not mode:
        found = f"({x}) {sign} ({y})"
    elif sign == "*":
        found = f"product_rounded<{i.type}>({x}, {y}, {mode})"
    else:
        found = f"sum_rounded<{i.type}>({x}, {'-' * (sign == '-')}({y}), {mode})"
    found = f"flushed({found})" if flush else found
    return i.write(f"clamped({found})" if clamp else found)


@_opcode("mul")
def _product(i: Instruction) -> str:
    if i.type in _FLOATS:
        return _float(i, "*")
    form, type_ = i.take("lo", "hi", "wide"), i.type
    x, y = i.read(1), i.read(2)
    if form == "hi":
        return i.write(f"high<{type_}>({x}, {y})")
    if form == "wide":
        wide = f"{type_[0]}{2 * _width(type_)}"
        return i.write(f"(u64)({wide}){x} * (u64)({wide}){y}", _unsigned(wide))
    if form != "lo":
        raise i.refuse()
    unsigned = _unsigned(type_)
    return i.write(
        f"({unsigned})((u64){i.read(1, unsigned)} * (u64){i.read(2, unsigned)})", unsigned
    )


@_opcode("mad", "madc")
def _product_and_sum(i: Instruction) -> str:
    form, flags, type_ = i.take("lo", "hi", "wide"), i.take("cc"), i.type
    x, y = i.read(1), i.read(2)
    if form == "wide":
        wide = f"{type_[0]}{2 * _width(type_)}"
        found, type_ = f"(({wide}){x} * ({wide}){y})", wide
    elif form == "hi":
        found = f"high<{type_}>({x}, {y})"
    elif form == "lo":
        unsigned = _unsigned(type_)
        found = f"({unsigned})((u64){i.read(1, unsigned)} * (u64){i.read(2, unsigned)})"
    else:
        raise i.refuse()
    unsigned = _unsigned(type_)
    before = "carry" if i.name == "madc" else "0u"
    after = "carry" if flags else "unused"
    return i.write(
        f"sum<{unsigned}>(({unsigned}){found}, {i.read(3, unsigned)}, {before}, {after})", unsigned
    )


@_opcode("fma")
def _fused(i: Instruction) -> str:
    mode = _ROUNDING[i.take(*_ROUNDING)]
    flush, clamp = i.take("ftz"), i.take("sat")
    given = ", ".join(f"flushed({i.read(k)})" if flush else i.read(k) for k in (1, 2, 3))
    found = f"fused_rounded<{i.type}>({given}, {mode})" if mode else f"fused({given})"
    found = f"flushed({found})" if flush else found
    return i.write(f"clamped({found})" if clamp else found)


@_opcode("div")
def _quotient(i: Instruction) -> str:
    if i.type not in _FLOATS:
        return i.write(f"quotient<{i.type}>({i.read(1)}, {i.read(2)})")
    form, flush = i.take("rn", "approx", "full"), i.take("ftz")
    x, y = (f"flushed({i.read(k)})" if flush else i.read(k) for k in (1, 2))
    found = f"({x}) / ({y})"
    found = f"some_bits({found})" if form != "rn" else found
    return i.write(f"flushed({found})" if flush else found)


@_opcode("rem")
def _rest(i: Instruction) -> str:
    return i.write(f"rest<{i.type}>({i.read(1)}, {i.read(2)})")


@_opcode("rcp", "sqrt", "rsqrt", "ex2", "lg2")
def _of_one(i: Instruction) -> str:
    form, flush = i.take("rn", "approx"), i.take("ftz")
    x = f"flushed({i.read(1)})" if flush else i.read(1)
    root = "sqrtf" if i.type == "f32" else "sqrt"
    exact = {"rcp": f"({i.type})1 / ({x})", "sqrt": f"{root}({x})"}
    near = {
        "rcp": f"reciprocal({x})",
        "rsqrt": f"reciprocal_root({x})",
        "ex2": f"some_bits((f32)exp2((f64){x}))",
        "lg2": f"some_bits((f32)log2((f64){x}))",
    }
    known = exact if form == "rn" else near
    if i.name not in known:
        raise i.refuse()
    return i.write(f"flushed({known[i.name]})" if flush else known[i.name])


@_opcode("abs", "neg", "not", "cnot")
def _sign(i: Instruction) -> str:
    x = i.read(1)
    if i.type in _FLOATS:
        flush = i.take("ftz")
        bits, top = ("u32", "0x80000000u") if i.type == "f32" else ("u64", "(1ull << 63)")
        change = {"abs": f"& ~{top}", "neg": f"^ {top}"}[i.name]
        found = f"same_bits<{i.type}>(({bits})(same_bits<{bits}>({x}) {change}))"
        return i.write(f"flushed({found})" if flush else found)
    if i.name == "not":
        return i.write(f"!{x}" if i.type == "bool" else f"({i.type})~{x}")
    if i.name == "neg":
        return i.write(f"({_unsigned(i.type)})(0 - (u64){x})", _unsigned(i.type))
    if i.name == "abs":
        type_ = _unsigned(i.type)
        return i.write(f"({type_})({x} < 0 ? 0 - (u64){x} : (u64){x})", type_)
    raise i.refuse()


@_opcode("min", "max")
def _extreme(i: Instruction) -> str:
    x, y = i.read(1), i.read(2)
    if i.type in _FLOATS:
        return i.write(f"{'smaller' if i.name == 'min' else 'larger'}<{i.type}>({x}, {y})")
    return i.write(f"({x} {'<' if i.name == 'min' else '>'} {y} ? {x} : {y})")


@_opcode("and", "or", "xor")
def _bits(i: Instruction) -> str:
    sign = {"and": "&", "or": "|", "xor": "^"}[i.name]
    return i.write(f"({i.type})({i.read(1)} {sign} {i.read(2)})")


@_opcode("lop3")
def _any_bits(i: Instruction) -> str:
    table = int(i.operands[4], 0)
    a, b, c = (i.read(k) for k in (1, 2, 3))
    terms = [
        f"({'' if k & 4 else '~'}({a}) & {'' if k & 2 else '~'}({b}) & {'' if k & 1 else '~'}({c}))"
        for k in range(8)
        if table >> k & 1
    ]
    return i.write(" | ".join(terms) or "0u")


@_opcode("shl", "shr")
def _shift(i: Instruction) -> str:
    type_ = _unsigned(i.type) if i.name == "shl" else i.type
    function = "shifted_left" if i.name == "shl" else "shifted_right"
    return i.write(f"{function}<{type_}>({i.read(1, type_)}, {i.read(2, 'u32')})", type_)


@_opcode("shf")
def _funnel(i: Instruction) -> str:
    side, form = i.take("l", "r"), i.take("wrap", "clamp")
    n = i.read(3, "u32")
    n = f"({n} & 31)" if form == "wrap" else f"({n} > 32 ? 32 : {n})"
    both = f"((u64){i.read(2, 'u32')} << 32 | {i.read(1, 'u32')})"
    return i.write(f"(u32)({both} >> {n})" if side == "r" else f"(u32)(({both} << {n}) >> 32)")


@_opcode("bfi")
def _insert(i: Instruction) -> str:
    given = (i.read(1), i.read(2), i.read(3, "u32"), i.read(4, "u32"))
    return i.write(f"inserted<{i.type}>({', '.join(given)})")


@_opcode("bfe")
def _extract(i: Instruction) -> str:
    return i.write(f"field<{i.type}>({i.read(1)}, {i.read(2, 'u32')}, {i.read(3, 'u32')})")


@_opcode("prmt")
def _permute(i: Instruction) -> str:
    return i.write(f"permuted({i.read(1)}, {i.read(2)}, {i.read(3)})")


@_opcode("dp4a", "dp2a")
def _dot(i: Instruction) -> str:
    """Products of the bytes of a word with bytes, or with the halves of another, and their sum."""
    (first, second), half = i.types, i.take("lo", "hi")
    if (i.name == "dp2a") != bool(half):
        raise i.refuse()
    parts = {"": (8, 8, 0), "lo": (16, 8, 0), "hi": (16, 8, 16)}[half]
    given = (i.read(1, "u32"), i.read(2, "u32"), i.read(3, "u32"))
    signs = ", ".join(str(x[0] == "s").lower() for x in (first, second))
    return i.write(f"dot({', '.join(given)}, {', '.join(map(str, parts))}, {signs})", "u32")


@_opcode("clz", "popc")
def _count(i: Instruction) -> str:
    function = "leading_zeros" if i.name == "clz" else "ones"
    return i.write(f"{function}({i.read(1)})", "u32")


@_opcode("brev")
def _reverse(i: Instruction) -> str:
    return i.write(f"reversed<{i.type}>({i.read(1)})")


@_opcode("copysign")
def _copy_sign(i: Instruction) -> str:
    """The sign of the first, on the second."""
    function = "copysignf" if i.type == "f32" else "copysign"
    return i.write(f"{function}({i.read(2)}, {i.read(1)})")


@_opcode("setp")
def _compare(i: Instruction) -> str:
    flush = i.take("ftz")
    test = i.take(*_COMPARE, *_UNSIGNED, "num", "nan", *(f"{x}u" for x in _COMPARE))
    x, y = (f"flushed({i.read(k)})" if flush else i.read(k) for k in (1, 2))
    type_, nan = i.type, f"(({x}) != ({x}) || ({y}) != ({y}))"
    if test in ("num", "nan"):
        found = nan if test == "nan" else f"!{nan}"
    elif test in _UNSIGNED:
        found = f"{i.read(1, _unsigned(type_))} {_UNSIGNED[test]} {i.read(2, _unsigned(type_))}"
    elif test == "ne" and type_ in _FLOATS:
        found = f"!{nan} && ({x}) != ({y})"
    elif test in _COMPARE:
        found = f"({x}) {_COMPARE[test]} ({y})"
    else:
        found = f"{nan} || ({x}) {_COMPARE[test[:2]]} ({y})"
    joined = i.take("and", "or", "xor")
    if joined:
        sign = {"and": "&", "or": "|", "xor": "^"}[joined]
        found = f"({found}) {sign} {i.read(3, 'bool')}"
    if "|" in i.operands[0]:
        raise i.refuse("sets two predicates")
    return i.write(found, "bool")


@_opcode("selp")
def _select(i: Instruction) -> str:
    return i.write(f"({i.read(3, 'bool')} ? {i.read(1)} : {i.read(2)})")


@_opcode("mov")
def _move(i: Instruction) -> str:
    if i.operands[0].startswith("{"):  # the parts of a wide register
        parts, type_ = i.parts(0), i.type
        width = _width(type_) // len(parts)
        lines = [f"const {type_} whole = {i.read(1)};"]
        for k, part in enumerate(parts):
            lines.append(i.write(f"(u{width})(whole >> {k * width})", f"u{width}", part))
        return "{ " + " ".join(lines) + " }"
    if i.operands[1].startswith("{"):
        parts, type_ = i.parts(1), i.type
        width = _width(type_) // len(parts)
        terms = [f"({type_}){i.value(x, f'u{width}')} << {k * width}" for k, x in enumerate(parts)]
        return i.write(f"({type_})({' | '.join(terms)})")
    return i.write(i.read(1))


@_opcode("cvta")
def _generic(i: Instruction) -> str:
    """Addresses of all spaces but the shared one are the same."""
    to, space = i.take("to"), i.take("global", "local", "const", "shared", "param")
    if space == "shared":
        sign = "-" if to else "+"
        return i.write(f"{i.read(1)} {sign} (u64)shared_memory")
    return i.write(i.read(1))


@_opcode("cvt")
def _convert(i: Instruction) -> str:
    flush, clamp = i.take("ftz"), i.take("sat")
    rounding = i.take(*_ROUNDING, *_TO_INTEGRAL)
    to, source = i.types
    x = i.read(1, source)
    x = f"flushed({x})" if flush and source in _FLOATS else x
    if source in _FLOATS and to in _FLOATS:
        found = f"({to})({x})"
        if rounding in _TO_INTEGRAL:
            found = f"integral<{to}>({x}, {_TO_INTEGRAL[rounding]})"
        elif _ROUNDING.get(rounding):
            found = f"converted_rounded<{to}, {source}>({x}, {_ROUNDING[rounding]})"
        found = f"flushed({found})" if flush else found
        return i.write(f"clamped({found})" if clamp else found, to)
    if clamp:
        raise i.refuse("saturates")
    if source in _FLOATS:
        return i.write(f"integer<{to}, {source}>({x}, {_TO_INTEGRAL[rounding]})", to)
    if to in _FLOATS and _ROUNDING[rounding]:
        return i.write(f"converted_rounded<{to}, {source}>({x}, {_ROUNDING[rounding]})", to)
    return i.write(f"({to})({x})", to)


# -- memory ----------------------------------------------------------------------------------------


@_opcode("ld", "ldu")
def _load(i: Instruction) -> str:
    function, address = _memory(i, i.operands[1])
    count = {"": 1, "v2": 2, "v4": 4}[i.take("v2", "v4")]
    size = _width(i.type) // 8
    loads = [
        i.write(f"{function}<{i.type}>({address}{f' + {k * size}' if k else ''})", to=part)
        for k, part in enumerate(i.parts(0))
    ]
    if len(loads) != count:
        raise i.refuse()
    if count == 1:
        return loads[0]
    # All are read before one is written, which may be a part of the address.
    names = [f"part{k}" for k in range(count)]
    reads = [
        f"const {i.type} {name} = {function}<{i.type}>({address} + {k * size});"
        for k, name in enumerate(names)
    ]
    writes = [i.write(name, to=part) for name, part in zip(names, i.parts(0))]
    return "{ " + " ".join([_together(function, address, count * size), *reads, *writes]) + " }"


@_opcode("st")
def _store(i: Instruction) -> str:
    function, address = _memory(i, i.operands[0])
    count = {"": 1, "v2": 2, "v4": 4}[i.take("v2", "v4")]
    size = _width(i.type) // 8
    stores = [
        f"{function}<{i.type}>({address}{f' + {k * size}' if k else ''}, {i.value(part, i.type)});"
        for k, part in enumerate(i.parts(1))
    ]
    if len(stores) != count:
        raise i.refuse()
    return " ".join([_together(function, address, count * size) * (count > 1), *stores])


def _together(function: str, address: str, nbytes: int) -> str:
    """What looks whether several words may be moved at once."""
    return "" if function in ("given", "taken") else f"together({address}, {nbytes});"


def _memory(i: Instruction, operand: str) -> tuple[str, str]:
    """The function that reads or writes, and an address."""
    stores = i.name == "st"
    volatile = i.take("volatile", "relaxed", "weak")
    i.take("sys", "gpu", "cta")
    space = i.take("global", "shared", "local", "const", "param")
    i.take("nc"), i.take("ca", "cg", "cs", "cv", "wb", "wt")
    if space == "param":
        return ("given" if stores else "taken"), i.place(operand)
    address = i.place(operand)
    if space == "shared":
        address = f"(u64)shared_memory + {address}"
    function = "store" if stores else "load"
    return function + "_volatile" * (volatile in ("volatile", "relaxed")), address


@_opcode("atom", "red")
def _atomic(i: Instruction) -> str:
    space = i.take("global", "shared")
    i.take("relaxed"), i.take("gpu", "sys", "cta")
    if not i.take("add"):
        raise i.refuse()
    of = 1 if i.name == "atom" else 0
    address = i.place(i.operands[of])
    address = f"(u64)shared_memory + {address}" if space == "shared" else address
    found = f"add_atomically<{i.type}>({address}, {i.read(of + 1)})"
    return i.write(found) if i.name == "atom" else f"{found};"


# -- where it goes on, and threads that meet -------------------------------------------------------


@_opcode("bra")
def _branch(i: Instruction) -> str:
    i.take("uni")
    return f"goto {_name(i.operands[0])};"


@_opcode("ret", "exit")
def _return(i: Instruction) -> str:
    i.take("uni")
    return "return;"


@_opcode("trap")
def _trap(i: Instruction) -> str:
    return 'refused("a trap");'


@_opcode("call")
def _call(i: Instruction) -> str:
    i.take("uni")
    results = [x for x in i.operands if x.startswith("(")]
    (name,) = (x for x in i.operands if not x.startswith("("))
    arguments = [x.strip() for group in results for x in group[1:-1].split(",") if x.strip()]
    return f"{_name(name)}({', '.join(_name(x) for x in arguments)});"


@_opcode("bar", "barrier")
def _barrier(i: Instruction) -> str:
    if i.take("warp"):
        i.take("sync")
        return f"of_whole_warp({i.read(0, 'u32')}); fibre_warp_barrier({i.line});"
    i.take("cta", "aligned")
    if i.take("red"):
        if not i.take("or"):
            raise i.refuse()
        return i.write(f"fibre_barrier_or({i.line}, {i.read(2, 'bool')})", "bool")
    i.take("sync")
    if i.operands != ["0"]:
        raise i.refuse("waits at another barrier than the first")
    return f"fibre_barrier({i.line});"


@_opcode("vote")
def _vote(i: Instruction) -> str:
    i.take("sync")
    if not i.take("any"):
        raise i.refuse()
    i.types = ["bool"]
    return f"of_whole_warp({i.read(2, 'u32')}); " + i.write(f"fibre_any({i.line}, {i.read(1)})")


@_opcode("shfl")
def _shuffle(i: Instruction) -> str:
    i.take("sync")
    form = i.take("down", "idx")
    if not form:
        raise i.refuse()
    to, _, inside = i.operands[0].partition("|")
    x, step, limits, mask = (i.read(k, "u32") for k in (1, 2, 3, 4))
    down = str(form == "down").lower()
    found = f"shuffled({i.line}, {x}, {step}, {limits}, {mask}, {down}, inside)"
    lines = ["bool inside;", i.write(found, "u32", to.strip())]
    if inside.strip():
        lines.append(i.write("inside", "bool", inside.strip()))
    return "{ " + " ".join(lines) + " }"


@_opcode("membar", "fence")
def _fence(i: Instruction) -> str:
    i.take("gl", "cta", "sys"), i.take("sc", "acq_rel"), i.take("gpu")
    return ";"
