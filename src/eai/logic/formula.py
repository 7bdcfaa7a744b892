"""The nodes of the expression tree: one tree for preconditions, goals, subgoals and LTL.

Three groups share it: first-order logic over a finite set of objects; the temporal connective of
the Embodied Agent Interface (:class:`Then`; paper, sections 2.2 and C.3); and linear temporal logic
on finite traces (:mod:`eai.logic.temporal`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from eai.errors import InputError, SchemaError
from eai.logic.algebra import Algebra, Counting
from eai.logic.nodes import Binding, Term, Variable, unique_node
from eai.logic.printer import Printer
from eai.logic.tree import TRUE, And, Chain, Formula, Not, Quantified, Signed, TruthContext

if TYPE_CHECKING:
    from typing_extensions import Self

V = TypeVar("V")


class Proposition(Formula):
    """A proposition, true or false at each position: a name applied to terms."""

    __slots__ = ("terms",)
    is_derived = False
    terms: tuple[Term, ...]

    def __new__(cls, name: str, terms: tuple[Term, ...] = ()) -> Self:
        return unique_node(cls, name, terms)

    @property
    def name(self) -> str:
        """The predicate or the action."""
        name: str = getattr(self, self.__match_args__[0])
        return name

    def with_terms(self, terms: Iterable[Term]) -> Self:
        return type(self)(self.name, tuple(terms))

    def text(self, to: Printer) -> str:
        return to.primitive(self.name, self.terms)


class Atom(Proposition):
    """A state proposition: a predicate applied to terms."""

    __slots__ = ("predicate",)
    __match_args__ = ("predicate", "terms")
    predicate: str

    def __new__(cls, predicate: str, terms: tuple[Term, ...] = ()) -> Self:
        return unique_node(cls, predicate, terms)

    def truth(self, at: TruthContext, binding: Binding) -> int:
        return at.atom(self, binding)


class ActionAtom(Proposition):
    """An action proposition: the action taken from a position is this one."""

    __slots__ = ("action",)
    __match_args__ = ("action", "terms")
    action: str

    def __new__(cls, action: str, terms: tuple[Term, ...] = ()) -> Self:
        return unique_node(cls, action, terms)

    def truth(self, at: TruthContext, binding: Binding) -> int:
        return at.action(self, binding)


class Equal(Formula):
    """Both terms denote the same object."""

    __slots__ = ("left", "right")
    __match_args__ = ("left", "right")
    is_derived = False
    left: Term
    right: Term

    def __new__(cls, left: Term, right: Term) -> Self:
        return unique_node(cls, left, right)

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.left, self.right)

    def with_terms(self, terms: Iterable[Term]) -> Equal:
        return Equal(*terms)

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return algebra.true if self.left == self.right else algebra.false

    def truth(self, at: TruthContext, binding: Binding) -> int:
        left, right = at.ground(self.terms, binding)
        return at.full if left == right else 0

    def text(self, to: Printer) -> str:
        return f"{to.term(self.left)} = {to.term(self.right)}"


class Quantifier(Quantified):
    """A quantifier over the bindings of any number of variables."""

    __slots__ = ("variables",)
    __match_args__ = ("variables", "body")
    variables: tuple[Variable, ...]

    def __new__(cls, variables: Iterable[Variable], body: Formula) -> Self:
        return unique_node(cls, tuple(variables), body)

    def over(self, variables: Sequence[Variable], body: Formula) -> Formula:
        return type(self)(variables, body)

    def truth(self, at: TruthContext, binding: Binding) -> int:
        # Where some binding decides; "for all" holds where none does.
        some = at.some(self, binding)
        return some if self.wants else at.full ^ some

    wants: ClassVar[bool]
    """The value of the body that decides the quantifier by a single binding."""

    def needs(self, wanted: bool) -> Signed | None:
        """A value of the body that some binding gives decides the quantifier."""
        return Signed(True, ((self.body, wanted),)) if wanted is self.wants else None


class Forall(Quantifier):
    """Every binding of the variables satisfies the body."""

    words = ("forall", "\N{FOR ALL}")
    wants = False

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return algebra.all_of(values)


class Exists(Quantifier):
    """Some binding of the variables satisfies the body."""

    words = ("exists", "\N{THERE EXISTS}")
    wants = True

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return algebra.any_of(values)


Forall.dual, Exists.dual = Exists, Forall


class Count(Quantified):
    """The number of objects that satisfy the body compares as required (C.3: exactly so many)."""

    __slots__ = ("comparison", "number", "variable")
    __match_args__ = ("number", "variable", "body", "comparison")
    number: int
    variable: Variable
    comparison: Counting
    is_monotone = False

    def __new__(
        cls, number: int, variable: Variable, body: Formula, comparison: Counting = "exactly"
    ) -> Self:
        return unique_node(cls, number, variable, body, comparison)

    @property
    def variables(self) -> tuple[Variable, ...]:
        return (self.variable,)

    def over(self, variables: Sequence[Variable], body: Formula) -> Formula:
        return Count(self.number, variables[0], body, self.comparison)

    def head(self, to: Printer) -> str:
        return to.counted(self.comparison, self.number)

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return algebra.count(self.number, self.comparison, values)

    def truth(self, at: TruthContext, binding: Binding) -> int:
        return at.count(self, binding)

    def negated(self) -> Formula:
        """Return the opposite comparison. An exact number has no dual."""
        if self.comparison == "at least":
            return Count(self.number - 1, self.variable, self.body, "at most")
        if self.comparison == "at most":
            return Count(self.number + 1, self.variable, self.body, "at least")
        return Not(self)


class ForPairs(Quantified):
    """Objects of two kinds can be matched one to one so that every pair satisfies the body.

    No object is in two pairs, and no object is paired with itself.

    Args:
        first: One side of the pairs.
        second: The other side.
        body: The formula that is true of every pair.
        number: How many pairs there are at least; None: as many as the smaller side has objects.
    """

    __slots__ = ("first", "number", "second")
    __match_args__ = ("first", "second", "body", "number")
    first: Variable
    second: Variable
    number: int | None
    is_monotone = False

    def __new__(
        cls, first: Variable, second: Variable, body: Formula, number: int | None = None
    ) -> Self:
        return unique_node(cls, first, second, body, number)

    @property
    def variables(self) -> tuple[Variable, ...]:
        return (self.first, self.second)

    def over(self, variables: Sequence[Variable], body: Formula) -> Formula:
        return ForPairs(variables[0], variables[1], body, self.number)

    def head(self, to: Printer) -> str:
        return to.pairs(self.number)

    def paired(
        self,
        algebra: Algebra[V],
        values: Mapping[tuple[str, str], V],
        sides: tuple[Sequence[str], Sequence[str]],
    ) -> V:
        """Return where enough disjoint pairs exist.

        Args:
            algebra: The algebra of the values.
            values: For a pair of different objects, one of each side, where it is a pair.
            sides: The objects of either side.
        """
        pair_count = self.number
        if pair_count is None:
            pair_count = min(map(len, sides))
        return algebra.paired(values, pair_count)

    def truth(self, at: TruthContext, binding: Binding) -> int:
        return at.for_pairs(self, binding)


class Then(Chain):
    """The trajectory can be cut into consecutive parts that satisfy the operands in order."""

    words = ("then",)
    level = 0
    is_then = True
    is_derived = False

    def truth(self, at: TruthContext, binding: Binding) -> int:
        return at.then(self, binding)

    def needs(self, wanted: bool) -> Signed | None:
        """Every link is true somewhere."""
        links = tuple([(operand, True) for operand in self.operands])
        return Signed(True, links) if wanted else None

    def short(self, to: Printer) -> str:
        """Return the text with fewer than two operands, which have no notation inside a formula."""
        if len(self.operands) == 1 and not to.is_inside:
            return self.operands[0].text(to)
        count = "of one formula" if self.operands else "without operands"
        raise SchemaError(f"a 'then' {count} has no notation inside another formula")

    @property
    def links(self) -> tuple[Formula, ...]:
        """The operands; a ``then`` in a ``then`` means the same as its links in its place."""
        return tuple([link for operand in self.operands for link in operand.links])


def not_at_a_position() -> InputError:
    """Return the error for a ``then`` where a formula must have a value at each position."""
    return InputError(
        "a formula with 'then' is not true or false at a position",
        expected="a formula without 'then'",
        mend="use evaluate",
    )


def atoms(formula: Formula) -> Iterator[Proposition]:
    """Yield every state and action proposition in the formula, in reading order."""
    for node in formula.walk():
        if isinstance(node, Proposition):
            yield node


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """Return the flattened operands of a conjunction. Any other formula is its only conjunct."""
    # Invariant: "pending" is a stack of the remaining formulas, with the next in reading order
    # last.
    flat: list[Formula] = []
    pending = [formula]
    while pending:
        operand = pending.pop()
        if isinstance(operand, And):
            pending += reversed(operand.operands)
        elif operand is not TRUE:  # equal formulas are the same object
            flat.append(operand)
    return tuple(flat)


def objects_of(formula: Formula) -> frozenset[str]:
    """Return the names of the objects in a formula."""
    names: set[str] = set()
    for node in formula.walk():
        names.update(term for term in node.terms if isinstance(term, str))
    return frozenset(names)


def exists_closure(formula: Formula) -> Formula:
    """Return the formula with all its free variables bound by ``exists``."""
    free = tuple(sorted(formula.free, key=lambda variable: variable.name))
    return Exists(free, formula) if free else formula


def generalize(formula: Formula, names: Mapping[str, Variable]) -> Formula:
    """Replace object names by variables, the inverse of :meth:`Formula.substitute`.

    Args:
        formula: Any formula.
        names: Object name to the variable that takes its place.
    """

    def replaced(term: Term) -> Term:
        """Return the variable in the place of an object; any other term as it is."""
        return names.get(term, term) if isinstance(term, str) else term

    return formula.map_leaves(lambda leaf: leaf.with_terms(map(replaced, leaf.terms)))


def map_atoms(formula: Formula, change: Mapping[str, str]) -> Formula:
    """Rename predicates and actions.

    Args:
        formula: Any formula.
        change: Old name to new name; names that are not in it stay.
    """

    def renamed(leaf: Formula) -> Formula:
        """Return a proposition under its new name; any other leaf as it is."""
        if isinstance(leaf, Proposition):
            return type(leaf)(change.get(leaf.name, leaf.name), leaf.terms)
        return leaf

    return formula.map_leaves(renamed)
