"""The expression tree: what all nodes share, and the connectives.

A node is immutable and *hash-consed*: there is one node for each structure, so equal formulas are
the same object, comparing and hashing cost nothing, and a table that is indexed by nodes needs no
care. A node knows its operands, its variables, copies of itself with something replaced, its
text, and its truth over any :class:`~eai.logic.algebra.Algebra`: an operator is one class.

Formulas nest at most :data:`NESTING_LIMIT` deep, so that everything that walks them may recurse.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeVar, Union, cast

from typing_extensions import Self

from eai.errors import InputError

if TYPE_CHECKING:
    from eai.logic.algebra import Algebra
    from eai.logic.positions import Binding, Positions
    from eai.logic.printer import Printer

__all__ = [
    "FALSE",
    "NESTING_LIMIT",
    "QUANTIFIER_LIMIT",
    "TRUE",
    "And",
    "Binary",
    "Chain",
    "Formula",
    "Iff",
    "Implies",
    "Not",
    "Or",
    "Quantified",
    "Reading",
    "Signed",
    "Term",
    "Truth",
    "Unary",
    "Variable",
    "Xor",
]

NESTING_LIMIT = 250
"""Most operators inside each other."""

QUANTIFIER_LIMIT = 100
"""Most quantifiers inside each other."""

Reading = Literal["eai", "ltlf"]
"""As a goal of the Embodied Agent Interface, which has to be met at some position, or as linear
temporal logic on finite traces, at the first position."""

V = TypeVar("V")
F = TypeVar("F", bound="Formula")


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable and the types of the objects that it ranges over.

    Args:
        name: Name without the question mark.
        types: Type names; an object of any of them (or of a subtype) is in range.
    """

    name: str
    types: tuple[str, ...] = ("object",)

    def __str__(self) -> str:
        return self.name


Term = Union[Variable, str]


class Signed(NamedTuple):
    """What a value of a formula takes: values of its operands, all of them or one.

    Args:
        every: Whether all are needed; otherwise one of them is.
        parts: Operands, each with the value that it has to have.
    """

    every: bool
    parts: tuple[tuple[Formula, bool], ...]


class _Facts(NamedTuple):
    """What is found out about a node once."""

    free: frozenset[Variable]
    then: bool
    linear: bool
    lasting: bool


