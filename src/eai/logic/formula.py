"""The nodes of the expression tree: one tree for preconditions, goals, subgoals and LTL.

Three groups share it: first-order logic over a finite set of objects; the temporal connective of
the Embodied Agent Interface (:class:`Then`; paper, sections 2.2 and C.3); and linear temporal logic
on finite traces with past (De Giacomo & Vardi 2013; De Giacomo, Di Stasio, Fuggitti & Rubin 2020).

To add an operator, write its class here, with its words and its value over an
:class:`~eai.logic.algebra.Algebra`, and put its words into ``grammars/ltl.lark``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from eai.errors import SchemaError
from eai.logic.tree import (
    FALSE,
    NESTING_LIMIT,
    TRUE,
    And,
    Binary,
    Chain,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Quantified,
    Reading,
    Signed,
    Term,
    Truth,
    Unary,
    Variable,
    Xor,
    made,
)

if TYPE_CHECKING:
    from eai.logic.algebra import Algebra
    from eai.logic.positions import Binding, Positions
    from eai.logic.printer import Printer

__all__ = [
    "FALSE",
    "FIRST",
    "LAST",
    "NESTING_LIMIT",
    "TRUE",
    "ActionAtom",
    "Always",
    "And",
    "Atom",
    "Comparison",
    "Count",
    "Equal",
    "Eventually",
    "Exists",
    "First",
    "ForPairs",
    "Forall",
    "Formula",
    "Historically",
    "Iff",
    "Implies",
    "Last",
    "Next",
    "Not",
    "Once",
    "Or",
    "Previous",
    "Quantifier",
    "Reading",
    "Release",
    "Signed",
    "Since",
    "StrongRelease",
    "Term",
    "Then",
    "Trigger",
    "Truth",
    "Until",
    "Variable",
    "WeakNext",
    "WeakPrevious",
    "WeakUntil",
    "Xor",
    "atoms",
    "conjuncts",
    "generalize",
    "map_atoms",
    "objects_of",
]

V = TypeVar("V")
Comparison = Literal["exactly", "at least", "at most"]
"""How a counting quantifier compares the number of objects with its own number."""


# Propositions.


class Atom(Formula):
    """A state proposition: a predicate applied to terms."""

    __slots__ = ("predicate", "terms")
    __match_args__ = ("predicate", "terms")
    fields = ("predicate", "terms")
    is_derived = False
    predicate: str
    terms: tuple[Term, ...]

    def __new__(cls, predicate: str, terms: tuple[Term, ...] = ()) -> Atom:  # noqa: PYI034
        return made(cls, predicate, terms)

    def with_terms(self, terms: Iterable[Term]) -> Atom:
        """Return the same predicate of other terms."""
        return Atom(self.predicate, tuple(terms))

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions at which the atom is true."""
        return at.atom(self, binding)

    def text(self, to: Printer) -> str:
        """The predicate and its terms."""
        return to.primitive(self.predicate, self.terms)


class ActionAtom(Formula):
    """An action proposition: the action taken from a position is this one."""

    __slots__ = ("action", "terms")
    __match_args__ = ("action", "terms")
    fields = ("action", "terms")
    is_derived = False
    action: str
    terms: tuple[Term, ...]

    def __new__(cls, action: str, terms: tuple[Term, ...] = ()) -> ActionAtom:  # noqa: PYI034
        return made(cls, action, terms)

    def with_terms(self, terms: Iterable[Term]) -> ActionAtom:
        """Return the same action of other terms."""
        return ActionAtom(self.action, tuple(terms))

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions from which the action is taken."""
        return at.action(self, binding)

    def text(self, to: Printer) -> str:
        """The action and its terms."""
        return to.primitive(self.action, self.terms)


class Equal(Formula):
    """Both terms denote the same object."""

    __slots__ = ("left", "right")
    __match_args__ = ("left", "right")
    fields = ("left", "right")
    is_derived = False
    left: Term
    right: Term

    def __new__(cls, left: Term, right: Term) -> Equal:  # noqa: PYI034
        return made(cls, left, right)

    @property
    def terms(self) -> tuple[Term, ...]:
        """Both terms."""
        return (self.left, self.right)

    def with_terms(self, terms: Iterable[Term]) -> Equal:
        """Return the equality of two other terms."""
        return Equal(*terms)

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """True or false, if both terms are objects."""
        return algebra.true if self.left == self.right else algebra.false

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return all positions or none."""
        left, right = at.ground(self.terms, binding)
        return at.full if left == right else 0

    def text(self, to: Printer) -> str:
        """An equation."""
        return f"{to.term(self.left)} = {to.term(self.right)}"


