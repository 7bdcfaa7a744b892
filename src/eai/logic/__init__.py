"""Logic: formulas, their text, and what they mean on a trajectory.

parse_formula ──▶ Formula ──▶ evaluate / truth / final ──▶ Verdict
▲    │         │    │           explain           ──▶ Explanation
│    ▼         │    ├─▶ compile_formula, Batch: the same for many trajectories
│ check_formula│    └─▶ Monitor: the same while a trajectory grows
└─ format_formula
"""

from __future__ import annotations

from eai.logic.batch import Batch, evaluate_all
from eai.logic.checking import FormulaProblem, check_formula
from eai.logic.compiled import CompiledFormula, compile_formula
from eai.logic.evaluation import Evaluation, Verdict
from eai.logic.explanation import Explanation, explain
from eai.logic.monitor import Monitor
from eai.logic.parser import parse_formula
from eai.logic.printer import format_formula
from eai.logic.semantics import evaluate, final, truth
from eai.logic.trace import Trajectory
from eai.logic.translation import to_linear
from eai.logic.vocabulary import LogicVocabulary

__all__ = [
    "Batch",
    "CompiledFormula",
    "Evaluation",
    "Explanation",
    "FormulaProblem",
    "LogicVocabulary",
    "Monitor",
    "Trajectory",
    "Verdict",
    "check_formula",
    "compile_formula",
    "evaluate",
    "evaluate_all",
    "explain",
    "final",
    "format_formula",
    "parse_formula",
    "to_linear",
    "truth",
]
