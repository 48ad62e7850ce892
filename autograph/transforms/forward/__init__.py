"""Forward mode: tangents next to values."""