# Quantifiers.


class Quantifier(Quantified):
    """A quantifier over the bindings of any number of variables."""

    __slots__ = ("variables",)
    __match_args__ = ("variables", "body")
    fields = ("variables", "body")
    variables: tuple[Variable, ...]

    def __new__(cls, variables: Iterable[Variable], body: Formula) -> Quantifier:  # noqa: PYI034
        return made(cls, tuple(variables), body)

    def over(self, variables: Sequence[Variable], body: Formula) -> Formula:
        """Return the same quantifier over other variables and another body."""
        return type(self)(variables, body)

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions at which the formula is true."""
        some = at.some(self, binding)
        return some if self.wants else at.full ^ some

    wants: ClassVar[bool]
    """The value of the body that decides the quantifier by a single binding."""

    def needs(self, wanted: bool) -> Signed | None:
        """A value of the body that some binding gives decides the quantifier."""
        return Signed(True, ((self.body, wanted),)) if wanted is self.wants else None


class Forall(Quantifier):
    """Every binding of the variables satisfies the body."""

    __slots__ = ()
    words = ("forall", "\N{FOR ALL}")
    wants = False

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where the body is true under all bindings."""
        return algebra.all_of(values)

    def negated(self) -> Formula:
        """Some binding fails the body."""
        return Exists(self.variables, Not(self.body))


class Exists(Quantifier):
    """Some binding of the variables satisfies the body."""

    __slots__ = ()
    words = ("exists", "\N{THERE EXISTS}")
    wants = True

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where the body is true under some binding."""
        return algebra.any_of(values)

    def negated(self) -> Formula:
        """No binding satisfies the body."""
        return Forall(self.variables, Not(self.body))


class Count(Quantified):
    """The number of objects that satisfy the body is as wanted (C.3: exactly ``number``)."""

    __slots__ = ("comparison", "number", "variable")
    __match_args__ = ("number", "variable", "body", "comparison")
    fields = ("number", "variable", "body", "comparison")
    number: int
    variable: Variable
    comparison: Comparison
    is_monotone = False

    def __new__(  # noqa: PYI034
        cls, number: int, variable: Variable, body: Formula, comparison: Comparison = "exactly"
    ) -> Count:
        return made(cls, number, variable, body, comparison)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variable."""
        return (self.variable,)

    def over(self, variables: Sequence[Variable], body: Formula) -> Formula:
        """Return the same count over another variable and another body."""
        return Count(self.number, variables[0], body, self.comparison)

    def head(self, to: Printer) -> str:
        """The comparison and the number."""
        return to.counted(self.comparison, self.number)

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where the body is true under as many bindings as wanted."""
        return algebra.count(self.number, self.comparison, values)

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions at which the formula is true."""
        return at.count(self, binding)

    def negated(self) -> Formula:
        """More, or fewer; there is no dual of an exact number."""
        if self.comparison == "at least":
            return Count(self.number - 1, self.variable, self.body, "at most")
        if self.comparison == "at most":
            return Count(self.number + 1, self.variable, self.body, "at least")
        return Not(self)


