"""Abilities: what a model is asked for, and how its answer becomes something to evaluate."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["VIEWS"]

VIEWS: Mapping[str, str] = {
    "goal_interpretation": "eai.report.metrics:INTERPRETED_GOALS",
    "interaction": "eai.report.metrics:EPISODES",
    "subgoal_decomposition": "eai.report.metrics:SUBGOAL_PLANS",
    "transition_modeling": "eai.report.metrics:OPERATORS",
}
"""How reports show an ability if its suite does not say it; others are shown like plans."""
