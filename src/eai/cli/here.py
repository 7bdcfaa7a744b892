"""What a user names on the command line: suites, also of the current folder, and files."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eai.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from eai.suites.base import Suite

__all__ = ["find_modules_here", "named_agent", "named_suite", "read_answer"]


def find_modules_here(suite: str | None) -> None:
    """Let ``module:attribute`` name a module of the current folder; it comes after all others."""
    if suite is not None and ":" in suite and "" not in sys.path:
        sys.path.append("")


def named_suite(name: str) -> Suite:
    """Return a suite; if there is none, the error says what may be meant.

    Raises:
        UnknownNameError: If there is no such suite.
        InputError: If it cannot be loaded, or if it is no suite.
    """
    from eai.registry import suite

    find_modules_here(name)
    try:
        return suite(name)
    except UnknownNameError as error:
        if Path(name).suffix or Path(name).exists():
            error.mend = f"name the suite before the file: eai evaluate household {name}"
        error.mend = error.mend or "eai suites lists them; one of your own is module:attribute"
        raise


def named_agent(name: str, own: Iterable[str]) -> Any:  # noqa: ANN401
    """Return an agent that a package announces, or ``module:attribute``.

    Args:
        name: Its name.
        own: What else the command would have taken, for the message.

    Raises:
        UnknownNameError: If there is no such agent.
        InputError: If it cannot be loaded.
    """
    from eai.registry import Registry

    find_modules_here(name)
    try:
        return Registry("agent", "eai.agents", {}).load(name)
    except UnknownNameError as error:
        raise UnknownNameError("agent", name, [*own, *error.known, "module:attribute"]) from None


def read_answer(path: Path) -> str:
    """Return the text of a file with one answer of a model.

    Raises:
        InputError: If it cannot be read.
    """
    try:
        return path.read_text("utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}",
            where=str(path),
            expected="a text file with one answer of a model",
        ) from error
