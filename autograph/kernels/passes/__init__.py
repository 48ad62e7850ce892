"""From kernel IR to kernel IR."""
