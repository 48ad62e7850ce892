"""A page of reference for each group of operators: what stands in one package of `ops`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import examples

from ops import reference

_INTRODUCTION = f"""\
The examples begin with these lines; what they give is evaluated with this page. An operator
without an example is what the others are made of, and stands in graphs.

```python
import numpy as np
import autograph as ag
import ops

{examples.PRELUDE}```
"""


def pages() -> Iterator[tuple[str, str]]:
    """The name of each page, and its text, which mkdocstrings completes from the docstrings."""
    modules = [module for module in examples.modules() if reference.public(module)]
    for package, found in groupby(modules, lambda module: module.__name__.split(".")[1]):
        parts = [f"# ops: {package}\n", _INTRODUCTION]
        for module in found:
            members = "".join(f"\n        - {name}" for name in reference.public(module))
            parts.append(
                f"::: {module.__name__}\n    options:\n      show_root_full_path: true\n"
                f"      members:{members}\n"
            )
        yield package, "\n".join(parts)
