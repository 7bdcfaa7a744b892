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
from functools import partial
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

_MAX_ORDERS = 720
"""Maximum number of orders of parameters that are tried: all of six."""
_MIN_SIMILARITY = 0.5
"""Similarity from which names that are spelt differently are matched."""
_GIVEN = 2.0
"""Similarity of names that the user matched: above any that spelling and use can reach, 1."""
_QUANTIFIED = -1
"""Position of a variable that is no parameter, but bound by a quantifier."""


@dataclass(frozen=True, slots=True)
class DomainNames:
    """A mapping from the names of a second domain to the corresponding names of the first.

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
        """Yield (name in the first domain, name in the second) where the two differ."""
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
    """Return a name in small letters, without hyphens and underscores, which do not matter."""
    return name.lower().replace("-", "").replace("_", "")


def same_structure(
    first: Domain, second: Domain, given: Mapping[str, str], *, is_spelling_kept: bool = True
) -> DomainNames | None:
    """Return a renaming that makes two domains syntactically equal, or None.

    The order of parts and unused declarations make no difference.

    Args:
        first: One domain.
        second: The other one.
        given: Names of the second domain, with those of the first that they stand for.
        is_spelling_kept: Whether names that are spelt alike have to be matched.
    """
    # Names that are spelt alike are pinned. It is also what makes the search for an isomorphism
    # quick: without them, any predicate of two arguments might be any other.
    shared_symbols = _SharedSymbols(first, second, given) if is_spelling_kept else None
    graphs = []
    for domain_index, domain in enumerate((first, second)):
        graphs.append(_DomainGraph(domain, shared_symbols, domain_index).graph)
    # From the second to the first: names of the second are to be written as those of the first.
    mapping = isomorphism(graphs[1], graphs[0])
    return None if mapping is None else _names_of_isomorphism(mapping, first, second)


def _names_of_isomorphism(mapping: Mapping[Any, Any], first: Domain, second: Domain) -> DomainNames:
    """Return the names that an isomorphism from the second domain to the first one pairs.

    Args:
        mapping: Each node of the second domain's graph with its image. Nodes of symbols are pairs
            such as ``("predicate", "on")``, those of parameters quadruples such as
            ``("action", "open", "parameter", 0)``.
        first: The first domain.
        second: The second domain.
    """
    matches_by_kind: dict[str, dict[str, str]] = {
        "type": {},
        "predicate": {},
        "object": {},
        "action": {},
    }
    # Nodes of other kinds, such as ("parent", "block"), stand for no name.
    for node, image in mapping.items():
        if len(node) == 2 and node[0] in matches_by_kind:
            matches_by_kind[str(node[0])][str(node[1])] = str(image[1])
    parameters = {}
    # For the first domain's (move ?from ?to) and the second's (go ?goal ?start), the result is
    # {"go": (1, 0)}: "?from" is the parameter 1 of "go", "?to" its parameter 0.
    for second_name in matches_by_kind["action"]:
        positions = [0] * len(second.operators[second_name].parameters)
        for position in range(len(positions)):
            image = mapping["action", second_name, "parameter", position]
            positions[int(image[3])] = position
        parameters[second_name] = tuple(positions)
    _match_unused_names(matches_by_kind["predicate"], first.predicates, second.predicates)
    _match_unused_names(matches_by_kind["type"], first.types, second.types)
    return DomainNames(
        matches_by_kind["type"],
        matches_by_kind["predicate"],
        matches_by_kind["object"],
        matches_by_kind["action"],
        parameters,
        is_proof=True,
    )


def _match_unused_names(
    matches: dict[str, str], first: Iterable[str], second: Iterable[str]
) -> None:
    """Pair the unused names that are spelled alike."""
    unused_by_spelling = {
        plain_symbol(name): name for name in first if name not in matches.values()
    }
    for name in second:
        if name not in matches and plain_symbol(name) in unused_by_spelling:
            matches[name] = unused_by_spelling[plain_symbol(name)]


class _SharedSymbols:
    """Says which names of two domains have to be paired, because they are given or alike.

    Args:
        first: One domain.
        second: The other one.
        given: Names of the second domain, with those of the first.
    """

    def __init__(self, first: Domain, second: Domain, given: Mapping[str, str]) -> None:
        self._given = given
        self._shared: set[tuple[str, str, int]] = set()
        # A name with another number of arguments has another key: it is not the same thing.
        keys_of_first = {self._key(0, *symbol) for symbol in _symbols(first)}
        keys_of_second = {self._key(1, *symbol) for symbol in _symbols(second)}
        self._shared = keys_of_first & keys_of_second

    def _key(
        self, domain_index: int, symbol_kind: str, name: str, arity: int
    ) -> tuple[str, str, int]:
        """Return the key of a symbol. Symbols that have to be paired have equal keys.

        Args:
            domain_index: 0 for a symbol of the first domain, 1 for one of the second.
            symbol_kind: ``"type"``, ``"object"``, ``"predicate"`` or ``"action"``.
            name: Its name.
            arity: Number of its arguments.
        """
        if domain_index == 1:
            name = self._given.get(name, name)
        return symbol_kind, plain_symbol(name), arity

    def has_both(self, kind: str, name: str, arity: int = 0) -> bool:
        """Return whether both domains have a symbol under a name."""
        return any(self._key(number, kind, name, arity) in self._shared for number in (0, 1))

    def label(self, domain_index: int, symbol_kind: str, name: str, arity: int = 0) -> object:
        """Return the label of a symbol of the first (0) or second (1) domain.

        A label with the name lets an isomorphism match only this symbol. A label without it, such
        as ``("predicate", 2)``, lets it match any predicate of two arguments.
        """
        key = self._key(domain_index, symbol_kind, name, arity)
        if key in self._shared:
            return key
        return symbol_kind, arity


def _symbols(domain: Domain) -> Iterator[tuple[str, str, int]]:
    """Yield (kind, name, arity) for every symbol of a domain.

    Types and objects have arity 0. The type ``object`` is there without being declared.
    """
    for name in ("object", *domain.types):
        yield "type", name, 0
    for name in domain.constants:
        yield "object", name, 0
    for predicate in domain.predicates.values():
        yield "predicate", predicate.name, predicate.arity
    for operator in domain.operators.values():
        yield "action", operator.name, len(operator.parameters)


class _DomainGraph(FormulaGraph):
    """The graph of a domain."""

    def __init__(
        self, domain: Domain, shared_symbols: _SharedSymbols | None, domain_index: int
    ) -> None:
        """Build the graph of operators, rules, types and constants.

        Two domains have the same structure if their labelled graphs are isomorphic.

        Args:
            domain: The domain.
            shared_symbols: Names that have to be matched; None if only their use counts.
            domain_index: 0 for the first of two domains, 1 for the second.
        """
        super().__init__(has_symbols=True)
        self._domain = domain
        for operator in domain.operators.values():
            self._add_operator(operator)
        for position, axiom in enumerate(domain.axioms):
            self._add_axiom(axiom, position)
        self._add_types(shared_symbols)
        for name, type_name in domain.constants.items():
            self.graph.add_edge(("object", name), ("type", type_name))
        for node, attributes in self.graph.nodes(data=True):
            # Symbols were added as neighbours of other nodes, so they have no label yet.
            if "label" not in attributes:
                symbol_kind, name = node
                attributes["label"] = self._label(shared_symbols, domain_index, symbol_kind, name)
        # The root type is the same in every domain.
        if ("type", "object") in self.graph:
            self.graph.nodes["type", "object"]["label"] = ("root",)

    def _label(
        self, shared_symbols: _SharedSymbols | None, domain_index: int, symbol_kind: str, name: str
    ) -> object:
        """Return the label of a symbol.

        Two symbols may correspond to each other only if their labels are equal: they have the same
        kind and arity, and the same name where names are compared.

        Args:
            shared_symbols: The symbols whose names count; None if no names count.
            domain_index: Which of the two domains this is.
            symbol_kind: Kind of the symbol.
            name: Its name.
        """
        arity = 0
        if symbol_kind == "predicate" and name in self._domain.predicates:
            arity = self._domain.predicates[name].arity
        elif symbol_kind == "action":
            arity = len(self._domain.operators[name].parameters)
        if shared_symbols is None:
            return symbol_kind, arity
        return shared_symbols.label(domain_index, symbol_kind, name, arity)

    def _add_types(self, shared_symbols: _SharedSymbols | None) -> None:
        """Add the types that are used or shared by both domains, with their supertypes.

        Domains may differ in other types.
        """
        pending = [node[1] for node in self.graph if len(node) == 2 and node[0] == "type"]
        pending += self._domain.constants.values()
        for name in self._domain.types:
            # A subtype may matter although no action names it: its objects are of its supertype.
            if shared_symbols is None or shared_symbols.has_both("type", name):
                pending.append(name)
        visited: set[str] = set()
        while pending:
            name = pending.pop()
            if name in visited or name == "object":
                continue
            visited.add(name)
            parent = self._domain.types.get(name, "object")
            pending.append(parent)
            parent_node = self.add(("parent", name), ("parent",), [("type", parent)])
            self.add(("child", name), ("child",), [("type", name), parent_node])

    def _add_operator(self, operator: Operator) -> None:
        """Add an action: its parameters, the conjuncts of its precondition, and its effects.

        Equal conjuncts, and equal literals of an effect, are added once: writing one twice makes
        no difference.
        """
        node: Node = ("action", operator.name)
        self.graph.add_node(node)
        scope = self.add_variables(operator.parameters, node, "parameter")
        for parameter in scope.values():
            self.graph.add_edge(node, parameter)
        # The nodes have numbers, but labels do not, so the order of conjuncts does not matter.
        for index, conjunct in enumerate(dict.fromkeys(conjuncts(operator.precondition))):
            condition_node = (*node, "condition", index)
            self.add(condition_node, "")
            self.add_formula(conjunct, condition_node, scope)
            self.add((*node, "needs", index), ("needs",), [node, condition_node])
        parameter_names = [variable.name for variable in operator.parameters]
        for index, clause in enumerate(dict.fromkeys(clauses(operator.effect, parameter_names))):
            self._add_clause(clause, (*node, "effect", index), node, scope)
        if self._domain.has_numbers:
            changes = dict.fromkeys(numeric_clauses(operator.effect, parameter_names))
            for index, change in enumerate(changes):
                self._add_change(change, (*node, "change", index), node, scope)

    def _add_change(
        self, change: NumericClause, change_node: Node, node: Node, scope: Mapping[str, Node]
    ) -> None:
        """Add one change of a number below an action; functions keep their names.

        Args:
            change: The change.
            change_node: Node of the action, which the new nodes are named after.
            node: Node that the change hangs on.
            scope: Nodes of the variables that are bound around it.
        """
        self.add(change_node, ("change", change.update), [node])
        variables = self.add_variables(change.variables, change_node)
        inner_scope = {**scope, **variables}
        for variable in variables.values():
            self.graph.add_edge(change_node, variable)
        self.add_formula(change.condition, (*change_node, "if"), inner_scope)
        self.graph.add_edge(change_node, (*change_node, "if"))
        # Target and amount have their terms in one row, as the two sides of a comparison.
        sides = NumericCondition("=", change.target, change.amount)
        self.add_formula(sides, (*change_node, "by"), inner_scope)
        self.add((*change_node, "sets"), ("sets",), [change_node, (*change_node, "by")])

    def _add_clause(
        self, clause: Clause, clause_node: Node, node: Node, scope: Mapping[str, Node]
    ) -> None:
        """Add one literal of an effect below an action.

        Args:
            clause: The literal, with its quantified variables and its condition.
            clause_node: The node of the literal.
            node: The node of the action.
            scope: Names of the action's parameters, with their nodes.
        """
        self.add(clause_node, ("effect", clause.added), [node])
        variables = self.add_variables(clause.variables, clause_node)
        inner_scope = {**scope, **variables}
        for variable in variables.values():
            self.graph.add_edge(clause_node, variable)
        self.add_formula(clause.condition, (*clause_node, "if"), inner_scope)
        self.graph.add_edge(clause_node, (*clause_node, "if"))
        self.add_formula(clause.atom, (*clause_node, "then"), inner_scope)
        self.add((*clause_node, "makes"), ("makes",), [clause_node, (*clause_node, "then")])

    def _add_axiom(self, axiom: Axiom, axiom_index: int) -> None:
        """Add a rule: its variables, its head and its body.

        Args:
            axiom: The rule.
            axiom_index: Its position in the domain, which distinguishes its nodes.
        """
        node = self.add(("axiom", axiom_index, 0), ("axiom",))
        scope = self.add_variables(axiom.parameters, node)
        self.add_formula(axiom.head, (*node, "head"), scope)
        self.add_formula(axiom.body, (*node, "body"), scope)
        self.add((*node, "to"), ("head",), [node, (*node, "head")])
        self.graph.add_edge(node, (*node, "body"))


def guessed_names(first: Domain, second: Domain, given_pairs: Mapping[str, str]) -> DomainNames:
    """Return a renaming guessed by spelling, and by use for differently spelled names.

    Args:
        first: The first domain.
        second: The second domain.
        given_pairs: Names of the second domain, each with the name of the first that it stands for.
    """
    # The order matters: predicates are matched by their uses in actions with the same spelling, and
    # then other actions by their literals with the predicates that were matched.
    types = _match_names(first.types, second.types, given_pairs, _spelling_similarity)
    types["object"] = "object"
    constants = _match_names(first.constants, second.constants, given_pairs, _spelling_similarity)
    actions_by_spelling = _match_names(
        first.operators, second.operators, given_pairs, _equal_spelling
    )
    predicate_similarity = partial(
        _mean_similarity,
        (_arities_of_predicates(first), _arities_of_predicates(second)),
        (_uses_of_predicates(first, {}), _uses_of_predicates(second, actions_by_spelling)),
    )
    predicates = _match_names(
        first.predicates, second.predicates, given_pairs, predicate_similarity
    )
    action_similarity = partial(
        _mean_similarity,
        (_arities_of_actions(first), _arities_of_actions(second)),
        (_literals_of_actions(first, {}), _literals_of_actions(second, predicates)),
    )
    actions = _match_names(first.operators, second.operators, given_pairs, action_similarity)
    # Parameters come last, since their order is chosen by the types and predicates they occur in.
    parameters = {}
    for second_name, first_name in actions.items():
        operators = first.operators[first_name], second.operators[second_name]
        parameters[second_name] = _best_order(*operators, predicates, types)
    return DomainNames(types, predicates, constants, actions, parameters)


def _mean_similarity(
    arities: tuple[Mapping[str, int], Mapping[str, int]],
    uses: tuple[_Uses, _Uses],
    first_name: str,
    second_name: str,
) -> float:
    """Return 1 for names that are spelled alike, else the mean of two similarities.

    Args:
        arities: The number of arguments of each name, in both domains.
        uses: The uses of each name, in both domains.
        first_name: A name of the first domain.
        second_name: A name of the second domain.
    """
    if arities[0][first_name] != arities[1][second_name]:
        return 0.0
    spelling = _spelling_similarity(first_name, second_name)
    use = _use_similarity(uses, first_name, second_name)
    return max(_equal_spelling(first_name, second_name), (spelling + use) / 2)


def _arities_of_predicates(domain: Domain) -> dict[str, int]:
    """Return the number of arguments of each predicate."""
    return {name: predicate.arity for name, predicate in domain.predicates.items()}


def _arities_of_actions(domain: Domain) -> dict[str, int]:
    """Return the number of parameters of each action."""
    return {name: len(operator.parameters) for name, operator in domain.operators.items()}


def _match_names(
    first_names: Iterable[str],
    second_names: Iterable[str],
    given_pairs: Mapping[str, str],
    similarity: Callable[[str, str], float],
) -> dict[str, str]:
    """Pair names greedily by similarity, after the given pairs.

    Args:
        first_names: Names of the first domain.
        second_names: Names of the second domain.
        given_pairs: Names of the second domain with those of the first, as the user says.
        similarity: Returns how alike two names are, between 0 and 1.

    Returns:
        Each matched name of the second domain, with that of the first.
    """
    ranked_pairs = []
    for first_name, second_name in product(first_names, second_names):
        if given_pairs.get(second_name) == first_name:
            score = _GIVEN
        else:
            score = similarity(first_name, second_name)
        if score >= _MIN_SIMILARITY:
            ranked_pairs.append((-score, first_name, second_name))
    # Greedy: a pair is accepted unless one of its names was matched with a more similar name.
    matches: dict[str, str] = {}
    used_names: set[str] = set()
    # Pairs of equal similarity are in alphabetical order, so the result does not depend on the
    # order of the declarations.
    for _, first_name, second_name in sorted(ranked_pairs):
        if (
            second_name not in matches
            and first_name not in used_names
            and given_pairs.get(second_name, first_name) == first_name
        ):
            matches[second_name] = first_name
            used_names.add(first_name)
    return matches


def _equal_spelling(one: str, other: str) -> float:
    """Return 1 for names that are spelt alike, as ``is-on`` and ``IsOn`` are; else 0."""
    return float(plain_symbol(one) == plain_symbol(other))


def _spelling_similarity(one: str, other: str) -> float:
    """Return how much of their letters two names share in the same order, between 0 and 1."""
    return SequenceMatcher(None, plain_symbol(one), plain_symbol(other)).ratio()


def _use_similarity(uses: tuple[_Uses, _Uses], first_name: str, second_name: str) -> float:
    """Return the share of uses that two names have in common, between 0 and 1."""
    uses_of_one = uses[0].get(first_name, Counter())
    uses_of_other = uses[1].get(second_name, Counter())
    # Of the larger total: a name that is used once is not like one that is used everywhere.
    larger_total = max(uses_of_one.total(), uses_of_other.total())
    if not larger_total:
        return 0.0
    return (uses_of_one & uses_of_other).total() / larger_total


_Uses = dict[str, Counter[tuple[object, ...]]]
"""Name of a predicate or an action to how often it is used in each way, such as
``("open", "effect", True)``: in the action *open*, as an effect that makes it true."""


def _uses_of_predicates(domain: Domain, actions: Mapping[str, str]) -> _Uses:
    """Return in which actions each predicate is a condition or an effect.

    Args:
        domain: The domain.
        actions: Names of its actions to the names that they are counted under.
    """
    uses: _Uses = {}
    for operator in domain.operators.values():
        name = actions.get(operator.name, operator.name)
        for role, is_positive, atom in _literals(operator):
            uses.setdefault(atom.predicate, Counter())[name, role, is_positive] += 1
    return uses


def _literals_of_actions(domain: Domain, predicates: Mapping[str, str]) -> _Uses:
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
    """Return the order of the second action's parameters that makes most literals equal.

    The order as it is written comes first, so it is kept where no other is better.
    """
    literals_of_first = Counter(_literals_by_position(first, range(len(first.parameters)), {}, {}))

    def count_shared(order: tuple[int, ...]) -> int:
        """Return how many literals the actions share in an order of the second's parameters."""
        literals_of_second = Counter(_literals_by_position(second, order, predicates, types))
        return (literals_of_second & literals_of_first).total()

    orders = islice(permutations(range(len(second.parameters))), _MAX_ORDERS)
    return max(orders, key=count_shared)


