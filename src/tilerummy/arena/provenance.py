"""When, with what and on what machine a report was made; two equal runs differ in it."""

import os
import platform
from datetime import UTC, datetime
from typing import NamedTuple

from tilerummy import __version__

__all__ = ["Provenance", "cores", "provenance"]


class Provenance(NamedTuple):
    """Where a report comes from."""

    date: str
    """In universal time, to the second."""
    version: str
    python: str
    platform: str
    cpus: int


def provenance() -> Provenance:
    """Now and here; what was played earlier, or on a cluster, may have been played elsewhere."""
    return Provenance(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=" ".join(filter(None, (platform.system(), platform.release(), platform.machine()))),
        cpus=cores(),
    )


def cores() -> int:
    """How many cores this process may use."""
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return ours or 1
