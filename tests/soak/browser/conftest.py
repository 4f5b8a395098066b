"""The page's longer tests share what its short ones have."""

from tests.browser.conftest import anyio_backend, come, site

__all__ = ["anyio_backend", "come", "site"]
