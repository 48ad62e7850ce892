"""Lists of unknown length.

They are kept as columns, an array for each part of their elements; lists in lists as rows."""
