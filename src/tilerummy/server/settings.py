"""Settings: from the command line, the environment (TILERUMMY_*), a TOML file, in this order; docs/operating.md.

>>> Settings.load(environment={"TILERUMMY_PORT": "8080"}).port
8080
>>> Settings.load(environment={"TILERUMMY_PORT": "many"})
Traceback (most recent call last):
tilerummy.server.settings.BadSetting: port (TILERUMMY_PORT): a whole number is expected
>>> Settings.load(environment={"TILERUMMY_PROT": "8080"})
Traceback (most recent call last):
tilerummy.server.settings.BadSetting: prot (TILERUMMY_PROT): no setting is called so; port is
"""

import difflib
import os
import re
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

__all__ = ["BadSetting", "Settings", "data_folder", "hidden"]

_PREFIX: Final = "TILERUMMY_"
_FILE: Final = "tilerummy.toml"
_OTHERS: Final = ("config", "server", "traceback")  # read elsewhere: here, by the page's tools, by the command line
_DATABASES: Final = ("sqlite", "sqlite+aiosqlite", "postgres", "postgresql", "postgresql+asyncpg")
_BUSES: Final = ("redis", "rediss", "unix")


class BadSetting(ValueError):
    """A setting that cannot be used; the message is one line that names it and never shows its value."""


