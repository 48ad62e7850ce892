"""The user's classes: their special methods, derived methods, attributes that only some paths set,
and context managers."""

from ops.core.later import put_off

put_off(__name__, "class_attributes")
