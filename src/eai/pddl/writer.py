"""Models to PDDL text, and how names are spelled in it.

PDDL's own names are a letter followed by letters, digits, ``-`` and ``_`` (Fox & Long 2003,
appendix A). The reader here also takes full stops and leading digits or underscores, because
objects of scene graphs have them; external planners may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, groupby
from math import isfinite

from eai.errors import InputError
from eai.logic import (
    Arithmetic,
    Atom,
    Equal,
    Expression,
    Formula,
    NumericCondition,
    Quantifier,
    Rational,
    Term,
    Truth,
    Variable,
    decimal_places,
    exact,
    format_number,
)
from eai.nesting import on_own_stack
from eai.pddl.model import (
    DURATION,
    TOTAL_COST,
    AddEffect,
    AndEffect,
    Axiom,
    CostEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Function,
    NumericEffect,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
)
from eai.pddl.text import RESERVED, Tree, lay_out, on_one_line

_READABLE = re.compile(r"[0-9.]*[a-z_][a-z0-9_.-]*|[0-9]+-[a-z0-9_.-]+")
_TITLE = re.compile(rf"{_READABLE.pattern}|[0-9]+(?:\.[0-9]+)?")
"""The name of a domain or a problem, which may be a number."""
_VARIABLE = re.compile(r"[a-z0-9_][a-z0-9_.-]*")
_PATTERNS = {"variable": _VARIABLE, "domain": _TITLE, "problem": _TITLE}
"""Patterns of names other than those of objects, by kind."""
_FORBIDDEN = re.compile(r"[^a-z0-9_-]")

_OBJECT = ("object",)
_HEADS = {word: word for word in ("and", "or", "not", "forall", "exists")} | {"implies": "imply"}
"""The word of an operator to the one that it has in PDDL."""


@on_own_stack
def format_domain(domain: Domain, *, legal_names: bool = False) -> str:
    """Write a domain.

    Args:
        domain: The domain.
        legal_names: Whether to replace characters that PDDL forbids in names.

    Returns:
        Text that :func:`~eai.pddl.parse_domain` reads back as the same domain (if the names
        stay as they are, and apart from empty conjunctions and disjunctions, which are read as
        the constants that they mean).

    Raises:
        InputError: A name cannot be written, two names would become the same, or a condition
            is not in PDDL's language.
    """
    writer = _Writer(legal=legal_names)
    return _definition_text("domain", writer.name("domain", domain.name), writer.domain(domain))


@on_own_stack
def format_problem(
    problem: Problem, *, domain: Domain | None = None, legal_names: bool = False
) -> str:
    """Write a problem.

    Args:
        problem: The problem.
        domain: Its domain, so that objects and constants cannot come to have the same name.
        legal_names: Whether to replace characters that PDDL forbids in names.

    Raises:
        InputError: As in :func:`format_domain`.
    """
    writer = _Writer(legal=legal_names)
    for name in domain.constants if domain else ():
        writer.name("object", name)
    return _definition_text(
        "problem", writer.name("problem", problem.name), writer.problem(problem)
    )


@dataclass(frozen=True, slots=True)
class TaskText:
    """A domain and a problem as PDDL with names that every planner accepts.

    Args:
        domain: Text of the domain.
        problem: Text of the problem.
        actions: Action names as they are written, with the names that they stand for.
        objects: Names of objects and constants as they are written, with those they stand for.
    """

    domain: str
    problem: str
    actions: Mapping[str, str]
    objects: Mapping[str, str]


@on_own_stack
def format_task(domain: Domain, problem: Problem) -> TaskText:
    """Return a domain and a problem as PDDL for another program, with a table of names.

    Characters that PDDL forbids are replaced, and names that would become equal get a number, so
    that the program's answer can be translated back.

    Args:
        domain: The domain.
        problem: The problem.

    Raises:
        InputError: A condition or a number is not in PDDL's language.
    """
    writer = _Writer(legal=True, unique=True)
    written_domain = _definition_text(
        "domain", writer.name("domain", domain.name), writer.domain(domain)
    )
    values = dict(problem.values)
    if TOTAL_COST.predicate in domain.functions:
        # Here the total begins with 0; to others it is undefined unless the text says so.
        values.setdefault(TOTAL_COST, 0)
    # A problem may name its domain otherwise, which other programs refuse.
    renamed_problem = replace(problem, domain=domain.name, values=values)
    written_problem = _definition_text(
        "problem", writer.name("problem", problem.name), writer.problem(renamed_problem)
    )
    return TaskText(
        written_domain, written_problem, writer.written("action"), writer.written("object")
    )


@on_own_stack
def format_condition(formula: Formula, *, legal_names: bool = False) -> str:
    """Write a condition.

    Args:
        formula: The condition.
        legal_names: Whether to replace characters that PDDL forbids in names.

    Raises:
        InputError: If the condition has a part or a name that PDDL cannot express.
    """
    return lay_out(ConditionWriter(legal=legal_names).condition(formula))


def format_effect(effect: Effect) -> str:
    """Write an effect on one line.

    Raises:
        InputError: If the effect has a part that PDDL cannot express.
    """
    return on_one_line(ConditionWriter().effect(effect))


def format_expression(expression: Expression) -> str:
    """Write an expression over numbers on one line."""
    return on_one_line(ConditionWriter().expression(expression))


def _definition_text(kind: str, name: str, sections: Iterator[str]) -> str:
    """Return a definition with its sections."""
    return "\n  ".join([f"(define ({kind} {name})", *sections]) + ")\n"


def _section_lines(keyword: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield a section, one entry on a line; nothing if it has none."""
    if lines:
        yield "\n    ".join([f"(:{keyword}", *lines]) + ")"


