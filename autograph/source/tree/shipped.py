"""Sources of functions that go to another process by value.

cloudpickle makes functions anew there, whose code may say no more of where it is from than
``<dynamic-code>``. So what is pickled of a compiled function has the text of its file with it, and
that of the program, whose functions it may call. A function that is looked for finds its code in
these texts, and is told the name of its file.
"""

from __future__ import annotations

import linecache
import sys
import types
from collections.abc import Callable
from typing import Any

_texts: dict[str, str] = {}  # by the names of files


def texts_of(function: Any) -> dict[str, str]:
    """The texts of a function's file, and of the program's, by the names of the files."""
    code = getattr(function, "__code__", None)
    names = [code.co_filename] if isinstance(code, types.CodeType) else []
    program = getattr(sys.modules.get("__main__"), "__file__", None)
    names += [program] if isinstance(program, str) else []
    found = {name: "".join(linecache.getlines(name)) for name in names}
    return {name: text for name, text in found.items() if text}


def made_with(texts: dict[str, str], make: Callable[..., Any], args: tuple) -> Any:
    """``make(*args)``, where the texts are known from now on."""
    for name, text in texts.items():
        if "".join(linecache.getlines(name)) != text:  # there is another file, or none
            name = f"<{name}>"
            linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
        _texts[name] = text
    return make(*args)


def restored(
    code: types.CodeType, is_in: Callable[[types.CodeType, str, str], bool]
) -> types.CodeType | None:
    """The same code with the name of the file that it is from; None if no text has it.

    Args:
        is_in: whether a code is in a file of a name and a text.
    """
    for name, text in _texts.items():
        if is_in(code, name, text):
            return _named(code, name)
    return None


def _named(code: types.CodeType, name: str) -> types.CodeType:
    """Code, and that of the functions in it, from a file of another name."""
    constants = [_named(x, name) if isinstance(x, types.CodeType) else x for x in code.co_consts]
    return code.replace(co_filename=name, co_consts=tuple(constants))
