"""Names of a kernel in C: the user's names, made C's and unique."""

from __future__ import annotations

import re
import unicodedata

# What must not be the name of a variable: C++'s keywords, macros of a host compiler, CUDA's own.
_WORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
char32_t class compl concept const const_cast consteval constexpr constinit continue co_await
co_return co_yield decltype default delete do double dynamic_cast else enum explicit export
extern false float for friend goto if inline int int8 int16 int64 long mutable namespace new
noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
requires restrict return short signed sizeof static static_assert static_cast struct switch
template this thread_local throw true try typedef typeid typename typeof uint8 uint16 uint32
uint64 union unsigned using virtual void volatile wchar_t while xor xor_eq NULL linux unix
blockIdx blockDim gridDim threadIdx warpSize dim3 main lane status reserved reserved_by_trip
reserved_by_lane thread_patience team_patience Vector load_vector store_vector announce await
wait_for_blocks
"""
RESERVED = frozenset(_WORDS.split())

# The names of `autograph.kernels.cuda.helpers`.
_HELPERS = re.compile(r"_(u?int|float)\d+$|_overflows$|^reserved_by_thread$")
INDICES = ("i", "j", "k")  # of loops in each other


def identifier(name: str | None, default: str = "t") -> str:
    """A C identifier that reads like a Python name, or like ``default`` if there is none."""
    plain = unicodedata.normalize("NFKD", name or "").encode("ascii", "ignore").decode()
    plain = re.sub(r"\W+", "_", plain).strip("_") or default
    plain = re.sub(r"__+", "_", plain)  # reserved in C++, and the prefix of CUDA's functions
    return f"{default}{plain}" if plain[0].isdigit() else plain


class ScopedNames:
    """The names in use at a place of a function, by scope.

    Args:
        taken: what no variable may be called, besides `RESERVED`: functions that are called.
    """

    def __init__(self, taken: frozenset[str]):
        self._taken = RESERVED | taken
        self._scopes: list[set[str]] = [set()]

    def new(self, name: str | None, default: str = "t", root: bool = False) -> str:
        """A name that nothing else has here; with ``root``, for the whole function."""
        base = identifier(name, default)
        if base in INDICES:
            base = next((x for x in INDICES if not self._is_taken(x)), base)
        found, number = base, 1
        while self._is_taken(found):
            number += 1
            found = f"{base}{number}" if not base[-1].isdigit() else f"{base}_{number}"
        self._scopes[0 if root else -1].add(found)
        return found

    def _is_taken(self, name: str) -> bool:
        if name in self._taken or _HELPERS.search(name):
            return True
        return any(name in scope for scope in self._scopes)

    def enter(self) -> None:
        """Begin a scope."""
        self._scopes.append(set())

    def leave(self) -> None:
        """End a scope: its names are free again."""
        self._scopes.pop()

    def taken(self) -> frozenset[str]:
        """The names in use."""
        return frozenset().union(*self._scopes)
