"""Logic: formulas, their text, and what they mean on a trajectory.

::

    parse_formula ──▶ Formula ──▶ evaluate / truth / final ──▶ Verdict
    ▲    │         │    │           explain, truth_table   ──▶ why, and a picture of it
    │    ▼         │    ├─▶ compile_formula, evaluate_all: the same for many trajectories
    │ check_formula│    └─▶ Monitor: the same while a trajectory grows
    └─ format_formula
            Formula ──▶ equivalent, entails, automaton, GoalOptions

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eai.logic.automata import Automaton, automaton
    from eai.logic.comparison import Comparison, entails, equivalent, satisfiable, valid
    from eai.logic.compiled import CompiledFormula, compile_formula, evaluate_all
    from eai.logic.evaluation import Evaluation, Verdict, evaluate, final, truth
    from eai.logic.explanation import Explanation, explain
    from eai.logic.monitor import Monitor
    from eai.logic.names import FormulaProblem
    from eai.logic.options import GoalOptions
    from eai.logic.parser import check_formula, parse_formula
    from eai.logic.picture import TruthPicture, truth_table
    from eai.logic.printer import format_formula
    from eai.logic.terms import format_name
    from eai.logic.trace import Trace, Trajectory
    from eai.logic.translation import to_linear
    from eai.logic.vocabulary import LogicVocabulary

_LATER = {
    "automata": ("Automaton", "automaton"),
    "comparison": ("Comparison", "entails", "equivalent", "satisfiable", "valid"),
    "compiled": ("CompiledFormula", "compile_formula", "evaluate_all"),
    "evaluation": ("Evaluation", "Verdict", "evaluate", "final", "truth"),
    "explanation": ("Explanation", "explain"),
    "monitor": ("Monitor",),
    "names": ("FormulaProblem",),
    "options": ("GoalOptions",),
    "parser": ("check_formula", "parse_formula"),
    "picture": ("TruthPicture", "truth_table"),
    "printer": ("format_formula",),
    "terms": ("format_name",),
    "trace": ("Trace", "Trajectory"),
    "translation": ("to_linear",),
    "vocabulary": ("LogicVocabulary",),
}
_HOMES = {name: module for module, names in _LATER.items() for name in names}

__all__ = [
    "Automaton",
    "Comparison",
    "CompiledFormula",
    "Evaluation",
    "Explanation",
    "FormulaProblem",
    "GoalOptions",
    "LogicVocabulary",
    "Monitor",
    "Trace",
    "Trajectory",
    "TruthPicture",
    "Verdict",
    "automaton",
    "check_formula",
    "compile_formula",
    "entails",
    "equivalent",
    "evaluate",
    "evaluate_all",
    "explain",
    "final",
    "format_formula",
    "format_name",
    "parse_formula",
    "satisfiable",
    "to_linear",
    "truth",
    "truth_table",
    "valid",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'eai.logic' has no attribute {name!r}")
    value = getattr(import_module(f"eai.logic.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
