from .algebra import Algebra as Algebra, Bits as Bits, Counting as Counting
from .automata import Automaton as Automaton, automaton as automaton
from .comparison import (
    Comparison as Comparison,
    Traces as Traces,
    entails as entails,
    equivalent as equivalent,
    satisfiable as satisfiable,
    valid as valid,
)
from .constraints import LARGEST_BOUND as LARGEST_BOUND
from .evaluation import (
    Evaluation as Evaluation,
    Verdict as Verdict,
    evaluate as evaluate,
    final as final,
    truth as truth,
)
from .expansion import bindings as bindings
from .explanation import Explanation as Explanation, explain as explain
from .figure import ShownFigure as ShownFigure
from .formula import (
    ActionAtom as ActionAtom,
    Atom as Atom,
    Count as Count,
    Equal as Equal,
    Exists as Exists,
    Forall as Forall,
    ForPairs as ForPairs,
    Proposition as Proposition,
    Quantifier as Quantifier,
    Then as Then,
    atoms as atoms,
    conjuncts as conjuncts,
    exists_closure as exists_closure,
    generalize as generalize,
    map_atoms as map_atoms,
    objects_of as objects_of,
)
from .matching import largest_matching as largest_matching
from .modes import TimedMode as TimedMode
from .monitor import Monitor as Monitor
from .names import FormulaProblem as FormulaProblem, LogicVocabulary as LogicVocabulary
from .nodes import (
    NESTING_LIMIT as NESTING_LIMIT,
    Term as Term,
    Variable as Variable,
    format_name as format_name,
)
from .numeric import (
    Arithmetic as Arithmetic,
    ArithmeticSign as ArithmeticSign,
    ComparisonSign as ComparisonSign,
    Expression as Expression,
    NumericCondition as NumericCondition,
    Rational as Rational,
    compares_numbers as compares_numbers,
    decimal_places as decimal_places,
    exact as exact,
    format_number as format_number,
    function_terms as function_terms,
    generalized as generalized,
    numeric_terms as numeric_terms,
    substituted as substituted,
    substituted_term as substituted_term,
)
from .options import GoalOptions as GoalOptions
from .parser import check_formula as check_formula, parse_formula as parse_formula
from .parts import MARK as MARK, contains as contains, parts_of as parts_of
from .picture import Figure as Figure, TruthPicture as TruthPicture, truth_table as truth_table
from .printer import format_formula as format_formula
from .rules import (
    Rule as Rule,
    at_stake as at_stake,
    load_rules as load_rules,
    trigger_of as trigger_of,
)
from .temporal import (
    FIRST as FIRST,
    LAST as LAST,
    Always as Always,
    Eventually as Eventually,
    First as First,
    Historically as Historically,
    Last as Last,
    Neighbour as Neighbour,
    Next as Next,
    Once as Once,
    Previous as Previous,
    Release as Release,
    Since as Since,
    StrongRelease as StrongRelease,
    Trigger as Trigger,
    Until as Until,
    WeakNext as WeakNext,
    WeakPrevious as WeakPrevious,
    WeakUntil as WeakUntil,
)
from .trace import Trace as Trace, Trajectory as Trajectory
from .tree import (
    FALSE as FALSE,
    TRUE as TRUE,
    And as And,
    Chain as Chain,
    Formula as Formula,
    Iff as Iff,
    Implies as Implies,
    Not as Not,
    Or as Or,
    Reading as Reading,
    Truth as Truth,
    Xor as Xor,
)
