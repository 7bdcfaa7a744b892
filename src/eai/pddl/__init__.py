"""PDDL: reading, checking and writing of ADL domains and problems.

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from eai.pddl.phrases import with_phrases
    from eai.pddl.readers import read_domain, read_problem
    from eai.pddl.writer import format_condition, format_domain, format_problem

_LATER = {
    "answers": (
        "ReadOperator",
        "read_actions",
    ),
    "check": (
        "check_axioms",
        "check_condition",
        "check_domain",
        "check_operator",
        "check_problem",
    ),
    "files": ("check_files",),
    "issues": ("Issue",),
    "model": (
        "AddEffect",
        "AndEffect",
        "Axiom",
        "CostEffect",
        "DeleteEffect",
        "Domain",
        "Effect",
        "ForallEffect",
        "Function",
        "Operator",
        "Predicate",
        "Problem",
        "WhenEffect",
        "literal_effects",
    ),
    "names": ("spell_legally",),
    "parser": (
        "load_domain",
        "load_problem",
        "parse_axioms",
        "parse_condition",
        "parse_domain",
        "parse_problem",
    ),
    "phrases": ("with_phrases",),
    "readers": (
        "read_domain",
        "read_problem",
    ),
    "writer": (
        "format_condition",
        "format_domain",
        "format_problem",
    ),
}
_HOMES = {name: module for module, names in _LATER.items() for name in names}

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
    "with_phrases",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'eai.pddl' has no attribute {name!r}")
    value = getattr(import_module(f"eai.pddl.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
