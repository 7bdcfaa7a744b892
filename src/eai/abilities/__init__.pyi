from .action_rules import ActionRules as ActionRules, rules as rules
from .action_sequencing import Plans as Plans, evaluate_plan as evaluate_plan, unread as unread
from .goal_interpretation.evaluation import (
    ActionVerdict as ActionVerdict,
    Fit as Fit,
    evaluate_fit as evaluate_fit,
    evaluate_goals as evaluate_goals,
    has_goal as has_goal,
    look_up as look_up,
    unanswered as unanswered,
)
from .goal_interpretation.names import (
    GoalNames as GoalNames,
    GoalReading as GoalReading,
    PredictedGoal as PredictedGoal,
    ReadGoal as ReadGoal,
)
from .goal_interpretation.reading import read_goals as read_goals
from .prompts import section as section, sheet as sheet
from .scenes import Rename as Rename, bullets as bullets, scene as scene
from .subgoal_decomposition import Subgoals as Subgoals
from .subgoals.binding import (
    BoundSubgoals as BoundSubgoals,
    SubgoalReading as SubgoalReading,
    Way as Way,
    bind_subgoals as bind_subgoals,
    reading_of as reading_of,
    ways_of as ways_of,
)
from .subgoals.literals import (
    Names as Names,
    flattened as flattened,
    listed_entries as listed_entries,
    parsed as parsed,
    unparseable as unparseable,
)
from .subgoals.reader import read_subgoals as read_subgoals
from .subgoals.search import (
    Branch as Branch,
    best_result as best_result,
    demands_action as demands_action,
    enabling as enabling,
    last_action as last_action,
    pieces as pieces,
)
from .transition_modeling.matching import (
    match_operators as match_operators,
    unmatched as unmatched,
)
from .transition_modeling.reader import (
    OperatorReading as OperatorReading,
    read_operators as read_operators,
)
from .transition_modeling.texts import (
    PARTS as PARTS,
    OperatorText as OperatorText,
    Overlap as Overlap,
)
