"""The metrics of every ability, and the tables that they stand in."""

from eai.report.metrics.episodes import EPISODES
from eai.report.metrics.goals import INTERPRETED_GOALS
from eai.report.metrics.operators import OPERATORS
from eai.report.metrics.plans import PLANS, SUBGOAL_PLANS
from eai.report.metrics.view import Column, Table, View

__all__ = ["Column", "Table", "View", "view_of"]

_VIEWS = {
    "goal_interpretation": INTERPRETED_GOALS,
    "interaction": EPISODES,
    "subgoal_decomposition": SUBGOAL_PLANS,
    "transition_modeling": OPERATORS,
}


def view_of(ability: str) -> View:
    """Return how an ability is reported; one that is not known is reported like plans."""
    return _VIEWS.get(ability, PLANS)