def _literals_by_position(
    operator: Operator,
    order: Iterable[int],
    predicates: Mapping[str, str],
    types: Mapping[str, str],
) -> Iterator[tuple[object, ...]]:
    """Yield the types and literals of an action, with parameters as positions.

    With the order ``(1, 0)``, ``(on ?cup ?table)`` of an action with the parameters ``?cup`` and
    ``?table`` is yielded as ``("condition", True, "on", (1, 0))``.

    Args:
        operator: The action.
        order: Positions of its parameters, in the order in which they are written.
        predicates: Names of predicates to the names that they are written as.
        types: Names of types to the names that they are written as.
    """
    new_positions: dict[str, int] = {}
    for new_position, position in enumerate(order):
        variable = operator.parameters[position]
        new_positions[variable.name] = new_position
        yield new_position, tuple(sorted(types.get(name, name) for name in variable.types))
    for role, is_positive, atom in _literals(operator):
        terms: list[object] = []
        for term in atom.terms:
            # Constants keep their names, and all quantified variables are the same.
            if isinstance(term, Variable):
                terms.append(new_positions.get(term.name, _QUANTIFIED))
            else:
                terms.append(term)
        yield role, is_positive, predicates.get(atom.predicate, atom.predicate), tuple(terms)


def in_names_of(first: Domain, second: Domain, names: DomainNames) -> Domain:
    """Return the second domain written in the names of the first.

    Names without a counterpart are kept, with a prime where the first domain has the same name for
    something else.
    """
    return _Renaming(first, second, names).domain()