class Formula:
    """Base class of all formulas.

    Python operators build larger ones: ``f & g``, ``f | g``, ``f ^ g``, ``~f`` and ``f >> g``.
    """

    __slots__ = ("__weakref__", "_code", "_facts", "depth", "quantifiers")
    fields: ClassVar[tuple[str, ...]] = ()
    """Names of what the node is made of, in order."""
    words: ClassVar[tuple[str, ...]] = ()
    """How the operator is written in text; the first one is printed."""
    level: ClassVar[int] = 7
    """How tightly it binds, in the grammar's order: 0 ``then``, 1 ``iff``, 2 ``implies``, 3
    ``xor``, 4 ``or``, 5 ``and``, 6 until and its relatives, 7 everything else."""
    is_linear: ClassVar[bool] = False
    """Whether this is an operator of linear temporal logic."""
    is_past: ClassVar[bool] = False
    """Whether this is an operator of linear temporal logic that looks back."""
    is_derived: ClassVar[bool] = True
    """Whether the truth at positions follows from that of the operands at positions."""
    is_monotone: ClassVar[bool] = True
    """Whether the node, once it holds, is kept by operands that are true at more places."""

    depth: int
    """How many operators are inside each other."""
    quantifiers: int
    """How many quantifiers are inside each other."""
    _facts: _Facts
    _code: Any

    @property
    def operands(self) -> tuple[Formula, ...]:
        """The direct subformulas, in reading order."""
        return ()

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that the node binds."""
        return ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of a proposition or an equality; none for any other node."""
        return ()

    # Truth: once for every operator, over any algebra.

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Return the value of the node, given those of its operands.

        Args:
            algebra: What values are.
            values: The values of the operands; those of a quantifier's body for each binding.
        """
        raise NotImplementedError(type(self).__name__)

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions at which the formula is true, as a truth vector.

        Args:
            at: The positions.
            binding: Objects for the free variables.
        """
        values = [operand.truth(at, binding) for operand in self.operands]
        return self.combine(at.timeline, values)

    def split(self, wanted: bool) -> Signed | None:
        """Return what it takes that the formula has a value.

        Returns:
            Values of operands that are together (or one by one) equivalent to it, at the same
            position; None if there are no such.
        """
        return None

    def needs(self, wanted: bool) -> Signed | None:
        """Return what has to be the case at some position so that the formula can have a value.

        Returns:
            Values of operands at any positions without which it does not have the value at any;
            None if nothing can be said.
        """
        return self.split(wanted)

    def negated(self) -> Formula:
        """Return the negation, pushed one level down where the operator has a dual."""
        return Not(self)

    def text(self, to: Printer) -> str:
        """Return the formula as text.

        Args:
            to: The notation that it is written in.
        """
        return to.word(type(self))

    def __str__(self) -> str:
        from eai.logic.printer import format_formula

        return format_formula(self)

    # Facts about the tree.

    @property
    def free(self) -> frozenset[Variable]:
        """The variables that no quantifier of the formula binds."""
        return self._known().free

    @property
    def has_then(self) -> bool:
        """Whether a ``then`` occurs in the formula."""
        return self._known().then

    @property
    def has_linear(self) -> bool:
        """Whether an operator of linear temporal logic occurs in the formula."""
        return self._known().linear

    @property
    def is_temporal(self) -> bool:
        """Whether the formula says anything about time: ``then``, or an operator of LTL."""
        facts = self._known()
        return facts.then or facts.linear

    @property
    def is_lasting(self) -> bool:
        """Whether the formula, once it holds on a part, holds on every part around it.

        That is so without operators of linear temporal logic, and without negation,
        equivalence, counting or pairing above a ``then``.
        """
        return self._known().lasting

    def _known(self) -> _Facts:
        try:
            return self._facts
        except AttributeError:
            found = self._joined([operand._known() for operand in self.operands])  # noqa: SLF001
            object.__setattr__(self, "_facts", found)
            return found

    def _joined(self, parts: Sequence[_Facts]) -> _Facts:
        then = self._is_then() or any(part.then for part in parts)
        linear = self.is_linear or any(part.linear for part in parts)
        free = frozenset[Variable]().union(*(part.free for part in parts))
        free |= {term for term in self.terms if isinstance(term, Variable)}
        if self.variables:
            bound = {variable.name for variable in self.variables}
            free = frozenset(variable for variable in free if variable.name not in bound)
        # A chain without links holds on empty parts only.
        empty = self._is_then() and not parts
        fickle = linear or empty or (then and not self.is_monotone)
        lasting = not fickle and all(part.lasting for part in parts)
        return _Facts(free, then, linear, lasting)

    def _is_then(self) -> bool:
        return False

    def reading(self, wanted: Reading | None = None) -> Reading:
        """Return how the formula is read.

        Args:
            wanted: The reading that is wanted. None takes it from the notation: ``"ltlf"`` if
                there are operators of linear temporal logic and no ``then``.

        Raises:
            InputError: If there is no such reading.
        """
        if wanted is None:
            facts = self._known()
            return "ltlf" if facts.linear and not facts.then else "eai"
        if wanted not in ("eai", "ltlf"):
            raise InputError(f"there is no reading {wanted!r}", expected="'eai' or 'ltlf'")
        return wanted

    def check_closed(self, bound: Collection[str] = ()) -> None:
        """Refuse a formula with free variables.

        Args:
            bound: Names of variables that may be free, as something is bound to them.

        Raises:
            InputError: If another variable is free.
        """
        unbound = {variable.name for variable in self.free}.difference(bound)
        if unbound:
            raise InputError(
                f"variable {min(unbound)!r} is not bound",
                mend="put a quantifier around the formula",
            )

    # Walks and copies.

    def walk(self) -> Iterator[Formula]:
        """Yield the formula and all its subformulas in reading order."""
        pending: list[Formula] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.operands))

    def rebuild(self, operands: Iterable[Formula]) -> Self:
        """Return the same node over other operands, as many as it has."""
        parts = tuple(operands)
        return self if parts == self.operands else cast("Self", self._over(parts))

    def _over(self, operands: tuple[Formula, ...]) -> Formula:
        return self

    def with_terms(self, terms: Iterable[Term]) -> Formula:
        """Return the same proposition or equality over other terms."""
        return self

    def substitute(self, binding: Mapping[str, Term]) -> Formula:
        """Replace free variables by terms.

        Args:
            binding: Variable name to the object name (or variable) that takes its place. A term
                that is put in must not be a variable that the formula binds.
        """
        free = {variable.name for variable in self.free}
        if free.isdisjoint(binding):
            return self
        if not self.operands:
            return self.with_terms(
                [binding.get(t.name, t) if isinstance(t, Variable) else t for t in self.terms]
            )
        bound = {variable.name for variable in self.variables}
        if not bound.isdisjoint(binding):
            binding = {name: term for name, term in binding.items() if name not in bound}
        return self.rebuild([operand.substitute(binding) for operand in self.operands])

    def map_leaves(self, change: Callable[[Formula], Formula]) -> Formula:
        """Return the formula with every node that has no operands changed."""
        if not self.operands:
            return change(self)
        return self.rebuild([operand.map_leaves(change) for operand in self.operands])

    # Nodes are made by their classes, which pass what they are made of to _made.

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a formula cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a formula cannot be changed: {name}")

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

    def __repr__(self) -> str:
        inside = []
        for name in self.fields:
            value = getattr(self, name)
            if isinstance(value, Formula):
                inside.append(f"{name}={value.__repr__()}")
            elif value and name == "operands":
                parts = []
                for each in value:  # calls from Python to Python, which take one frame each
                    parts.append(each.__repr__())  # noqa: PERF401
                comma = "," if len(parts) == 1 else ""
                inside.append(f"{name}=({', '.join(parts)}{comma})")
            else:
                inside.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(inside)})"

    def __copy__(self) -> Formula:
        return self

    def __deepcopy__(self, _memo: object) -> Formula:
        return self

    def __reduce__(self) -> tuple[Callable[..., Formula], tuple[object, ...]]:
        # A flat list, each node after its operands: pickle itself would recurse several levels
        # for each of ours, and would not know what is shared.
        found = [self]
        seen: set[Formula] = {self}
        for node in found:  # it grows meanwhile
            fresh = [operand for operand in dict.fromkeys(node.operands) if operand not in seen]
            seen.update(fresh)
            found += fresh
        nodes = sorted(found, key=lambda node: node.depth)
        places = {node: _Place(number) for number, node in enumerate(nodes)}
        packed = []
        for node in nodes:
            values: list[object] = []
            for name in node.fields:
                value = getattr(node, name)
                whole = name == "operands"
                values.append(tuple(map(places.get, value)) if whole else _packed(value, places))
            packed.append((type(node), tuple(values)))
        return _unpacked, (tuple(packed),)


