"""A state machine over rooms in which anybody asks anything."""

from hypothesis import settings

from tests.kit.machine import QUICK
from tests.kit.room_machine import RoomMachine

TestRoom = RoomMachine.TestCase
TestRoom.settings = settings(QUICK, max_examples=60, stateful_step_count=25)
