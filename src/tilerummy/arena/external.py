"""A bot that is a program of its own: a process for each game, which is asked over its standard input and output.

A process plays one game and is gone, so that no bot remembers a deal when it is played with the seats rotated. Whatever
it does, the arena never waits longer than it said: input and output are watched together, what comes on standard error
is read all the time, and in the end the process and all that it started are killed.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from typing import Final

from tilerummy.arena.messages import VERSION, FaultSeen, Hello, Over, TurnToMove, read_move, read_ready
from tilerummy.arena.results import Fault, Misplay, Reason
from tilerummy.arena.settings import Entrant
from tilerummy.protocol.base import MAX_FRAME, Message
from tilerummy.protocol.views import seen_match
from tilerummy.rulesets import Ruleset
from tilerummy.state import Draw, Pass, Play
from tilerummy.view import View

__all__ = ["START_TIME", "External", "kill_all"]

START_TIME: Final = 20.0
"""Seconds that a program has to start and to answer hello, or the time for a move, if that is more."""
_GRACE: Final = 1.0  # seconds to end by itself
_CHUNK: Final = 1 << 16
_SOON: Final = 0.002  # seconds
_LOOK: Final = 0.2  # seconds between two looks whether a program that says nothing is there at all
_TAIL: Final = 2000  # bytes of standard error that are kept, for its last line

_RUNNING: set["External"] = set()
_STARTING: Final = threading.Lock()


class External:
    """A program on a seat."""

    def __init__(self, entrant: Entrant, rules: Ruleset, players: int, seat: int, seed: str, limit: float) -> None:
        self._entrant = entrant
        self._limit = limit
        self._hello = Hello(
            protocol=VERSION,
            seat=seat,
            players=players,
            ruleset=rules.id,
            house=_house(rules),
            budget=entrant.budget,
            move_time=limit,
            seed=seed,
        )
        self._process: subprocess.Popen[bytes] | None = None
        self._input = b""  # that came after the last whole line
        self._complaints = b""

    def begin(self) -> None:
        """Start the program and let it answer hello."""
        try:
            with _STARTING:
                self._process = subprocess.Popen(
                    self._entrant.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,  # Ctrl-C is ours, and all that it starts can be killed with it
                )
                _RUNNING.add(self)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise Misplay(Reason.CRASH, f"{self._entrant.command[0]} cannot be started: {reason}") from None
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
        read_ready(self._ask(self._hello, max(START_TIME, self._limit)))

    def choose(self, seen: View) -> Play | Draw | Pass:
        """Send the view, and read the move."""
        turn = TurnToMove(view=seen_match(seen), budget=self._entrant.budget)
        return read_move(self._ask(turn, self._limit))

    def end(self, seen: View, fault: Fault | None) -> None:
        """Tell how it ended, give it a moment to end too, and see to it that it does."""
        if self._process is None:
            return
        told = None if fault is None else FaultSeen(seat=fault.seat, reason=str(fault.reason))
        deadline = time.monotonic() + _GRACE
        try:
            with contextlib.suppress(Misplay):
                self._exchange(_line(Over(view=seen_match(seen), fault=told)), deadline, answer=False)
            assert self._process.stdin is not None
            with contextlib.suppress(OSError):
                self._process.stdin.close()
            if fault is None or fault.seat != self._hello.seat:  # who made a fault may hang, too
                self._drain(deadline)
        finally:
            self.kill()

    def kill(self) -> None:
        """End the process and whatever it started, at once."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        _RUNNING.discard(self)

    def _ask(self, message: Message, seconds: float) -> bytes:
        line = self._exchange(_line(message), time.monotonic() + seconds, answer=True)
        if line is None:
            raise Misplay(Reason.TIME, f"no answer after {seconds:g} s")
        return line

    def _exchange(self, output: bytes, deadline: float, *, answer: bool) -> bytes | None:
        """Write it all and read a line, whichever the process does first; None when the time is over."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        gone = False
        with selectors.DefaultSelector() as watched:
            watched.register(process.stdin, selectors.EVENT_WRITE)
            watched.register(process.stdout, selectors.EVENT_READ)
            watched.register(process.stderr, selectors.EVENT_READ)
            while output or answer:
                if not output and answer and b"\n" in self._input:
                    line, _, self._input = self._input.partition(b"\n")
                    return line
                if len(self._input) > MAX_FRAME:
                    raise Misplay(Reason.NONSENSE, f"an answer longer than {MAX_FRAME} bytes")
                left = deadline - time.monotonic()
                if left <= 0:
                    return None
                ready = watched.select(min(left, _LOOK))
                if gone and not ready:
                    raise self._died(deadline)
                gone = _ended(process.pid) is not None  # while its children may hold its output open
                for key, _ in ready:
                    if key.fileobj is process.stdin:
                        output = self._write(process.stdin.fileno(), output)
                        if not output:
                            watched.unregister(process.stdin)
                    elif not self._read(key.fd, process.stdout.fileno()):
                        watched.unregister(key.fileobj)
                        if key.fileobj is process.stdout:
                            raise self._died(deadline)
        return None

    def _write(self, pipe: int, output: bytes) -> bytes:
        """Write what goes in; return what is left."""
        try:
            return output[os.write(pipe, output) :]
        except BlockingIOError:
            return output
        except OSError:  # nobody reads any more; whether it still answers will be seen
            return b""

    def _read(self, pipe: int, answers: int) -> bool:
        """Read what is there, and say whether more may come."""
        try:
            data = os.read(pipe, _CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if pipe == answers:
            self._input += data
        else:
            self._complaints = (self._complaints + data)[-_TAIL:]
        return bool(data)

    def _died(self, deadline: float) -> Misplay:
        """Say how the process ended: its status, and the last that it said on standard error."""
        process = self._process
        assert process is not None
        self._drain(min(deadline, time.monotonic() + _GRACE))
        found = _ended(process.pid)
        lines = self._complaints.decode(errors="replace").strip().splitlines()
        if found is None:
            ended = "it closed its output"
        elif found.si_code == os.CLD_EXITED:
            ended = f"it ended with status {found.si_status}"
        else:
            ended = f"it was ended by signal {found.si_status}"
        return Misplay(Reason.CRASH, f"{ended}: {lines[-1]}" if lines else ended)

    def _drain(self, deadline: float) -> None:
        """Read until the process has ended, or the time is over; so it can end."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with selectors.DefaultSelector() as watched:
            watched.register(process.stdout, selectors.EVENT_READ)
            watched.register(process.stderr, selectors.EVENT_READ)
            while watched.get_map() and (left := deadline - time.monotonic()) > 0:
                for key, _ in watched.select(left):
                    if not self._read(key.fd, process.stdout.fileno()):
                        watched.unregister(key.fileobj)
                self._input = self._input[-1:]
        while _ended(process.pid) is None and time.monotonic() < deadline:
            time.sleep(_SOON)


def _ended(number: int) -> os.waitid_result | None:
    """How a process has ended, if it has; it is not waited for yet, so that its number stays its own."""
    return os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)


def kill_all() -> None:
    """End every program that this process has started, before it ends itself; from now on it starts none."""
    _STARTING.acquire()
    for one in tuple(_RUNNING):
        one.kill()


def _line(message: Message) -> bytes:
    return message.model_dump_json().encode() + b"\n"


def _house(rules: Ruleset) -> dict[str, bool | int | str]:
    return {name: value if isinstance(value, bool | int) else str(value) for name, value in rules.house.items()}