class _Renaming:
    """Rewrites a second domain in the names of a first.

    Args:
        first: The first domain.
        second: The second domain.
        names: Names of the second domain with those of the first that stand for the same.
    """

    def __init__(self, first: Domain, second: Domain, names: DomainNames) -> None:
        self._second = second
        self._names = names
        self._types = _name_all(names.types, second.types, first.types)
        self._predicates = _name_all(names.predicates, second.predicates, first.predicates)
        self._actions = _name_all(names.actions, second.operators, first.operators)
        self._constants = _name_all(names.constants, second.constants, first.constants)

    def domain(self) -> Domain:
        """Return the second domain in the names of the first, part by part.

        Phrases are left out, because they are texts for people and have no meaning for planners.
        """
        second = self._second
        # Declarations come first, in the order of PDDL: types, predicates, actions, functions.
        types = {}
        for name, parent in second.types.items():
            types[self._rename_type(name)] = self._rename_type(parent)
        predicates = {}
        for predicate in second.predicates.values():
            name = self._predicates[predicate.name]
            predicates[name] = Predicate(name, self._rename_variables(predicate.parameters))
        operators = {}
        for operator in second.operators.values():
            renamed = self._rename_operator(operator)
            operators[renamed.name] = renamed
        functions = {}
        for name, function in second.functions.items():
            functions[name] = replace(
                function, parameters=self._rename_variables(function.parameters)
            )
        axioms = []
        for rule in second.axioms:
            axioms.append(Axiom(self._rename_atom(rule.head), self._rename_formula(rule.body)))
        constants = {}
        for name, type_name in second.constants.items():
            constants[self._constants[name]] = self._rename_type(type_name)
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

    def _rename_type(self, name: str) -> str:
        """Return a type in the names of the first domain."""
        return self._types.get(name, name)

    def _rename_operator(self, operator: Operator) -> Operator:
        """Return an action in the names of the first domain, its parameters in the order there.

        Its effects become one list of costs, literals and changes of numbers, however they were
        nested.
        """
        parameters = self._rename_variables(operator.parameters)
        parameter_order = self._names.parameters.get(operator.name, range(len(parameters)))
        parameter_names = [variable.name for variable in operator.parameters]
        # Costs are left out of the changes of numbers below, as they were added first.
        effects: list[Effect] = []
        for cost in cost_clauses(operator.effect, parameter_names):
            effects.append(self._rename_cost(cost).effect)
        for clause in clauses(operator.effect, parameter_names):
            condition = self._rename_formula(clause.condition)
            variables = self._rename_variables(clause.variables)
            atom = self._rename_atom(clause.atom)
            effects.append(Clause(variables, condition, clause.added, atom).effect)
        for change in numeric_clauses(operator.effect, parameter_names, has_costs=False):
            effects.append(self._rename_change(change).effect)
        return Operator(
            self._actions[operator.name],
            tuple([parameters[position] for position in parameter_order]),
            self._rename_formula(operator.precondition),
            AndEffect(tuple(effects)),
        )

    def _rename_cost(self, cost: CostClause) -> CostClause:
        """Return a cost in the names of the first domain."""
        return cost._replace(
            variables=self._rename_variables(cost.variables),
            condition=self._rename_formula(cost.condition),
        )

    def _rename_change(self, change: NumericClause) -> NumericClause:
        """Return a change of a number with renamed objects; a function keeps its name."""
        # Target and amount are renamed together, as the two sides of an equation.
        sides = NumericCondition("=", change.target, change.amount)
        renamed = sides.with_terms(self._rename_terms(sides.terms))
        assert isinstance(renamed.left, Atom)  # noqa: S101 - the target stays one
        return NumericClause(
            self._rename_variables(change.variables),
            self._rename_formula(change.condition),
            change.update,
            renamed.left,
            renamed.right,
        )

    def _rename_variables(self, variables: Iterable[Variable]) -> tuple[Variable, ...]:
        """Return variables with the same names and renamed types."""
        renamed = []
        for variable in variables:
            renamed.append(Variable(variable.name, tuple(map(self._rename_type, variable.types))))
        return tuple(renamed)

    def _rename_formula(self, formula: Formula) -> Formula:
        """Return a formula with renamed predicates, types and constants.

        Variables keep their names.
        """
        if isinstance(formula, Atom):
            return self._rename_atom(formula)
        if isinstance(formula, Quantifier):
            return formula.over(
                self._rename_variables(formula.variables), self._rename_formula(formula.body)
            )
        if formula.operands:
            operands = []
            # A loop, because a comprehension would take another frame of the stack for each level.
            for operand in formula.operands:
                operands.append(self._rename_formula(operand))
            return formula.rebuild(operands)
        if formula.terms:
            return formula.with_terms(self._rename_terms(formula.terms))
        return formula

    def _rename_atom(self, atom: Atom) -> Atom:
        """Return an atom in the names of the first domain."""
        # A predicate that is not declared keeps its name; checks of the domain name it.
        name = self._predicates.get(atom.predicate, atom.predicate)
        return Atom(name, self._rename_terms(atom.terms))

    def _rename_terms(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        """Return arguments with renamed constants, and variables with renamed types."""
        renamed: list[Term] = []
        for term in terms:
            if isinstance(term, Variable):
                renamed += self._rename_variables([term])
            else:
                renamed.append(self._constants.get(term, term))
        return tuple(renamed)


def _name_all(
    matches: Mapping[str, str], all_names: Iterable[str], used_names: Iterable[str]
) -> dict[str, str]:
    """Return a new name for each name: the paired one, or its own, primed if that is taken.

    Args:
        matches: Names with the names that they were matched with.
        all_names: The names.
        used_names: Names that stand for something else; ``door`` becomes ``door'`` if it is taken.
    """
    names = dict(matches)
    # All names of the first domain are taken, also those that nothing was matched with: otherwise
    # two different things would have one name.
    used = {*used_names, *matches.values()}
    for name in all_names:
        if name in names:
            continue
        new_name = name
        while new_name in used:
            new_name += "'"
        names[name] = new_name
        used.add(new_name)
    return names
