"""Where deals are played: in this process, in several of this machine, or on a Ray cluster, with the same results.

An engine takes a run's settings and what is to be played, and yields each deal as soon as it is done, in any order.
When it is closed, what is under way is dropped and nothing is left running.
"""

import contextlib
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from itertools import islice
from multiprocessing.synchronize import Event
from multiprocessing.util import Finalize
from types import FrameType
from typing import Final
from urllib.parse import urlsplit

from tilerummy.arena.results import DealResult
from tilerummy.arena.settings import BadSettings, Settings
from tilerummy.arena.table import play_deal
from tilerummy.tiles import shorten

__all__ = ["Engine", "Unit", "here", "on_ray", "processes"]

Unit = tuple[int, int]
"""A deal and a line-up, by their numbers."""

Engine = Callable[[Settings, Iterable[Unit]], Generator[DealResult, None, None]]

_AHEAD: Final = 3  # deals that wait for each worker, so that none is idle and few are dropped
_KNOCK: Final = 5.0  # seconds that a cluster may take to answer
_LOOK: Final = 1.0  # seconds between looks whether to go on


def here(settings: Settings, units: Iterable[Unit]) -> Generator[DealResult, None, None]:
    """Play in this process, one deal after the other."""
    for deal, lineup in units:
        yield play_deal(settings, deal, lineup)


def processes(workers: int) -> Engine:
    """Play in so many processes of this machine."""

    def engine(settings: Settings, units: Iterable[Unit]) -> Generator[DealResult, None, None]:
        context = multiprocessing.get_context("spawn")
        stop = context.Event()
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(stop,))
        waiting = iter(units)

        def submit(unit: Unit) -> Future[DealResult]:
            return pool.submit(play_deal, settings, *unit)

        under_way: set[Future[DealResult]] = set()
        try:
            under_way = {submit(unit) for unit in islice(waiting, workers * _AHEAD)}
            while under_way:
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                under_way |= {submit(unit) for unit in islice(waiting, len(done))}
                for future in done:
                    yield future.result()
        except BrokenProcessPool:
            raise BadSettings("workers", "a process that played was ended from outside, or ran out of memory") from None
        finally:
            if under_way:
                stop.set()
            pool.shutdown(wait=True, cancel_futures=True)

    return engine


def _begin(stop: Event) -> None:
    """Leave Ctrl-C to whoever started this process; end when that is gone or says so, and not without the programs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: threading.Thread(target=_end).start())
    # Nothing is left to tidy when it is told to end; Python's own way would count what the kernel still holds.
    Finalize(None, os._exit, (0,), exitpriority=-100)
    threading.Thread(target=_end_after, args=(stop,), daemon=True).start()


def _end_after(stop: Event) -> None:
    parent = multiprocessing.parent_process()
    with contextlib.suppress(OSError, EOFError):
        while not stop.wait(_LOOK):
            if parent is not None and not parent.is_alive():
                break
    _end()


def _end() -> None:
    external = sys.modules.get("tilerummy.arena.external")  # where there are any
    if external is not None:
        external.kill_all()
    os._exit(0)


def on_ray(address: str, workers: int | None = None) -> Engine:
    """Play on the Ray cluster at this address; `local` is one of its own on this machine, with so many workers.

    tilerummy has to be installed on the nodes, and the programs of bots that are none of ours. Where nobody answers at
    the address, that is said at once: Ray itself would try for minutes.
    """
    if find_spec("ray") is None:
        raise BadSettings("ray", "ray is not installed; pip install 'tilerummy[ray]'")
    _knock(address)

    def engine(settings: Settings, units: Iterable[Unit]) -> Generator[DealResult, None, None]:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        import ray
        from ray.exceptions import RayError, RayTaskError

        own = address == "local"
        terminated = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(
                address,
                num_cpus=workers if own else None,
                include_dashboard=False if own else None,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except (ConnectionError, ValueError, RuntimeError, OSError, RayError) as error:
            token = "" if own or "RAY_AUTH_MODE" in os.environ else "; RAY_AUTH_MODE=token where it asks for a token"
            raise BadSettings("ray", f"no cluster at {shorten(address)}: {_said(error)}{token}") from None
        try:
            remote = ray.remote(play_deal)
            shared = ray.put(settings)
            cores = workers or int(dict(ray.cluster_resources()).get("CPU", 1))  # type: ignore[no-untyped-call]
            waiting = iter(units)
            under_way = [remote.remote(shared, *unit) for unit in islice(waiting, cores * _AHEAD)]
            with _heard(terminated) as look:
                while under_way:
                    done, under_way = ray.wait(under_way, timeout=_LOOK)
                    look()
                    under_way += [remote.remote(shared, *unit) for unit in islice(waiting, len(done))]
                    yield from ray.get(done)
        except RayTaskError as error:
            if not isinstance(error.cause, RayError):
                raise  # of play_deal itself
            raise BadSettings("ray", f"a node could not play: {_said(error.cause)}") from None
        except RayError as error:
            raise BadSettings("ray", f"a node could not play: {_said(error)}") from None
        finally:
            ray.shutdown()

    return engine


@contextlib.contextmanager
def _heard(handler: object) -> Iterator[Callable[[], None]]:
    """Let this handler have SIGTERM, when it is looked for: Ray has put its own there, and swallows what one raises."""
    told: list[tuple[int, FrameType | None]] = []
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    signal.signal(signal.SIGTERM, lambda number, frame: told.append((number, frame)))
    try:
        yield lambda: handler(*told[0]) if told else None
    finally:
        signal.signal(signal.SIGTERM, handler)


def _said(error: Exception) -> str:
    """What Ray says first; where it was comes after."""
    return next(iter(str(error).splitlines()), type(error).__name__)


def _knock(address: str) -> None:
    """See whether anybody answers at a host and port; other addresses are Ray's own words."""
    try:
        asked = urlsplit(address if "://" in address else f"//{address}")
        host, port = asked.hostname, asked.port
    except ValueError:
        raise BadSettings("ray", f"{shorten(address)} is no address; such as 10.0.0.5:6379") from None
    if host is None or port is None:
        return
    try:
        socket.create_connection((host, port), _KNOCK).close()
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "nobody answers"
        raise BadSettings("ray", f"no cluster at {shorten(address)}: {reason}") from None
