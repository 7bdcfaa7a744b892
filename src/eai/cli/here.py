"""Suites of the user's own that lie in the folder where the command is called."""

from __future__ import annotations

import sys

__all__ = ["find_modules_here"]


def find_modules_here(suite: str | None) -> None:
    """Let ``module:attribute`` name a module of the current folder; it comes after all others."""
    if suite is not None and ":" in suite and "" not in sys.path:
        sys.path.append("")
