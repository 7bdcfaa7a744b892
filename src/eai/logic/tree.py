"""The expression tree: the base class of all formulas, and the connectives.

A node knows its operands, its variables, copies of itself with something replaced, its text, and
its truth over any :class:`~eai.logic.algebra.Algebra`: an operator is one class. Equal formulas
are the same object, and nest at most 250 deep (:mod:`eai.logic.nodes`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, TypeVar, cast

from eai.errors import InputError
from eai.logic.algebra import Algebra, Bits
from eai.logic.nodes import WORDS, Binding, Node, Term, Variable, unique_node
from eai.logic.printer import Printer, format_formula
from eai.nesting import on_own_stack

if TYPE_CHECKING:
    from typing_extensions import Self

Reading = Literal["eai", "ltlf"]
"""The semantics of a formula: ``"eai"``, a goal of the Embodied Agent Interface, which has to be
met at some position; ``"ltlf"``, linear temporal logic on finite traces, at the first position."""

V = TypeVar("V")


class TruthContext(Protocol):
    """The interface through which nodes compute where they are true.

    All vectors are over the same positions. ``timeline`` is their algebra, ``full`` the vector of
    all positions.
    """

    timeline: Bits
    full: int

    # Each method is called by one kind of node, which passes itself.
    def atom(self, formula: Any, binding: Binding) -> int: ...  # noqa: ANN401
    def action(self, formula: Any, binding: Binding) -> int: ...  # noqa: ANN401
    def then(self, formula: Any, binding: Binding) -> int: ...  # noqa: ANN401
    def some(self, formula: Any, binding: Binding) -> int: ...  # noqa: ANN401
    def count(self, formula: Any, binding: Binding) -> int: ...  # noqa: ANN401
    def for_pairs(self, formula: Any, binding: Binding) -> int: ...  # noqa: ANN401
    def numeric(self, formula: Any, binding: Binding) -> int: ...  # noqa: ANN401
    def ground(self, terms: Iterable[Term], binding: Binding) -> tuple[str, ...]: ...


class Signed(NamedTuple):
    """A conjunction or disjunction of operands with wanted values.

    Args:
        every: Whether all demands have to be met; otherwise one of them.
        parts: Operands, each with the value that it has to have.
    """

    every: bool
    parts: tuple[tuple[Formula, bool], ...]


_NO_VARIABLES: frozenset[Variable] = frozenset()
_NO_NAMES: frozenset[str] = frozenset()


class Formula(Node):
    """Base class of all formulas.

    Python operators build larger ones: ``f & g``, ``f | g``, ``f ^ g``, ``~f`` and ``f >> g``.
    """

    __slots__ = (
        "_code",
        "free",
        "free_names",
        "has_linear",
        "has_then",
        "is_lasting",
        "is_temporal",
        "looks_back",
    )
    words: ClassVar[tuple[str, ...]] = ()
    """How the operator is written in text; the first one is printed."""
    level: ClassVar[int] = 7
    """How tightly it binds, in the grammar's order: 0 ``then``, 1 ``iff``, 2 ``implies``, 3
    ``xor``, 4 ``or``, 5 ``and``, 6 until and its relatives, 7 everything else."""
    dual: ClassVar[type[Formula] | None] = None
    """The dual operator: on negated operands it is true where this one is false."""
    is_linear: ClassVar[bool] = False
    """Whether this is an operator of linear temporal logic."""
    is_then: ClassVar[bool] = False
    """Whether this is the temporal connective of the Embodied Agent Interface."""
    is_past: ClassVar[bool] = False
    """Whether this is an operator of linear temporal logic that looks back."""
    is_derived: ClassVar[bool] = True
    """Whether the truth at positions follows from that of the operands at positions."""
    is_monotone: ClassVar[bool] = True
    """Whether the node, if it holds, still holds when operands are true at more positions."""

    # Computed once, by ``settle``, when the node is made of its operands.
    free: frozenset[Variable]
    """The variables that no quantifier of the formula binds."""
    free_names: frozenset[str]
    """The names of these variables."""
    has_then: bool
    """Whether a ``then`` occurs in the formula."""
    has_linear: bool
    """Whether an operator of linear temporal logic occurs in the formula."""
    is_temporal: bool
    """Whether the formula contains ``then`` or an operator of linear temporal logic."""
    looks_back: bool
    """Whether its truth at a position can depend on positions before that one.

    A formula below a ``then`` is evaluated on a part that begins at the position, so it does not
    look back any further."""
    is_lasting: bool
    """Whether the formula, if it holds on a part, holds on every larger part.

    Every formula does that has no operator of linear temporal logic, and no negation, equivalence,
    counting or pairing above a ``then``."""

    _code: Any

    def __init_subclass__(cls) -> None:
        # Only its own words: a subclass does not take over those of the class above it.
        WORDS.update(dict.fromkeys(cls.__dict__.get("words", ()), cls))

    @property
    def operands(self) -> tuple[Formula, ...]:
        """The direct subformulas, in reading order."""
        return ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of a proposition or an equality; none for any other node."""
        return ()

    @property
    def links(self) -> tuple[Formula, ...]:
        """The parts of a chain of ``then``, in order; any other formula is one part."""
        return (self,)

    # Truth: once for every operator, over any algebra.

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Return the value of the node, given those of its operands.

        Args:
            algebra: The algebra of the values.
            values: The values of the operands; of a quantifier, its body's for each binding.
        """
        raise NotImplementedError(type(self).__name__)

    def truth(self, at: TruthContext, binding: Binding) -> int:
        """Return the positions at which the formula is true, as a truth vector."""
        values = [operand.truth(at, binding) for operand in self.operands]
        return self.combine(at.timeline, values)

    def split(self, wanted: bool) -> Signed | None:
        """Return an equivalent condition on the operands for a wanted value, or None.

        Returns:
            Values of operands, all or one of them, at the same position; None if the formula is
            neither a conjunction nor a disjunction of such values.
        """
        return None

    def needs(self, wanted: bool) -> Signed | None:
        """Return a necessary condition on the operands for a wanted value, or None.

        Returns:
            Values of operands, each at any position: if they never occur, the formula never has
            the wanted value. None if no such condition is known.
        """
        return self.split(wanted)

    def negated(self) -> Formula:
        """Return the negation, pushed one level down where the operator has a dual."""
        if self.dual is None:
            return Not(self)
        # not (f until g) is (not f) release (not g): negate the operands, then change the operator.
        negated_operands = self.rebuild([Not(operand) for operand in self.operands])
        fields = [getattr(negated_operands, name) for name in self.__match_args__]
        return unique_node(self.dual, *fields)

    def text(self, to: Printer) -> str:
        """Return the formula as text in a notation."""
        return to.word(self.words[0])

    def __str__(self) -> str:
        return format_formula(self)

    # Properties of the tree.

    def settle(self) -> None:
        """Set the attributes that are derived from the operands.

        It is called once when the node is made, so that properties such as the free variables are
        available at no cost.
        """
        has_then = self.is_then
        has_linear = self.is_linear
        looks_back = self.is_past
        has_lasting_operands = True
        free = _NO_VARIABLES
        operands = self.operands
        for operand in operands:
            has_then = has_then or operand.has_then
            has_linear = has_linear or operand.has_linear
            # Each operand of a ``then`` starts on a part of its own, which hides everything before.
            looks_back = looks_back or (operand.looks_back and not self.is_then)
            has_lasting_operands = has_lasting_operands and operand.is_lasting
            if operand.free:
                free |= operand.free
        if self.terms or self.variables:
            free = self._with_own_terms(free)
        # ``then`` without links holds on empty parts only, so on no larger ones.
        can_be_lost = has_linear or (self.is_then and not operands)
        can_be_lost = can_be_lost or (has_then and not self.is_monotone)
        # Nodes refuse assignment, so that the table of nodes can share them.
        set_once = object.__setattr__
        set_once(self, "free", free)
        set_once(
            self,
            "free_names",
            frozenset([variable.name for variable in free]) if free else _NO_NAMES,
        )
        set_once(self, "has_then", has_then)
        set_once(self, "has_linear", has_linear)
        set_once(self, "is_temporal", has_then or has_linear)
        set_once(self, "looks_back", looks_back)
        set_once(self, "is_lasting", has_lasting_operands and not can_be_lost)

    def _with_own_terms(self, free: frozenset[Variable]) -> frozenset[Variable]:
        """Return the free variables of operands and terms, without those bound here."""
        for term in self.terms:
            if isinstance(term, Variable):
                free |= {term}
        if free and self.variables:
            bound = {variable.name for variable in self.variables}
            free = frozenset(variable for variable in free if variable.name not in bound)
        return free

    def reading(self, wanted: Reading | None = None) -> Reading:
        """Return the semantics with which the formula is evaluated.

        Args:
            wanted: The reading to use. None takes it from the notation: ``"ltlf"`` if there are
                operators of linear temporal logic and no ``then``.

        Raises:
            InputError: If there is no such reading.
        """
        if wanted is None:
            return "ltlf" if self.has_linear and not self.has_then else "eai"
        if wanted not in ("eai", "ltlf"):
            raise InputError(f"there is no reading {wanted!r}", expected="'eai' or 'ltlf'")
        return wanted

    def under(self, binding: Mapping[str, str]) -> tuple[object, ...]:
        """Return a key for the truth of the formula: itself and its free variables' objects."""
        return (self, *[binding[name] for name in self.free_names])

    def check_closed(self, bound: Collection[str] = ()) -> None:
        """Raise an error if the formula has free variables.

        Args:
            bound: Names of variables that may be free, because the caller binds them.

        Raises:
            InputError: If another variable is free.
        """
        unbound = self.free_names.difference(bound)
        if unbound:
            raise InputError(
                f"variable {min(unbound)!r} is not bound",
                mend="put a quantifier around the formula",
            )

    # Walks and copies.

    def walk(self) -> Iterator[Formula]:
        """Yield the formula and all its subformulas in reading order."""
        # A stack of its own: text may nest deeper than Python calls functions.
        pending: list[Formula] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.operands))

    def rebuild(self, operands: Iterable[Formula]) -> Self:
        """Return a node of the same kind over other operands, as many as it has."""
        parts = tuple(operands)
        return self if parts == self.operands else cast("Self", self._over(parts))

    def _over(self, operands: tuple[Formula, ...]) -> Formula:
        return type(self)(*operands)

    def with_terms(self, terms: Iterable[Term]) -> Formula:
        """Return the same proposition or equality over other terms."""
        return self

    def substitute(self, binding: Mapping[str, Term]) -> Formula:
        """Replace free variables by terms.

        Args:
            binding: Variable name to the object name (or variable) that replaces it. A new term
                must not be a variable that the formula binds: it would be captured.
        """
        if self.free_names.isdisjoint(binding):
            return self
        return _substituted(self, binding)

    def _substitute(self, binding: Mapping[str, Term]) -> Formula:
        """Return the formula with terms in the place of free variables (see :meth:`substitute`).

        Subformulas without one of these variables are returned as they are, not copied.
        """
        if self.free_names.isdisjoint(binding):
            return self
        if not self.operands:
            terms = []
            for term in self.terms:
                is_bound = isinstance(term, Variable) and term.name in binding
                terms.append(binding[term.name] if is_bound else term)  # type: ignore[union-attr]
            return self.with_terms(terms)
        # In "open(?x) and exists ?x: red(?x)" only the first "?x" is replaced.
        # Variables that this node binds hide those of the same name outside.
        bound = {variable.name for variable in self.variables}
        if not bound.isdisjoint(binding):
            binding = {name: term for name, term in binding.items() if name not in bound}
        operands = []
        for operand in self.operands:  # no comprehension: it would take a frame for each level
            operands.append(operand._substitute(binding))  # noqa: SLF001
        return self.rebuild(operands)

    def map_leaves(self, change: Callable[[Formula], Formula]) -> Formula:
        """Return the formula with ``change`` applied to every node that has no operands."""
        return _with_leaves(self, change)

    def _map_leaves(self, change: Callable[[Formula], Formula]) -> Formula:
        """See :meth:`map_leaves`, for a formula that is not too deep."""
        if not self.operands:
            return change(self)
        operands = []
        for operand in self.operands:  # no comprehension: it would take a frame for each level
            operands.append(operand._map_leaves(change))  # noqa: SLF001
        return self.rebuild(operands)

    # Operators of Python.

    def __and__(self, other: Formula) -> Formula:
        return And((self, other))

    def __or__(self, other: Formula) -> Formula:
        return Or((self, other))

    def __xor__(self, other: Formula) -> Formula:
        return Xor(self, other)

    def __invert__(self) -> Formula:
        return Not(self)

    def __rshift__(self, other: Formula) -> Formula:
        return Implies(self, other)


