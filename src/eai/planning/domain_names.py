"""Matching the names of two domains, and writing one domain in the names of the other.

Names that are spelt alike stand for the same thing (letter case, hyphens and underscores make no
difference). The others are renamed so that the domains become the same, if there is such a
renaming: an isomorphism of labelled graphs, found by colour refinement (Weisfeiler & Leman 1968),
whose nodes are types, predicates, constants, actions, parameters and the parts of conditions and
effects. If there is
none, names are matched by how they are used and spelt, the most alike first; that is a guess, and
:class:`DomainNames` says so.

Cost: a refinement for each group of names that nothing tells apart; the guess is quadratic in the
number of names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import islice, permutations, product
from typing import Any

from eai.logic import Atom, Formula, NumericCondition, Quantifier, Term, Variable, conjuncts
from eai.pddl import (
    AndEffect,
    Axiom,
    Clause,
    CostClause,
    Domain,
    Effect,
    NumericClause,
    Operator,
    Predicate,
    clauses,
    cost_clauses,
    numeric_clauses,
    polarities,
)
from eai.planning.graphs import FormulaGraph, Node, isomorphism

_ORDERS = 720
"""Maximum number of orders of parameters that are tried: all of six."""
_LEAST_ALIKE = 0.5
"""Similarity from which names that are spelt differently are matched."""


@dataclass(frozen=True, slots=True)
class DomainNames:
    """The names of a second domain, each with the name of the first that stands for the same.

    Args:
        types: Types.
        predicates: Predicates.
        constants: Constants.
        actions: Actions.
        parameters: Action of the second domain to the positions of its parameters in the order of
            the first; only of matched actions.
        is_proof: Whether the domains are the same under these names; else they are a guess.
    """

    types: Mapping[str, str] = field(default_factory=dict)
    predicates: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    is_proof: bool = False

    def renamed(self) -> Iterator[tuple[str, str]]:
        """Yield the names that differ, that of the first domain first."""
        for names in (self.types, self.predicates, self.constants, self.actions):
            for second, first in names.items():
                if first != second:
                    yield first, second

    def reordered(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the actions of the second domain with another order of parameters."""
        for action, order in self.parameters.items():
            if order != tuple(range(len(order))):
                yield action, order


def plain_symbol(name: str) -> str:
    """Return a name without what makes no difference: letter case, hyphens, underscores."""
    return name.lower().replace("-", "").replace("_", "")


def same_structure(
    first: Domain, second: Domain, given: Mapping[str, str], *, is_spelling_kept: bool = True
) -> DomainNames | None:
    """Return names under which two domains are the same as they are written; None if none are.

    Order makes no difference, nor do declarations that no action and no rule uses.

    Args:
        first: One domain.
        second: The other one.
        given: Names of the second domain, with those of the first that they stand for.
        is_spelling_kept: Whether names that are spelt alike have to be matched.
    """
    alike = _Alike(first, second, given) if is_spelling_kept else None
    graphs = []
    for number, domain in enumerate((first, second)):
        graphs.append(_DomainGraph(domain, alike, number).graph)
    mapping = isomorphism(graphs[1], graphs[0])
    return None if mapping is None else _names_of(mapping, first, second)


def _names_of(mapping: Mapping[Any, Any], first: Domain, second: Domain) -> DomainNames:
    """Return the names that an isomorphism from the second domain to the first one matches."""
    found: dict[str, dict[str, str]] = {
        "type": {},
        "predicate": {},
        "object": {},
        "action": {},
    }
    for own, other in mapping.items():
        if len(own) == 2 and own[0] in found:
            found[str(own[0])][str(own[1])] = str(other[1])
    parameters = {}
    for second_name in found["action"]:
        positions = [0] * len(second.operators[second_name].parameters)
        for position in range(len(positions)):
            other = mapping["action", second_name, "parameter", position]
            positions[int(other[3])] = position
        parameters[second_name] = tuple(positions)
    _add_unused(found["predicate"], first.predicates, second.predicates)
    _add_unused(found["type"], first.types, second.types)
    return DomainNames(
        found["type"],
        found["predicate"],
        found["object"],
        found["action"],
        parameters,
        is_proof=True,
    )