class _Place(NamedTuple):
    """Stands for a node in a list of nodes."""

    number: int


def _packed(value: object, places: Mapping[Formula, _Place]) -> object:
    return places[value] if isinstance(value, Formula) else value


def _unpacked(nodes: Sequence[tuple[Callable[..., Formula], tuple[object, ...]]]) -> Formula:
    made: list[Formula] = []

    def found(value: object) -> object:
        if isinstance(value, _Place):
            return made[value.number]
        if isinstance(value, tuple) and value and isinstance(value[0], _Place):
            return tuple([made[each.number] for each in value])
        return value

    for kind, values in nodes:
        made.append(kind(*map(found, values)))
    return made[-1]


class _Entry(weakref.ref[Formula]):
    """A node in the table of all nodes, which forgets it when nobody else has it."""

    __slots__ = ("key",)
    key: tuple[object, ...]


_nodes: dict[tuple[object, ...], _Entry] = {}
_lock = threading.RLock()


def _forget(entry: weakref.ref[Formula]) -> None:
    with _lock:
        key = cast("_Entry", entry).key
        if _nodes.get(key) is entry:
            del _nodes[key]


def made(kind: type[F], *values: object) -> F:
    """Return the one node of a kind that is made of some values.

    Args:
        kind: The class of the node.
        values: What it is made of, as in its ``fields``.

    Raises:
        InputError: If it would be nested too deeply.
    """
    key = (kind, *values)
    entry = _nodes.get(key)
    if entry is not None:
        known = entry()
        if known is not None:
            return cast("F", known)
    node = object.__new__(kind)
    for name, value in zip(kind.fields, values, strict=True):
        object.__setattr__(node, name, value)
    _measure(node)
    with _lock:  # another thread may have made it meanwhile
        entry = _nodes.get(key)
        known = None if entry is None else entry()
        if known is not None:
            return cast("F", known)
        entry = _Entry(node, _forget)
        entry.key = key
        _nodes[key] = entry
    return node


