"""Lists of unknown length.

They are kept as columns, an array for each part of their elements; lists in lists as rows."""

from ops.core.later import put_off

put_off(
    __name__,
    "class_families",
    "extending",
    "family_operators",
    "given_attributes",
    "given_object_lists",
    "given_tuples",
    "objects_in_calls",
)
