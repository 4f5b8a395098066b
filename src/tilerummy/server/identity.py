"""Identity: who is asking. Guests by a signed cookie, bots by a token, and the people on somebody's device."""

import hashlib
import secrets
import time
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from fastapi import Depends, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import HTTPConnection

from tilerummy.server.errors import Problem
from tilerummy.server.limits import Limits
from tilerummy.server.metrics import Metrics
from tilerummy.server.names import friendly_name, wanted_language
from tilerummy.server.settings import Settings
from tilerummy.server.store import Link, Player, PlayerKind, Store, Token

__all__ = [
    "COOKIE",
    "LINK_SECONDS",
    "SECRET",
    "WHO",
    "Actor",
    "Anyone",
    "Identity",
    "NewLink",
    "NewToken",
    "Person",
    "Somebody",
    "bots_may_not",
    "fingerprint",
]

COOKIE: Final = "tilerummy"
SECRET: Final = "cookies"
LINK_SECONDS: Final = 600
_LASTS: Final = 400 * 86_400  # the longest that browsers keep a cookie
_RENEW: Final = 86_400
_SEEN: Final = 300.0
_MOST_SEEN: Final = 10_000


@dataclass(frozen=True, slots=True)
class Actor:
    """Who sends something: a player, and all the players that it acts for, itself among them."""

    player: str
    players: frozenset[str]
    bot: bool = False


class NewLink(NamedTuple):
    """A one-time link as its owner sees it once."""

    token: str
    expires_at: float


class NewToken(NamedTuple):
    """A bot's token as its owner sees it once; the bot is a player of its own."""

    token: str
    player: Player
    created_at: float


