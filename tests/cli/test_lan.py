"""The address on the local network: found without a way to anywhere else, and never one that only we reach."""

import socket
from collections.abc import Callable, Iterator

import pytest

from tilerummy.cli import lan
from tilerummy.cli.lan import is_loopback, own_address

NOWHERE = "255.255.255.255"  # which a socket has to be allowed first


def finds(*addresses: str) -> Callable[[], Iterator[str]]:
    return lambda: iter(addresses)


def test_the_address_is_ours_and_others_reach_it() -> None:
    found = own_address()
    assert found is None or not is_loopback(found)
    with socket.socket() as sock:
        sock.bind((found or "127.0.0.1", 0))


def test_where_no_way_leads_elsewhere_interfaces_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "_ELSEWHERE", NOWHERE)
    assert list(lan._routed()) == []
    there = own_address()
    monkeypatch.undo()
    assert (there is None) == (own_address() is None)


@pytest.mark.parametrize(
    ("routed", "interfaces", "named", "address"),
    [
        (["192.0.2.7"], ["10.42.0.1"], [], "192.0.2.7"),
        ([], ["127.0.0.1", "0.0.0.0", "169.254.3.4", "10.42.0.1", "10.43.0.1"], ["192.0.2.7"], "10.42.0.1"),
        ([], ["169.254.3.4"], [], "169.254.3.4"),
        ([], ["0.0.0.0"], ["127.0.1.1", "192.0.2.7"], "192.0.2.7"),
        (["127.0.0.1"], ["0.0.0.0"], ["127.0.1.1"], None),
    ],
)
def test_the_first_that_others_reach(
    monkeypatch: pytest.MonkeyPatch, routed: list[str], interfaces: list[str], named: list[str], address: str | None
) -> None:
    monkeypatch.setattr(lan, "_routed", finds(*routed))
    monkeypatch.setattr(lan, "_of_interfaces", finds(*interfaces))
    monkeypatch.setattr(lan, "_of_name", finds(*named))
    assert own_address() == address
