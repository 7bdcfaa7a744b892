"""Words for the conditions and effects of actions: exact, and as short as that allows.

Predicates that a state stores are called as lists of what holds call them; derived ones by the
phrases of the domain, and each is explained once (:meth:`Writer.notes`). What an action deletes
stands before what it adds; ``*`` stands for every object, ``P(x <-> y)`` for both directions.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.abilities.possible import Possible
from eai.logic import (
    TRUE,
    And,
    Atom,
    Equal,
    Exists,
    Formula,
    Not,
    Or,
    Quantifier,
    Term,
    Variable,
    conjuncts,
    format_formula,
)
from eai.pddl import Clause, Operator
from eai.task import Task

ShowName = Callable[[str], str]
"""How a predicate is called where a prompt lists what holds."""

_Literal = tuple[Atom, bool]
"""An atom, and whether it becomes true or false."""

_EVERYTHING = Variable("*")
_WORTH_NAMING = 3
"""Fewer effects than this are said again."""


@dataclass(frozen=True)
class Line:
    """An action: its name and parameters, what it needs and what it does."""

    head: str
    needs: tuple[str, ...] = ()
    does: str = ""

    def text(self, said: Container[str] = ()) -> str:
        """Return the line, without the conditions that were said above it."""
        needs = ", ".join(need for need in self.needs if need not in said)
        parts = [f"needs {needs}" if needs else "", self.does]
        rest = "; ".join(part for part in parts if part)
        return f"- {self.head}: {rest}" if rest else f"- {self.head}"


class Writer:
    """Writes conditions and effects; knows which derived predicates it has mentioned."""

    def __init__(
        self,
        task: Task,
        possible: Possible,
        show: ShowName,
        relevant: Container[str],
        wanted: frozenset[str],
    ) -> None:
        self.possible = possible
        self._wanted = wanted
        self.predicates = frozenset[str]()
        self.kinds = set[str]()
        self._relevant = relevant
        self._domain = task.start.layout.domain
        self._show = show
        self._has_agent = bool(task.agent)
        self._mentioned: dict[str, None] = {}
        self._has_star = self._has_back = False

    def lines(self, operators: Sequence[Operator]) -> list[Line]:
        """Describe possible actions."""
        changes = {each.name: self._changes(each) for each in operators}
        found = []
        for operator in operators:
            conditions = _factored(
                conjuncts(operator.precondition.substitute(self._actor(operator)))
            )
            needs = tuple(self.say(part) for part in conditions)
            does = self._does(changes[operator.name], self._same(operator, operators, changes))
            found.append(Line(self.head(operator), needs, does))
        return found

    def _changes(self, operator: Operator) -> list[Clause]:
        """The effects of an action that matter."""
        actor = self._actor(operator)
        effects = self.possible.effects(operator)
        matter = [each for each in effects if each.atom.predicate in self._relevant]
        return [
            clause._replace(
                atom=_put_in(clause.atom, actor), condition=clause.condition.substitute(actor)
            )
            for clause in _folded(self.possible, matter)
        ]

    def _actor(self, operator: Operator) -> dict[str, Term]:
        """Who acts is called the agent, as plans do not name it."""
        actors = operator.parameters[: int(self._has_agent)]
        return {each.name: Variable("agent", each.types) for each in actors}

    def _same(
        self,
        operator: Operator,
        operators: Sequence[Operator],
        changes: Mapping[str, list[Clause]],
    ) -> dict[Formula, str]:
        """Find conditions under which an action does all that another one always does.

        Returns:
            Condition to the other action.
        """
        always = {each for each in changes[operator.name] if each.condition == TRUE}
        under: dict[Formula, set[Clause]] = {}
        for clause in changes[operator.name]:
            outer, inner = _outside(clause)
            if outer != TRUE:
                under.setdefault(outer, set()).add(clause._replace(condition=inner))
        found = {}
        for condition, those in under.items():
            for other in operators:
                theirs = set(changes[other.name])
                alike = operator.parameters == other.parameters and len(those) >= _WORTH_NAMING
                if alike and those <= theirs <= those | always:
                    found[condition] = self.head(other)
        return found

    def head(self, operator: Operator) -> str:
        """Return the name of an action with what a plan names after it."""
        named = operator.parameters[int(self._has_agent) :]
        return f"{operator.name.upper()}({', '.join(map(self._typed, named))})"

    def notes(self, lines: Sequence[Line]) -> Iterator[str]:
        """Explain how the lines are read, and what the derived predicates in them mean."""
        if any(line.does for line in lines):
            notes = [
                "Conditions of effects are about the state before the action.",
                "What becomes both true and false is true.",
            ]
            if self._has_star:
                notes.append("* is every object.")
            if self._has_back:
                notes.append("P(x <-> y) is P(x, y) and P(y, x).")
            yield " ".join(notes)
        explained = set[str]()
        meanings = [f"- {each}" for each in self._goal_words()]
        while waiting := [name for name in self._mentioned if name not in explained]:
            for name in waiting:
                explained.add(name)
                if meaning := self._meaning(name):
                    meanings.append(f"- {meaning}")
        if meanings:
            yield "What that means:"
            yield from meanings

    def _goal_words(self) -> Iterator[str]:
        """Explain derived predicates that the goal calls by their names, not by their phrases."""
        stored = {
            self._show(name) for name in self._domain.predicates.keys() - self._domain.derived
        }
        for name in sorted(self._wanted & self._domain.derived - stored):
            rule = self.possible.rule(name)
            if rule is not None and name in self._domain.phrases:
                variables, body = rule
                terms = ", ".join(each.name for each in variables)
                yield f"{name}({terms}): {self.say(body)}"

    def _meaning(self, name: str) -> str:
        """Say when a derived predicate holds; nothing where its phrase says all."""
        rule = self.possible.rule(name)
        if rule is None:
            return ""
        variables, body = rule
        phrase = self._domain.phrases.get(name)
        if phrase is None or phrase.means is None:
            means = self.say(body)
        else:
            means = phrase.means.format(*[each.name for each in variables])
            # Lists have to show what the words stand for.
            self.predicates |= self.possible.stored(body)
        return f"{self._atom(Atom(name, variables), True)}: {means}" if means else ""

    def say(self, formula: Formula, value: bool = True) -> str:
        """Return words for a condition, or for its opposite."""
        if isinstance(formula, Not):
            return self.say(formula.operand, not value)
        if isinstance(formula, Atom):
            return self._atom(formula, value)
        if isinstance(formula, Equal):
            return f"{formula.left} {'is' if value else 'is not'} {formula.right}"
        if isinstance(formula, (And, Or)):
            word = " and " if isinstance(formula, And) is value else " or "
            parts = conjuncts(formula) if isinstance(formula, And) else formula.operands
            return word.join(self._part(part, value) for part in parts)
        if isinstance(formula, Quantifier):
            return self._quantified(formula, value)
        return format_formula(formula if value else Not(formula))

    def _part(self, formula: Formula, value: bool) -> str:
        """Words for a part of a larger condition, in brackets where they could be misread."""
        said = self.say(formula, value)
        while isinstance(formula, Not):
            formula = formula.operand
        return said if isinstance(formula, (Atom, Equal)) else f"({said})"

    def _quantified(self, formula: Quantifier, value: bool) -> str:
        kind = _kind_tested(formula)
        if kind is not None:
            self.kinds.update(formula.variables[0].types)
            return f"{kind[0]} {'is' if value else 'is not'} of type {kind[1]}"
        names = " and ".join(map(self._kind_and_name, formula.variables))
        if isinstance(formula, Exists) is value:
            return f"there is {names} with {self._part(formula.body, value)}"
        return f"for every {names}: {self._part(formula.body, value)}"

    def _atom(self, atom: Atom, value: bool) -> str:
        derived = atom.predicate in self._domain.derived
        if derived:
            self._mentioned.setdefault(atom.predicate)
        else:
            self.predicates |= {atom.predicate}
        terms = [term.name if isinstance(term, Variable) else term for term in atom.terms]
        phrase = self._domain.phrases.get(atom.predicate) if derived else None
        if phrase is not None:
            return (phrase.true if value else phrase.false).format(*terms)
        name = atom.predicate if derived else self._show(atom.predicate)
        return f"{'' if value else 'not '}{name}({', '.join(terms)})"

    def _typed(self, variable: Variable) -> str:
        """A parameter, with its type behind it."""
        if variable.types == ("object",):
            return variable.name
        self.kinds.update(variable.types)
        return f"{variable.name}: {_kind(variable)}"

    def _kind_and_name(self, variable: Variable) -> str:
        """A variable, with its type before it."""
        if variable.types == ("object",):
            return variable.name
        self.kinds.update(variable.types)
        return f"{_kind(variable)} {variable.name}"

    def _does(self, effects: Iterable[Clause], same: Mapping[Formula, str]) -> str:
        """Words for the effects: first for those without a condition, then by their conditions."""
        by_condition: dict[Formula, dict[str, list[_Literal]]] = {TRUE: {"": []}}
        # What is deleted comes first, as adding wins.
        for clause in sorted(effects, key=lambda clause: clause.added):
            outer, inner = _outside(clause)
            if outer in same:
                by_condition.setdefault(outer, {})
                continue
            atom, variables = self._starred(clause, inner)
            each = ""
            if variables:
                names = " and ".join(map(self._kind_and_name, variables))
                each = f"for each {names}"
                if inner != TRUE:
                    each += f" with {self._part(inner, True)}"
            by_condition.setdefault(outer, {}).setdefault(each, []).append((atom, clause.added))
        parts = []
        for outer, groups in by_condition.items():
            said_all = [f"what {same[outer]} does"] if outer in same else []
            for each, literals in groups.items():
                if literals:
                    listed = ", ".join(self._literals(literals))
                    said_all.append(f"{each}: {listed}" if each else listed)
            if said_all:
                listed = "; ".join(said_all)
                if outer != TRUE:
                    block = f"[{listed}]" if len(groups) > 1 or "," in listed else listed
                    listed = f"if {self.say(outer)}: {block}"
                parts.append(listed)
        return f"then {'; '.join(parts)}" if parts else ""

    def _literals(self, literals: Sequence[_Literal]) -> Iterator[str]:
        """Words for literals; predicates that change for the same objects are said together."""
        names: dict[tuple[bool, str], list[str]] = {}
        done = set[_Literal]()
        for atom, added in literals:
            if (atom, added) in done:
                continue
            back = Atom(atom.predicate, atom.terms[::-1])
            both = len(atom.terms) == 2 and back != atom and (back, added) in literals
            done |= {(atom, added), (back, added)} if both else {(atom, added)}
            said = self._atom(atom, True)
            name, bracket, terms = said.partition("(")
            if " " in name or not bracket:  # a phrase
                names.setdefault((added, self._atom(atom, added)), [])
                continue
            self._has_back |= both
            terms = terms.replace(", ", " <-> ") if both else terms
            names.setdefault((added, terms), []).append(name)
        for (added, terms), together in names.items():
            if together:
                yield f"{'' if added else 'not '}{'/'.join(together)}({terms}"
            else:
                yield terms

    def _starred(self, clause: Clause, inner: Formula) -> tuple[Atom, list[Variable]]:
        """Write ``*`` for a variable that can be every object and stands in one place only."""
        left = list(clause.variables)
        atom = clause.atom
        for variable in clause.variables:
            positions = [term for term in atom.terms if term == variable]
            if variable.types == ("object",) and variable not in inner.free and len(positions) == 1:
                atom = Atom(
                    atom.predicate,
                    tuple(_EVERYTHING if term == variable else term for term in atom.terms),
                )
                left.remove(variable)
                self._has_star = True
                break  # two stars could be read as the same object
        return atom, left


def _factored(conditions: Sequence[Formula]) -> list[Formula]:
    """Write ``a or b, a or c`` as ``a or (b and c)``."""
    gathered: dict[Formula, list[Formula]] = {}
    found: list[Formula] = []
    for part in conditions:
        if isinstance(part, Or) and len(part.operands) > 1:
            gathered.setdefault(part.operands[0], []).append(Or.of(part.operands[1:]))
    for part in conditions:
        if isinstance(part, Or) and len(part.operands) > 1:
            others = gathered.pop(part.operands[0], [])
            if others:
                found.append(Or((part.operands[0], And.of(others))))
        else:
            found.append(part)
    return found


def _folded(possible: Possible, effects: Iterable[Clause]) -> list[Clause]:
    """Delete a derived predicate instead of all the alternatives that it is made of.

    That nothing is held says the same as that nothing is held in the right hand and nothing in the
    left, and is half as long.
    """
    clauses = list(effects)
    for name in possible.derived:
        rule = possible.rule(name)
        if rule is None or not isinstance(rule[1], Or):
            continue
        variables, body = rule
        parts = [part for part in body.operands if isinstance(part, Atom)]
        if len(parts) < len(body.operands):
            continue
        for first in [each for each in clauses if not each.added]:
            binding = _binding(parts[0], first.atom)
            if binding is None or set(binding) != {each.name for each in variables}:
                continue
            wanted = [first._replace(atom=_put_in(part, binding)) for part in parts]
            if all(each in clauses for each in wanted):
                place = clauses.index(first)
                clauses[place] = first._replace(atom=_put_in(Atom(name, variables), binding))
                clauses = [each for each in clauses if each not in wanted]
    return clauses


def _put_in(atom: Atom, terms: Mapping[str, Term]) -> Atom:
    """Replace the variables of an atom."""
    known = (terms.get(t.name, t) if isinstance(t, Variable) else t for t in atom.terms)
    return Atom(atom.predicate, tuple(known))


def _binding(pattern: Atom, atom: Atom) -> dict[str, Term] | None:
    """The terms for which an atom of a rule's body is this atom."""
    if pattern.predicate != atom.predicate:
        return None
    pairs = zip(pattern.terms, atom.terms, strict=True)
    return {each.name: term for each, term in pairs if isinstance(each, Variable)}


def _outside(clause: Clause) -> tuple[Formula, Formula]:
    """Split a condition into what does not depend on the clause's variables, and what does."""
    names = {each.name for each in clause.variables}
    outer, inner = list[Formula](), list[Formula]()
    for part in conjuncts(clause.condition):
        (outer if names.isdisjoint(part.free_names) else inner).append(part)
    return And.of(outer) if outer else TRUE, And.of(inner) if inner else TRUE


def _kind_tested(formula: Quantifier) -> tuple[str, str] | None:
    """The object and the type, if a condition says no more than that it has this type."""
    body = formula.body
    if (
        not isinstance(formula, Exists)
        or len(formula.variables) != 1
        or not isinstance(body, Equal)
    ):
        return None
    variable = formula.variables[0]
    others = [term for term in (body.left, body.right) if term != variable]
    return (str(others[0]), _kind(variable)) if len(others) == 1 else None


def _kind(variable: Variable) -> str:
    return " or ".join(variable.types)
