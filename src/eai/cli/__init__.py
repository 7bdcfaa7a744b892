"""The command ``eai``."""

from __future__ import annotations

from eai.cli.app import main

__all__ = ["main"]