def data_folder() -> Path:
    """Where a program of this user keeps its data."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "tilerummy"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "tilerummy"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tilerummy"


def _own_database() -> str:
    return f"sqlite:///{data_folder() / 'tilerummy.db'}"


def hidden(url: str | None) -> str | None:
    """A URL as it may be shown: without its password, and without what follows a question mark, where one may be too.

    >>> hidden("postgresql://me:hunter2@host/games?password=hunter2")
    'postgresql://me:***@host/games?***'
    """
    # What is not encoded as it should be may have any sign in it: rather too much is hidden than too little.
    return None if url is None else re.sub(r"\?.*", "?***", re.sub(r"(//[^/@:]*):.*@", r"\1:***@", url))


class Settings(BaseSettings):
    """What whoever runs the server may choose."""

    model_config = SettingsConfigDict(
        extra="forbid", env_prefix=_PREFIX, frozen=True, hide_input_in_errors=True, allow_inf_nan=False
    )

    host: str = Field(default="127.0.0.1", min_length=1, description="The address to listen on.")
    port: int = Field(default=8000, ge=0, le=65535, description="The port to listen on; 0 takes any free one.")
    db: str = Field(
        default_factory=_own_database, repr=False, description="The database: sqlite:///FILE or postgresql://…"
    )
    bus: str | None = Field(default=None, repr=False, description="How nodes tell each other what happened: redis://…")
    public_url: str | None = Field(
        default=None, description="The address that players use, where it is not the server's own."
    )
    trusted_proxies: int = Field(
        default=0,
        ge=0,
        le=10,
        description="How many proxies of yours are in front; only then X-Forwarded-* is believed.",
    )
    allowed_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Other origins whose WebSockets and changing requests are let in; answers have no CORS headers.",
    )
    bot_pace: float = Field(default=1.2, ge=0, le=60, description="Seconds a bot waits before it moves.")
    away_seconds: float = Field(
        default=15, ge=0, le=3600, description="Seconds without a connection after which a player counts as gone."
    )
    workers: int = Field(
        default_factory=lambda: max(1, (os.cpu_count() or 2) - 1),
        ge=1,
        le=64,
        description="Processes that think: bots, hints, solutions.",
    )
    max_rooms: int = Field(default=10_000, ge=1, description="Rooms that this node holds in memory at once, at most.")
    max_connections: int = Field(
        default=20_000, ge=1, description="WebSocket connections to this node at once, at most."
    )
    max_connections_per_address: int = Field(default=500, ge=1, description="Of them from one address, at most.")
    max_locals: int = Field(default=8, ge=0, le=64, description="People on one device, at most.")
    max_tokens: int = Field(default=16, ge=0, le=256, description="Bot tokens of one player, at most.")
    rate_limits: bool = Field(default=True, description="Whether anybody is ever asked to slow down.")
    requests_per_second: float = Field(default=50, gt=0, description="Requests of one address, on average.")
    requests_burst: int = Field(default=300, ge=1, description="Requests of one address in one go.")
    commands_per_second: float = Field(default=10, gt=0, description="Commands of one player, on average.")
    commands_burst: int = Field(default=40, ge=1, description="Commands of one player in one go.")
    messages_per_second: float = Field(default=30, gt=0, description="Messages of one player, on average.")
    messages_burst: int = Field(default=90, ge=1, description="Messages of one player in one go.")
    solves_per_second: float = Field(
        default=5, gt=0, description="Hints, solutions, checks for one address, on average."
    )
    solves_burst: int = Field(default=20, ge=1, description="Hints, solutions, checks for one address in one go.")
    guests_per_hour: float = Field(default=120, gt=0, description="New guests of one address, on average.")
    guests_burst: int = Field(default=60, ge=1, description="New guests of one address in one go.")
    rooms_per_hour: float = Field(default=60, gt=0, description="New rooms of one player, on average.")
    rooms_burst: int = Field(default=20, ge=1, description="New rooms of one player in one go.")
    guesses_per_hour: float = Field(default=360, gt=0, description="Codes of no room from one address, on average.")
    guesses_burst: int = Field(default=30, ge=1, description="Codes of no room from one address in one go.")
    body_seconds: float = Field(
        default=10, gt=0, le=300, description="Seconds that a request's body may take to arrive."
    )
    metrics: bool = Field(default=True, description="Whether /metrics is there.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="How much is logged.")
    log_format: Literal["text", "json"] = Field(default="text", description="Lines for people, or JSON Lines.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what is passed: `load` reads environment and file, so that every error can name its place."""
        return (init_settings,)

    @classmethod
    def load(
        cls,
        config: Path | None = None,
        environment: Mapping[str, str] | None = None,
        **chosen: object,
    ) -> Self:
        """Read the settings, or raise BadSetting; what is chosen (and not None) goes before everything else."""
        env = os.environ if environment is None else environment
        file, written = _read_file(config, env)
        spoken = {
            name: env[variable]
            for name in cls.model_fields
            if (variable := f"{_PREFIX}{name.upper()}") in env and env[variable] != ""
        }
        for variable in sorted(env):
            name = variable.removeprefix(_PREFIX).lower()
            if variable.startswith(_PREFIX) and name not in (*cls.model_fields, *_OTHERS):
                raise BadSetting(f"{name} ({variable}): {cls._unknown(name)}")
        asked = {name: value for name, value in chosen.items() if value is not None}
        try:
            return cls(**{**written, **spoken, **asked})
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=True)[0]
            name = str(first["loc"][0]) if first["loc"] else "settings"
            if name in asked:
                place = name
            elif name in spoken:
                place = f"{name} ({_PREFIX}{name.upper()})"
            else:
                place = f"{name} ({file})" if name in written else name
            unknown = first["type"] == "extra_forbidden"
            raise BadSetting(f"{place}: {cls._unknown(name) if unknown else _reason(dict(first))}") from None

    @classmethod
    def _unknown(cls, name: str) -> str:
        """What there is to say about a name that nothing has."""
        near = difflib.get_close_matches(name, cls.model_fields, 1)
        return f"no setting is called so{f'; {near[0]} is' if near else ''}"

    @field_validator("db")
    @classmethod
    def _known_database(cls, url: str) -> str:
        scheme, sign, rest = url.partition("://")
        if not sign or scheme not in _DATABASES or not rest.strip("/"):
            raise ValueError("sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME is expected")
        if scheme.startswith("sqlite") and not rest.startswith("/"):
            raise ValueError("three slashes come before a file's name: sqlite:///tilerummy.db")
        from tilerummy.server.store.address import parse_url  # what it needs takes a while to load

        parse_url(url)
        return url

    @field_validator("bus")
    @classmethod
    def _known_bus(cls, url: str | None) -> str | None:
        if url is None:
            return None
        if url.partition("://")[0] not in _BUSES:
            raise ValueError("redis://HOST:PORT is expected")
        from tilerummy.server.redis_bus import check_url  # as above

        check_url(url)
        return url

    @field_validator("public_url")
    @classmethod
    def _whole_address(cls, url: str | None) -> str | None:
        if url is None:
            return None
        if _origin(url) is None or urlsplit(url).query or urlsplit(url).fragment:
            raise ValueError("an address such as https://play.example.org is expected")
        if urlsplit(url).path.strip("/"):
            raise ValueError("an address without a path is expected: the page is served at /")
        return url.rstrip("/")

    @field_validator("allowed_origins", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        if isinstance(value, str):
            value = [part for part in re.split(r"[\s,]+", value) if part]
        return tuple(value) if isinstance(value, list) else value

    @field_validator("allowed_origins")
    @classmethod
    def _origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        found = tuple(_origin(one) for one in value)
        if None in found:
            raise ValueError("addresses such as https://play.example.org are expected, with commas between them")
        return tuple(one for one in found if one)

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a file of this node's own."""
        return self.db.startswith("sqlite")

    def shown(self) -> dict[str, object]:
        """The settings as they may be logged: no password in them."""
        return {**self.model_dump(), "db": hidden(self.db), "bus": hidden(self.bus)}


def _origin(url: str) -> str | None:
    """Scheme, host and port of an address; None if it is none."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or parts.username is not None or "*" in host:
        return None
    standard = port is None or port == {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{'' if standard else f':{port}'}"


def _read_file(config: Path | None, env: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """The file that was asked for, or the one that lies here, or none."""
    named = config or (Path(env[f"{_PREFIX}CONFIG"]) if env.get(f"{_PREFIX}CONFIG") else None)
    path = named or Path(_FILE)
    if named is None and not path.is_file():
        return "", {}
    try:
        with path.open("rb") as file:
            return path.name, tomllib.load(file)
    except OSError as error:
        raise BadSetting(f"config ({path}): {error.strerror or 'it cannot be read'}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"config ({path}): no TOML: {error}") from None


_REASONS: Final = {
    "int_parsing": "a whole number is expected",
    "int_type": "a whole number is expected",
    "int_from_float": "a whole number is expected",
    "float_parsing": "a number is expected",
    "float_type": "a number is expected",
    "finite_number": "a number is expected",
    "bool_parsing": "true or false is expected",
    "bool_type": "true or false is expected",
    "string_type": "text is expected",
    "string_too_short": "it is empty",
    "tuple_type": "a list is expected",
    "greater_than_equal": "at least {ge} is expected",
    "greater_than": "more than {gt} is expected",
    "less_than_equal": "at most {le} is expected",
    "literal_error": "{expected} is expected",
}


def _reason(error: dict[str, Any]) -> str:
    """What is wrong, in our words; the value is never in it, because it may be a secret."""
    context = error.get("ctx", {})
    if error["type"] == "value_error":
        return str(context.get("error", "it cannot be used"))
    return _REASONS.get(error["type"], "it cannot be used").format(**context)
