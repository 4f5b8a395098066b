"""What a receiver may see of a room: its view, and each of its events, or nothing but a version.

Hidden tiles end here. Everything about a match passes through `view.view`; of the events, those that hold a seed, a
rack, a pool, drawn tiles or a word are told only as far as the receiver may know.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilerummy import race, state
from tilerummy.deal import commitment
from tilerummy.melds import Draft
from tilerummy.protocol.views import draws_json, match_json, melds_json, seen_table
from tilerummy.race import RaceState
from tilerummy.server.events import (
    BotSeated,
    CameBack,
    Changed,
    Closed,
    Happened,
    HostPassed,
    Opened,
    ReadySet,
    Rematched,
    Removed,
    Room,
    RoomEvent,
    Sat,
    Stage,
    Stood,
    WentAway,
    WordGiven,
)
from tilerummy.server.room import actor_seats
from tilerummy.server.wire import Json, setup_view
from tilerummy.state import Phase, State
from tilerummy.tiles import text
from tilerummy.view import seen_draft, view

__all__ = ["Scene", "you"]

_Event = state.Event | race.RaceEvent


@dataclass(frozen=True)
class Scene:
    """A room at one moment, for as many receivers as there are: what all of them see is worked out once."""

    id: str
    code: str | None
    room: Room
    names: Mapping[str, str]
    """The names of the players who sit, or sat, here, by their ids."""
    present: Collection[str]
    """The players who are connected."""
    draft: Draft | None
    """What the player to move is arranging."""
    now: float

    # What is sent

    def snapshot(self, seat: int | None, you: Json) -> Json:
        """The room as this seat sees it."""
        return {"type": "snapshot", "version": self.room.version, "view": self.view(seat), "you": you}

    def update(self, events: Iterable[tuple[int, RoomEvent, float]], seat: int | None) -> Json:
        """The events, each with its version and time, as this seat sees them, and the room after the last."""
        told = list(events)
        sat = self._sat_at(told, seat)
        seen = [
            {"version": version, "at": at, "event": self._told(version, event, seat, sat)}
            for version, event, at in told
        ]
        return {"type": "update", "version": self.room.version, "events": seen, "view": self.view(seat)}

    def _sat_at(self, events: Sequence[tuple[int, RoomEvent, float]], seat: int | None) -> int:
        """The version at which whoever has this seat now took it, 0 if none of these: what came before is not theirs.

        Nothing in a lobby is of somebody without a seat, nor anything from before there were spectators.
        """
        if seat is None:
            return self.room.version if self.room.stage is Stage.LOBBY else self.room.watched_from
        taken = [version for version, event, _ in events if isinstance(event, Sat) and event.seat == seat]
        return max(taken, default=0)

    def _told(self, version: int, event: RoomEvent, seat: int | None, sat: int) -> Json | None:
        """What somebody may see who sat down at a version: of what they were not there for, nothing that none watched.

        The setup may have had spectators, or none, at the time of an earlier match.
        """
        if version > sat:
            return self.event(event, seat)
        watched = self.room.setup.spectators and version > self.room.watched_from
        return self.event(event, None) if watched or not isinstance(event, Happened) else None

    def draft_seen(self, on: int, seat: int | None) -> Json | None:
        """What the player to move is arranging, as this seat sees it; None when there is nobody to move."""
        match = self.room.match
        if not isinstance(match, State) or match.phase is not Phase.PLAYING:
            return None
        seen = seen_draft(match, seat, self.draft)
        return {"type": "draft", "seat": match.turn, "on": on, "table": None if seen is None else seen_table(seen)}

    def presence(self) -> Json:
        """Who is connected."""
        return {"type": "presence", "present": [seat.player in self.present for seat in self.room.seats]}

    # The view

    def view(self, seat: int | None) -> Json:
        """The room as this seat, or a spectator, sees it."""
        changes: dict[str, object] = {}
        match = self.room.match
        if seat is None:
            return self._public
        if self._match is not None and isinstance(match, State):
            own = view(match, seat, self.draft)
            seen = {"seat": seat, "rack": text(own.rack), "draft": None if own.draft is None else seen_table(own.draft)}
            changes["match"] = self._match | seen
        if self.room.stage is Stage.LOBBY:
            seats = list(self._public["seats"])
            seats[seat] = seats[seat] | {"word": self.room.seats[seat].word}
            changes["seats"] = seats
        return self._public | changes

    @cached_property
    def _public(self) -> Json:
        room = self.room
        return {
            "room": self.id,
            "code": self.code,
            "version": room.version,
            "stage": room.stage.value,
            "setup": setup_view(room.setup),
            "seats": self._seats(),
            "matches": room.matches,
            "commitment": commitment(room.seed),
            "clock": self._clock(),
            "match": self._match,
            "race": _race(room.match) if isinstance(room.match, RaceState) else None,
        }

    @cached_property
    def _match(self) -> Json | None:
        match = self.room.match
        return match_json(view(match, None, self.draft)) if isinstance(match, State) and match.racks else None

    def _seats(self) -> list[Json]:
        room, match = self.room, self.room.match
        bots = match.bots if isinstance(match, State) else tuple(seat.bot for seat in room.seats)
        return [
            {
                "seat": place,
                "name": bot if seat.player is None else self.names.get(seat.player, ""),
                "kind": "person" if seat.player is not None else "open" if bot is None else "bot",
                "bot": bot,
                "ready": seat.ready,
                "present": seat.player in self.present,
                "away": place in room.away,
                "host": seat.player == room.host,
                "word": None,
            }
            for place, (seat, bot) in enumerate(zip(room.seats, bots, strict=True))
        ]

    def _clock(self) -> Json | None:
        """The time of the player to move; a bot has none."""
        room, match = self.room, self.room.match
        if room.stage is not Stage.PLAYING or room.setup.clock is None or not isinstance(match, State):
            return None
        if match.phase is not Phase.PLAYING or match.bots[match.turn] is not None:
            return None
        return {"seconds": room.setup.clock, "ends": room.turn_at + room.setup.clock, "now": self.now}

    # Events

    def event(self, event: RoomEvent, seat: int | None) -> Json | None:
        """What this seat, or a spectator, may see of an event; None: only that something happened."""
        match event:
            case Opened():
                return {"kind": "opened", "setup": setup_view(event.setup)}
            case Sat():
                return {"kind": "sat", "seat": event.seat, "name": self.names.get(event.player, "")}
            case Stood():
                return {"kind": "stood", "seat": event.seat}
            case Removed():
                return {"kind": "removed", "seat": event.seat}
            case BotSeated():
                return {"kind": "bot-seated", "seat": event.seat, "bot": event.bot}
            case ReadySet():
                return {"kind": "ready", "seat": event.seat, "ready": event.ready}
            case WordGiven():
                return {"kind": "word-given", "seat": seat, "word": event.word} if event.seat == seat else None
            case Changed():
                return {"kind": "changed", "setup": setup_view(event.setup)}
            case Happened():
                return _happened(event.event, seat)
            case WentAway():
                return {"kind": "went-away", "seat": event.seat}
            case CameBack():
                return {"kind": "came-back", "seat": event.seat}
            case Rematched():
                return {"kind": "rematched", "commitment": commitment(event.seed)}
            case HostPassed():
                return {"kind": "host-passed", "seat": self._seat_of(event.player)}
            case Closed():
                return {"kind": "closed", "reason": event.reason}

    def _seat_of(self, player: str) -> int | None:
        return next((place for place, seat in enumerate(self.room.seats) if seat.player == player), None)


def you(room: Room, player: str | None, players: frozenset[str], shown: int | None) -> Json:
    """Who a receiver is: an identity, the players that it acts for, and the seat whose rack it sees."""
    return {"player": player, "seats": list(actor_seats(room, players)), "shown": shown, "host": room.host in players}


# The match and the race


def _race(race: RaceState) -> Json:
    return {
        "version": race.version,
        "players": race.players,
        "caller": race.caller,
        "stars": list(race.stars),
        "placed": text(sorted(race.placed)),
        "called": None if race.called is None else str(race.called),
        "finds": [{"seat": found.seat, "tile": str(found.tile)} for found in race.finds],
        "open": race.open,
        "winners": list(race.winners),
    }


def _happened(event: _Event, seat: int | None) -> Json:
    match event:
        case state.Started():
            return {
                "kind": "started",
                "players": event.players,
                "rounds": event.rounds,
                "words": list(event.words),
                "bots": list(event.bots),
                "commitment": commitment(event.seed),
            }
        case state.RoundBegan():
            return {
                "kind": "round-began",
                "round": event.round,
                "draws": draws_json(event.draws),
                "starter": event.starter,
                "rack": "" if seat is None else text(event.racks[seat]),
                "rack_sizes": list(map(len, event.racks)),
                "pool_size": len(event.pool),
            }
        case state.Played():
            return {
                "kind": "played",
                "seat": event.seat,
                "table": melds_json(event.table),
                "laid": text(event.laid),
                "taken": text(event.taken),
                "points": event.points,
                "stars": event.stars,
                "opens": event.opens,
                "buzzer": event.buzzer,
            }
        case state.Drew():
            return {
                "kind": "drew",
                "seat": event.seat,
                "count": len(event.tiles),
                "tiles": text(event.tiles) if event.seat == seat else None,
                "stars": event.stars,
            }
        case state.Passed():
            return {"kind": "passed", "seat": event.seat}
        case state.TimedOut():
            return {
                "kind": "timed-out",
                "seat": event.seat,
                "table": melds_json(event.table),
                "laid": text(event.laid),
                "taken": text(event.taken),
                "count": len(event.penalty),
                "penalty": text(event.penalty) if event.seat == seat else None,
                "opens": event.opens,
                "restored": event.restored,
                "passed": event.passed,
            }
        case state.HintGiven():
            return {"kind": "hint-given", "seat": event.seat, "level": event.level}
        case state.HandedOver():
            return {"kind": "handed-over", "seat": event.seat, "bot": event.bot}
        case state.RoundEnded():
            return {
                "kind": "round-ended",
                "round": event.round,
                "finisher": event.finisher,
                "winner": event.winner,
                "scores": list(event.scores),
            }
        case state.MatchEnded():
            return {"kind": "match-ended", "totals": list(event.totals), "winners": list(event.winners)}
        case race.RaceBegan():
            return {"kind": "race-began", "players": event.players, "caller": event.caller}
        case race.Called():
            return {"kind": "called", "tile": str(event.tile)}
        case race.Found():
            return {"kind": "found", "seat": event.seat, "tile": str(event.tile)}
        case race.RaceEnded():
            return {"kind": "race-ended", "winners": list(event.winners)}
