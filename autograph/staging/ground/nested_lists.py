"""Lists of lists, which are recorded as they are, or with their elements in one pool.

As it is, a list of lists has elements of Python, or rows of one length. Where that is refused, the
function is recorded once more with its lists of lists as `autograph.staging.lists.pooled` keeps
them, whose elements have any lengths. Which lists those are is known by then: they are told by
where they are made.
"""

from __future__ import annotations

from autograph.errors import Location


class NestedLists:
    """What is done with lists of lists.

    Attributes:
        sites: where lists are made that get lists as elements.
        in_pools: whether their elements are kept in pools.
    """

    def __init__(self) -> None:
        self.sites: set[Location] = set()
        self.in_pools = False

    def is_pooled(self, site: Location | None) -> bool:
        """Whether the elements of a list that is made there are kept in a pool."""
        return self.in_pools and site in self.sites
