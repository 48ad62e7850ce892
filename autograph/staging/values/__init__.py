"""Values that are more than an array: which one, of which type, or whether there is one at all, is
known only when the program runs. And the texts made of values."""

from ops.core.later import put_off

put_off(__name__, "padding")
