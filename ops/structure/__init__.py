"""Operators that give the same elements another shape, or their axes another order, that repeat
them, and add up what was repeated. Rules for many lanes are made of these."""
