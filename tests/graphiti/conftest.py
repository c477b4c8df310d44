"""A server for all tests of this room, which behaves well at the start of each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.graphiti_server import GraphitiServer


@pytest.fixture(scope="session")
def running() -> Iterator[GraphitiServer]:
    with GraphitiServer.start() as server:
        yield server


@pytest.fixture
def server(running: GraphitiServer) -> GraphitiServer:
    running.forget()
    return running
