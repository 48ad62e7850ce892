"""From graphs to programs: Python source that runs on an array library."""
