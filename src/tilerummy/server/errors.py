"""What is wrong with a request, in the one shape that every refusal has: {"error": {"code", "field", "message"}}."""

from collections.abc import Mapping
from typing import Any, Final

from tilerummy.protocol import PROBLEMS, ErrorBody, ProblemCode

__all__ = ["BODY", "CODES", "Problem", "body_of", "declared"]

CODES: Final[Mapping[int, ProblemCode]] = {status: code for code, (status, _) in reversed([*PROBLEMS.items()])}
"""The code that goes with a status where nothing more is known."""

BODY: Final[tuple[ProblemCode, ...]] = (
    "bad-request",
    "foreign-origin",
    "too-slow",
    "too-large",
    "not-json",
    "bad-input",
)
"""What may be wrong with any request that has a body."""


class Problem(Exception):
    """A request that is answered with an error."""

    def __init__(
        self,
        status: int,
        message: str = "",
        *,
        code: ProblemCode | None = None,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code: ProblemCode = code or CODES.get(status, "bad-request")
        self.field = field
        self.message = message or PROBLEMS[self.code][1]
        self.headers = dict(headers or {})


def body_of(problem: Problem) -> dict[str, Any]:
    """The JSON of an error."""
    return {"error": {"code": problem.code, "field": problem.field, "message": problem.message}}


def declared(*codes: ProblemCode) -> dict[int | str, dict[str, Any]]:
    """The `responses` of an endpoint in OpenAPI that may answer with these errors."""
    found: dict[int | str, dict[str, Any]] = {}
    for code in codes:
        status, meaning = PROBLEMS[code]
        about = found.setdefault(status, {"model": ErrorBody, "description": "", "content": {}})
        about["description"] += f"{' ' if about['description'] else ''}`{code}`: {meaning}"
        examples = about["content"].setdefault("application/json", {"examples": {}})["examples"]
        examples[code] = {"value": body_of(Problem(status, code=code))}
    return found
