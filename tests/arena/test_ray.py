"""A Ray cluster at an address: it plays the same, and what keeps it from playing is told."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.kit.services import free_port

PROGRAM = [sys.executable, "-m", "tilerummy", "arena", "--seats", "novice,random", "--games", "4", "--json"]
TOKEN = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0123456789abcdef" * 4}
FORGETFUL = """\
import os, sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name == "tilerummy" and os.path.exists({marker!r}):
            raise ModuleNotFoundError("No module named 'tilerummy'")

sys.meta_path.insert(0, Without())
"""


class Cluster(NamedTuple):
    """A cluster of one node, and the file which, while it is there, lets its new workers find no tilerummy."""

    address: str
    marker: Path


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Start it on a free port; it asks for a token."""
    place = Path(tempfile.mkdtemp(prefix="ray"))  # Ray's sockets need a short path
    address, marker = f"127.0.0.1:{free_port()}", place / "forget"
    (place / "sitecustomize.py").write_text(FORGETFUL.format(marker=str(marker)))
    process = subprocess.Popen(
        [
            *(str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", "--num-cpus", "1"),
            *("--port", address.split(":")[1], "--temp-dir", str(place), "--include-dashboard", "false"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **TOKEN, "PYTHONPATH": str(place), "RAY_USAGE_STATS_ENABLED": "0"},
    )
    assert process.stdout is not None
    try:
        said = []
        for line in process.stdout:
            said.append(line)
            if "Ray runtime started" in line:
                break
        assert process.poll() is None, said
        yield Cluster(address, marker)
    finally:
        process.terminate()
        process.communicate(timeout=120)
        shutil.rmtree(place, ignore_errors=True)


def ran(cluster: Cluster, **env: str) -> subprocess.CompletedProcess[str]:
    usual = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return subprocess.run(
        [*PROGRAM, "--ray", cluster.address],
        capture_output=True,
        check=False,
        text=True,
        env={**usual, **env},
    )


def test_it_plays_the_same(cluster: Cluster) -> None:
    there = ran(cluster, **TOKEN)
    assert (there.returncode, there.stderr) == (0, "")
    here = subprocess.run([*PROGRAM, "--workers", "1"], capture_output=True, check=True)
    reports = [json.loads(there.stdout), json.loads(here.stdout)]
    for report in reports:
        del report["seconds"], report["provenance"]
        for bot in report["bots"]:
            del bot["ms_per_move"], bot["ms_slowest"]
    assert reports[0] == reports[1]


def test_a_cluster_that_asks_for_a_token(cluster: Cluster) -> None:
    refused = ran(cluster, RAY_NUM_REDIS_GET_RETRIES="1")  # or it tries for twenty seconds
    assert (refused.returncode, refused.stdout) == (2, "")
    *_, reason = refused.stderr.splitlines()  # before it is what Ray says itself
    assert reason.startswith(f"tilerummy: --ray: no cluster at '{cluster.address}': Failed to connect")
    assert reason.endswith("; RAY_AUTH_MODE=token where it asks for a token")


def test_a_node_without_tilerummy(cluster: Cluster) -> None:
    cluster.marker.touch()
    refused = ran(cluster, **TOKEN)
    cluster.marker.unlink()
    assert (refused.returncode, refused.stdout) == (2, "")
    wanted = "tilerummy: --ray: a node could not play: System error: No module named 'tilerummy'\n"
    assert refused.stderr == wanted
