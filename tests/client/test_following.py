"""Following a room: the next version, an old one, a gap, a new connection."""

from tests.kit.wires import room_view
from tilerummy.client import Follower
from tilerummy.protocol import Heartbeat, RoomView, Seen, Snapshot, Update, You

YOU = You(player="p", seats=[0], shown=0, host=True)


def view(version: int) -> RoomView:
    return RoomView.model_validate(room_view(version))


def snapshot(version: int) -> Snapshot:
    return Snapshot(version=version, view=view(version), you=YOU)


def update(*versions: int) -> Update:
    events = [Seen(version=version, at=1.0, event=None) for version in versions]
    return Update(version=versions[-1], events=events, view=view(versions[-1]))


def following(version: int) -> Follower:
    room = Follower()
    room.take(snapshot(version))
    return room


def test_the_next_version_is_taken() -> None:
    room = following(3)
    assert room.you == YOU
    assert room.take(update(4, 5)) == update(4, 5)
    assert (room.version, room.behind) == (5, False)
    assert room.view == view(5)


def test_an_old_one_is_passed_over() -> None:
    room = following(3)
    assert room.take(update(2, 3)) is None
    assert room.take(snapshot(2)) is None
    assert room.version == 3


def test_of_an_overlap_only_the_new_is_news() -> None:
    assert following(3).take(update(2, 3, 4)) == update(4)


def test_a_gap_asks_for_what_is_missing() -> None:
    room = following(3)
    assert room.take(update(5)) is None
    assert (room.version, room.behind) == (3, True)
    assert room.take(update(4, 5)) is not None
    assert (room.version, room.behind) == (5, False)


def test_a_snapshot_ends_a_gap() -> None:
    room = following(3)
    room.take(update(6))
    assert room.take(snapshot(7)) == snapshot(7)
    assert (room.version, room.behind) == (7, False)


def test_a_heartbeat_tells_of_a_lost_message() -> None:
    room = following(3)
    assert room.take(Heartbeat(version=3, now=1.0)) is None
    assert not room.behind
    room.take(Heartbeat(version=4, now=2.0))
    assert room.behind


def test_a_new_connection_knows_better() -> None:
    room = following(9)
    room.reconnected()
    assert room.take(snapshot(8)) == snapshot(8)
    assert room.version == 8


def test_the_same_version_seen_by_another_seat() -> None:
    room = following(3)
    other = snapshot(3).model_copy(update={"you": YOU.model_copy(update={"shown": 1})})
    assert room.take(other) == other
    assert room.you == other.you
