"""What can go wrong for a client, other than a refusal, which is an answer."""

__all__ = ["ApiError", "BadCommand", "Lost"]


class ApiError(Exception):
    """The server answered a request with an error."""

    def __init__(self, status: int, code: str, field: str | None, message: str) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.field = field


class BadCommand(Exception):
    """The server could not use a command; `code` and `field` say why."""

    def __init__(self, code: str, field: str | None, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.field = field


class Lost(Exception):
    """The connection is gone and will not come back; `code` is why."""

    def __init__(self, code: str) -> None:
        super().__init__(f"the connection is closed: {code}")
        self.code = code
