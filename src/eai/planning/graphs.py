"""Formulas as labelled graphs, to find renamings by isomorphism.

Idea: a node for each subformula and each place of an argument; the terms are nodes that others may
share. Two formulas are equal up to a renaming, and up to the order of the parts of a conjunction,
if and only if their graphs are isomorphic with equal labels.

Cost: linear in the size of the formulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Union

from eai.logic import And, Atom, Formula, NumericCondition, Variable

if TYPE_CHECKING:
    import networkx as nx

Node = tuple[Union[str, int], ...]
"""A node: its kind, and what tells it from others of the kind."""

_UNORDERED = ("And", "Or", "Iff")
"""Classes of formulas whose operands may be in any order."""
_ROUNDS = 12
"""Rounds of colour refinement."""
_CHOICES = 100
"""Maximum number of nodes that are told apart by a choice."""


class FormulaGraph:
    """A labelled graph of formulas, built node by node.

    Args:
        has_symbols: Whether predicates and types are nodes, which may be renamed; else their names
            are part of the labels.

    Attributes:
        graph: The graph; the attribute ``label`` of a node has to be kept by an isomorphism.
    """

    def __init__(self, *, has_symbols: bool = False) -> None:
        import networkx as nx

        self.has_symbols = has_symbols
        self.graph: nx.Graph[object] = nx.Graph()

    def add(self, node: Node, label: object, neighbours: Iterable[Node] = ()) -> Node:
        """Add a node with edges to others; return it."""
        self.graph.add_node(node, label=label)
        for neighbour in neighbours:
            self.graph.add_edge(node, neighbour)
        return node

    def add_variables(
        self, variables: Sequence[Variable], owner: Node, kind: str = "variable"
    ) -> dict[str, Node]:
        """Add the variables that a node binds, and return their nodes by name.

        Args:
            variables: The variables.
            owner: The node that binds them: an action, a quantifier, an effect.
            kind: Kind of the nodes, a part of their labels.
        """
        scope = {}
        for index, variable in enumerate(variables):
            node = (*owner, kind, index)
            if self.has_symbols:
                types: list[Node] = [("type", name) for name in variable.types]
                self.add(node, (kind,), types)
            else:
                self.add(node, (kind, variable.types))
            scope[variable.name] = node
        return scope

    def add_formula(self, formula: Formula, node: Node, scope: Mapping[str, Node]) -> None:
        """Add the operands, terms and variables of a formula as nodes below its own node.

        Args:
            formula: The formula.
            node: The node that stands for it.
            scope: Names of the variables that are bound around it, with their nodes.
        """
        variables = self.add_variables(formula.variables, node)
        inner_scope = {**scope, **variables}
        # Only propositions have a name. Any other formula is labelled by its class.
        symbol = getattr(formula, "predicate", getattr(formula, "name", ""))
        if isinstance(formula, NumericCondition):
            # The text of the condition, without the objects, which are terms.
            symbol = str(formula.with_terms("_" * len(formula.terms)))
        if self.has_symbols and isinstance(formula, Atom):
            self.add_terms(node, (type(formula).__name__,), formula.terms, inner_scope)
            self.graph.add_edge(node, ("predicate", symbol))
        else:
            self.add_terms(node, (type(formula).__name__, symbol), formula.terms, inner_scope)
        for variable_node in variables.values():
            self.graph.add_edge(node, variable_node)
        is_ordered = not isinstance(formula, And) and type(formula).__name__ not in _UNORDERED
        for operand_index, operand in enumerate(formula.operands):
            operand_node = (*node, operand_index)
            self.add(operand_node, "")
            self.add_formula(operand, operand_node, inner_scope)
            # The sides are numbered, since "a implies b" is not "b implies a".
            if is_ordered and len(formula.operands) > 1:
                self.graph.nodes[operand_node]["label"] = (
                    operand_index,
                    self.graph.nodes[operand_node]["label"],
                )
            self.graph.add_edge(node, operand_node)

    def add_terms(
        self, node: Node, label: object, terms: Iterable[object], scope: Mapping[str, Node]
    ) -> None:
        """Add a node with its terms at their positions.

        ``on(?x, table)`` becomes a node "on" with two argument nodes, which lead to the node of the
        variable and to that of the object.

        Args:
            node: The node.
            label: Its label.
            terms: Its terms.
            scope: Nodes of the variables that are bound around it.
        """
        self.add(node, label)
        for position, term in enumerate(terms):
            # Terms are shared, so the position has to be at a node between atom and term.
            argument_node = self.add((*node, "argument", position), ("argument", position), [node])
            variable = scope.get(term.name) if isinstance(term, Variable) else None
            self.graph.add_edge(argument_node, variable or ("object", str(term)))


def refine(graph: nx.Graph[object]) -> Counter[str]:
    """Refine labels until they describe the neighbourhoods of nodes, and count each label.

    Isomorphic graphs have equal counts, and few other graphs do.
    """
    import networkx as nx

    colours = nx.weisfeiler_lehman_subgraph_hashes(graph, node_attr="label", iterations=_ROUNDS)
    for node, hashes in colours.items():
        graph.nodes[node]["label"] = hashes[-1]
    return Counter(hashes[-1] for hashes in colours.values())


def isomorphism(first: nx.Graph[object], second: nx.Graph[object]) -> dict[object, object] | None:
    """Return a node mapping that preserves labels and edges, or None if none was found.

    Idea: if colours do not distinguish nodes, one node of each graph gets a new colour, and the
    colours are refined. Nodes of one colour are nearly always images of each other, so there is no
    backtracking. The mapping is verified. The labels of the graphs are replaced.

    Cost: a refinement for each node that gets a new colour, at most :data:`_CHOICES`.
    """
    if not _tell_nodes_apart(first, second):
        return None
    by_colour = {label: node for node, label in second.nodes(data="label")}
    if len(by_colour) < len(first):
        return None  # some nodes still have a colour in common
    mapping = {node: by_colour[label] for node, label in first.nodes(data="label")}
    if first.size() != second.size():
        return None
    for left, right in first.edges:
        if not second.has_edge(mapping[left], mapping[right]):
            return None
    return mapping


def _tell_nodes_apart(first: nx.Graph[object], second: nx.Graph[object]) -> bool:
    """Refine the colours of two graphs, and return whether both graphs have the same colours.

    While nodes share a colour, one such node in each graph gets a new colour. If the colours of
    the graphs differ, the graphs are not isomorphic, or a node was chosen badly.
    """
    for choices_left in range(_CHOICES, -1, -1):
        counts = refine(first)
        if counts != refine(second):
            return False
        shared_colours = [
            (number_of_nodes, colour)
            for colour, number_of_nodes in counts.items()
            if number_of_nodes > 1
        ]
        if not shared_colours or not choices_left:
            break
        # The rarest colour, which leaves the fewest nodes to choose from.
        _, rarest_colour = min(shared_colours)
        for graph in (first, second):
            _choose_node(graph, rarest_colour)
    return True


def _choose_node(graph: nx.Graph[object], colour: str) -> None:
    """Give one node of a colour a new colour of its own."""
    for node, label in graph.nodes(data="label"):
        if label == colour:
            graph.nodes[node]["label"] = f"{colour} chosen"
            return
