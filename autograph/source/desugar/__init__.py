"""Sugar to core: after these passes few kinds of nodes are left."""

from ops.core.later import put_off

put_off(__name__, "class_attributes", "handlers")
