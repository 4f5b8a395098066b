"""The positions on which the peers are measured: the same each time, and of the size that their row says."""

import re

from bench.peers import NEAR, POSITIONS, rows, table_size

LONGEST_MELD = 5  # of those that crowd a table


def test_rows_hold_what_they_say() -> None:
    for row in rows():
        size = int(re.findall(r"\d+", row.name)[0])
        sizes = [table_size(query) for query in row.queries]
        assert len(set(row.queries)) == POSITIONS
        if row.name.startswith("self-play"):
            assert all(abs(one - size) <= NEAR for one in sizes)
        else:
            assert all(size <= one < size + LONGEST_MELD for one in sizes)
            assert {len(query.rack) for query in row.queries} == {20 if size == 80 else 14}
        if "jokers" in row.name:
            assert all(any(tile.is_joker for tile in query.rack) for query in row.queries)
            assert all(any(meld.jokers for meld in query.table) for query in row.queries)


def test_rows_are_the_same_each_time() -> None:
    assert next(rows()) == next(rows())
