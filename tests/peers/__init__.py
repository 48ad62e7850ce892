"""Tests beside other frameworks, which `make peers` installs."""
