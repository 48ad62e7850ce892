"""The text of a PTX module as functions and statements."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass
class Statement:
    """An instruction, a label, or the begin or end of a scope.

    Attributes:
        kind: "instruction", "label", "declaration", "{" or "}".
        opcode: with all that is joined to it by points; of a declaration its directive.
        operands: texts; those in braces, brackets and parentheses are one.
        guard: the predicate under which it runs, such as ``%p1`` or ``!%p1``.
        text: as written.
    """

    kind: str
    opcode: str = ""
    operands: list[str] = field(default_factory=list)
    guard: str = ""
    text: str = ""


@dataclass
class Variable:
    """Memory that is declared: a parameter, or of a state space.

    Attributes:
        space: "param", "shared", "local", "const" or "global".
        nbytes: of all elements.
        align: in bytes.
        values: of its elements, of `element` bytes each, if they are known.
    """

    space: str
    name: str
    nbytes: int
    align: int
    element: int
    values: list[int] | None = None


@dataclass
class Function:
    """A function or an entry.

    Attributes:
        results, parameters: memory.
        body: None for one that is declared only.
    """

    name: str
    is_entry: bool
    results: list[Variable]
    parameters: list[Variable]
    body: list[Statement] | None


@dataclass
class PtxModule:
    """What a text holds.

    Attributes:
        variables: outside of functions.
    """

    variables: list[Variable]
    functions: list[Function]


_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_HEADER = re.compile(
    r"(?:\.visible\s+|\.weak\s+)*\.(entry|func)\s*(\([^)]*\))?\s*([\w$]+)\s*(\([^)]*\))?", re.DOTALL
)
_PARAMETER = re.compile(r"\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d+)\])?")
_VARIABLE = re.compile(
    r"\.(shared|local|const|global|param)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)"
    r"(?:\[(\d*)\])?(?:\s*=\s*\{?([^}]*)\}?)?$",
    re.DOTALL,
)
_SIZE = re.compile(r"[bsuf](\d+)$")


def parse(text: str) -> PtxModule:
    """A module.

    Raises:
        ValueError: something is not known.
    """
    text = _COMMENT.sub("", text)
    module = PtxModule([], [])
    place = 0
    while True:
        match = re.compile(r"\s*(\S)").match(text, place)
        if match is None:
            return module
        place = match.start(1)
        line = text[place:].split("\n", 1)[0]
        if re.match(r"\.(version|target|address_size)\b", line):
            place += len(line)
        elif header := _HEADER.match(text, place):
            place = _function(module, header, text)
        else:
            end = text.index(";", place)
            module.variables.append(variable(text[place:end]))
            place = end + 1


def _function(module: PtxModule, header: re.Match, text: str) -> int:
    """A function that begins with a header; where the text goes on."""
    kind, results, name, parameters = header.groups()
    start = header.end()
    directives = re.compile(r"(?:\s|\.(?:maxntid|minnctapersm|maxnreg|reqntid|noreturn)[^\n{;]*)*")
    found = directives.match(text, start)
    assert found is not None
    start = found.end()
    of = lambda part: [_parameter(x) for x in _PARAMETER.findall(part or "")]
    body, end = None, start + 1
    if text[start] == "{":
        end = _closing(text, start)
        body = list(statements(text[start + 1 : end - 1]))
    elif text[start] != ";":
        raise ValueError(f"PTX: '{text[start : start + 40]}' after the head of '{name}'")
    module.functions.append(Function(name, kind == "entry", of(results), of(parameters), body))
    return end


def _closing(text: str, start: int) -> int:
    """Where a block has ended that begins here."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if not depth:
            return place + 1
    raise ValueError("PTX: a block without an end")


def _parameter(found: tuple[str, str, str, str]) -> Variable:
    align, type_, name, count = found
    size = nbytes_of(type_)
    return Variable("param", name, size * int(count or 1), int(align or size), size)


def variable(text: str) -> Variable:
    """A declaration of memory.

    Raises:
        ValueError: it is another one.
    """
    words = re.sub(r"^\s*(?:\.(?:visible|extern|weak)\s+)*", "", text).strip()
    match = _VARIABLE.match(words)
    if match is None:
        raise ValueError(f"PTX: the declaration '{words[:80]}'")
    space, align, type_, name, count, values = match.groups()
    size = nbytes_of(type_)
    known = [int(x, 0) for x in values.split(",")] if values else None
    length = int(count) if count else len(known) if known else 1
    return Variable(space, name, size * length, int(align or size), size, known)


def nbytes_of(type_: str) -> int:
    """The bytes of a type such as ``b32``."""
    match = _SIZE.match(type_)
    if match is None:
        raise ValueError(f"PTX: the type '.{type_}'")
    return int(match[1]) // 8


_STATEMENT = re.compile(r"\s*(?:([{}])|([\w$]+):|((?:[^;{}]|\{[^;{}]*\})+);)", re.DOTALL)
_INSTRUCTION = re.compile(r"(?:@(!?%[\w$]+)\s+)?([a-z][\w.:]*)\s*(.*)$", re.DOTALL)


def statements(text: str):
    """The statements of a body."""
    place = 0
    while text[place:].strip():
        match = _STATEMENT.match(text, place)
        if match is None:
            raise ValueError(f"PTX: '{text[place : place + 60].strip()}'")
        place = match.end()
        brace, label, words = match.groups()
        if brace:
            yield Statement(brace)
        elif label:
            yield Statement("label", label)
        elif words.strip().startswith("."):
            yield Statement("declaration", words.split()[0], text=words.strip())
        else:
            found = _INSTRUCTION.match(words.strip())
            if found is None:
                raise ValueError(f"PTX: '{words.strip()}'")
            guard, opcode, rest = found.groups()
            given = operands(rest)
            yield Statement("instruction", opcode, given, guard or "", words.strip())


def operands(text: str) -> list[str]:
    """Operands, split at the commas that are not inside of brackets."""
    found, depth, current = [], 0, ""
    for c in text:
        depth += (c in "{[(") - (c in "}])")
        if c == "," and not depth:
            found.append(current.strip())
            current = ""
        else:
            current += c
    return found + [current.strip()] * bool(current.strip())