def _add_unused(found: dict[str, str], first: Iterable[str], second: Iterable[str]) -> None:
    """Add names that nothing uses and that are spelt alike."""
    free = {plain_symbol(name): name for name in first if name not in found.values()}
    for name in second:
        if name not in found and plain_symbol(name) in free:
            found[name] = free[plain_symbol(name)]


class _Alike:
    """Tells which names of two domains have to be matched, as they are given or spelt alike.

    Args:
        first: One domain.
        second: The other one.
        given: Names of the second domain, with those of the first.
    """

    def __init__(self, first: Domain, second: Domain, given: Mapping[str, str]) -> None:
        self._given = given
        self._shared: set[tuple[str, str, int]] = set()
        symbols = [set(_symbols(first)), {self._key(1, *symbol) for symbol in _symbols(second)}]
        self._shared = {self._key(0, *symbol) for symbol in symbols[0]} & symbols[1]

    def _key(self, number: int, kind: str, name: str, arity: int) -> tuple[str, str, int]:
        if number == 1:
            name = self._given.get(name, name)
        return kind, plain_symbol(name), arity

    def has_both(self, kind: str, name: str, arity: int = 0) -> bool:
        """Return whether both domains have a symbol under a name."""
        return any(self._key(number, kind, name, arity) in self._shared for number in (0, 1))

    def label(self, number: int, kind: str, name: str, arity: int = 0) -> object:
        """Return the label of a symbol of the first (0) or second (1) domain."""
        key = self._key(number, kind, name, arity)
        return key if key in self._shared else (kind, arity)


