"""What is wrong with a request, in the one shape that every refusal has: {"error": {"code", "field", "message"}}."""

from collections.abc import Mapping
from typing import Any, Final

from tilerummy.protocol.rest import ErrorBody

__all__ = ["BODY", "CODES", "Problem", "body_of", "declared"]

CODES: Final[dict[int, str]] = {
    400: "bad-request",
    401: "bad-token",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    408: "too-slow",
    409: "conflict",
    413: "too-large",
    415: "not-json",
    422: "bad-input",
    429: "slow-down",
    500: "our-bug",
    503: "not-ready",
}
"""The code that goes with a status where nothing more is known."""

BODY: Final = (400, 403, 408, 413, 415)
"""What may be wrong with any request that has a body, besides what is in it."""

_SAYS: Final[dict[int, str]] = {
    400: "The request cannot be read.",
    401: "The bot token is not known.",
    403: "That is not allowed.",
    404: "There is nothing here by this name.",
    405: "This cannot be done here.",
    408: "The request took too long to arrive.",
    409: "That cannot be done now.",
    413: "The request is too large.",
    415: "JSON is expected.",
    422: "A field is wrong; the error names it.",
    429: "Too many requests; Retry-After says when to come back.",
    500: "A bug of ours; the request id says which.",
    503: "Not ready.",
}


class Problem(Exception):
    """A request that is answered with an error."""

    def __init__(
        self,
        status: int,
        message: str = "",
        *,
        code: str = "",
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code or CODES.get(status, "error")
        self.field = field
        self.message = message or _SAYS.get(status, "That did not work.")
        self.headers = dict(headers or {})


def body_of(problem: Problem) -> dict[str, Any]:
    """The JSON of an error."""
    return {"error": {"code": problem.code, "field": problem.field, "message": problem.message}}


def declared(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of an endpoint in OpenAPI that may answer with these errors."""
    return {status: {"model": ErrorBody, "description": _SAYS[status]} for status in statuses}
