"""PDDL: reading, checking and writing of ADL domains and problems."""

from __future__ import annotations

from eai.pddl.answers import ReadOperator, read_actions
from eai.pddl.check import (
    check_axioms,
    check_condition,
    check_domain,
    check_operator,
    check_problem,
)
from eai.pddl.files import check_files
from eai.pddl.issues import Issue
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    Axiom,
    CostEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Function,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
    literal_effects,
)
from eai.pddl.names import spell_legally
from eai.pddl.parser import (
    load_domain,
    load_problem,
    parse_axioms,
    parse_condition,
    parse_domain,
    parse_problem,
)
from eai.pddl.readers import read_domain, read_problem
from eai.pddl.writer import format_condition, format_domain, format_problem

__all__ = [
    "AddEffect",
    "AndEffect",
    "Axiom",
    "CostEffect",
    "DeleteEffect",
    "Domain",
    "Effect",
    "ForallEffect",
    "Function",
    "Issue",
    "Operator",
    "Predicate",
    "Problem",
    "ReadOperator",
    "WhenEffect",
    "check_axioms",
    "check_condition",
    "check_domain",
    "check_files",
    "check_operator",
    "check_problem",
    "format_condition",
    "format_domain",
    "format_problem",
    "literal_effects",
    "load_domain",
    "load_problem",
    "parse_axioms",
    "parse_condition",
    "parse_domain",
    "parse_problem",
    "read_actions",
    "read_domain",
    "read_problem",
    "spell_legally",
]
