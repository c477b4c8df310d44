"""A server of ours in the place of the model's service."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from model_server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that has been told nothing yet."""
    server = Server()
    yield server
    server.close()
