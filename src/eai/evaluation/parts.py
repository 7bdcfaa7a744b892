"""Answers in files that say themselves which tasks they are to: a suite sorts such files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from eai.contract import Suite


@runtime_checkable
class SortsFiles(Protocol):
    """A suite that can assign files to tasks of their own."""

    def parts(self, predictions: object) -> Sequence[tuple[Suite, object]]:
        """Return the suites that predictions are for, each with its part of them."""


def parts_of(suite: Suite, predictions: object) -> Sequence[tuple[Suite, object]]:
    """Return (suite, predictions) for each suite that predictions are for.

    Args:
        suite: The suite that was named.
        predictions: What :func:`eai.predictions.load_all` takes.

    Returns:
        The suite with all predictions, unless it sorts them.

    Raises:
        InputError: If a file does not fit.
    """
    if isinstance(suite, SortsFiles):
        return suite.parts(predictions)
    return [(suite, predictions)]
