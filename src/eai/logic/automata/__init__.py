"""Automata of formulas, and what they decide: equivalence, entailment, satisfiability."""

from __future__ import annotations

from eai.logic.automata.dfa import Automaton, automaton
from eai.logic.automata.equivalence import Comparison, entails, equivalent, satisfiable, valid

__all__ = ["Automaton", "Comparison", "automaton", "entails", "equivalent", "satisfiable", "valid"]