class ForPairs(Quantified):
    """Objects of two kinds can be paired off, one to one, so that every pair satisfies the body.

    No object is in two pairs, and no object is paired with itself.

    Args:
        first: One side of the pairs.
        second: The other side.
        body: What is true of every pair.
        number: How many pairs there are at least; None: as many as the smaller side has objects.
    """

    __slots__ = ("first", "number", "second")
    __match_args__ = ("first", "second", "body", "number")
    fields = ("first", "second", "body", "number")
    first: Variable
    second: Variable
    number: int | None
    is_monotone = False

    def __new__(  # noqa: PYI034
        cls, first: Variable, second: Variable, body: Formula, number: int | None = None
    ) -> ForPairs:
        return made(cls, first, second, body, number)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Both variables."""
        return (self.first, self.second)

    def over(self, variables: Sequence[Variable], body: Formula) -> Formula:
        """Return the same quantifier over two other variables and another body."""
        return ForPairs(variables[0], variables[1], body, self.number)

    def head(self, to: Printer) -> str:
        """The word, and the number if there is one."""
        return to.pairs(self.number)

    def paired(
        self,
        algebra: Algebra[V],
        values: Mapping[tuple[str, str], V],
        sides: tuple[Sequence[str], Sequence[str]],
    ) -> V:
        """Return where enough pairs can be formed.

        Args:
            algebra: What values are.
            values: For a pair of different objects, one of each side, where it is a pair.
            sides: The objects of either side.
        """
        number = min(map(len, sides)) if self.number is None else self.number
        return algebra.paired(values, number)

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions at which the formula is true."""
        return at.for_pairs(self, binding)


# The temporal connective of the Embodied Agent Interface.


class Then(Chain):
    """The trajectory can be cut into consecutive parts that satisfy the operands in order."""

    __slots__ = ()
    words = ("then",)
    level = 0
    is_derived = False

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions from which the formula holds on the rest."""
        return at.then(self, binding)

    def needs(self, wanted: bool) -> Signed | None:
        """Every link is true somewhere."""
        links = tuple([(operand, True) for operand in self.operands])
        return Signed(True, links) if wanted else None

    def short(self, to: Printer) -> str:
        """Nothing: no links, or one, say of a part what no text says."""
        count = "of one formula" if self.operands else "without operands"
        raise SchemaError(f"a 'then' {count} has no notation inside another formula")

    @property
    def links(self) -> tuple[Formula, ...]:
        """The operands; a ``then`` in a ``then`` means the same as its links in its place."""
        found: list[Formula] = []
        for operand in self.operands:
            found += operand.links if isinstance(operand, Then) else (operand,)
        return tuple(found)

    def _is_then(self) -> bool:
        return True


# Linear temporal logic. `lasting` is the fixed point "meet, or keep and the same at the next
# position", with `weak` for its value beyond the end; `looking_back` is the same into the past.


class _One(Unary):
    """An operator of linear temporal logic with one operand, which has to be true somewhere."""

    __slots__ = ()
    is_linear = True

    def needs(self, wanted: bool) -> Signed | None:
        """The operand has the value at some position."""
        return Signed(True, ((self.operand, wanted),))


class _Two(Binary):
    """An operator of linear temporal logic with two sides."""

    __slots__ = ()
    level = 6
    is_linear = True


class Next(_One):
    """There is a next position and the operand is true there (strong next)."""

    __slots__ = ()
    words = ("X", "X[!]", "next", "\u25cb", "\u25ef")

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where there is a next position, at which the operand is true."""
        return algebra.next(values[0], weak=False)

    def needs(self, wanted: bool) -> Signed | None:
        """It is also false for want of a position."""
        return super().needs(wanted) if wanted else None

    def negated(self) -> Formula:
        """False at the next position, if there is one."""
        return WeakNext(Not(self.operand))


