"""The operators on arrays that all others are written in: made, indexed, joined, rearranged,
reduced, multiplied."""
