"""Instructions of PTX as statements of C++: those that compute. `effects` has the others.

`written` takes an instruction apart into its name, what modifies it and its types, and calls the
function of that name. What a function is not given by an instruction that it knows it refuses, by
the instruction's text, so that nothing is translated that was not thought of.
"""

from __future__ import annotations

from tests.kernels.cuda.ptx import effects  # noqa: F401, which adds its own to OPCODES
from tests.kernels.cuda.ptx.instruction import (
    FLOATS,
    OPCODES,
    Instruction,
    Scope,
    opcode,
    register,
    unsigned_of,
    width_of,
)
from tests.kernels.cuda.ptx.parse import Statement

_ROUNDING = {"rn": "", "rz": "FE_TOWARDZERO", "rm": "FE_DOWNWARD", "rp": "FE_UPWARD"}
_TO_INTEGRAL = {
    "rni": "FE_TONEAREST",
    "rzi": "FE_TOWARDZERO",
    "rmi": "FE_DOWNWARD",
    "rpi": "FE_UPWARD",
}
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNSIGNED = {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="}


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


@opcode("add", "sub", "addc", "subc")
def _sum(i: Instruction) -> str:
    if i.type in FLOATS:
        return _float(i, "+" if i.name == "add" else "-")
    flags = i.take("cc")
    function = "sum" if i.name.startswith("add") else "less"
    if flags or i.name.endswith("c"):
        before = "carry" if i.name.endswith("c") else "0u"
        after = "carry" if flags else "unused"
        type_ = unsigned_of(i.type)
        return i.write(
            f"{function}<{type_}>({i.read(1, type_)}, {i.read(2, type_)}, {before}, {after})", type_
        )
    type_ = unsigned_of(i.type)  # which wraps around
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


@opcode("mul")
def _product(i: Instruction) -> str:
    if i.type in FLOATS:
        return _float(i, "*")
    form, type_ = i.take("lo", "hi", "wide"), i.type
    x, y = i.read(1), i.read(2)
    if form == "hi":
        return i.write(f"high<{type_}>({x}, {y})")
    if form == "wide":
        wide = f"{type_[0]}{2 * width_of(type_)}"
        return i.write(f"(u64)({wide}){x} * (u64)({wide}){y}", unsigned_of(wide))
    if form != "lo":
        raise i.refuse()
    unsigned = unsigned_of(type_)
    return i.write(
        f"({unsigned})((u64){i.read(1, unsigned)} * (u64){i.read(2, unsigned)})", unsigned
    )


@opcode("mad", "madc")
def _product_and_sum(i: Instruction) -> str:
    form, flags, type_ = i.take("lo", "hi", "wide"), i.take("cc"), i.type
    x, y = i.read(1), i.read(2)
    if form == "wide":
        wide = f"{type_[0]}{2 * width_of(type_)}"
        found, type_ = f"(({wide}){x} * ({wide}){y})", wide
    elif form == "hi":
        found = f"high<{type_}>({x}, {y})"
    elif form == "lo":
        unsigned = unsigned_of(type_)
        found = f"({unsigned})((u64){i.read(1, unsigned)} * (u64){i.read(2, unsigned)})"
    else:
        raise i.refuse()
    unsigned = unsigned_of(type_)
    before = "carry" if i.name == "madc" else "0u"
    after = "carry" if flags else "unused"
    return i.write(
        f"sum<{unsigned}>(({unsigned}){found}, {i.read(3, unsigned)}, {before}, {after})", unsigned
    )


@opcode("fma")
def _fused(i: Instruction) -> str:
    mode = _ROUNDING[i.take(*_ROUNDING)]
    flush, clamp = i.take("ftz"), i.take("sat")
    given = ", ".join(f"flushed({i.read(k)})" if flush else i.read(k) for k in (1, 2, 3))
    found = f"fused_rounded<{i.type}>({given}, {mode})" if mode else f"fused({given})"
    found = f"flushed({found})" if flush else found
    return i.write(f"clamped({found})" if clamp else found)


@opcode("div")
def _quotient(i: Instruction) -> str:
    if i.type not in FLOATS:
        return i.write(f"quotient<{i.type}>({i.read(1)}, {i.read(2)})")
    form, flush = i.take("rn", "approx", "full"), i.take("ftz")
    x, y = (f"flushed({i.read(k)})" if flush else i.read(k) for k in (1, 2))
    found = f"({x}) / ({y})"
    found = f"some_bits({found})" if form != "rn" else found
    return i.write(f"flushed({found})" if flush else found)


@opcode("rem")
def _rest(i: Instruction) -> str:
    return i.write(f"rest<{i.type}>({i.read(1)}, {i.read(2)})")


@opcode("rcp", "sqrt", "rsqrt", "ex2", "lg2")
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


@opcode("abs", "neg", "not", "cnot")
def _sign(i: Instruction) -> str:
    x = i.read(1)
    if i.type in FLOATS:
        flush = i.take("ftz")
        bits, top = ("u32", "0x80000000u") if i.type == "f32" else ("u64", "(1ull << 63)")
        change = {"abs": f"& ~{top}", "neg": f"^ {top}"}[i.name]
        found = f"same_bits<{i.type}>(({bits})(same_bits<{bits}>({x}) {change}))"
        return i.write(f"flushed({found})" if flush else found)
    if i.name == "not":
        return i.write(f"!{x}" if i.type == "bool" else f"({i.type})~{x}")
    if i.name == "neg":
        return i.write(f"({unsigned_of(i.type)})(0 - (u64){x})", unsigned_of(i.type))
    if i.name == "abs":
        type_ = unsigned_of(i.type)
        return i.write(f"({type_})({x} < 0 ? 0 - (u64){x} : (u64){x})", type_)
    raise i.refuse()


@opcode("min", "max")
def _extreme(i: Instruction) -> str:
    x, y = i.read(1), i.read(2)
    if i.type in FLOATS:
        return i.write(f"{'smaller' if i.name == 'min' else 'larger'}<{i.type}>({x}, {y})")
    return i.write(f"({x} {'<' if i.name == 'min' else '>'} {y} ? {x} : {y})")


@opcode("and", "or", "xor")
def _bits(i: Instruction) -> str:
    sign = {"and": "&", "or": "|", "xor": "^"}[i.name]
    return i.write(f"({i.type})({i.read(1)} {sign} {i.read(2)})")


@opcode("lop3")
def _any_bits(i: Instruction) -> str:
    table = int(i.operands[4], 0)
    a, b, c = (i.read(k) for k in (1, 2, 3))
    terms = [
        f"({'' if k & 4 else '~'}({a}) & {'' if k & 2 else '~'}({b}) & {'' if k & 1 else '~'}({c}))"
        for k in range(8)
        if table >> k & 1
    ]
    return i.write(" | ".join(terms) or "0u")


@opcode("shl", "shr")
def _shift(i: Instruction) -> str:
    type_ = unsigned_of(i.type) if i.name == "shl" else i.type
    function = "shifted_left" if i.name == "shl" else "shifted_right"
    return i.write(f"{function}<{type_}>({i.read(1, type_)}, {i.read(2, 'u32')})", type_)


@opcode("shf")
def _funnel(i: Instruction) -> str:
    side, form = i.take("l", "r"), i.take("wrap", "clamp")
    n = i.read(3, "u32")
    n = f"({n} & 31)" if form == "wrap" else f"({n} > 32 ? 32 : {n})"
    both = f"((u64){i.read(2, 'u32')} << 32 | {i.read(1, 'u32')})"
    return i.write(f"(u32)({both} >> {n})" if side == "r" else f"(u32)(({both} << {n}) >> 32)")


@opcode("bfi")
def _insert(i: Instruction) -> str:
    given = (i.read(1), i.read(2), i.read(3, "u32"), i.read(4, "u32"))
    return i.write(f"inserted<{i.type}>({', '.join(given)})")


@opcode("bfe")
def _extract(i: Instruction) -> str:
    return i.write(f"field<{i.type}>({i.read(1)}, {i.read(2, 'u32')}, {i.read(3, 'u32')})")


@opcode("prmt")
def _permute(i: Instruction) -> str:
    return i.write(f"permuted({i.read(1)}, {i.read(2)}, {i.read(3)})")


@opcode("dp4a", "dp2a")
def _dot(i: Instruction) -> str:
    """Products of the bytes of a word with bytes, or with the halves of another, and their sum."""
    (first, second), half = i.types, i.take("lo", "hi")
    if (i.name == "dp2a") != bool(half):
        raise i.refuse()
    parts = {"": (8, 8, 0), "lo": (16, 8, 0), "hi": (16, 8, 16)}[half]
    given = (i.read(1, "u32"), i.read(2, "u32"), i.read(3, "u32"))
    signs = ", ".join(str(x[0] == "s").lower() for x in (first, second))
    return i.write(f"dot({', '.join(given)}, {', '.join(map(str, parts))}, {signs})", "u32")


@opcode("clz", "popc")
def _count(i: Instruction) -> str:
    function = "leading_zeros" if i.name == "clz" else "ones"
    return i.write(f"{function}({i.read(1)})", "u32")


@opcode("brev")
def _reverse(i: Instruction) -> str:
    return i.write(f"reversed<{i.type}>({i.read(1)})")


@opcode("copysign")
def _copy_sign(i: Instruction) -> str:
    """The sign of the first, on the second."""
    function = "copysignf" if i.type == "f32" else "copysign"
    return i.write(f"{function}({i.read(2)}, {i.read(1)})")


@opcode("setp")
def _compare(i: Instruction) -> str:
    flush = i.take("ftz")
    test = i.take(*_COMPARE, *_UNSIGNED, "num", "nan", *(f"{x}u" for x in _COMPARE))
    x, y = (f"flushed({i.read(k)})" if flush else i.read(k) for k in (1, 2))
    type_, nan = i.type, f"(({x}) != ({x}) || ({y}) != ({y}))"
    if test in ("num", "nan"):
        found = nan if test == "nan" else f"!{nan}"
    elif test in _UNSIGNED:
        found = f"{i.read(1, unsigned_of(type_))} {_UNSIGNED[test]} {i.read(2, unsigned_of(type_))}"
    elif test == "ne" and type_ in FLOATS:
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


@opcode("selp")
def _select(i: Instruction) -> str:
    return i.write(f"({i.read(3, 'bool')} ? {i.read(1)} : {i.read(2)})")


@opcode("mov")
def _move(i: Instruction) -> str:
    if i.operands[0].startswith("{"):  # the parts of a wide register
        parts, type_ = i.parts(0), i.type
        width = width_of(type_) // len(parts)
        lines = [f"const {type_} whole = {i.read(1)};"]
        for k, part in enumerate(parts):
            lines.append(i.write(f"(u{width})(whole >> {k * width})", f"u{width}", part))
        return "{ " + " ".join(lines) + " }"
    if i.operands[1].startswith("{"):
        parts, type_ = i.parts(1), i.type
        width = width_of(type_) // len(parts)
        terms = [f"({type_}){i.value(x, f'u{width}')} << {k * width}" for k, x in enumerate(parts)]
        return i.write(f"({type_})({' | '.join(terms)})")
    return i.write(i.read(1))


@opcode("cvta")
def _generic(i: Instruction) -> str:
    """Addresses of all spaces but the shared one are the same."""
    to, space = i.take("to"), i.take("global", "local", "const", "shared", "param")
    if space == "shared":
        sign = "-" if to else "+"
        return i.write(f"{i.read(1)} {sign} (u64)shared_memory")
    return i.write(i.read(1))


@opcode("cvt")
def _convert(i: Instruction) -> str:
    flush, clamp = i.take("ftz"), i.take("sat")
    rounding = i.take(*_ROUNDING, *_TO_INTEGRAL)
    to, source = i.types
    x = i.read(1, source)
    x = f"flushed({x})" if flush and source in FLOATS else x
    if source in FLOATS and to in FLOATS:
        found = f"({to})({x})"
        if rounding in _TO_INTEGRAL:
            found = f"integral<{to}>({x}, {_TO_INTEGRAL[rounding]})"
        elif _ROUNDING.get(rounding):
            found = f"converted_rounded<{to}, {source}>({x}, {_ROUNDING[rounding]})"
        found = f"flushed({found})" if flush else found
        return i.write(f"clamped({found})" if clamp else found, to)
    if clamp:
        raise i.refuse("saturates")
    if source in FLOATS:
        return i.write(f"integer<{to}, {source}>({x}, {_TO_INTEGRAL[rounding]})", to)
    if to in FLOATS and _ROUNDING[rounding]:
        return i.write(f"converted_rounded<{to}, {source}>({x}, {_ROUNDING[rounding]})", to)
    return i.write(f"({to})({x})", to)
