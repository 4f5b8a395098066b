"""Real servers in processes of their own, on free ports of the loopback, to be stopped, killed and started again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.request import urlopen

from tests.kit.services import free_port

__all__ = ["ServerProcess"]

PATIENCE = 60.0


class ServerProcess:
    """`tilerummy serve` as anybody would start it; it keeps its port from one start to the next."""

    def __init__(self, folder: Path, *, db: str | None = None, bus: str | None = None, **settings: object) -> None:
        """Settings are those of docs/operating.md; bots move at once unless they are told otherwise."""
        self.port = free_port()
        self.log = folder / f"server-{self.port}.log"
        self.url = f"http://127.0.0.1:{self.port}"
        chosen = {"bot_pace": 0, "rate_limits": "false", "workers": 1, **settings}
        chosen["db"] = db or f"sqlite:///{folder / 'games.db'}"
        if bus is not None:
            chosen["bus"] = bus
        self._env = {f"TILERUMMY_{name.upper()}": str(value) for name, value in chosen.items()}
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server, and wait until it is ready."""
        self.launch()
        self.wait_ready()

    def launch(self) -> None:
        """Start the server without waiting for it."""
        command = [sys.executable, "-m", "tilerummy", "serve", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, env=os.environ | self._env, stdout=log, stderr=log)

    def wait_ready(self) -> None:
        """Wait until it answers."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with urlopen(f"{self.url}/readyz", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                pass
            assert self.process is not None
            assert self.process.poll() is None, f"the server ended:\n{self.log.read_text()}"
            assert time.monotonic() < until, f"the server is not ready:\n{self.log.read_text()}"
            time.sleep(0.05)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> int | None:
        """Ask it to end, and return its exit status."""
        if self.process is None:
            return None
        self.process.terminate()
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        finally:
            self.process = None
