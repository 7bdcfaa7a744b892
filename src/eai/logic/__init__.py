"""Logic: formulas, their text, and what they mean on a trajectory.

parse_formula ──▶ Formula ──▶ evaluate / truth / final ──▶ Verdict
▲              │                explain           ──▶ Explanation
└─ format_formula
"""

from __future__ import annotations

from eai.logic.evaluation import Evaluation, Verdict
from eai.logic.explanation import Explanation, explain
from eai.logic.parser import parse_formula
from eai.logic.printer import format_formula
from eai.logic.semantics import evaluate, final, truth
from eai.logic.trace import Trajectory
from eai.logic.vocabulary import LogicVocabulary

__all__ = [
    "Evaluation",
    "Explanation",
    "LogicVocabulary",
    "Trajectory",
    "Verdict",
    "evaluate",
    "explain",
    "final",
    "format_formula",
    "parse_formula",
    "truth",
]
