"""Sorted, searched, selected; sets of numbers."""

# Only what is recorded asks for it; graphs from the disk know it by its name.
from ops.order import python_order as python_order
