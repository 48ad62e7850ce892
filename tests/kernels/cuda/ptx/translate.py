"""A PTX module as C++ for the fibres of the shim."""

from __future__ import annotations

import re

from tests.kernels.cuda.ptx.instruction import Scope, register
from tests.kernels.cuda.ptx.opcodes import written
from tests.kernels.cuda.ptx.parse import Function, PtxModule, Variable, variable

_REGISTERS = re.compile(r"\.reg\s+\.(\w+)\s+(.*)$", re.DOTALL)
_RANGE = re.compile(r"%([\w$]+)<(\d+)>$")


def translate(module: PtxModule, symbol: str = "call_") -> str:
    """A module as C++.

    Args:
        symbol: before the names of entries, as they are exported: each takes an array of the places
            of its arguments.

    Raises:
        ValueError: something in it is not known.
    """
    text = "".join(_constant(x) for x in module.variables)
    names = {x.name for x in module.variables}
    for function in module.functions:
        if not function.is_entry:
            text += f"static void {_identifier(function.name)}({_signature(function)});\n"
    for function in module.functions:
        if function.body is not None:
            text += _FunctionText(function, names, symbol).text()
    return text


def _identifier(name: str) -> str:
    return name.replace("$", "_")


def _constant(x: Variable) -> str:
    """A table in constant or global memory."""
    if x.space not in ("const", "global"):
        raise ValueError(f"PTX: '{x.name}' in the space '.{x.space}' outside of functions")
    element = f"u{8 * x.element}"
    values = ", ".join(f"({element}){v % 2**64}ull" for v in x.values or [0])
    count = x.nbytes // x.element
    return f"alignas({x.align}) static {element} {_identifier(x.name)}[{count}] = {{{values}}};\n"


def _signature(function: Function) -> str:
    results = [f"u8 *{_identifier(x.name)}" for x in function.results]
    return ", ".join(results + [f"const u8 *{_identifier(x.name)}" for x in function.parameters])


class _FunctionText:
    """A function as C++.

    Args:
        names: of variables outside of functions.
    """

    def __init__(self, function: Function, names: set[str], symbol: str):
        self.function = function
        self.symbol = symbol
        self.scopes = [Scope({}, {}, set(names), {})]
        for parameter in function.parameters + function.results:
            self.scopes[0].bytes_of[parameter.name] = _identifier(parameter.name)
        self.shared = 0
        self.declared: list[str] = []

    def text(self) -> str:
        function = self.function
        lines = []
        for number, statement in enumerate(function.body or ()):
            if statement.kind == "{":
                self.scopes.append(self._copy())
                lines.append("{")
            elif statement.kind == "}":
                self.scopes.pop()
                lines.append("}")
            elif statement.kind == "label":
                lines.append(f"{_identifier(statement.opcode)}:;")
            elif statement.kind == "declaration":
                lines += self._declaration(statement.text)
            else:
                lines.append(written(statement, self.scopes[-1], number + 1))
        body = "\n".join(lines)
        unused = "u32 carry = 0, unused = 0; (void)carry; (void)unused;"
        if not function.is_entry:
            head = f"static void {_identifier(function.name)}({_signature(function)})"
            return f"{head}\n{{\n{unused}\n{body}\n}}\n"
        shared = (
            f'static __attribute__((section("shared_memory"), aligned(16))) '
            f"u8 shared_of_{function.name}[{max(self.shared, 1)}];\n"
        )
        taken = "".join(
            f"const u8 *{_identifier(x.name)} = (const u8 *)arguments[{k}];\n"
            for k, x in enumerate(function.parameters)
        )
        # A function of its own, since jumps must not go past what has a value to begin with.
        return (
            f'{shared}extern "C" __attribute__((visibility("default"))) '
            f"void {self.symbol}{function.name}(void **arguments)\n{{\n"
            f"u8 *const shared_memory = shared_of_{function.name}; (void)shared_memory;\n"
            f"{unused}\n{taken}{body}\n}}\n"
        )

    def _copy(self) -> Scope:
        last = self.scopes[-1]
        return Scope(dict(last.registers), dict(last.shared), set(last.memory), dict(last.bytes_of))

    def _declaration(self, text: str) -> list[str]:
        """Registers, memory, or a hint."""
        scope = self.scopes[-1]
        if text.startswith((".pragma ", ".loc ", ".file ")):
            return []
        if found := _REGISTERS.match(text):
            type_ = {"pred": "bool"}.get(found[1], "u" + found[1][1:])
            type_ = found[1] if found[1] in ("f32", "f64") else type_
            names: list[str] = []
            for each in found[2].split(","):
                if several := _RANGE.match(each.strip()):
                    names += [f"{several[1]}{k}" for k in range(int(several[2]))]
                else:
                    names.append(each.strip().lstrip("%"))
            names = [register(x) for x in names]
            scope.registers.update(dict.fromkeys(names, type_))
            return [f"{type_} {', '.join(names)};"] * bool(names)
        made = variable(text)
        name = _identifier(made.name)
        if made.space == "shared":
            self.shared = -(-self.shared // made.align) * made.align
            scope.shared[made.name] = self.shared
            self.shared += made.nbytes
            return []
        if made.space == "param":
            scope.bytes_of[made.name] = name
        else:
            scope.memory.add(made.name)
        return [f"alignas({made.align}) u8 {name}[{made.nbytes}];"]
