"""Runs the command line in this process, with bytes in and bytes out."""

import io
import json
import sys
from typing import Any, NamedTuple
from unittest.mock import patch

from tilerummy.cli import main


class Result(NamedTuple):
    """How a run ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on standard output."""
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)

    @property
    def reason(self) -> str:
        """The one line of a refusal; nothing else was printed."""
        assert self.code == 2, self
        assert self.out == "", self
        assert self.err.endswith("\n"), self
        assert self.err.count("\n") == 1, self
        assert self.err.startswith("tilerummy: "), self
        assert len(self.err) < 800
        return self.err.removeprefix("tilerummy: ").rstrip("\n")


def run(*args: str, stdin: bytes | str = b"", env: dict[str, str] | None = None) -> Result:
    """Run `tilerummy` with these arguments."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = io.BytesIO(), io.BytesIO()
    streams: dict[str, Any] = {
        "stdin": io.TextIOWrapper(io.BytesIO(data), "utf-8"),
        "stdout": io.TextIOWrapper(out, "utf-8"),
        "stderr": io.TextIOWrapper(err, "utf-8"),
    }
    code = 0
    settings = {"COLUMNS": "80", "LC_ALL": "C.UTF-8", **(env or {})}
    with patch.multiple(sys, argv=["tilerummy", *args], **streams), patch.dict("os.environ", settings):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        for stream in ("stdout", "stderr"):
            streams[stream].flush()
    return Result(code, out.getvalue().decode(), err.getvalue().decode())
