"""Python's search for garbage, switched off while many states are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting_garbage() -> Iterator[None]:
    """Switch Python's search for garbage off for a while, if it is on.

    The states of a search or a walk live to its end and have no cycles: to look for garbage among
    them, again and again, would take a quarter to a third of the time.
    """
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            gc.enable()
