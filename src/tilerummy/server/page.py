"""The page: its files if they were built, its index for every deep link; otherwise a few honest lines."""

import gzip
import hashlib
import mimetypes
import re
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

__all__ = ["FOLDER", "add_page"]

FOLDER: Final = Path(__file__).parent / "page"
_HASHED: Final = re.compile(r"assets/.+[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+")
_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK_FIRST: Final = "no-cache"
_PACKABLE: Final = re.compile(r"text/.*|image/svg\+xml|application/(json|manifest\+json|javascript)")
_TYPES: Final = {
    # Python asks the system about these, and not every system knows them.
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_WITHOUT: Final = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>tilerummy</title></head>
<body>
<h1>tilerummy</h1>
<p>The server runs, but this copy of it has no page.</p>
<p>Its interface is described at <a href="/api/openapi.json">/api/openapi.json</a>, and the protocol of its tables at
<a href="/api/schema">/api/schema</a>.</p>
<p>To play in the terminal: <code>tilerummy play</code></p>
</body>
</html>
"""


def add_page(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the page at every path that nothing else answers; this has to come last."""
    root = folder.resolve()
    files = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    read: dict[str, _File] = {}

    async def page(request: Request) -> Response:
        path = request.path_params["path"]
        if path == "api" or path.startswith(("api/", "ws/")):
            raise HTTPException(404)
        name = path if path in files else "index.html"
        if name != path and ("." in path.rpartition("/")[2] or (path and name not in files)):
            raise HTTPException(404)
        if name not in files:
            return HTMLResponse(_WITHOUT, headers={"Cache-Control": _ASK_FIRST})
        if name not in read:
            read[name] = _File(name, files[name].read_bytes())
        return read[name].answer(request)

    app.add_route("/{path:path}", page, methods=["GET", "HEAD"], include_in_schema=False)


class _File:
    """A file of the page, as it is and packed; they are few and small, and stay in memory once they were asked for."""

    def __init__(self, name: str, body: bytes) -> None:
        kind = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        text = _PACKABLE.fullmatch(kind) is not None
        self._type = f"{kind}; charset=utf-8" if text else kind
        self._body = body
        self._packed = gzip.compress(body, 9, mtime=0) if text else None
        self._tag = hashlib.sha256(body).hexdigest()[:20]
        self._cache = _FOREVER if _HASHED.fullmatch(name) else _ASK_FIRST

    def answer(self, request: Request) -> Response:
        """The file in the form that the browser takes, or that it has it already."""
        packed = self._packed if "gzip" in request.headers.get("accept-encoding", "") else None
        tag = f'"{self._tag}{"-gz" if packed else ""}"'
        headers = {"Cache-Control": self._cache, "ETag": tag}
        if self._packed:
            headers["Vary"] = "Accept-Encoding"
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if packed:
            headers["Content-Encoding"] = "gzip"
        return Response(packed or self._body, headers=headers, media_type=self._type)