_substituted = on_own_stack(Formula._substitute)  # noqa: SLF001
_with_leaves = on_own_stack(Formula._map_leaves)  # noqa: SLF001


class Unary(Formula):
    """A node with one operand."""

    __slots__ = ("operand",)
    __match_args__ = ("operand",)
    operand: Formula

    def __new__(cls, operand: Formula) -> Self:
        return unique_node(cls, operand)

    @property
    def operands(self) -> tuple[Formula, ...]:
        return (self.operand,)

    def truth(self, at: TruthContext, binding: Binding) -> int:
        return self.combine(at.timeline, (self.operand.truth(at, binding),))

    def text(self, to: Printer) -> str:
        return to.prefixed(self.words[0], to.inside(self.operand, self.level))


class Binary(Formula):
    """A node with two sides."""

    __slots__ = ("left", "right")
    __match_args__ = ("left", "right")
    left: Formula
    right: Formula

    def __new__(cls, left: Formula, right: Formula) -> Self:
        return unique_node(cls, left, right)

    @property
    def operands(self) -> tuple[Formula, ...]:
        return (self.left, self.right)

    def truth(self, at: TruthContext, binding: Binding) -> int:
        sides = (self.left.truth(at, binding), self.right.truth(at, binding))
        return self.combine(at.timeline, sides)

    def text(self, to: Printer) -> str:
        # All operators group to the right, but for exclusive or.
        left = to.inside(self.left, self.level + 1)
        right = to.inside(self.right, self.level)
        return f"{left} {to.word(self.words[0])} {right}"


