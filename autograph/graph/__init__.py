"""The intermediate representation: typed SSA graphs with regions."""
