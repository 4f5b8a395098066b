"""The local network: the address at which others on it reach this machine. Nothing is sent to find it."""

import contextlib
import ipaddress
import socket
import struct
from collections.abc import Iterator
from typing import Final

__all__ = ["is_loopback", "own_address"]

_ELSEWHERE: Final = "192.0.2.1"  # of no machine that there is
_ALL_HOSTS: Final = "224.0.0.1"  # needs no route: every interface has its own
_ANY_PORT: Final = 9


def own_address() -> str | None:
    """The address towards everywhere else, or, where no way leads there, as on a hotspot, an interface's own."""
    for look in (_routed, _of_interfaces, _of_name):
        found = [address for address in look() if not ipaddress.ip_address(address).is_unspecified]
        found = [address for address in found if not is_loopback(address)]
        if found:
            return min(found, key=lambda address: ipaddress.ip_address(address).is_link_local)
    return None


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches itself by this address."""
    return ipaddress.ip_address(address).is_loopback


def _routed() -> Iterator[str]:
    yield from _towards(_ELSEWHERE)


def _of_interfaces() -> Iterator[str]:
    for index, _ in socket.if_nameindex():
        yield from _towards(_ALL_HOSTS, index)


def _of_name() -> Iterator[str]:
    with contextlib.suppress(OSError):
        yield from socket.gethostbyname_ex(socket.gethostname())[2]


def _towards(address: str, interface: int | None = None) -> Iterator[str]:
    """The address from which this machine would speak to another, through an interface if one is given."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        if interface is not None:
            chosen = struct.pack("=4s4si", b"", b"", interface)  # struct ip_mreqn
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, chosen)
        sock.connect((address, _ANY_PORT))
        yield str(sock.getsockname()[0])
