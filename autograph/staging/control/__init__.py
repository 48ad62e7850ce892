"""Control flow on symbolic values, recorded as regions: conditionals, loops,
handlers of exceptions."""

from ops.core.later import put_off

put_off(__name__, "gone_through", "leaving", "loops")
