"""What can reach a recording from outside, `kinds`, and the ways there, `places`: see
`tests.staging.border.test_freezing`."""
