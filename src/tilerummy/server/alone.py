"""One server for a SQLite file: two would not hear of each other, and tables of both would stand still."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from tilerummy.server.store.address import parse_url

__all__ = ["Served", "alone"]


class Served(Exception):
    """Another process serves the file."""


@contextlib.contextmanager
def alone(url: str, address: str) -> Iterator[None]:
    """Keep a database to this server; raises Served where another has it, and tells that this one is at the address.

    Only a file of SQLite's needs it. The system gives it back when the process ends, however it ends. Other programs
    may read and write the file meanwhile.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        yield
        return
    import filelock  # where it is not needed, nobody waits for it

    file = Path(parsed.database or "").resolve()
    beside = file.with_name(f"{file.name}.lock")
    beside.parent.mkdir(parents=True, exist_ok=True)
    # A lock that is only a file would stay when its server is killed.
    lock = filelock.FileLock(beside, timeout=0, mode=0o600, thread_local=False, fallback_to_soft=False)
    try:
        held = lock.acquire()
    except filelock.Timeout:
        raise Served(f"{file} is served already{_where(beside)}; --db sqlite:///FILE takes another") from None
    with held:
        with contextlib.suppress(OSError):  # Windows lets nobody touch a file that is locked
            beside.write_text(address, encoding="utf-8")
        yield


def _where(beside: Path) -> str:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        address = beside.read_text(encoding="utf-8")
        if address.isprintable() and address:
            return f" at {address}"
    return ""