_NOT_WRITTEN = "preferences and constraints of PDDL 3 are read, but not written"


class ConditionWriter:
    """Converts conditions to nested lists of words. Subclasses write other languages.

    Args:
        legal: Whether to replace the characters that PDDL forbids in names.
        unique: Whether to number names that would become the same, instead of refusing them.
    """

    def __init__(self, *, legal: bool = False, unique: bool = False) -> None:
        self.legal = legal
        self.unique = unique
        # Kind and spelling of each name that was written, with the name that it stands for.
        self._taken: dict[tuple[str, str], str] = {}

    def name(self, kind: str, name: str) -> str:
        """Return the spelling of a name in PDDL, which differs from that of all other names.

        Args:
            kind: The kind of thing that is named (``"object"``); names of two kinds may be equal.
            name: The name.

        Raises:
            InputError: If the name cannot be written, or another one is spelled in the same way.
        """
        # "jar.n.01" and "jar_n_01" are two names, but both are spelled "jar_n_01" in PDDL.
        spelled = _legal_name(name) if self.legal else name
        if not self.legal:
            _refuse_unreadable(kind, name)
        original_name = self._taken.setdefault((kind, spelled), name)
        if original_name == name:
            return spelled
        if not self.unique:
            raise InputError(
                f"the {kind}s {original_name!r} and {name!r} would both be written as {spelled!r}",
                mend="rename one of them",
            )
        # Another name may end in the same number, so the first free number is looked for.
        for number in count(2):
            numbered = f"{spelled}_{number}"
            if self._taken.setdefault((kind, numbered), name) == name:
                break
        return numbered

    def written(self, kind: str) -> dict[str, str]:
        """Return the names of a kind that were written, with the names that they stand for."""
        return {spelled: name for (other, spelled), name in self._taken.items() if other == kind}

    def condition(self, formula: Formula) -> Tree:
        """Return a condition as nested lists of words, the tree of its brackets.

        Raises:
            InputError: If PDDL has no notation for it.
        """
        if isinstance(formula, Atom):
            return self.atom("predicate", formula)
        if isinstance(formula, Equal):
            return ["=", self.term(formula.left), self.term(formula.right)]
        if isinstance(formula, NumericCondition):
            left = self.expression(formula.left)
            return [formula.sign, left, self.expression(formula.right)]
        if isinstance(formula, Truth):
            # PDDL has no constants: an empty conjunction is true, an empty disjunction false.
            return ["and"] if formula.value else ["or"]
        head = _HEADS.get("".join(formula.words[:1]))
        if head is None:
            raise InputError(f"PDDL has no way to say {type(formula).__name__}")
        operands = [self.condition(operand) for operand in formula.operands]
        if isinstance(formula, Quantifier):
            return [head, self.variables(formula.variables), *operands]
        return [head, *operands]

    def expression(self, expression: Expression) -> Tree:
        """Return an expression as nested lists of words, the tree of its brackets."""
        if expression == DURATION:
            return DURATION.predicate
        if isinstance(expression, Atom):
            return self.atom("function", expression)
        if not isinstance(expression, Arithmetic):
            return _number_tree(expression)
        operands = [self.expression(operand) for operand in expression.operands]
        is_short = len(operands) == 2 or (expression.sign == "-" and len(operands) == 1)
        if is_short or not self.unique:
            return [expression.sign, *operands]
        # Other programs take two operands: (+ a b c) becomes (+ (+ a b) c).
        nested = operands[0]
        for operand in operands[1:]:
            nested = [expression.sign, nested, operand]
        return nested

    def atom(self, kind: str, atom: Atom) -> Tree:
        """Write a predicate or function applied to terms."""
        return [self.name(kind, atom.predicate), *(self.term(term) for term in atom.terms)]

    def term(self, term: Term) -> str:
        """Write a variable or an object."""
        if isinstance(term, Variable):
            return f"?{self.name('variable', term.name)}"
        return self.name("object", term)

    def variables(self, variables: Sequence[Variable], *, explicit: bool = False) -> list[Tree]:
        """Return a typed list of variables, ``?x ?y - block``, as words.

        Args:
            variables: The variables.
            explicit: Whether types are written even if all of them are ``object``.
        """
        if not explicit and all(variable.types == _OBJECT for variable in variables):
            return [self.term(variable) for variable in variables]
        words: list[Tree] = []
        # Neighbours of the same types share one mention of them.
        for types, variables_of_types in groupby(variables, key=lambda variable: variable.types):
            words += [self.term(variable) for variable in variables_of_types]
            type_names = [self.name("type", name) for name in types]
            words.append("-")
            words.append(type_names[0] if len(type_names) == 1 else ["either", *type_names])
        return words

    def effect(self, effect: Effect) -> Tree:
        """Return an effect as nested lists of words, the tree of its brackets.

        Raises:
            InputError: If PDDL has no notation for it.
        """
        if isinstance(effect, AddEffect):
            return self.atom("predicate", effect.atom)
        if isinstance(effect, DeleteEffect):
            return ["not", self.atom("predicate", effect.atom)]
        if isinstance(effect, AndEffect):
            return ["and", *(self.effect(operand) for operand in effect.parts)]
        if isinstance(effect, WhenEffect):
            return ["when", self.condition(effect.condition), self.effect(effect.effect)]
        if isinstance(effect, ForallEffect):
            return ["forall", self.variables(effect.variables), self.effect(effect.effect)]
        if isinstance(effect, CostEffect):
            # The amount of a cost is a function term or a plain number, never a calculation.
            if isinstance(effect.amount, Atom):
                return ["increase", ["total-cost"], self.atom("function", effect.amount)]
            return ["increase", ["total-cost"], _number_tree(effect.amount)]
        if isinstance(effect, NumericEffect):
            target = self.atom("function", effect.target)
            return [effect.update, target, self.expression(effect.amount)]
        raise InputError(f"PDDL has no way to say {type(effect).__name__}")


