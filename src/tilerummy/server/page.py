"""The page: its files if they were built, its index for every deep link; otherwise a few honest lines."""

import re
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

__all__ = ["FOLDER", "add_page"]

FOLDER: Final = Path(__file__).parent / "page"
_HASHED: Final = re.compile(r"assets/.+[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+")
_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK_FIRST: Final = "no-cache"
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

    async def page(request: Request) -> Response:
        path = request.path_params["path"]
        if path == "api" or path.startswith(("api/", "ws/")):
            raise HTTPException(404)
        if path in files:
            return FileResponse(
                files[path], headers={"Cache-Control": _FOREVER if _HASHED.fullmatch(path) else _ASK_FIRST}
            )
        if "." in path.rpartition("/")[2]:
            raise HTTPException(404)
        if "index.html" in files:
            return FileResponse(files["index.html"], headers={"Cache-Control": _ASK_FIRST})
        if path:
            raise HTTPException(404)
        return HTMLResponse(_WITHOUT, headers={"Cache-Control": _ASK_FIRST})

    app.add_route("/{path:path}", page, methods=["GET", "HEAD"], include_in_schema=False)
