from .asking import (
    by_definition as by_definition,
    episode_of as episode_of,
    execution_of as execution_of,
    operators_of as operators_of,
    own_oracle as own_oracle,
    plan_ability as plan_ability,
    prompt_of as prompt_of,
    version_of as version_of,
    write_plan as write_plan,
)
from .check import SuiteProblem as SuiteProblem, check_suite as check_suite
from .extensions import (
    Audit as Audit,
    answer_formats as answer_formats,
    extension as extension,
    needed_extension as needed_extension,
)
from .lint import (
    FAULTS as FAULTS,
    AnnotationFault as AnnotationFault,
    lint_suite as lint_suite,
    lint_task as lint_task,
)
from .registry import (
    Registry as Registry,
    blaming as blaming,
    checked_suite as checked_suite,
    given_suite as given_suite,
    suites as suites,
)
from .rules import (
    check_rule_tasks as check_rule_tasks,
    check_rules as check_rules,
    given_rules as given_rules,
    judged as judged,
    refuse_rules as refuse_rules,
    suite_rules as suite_rules,
    trajectory_of as trajectory_of,
)
from .suite import (
    ABILITIES as ABILITIES,
    EMPTY_PLAN as EMPTY_PLAN,
    INTERACTION as INTERACTION,
    PLANS as PLANS,
    RECORDED as RECORDED,
    RULED as RULED,
    SAYING_NOTHING as SAYING_NOTHING,
    SUM_LEFT_OUT as SUM_LEFT_OUT,
    Ability as Ability,
    AuditFinding as AuditFinding,
    Evaluate as Evaluate,
    LeftOut as LeftOut,
    PredictionProblem as PredictionProblem,
    PromptBuilder as PromptBuilder,
    Raw as Raw,
    Store as Store,
    Suite as Suite,
    ability_of as ability_of,
    checked_interactive as checked_interactive,
    chosen_ability as chosen_ability,
    follow_record as follow_record,
    imported_part as imported_part,
    is_interactive as is_interactive,
    refuse_without as refuse_without,
    solved_by_nothing as solved_by_nothing,
)
from .trivial import (
    counted_as_trivial as counted_as_trivial,
    is_trivial as is_trivial,
    marked_as_trivial as marked_as_trivial,
    note_on_trivial as note_on_trivial,
    trivial_note as trivial_note,
    without_trivial as without_trivial,
)
from .worlds import (
    Settling as Settling,
    TaskWorld as TaskWorld,
    Wording as Wording,
    final_goal as final_goal,
    given_world as given_world,
)
