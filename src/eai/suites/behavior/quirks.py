"""The quirks of ``eai-eval`` 1.0.5 on BEHAVIOR, each a named switch."""

from __future__ import annotations

from eai.suites.shared.quirks import shipped_quirks

_QUIRKS = shipped_quirks("behavior")
QUIRKS = _QUIRKS["action_sequencing"]
GOAL_INTERPRETATION_QUIRKS = _QUIRKS["goal_interpretation"]
SUBGOAL_QUIRKS = _QUIRKS["subgoal_decomposition"]

DYNAMICS = frozenset(name for name, quirk in QUIRKS.items() if quirk.hook == "world")
"""Quirks that are variations of the simulated world."""
