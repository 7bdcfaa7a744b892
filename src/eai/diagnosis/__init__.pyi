from .behaviours import Behaviour as Behaviour
from .causes.result import Causes as Causes
from .evidence import Evidence as Evidence
from .goals import (
    GoalStatus as GoalStatus,
    GoalTests as GoalTests,
    action_conditions as action_conditions,
    condition_of as condition_of,
    goal_conditions as goal_conditions,
    goal_status as goal_status,
    since_and_lost as since_and_lost,
    text_of as text_of,
    unmet_conditions as unmet_conditions,
    unmet_goals as unmet_goals,
)
from .numeric import leads_to_numbers as leads_to_numbers, values_told as values_told
from .result import (
    GOAL_KINDS as GOAL_KINDS,
    PATH_GOAL as PATH_GOAL,
    Condition as Condition,
    Finding as Finding,
    Match as Match,
    Measure as Measure,
    Result as Result,
    RuleVerdict as RuleVerdict,
)
from .rules import (
    TaskRules as TaskRules,
    applicable_rules as applicable_rules,
    formulas_for as formulas_for,
    rule_verdict as rule_verdict,
    task_rules as task_rules,
)
from .runtime import (
    DomainRules as DomainRules,
    Rules as Rules,
    Run as Run,
    runtime_finding as runtime_finding,
)
from .taxonomy import (
    GRAMMAR as GRAMMAR,
    HARMLESS as HARMLESS,
    RUNTIME as RUNTIME,
    UNMET as UNMET,
    UNMET_KINDS as UNMET_KINDS,
    ErrorKind as ErrorKind,
)
from .words import in_words as in_words