class Chain(Formula):
    """A node with any number of operands."""

    __slots__ = ("operands",)
    __match_args__ = ("operands",)
    operands: tuple[Formula, ...]

    def __new__(cls, operands: Iterable[Formula]) -> Self:
        return unique_node(cls, tuple(operands))

    @classmethod
    def of(cls, operands: Sequence[Formula]) -> Formula:
        """Return the operands joined by the operator; a single one is returned as it is."""
        if len(operands) == 1:
            return operands[0]
        return cls(operands)

    def _over(self, operands: tuple[Formula, ...]) -> Formula:
        return type(self)(operands)

    def text(self, to: Printer) -> str:
        if len(self.operands) < 2:
            return self.short(to)
        parts = []
        for operand in self.operands:  # no comprehension: it would take a frame for each level
            parts.append(to.inside(operand, self.level + 1))
        return f" {to.word(self.words[0])} ".join(parts)

    def short(self, to: Printer) -> str:
        """Return the text of a chain with fewer than two operands, which has no notation."""
        if self.operands:
            return to.inside(self.operands[0], 7)
        return to.constant(self.split(True) == (True, ()))


class Quantified(Formula):
    """A node whose ``body`` has variables that it binds."""

    __slots__ = ("body",)
    is_derived = False
    body: Formula

    @property
    def operands(self) -> tuple[Formula, ...]:
        return (self.body,)

    def _over(self, operands: tuple[Formula, ...]) -> Formula:
        return self.over(self.variables, *operands)

    def over(self, variables: Sequence[Variable], body: Formula) -> Formula:
        """Return a quantifier of the same kind over other variables and another body."""
        raise NotImplementedError

    def text(self, to: Printer) -> str:
        return to.quantified(self.head(to), self.variables, self.body)

    def head(self, to: Printer) -> str:
        """Return the text before the variables."""
        return to.word(self.words[0])


