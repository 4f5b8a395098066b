"""What docs/operating.md puts in front of the server and around it: nginx with TLS, and the systemd unit."""

import asyncio
import configparser
import shlex
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.kit.cluster import balancer, documented
from tests.kit.services import Nginx, program

pytestmark = pytest.mark.anyio


class Upstream:
    """A server behind the proxy that notes which connections there are, and what is asked."""

    def __init__(self) -> None:
        self.connections = 0
        self.heads: list[list[str]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer every request of a connection with nothing."""
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                self.heads.append(head.split("\r\n"))
                writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


@asynccontextmanager
async def upstream() -> AsyncIterator[tuple[Upstream, int]]:
    behind = Upstream()
    server = await asyncio.start_server(behind.serve, "127.0.0.1", 0)
    yield behind, server.sockets[0].getsockname()[1]
    server.close()


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A key and a certificate of its own, in one file."""
    file = tmp_path / "certificate.pem"
    made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    made += ["-subj", "/CN=play.example.org"]
    files = ["-keyout", str(file), "-out", str(tmp_path / "alone.pem")]
    subprocess.run([program("openssl"), *made, *files], check=True, capture_output=True)
    file.write_text(file.read_text() + (tmp_path / "alone.pem").read_text())
    return file


async def test_nginx_as_documented(certificate: Path) -> None:
    """It starts, speaks TLS, keeps its connections to the server, lets WebSockets through and hides the metrics."""
    async with upstream() as (behind, port):
        with Nginx(lambda own: balancer(own, [port], certificate)) as nginx:
            url = nginx.url.replace("http://", "https://")
            async with httpx.AsyncClient(verify=False, headers={"Host": "play.example.org"}) as client:
                for _ in range(10):
                    answer = await client.get(f"{url}/api/me", headers={"X-Forwarded-For": "192.0.2.1"})
                    assert answer.status_code == 204
                    assert "max-age" in answer.headers["strict-transport-security"]
                assert behind.connections == 1
                for hidden in ("/metrics", "/readyz"):
                    assert (await client.get(f"{url}{hidden}")).status_code == 403
                assert (await client.post(f"{url}/api/me", content=b"x" * 70_000)).status_code == 413
                assert len(behind.heads) == 10
                upgrade = {"Connection": "Upgrade", "Upgrade": "websocket"}
                await client.get(f"{url}/ws/rooms/x", headers=upgrade)
    plain, upgraded = behind.heads[0], behind.heads[-1]
    assert plain[0] == "get /api/me http/1.1"
    assert {"host: play.example.org", "x-forwarded-proto: https", "x-forwarded-for: 192.0.2.1, 127.0.0.1"} <= {*plain}
    assert not [line for line in plain if line.startswith(("connection:", "upgrade:"))]
    assert {"connection: upgrade", "upgrade: websocket"} <= {*upgraded}


def test_the_unit_reads_what_only_root_may_read() -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=True)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(documented("ini"))
    service = unit["Service"]
    name, file = service["LoadCredential"].split(":")
    command = shlex.split(service["ExecStart"])
    assert service["DynamicUser"] == "yes"
    assert file.startswith("/etc/")
    assert command[1:] == ["serve", "--config", f"${{CREDENTIALS_DIRECTORY}}/{name}"]
    folder = f"/var/lib/{service['StateDirectory']}/"
    assert f"TILERUMMY_DB=sqlite:///{folder}tilerummy.db" in shlex.split(service["Environment"])
