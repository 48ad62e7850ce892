"""Where benchmarks ran."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine() -> str:
    """Processor, system and Python."""
    return (
        f"{processor()}, {os.cpu_count()} cores, {platform.system()}; "
        f"Python {platform.python_version()}"
    )


def processor() -> str:
    """What the processor is called, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
