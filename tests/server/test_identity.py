"""Who somebody is: guests, names, other devices, people on the same device, bots; and that they can be forgotten."""

import json
import random
import time
from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from itsdangerous import TimestampSigner

from tests.kit.served import Served, served
from tilerummy.record import write_record
from tilerummy.server.identity import COOKIE, SECRET, fingerprint
from tilerummy.server.names import MAX_NAME, BadName, friendly_name, tidy_name, wanted_language
from tilerummy.texts import LANGUAGES


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Served]:
    async with served(tmp_path) as running:
        yield running


# Names


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada \n Lovelace ", "Ada Lovelace"),
        ("Zoe\u0308", "Zoë"),
        ("<script>alert(1)", "<script>alert(1)"),
        ('"; DROP TABLE', '"; DROP TABLE'),
        ("דנה", "דנה"),
        ("🦊", "🦊"),
        ("x" * MAX_NAME, "x" * MAX_NAME),
    ],
)
def test_names_that_may_be_chosen(written: str, kept: str) -> None:
    assert tidy_name(written) == kept


@pytest.mark.parametrize(
    "written",
    [
        "",
        "  ",
        "x" * (MAX_NAME + 1),
        "a\x00b",
        "a\x1b[31m",
        "a\u202eb",
        "\u200b",
        "\u2066x",
        "a\ud800",
        "a" + "\u0301" * 4,
    ],
)
def test_names_that_may_not(written: str) -> None:
    with pytest.raises(BadName):
        tidy_name(written)


@given(st.text(max_size=40))
def test_a_tidy_name_stays_as_it_is(written: str) -> None:
    try:
        tidy = tidy_name(written)
    except BadName:
        return
    assert tidy_name(tidy) == tidy
    assert tidy.isprintable()
    assert 1 <= len(tidy) <= MAX_NAME


_WORDS = json.loads(files("tilerummy.server").joinpath("names.json").read_text("utf-8"))


class _Told(random.Random):
    """A chance that is no chance: it chooses these, the manner first."""

    def __init__(self, manner: str, animal: str) -> None:
        super().__init__()
        self._picks = [animal, manner]

    def choice(self, seq: Any) -> Any:
        pick = self._picks.pop()
        assert pick in seq
        return pick


def _friendly(lang: str) -> list[str]:
    pairs = product(_WORDS[lang]["manners"], _WORDS[lang]["animals"])
    return [friendly_name(lang, _Told(manner, animal)) for manner, animal in pairs]


def test_there_are_friendly_names_in_every_language() -> None:
    assert _WORDS.keys() == set(LANGUAGES)
    for words in _WORDS.values():
        for some in (words["manners"], words["animals"]):
            assert len(set(some)) == len(some) >= 40


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_friendly_names_are_names(lang: str) -> None:
    names = _friendly(lang)
    assert len(set(names)) == len(names)
    for name in names:
        assert tidy_name(name) == name
        assert len(name) <= MAX_NAME
        assert name[0].isupper()
    assert friendly_name(lang) in names


def test_friendly_names_are_grammatical() -> None:
    """As far as endings tell; every animal is masculine in French and German, and a de-word in Dutch."""
    assert all(manner.endswith("er") for manner in _WORDS["de"]["manners"])
    assert all(manner.endswith("e") for manner in _WORDS["nl"]["manners"])
    assert all(
        manner.islower() and not manner.endswith(("elle", "euse", "ive", "ée")) for manner in _WORDS["fr"]["manners"]
    )
    assert "Flinker Fuchs" in _friendly("de")
    assert "Vrolijke Vos" in _friendly("nl")
    assert "Renard malin" in _friendly("fr")
    assert "Glad Deer" in _friendly("en")


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("de-CH", "de"),
        ("NL-be", "nl"),
        ("fr-BE,fr;q=0.9,nl;q=0.8,en;q=0.7", "fr"),
        ("en;q=0.7, de;q=0.8", "de"),
        ("en;q=0.5 , nl ; q=0.50, de;q=0.5", "en"),
        ("da, sv;q=0.9, de;q=0.3, *;q=0.1", "de"),
        ("zh-Hant-TW, ja", "en"),
        ("*", "en"),
        ("fr;q=0", "en"),
        ("fr;q=0, nl;q=0.001", "nl"),
        ("de;Q=1.000", "de"),
        ("fry, deu, french", "en"),
        ("fr;q=2, nl;q=0.1", "nl"),
        ("fr;q=nan, de;q=inf, nl;q=-1", "en"),
        ("fr;q=0.1234", "en"),
        ("fr;level=1", "en"),
        (";,,;q=1,-fr,fr-", "en"),
        ("ｆｒ, nl;q=٠", "en"),
        ("nl, " * 200, "nl"),
        ("fr, " * 100_000, "en"),
    ],
)
def test_the_language_that_a_header_wants(header: str, lang: str) -> None:
    assert wanted_language(header) == lang


