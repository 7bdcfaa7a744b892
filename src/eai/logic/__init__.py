"""Logic: formulas, their text, and what they mean on a trajectory.

::

    parse_formula ──▶ Formula ──▶ evaluate / truth / final ──▶ Verdict
    ▲    │         │    │           explain           ──▶ Explanation
    │    ▼         │    ├─▶ prove, truth_table: why, and a picture of it
    │ check_formula│    ├─▶ compile_formula, Batch: the same for many trajectories
    │              │    └─▶ Monitor: the same while a trajectory grows
    └─ format_formula
            Formula ──▶ equivalent, entails, automaton, GoalOptions

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eai.logic.automata import Automaton, entails, equivalent, satisfiable, valid
    from eai.logic.batch import Batch, evaluate_all
    from eai.logic.checking import FormulaProblem, check_formula
    from eai.logic.compiled import CompiledFormula, compile_formula
    from eai.logic.evaluation import Evaluation, Verdict
    from eai.logic.explanation import Explanation, explain
    from eai.logic.monitor import Monitor
    from eai.logic.options import GoalOptions
    from eai.logic.parser import parse_formula
    from eai.logic.picture import TruthPicture, truth_table
    from eai.logic.printer import format_formula
    from eai.logic.proofs import Proof, prove
    from eai.logic.proofs.check import check_proof
    from eai.logic.semantics import evaluate, final, truth
    from eai.logic.trace import Trajectory
    from eai.logic.translation import to_linear
    from eai.logic.vocabulary import LogicVocabulary

_LATER = {
    "automata": ("Automaton", "entails", "equivalent", "satisfiable", "valid"),
    "batch": ("Batch", "evaluate_all"),
    "checking": ("FormulaProblem", "check_formula"),
    "compiled": ("CompiledFormula", "compile_formula"),
    "evaluation": ("Evaluation", "Verdict"),
    "explanation": ("Explanation", "explain"),
    "monitor": ("Monitor",),
    "options": ("GoalOptions",),
    "parser": ("parse_formula",),
    "picture": ("TruthPicture", "truth_table"),
    "printer": ("format_formula",),
    "proofs": ("Proof", "prove"),
    "proofs.check": ("check_proof",),
    "semantics": ("evaluate", "final", "truth"),
    "trace": ("Trajectory",),
    "translation": ("to_linear",),
    "vocabulary": ("LogicVocabulary",),
}
_HOMES = {name: module for module, names in _LATER.items() for name in names}

__all__ = [
    "Automaton",
    "Batch",
    "CompiledFormula",
    "Evaluation",
    "Explanation",
    "FormulaProblem",
    "GoalOptions",
    "LogicVocabulary",
    "Monitor",
    "Proof",
    "Trajectory",
    "TruthPicture",
    "Verdict",
    "check_formula",
    "check_proof",
    "compile_formula",
    "entails",
    "equivalent",
    "evaluate",
    "evaluate_all",
    "explain",
    "final",
    "format_formula",
    "parse_formula",
    "prove",
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
