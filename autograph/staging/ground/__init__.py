"""What staging stands on, without symbolic arrays.

The interface of what records; names and places in the user's source, whose code is whose, what
recording costs, and the errors that it meets."""