def _symbols(domain: Domain) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, the name and the arity of everything that a domain names."""
    for name in ("object", *domain.types):
        yield "type", name, 0
    for name in domain.constants:
        yield "object", name, 0
    for predicate in domain.predicates.values():
        yield "predicate", predicate.name, predicate.arity
    for operator in domain.operators.values():
        yield "action", operator.name, len(operator.parameters)


class _DomainGraph(FormulaGraph):
    """The graph of a domain.

    Args:
        domain: The domain.
        alike: Names that have to be matched; None if only their use counts.
        number: 0 for the first of two domains, 1 for the second.
    """

    def __init__(self, domain: Domain, alike: _Alike | None, number: int) -> None:
        super().__init__(has_symbols=True)
        self._domain = domain
        for operator in domain.operators.values():
            self._add_operator(operator)
        for position, axiom in enumerate(domain.axioms):
            self._add_axiom(axiom, position)
        self._add_types(alike)
        for name, kind in domain.constants.items():
            self.graph.add_edge(("object", name), ("type", kind))
        for node, attributes in self.graph.nodes(data=True):
            # Symbols came in as neighbours of others, so they have no label yet.
            if "label" not in attributes:
                kind, name = node
                attributes["label"] = self._label(alike, number, kind, name)
        if ("type", "object") in self.graph:
            self.graph.nodes["type", "object"]["label"] = ("root",)

    def _label(self, alike: _Alike | None, number: int, kind: str, name: str) -> object:
        """Return the label of a symbol."""
        arity = 0
        if kind == "predicate" and name in self._domain.predicates:
            arity = self._domain.predicates[name].arity
        elif kind == "action":
            arity = len(self._domain.operators[name].parameters)
        return (kind, arity) if alike is None else alike.label(number, kind, name, arity)

    def _add_types(self, alike: _Alike | None) -> None:
        """Add the types that are used or that both domains have, and those above them."""
        pending = [node[1] for node in self.graph if len(node) == 2 and node[0] == "type"]
        pending += self._domain.constants.values()
        for name in self._domain.types:
            # An object of a subtype fits wherever its type does, though no action names it.
            if alike is None or alike.has_both("type", name):
                pending.append(name)
        seen: set[str] = set()
        while pending:
            name = pending.pop()
            if name in seen or name == "object":
                continue
            seen.add(name)
            parent = self._domain.types.get(name, "object")
            pending.append(parent)
            upper = self.add(("parent", name), ("parent",), [("type", parent)])
            self.add(("child", name), ("child",), [("type", name), upper])

    def _add_operator(self, operator: Operator) -> None:
        node: Node = ("action", operator.name)
        self.graph.add_node(node)
        scope = self.add_variables(operator.parameters, node, "parameter")
        for parameter in scope.values():
            self.graph.add_edge(node, parameter)
        for number, part in enumerate(dict.fromkeys(conjuncts(operator.precondition))):
            below = (*node, "condition", number)
            self.add(below, "")
            self.add_formula(part, below, scope)
            self.add((*node, "needs", number), ("needs",), [node, below])
        names = [variable.name for variable in operator.parameters]
        for number, clause in enumerate(dict.fromkeys(clauses(operator.effect, names))):
            self._add_clause(clause, (*node, "effect", number), node, scope)
        if self._domain.has_numbers:
            changes = dict.fromkeys(numeric_clauses(operator.effect, names))
            for number, change in enumerate(changes):
                self._add_change(change, (*node, "change", number), node, scope)

    def _add_change(
        self, change: NumericClause, below: Node, node: Node, scope: Mapping[str, Node]
    ) -> None:
        """Add one change of a number below an action; functions keep their names."""
        self.add(below, ("change", change.update), [node])
        variables = self.add_variables(change.variables, below)
        inner = {**scope, **variables}
        for variable in variables.values():
            self.graph.add_edge(below, variable)
        self.add_formula(change.condition, (*below, "if"), inner)
        self.graph.add_edge(below, (*below, "if"))
        # Target and amount have their terms in one row, as the two sides of a comparison.
        sides = NumericCondition("=", change.target, change.amount)
        self.add_formula(sides, (*below, "by"), inner)
        self.add((*below, "sets"), ("sets",), [below, (*below, "by")])

    def _add_clause(
        self, clause: Clause, below: Node, node: Node, scope: Mapping[str, Node]
    ) -> None:
        """Add one literal of an effect below an action."""
        self.add(below, ("effect", clause.added), [node])
        variables = self.add_variables(clause.variables, below)
        inner = {**scope, **variables}
        for variable in variables.values():
            self.graph.add_edge(below, variable)
        self.add_formula(clause.condition, (*below, "if"), inner)
        self.graph.add_edge(below, (*below, "if"))
        self.add_formula(clause.atom, (*below, "then"), inner)
        self.add((*below, "makes"), ("makes",), [below, (*below, "then")])

    def _add_axiom(self, axiom: Axiom, number: int) -> None:
        node = self.add(("axiom", number, 0), ("axiom",))
        variables = [term for term in axiom.head.terms if isinstance(term, Variable)]
        scope = self.add_variables(variables, node)
        self.add_formula(axiom.head, (*node, "head"), scope)
        self.add_formula(axiom.body, (*node, "body"), scope)
        self.add((*node, "to"), ("head",), [node, (*node, "head")])
        self.graph.add_edge(node, (*node, "body"))


def guessed_names(first: Domain, second: Domain, given: Mapping[str, str]) -> DomainNames:
    """Return names matched by spelling, and by use where they are spelt differently."""
    types = _matched(first.types, second.types, given, _spelling)
    types["object"] = "object"
    constants = _matched(first.constants, second.constants, given, _spelling)
    by_spelling = _matched(first.operators, second.operators, given, _same_name)
    uses = _uses(first, {}), _uses(second, by_spelling)

    def predicate_alikeness(one: str, other: str) -> float:
        if first.predicates[one].arity != second.predicates[other].arity:
            return 0.0
        return max(_same_name(one, other), (_spelling(one, other) + _overlap(uses, one, other)) / 2)

    predicates = _matched(first.predicates, second.predicates, given, predicate_alikeness)
    literals = _operator_literals(first, {}), _operator_literals(second, predicates)

    def action_alikeness(one: str, other: str) -> float:
        if len(first.operators[one].parameters) != len(second.operators[other].parameters):
            return 0.0
        alike = (_spelling(one, other) + _overlap(literals, one, other)) / 2
        return max(_same_name(one, other), alike)

    actions = _matched(first.operators, second.operators, given, action_alikeness)
    parameters = {}
    for second_name, first_name in actions.items():
        pair = first.operators[first_name], second.operators[second_name]
        parameters[second_name] = _best_order(*pair, predicates, types)
    return DomainNames(types, predicates, constants, actions, parameters)


def _matched(
    first: Iterable[str],
    second: Iterable[str],
    given: Mapping[str, str],
    alikeness: Callable[[str, str], float],
) -> dict[str, str]:
    """Match names one to one, the most alike first; given ones before all others."""
    ranked = []
    for one, other in product(first, second):
        alike = 2.0 if given.get(other) == one else alikeness(one, other)
        if alike >= _LEAST_ALIKE:
            ranked.append((-alike, one, other))
    matched: dict[str, str] = {}
    taken: set[str] = set()
    for _, one, other in sorted(ranked):
        if other not in matched and one not in taken and given.get(other, one) == one:
            matched[other] = one
            taken.add(one)
    return matched


def _same_name(one: str, other: str) -> float:
    return float(plain_symbol(one) == plain_symbol(other))


def _spelling(one: str, other: str) -> float:
    return SequenceMatcher(None, plain_symbol(one), plain_symbol(other)).ratio()


def _overlap(uses: tuple[_Uses, _Uses], one: str, other: str) -> float:
    """Return the share of uses that two names have in common, between 0 and 1."""
    left, right = uses[0].get(one, Counter()), uses[1].get(other, Counter())
    most = max(left.total(), right.total())
    return (left & right).total() / most if most else 0.0


_Uses = dict[str, Counter[tuple[object, ...]]]


def _uses(domain: Domain, actions: Mapping[str, str]) -> _Uses:
    """Return where each predicate occurs: in which action, as a condition or an effect."""
    uses: _Uses = {}
    for operator in domain.operators.values():
        name = actions.get(operator.name, operator.name)
        for role, is_positive, atom in _literals(operator):
            uses.setdefault(atom.predicate, Counter())[name, role, is_positive] += 1
    return uses


def _operator_literals(domain: Domain, predicates: Mapping[str, str]) -> _Uses:
    """Return the literals of each action, without their arguments."""
    literals: _Uses = {}
    for operator in domain.operators.values():
        counts = literals.setdefault(operator.name, Counter())
        for role, is_positive, atom in _literals(operator):
            counts[role, is_positive, predicates.get(atom.predicate, atom.predicate)] += 1
    return literals


def _literals(operator: Operator) -> Iterator[tuple[str, bool, Atom]]:
    """Yield the literals of an action, and whether each is a condition or an effect."""
    for atom, is_positive in polarities(operator.precondition):
        yield "condition", is_positive, atom
    for clause in clauses(operator.effect, [variable.name for variable in operator.parameters]):
        yield "effect", clause.added, clause.atom


def _best_order(
    first: Operator, second: Operator, predicates: Mapping[str, str], types: Mapping[str, str]
) -> tuple[int, ...]:
    """Return the order of the second action's parameters in which most literals are the first's.

    The order as it is written comes first, so it is kept where no other is better.
    """
    wanted = Counter(_placed(first, range(len(first.parameters)), {}, {}))
    best: tuple[int, ...] = ()
    most = -1
    for order in islice(permutations(range(len(second.parameters))), _ORDERS):
        shared = (Counter(_placed(second, order, predicates, types)) & wanted).total()
        if shared > most:
            best, most = order, shared
    return best


def _placed(
    operator: Operator,
    order: Iterable[int],
    predicates: Mapping[str, str],
    types: Mapping[str, str],
) -> Iterator[tuple[object, ...]]:
    """Yield the literals and the types of an action, with its parameters by their places."""
    places: dict[str, int] = {}
    for place, position in enumerate(order):
        variable = operator.parameters[position]
        places[variable.name] = place
        yield place, tuple(sorted(types.get(name, name) for name in variable.types))
    for role, is_positive, atom in _literals(operator):
        terms = []
        for term in atom.terms:
            terms.append(places.get(term.name, -1) if isinstance(term, Variable) else term)
        yield role, is_positive, predicates.get(atom.predicate, atom.predicate), tuple(terms)


def in_names_of(first: Domain, second: Domain, names: DomainNames) -> Domain:
    """Return the second domain in the names of the first.

    What has no counterpart keeps its name, with a prime where the first domain has the same name
    for something else.
    """
    return _Renaming(first, second, names).domain()


class _Renaming:
    """Writes the second of two domains in the names of the first."""

    def __init__(self, first: Domain, second: Domain, names: DomainNames) -> None:
        self._second = second
        self._names = names
        self._types = _completed(names.types, second.types, first.types)
        self._predicates = _completed(names.predicates, second.predicates, first.predicates)
        self._actions = _completed(names.actions, second.operators, first.operators)
        self._constants = _completed(names.constants, second.constants, first.constants)

    def domain(self) -> Domain:
        """Return the renamed domain."""
        second = self._second
        types = {}
        for name, parent in second.types.items():
            types[self._type(name)] = self._type(parent)
        predicates = {}
        for predicate in second.predicates.values():
            name = self._predicates[predicate.name]
            predicates[name] = Predicate(name, self._variables(predicate.parameters))
        operators = {}
        for operator in second.operators.values():
            renamed = self._operator(operator)
            operators[renamed.name] = renamed
        functions = {}
        for name, function in second.functions.items():
            functions[name] = replace(function, parameters=self._variables(function.parameters))
        axioms = [Axiom(self._atom(rule.head), self._formula(rule.body)) for rule in second.axioms]
        constants = {}
        for name, kind in second.constants.items():
            constants[self._constants[name]] = self._type(kind)
        return replace(
            second,
            types=types,
            constants=constants,
            predicates=predicates,
            functions=functions,
            axioms=tuple(axioms),
            operators=operators,
            phrases={},
        )

    def _type(self, name: str) -> str:
        return self._types.get(name, name)

    def _operator(self, operator: Operator) -> Operator:
        parameters = self._variables(operator.parameters)
        order = self._names.parameters.get(operator.name, range(len(parameters)))
        names = [variable.name for variable in operator.parameters]
        effects: list[Effect] = []
        for cost in cost_clauses(operator.effect, names):
            effects.append(self._cost(cost).effect)
        for clause in clauses(operator.effect, names):
            condition = self._formula(clause.condition)
            variables = self._variables(clause.variables)
            atom = self._atom(clause.atom)
            effects.append(Clause(variables, condition, clause.added, atom).effect)
        for change in numeric_clauses(operator.effect, names, has_costs=False):
            effects.append(self._change(change).effect)
        return Operator(
            self._actions[operator.name],
            tuple([parameters[position] for position in order]),
            self._formula(operator.precondition),
            AndEffect(tuple(effects)),
        )

    def _cost(self, cost: CostClause) -> CostClause:
        return cost._replace(
            variables=self._variables(cost.variables), condition=self._formula(cost.condition)
        )

    def _change(self, change: NumericClause) -> NumericClause:
        # A function keeps its name; its objects are renamed as in a comparison.
        sides = NumericCondition("=", change.target, change.amount)
        renamed = sides.with_terms(self._terms(sides.terms))
        assert isinstance(renamed.left, Atom)  # noqa: S101 - the target stays one
        return NumericClause(
            self._variables(change.variables),
            self._formula(change.condition),
            change.update,
            renamed.left,
            renamed.right,
        )

    def _variables(self, variables: Iterable[Variable]) -> tuple[Variable, ...]:
        renamed = []
        for variable in variables:
            renamed.append(Variable(variable.name, tuple(map(self._type, variable.types))))
        return tuple(renamed)

    def _formula(self, formula: Formula) -> Formula:
        if isinstance(formula, Atom):
            return self._atom(formula)
        if isinstance(formula, Quantifier):
            return formula.over(self._variables(formula.variables), self._formula(formula.body))
        if formula.operands:
            operands = []
            for operand in formula.operands:
                operands.append(self._formula(operand))
            return formula.rebuild(operands)
        return formula.with_terms(self._terms(formula.terms)) if formula.terms else formula

    def _atom(self, atom: Atom) -> Atom:
        # A predicate that is not declared keeps its name; checks of the domain name it.
        name = self._predicates.get(atom.predicate, atom.predicate)
        return Atom(name, self._terms(atom.terms))

    def _terms(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        renamed: list[Term] = []
        for term in terms:
            if isinstance(term, Variable):
                renamed += self._variables([term])
            else:
                renamed.append(self._constants.get(term, term))
        return tuple(renamed)


def _completed(
    matched: Mapping[str, str], own: Iterable[str], taken: Iterable[str]
) -> dict[str, str]:
    """Return a name for each of some names: the matched one, or its own, told apart by primes."""
    names = dict(matched)
    used = {*taken, *matched.values()}
    for name in own:
        if name in names:
            continue
        free = name
        while free in used:
            free += "'"
        names[name] = free
        used.add(free)
    return names
