"""Numbers: Python's and complex ones, how close they are, their order, and short formulas."""
