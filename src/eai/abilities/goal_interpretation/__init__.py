"""Goal interpretation: the goals of an answer are compared with the task's (paper, section 2.3)."""

from eai.abilities.goal_interpretation.evaluation import (
    ActionEvaluator,
    ActionVerdict,
    evaluate_fit,
    evaluate_goals,
    has_goal,
    look_up,
    options_of,
    unanswered,
)

__all__ = [
    "ActionEvaluator",
    "ActionVerdict",
    "evaluate_fit",
    "evaluate_goals",
    "has_goal",
    "look_up",
    "options_of",
    "unanswered",
]
