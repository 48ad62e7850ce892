"""Exits become values, then each assignment starts a new version of its variable, and control flow
becomes explicit."""
