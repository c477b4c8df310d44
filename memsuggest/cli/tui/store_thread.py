"""The one thread in which a full-screen review works with the stores: SQLite's connections belong to a thread."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.workflows.context import Context

T = TypeVar("T")


class StoreThread:
    """Does one job after the other, while the screen goes on answering."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="stores")

    async def do(self, job: Callable[[Context], T]) -> T:
        """Do a job with the stores; once begun it is ended, even if nobody waits for it any more."""
        return await asyncio.wrap_future(self._pool.submit(job, self._context))

    def finish(self, last: Callable[[Context], T]) -> T:
        """Wait for what is under way, do one last job, and let go of the stores."""

        def close(context: Context) -> T:
            try:
                return last(context)
            finally:
                context.close()

        with self._pool:
            return self._pool.submit(close, self._context).result()


async def in_background(job: Callable[[], T]) -> T:
    """Do a job that needs no store and may take long, as reading a chat does; the end of the program ends it."""
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()  # from here on nobody takes it back: whoever stops waiting lets it end

    def run() -> None:
        try:
            done.set_result(job())
        except BaseException as error:  # noqa: BLE001  (whoever waits for it gets it)
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)
