"""BDDL, the goal language of the BEHAVIOR benchmark."""

from __future__ import annotations

from eai.logic.bddl.printer import format_bddl
from eai.logic.bddl.reader import read_bddl

__all__ = ["format_bddl", "read_bddl"]
