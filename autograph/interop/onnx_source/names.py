"""Names of a model as identifiers."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable

_LENGTH = 40

# What programs use besides the names of operators' functions.
_TAKEN = frozenset(
    {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "np", "ops", "self", "source", "Any"}
    | {"annotations", "compute", "truth", "checked", "dataclass"}
)


class Identifiers:
    """Identifiers that differ from each other.

    Args:
        taken: further ones that are not to be used.
    """

    def __init__(self, taken: Iterable[str] = ()):
        self._taken = {*_TAKEN, *taken}
        self._counts: dict[str, int] = {}

    def new(self, name: str, otherwise: str = "x") -> str:
        """An identifier like a name of the model.

        Args:
            name: any text; only its letters of ASCII, digits and underlines are taken.
            otherwise: what the identifier begins with if the name has no letter to begin with.
        """
        base = re.sub(r"[^0-9A-Za-z]+", "_", name[-4 * _LENGTH :]).strip("_")
        if len(base) > _LENGTH:  # the end tells most: names begin with those of what is around
            base = base[-_LENGTH:].partition("_")[2] or base[-_LENGTH:]
        if not base or base[0].isdigit():
            base = f"{otherwise}_{base}".rstrip("_")
        found = base
        while found in self._taken:
            self._counts[base] = self._counts.get(base, 1) + 1
            found = f"{base}_{self._counts[base]}"
        self._taken.add(found)
        return found