class Truth(Formula):
    """A constant: true or false everywhere."""

    __slots__ = ("value",)
    __match_args__ = ("value",)
    words = ("true", "false")
    value: bool

    def __new__(cls, value: bool) -> Self:
        return unique_node(cls, bool(value))

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        if self.value:
            return algebra.true
        return algebra.false

    def text(self, to: Printer) -> str:
        return to.constant(self.value)

    def split(self, wanted: bool) -> Signed:
        # No demand at all: the empty conjunction is true, the empty disjunction false.
        return Signed(self.value == wanted, ())

    def negated(self) -> Formula:
        return Truth(not self.value)


class Not(Unary):
    """Negation."""

    words = ("not", "!", "~", "\N{NOT SIGN}")
    is_monotone = False

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return algebra.negation(values[0])

    def split(self, wanted: bool) -> Signed:
        return Signed(True, ((self.operand, not wanted),))

    def negated(self) -> Formula:
        return self.operand


class And(Chain):
    """Conjunction; true when empty."""

    words = ("and",)
    level = 5

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return algebra.all_of(values)

    def truth(self, at: TruthContext, binding: Binding) -> int:
        positions = at.full
        for operand in self.operands:
            positions &= operand.truth(at, binding)
        return positions

    def split(self, wanted: bool) -> Signed:
        return Signed(wanted, tuple([(operand, wanted) for operand in self.operands]))