class _Writer(ConditionWriter):
    """Converts the parts of a model to nested lists of words."""

    def domain(self, domain: Domain) -> Iterator[str]:
        """Yield the sections of a domain in PDDL's order.

        Raises:
            InputError: If the domain has what is read but not written: durative actions,
                preferences or constraints.
        """
        if domain.durative:
            raise InputError(
                "durative actions are read, but not written", where=f"domain {domain.name!r}"
            )
        if domain.preferences or domain.constraints != Truth(value=True):
            raise InputError(_NOT_WRITTEN, where=f"domain {domain.name!r}")
        # The order of sections is that of the grammar: parsers such as VAL's insist on it.
        if domain.requirements:
            keys = [f":{self.name('requirement', key)}" for key in domain.requirements]
            yield f"(:requirements {' '.join(keys)})"
        yield from _section_lines("types", self.typed("type", domain.types))
        yield from _section_lines("constants", self.typed("object", domain.constants))
        declared = domain.predicates.values()
        predicates = [self.skeleton("predicate", predicate) for predicate in declared]
        yield from _section_lines("predicates", predicates)
        functions = [self.skeleton("function", declared) for declared in domain.functions.values()]
        yield from _section_lines("functions", [f"{function} - number" for function in functions])
        for axiom in domain.axioms:
            yield self.axiom(axiom, domain.predicates.get(axiom.head.predicate))
        for operator in domain.operators.values():
            yield self.operator(operator)

    def problem(self, problem: Problem) -> Iterator[str]:
        """Yield the sections of a problem in PDDL's order.

        Raises:
            InputError: If the problem has what is read but not written: timed literals, preferences
                or constraints.
        """
        if problem.timed:
            raise InputError(
                "timed literals are read, but not written", where=f"problem {problem.name!r}"
            )
        if problem.preferences or problem.constraints != Truth(value=True):
            raise InputError(_NOT_WRITTEN, where=f"problem {problem.name!r}")
        yield f"(:domain {self.name('domain', problem.domain)})"
        yield from _section_lines("objects", self.typed("object", problem.objects))
        # Entries begin behind four blanks, which counts for where their lines are broken.
        lines = ["(:init"]
        lines += [lay_out(self.atom("predicate", atom), 4) for atom in problem.initial]
        for term, value in problem.values.items():
            lines.append(lay_out(["=", self.atom("function", term), _number_tree(value)], 4))
        # Also where nothing holds: other programs expect the section.
        yield "\n    ".join(lines) + ")"
        yield f"(:goal {lay_out(self.condition(problem.goal), 4)})"
        if problem.metric is not None:
            measure = lay_out(self.expression(problem.metric.expression), 4)
            yield f"(:metric {problem.metric.direction} {measure})"

    def typed(self, kind: str, names: Mapping[str, str]) -> list[str]:
        """Return a line for each run of names with the same type."""
        lines = []
        for type_name, run in groupby(names, key=names.__getitem__):
            spelled = " ".join(self.name(kind, name) for name in run)
            lines.append(f"{spelled} - {self.name('type', type_name)}")
        return lines

    def skeleton(self, kind: str, declared: Predicate | Function) -> str:
        """Return the declaration of a predicate or function, ``(on ?x ?y - block)``.

        Args:
            kind: ``"predicate"`` or ``"function"``.
            declared: The declared predicates or functions.
        """
        name = self.name(kind, declared.name)
        parameters = declared.parameters
        distinct_names = {variable.name for variable in parameters}
        if self.unique and len(distinct_names) < len(parameters):
            # A declaration may name a variable twice, which others take for one parameter.
            types = [variable.types for variable in parameters]
            parameters = tuple(
                [Variable(f"p{index}", type_names) for index, type_names in enumerate(types)]
            )
        return lay_out([name, *self.variables(parameters)])

    def axiom(self, axiom: Axiom, declared: Predicate | None) -> str:
        """Return a rule for a derived predicate, as text.

        Args:
            axiom: The rule.
            declared: The declaration of the predicate; None if it has none.

        Raises:
            InputError: If the head has an object in it.
        """
        if len(axiom.parameters) < len(axiom.head.terms):
            raise InputError(f"the head of a rule for {axiom.head.predicate!r} has an object in it")
        # A head without types would get those of the declaration when it is read back.
        is_typed = declared is not None and any(
            variable.types != _OBJECT for variable in declared.parameters
        )
        name = self.name("predicate", axiom.head.predicate)
        head = lay_out([name, *self.variables(axiom.parameters, explicit=is_typed)])
        return f"(:derived {head}\n    {lay_out(self.condition(axiom.body), 4)})"

    def operator(self, operator: Operator) -> str:
        """Return an action as text.

        Raises:
            InputError: If it has preferences, which are read but not written.
        """
        if operator.preferences:
            raise InputError(_NOT_WRITTEN, where=f"action {operator.name!r}")
        lines = [f"(:action {self.name('action', operator.name)}"]
        lines.append(f":parameters {lay_out(self.variables(operator.parameters))}")
        # Where it is left out, some programs do not read the action (pyperplan).
        if operator.precondition != Truth(value=True) or self.unique:
            lines.append(f":precondition {lay_out(self.condition(operator.precondition), 4)}")
        lines.append(f":effect {lay_out(self.effect(operator.effect), 4)}")
        return "\n    ".join(lines) + ")"


