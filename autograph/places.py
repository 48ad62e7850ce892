"""What files are called where places in them are shown: a notebook's cell by its number."""

from __future__ import annotations

import sys


def _cell(file: str) -> str:
    """The number of a notebook's cell, as ``In[3]``, if a file is one; else ""."""
    ipython = sys.modules.get("IPython")
    if ipython is None:
        return ""
    get = getattr(ipython, "get_ipython", None)  # not while it is being imported
    shell = None if get is None else get()
    name = getattr(getattr(shell, "compile", None), "format_code_name", None)
    found = name(file) if callable(name) else None
    return found[1] if isinstance(found, tuple) and len(found) == 2 else ""


def file_shown(file: str) -> str:
    """A file, with its folder."""
    cell = _cell(file)
    return f"Cell {cell}" if cell else file


def file_name(file: str) -> str:
    """A file, without its folder."""
    return _cell(file) or file.replace("\\", "/").rpartition("/")[2]
