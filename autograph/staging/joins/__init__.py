"""What a variable is where paths meet.

Facts of variables and how two of them join; what control flow changes, shares and lets grow."""
