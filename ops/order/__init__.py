"""Sorted, searched, selected; sets of numbers."""
