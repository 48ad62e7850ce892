"""Python's own functions and modules on symbolic values: built-ins, `math`, `cmath`, `statistics`,
`functools`, `heapq`, `logging`; and settings of libraries that hold while recording."""

from ops.core.later import put_off

put_off(__name__, "identities")
