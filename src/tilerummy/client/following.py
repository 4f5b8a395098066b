"""Following a room: which message is next, which is old, and when something is missing. No input or output in here."""

from tilerummy.protocol import Heartbeat, RoomView, Snapshot, Update, You

__all__ = ["Follower"]


class Follower:
    """The newest view of a room, and its version."""

    def __init__(self) -> None:
        self.version = 0
        self.view: RoomView | None = None
        self.you: You | None = None
        self.behind = False
        self._fresh = True

    def reconnected(self) -> None:
        """A new connection: its first message says how things are now, whatever was known before."""
        self._fresh = True
        self.behind = False

    def take(self, message: Snapshot | Update | Heartbeat) -> Snapshot | Update | None:
        """Take a message and return what is new in it; afterwards `behind` says whether to ask for what is missing."""
        fresh, self._fresh = self._fresh, False
        if isinstance(message, Heartbeat):
            self.behind = message.version > self.version
            return None
        if isinstance(message, Snapshot):
            if message.version < self.version and not fresh:
                return None
            self.you = message.you
            return self._keep(message)
        if message.version <= self.version or not message.events:
            return None
        if message.events[0].version > self.version + 1:
            self.behind = True
            return None
        if message.events[0].version <= self.version:
            new = [seen for seen in message.events if seen.version > self.version]
            message = message.model_copy(update={"events": new})
        return self._keep(message)

    def _keep(self, message: Snapshot | Update) -> Snapshot | Update:
        self.version, self.view, self.behind = message.version, message.view, False
        return message