class WeakNext(_One):
    """The operand is true at the next position, if there is one."""

    __slots__ = ()
    words = ("WX", "wX", "wnext")

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where there is no next position, or the operand is true at it."""
        return algebra.next(values[0], weak=True)

    def needs(self, wanted: bool) -> Signed | None:
        """It is also true for want of a position."""
        return None if wanted else super().needs(wanted)

    def negated(self) -> Formula:
        """False at the next position, and there is one."""
        return Next(Not(self.operand))


class Eventually(_One):
    """The operand is true now or at some later position."""

    __slots__ = ()
    words = ("F", "eventually", "sometime", "\u25c7", "\u25ca", "\u22c4")

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """True until the operand."""
        return algebra.lasting(algebra.true, values[0], weak=False)

    def negated(self) -> Formula:
        """False now and always."""
        return Always(Not(self.operand))


class Always(_One):
    """The operand is true now and at every later position."""

    __slots__ = ()
    words = ("G", "always", "\u25a1", "\u25fb", "\u2610")

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """The operand to the end."""
        return algebra.lasting(values[0], algebra.false, weak=True)

    def negated(self) -> Formula:
        """False now or later."""
        return Eventually(Not(self.operand))


class Until(_Two):
    """The right side is true now or later, and the left side at every position before that."""

    __slots__ = ()
    words = ("U", "until")

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """The left side until the right one."""
        return algebra.lasting(values[0], values[1], weak=False)

    def needs(self, wanted: bool) -> Signed | None:
        """The right side has the value at some position."""
        return Signed(True, ((self.right, wanted),))

    def negated(self) -> Formula:
        """The sides' negations release each other."""
        return Release(Not(self.left), Not(self.right))


class Release(_Two):
    """The right side is true up to and including where the left is, or else to the end."""

    __slots__ = ()
    words = ("R", "V", "release")

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """The right side until both, or to the end."""
        return algebra.lasting(values[1], algebra.all_of(values), weak=True)

    def needs(self, wanted: bool) -> Signed | None:
        """The right side has the value at some position."""
        return Signed(True, ((self.right, wanted),))

    def negated(self) -> Formula:
        """One side's negation until the other's."""
        return Until(Not(self.left), Not(self.right))


class WeakUntil(_Two):
    """Until, or the left side is true to the end."""

    __slots__ = ()
    words = ("W", "wuntil")

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """The left side until the right one, or to the end."""
        return algebra.lasting(values[0], values[1], weak=True)

    def negated(self) -> Formula:
        """The sides' negations release each other, and do so."""
        return StrongRelease(Not(self.left), Not(self.right))


class StrongRelease(_Two):
    """Release, and the left side does become true."""

    __slots__ = ()
    words = ("M", "srelease")

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """The right side until both."""
        return algebra.lasting(values[1], algebra.all_of(values), weak=False)

    def negated(self) -> Formula:
        """One side's negation until the other's, or to the end."""
        return WeakUntil(Not(self.left), Not(self.right))


class Previous(_One):
    """There is a previous position and the operand is true there (strong yesterday)."""

    __slots__ = ()
    words = ("Y", "previous")
    is_past = True

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where there is a previous position, at which the operand is true."""
        return algebra.previous(values[0], weak=False)

    def needs(self, wanted: bool) -> Signed | None:
        """It is also false for want of a position."""
        return super().needs(wanted) if wanted else None

    def negated(self) -> Formula:
        """False at the previous position, if there is one."""
        return WeakPrevious(Not(self.operand))


class WeakPrevious(_One):
    """The operand is true at the previous position, if there is one."""

    __slots__ = ()
    words = ("Z", "WY", "wY", "wprevious")
    is_past = True

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where there is no previous position, or the operand is true at it."""
        return algebra.previous(values[0], weak=True)

    def needs(self, wanted: bool) -> Signed | None:
        """It is also true for want of a position."""
        return None if wanted else super().needs(wanted)

    def negated(self) -> Formula:
        """False at the previous position, and there is one."""
        return Previous(Not(self.operand))


