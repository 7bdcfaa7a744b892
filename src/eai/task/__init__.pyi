from .goals import (
    OPTION_LIMIT as OPTION_LIMIT,
    goal_from_formula as goal_from_formula,
)
from .task import (
    EMPTY_ANSWER_COUNTS as EMPTY_ANSWER_COUNTS,
    ActedTask as ActedTask,
    ActionGoal as ActionGoal,
    Goal as Goal,
    Kind as Kind,
    Task as Task,
    Vocabulary as Vocabulary,
    literal_kind as literal_kind,
)
