"""The command ``eai``."""

from __future__ import annotations

from eai.cli.program import app, main

__all__ = ["app", "main"]
