"""What code can change in place, other than arrays, seen in one uniform way.

Copies of it for the recording, taking it apart and putting it together, noticing changes."""
