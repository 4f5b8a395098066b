"""Addresses as QR codes, for the camera of another device."""

import io

from tilerummy.server.errors import Problem

__all__ = ["qr_svg"]


def qr_svg(address: str) -> bytes:
    """The address as an SVG picture that is as large as whoever shows it wants, or a Problem."""
    import segno  # its tables take a while to load, and nobody waits for a code when a server starts

    try:
        code = segno.make(address, error="m", micro=False)
    except segno.DataOverflowError:
        raise Problem(422, "no code holds an address as long as this", field="Host") from None
    out = io.BytesIO()
    code.save(out, kind="svg", scale=8, xmldecl=False, svgclass=None, lineclass=None, omitsize=True, light="#fff")
    return out.getvalue()
