"""State machines over races of every size, with a caller at the table and with the program calling."""

from hypothesis import settings

from tests.kit.machine import QUICK
from tests.kit.race_machine import race_machines

globals().update(race_machines(settings(QUICK, max_examples=20, stateful_step_count=30)))
