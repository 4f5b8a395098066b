"""`tilerummy serve` and `tilerummy migrate`: the server, and the database that it stands on."""

import asyncio
import contextlib
import errno
import gc
import io
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tilerummy import __version__
from tilerummy.contract import BadInput

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from tilerummy.server.settings import Settings

__all__ = ["Config", "Db", "migrate", "serve", "server_needed", "settings_for", "store_opened"]

_EVERYWHERE: Final = "0.0.0.0"
_ANYWHERE: Final = (_EVERYWHERE, "::")
_MORE_PORTS: Final = 50
_GRACE: Final = 10  # seconds that requests may take to end
_IDLE: Final = 20  # seconds that a connection waits for the next request: longer than clients keep theirs
_PROXY_IDLE: Final = 75  # and longer than nginx keeps its own, which otherwise meets closed ones now and then
_COLLECTIONS: Final = (2000, 10, 1000)  # new objects, and collections of a generation, from one to the next
_FIRST_LOOK: Final = 2.0  # seconds
_SWITCH: Final = 0.001  # seconds

Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help="sqlite:///FILE or postgresql://…; otherwise your own file.",
        show_default=False,
    ),
]
Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Settings as TOML; otherwise tilerummy.toml.", show_default=False),
]


@contextlib.contextmanager
def server_needed(command: str) -> Iterator[None]:
    """Say which extra to install where the server's libraries are missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "tilerummy":
            raise
        raise BadInput(f"{command}: {error.name} is missing; pip install 'tilerummy[server]' has it") from None


def settings_for(config: Path | None, **chosen: object) -> "Settings":
    """The settings, or BadInput that names the one that is wrong."""
    from tilerummy.server.settings import BadSetting, Settings

    try:
        return Settings.load(config, None, **chosen)
    except BadSetting as error:
        raise BadInput(str(error)) from None


def serve(
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Listen on this address.", show_default="127.0.0.1")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(metavar="N", help="Listen on this port; 0 for any.", show_default="8000, or the next free one"),
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let everybody on the local network in, and show the address as a QR code.")
    ] = False,
    db: Db = None,
    bus: Annotated[
        str | None, typer.Option(metavar="URL", help="redis://…, where several nodes serve.", show_default=False)
    ] = None,
    config: Config = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve tables to play at: on this machine, on the local network, or to everybody.

    tilerummy serve --lan

    tilerummy serve --db postgresql://tilerummy@localhost/tilerummy --bus redis://localhost

    Every setting can also come from the environment (TILERUMMY_PORT=8080) or from a file.
    """
    gc.disable()  # until the server is there: nothing that is being loaded is garbage
    with server_needed("serve"):
        settings = settings_for(config, host=host or (_EVERYWHERE if lan else None), port=port, db=db, bus=bus)
        with _listen(settings, chosen_port="port" in settings.model_fields_set) as listening:
            if lan:
                settings = _on_lan(settings, listening)
            address, heard = _address(settings, listening)
            with _kept(settings.db, address):
                _try_store(settings)
                _run(settings, listening, lambda: _announce(settings, address, heard, lan, open_page))


def migrate(db: Db = None, config: Config = None) -> None:
    """Bring the database to this version's schema; SQLite's files do it by themselves when the server starts."""
    with server_needed("migrate"):
        from tilerummy.server.settings import hidden
        from tilerummy.server.store import migrate as bring_up

        settings = settings_for(config, db=db)
        store_opened(bring_up(settings.db))
        print(f"{hidden(settings.db)} is up to date")


def store_opened(work: Awaitable[Any]) -> Any:
    """Do something with a database, and tell in one line why it cannot be done."""

    async def run() -> Any:
        return await work

    with _database_named():
        return asyncio.run(run())


@contextlib.contextmanager
def _database_named() -> Iterator[None]:
    from tilerummy.server.store import Unavailable, WrongSchema

    try:
        yield
    except BadInput:
        raise
    except WrongSchema as error:
        hint = "take a newer version of tilerummy" if error.newer else "tilerummy migrate --db URL does it"
        raise BadInput(f"db: {error}; {hint}") from None
    except Unavailable as error:
        raise BadInput(f"db: it cannot be used: {error}") from None
    except OSError as error:
        raise BadInput(f"db: it cannot be opened: {error.strerror or error}") from None
    except ValueError as error:
        raise BadInput(f"db: {error}") from None


@contextlib.contextmanager
def _kept(db: str, address: str) -> Iterator[None]:
    """Let no other server have the same file; whoever tries is told the address."""
    from tilerummy.server.alone import Served, alone

    with contextlib.ExitStack() as stack:
        with _database_named():
            try:
                stack.enter_context(alone(db, address))
            except Served as error:
                raise BadInput(f"db: {error}") from None
        yield


def _try_store(settings: "Settings") -> None:
    """Open and close the store once, so that what is wrong with it is told before anything else."""
    from tilerummy.server.store import Store

    async def look() -> None:
        async with Store(settings.db) as store:
            await store.ping()

    store_opened(look())


# The address


