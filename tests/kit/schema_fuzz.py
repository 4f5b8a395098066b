"""Schemathesis against a real server: every operation of the API, with data that fits its schema and that does not.

It is a program of its own, so that a run is a process with a configuration; every check that it has is on.
"""

import asyncio
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.kit.servers import ServerProcess

__all__ = ["fuzz_api"]

# 422 for what fits the schema and makes no sense; 413 before anything is read.
_CONFIG = """
seed = {seed}
cache.enabled = false
generation.database = "none"
generation.max-examples = {examples}
phases.stateful.enabled = {stateful}
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "404", "409", "422"]
checks.negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "415", "422"]
[[operations]]
include-path-regex = "^/api/rooms/[^/]*(/commands|/qr.svg)?$"
parameters = {{ "path.id" = "{room}" }}
[[operations]]
include-path-regex = "^/api/rooms/[^/]*/(matches|record)$"
parameters = {{ "path.id" = "{played}" }}
"""
_BUT_ONE = """
[[operations]]
include-name = "DELETE /api/me"
enabled = false
"""


async def fuzz_api(
    server: ServerProcess,
    folder: Path,
    room: str,
    *,
    played: str | None = None,
    seed: int,
    examples: int,
    stateful: bool = False,
    headers: Mapping[str, str] | None = None,
) -> str:
    """Ask for everything, as a stranger or with these headers, and return what schemathesis says at the end.

    History is asked for where something was `played`, all else of rooms in `room`. Whoever is somebody is not forgotten
    meanwhile.
    """
    chosen = {"seed": seed, "examples": examples, "stateful": str(stateful).lower()}
    config = _CONFIG.format(**chosen, room=room, played=played or room)
    (folder / "schemathesis.toml").write_text(config + (_BUT_ONE if headers else ""))
    url = f"{server.url}/api/openapi.json"
    command = [sys.executable, "-m", "schemathesis.cli", "run", url, "--checks=all", "--no-color"]
    command += [f"--header={name}:{value}" for name, value in (headers or {}).items()]
    run = await asyncio.to_thread(subprocess.run, command, cwd=folder, capture_output=True, check=False)
    told = run.stdout.decode(errors="replace")
    assert run.returncode == 0, told[:20_000] + run.stderr.decode(errors="replace")[:5_000]
    assert not (folder / ".schemathesis").exists()
    return told[-2_000:]
