"""Formulas in the notations of other tools, with every operand in parentheses.

The tools disagree about precedence and about chains, so nothing is left to either. What a tool
lacks is written out: weak until, strong release, exclusive or, constants, the last position.
"""

from __future__ import annotations

from collections.abc import Mapping

from eai.logic import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Eventually,
    First,
    Formula,
    Historically,
    Iff,
    Implies,
    Last,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Trigger,
    Truth,
    Until,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
)

__all__ = ["text_for"]

_LTLF = {
    Truth(True): "true",
    Truth(False): "false",
    Last: "last",
    # Not `start`: to the left of an implication LTLf2DFA recurses for ever on it.
    First: "WY (false)",
    Not: "!({0})",
    And: "({0}) & ({1})",
    Or: "({0}) | ({1})",
    Implies: "({0}) -> ({1})",
    Iff: "({0}) <-> ({1})",
    Xor: "!(({0}) <-> ({1}))",
    Next: "X ({0})",
    WeakNext: "WX ({0})",
    Eventually: "F ({0})",
    Always: "G ({0})",
    Until: "({0}) U ({1})",
    Release: "({0}) R ({1})",
    WeakUntil: "({1}) R (({0}) | ({1}))",
    StrongRelease: "({1}) U (({0}) & ({1}))",
    Previous: "Y ({0})",
    WeakPrevious: "WY ({0})",
    Once: "O ({0})",
    Historically: "H ({0})",
    Since: "({0}) S ({1})",
    Trigger: "({0}) P ({1})",
}
_RTAMT = {
    Truth(True): "(p0) or (not (p0))",
    Truth(False): "(p0) and (not (p0))",
    Last: "next ((p0) and (not (p0)))",
    First: "prev ((p0) and (not (p0)))",
    Not: "not ({0})",
    And: "({0}) and ({1})",
    Or: "({0}) or ({1})",
    Implies: "({0}) implies ({1})",
    Iff: "(({0}) and ({1})) or ((not ({0})) and (not ({1})))",
    Xor: "(({0}) and (not ({1}))) or ((not ({0})) and ({1}))",
    Next: "s_next ({0})",
    WeakNext: "next ({0})",
    Eventually: "eventually ({0})",
    Always: "always ({0})",
    Until: "({0}) until ({1})",
    Release: "not ((not ({0})) until (not ({1})))",
    WeakUntil: "not ((not ({1})) until ((not ({0})) and (not ({1}))))",
    StrongRelease: "({1}) until (({0}) and ({1}))",
    Previous: "s_prev ({0})",
    WeakPrevious: "prev ({0})",
    Once: "once ({0})",
    Historically: "historically ({0})",
    Since: "({0}) since ({1})",
    Trigger: "not ((not ({0})) since (not ({1})))",
}
# It has one next, which repeats the last position: neither the strong nor the weak one.
_MTL = {
    Truth(True): "TRUE",
    Truth(False): "FALSE",
    Not: "~{0}",
    And: "({0} & {1})",
    Or: "({0} | {1})",
    Implies: "({0} -> {1})",
    Iff: "({0} <-> {1})",
    Xor: "({0} ^ {1})",
    Next: "X {0}",
    WeakNext: "X {0}",
    Eventually: "F {0}",
    Always: "G {0}",
    Until: "({0} U {1})",
    Release: "~(~{0} U ~{1})",
    WeakUntil: "~(~{1} U (~{0} & ~{1}))",
    StrongRelease: "({1} U ({0} & {1}))",
}
_NOTATIONS: Mapping[str, Mapping[object, str]] = {
    "flloat": _LTLF,
    "ltlf2dfa": _LTLF,
    "rtamt": _RTAMT,
    "mtl": _MTL,
}


def text_for(tool: str, formula: Formula) -> str:
    """Return a propositional formula as a tool reads it.

    Args:
        tool: Name of the tool.
        formula: Its connectives have two operands each.

    Raises:
        KeyError: If the tool cannot say it.
    """
    if isinstance(formula, Atom):
        return formula.predicate
    notation = _NOTATIONS[tool]
    if formula in (TRUE, FALSE):
        return notation[formula]
    return notation[type(formula)].format(*(text_for(tool, part) for part in formula.operands))