def fingerprint(secret: str) -> str:
    """What is kept of a token: it has 256 random bits, so that no salt and no slow hash is needed."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


class Identity:
    """Knows players by what they carry, and makes new ones."""

    def __init__(self, store: Store, settings: Settings, limits: Limits, metrics: Metrics, secret: str) -> None:
        self._store = store
        self._settings = settings
        self._limits = limits
        self._metrics = metrics
        self._signer = TimestampSigner(secret, salt="tilerummy.guest", digest_method=hashlib.sha256)
        self._seen: dict[str, float] = {}

    @classmethod
    async def open(cls, store: Store, settings: Settings, limits: Limits, metrics: Metrics) -> "Identity":
        """With the secret of this database, which is made on the first start."""
        secret = await store.secret(SECRET, lambda: secrets.token_urlsafe(32))
        return cls(store, settings, limits, metrics, secret)

    async def known(self, connection: HTTPConnection) -> Actor | None:
        """Who this is, if it is anybody yet; a bot token that is not known is a Problem."""
        header = connection.headers.get("authorization")
        if header is not None:
            return await self._bot(header)
        carried = self._read_cookie(connection)
        if carried is None:
            return None
        player_id, age = carried
        actor = await self.actor_of(player_id)
        if actor is not None and age > _RENEW:
            self._give_cookie(connection, player_id)
        return actor

    async def actor(self, connection: HTTPConnection) -> Actor:
        """Who this is; somebody new becomes a guest."""
        return await self.known(connection) or await self._new_guest(connection)

    async def actor_of(self, player_id: str) -> Actor | None:
        """A guest with the people on the same device; None for nobody, and for whoever has been deleted."""
        player = await self._store.player(player_id)
        if player is None or player.deleted or player.kind != "guest":
            return None
        await self._note(player_id)
        owned = await self._store.owned_by(player_id)
        locals_ = {other.id for other in owned if other.kind == "local"}
        return Actor(player_id, frozenset({player_id, *locals_}))

    async def _bot(self, header: str) -> Actor:
        scheme, _, secret = header.partition(" ")
        token = None
        if scheme.lower() == "bearer" and secret.strip():
            token = await self._store.token(fingerprint(secret.strip()))
        if token is None:
            raise Problem(401, field="Authorization", headers={"WWW-Authenticate": "Bearer"})
        await self._note(token.player)
        return Actor(token.player, frozenset({token.player}), bot=True)

    async def _note(self, player_id: str) -> None:
        """Keep when somebody was last here, to a few minutes."""
        now = time.time()
        if now - self._seen.get(player_id, 0.0) > _SEEN:
            if len(self._seen) >= _MOST_SEEN:
                self._seen.clear()
            self._seen[player_id] = now
            await self._store.touch([player_id], now)

    # Guests

    async def _new_guest(self, connection: HTTPConnection) -> Actor:
        self._limits.check("guests", connection.state.address)
        lang = wanted_language(connection.headers.get("accept-language", ""))
        player = await self.new_player("guest", friendly_name(lang))
        self._metrics.guests.inc()
        self._give_cookie(connection, player.id)
        return Actor(player.id, frozenset({player.id}))

    async def new_player(self, kind: PlayerKind, name: str, owner: str | None = None) -> Player:
        """Keep a new player."""
        now = time.time()
        player = Player(secrets.token_urlsafe(12), name, kind, now, now, owner)
        await self._store.new_player(player)
        return player

    def _read_cookie(self, connection: HTTPConnection) -> tuple[str, float] | None:
        value = connection.cookies.get(COOKIE)
        if not value or len(value) > 200 or not value.isascii():
            return None
        try:
            player, signed = self._signer.unsign(value, max_age=_LASTS, return_timestamp=True)
            return player.decode(), time.time() - signed.timestamp()
        except (BadSignature, UnicodeDecodeError):
            return None

    def _give_cookie(self, connection: HTTPConnection, player_id: str) -> None:
        """Let the answer carry this identity; the guard adds it to whatever the answer will be."""
        public = self._settings.public_url or ""
        secure = connection.url.scheme in ("https", "wss") or public.startswith("https:")
        value = self._signer.sign(player_id).decode()
        parts = f"{COOKIE}={value}; Path=/; Max-Age={_LASTS}; HttpOnly; SameSite=Lax{'; Secure' if secure else ''}"
        connection.scope["state"]["cookie"] = parts

    def forget_cookie(self, connection: HTTPConnection) -> None:
        """Let the answer take the identity away."""
        connection.scope["state"]["cookie"] = f"{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"

    # Links to another device

    async def new_link(self, actor: Actor) -> NewLink:
        """A link with which another device becomes this player, once and soon."""
        token = secrets.token_urlsafe(32)
        expires = time.time() + LINK_SECONDS
        await self._store.new_link(Link(fingerprint(token), actor.player, expires))
        return NewLink(token, expires)

    async def use_link(self, connection: HTTPConnection, token: str) -> Actor:
        """Become the player of a link, or raise the Problem that it is used up."""
        player_id = await self._store.use_link(fingerprint(token), time.time())
        actor = None if player_id is None else await self.actor_of(player_id)
        if actor is None:
            raise Problem(404, "this link was used already, or is too old", code="link-used", field="token")
        self._give_cookie(connection, actor.player)
        return actor

    # Bots

    async def new_token(self, actor: Actor, label: str, name: str) -> NewToken:
        """A new bot of this player, with its token."""
        bots = [other for other in await self._store.owned_by(actor.player) if other.kind == "bot"]
        if len(bots) >= self._settings.max_tokens:
            raise Problem(409, f"at most {self._settings.max_tokens} bots are yours", code="too-many")
        token = f"trb_{secrets.token_urlsafe(32)}"
        bot = await self.new_player("bot", name, actor.player)
        await self._store.new_token(Token(fingerprint(token), bot.id, label, bot.created_at))
        return NewToken(token, bot, bot.created_at)


# What endpoints ask for

_GUEST: Final = APIKeyCookie(
    name=COOKIE,
    scheme_name="guest",
    description="Who a guest is. The first answer to somebody new sets it; no script can read it.",
    auto_error=False,
)
_BOT: Final = HTTPBearer(
    scheme_name="bot",
    description="A bot's token, which its owner makes at `POST /api/me/tokens`; it goes before a cookie.",
    auto_error=False,
)
WHO: Final = (Security(_GUEST), Security(_BOT))
"""What OpenAPI is to say of endpoints that ask who somebody is; they do it by one of the following."""


def _identity(connection: HTTPConnection) -> Identity:
    found = connection.app.state.identity
    assert isinstance(found, Identity)
    return found


async def _anyone(connection: HTTPConnection) -> Actor | None:
    return await _identity(connection).known(connection)


async def _somebody(connection: HTTPConnection) -> Actor:
    return await _identity(connection).actor(connection)


async def _person(connection: HTTPConnection) -> Actor:
    actor = await _identity(connection).actor(connection)
    if actor.bot:
        raise bots_may_not()
    return actor


def bots_may_not() -> Problem:
    """The Problem of a bot that wants to be, or to have, somebody else."""
    return Problem(403, "bots may not do this; their owner may", code="bots-may-not")


Anyone = Annotated[Actor | None, Depends(_anyone)]
"""Whoever asks, None if it is nobody yet: nothing is made for reading alone."""

Somebody = Annotated[Actor, Depends(_somebody)]
"""Whoever asks; somebody new becomes a guest."""

Person = Annotated[Actor, Depends(_person)]
"""A guest, new or not; no bot."""
