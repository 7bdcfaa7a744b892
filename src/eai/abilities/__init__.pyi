from .action_sequencing import Plans as Plans, evaluate_plan as evaluate_plan, unread as unread
from .goal_interpretation.evaluation import (
    ActionVerdict as ActionVerdict,
    evaluate_fit as evaluate_fit,
    evaluate_goals as evaluate_goals,
    has_goal as has_goal,
    look_up as look_up,
    unanswered as unanswered,
)
from .goal_interpretation.fit import Fit as Fit
from .goal_interpretation.names import GoalNames as GoalNames, PredictedGoal as PredictedGoal
from .goal_interpretation.reader import (
    GoalReading as GoalReading,
    ReadGoal as ReadGoal,
    read_goals as read_goals,
)
from .prompts import (
    Rename as Rename,
    actions as actions,
    bullets as bullets,
    objects as objects,
    relations as relations,
    section as section,
    sheet as sheet,
)
from .subgoal_decomposition import Subgoals as Subgoals
from .subgoals.actions import (
    demands_action as demands_action,
    enabling as enabling,
    last_action as last_action,
)
from .subgoals.choice import best_result as best_result, pieces as pieces
from .subgoals.literals import (
    Names as Names,
    flattened as flattened,
    listed_entries as listed_entries,
    parsed as parsed,
    unparseable as unparseable,
)
from .subgoals.reader import (
    BoundSubgoals as BoundSubgoals,
    SubgoalReading as SubgoalReading,
    Way as Way,
    bind_subgoals as bind_subgoals,
    read_subgoals as read_subgoals,
    reading_of as reading_of,
    ways_of as ways_of,
)
from .subgoals.search import Branch as Branch
from .transition_modeling.matching import (
    PARTS as PARTS,
    OperatorText as OperatorText,
    Overlap as Overlap,
    match_operators as match_operators,
    unmatched as unmatched,
)
from .views import VIEWS as VIEWS