def _measure(node: Formula) -> None:
    depth, quantifiers = 0, 0
    for operand in node.operands:
        depth = max(depth, operand.depth + 1)
        quantifiers = max(quantifiers, operand.quantifiers)
    if node.variables:
        quantifiers += 1
    object.__setattr__(node, "depth", depth)
    object.__setattr__(node, "quantifiers", quantifiers)
    if depth > NESTING_LIMIT:
        raise InputError(
            f"the formula is nested more than {NESTING_LIMIT} levels deep",
            mend="make flat chains: And((a, b, c)) is one level, whatever its length",
        )
    if quantifiers > QUANTIFIER_LIMIT:
        raise InputError(
            f"the formula has {quantifiers} quantifiers inside each other",
            expected=f"at most {QUANTIFIER_LIMIT}",
        )


class Unary(Formula):
    """A node with one operand."""

    __slots__ = ("operand",)
    __match_args__ = ("operand",)
    fields = ("operand",)
    operand: Formula

    def __new__(cls, operand: Formula) -> Unary:  # noqa: PYI034
        return made(cls, operand)

    @property
    def operands(self) -> tuple[Formula, ...]:
        """The operand."""
        return (self.operand,)

    def _over(self, operands: tuple[Formula, ...]) -> Formula:
        return type(self)(*operands)

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions at which the formula is true."""
        return self.combine(at.timeline, (self.operand.truth(at, binding),))

    def text(self, to: Printer) -> str:
        """The operator before its operand."""
        return to.prefixed(type(self), to.inside(self.operand, self.level))


class Binary(Formula):
    """A node with two sides."""

    __slots__ = ("left", "right")
    __match_args__ = ("left", "right")
    fields = ("left", "right")
    left: Formula
    right: Formula

    def __new__(cls, left: Formula, right: Formula) -> Binary:  # noqa: PYI034
        return made(cls, left, right)

    @property
    def operands(self) -> tuple[Formula, ...]:
        """Both sides."""
        return (self.left, self.right)

    def _over(self, operands: tuple[Formula, ...]) -> Formula:
        return type(self)(*operands)

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions at which the formula is true."""
        sides = (self.left.truth(at, binding), self.right.truth(at, binding))
        return self.combine(at.timeline, sides)

    def text(self, to: Printer) -> str:
        """The operator between its sides; all group to the right."""
        left, right = to.inside(self.left, self.level + 1), to.inside(self.right, self.level)
        return f"{left} {to.word(type(self))} {right}"


class Chain(Formula):
    """A node with any number of operands."""

    __slots__ = ("operands",)
    __match_args__ = ("operands",)
    fields = ("operands",)
    operands: tuple[Formula, ...]

    def __new__(cls, operands: Iterable[Formula]) -> Chain:  # noqa: PYI034
        return made(cls, tuple(operands))

    def _over(self, operands: tuple[Formula, ...]) -> Formula:
        return type(self)(operands)

    def text(self, to: Printer) -> str:
        """The operator between its operands."""
        if len(self.operands) < 2:
            return self.short(to)
        parts = []
        for operand in self.operands:  # no comprehension: it would take a frame for each level
            parts.append(to.inside(operand, self.level + 1))  # noqa: PERF401
        return f" {to.word(type(self))} ".join(parts)

    def short(self, to: Printer) -> str:
        """The text if there are fewer than two operands, which have no notation of their own."""
        raise NotImplementedError


class Quantified(Formula):
    """A node whose ``body`` has variables that it binds."""

    __slots__ = ("body",)
    is_derived = False
    body: Formula

    @property
    def operands(self) -> tuple[Formula, ...]:
        """The body."""
        return (self.body,)

    def _over(self, operands: tuple[Formula, ...]) -> Formula:
        return self.over(self.variables, *operands)

    def over(self, variables: Sequence[Variable], body: Formula) -> Formula:
        """Return the same quantifier over other variables, as many as it has, and another body."""
        raise NotImplementedError

    def text(self, to: Printer) -> str:
        """The quantifier, its variables, and its body in parentheses."""
        return to.quantified(self.head(to), self)

    def head(self, to: Printer) -> str:
        """What stands before the variables."""
        return to.word(type(self))


