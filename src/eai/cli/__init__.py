"""The command ``eai``."""

from __future__ import annotations

from eai.cli.app import main, program

__all__ = ["main", "program"]
