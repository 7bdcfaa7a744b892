"""The trajectory constraints of PDDL 3 (Gerevini & Long 2005) as text in brackets.

What each of them means is in :mod:`eai.logic.syntax.sugar`.
"""

from __future__ import annotations

from eai.logic.pddl3.printer import format_pddl3
from eai.logic.pddl3.reader import parse_pddl3

__all__ = ["format_pddl3", "parse_pddl3"]
