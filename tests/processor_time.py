"""The processor's time for some work, to tell that no input makes it slow out of all proportion; no benchmark."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def processor_seconds(work: Callable[[], object]) -> float:
    """Seconds of the processor for some work, without those for what a thousand tests before it left in memory."""
    gc.disable()
    try:
        begun = time.process_time()
        work()
        return time.process_time() - begun
    finally:
        gc.enable()
