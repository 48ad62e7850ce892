"""Instructions of PTX that read and write memory, go on elsewhere, or let threads meet."""

from __future__ import annotations

from tests.kernels.cuda.ptx.instruction import (
    Instruction,
    name_of,
    opcode,
    width_of,
)

# -- memory ----------------------------------------------------------------------------------------


@opcode("ld", "ldu")
def _load(i: Instruction) -> str:
    function, how, address = _memory(i, i.operands[1])
    how = f"{i.type}, {how}" if how else i.type
    count = {"": 1, "v2": 2, "v4": 4}[i.take("v2", "v4")]
    size = width_of(i.type) // 8
    loads = [
        i.write(f"{function}<{how}>({address}{f' + {k * size}' if k else ''})", to=part)
        for k, part in enumerate(i.parts(0))
    ]
    if len(loads) != count:
        raise i.refuse()
    if count == 1:
        return loads[0]
    # All are read before one is written, which may be a part of the address.
    names = [f"part{k}" for k in range(count)]
    reads = [
        f"const {i.type} {name} = {function}<{how}>({address} + {k * size});"
        for k, name in enumerate(names)
    ]
    writes = [i.write(name, to=part) for name, part in zip(names, i.parts(0))]
    return "{ " + " ".join([_together(function, address, count * size), *reads, *writes]) + " }"


@opcode("st")
def _store(i: Instruction) -> str:
    function, how, address = _memory(i, i.operands[0])
    how = f"{i.type}, {how}" if how else i.type
    count = {"": 1, "v2": 2, "v4": 4}[i.take("v2", "v4")]
    size = width_of(i.type) // 8
    stores = [
        f"{function}<{how}>({address}{f' + {k * size}' if k else ''}, {i.value(part, i.type)});"
        for k, part in enumerate(i.parts(1))
    ]
    if len(stores) != count:
        raise i.refuse()
    return " ".join([_together(function, address, count * size) * (count > 1), *stores])


def _together(function: str, address: str, nbytes: int) -> str:
    """What looks whether several words may be moved at once."""
    return "" if function in ("given", "taken") else f"together({address}, {nbytes});"


def _memory(i: Instruction, operand: str) -> tuple[str, str, str]:
    """The function that reads or writes, what it is told besides the type, and an address."""
    stores = i.name == "st"
    strength = i.take("volatile", "relaxed", "acquire", "release", "weak")
    of_block = _is_of_block(i)
    space = i.take("global", "shared", "local", "const", "param")
    i.take("nc"), i.take("ca", "cg", "cs", "cv", "wb", "wt")
    if space == "param":
        return ("given" if stores else "taken"), "", i.place(operand)
    address = i.place(operand)
    if space == "shared":
        address = f"(u64)shared_memory + {address}"
    function = "store" if stores else "load"
    if strength == "volatile":
        function += "_volatile"
    elif strength not in ("", "weak"):
        orders = _c(strength in ("acquire", "release"))
        return f"{function}_strong", f"{orders}, {of_block}", address
    return function, "", address


def _is_of_block(i: Instruction) -> str:
    """Whether an access or a fence is for the threads of a block only, in C."""
    return _c(i.take("sys", "gpu", "cta") == "cta")


def _c(yes: bool) -> str:
    return str(yes).lower()


@opcode("atom", "red")
def _atomic(i: Instruction) -> str:
    order = i.take("relaxed", "acquire", "release", "acq_rel")
    of_block = _is_of_block(i)
    space = i.take("global", "shared")
    if not i.take("add"):
        raise i.refuse()
    of = 1 if i.name == "atom" else 0
    address = i.place(i.operands[of])
    address = f"(u64)shared_memory + {address}" if space == "shared" else address
    orders = [_c(order in (kind, "acq_rel")) for kind in ("acquire", "release")]
    how = ", ".join([i.type, *orders, of_block])
    found = f"add_strong<{how}>({address}, {i.read(of + 1)})"
    return i.write(found) if i.name == "atom" else f"{found};"


# -- where it goes on, and threads that meet -------------------------------------------------------


@opcode("bra")
def _branch(i: Instruction) -> str:
    i.take("uni")
    return f"goto {name_of(i.operands[0])};"


@opcode("ret", "exit")
def _return(i: Instruction) -> str:
    i.take("uni")
    return "return;"


@opcode("trap")
def _trap(i: Instruction) -> str:
    return 'refused("a trap");'


@opcode("call")
def _call(i: Instruction) -> str:
    i.take("uni")
    results = [x for x in i.operands if x.startswith("(")]
    (name,) = (x for x in i.operands if not x.startswith("("))
    arguments = [x.strip() for group in results for x in group[1:-1].split(",") if x.strip()]
    return f"{name_of(name)}({', '.join(name_of(x) for x in arguments)});"


@opcode("bar", "barrier")
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


@opcode("vote")
def _vote(i: Instruction) -> str:
    i.take("sync")
    if not i.take("any"):
        raise i.refuse()
    i.types = ["bool"]
    return f"of_whole_warp({i.read(2, 'u32')}); " + i.write(f"fibre_any({i.line}, {i.read(1)})")


@opcode("shfl")
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


@opcode("membar", "fence")
def _fence(i: Instruction) -> str:
    i.take("sc", "acq_rel")
    of_block = i.take("gl", "cta", "sys", "gpu") == "cta"
    return f"races_fence({int(of_block)});"