def _legal_name(name: str) -> str:
    """Return a name with all characters replaced that PDDL forbids.

    Examples:
        >>> [_legal_name(name) for name in ("jar.n.01_1", "2nd", "and")]
        ['jar_n_01_1', 'n2nd', 'and_']
    """
    # PDDL ignores letter case, so two names that differ in it alone get the same spelling.
    spelled = _FORBIDDEN.sub("_", name.lower())
    if not spelled[:1].isalpha():
        spelled = f"n{spelled}"
    if spelled in RESERVED:
        spelled += "_"
    return spelled


def _refuse_unreadable(kind: str, name: str) -> None:
    """Refuse a name that PDDL text cannot contain.

    Args:
        kind: The kind of thing that it names (``"predicate"``).
        name: The name.

    Raises:
        InputError: If the name has forbidden characters or is a word of PDDL.
    """
    pattern = _PATTERNS.get(kind, _READABLE)
    is_reserved = kind in {"predicate", "function"} and name in RESERVED
    if pattern.fullmatch(name) and not is_reserved:
        return
    raise InputError(
        f"the {kind} name {name!r} cannot be written in PDDL",
        expected="letters in lower case, digits, '-', '_' and '.', and not a PDDL keyword",
        mend="write with legal_names=True, which replaces what is forbidden",
    )


def _number_tree(number: float | Rational) -> Tree:
    """Return a number in full, as PDDL has no exponents, and fractions only as quotients."""
    if isinstance(number, float) and not isfinite(number):
        raise InputError(f"PDDL has no way to write the number {number}")
    value = Fraction(exact(number))
    if decimal_places(value) is None:
        return ["/", str(value.numerator), str(value.denominator)]
    return format_number(value)