class Truth(Formula):
    """A constant: true or false everywhere."""

    __slots__ = ("value",)
    __match_args__ = ("value",)
    fields = ("value",)
    words = ("true", "false")
    value: bool

    def __new__(cls, value: bool) -> Truth:  # noqa: PYI034
        return made(cls, bool(value))

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """True or false."""
        return algebra.true if self.value else algebra.false

    def text(self, to: Printer) -> str:
        """The word for it."""
        return to.constant(self.value)

    def split(self, wanted: bool) -> Signed:
        """Nothing has to be the case, or nothing will do."""
        return Signed(self.value == wanted, ())

    def negated(self) -> Formula:
        """The other constant."""
        return Truth(not self.value)


class Not(Unary):
    """Negation."""

    __slots__ = ()
    words = ("not", "!", "~", "\N{NOT SIGN}")
    is_monotone = False

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where the operand is false."""
        return algebra.negation(values[0])

    def split(self, wanted: bool) -> Signed:
        """The other value of the operand."""
        return Signed(True, ((self.operand, not wanted),))

    def negated(self) -> Formula:
        """The operand."""
        return self.operand


class And(Chain):
    """Conjunction; true when empty."""

    __slots__ = ()
    words = ("and",)
    level = 5

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where all operands are true."""
        return algebra.all_of(values)

    def short(self, to: Printer) -> str:
        """What it means."""
        return to.inside(self.operands[0], 7) if self.operands else to.constant(True)

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions at which the formula is true."""
        found = at.full
        for operand in self.operands:
            found &= operand.truth(at, binding)
        return found

    def split(self, wanted: bool) -> Signed:
        """Every operand is true, or one is false."""
        return Signed(wanted, tuple([(operand, wanted) for operand in self.operands]))

    def negated(self) -> Formula:
        """One operand is false."""
        return Or(map(Not, self.operands))


class Or(Chain):
    """Disjunction; false when empty."""

    __slots__ = ()
    words = ("or",)
    level = 4

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where some operand is true."""
        return algebra.any_of(values)

    def short(self, to: Printer) -> str:
        """What it means."""
        return to.inside(self.operands[0], 7) if self.operands else to.constant(False)

    def truth(self, at: Positions, binding: Binding) -> int:
        """Return the positions at which the formula is true."""
        found = 0
        for operand in self.operands:
            found |= operand.truth(at, binding)
        return found

    def split(self, wanted: bool) -> Signed:
        """One operand is true, or every one is false."""
        return Signed(not wanted, tuple([(operand, wanted) for operand in self.operands]))

    def negated(self) -> Formula:
        """All operands are false."""
        return And(map(Not, self.operands))


class Implies(Binary):
    """Material implication."""

    __slots__ = ()
    words = ("implies",)
    level = 2
    is_monotone = False

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where the left side is false or the right side is true."""
        return algebra.any_of((algebra.negation(values[0]), values[1]))

    def split(self, wanted: bool) -> Signed:
        """The left side is false or the right side is true."""
        return Signed(not wanted, ((self.left, not wanted), (self.right, wanted)))

    def negated(self) -> Formula:
        """The left side is true and the right side is false."""
        return And((self.left, Not(self.right)))


class Iff(Binary):
    """Both sides have the same truth value."""

    __slots__ = ()
    words = ("iff",)
    level = 1
    is_monotone = False

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where the sides agree."""
        return algebra.negation(algebra.differ(*values))

    def negated(self) -> Formula:
        """The sides differ."""
        return Xor(self.left, self.right)


class Xor(Binary):
    """The sides have different truth values."""

    __slots__ = ()
    words = ("xor",)
    level = 3
    is_monotone = False

    def text(self, to: Printer) -> str:
        """It groups to the left; the sides are interchangeable anyway."""
        left, right = to.inside(self.left, self.level), to.inside(self.right, self.level + 1)
        return f"{left} {to.word(type(self))} {right}"

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        """Where the sides differ."""
        return algebra.differ(*values)

    def negated(self) -> Formula:
        """The sides agree."""
        return Iff(self.left, self.right)


TRUE = Truth(True)
FALSE = Truth(False)
