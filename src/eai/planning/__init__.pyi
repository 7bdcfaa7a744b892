from .achievers import (
    Achiever as Achiever,
    relevance as relevance,
    relevant as relevant,
    without_doubles as without_doubles,
)
from .conditions import holds as holds
from .costs import (
    guarded_function as guarded_function,
    missing_term as missing_term,
    with_values as with_values,
    without_costs as without_costs,
)
from .declarations import declared as declared, objection as objection
from .differences import PddlDifference as PddlDifference
from .distances import Distance as Distance, Distances as Distances, goal_of as goal_of
from .domain_names import DomainNames as DomainNames, in_names_of as in_names_of
from .domains import (
    DomainComparison as DomainComparison,
    DomainWitness as DomainWitness,
    equivalent_domains as equivalent_domains,
)
from .grounding import ground as ground
from .limits import Limits as Limits
from .metrics import (
    broken_constraints as broken_constraints,
    cost_of as cost_of,
    metric_value as metric_value,
    violated as violated,
)
from .ordering.links import Demand as Demand, Links as Links, Taken as Taken
from .ordering.orders import Dice as Dice, PartialOrder as PartialOrder
from .ordering.supports import Support as Support
from .own import helpers as helpers
from .planner import engine_names as engine_names, find_engine as find_engine, plan as plan
from .problems import (
    ProblemComparison as ProblemComparison,
    equivalent_problems as equivalent_problems,
)
from .reasons import (
    NOTHING as NOTHING,
    Bound as Bound,
    Env as Env,
    Reads as Reads,
    Requirement as Requirement,
)
from .repair.candidates import applicable as applicable
from .repair.least import (
    Repair as Repair,
    RepairBounds as RepairBounds,
    least_repair as least_repair,
)
from .repair.task import Target as Target
from .results import Engine as Engine, Outcome as Outcome, PlanningResult as PlanningResult
from .runs import PlanRuns as PlanRuns
from .safety import (
    Scope as Scope,
    names_of as names_of,
    safe_plan as safe_plan,
    scopes_of as scopes_of,
    smallest_conflict as smallest_conflict,
    with_rules as with_rules,
    without_agent as without_agent,
)
from .space import Step as Step
from .subgoals import Steps as Steps, as_plan as as_plan, related as related
from .task import GroundAction as GroundAction, GroundTask as GroundTask, Successors as Successors
from .validation import (
    Validation as Validation,
    validate as validate,
    validate_all as validate_all,
)
