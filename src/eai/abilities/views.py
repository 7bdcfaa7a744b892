"""How reports show an ability whose suite does not say it."""

from __future__ import annotations

from collections.abc import Mapping

VIEWS: Mapping[str, str] = {
    "action_sequencing": "eai.report.metrics:PLANS",
    "goal_interpretation": "eai.report.metrics:INTERPRETED_GOALS",
    "interaction": "eai.report.metrics:EPISODES",
    "recorded": "eai.report.metrics:EPISODES",
    "subgoal_decomposition": "eai.report.metrics:SUBGOAL_PLANS",
    "transition_modeling": "eai.report.metrics:OPERATORS",
}
"""The view of each ability; answers to others are right, wrong or unreadable."""
