"""Goal interpretation: the goals of an answer are compared with the task's (paper, section 2.3)."""

from eai.abilities.goal_interpretation.judge import (
    ActionJudge,
    ActionVerdict,
    has_goal,
    judge_fit,
    judge_goals,
    look_up,
    options_of,
    unanswered,
)

__all__ = [
    "ActionJudge",
    "ActionVerdict",
    "has_goal",
    "judge_fit",
    "judge_goals",
    "look_up",
    "options_of",
    "unanswered",
]
