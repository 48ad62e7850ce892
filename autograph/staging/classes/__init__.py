"""The user's classes: their special methods, derived methods, attributes that only some paths set,
and context managers."""