def _listen(settings: "Settings", *, chosen_port: bool) -> socket.socket:
    """A socket on the port that was asked for, or on the next free one where none was."""
    ports = [settings.port] if chosen_port else range(settings.port, settings.port + _MORE_PORTS)
    for port in ports:
        try:
            return _bound(settings.host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                field = "port" if error.errno in (errno.EACCES, errno.EPERM) else "host"
                raise BadInput(f"{field}: {settings.host} port {port}: {error.strerror or error}") from None
    if chosen_port:
        raise BadInput(f"port: {settings.port} is taken; --port 0 takes any that is free")
    raise BadInput(f"port: {ports[0]} to {ports[-1]} are taken; --port 0 takes any that is free")


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    sock = socket.socket(family, kind, protocol)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(1)  # only now it is certain that nobody else has the port
    except OSError:
        sock.close()
        raise
    return sock


def _on_lan(settings: "Settings", listening: socket.socket) -> "Settings":
    """The settings with the address that others on the local network need, where it can be found."""
    from tilerummy.cli.lan import is_loopback, own_address

    heard, port = listening.getsockname()[:2]
    if is_loopback(heard):
        raise BadInput(f"host: only this machine reaches {settings.host}; with --lan leave it out")
    host = own_address() if settings.host in _ANYWHERE else settings.host
    if host is None or settings.public_url is not None:
        return settings
    return settings.model_copy(update={"public_url": _url(host, port)})


def _address(settings: "Settings", listening: socket.socket) -> tuple[str, int]:
    """What a browser has to be given, and the port."""
    port = int(listening.getsockname()[1])
    host = "localhost" if settings.host in _ANYWHERE else settings.host
    return settings.public_url or _url(host, port), port


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _announce(settings: "Settings", address: str, port: int, lan: bool, open_page: bool) -> None:
    if open_page and _screen():
        threading.Thread(target=_open, args=(f"http://localhost:{port}" if lan else address,), daemon=True).start()
    print(f"tilerummy {__version__} serves tables at {address} (Ctrl-C ends it)")
    if lan and settings.public_url is None:
        print("no address on a local network was found; the setting public_url can name it")
    elif lan:
        import segno

        drawn = io.StringIO()
        segno.make(address, micro=False).terminal(drawn, compact=True)
        with contextlib.suppress(UnicodeEncodeError):
            print(drawn.getvalue())
    sys.stdout.flush()


def _screen() -> bool:
    """Whether a browser could be seen; where there is no desktop, one would take this terminal."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _open(address: str) -> None:
    with contextlib.suppress(Exception):  # for want of a browser nothing fails
        webbrowser.open(address)


# The server


def _run(settings: "Settings", listening: socket.socket, started: Any) -> None:
    from tilerummy.server.logs import set_up

    set_up(settings)  # before anything else has something to say
    import uvicorn

    from tilerummy.server.app import create_app
    from tilerummy.server.doors import doors
    from tilerummy.server.guard import MAX_BODY

    app = create_app(settings)
    http, ws = doors(settings.body_seconds)
    config = uvicorn.Config(
        app,
        http=http,
        ws=ws,
        ws_max_size=MAX_BODY,
        ws_per_message_deflate=False,
        timeout_keep_alive=_PROXY_IDLE if settings.trusted_proxies else _IDLE,
        timeout_graceful_shutdown=_GRACE,
        proxy_headers=False,  # the guard knows which proxies are ours
        server_header=False,
        access_log=False,
        log_config=None,
        lifespan="on",
    )
    server = _server(config, app, started)
    for wanted in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wanted, lambda *_: None)  # uvicorn sends itself what it received when it is done
    with contextlib.suppress(SystemExit):  # how uvicorn ends where the application cannot start
        server.run(sockets=[listening])
    if not server.started:
        raise BadInput("serve: the server did not start; the log says why")


def _make_responsive() -> None:
    """Keep what interrupts the loop short: what the collector looks through, and how long another thread goes on.

    What was loaded stays, and need not be looked through. A full collection still comes after so many new objects,
    however they came; the others are small. A thread of the store that comes back from the disk would wait for five
    milliseconds at each of its statements; so few are enough.
    """
    gc.freeze()
    gc.set_threshold(*_COLLECTIONS)
    gc.enable()
    sys.setswitchinterval(_SWITCH)


async def _warm(app: "FastAPI") -> None:
    """Get the processes that think ready, once whoever has waited for the server has the page."""
    await asyncio.sleep(_FIRST_LOOK)
    await app.state.parts.thinker.warm()


def _server(config: "uvicorn.Config", app: "FastAPI", started: Any) -> "uvicorn.Server":
    import uvicorn

    from tilerummy.server.app import say_goodbye
    from tilerummy.server.logs import unheard

    class Server(uvicorn.Server):
        """Says when it is there, and tells every table before it goes."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            asyncio.get_running_loop().set_exception_handler(unheard)
            await super().startup(sockets)
            if self.started:
                _make_responsive()
                self.warming = asyncio.create_task(_warm(app))
                started()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            self.warming.cancel()
            await say_goodbye(app)
            await super().shutdown(sockets)

    return Server(config)