@given(st.text() | st.text(alphabet="frndel;q=0.1,-* \t"))
def test_any_header_wants_some_language(header: str) -> None:
    assert wanted_language(header) in LANGUAGES


# Guests


@pytest.mark.anyio
async def test_a_guest_is_made_once_and_known_again(server: Served) -> None:
    guest = server.guest()
    response = await guest.http.get("/api/me")
    cookie = SimpleCookie(response.headers["set-cookie"])[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert not cookie["secure"]
    again = await guest.http.get("/api/me")
    assert again.json() == response.json()
    assert "set-cookie" not in again.headers
    other = await server.guest().get("/api/me")
    assert other["id"] != response.json()["id"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("header", "lang"),
    [("fr-BE,fr;q=0.9,nl;q=0.8", "fr"), ("nl", "nl"), ("ja, de;q=0.5", "de"), ("ja", "en"), ("é" * 5000, "en")],
)
async def test_a_guest_has_a_name_in_their_language(server: Served, header: str, lang: str) -> None:
    guest = server.guest()
    said = {"accept-language": header.encode()}
    response = await guest.http.get("/api/me", headers=said)  # type: ignore[arg-type]
    assert response.json()["name"] in _friendly(lang)
    later = await guest.http.get("/api/me", headers={"accept-language": "fr" if lang != "fr" else "de"})
    assert later.json()["name"] == response.json()["name"]


@pytest.mark.anyio
async def test_a_guest_who_says_no_language_has_an_english_name(server: Served) -> None:
    assert (await server.guest().get("/api/me"))["name"] in _friendly("en")


@pytest.mark.anyio
async def test_reading_makes_nobody(server: Served) -> None:
    stranger = server.guest()
    for path in ("/api/rooms", "/api/me/rooms", "/api/rulesets", "/healthz", "/"):
        response = await stranger.http.get(path)
        assert response.status_code == 200
        assert "set-cookie" not in response.headers
    assert "tilerummy_guests_total 0.0" in await stranger.get("/metrics")


@pytest.mark.anyio
async def test_cookies_that_are_not_ours(server: Served) -> None:
    guest = server.guest()
    me = await guest.get("/api/me")
    good = guest.http.cookies[COOKIE]
    secret = await server.parts.store.secret(SECRET, str)
    stale = TimestampSigner(secret, salt="other").sign(me["id"]).decode()
    for bad in (good[:-1], good.replace(me["id"], "x" * 16), me["id"], "", "x" * 500, "a.b.c", stale, "é"):
        stranger = server.guest()
        header = {"cookie": f"{COOKIE}={bad}".encode()}
        response = await stranger.http.get("/api/me", headers=header)  # type: ignore[arg-type]
        assert response.json()["id"] != me["id"]


@pytest.mark.anyio
async def test_the_cookie_is_secure_behind_https(tmp_path: Path) -> None:
    async with served(tmp_path, trusted_proxies=1) as server:
        response = await server.guest().http.get("/api/me", headers={"x-forwarded-proto": "https"})
        assert "; Secure" in response.headers["set-cookie"]
    async with served(tmp_path, public_url="https://play.example") as server:
        assert "; Secure" in (await server.guest().http.get("/api/me")).headers["set-cookie"]


@pytest.mark.anyio
async def test_the_secret_outlives_the_server(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        guest = server.guest()
        me = await guest.get("/api/me")
        carried = guest.http.cookies[COOKIE]
    async with served(tmp_path) as server:
        guest = server.guest()
        guest.http.cookies.set(COOKIE, carried)
        assert await guest.get("/api/me") == me


@pytest.mark.anyio
async def test_not_too_many_guests_from_one_address(tmp_path: Path) -> None:
    async with served(tmp_path, guests_burst=2, guests_per_hour=1) as server:
        known = server.guest()
        await known.get("/api/me")
        await server.guest().get("/api/me")
        assert (await server.guest().get("/api/me", 429))["code"] == "slow-down"
        assert (await known.get("/api/me"))["name"]


@pytest.mark.anyio
async def test_rename(server: Served) -> None:
    guest = server.guest()
    me = await guest.ask("PATCH", "/api/me", {"name": " <b>Ada</b> "})
    assert me["name"] == "<b>Ada</b>"
    assert (await guest.get("/api/me"))["name"] == "<b>Ada</b>"
    for bad in ("", " ", "a\u202eb", "x" * 30, "x" * 300, 5, None):
        assert (await guest.ask("PATCH", "/api/me", {"name": bad}, 422))["field"] == "name"
    room = await guest.new_room(players=2)
    await guest.ask("PATCH", "/api/me", {"name": "Bea"})
    assert (await guest.get(f"/api/rooms/{room['room']}"))["seats"][0]["name"] == "Bea"


# Another device


@pytest.mark.anyio
async def test_a_link_works_once(server: Served) -> None:
    phone, tablet, thief = server.guest(), server.guest(), server.guest()
    me = await phone.get("/api/me")
    link = await phone.post("/api/me/link", None, 201)
    assert link["url"] == f"http://table.example/link#{link['token']}"
    assert link["qr"].startswith("<svg ")
    assert 500 < link["expires_at"] - time.time() <= 600
    assert await tablet.post("/api/link", {"token": link["token"]}) == me
    assert await tablet.get("/api/me") == me
    assert (await thief.post("/api/link", {"token": link["token"]}, 404))["code"] == "link-used"
    assert (await thief.post("/api/link", {"token": "x"}, 404))["code"] == "link-used"
    assert (await thief.get("/api/me"))["id"] != me["id"]
    export = await phone.get("/api/me/export")
    assert link["token"] not in str(export)
    assert fingerprint(link["token"]) not in str(export)


@pytest.mark.anyio
async def test_a_link_that_is_too_old(server: Served) -> None:
    phone = server.guest()
    me = await phone.get("/api/me")
    link = await phone.post("/api/me/link", None, 201)
    assert await server.parts.store.use_link(fingerprint(link["token"]), time.time() + 601) is None
    assert await server.parts.store.use_link(fingerprint(link["token"]), time.time()) == me["id"]


# People on the same device


@pytest.mark.anyio
async def test_people_on_one_device(server: Served) -> None:
    tablet, other = server.guest(), server.guest()
    bea = await tablet.post("/api/me/locals", {"name": "Bea"}, 201)
    assert (await tablet.get("/api/me"))["locals"] == [bea]
    room = await tablet.new_room(players=2)
    assert (await tablet.do(room["room"], "sit", seat=1, player=bea["id"]))["type"] == "ack"
    assert (await other.do(room["room"], "stand", seat=1))["code"] == "not-a-seat-of-yours"
    await other.ask("DELETE", f"/api/me/locals/{bea['id']}", None, 404)
    await tablet.ask("DELETE", f"/api/me/locals/{bea['id']}", None, 204)
    assert (await tablet.get("/api/me"))["locals"] == []
    seats = (await tablet.get(f"/api/rooms/{room['room']}"))["seats"]
    assert [seat["kind"] for seat in seats] == ["person", "open"]
    await tablet.post("/api/me/locals", {"name": "\x00"}, 422)


@pytest.mark.anyio
async def test_not_too_many_people_on_one_device(tmp_path: Path) -> None:
    async with served(tmp_path, max_locals=3) as server:
        tablet = server.guest()
        for name in ("A", "B"):
            await tablet.post("/api/me/locals", {"name": name}, 201)
        refused = await tablet.post("/api/me/locals", {"name": "C"}, 409)
        assert (refused["code"], refused["message"]) == ("too-many", "at most 3 people play on one device")
        assert len((await tablet.get("/api/me"))["locals"]) == 2, "whose device it is is one of them"


# Bots


@pytest.mark.anyio
async def test_bot_tokens(server: Served) -> None:
    owner = server.guest()
    made = await owner.post("/api/me/tokens", {"label": "Deep Red"}, 201)
    bot = server.guest(made["token"])
    me = await bot.get("/api/me")
    assert (me["id"], me["name"], me["kind"]) == (made["id"], "Deep Red", "bot")
    listed = await owner.get("/api/me/tokens")
    assert listed == [{**made, "token": None}]
    room = await bot.new_room(players=2)
    assert room["seats"][0]["name"] == "Deep Red"
    for method, path, body in (
        ("GET", "/api/me/export", None),
        ("GET", "/api/me/tokens", None),
        ("POST", "/api/me/tokens", {"label": "x"}),
        ("POST", "/api/me/link", None),
        ("POST", "/api/me/locals", {"name": "x"}),
        ("DELETE", "/api/me", None),
    ):
        assert (await bot.ask(method, path, body, 403))["code"] == "bots-may-not"
    stranger = server.guest()
    await stranger.ask("DELETE", f"/api/me/tokens/{made['id']}", None, 404)
    await owner.ask("DELETE", f"/api/me/tokens/{made['id']}", None, 204)
    assert (await bot.get("/api/me", 401))["code"] == "bad-token"
    assert await owner.get("/api/me/tokens") == []


@pytest.mark.anyio
async def test_bad_tokens(server: Served) -> None:
    for header in ("Bearer nonsense", "Bearer ", "Basic YTpi", "nonsense", "Bearer trb_" + "x" * 43):
        stranger = server.guest()
        response = await stranger.http.get("/api/me", headers={"authorization": header})
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        assert response.json()["error"]["field"] == "Authorization"


@pytest.mark.anyio
async def test_not_too_many_bots(tmp_path: Path) -> None:
    async with served(tmp_path, max_tokens=1) as server:
        owner = server.guest()
        await owner.post("/api/me/tokens", {"label": "a"}, 201)
        assert (await owner.post("/api/me/tokens", {"label": "b"}, 409))["code"] == "too-many"


# Forgotten


@pytest.mark.anyio
async def test_forget_me(server: Served) -> None:
    guest, friend = server.guest(), server.guest()
    me = await guest.ask("PATCH", "/api/me", {"name": "Ada Lovelace"})
    local = await guest.post("/api/me/locals", {"name": "Bea"}, 201)
    token = await guest.post("/api/me/tokens", {"label": "Robot"}, 201)
    room = (await guest.new_room(players=3, bots=[None, None, "novice"]))["room"]
    assert (await friend.do(room, "sit", seat=1))["type"] == "ack"
    assert (await friend.do(room, "ready", seat=1, ready=True))["type"] == "ack"
    assert (await guest.do(room, "start"))["type"] == "ack"
    export = await guest.get("/api/me/export")
    assert export["player"]["name"] == "Ada Lovelace"
    assert {one["name"] for one in export["owned"]} == {"Bea", "Robot"}
    assert export["seats"][0]["room"] == room
    assert token["token"] not in str(export)
    carried = guest.http.cookies[COOKIE]
    response = await guest.http.delete("/api/me")
    assert response.status_code == 204
    assert "Max-Age=0" in response.headers["set-cookie"]
    guest.http.cookies.set(COOKIE, carried)
    assert (await guest.get("/api/me"))["id"] != me["id"]
    await server.guest(token["token"]).get("/api/me", 401)
    view = await friend.get(f"/api/rooms/{room}")
    assert view["seats"][0]["away"]
    assert "Ada" not in str(view)
    assert view["stage"] == "playing"
    kept = await server.parts.store.players([me["id"], local["id"]])
    assert [(player.name, player.deleted) for player in kept.values()] == [("", True), ("", True)]


def test_the_record_takes_any_name_that_may_be_chosen() -> None:
    from tests.cli.test_replay import played
    from tilerummy.record import read_record

    record = played()
    for name in ("<b>", 'a"b\\', "🦊", "x" * MAX_NAME):
        named = record.__class__(record.rules, record.seed, (name, "b"), record.commands)
        assert read_record(write_record(named)).names == (name, "b")