class Once(_One):
    """The operand is true now or at some earlier position."""

    __slots__ = ()
    words = ("O", "once")
    is_past = True

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """True since the operand."""
        return algebra.looking_back(algebra.true, values[0], weak=False)

    def negated(self) -> Formula:
        """False now and at every earlier position."""
        return Historically(Not(self.operand))


class Historically(_One):
    """The operand is true now and at every earlier position."""

    __slots__ = ()
    words = ("H", "historically")
    is_past = True

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """The operand from the start on."""
        return algebra.looking_back(values[0], algebra.false, weak=True)

    def negated(self) -> Formula:
        """False now or earlier."""
        return Once(Not(self.operand))


class Since(_Two):
    """The right side is true now or earlier, and the left side at every position after that."""

    __slots__ = ()
    words = ("S", "since")
    is_past = True

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """The left side since the right one."""
        return algebra.looking_back(values[0], values[1], weak=False)

    def needs(self, wanted: bool) -> Signed | None:
        """The right side has the value at some position."""
        return Signed(True, ((self.right, wanted),))

    def negated(self) -> Formula:
        """The sides' negations trigger each other."""
        return Trigger(Not(self.left), Not(self.right))


class Trigger(_Two):
    """The right side is true back to and including where the left is, or else to the start."""

    __slots__ = ()
    words = ("T", "trigger")
    is_past = True

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """The right side since both, or from the start on."""
        return algebra.looking_back(values[1], algebra.all_of(values), weak=True)

    def needs(self, wanted: bool) -> Signed | None:
        """The right side has the value at some position."""
        return Signed(True, ((self.right, wanted),))

    def negated(self) -> Formula:
        """One side's negation since the other's."""
        return Since(Not(self.left), Not(self.right))


class Last(Formula):
    """This is the last position."""

    __slots__ = ()
    words = ("last",)
    is_linear = True

    def __new__(cls) -> Last:  # noqa: PYI034
        return made(cls)

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """The last position."""
        return algebra.next(algebra.false, weak=True)


class First(Formula):
    """This is the first position."""

    __slots__ = ()
    words = ("first",)
    is_linear = True
    is_past = True

    def __new__(cls) -> First:  # noqa: PYI034
        return made(cls)

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """The first position."""
        return algebra.previous(algebra.false, weak=True)


LAST = Last()
FIRST = First()


# What occurs in formulas, and copies with names replaced.


def atoms(formula: Formula) -> Iterator[Atom | ActionAtom]:
    """Yield every state and action proposition in the formula, in reading order."""
    for node in formula.walk():
        if isinstance(node, (Atom, ActionAtom)):
            yield node


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """Return the operands of a conjunction, flattened; any other formula is its own conjunct."""
    if not isinstance(formula, And):
        return () if formula is TRUE else (formula,)
    return tuple([part for operand in formula.operands for part in conjuncts(operand)])


def objects_of(formula: Formula) -> frozenset[str]:
    """Return the names of the objects that the formula mentions."""
    return frozenset(t for node in formula.walk() for t in node.terms if isinstance(t, str))


def generalize(formula: Formula, names: Mapping[str, Variable]) -> Formula:
    """Replace object names by variables: the inverse of :meth:`Formula.substitute`.

    Args:
        formula: Any formula.
        names: Object name to the variable that takes its place.
    """
    return formula.map_leaves(
        lambda leaf: leaf.with_terms(
            [names.get(term, term) if isinstance(term, str) else term for term in leaf.terms]
        )
    )


def map_atoms(formula: Formula, change: Mapping[str, str]) -> Formula:
    """Rename predicates and actions.

    Args:
        formula: Any formula.
        change: Old name to new name; names that are not in it stay.
    """

    def renamed(leaf: Formula) -> Formula:
        if isinstance(leaf, Atom):
            return Atom(change.get(leaf.predicate, leaf.predicate), leaf.terms)
        if isinstance(leaf, ActionAtom):
            return ActionAtom(change.get(leaf.action, leaf.action), leaf.terms)
        return leaf

    return formula.map_leaves(renamed)
