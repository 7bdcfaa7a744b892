"""The quirks of ``eai-eval`` 1.0.5 on VirtualHome, each a named switch."""

from __future__ import annotations

from eai.suites.shared.quirks import shipped_quirks

_QUIRKS = shipped_quirks("virtualhome")
QUIRKS = _QUIRKS["action_sequencing"]
GOAL_INTERPRETATION_QUIRKS = _QUIRKS["goal_interpretation"]
SUBGOAL_QUIRKS = _QUIRKS["subgoal_decomposition"]

DYNAMICS = frozenset(name for name, quirk in QUIRKS.items() if quirk.hook == "world")
"""Quirks that are variations of the simulated world."""

ANSWER_FORMATS = {"2024": {"action_sequencing": ("ids_required",)}}
"""Ways in which answers were published, by ability the quirks that must be off to read them: those
of July 2024 have names without ids."""