class Or(Chain):
    """Disjunction; false when empty."""

    words = ("or",)
    level = 4

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return algebra.any_of(values)

    def truth(self, at: TruthContext, binding: Binding) -> int:
        positions = 0
        for operand in self.operands:
            positions |= operand.truth(at, binding)
        return positions

    def split(self, wanted: bool) -> Signed:
        return Signed(not wanted, tuple([(operand, wanted) for operand in self.operands]))


And.dual, Or.dual = Or, And


class Implies(Binary):
    """Material implication."""

    words = ("implies",)
    level = 2
    is_monotone = False

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return algebra.any_of((algebra.negation(values[0]), values[1]))

    def split(self, wanted: bool) -> Signed:
        """The left side is false or the right side is true."""
        return Signed(not wanted, ((self.left, not wanted), (self.right, wanted)))

    def negated(self) -> Formula:
        return And((self.left, Not(self.right)))


class Iff(Binary):
    """Both sides have the same truth value."""

    words = ("iff",)
    level = 1
    is_monotone = False

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return algebra.negation(algebra.differ(*values))

    def negated(self) -> Formula:
        return Xor(self.left, self.right)


class Xor(Binary):
    """The sides have different truth values."""

    words = ("xor",)
    level = 3
    is_monotone = False

    def text(self, to: Printer) -> str:
        """It groups to the left; the sides are interchangeable anyway."""
        left, right = to.inside(self.left, self.level), to.inside(self.right, self.level + 1)
        [word] = self.words
        return f"{left} {to.word(word)} {right}"

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return algebra.differ(*values)

    def negated(self) -> Formula:
        return Iff(self.left, self.right)


TRUE = Truth(True)
FALSE = Truth(False)
