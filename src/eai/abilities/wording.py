"""Words for the conditions and effects of actions: exact, and as short as that allows.

Predicates that a state stores are called as lists of what holds call them; derived ones by the
phrases of the domain, and each is explained once (:meth:`RulesWriter.notes`). What an action
deletes is written before what it adds; ``*`` stands for every object, ``P(x <-> y)`` for both
directions.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

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
"""Returns the name of a predicate in lists of what holds."""

_Literal = tuple[Atom, bool]
"""An atom, and whether it becomes true or false."""

_EVERYTHING = Variable("*")
"""Stands for every object, in the words for an effect."""

_MIN_NAMED_EFFECTS = 3
"""With fewer effects in common it is no shorter to name the other action that has them."""


@dataclass(frozen=True)
class RuleLine:
    """The rules of an action.

    Args:
        head: Its name and parameters.
        needs: Its conditions, in words.
        does: Its effects, in words.
    """

    head: str
    needs: tuple[str, ...] = ()
    does: str = ""

    def text(self, above: Container[str] = ()) -> str:
        """Return the line, without the conditions that a heading above it gives.

        ``- open(x): needs closed(x), near(agent, x); makes open(x)``; below a heading that says
        ``near(agent, x)`` without that condition.
        """
        needs = ", ".join(need for need in self.needs if need not in above)
        clauses_of_line = []
        if needs:
            clauses_of_line.append(f"needs {needs}")
        if self.does:
            clauses_of_line.append(self.does)
        if not clauses_of_line:
            return f"- {self.head}"
        return f"- {self.head}: {'; '.join(clauses_of_line)}"


@dataclass
class _Mentions:
    """Predicates, types and signs in a text, which lists and notes have to explain.

    Args:
        predicates: Stored predicates.
        kinds: Types of objects.
        derived: Derived predicates, in the order of the text.
        has_star: Whether ``*`` stands for every object somewhere.
        has_both_ways: Whether ``<->`` stands for both directions somewhere.
    """

    predicates: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    derived: dict[str, None] = field(default_factory=dict)
    has_star: bool = False
    has_both_ways: bool = False

    def add(self, other: _Mentions) -> None:
        """Add what another text mentions, behind this one."""
        self.predicates |= other.predicates
        self.kinds |= other.kinds
        self.derived |= other.derived
        self.has_star |= other.has_star
        self.has_both_ways |= other.has_both_ways


class _Effects(NamedTuple):
    """The effects of an action that matter.

    Args:
        clauses: The effects, in order.
        always: Those without a condition.
        by_condition: The others by the part of their condition that is not about their own
            variables, each with the rest of its condition.
    """

    clauses: tuple[Clause, ...]
    always: frozenset[Clause]
    by_condition: Mapping[Formula, frozenset[Clause]]

    @classmethod
    def of(cls, clauses: Iterable[Clause]) -> _Effects:
        """Return some effects with their conditions split."""
        clauses = tuple(clauses)
        by_condition: dict[Formula, set[Clause]] = {}
        for clause in clauses:
            outer_condition, inner_condition = _split_condition(clause)
            if outer_condition != TRUE:
                by_condition.setdefault(outer_condition, set()).add(
                    clause._replace(condition=inner_condition)
                )
        always = frozenset(clause for clause in clauses if clause.condition == TRUE)
        return cls(clauses, always, {key: frozenset(own) for key, own in by_condition.items()})


def _reverse_of(atom: Atom) -> Atom | None:
    """Return a relation with its two terms exchanged; None if it has not two different terms."""
    if len(atom.terms) != 2 or atom.terms[0] == atom.terms[1]:
        return None
    return Atom(atom.predicate, atom.terms[::-1])


class RulesWriter:
    """Writes conditions and effects, and collects the derived predicates that it mentions.

    Args:
        task: The task.
        possible: What may happen in it.
        show: Returns the name of a predicate in lists of what holds.
        relevant: Predicates that matter; effects on others are left out.
        wanted: Predicates that the goal speaks of.
    """

    def __init__(
        self,
        task: Task,
        possible: Possible,
        show: ShowName,
        relevant: frozenset[str],
        wanted: frozenset[str],
    ) -> None:
        """Begin with no predicate mentioned."""
        self.possible = possible
        self._mentions = _Mentions()
        self._wanted = wanted
        self._relevant = relevant
        self._domain = task.start.layout.domain
        self._show = show
        self._has_agent = bool(task.agent)

    @property
    def predicates(self) -> frozenset[str]:
        """Stored predicates that were mentioned."""
        return frozenset(self._mentions.predicates)

    @property
    def kinds(self) -> frozenset[str]:
        """Types that were mentioned."""
        return frozenset(self._mentions.kinds)

    def lines(self, operators: Sequence[Operator]) -> list[RuleLine]:
        """Describe the possible actions, a line each.

        If an action has all effects of another one, its line refers to the other action.
        """
        # The lines of actions are equal for most tasks of a domain, so each is written once.
        effects_by_action = {}
        for operator in operators:
            changed = self.possible.reads(operator).changed & self._relevant
            key = operator.name, operator.precondition, changed, self._has_agent
            effects_by_action[operator.name] = self.possible.once(
                key, partial(self._changes, operator)
            )
        lines = []
        for operator in operators:
            effects = effects_by_action[operator.name]
            same_effects = self._actions_with_same_effects(operator, operators, effects_by_action)
            # All that a line is made from; the phrases are those of the domain.
            line_key = (
                *(operator.name, operator.precondition, effects.clauses),
                *(tuple(same_effects.items()), self._show, self._has_agent),
            )
            line, mentions = self.possible.once_for_domain(
                line_key, partial(self._line, operator, effects, same_effects)
            )
            self._mentions.add(mentions)
            lines.append(line)
        return lines

    def _line(
        self, operator: Operator, effects: _Effects, same_effects: Mapping[Formula, str]
    ) -> tuple[RuleLine, _Mentions]:
        """Describe an action, and return what the line mentions, too.

        Args:
            operator: The action.
            effects: Its effects.
            same_effects: Conditions under which all effects of another action happen, each with
                the words for that action.
        """
        mentions_before = self._mentions
        self._mentions = _Mentions()
        # The first parameter is written as "agent".
        precondition = operator.precondition.substitute(self._actor(operator))
        conditions = tuple(
            self.say(condition) for condition in _factor_out_first(conjuncts(precondition))
        )
        effect_words = self._say_effects(effects.clauses, same_effects)
        line = RuleLine(self.head(operator), conditions, effect_words)
        mentions = self._mentions
        self._mentions = mentions_before
        return line, mentions

    def _changes(self, operator: Operator) -> _Effects:
        """Return the effects of an action that matter, with the agent as "agent".

        Effects on irrelevant predicates are left out. Deletions of all alternatives of a derived
        predicate become one deletion (see :func:`_fold_deletions`).
        """
        actor = self._actor(operator)
        effects = self.possible.effects(operator)
        relevant_effects = [effect for effect in effects if effect.atom.predicate in self._relevant]
        renamed_effects = []
        for clause in _fold_deletions(self.possible, relevant_effects):
            atom = _substitute(clause.atom, actor)
            renamed_effects.append(
                clause._replace(atom=atom, condition=clause.condition.substitute(actor))
            )
        return _Effects.of(renamed_effects)

    def _actor(self, operator: Operator) -> dict[str, Term]:
        """Return the substitution of the acting parameter by "agent": plans do not name it."""
        if not self._has_agent or not operator.parameters:
            return {}
        parameter = operator.parameters[0]
        return {parameter.name: Variable("agent", parameter.types)}

    def _actions_with_same_effects(
        self,
        operator: Operator,
        operators: Sequence[Operator],
        effects_by_action: Mapping[str, _Effects],
    ) -> dict[Formula, str]:
        """Find conditions under which an action has all effects of another action.

        Args:
            operator: The action.
            operators: The other actions; only those with the same parameters are compared.
            effects_by_action: The effects of each action, by its name.

        Returns:
            Condition to the other action, in words.
        """
        own_effects = effects_by_action[operator.name]
        same_effects: dict[Formula, str] = {}
        for condition, conditional_effects in own_effects.by_condition.items():
            if len(conditional_effects) < _MIN_NAMED_EFFECTS:
                continue
            possible_effects = conditional_effects | own_effects.always
            for candidate in operators:
                # Each effect of the candidate happens under the condition or always, and the
                # condition has no other effects.
                candidate_effects = effects_by_action[candidate.name].clauses
                if (
                    conditional_effects.issubset(candidate_effects)
                    and possible_effects.issuperset(candidate_effects)
                    and candidate.parameters == operator.parameters
                ):
                    same_effects[condition] = self.head(candidate)
        return same_effects

    def head(self, operator: Operator) -> str:
        """Return the name of an action with the parameters that a plan writes."""
        named = operator.parameters[int(self._has_agent) :]
        return f"{operator.name.upper()}({', '.join(map(self._name_and_kind, named))})"

    # ------------------------------------------------------------------ notes
    def notes(self, lines: Sequence[RuleLine]) -> Iterator[str]:
        """Yield explanations of the lines, and of the derived predicates in them."""
        if any(line.does for line in lines):
            yield self._reading_note()
        meanings = [*self._goal_meanings(), *self._meanings_of_mentioned()]
        if meanings:
            yield "What that means:"
            for meaning in meanings:
                yield f"- {meaning}"

    def _meanings_of_mentioned(self) -> Iterator[str]:
        """Yield explanations of the derived predicates that the text mentions so far.

        An explanation may mention further derived predicates, which are explained as well.
        """
        explained: set[str] = set()
        unexplained = list(self._mentions.derived)
        while unexplained:
            for name in unexplained:
                explained.add(name)
                meaning = self._meaning(name)
                if meaning:
                    yield meaning
            unexplained = [name for name in self._mentions.derived if name not in explained]

    def _reading_note(self) -> str:
        """Return how effects are to be read; signs are explained if they were used."""
        notes = [
            "Conditions of effects are about the state before the action.",
            "What becomes both true and false is true.",
        ]
        if self._mentions.has_star:
            notes.append("* is every object.")
        if self._mentions.has_both_ways:
            notes.append("P(x <-> y) is P(x, y) and P(y, x).")
        return " ".join(notes)

    def _goal_meanings(self) -> Iterator[str]:
        """Explain derived predicates that the goal calls by their names, not by their phrases.

        If the rules say "x is within reach" and the goal says ``reachable(x)``, the reader must
        learn that both mean the same.
        """
        stored = self._domain.predicates.keys() - self._domain.derived
        shown_names = {self._show(name) for name in stored}
        for name in sorted(self._wanted & self._domain.derived - shown_names):
            rule = self.possible.rule(name)
            if rule is not None and name in self._domain.phrases:
                variables, body = rule
                terms = ", ".join(variable.name for variable in variables)
                yield f"{name}({terms}): {self.say(body)}"

    def _meaning(self, name: str) -> str:
        """Return the line that explains a derived predicate; empty if its phrase is clear enough.

        Such a line is "reachable(x): near(agent, x), not hidden(x)".
        """
        rule = self.possible.rule(name)
        if rule is None:
            return ""
        variables, body = rule
        phrase = self._domain.phrases.get(name)
        if phrase is None or phrase.means is None:
            means = self.say(body)
        else:
            means = phrase.means.format(*[variable.name for variable in variables])
            # Lists have to show the predicates behind the phrase.
            self._mentions.predicates |= self.possible.stored(body)
        if not means:
            return ""
        return f"{self._say_atom(Atom(name, variables), True)}: {means}"

    # ------------------------------------------------------------------ conditions
    def say(self, formula: Formula, value: bool = True) -> str:
        """Return words for a condition.

        Args:
            formula: The condition.
            value: False for words that say its opposite.
        """
        if isinstance(formula, Not):
            return self.say(formula.operand, not value)
        if isinstance(formula, Atom):
            return self._say_atom(formula, value)
        if isinstance(formula, Equal):
            return f"{formula.left} {'is' if value else 'is not'} {formula.right}"
        if isinstance(formula, (And, Or)):
            return self._say_connective(formula, value)
        if isinstance(formula, Quantifier):
            return self._say_quantifier(formula, value)
        return format_formula(formula if value else Not(formula))

    def _say_connective(self, formula: And | Or, value: bool) -> str:
        """Return words for a conjunction or disjunction, or for its opposite (De Morgan)."""
        parts = conjuncts(formula) if isinstance(formula, And) else formula.operands
        # not (a and b) is "not a or not b".
        word = " and " if isinstance(formula, And) is value else " or "
        return word.join(self._say_part(part, value) for part in parts)

    def _say_part(self, formula: Formula, value: bool) -> str:
        """Return words for a part of a condition, in brackets where they could be misread."""
        words = self.say(formula, value)
        while isinstance(formula, Not):
            formula = formula.operand
        return words if isinstance(formula, (Atom, Equal)) else f"({words})"

    def _say_quantifier(self, formula: Quantifier, value: bool) -> str:
        """Return words for a quantified condition, or for its opposite.

        "Not for every x: P(x)" is written as "there is x with not P(x)".
        """
        tested = _kind_test(formula)
        if tested is not None:
            name, type_name = tested
            self._mentions.kinds.update(formula.variables[0].types)
            return f"{name} {'is' if value else 'is not'} of type {type_name}"
        names = " and ".join(map(self._kind_and_name, formula.variables))
        body = self._say_part(formula.body, value)
        if isinstance(formula, Exists) is value:
            return f"there is {names} with {body}"
        return f"for every {names}: {body}"

    def _say_atom(self, atom: Atom, value: bool) -> str:
        """Return words for an atom.

        A derived atom with a phrase becomes this phrase ("x is within reach of y"). Any other atom
        is written as ``open(x)``. Mentioned predicates are stored for the explanations.

        Args:
            atom: The atom.
            value: False for words that negate it.
        """
        terms = [term.name if isinstance(term, Variable) else term for term in atom.terms]
        name = atom.predicate
        if name in self._domain.derived:
            self._mentions.derived.setdefault(name)
            phrase = self._domain.phrases.get(name)
            if phrase is not None:
                template = phrase.true if value else phrase.false
                return template.format(*terms)
        else:
            self._mentions.predicates.add(name)
            name = self._show(name)
        sign = "" if value else "not "
        return f"{sign}{name}({', '.join(terms)})"

    def _name_and_kind(self, variable: Variable) -> str:
        """Return a parameter, followed by its type."""
        if variable.types == ("object",):
            return variable.name
        self._mentions.kinds.update(variable.types)
        return f"{variable.name}: {_kind(variable)}"

    def _kind_and_name(self, variable: Variable) -> str:
        """Return a variable, preceded by its type."""
        if variable.types == ("object",):
            return variable.name
        self._mentions.kinds.update(variable.types)
        return f"{_kind(variable)} {variable.name}"

    # ------------------------------------------------------------------ effects
    def _say_effects(
        self, effects: Iterable[Clause], actions_with_same_effects: Mapping[Formula, str]
    ) -> str:
        """Return words for effects: those without a condition first, then by their conditions.

        Args:
            effects: The effects.
            actions_with_same_effects: Conditions under which all effects of another action happen,
                each with the words for that action.
        """
        literals_by_condition = self._literals_by_condition(effects, actions_with_same_effects)
        sentences: list[str] = []
        for condition, groups in literals_by_condition.items():
            words = list(self._say_groups(groups))
            if condition in actions_with_same_effects:
                words.insert(0, f"what {actions_with_same_effects[condition]} does")
            if not words:
                continue
            joined_words = "; ".join(words)
            if condition == TRUE:
                sentences.append(joined_words)
                continue
            # Brackets show which effects the condition is for.
            if len(groups) > 1 or "," in joined_words:
                joined_words = f"[{joined_words}]"
            sentences.append(f"if {self.say(condition)}: {joined_words}")
        return f"then {'; '.join(sentences)}" if sentences else ""

    def _literals_by_condition(
        self, effects: Iterable[Clause], conditions_of_same_effects: Mapping[Formula, str]
    ) -> dict[Formula, dict[str, list[_Literal]]]:
        """Group the literals of effects by condition, then by the words for their objects.

        Effects that are the same as those of another action are left out, but their condition
        remains as a key.
        """
        # Unconditional effects come first, so their group exists from the start.
        literals_by_condition: dict[Formula, dict[str, list[_Literal]]] = {TRUE: {"": []}}
        # Deletions come first, as adding wins.
        for clause in sorted(effects, key=lambda clause: clause.added):
            outer_condition, inner_condition = _split_condition(clause)
            groups = literals_by_condition.setdefault(outer_condition, {})
            if outer_condition not in conditions_of_same_effects:
                atom, variables = self._put_star(clause, inner_condition)
                objects = self._say_objects(variables, inner_condition)
                groups.setdefault(objects, []).append((atom, clause.added))
        return literals_by_condition

    def _say_objects(self, variables: Sequence[Variable], condition: Formula) -> str:
        """Return words for the objects that an effect is about; empty for certain ones."""
        if not variables:
            return ""
        names = " and ".join(map(self._kind_and_name, variables))
        if condition == TRUE:
            return f"for each {names}"
        return f"for each {names} with {self._say_part(condition, True)}"

    def _say_groups(self, groups: Mapping[str, Sequence[_Literal]]) -> Iterator[str]:
        """Yield words for literals, by the objects that they are about."""
        for objects, literals in groups.items():
            if literals:
                listed = ", ".join(self._say_literals(literals))
                yield f"{objects}: {listed}" if objects else listed

    def _say_literals(self, literals: Sequence[_Literal]) -> Iterator[str]:
        """Yield words for literals; predicates that change for the same objects are joined.

        ``open(x)`` and ``clean(x)`` become ``open/clean(x)``, and ``near(x, y)`` with ``near(y,
        x)`` becomes ``near(x <-> y)``.
        """
        for (is_added, terms), names in self._names_by_terms(literals).items():
            if not names:  # the key is a phrase
                yield terms
                continue
            sign = "" if is_added else "not "
            yield f"{sign}{'/'.join(names)}({terms}"

    def _names_by_terms(self, literals: Sequence[_Literal]) -> dict[tuple[bool, str], list[str]]:
        """Group the predicates of literals by value and terms.

        Returns:
            The keys are value and terms, such as ``(True, "x <-> y)")``, with the names of
            predicates. A literal with a phrase is a key of its own, without names.
        """
        names_by_terms: dict[tuple[bool, str], list[str]] = {}
        said: set[_Literal] = set()
        for atom, is_added in literals:
            if (atom, is_added) in said:
                continue
            said.add((atom, is_added))
            reverse_atom = _reverse_of(atom)
            is_both_ways = False
            if reverse_atom is not None:
                is_both_ways = (reverse_atom, is_added) in literals
                # If the reverse is one of the literals, it is written together with this one.
                said.add((reverse_atom, is_added))
            name, bracket, terms = self._say_atom(atom, True).partition("(")
            is_phrase = " " in name or not bracket
            if is_phrase:
                names_by_terms.setdefault((is_added, self._say_atom(atom, is_added)), [])
                continue
            if is_both_ways:
                self._mentions.has_both_ways = True
                terms = terms.replace(", ", " <-> ")
            names_by_terms.setdefault((is_added, terms), []).append(name)
        return names_by_terms

    def _put_star(self, clause: Clause, inner_condition: Formula) -> tuple[Atom, list[Variable]]:
        """Write ``*`` for a variable that can be any object and occurs once.

        Args:
            clause: An effect.
            inner_condition: The part of its condition that its variables occur in.

        Returns:
            The atom, and the variables that are left.
        """
        for variable in clause.variables:
            is_any_object = variable.types == ("object",) and variable not in inner_condition.free
            if is_any_object and clause.atom.terms.count(variable) == 1:
                self._mentions.has_star = True
                terms = [_EVERYTHING if term == variable else term for term in clause.atom.terms]
                # Only one: two stars could be read as the same object.
                remaining = [other for other in clause.variables if other != variable]
                return Atom(clause.atom.predicate, tuple(terms)), remaining
        return clause.atom, list(clause.variables)


def _factor_out_first(conditions: Sequence[Formula]) -> list[Formula]:
    """Write ``a or b, a or c`` as ``a or (b and c)``, at the position of the first."""
    # By first operand: the other operands of the disjunctions that begin with it.
    rests_by_first: dict[Formula, list[Formula]] = {}
    for condition in conditions:
        if isinstance(condition, Or) and len(condition.operands) > 1:
            first_operand, *rest = condition.operands
            rests_by_first.setdefault(first_operand, []).append(Or.of(rest))
    factored: list[Formula] = []
    for condition in conditions:
        if not isinstance(condition, Or) or len(condition.operands) < 2:
            factored.append(condition)
            continue
        first_operand = condition.operands[0]
        rests = rests_by_first.pop(first_operand, None)
        # All disjunctions with the same first operand are written at the position of the first.
        if rests is not None:
            factored.append(Or((first_operand, And.of(rests))))
    return factored


def _fold_deletions(possible: Possible, effects: Iterable[Clause]) -> list[Clause]:
    """Write the deletion of a derived predicate instead of deletions of all its alternatives.

    If "held" means held in the left or in the right hand, "not held" replaces two deletions.
    """
    clauses = list(effects)
    for name in possible.derived:
        rule = possible.rule(name)
        if rule is None:
            continue
        variables, body = rule
        if not isinstance(body, Or):
            continue
        alternatives = [part for part in body.operands if isinstance(part, Atom)]
        if len(alternatives) == len(body.operands):
            clauses = _fold_by_rule(clauses, Atom(name, variables), alternatives)
    return clauses


def _fold_by_rule(clauses: list[Clause], head: Atom, alternatives: Sequence[Atom]) -> list[Clause]:
    """Replace deletions of all alternatives of a rule by the deletion of its head.

    With the rule "at(x, y) if on(x, y) or in(x, y)", the effects "not on(x, y)" and "not in(x, y)"
    become "not at(x, y)".

    Args:
        clauses: The effects.
        head: Head of the rule.
        alternatives: The atoms in the body of the rule. Each of them makes the head true.
    """
    variables = {term.name for term in head.terms if isinstance(term, Variable)}
    for deletion_of_first in [clause for clause in clauses if not clause.added]:
        binding = _binding(alternatives[0], deletion_of_first.atom)
        # Variables that occur only in the body would have no object.
        if binding is None or set(binding) != variables:
            continue
        deletions = [
            deletion_of_first._replace(atom=_substitute(alternative, binding))
            for alternative in alternatives
        ]
        if all(deletion in clauses for deletion in deletions):
            clauses[clauses.index(deletion_of_first)] = deletion_of_first._replace(
                atom=_substitute(head, binding)
            )
            clauses = [clause for clause in clauses if clause not in deletions]
    return clauses


def _substitute(atom: Atom, terms: Mapping[str, Term]) -> Atom:
    """Return an atom with some of its variables replaced."""
    replaced: list[Term] = []
    for term in atom.terms:
        if isinstance(term, Variable):
            replaced.append(terms.get(term.name, term))
        else:
            replaced.append(term)
    return Atom(atom.predicate, tuple(replaced))


def _binding(pattern: Atom, atom: Atom) -> dict[str, Term] | None:
    """Return the terms of an atom by the variables of a pattern; None for another predicate."""
    if pattern.predicate != atom.predicate:
        return None
    pairs = zip(pattern.terms, atom.terms, strict=True)
    return {variable.name: term for variable, term in pairs if isinstance(variable, Variable)}


def _split_condition(clause: Clause) -> tuple[Formula, Formula]:
    """Split a condition into the part without the clause's variables, and the part with them.

    "For every x, if door is open and x is near: wet(x)" has the outer part "door is open", which
    can be said once, and the inner part "x is near".
    """
    names = {variable.name for variable in clause.variables}
    outer_parts: list[Formula] = []
    inner_parts: list[Formula] = []
    for conjunct in conjuncts(clause.condition):
        if names.isdisjoint(conjunct.free_names):
            outer_parts.append(conjunct)
        else:
            inner_parts.append(conjunct)
    return And.of(outer_parts) if outer_parts else TRUE, And.of(
        inner_parts
    ) if inner_parts else TRUE


def _kind_test(formula: Quantifier) -> tuple[str, str] | None:
    """Return the object and the type if a condition only says that it has this type.

    PDDL writes that as "there is an x of the type with x = object".
    """
    if not isinstance(formula, Exists) or len(formula.variables) != 1:
        return None
    variable = formula.variables[0]
    body = formula.body
    if not isinstance(body, Equal):
        return None
    if body.left == variable and body.right != variable:
        return str(body.right), _kind(variable)
    if body.right == variable and body.left != variable:
        return str(body.left), _kind(variable)
    return None


def _kind(variable: Variable) -> str:
    """Return the type of a variable in words: ``"cup or plate"``."""
    return " or ".join(variable.types)
