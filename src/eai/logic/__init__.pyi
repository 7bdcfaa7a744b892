from .automata import Automaton as Automaton, automaton as automaton
from .comparison import (
    Comparison as Comparison,
    entails as entails,
    equivalent as equivalent,
    satisfiable as satisfiable,
    valid as valid,
)
from .compiled import (
    CompiledFormula as CompiledFormula,
    compile_formula as compile_formula,
    evaluate_all as evaluate_all,
)
from .evaluation import (
    Evaluation as Evaluation,
    Verdict as Verdict,
    evaluate as evaluate,
    final as final,
    truth as truth,
)
from .explanation import Explanation as Explanation, explain as explain
from .monitor import Monitor as Monitor
from .names import FormulaProblem as FormulaProblem
from .options import GoalOptions as GoalOptions
from .parser import check_formula as check_formula, parse_formula as parse_formula
from .picture import TruthPicture as TruthPicture, truth_table as truth_table
from .printer import format_formula as format_formula
from .terms import format_name as format_name
from .trace import Trace as Trace, Trajectory as Trajectory
from .translation import to_linear as to_linear
from .vocabulary import LogicVocabulary as LogicVocabulary
