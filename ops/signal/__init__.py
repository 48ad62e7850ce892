"""Convolutions and pooling of signals and images."""
