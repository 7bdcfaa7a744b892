"""What all nodes of the expression tree share, and the connectives that Python operators make.

A node is a frozen dataclass. Its *shape* says which of its fields are subformulas; what is done to
trees here goes by shapes, so that :mod:`eai.logic.nodes` has to declare no more than fields.
Nothing recurses: a formula may be nested as deeply as memory allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

__all__ = [
    "And",
    "Binary",
    "Chain",
    "Formula",
    "Iff",
    "Implies",
    "Not",
    "Or",
    "Quantified",
    "Unary",
    "Xor",
    "bottom_up",
    "children",
    "rebuilt",
]


class Formula:
    """Base class of all formulas: immutable, hashable, compared by structure.

    A copy of a formula is the formula itself.
    """

    # What is found out about a node is kept with it: its hash, what walks look for, its program.
    __slots__ = ("_hash", "_program", "_traits")
    _hash: int
    _program: object
    _traits: object

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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Formula):
            return NotImplemented
        pending = [(self, other)]
        while pending:
            left, right = pending.pop()
            if left is right:
                continue
            if type(left) is not type(right) or _own(left) != _own(right):
                return False
            ours, theirs = children(left), children(right)
            if len(ours) != len(theirs):
                return False
            pending += zip(ours, theirs, strict=True)
        return True

    def __hash__(self) -> int:
        known: int | None = getattr(self, "_hash", None)
        return _hashed(self) if known is None else known

    def __repr__(self) -> str:
        written: list[str] = []
        pending: list[Formula | str] = [self]
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                written.append(item)
            else:
                pending += reversed([*_pieces(item)])
        return "".join(written)

    def __copy__(self) -> Formula:
        return self

    def __deepcopy__(self, _memo: object) -> Formula:
        return self

    def __reduce__(self) -> tuple[Callable[..., Formula], tuple[object, ...]]:
        places: dict[int, int] = {}
        nodes = []
        for place, node in enumerate(bottom_up(self)):
            places[id(node)] = place
            parts = tuple(places[id(part)] for part in children(node))
            nodes.append((type(node), _own(node), parts))
        return _restored, (tuple(nodes),)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unary(Formula):
    """A node with one operand."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Binary(Formula):
    """A node with two sides."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Chain(Formula):
    """A node with any number of operands."""

    operands: tuple[Formula, ...]


class Quantified(Formula):
    """A node whose ``body`` has variables that it binds."""

    __slots__ = ()
    body: Formula


class Not(Unary):
    """Negation."""

    __slots__ = ()


class And(Chain):
    """Conjunction; true when empty."""

    __slots__ = ()


class Or(Chain):
    """Disjunction; false when empty."""

    __slots__ = ()


class Implies(Binary):
    """Material implication."""

    __slots__ = ()


class Iff(Binary):
    """Both sides have the same truth value."""

    __slots__ = ()


class Xor(Binary):
    """The sides have different truth values."""

    __slots__ = ()


def children(formula: Formula) -> tuple[Formula, ...]:
    """Return the direct subformulas, in reading order."""
    if isinstance(formula, Chain):
        return formula.operands
    if isinstance(formula, Unary):
        return (formula.operand,)
    if isinstance(formula, Binary):
        return (formula.left, formula.right)
    if isinstance(formula, Quantified):
        return (formula.body,)
    return ()


def bottom_up(formula: Formula) -> list[Formula]:
    """Return the distinct nodes of a formula, every node after its subformulas.

    Nodes are told apart by identity: a subformula that is shared is listed once.
    """
    found: list[Formula] = []
    seen: set[int] = set()
    pending = [(formula, False)]
    while pending:
        node, ready = pending.pop()
        if ready:
            found.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            pending.append((node, True))
            pending += [(child, False) for child in reversed(children(node))]
    return found


def rebuilt(formula: Formula, parts: Sequence[Formula]) -> Formula:
    """Return the same node over other subformulas, as many as it has.

    Args:
        formula: The node.
        parts: What takes the place of its :func:`children`.
    """
    return _built(type(formula), _own(formula), parts)


def _own_names(kind: type[Formula]) -> tuple[str, ...]:
    """The fields of a kind of node that are no subformulas."""
    known = _OWN_NAMES.get(kind)
    if known is None:
        plain = not issubclass(kind, (Unary, Binary, Chain))
        names = [each.name for each in fields(kind)] if plain else []  # type: ignore[arg-type]
        known = _OWN_NAMES[kind] = tuple(name for name in names if name != "body")
    return known


_OWN_NAMES: dict[type[Formula], tuple[str, ...]] = {}


def _own(formula: Formula) -> tuple[object, ...]:
    """What a node holds besides its subformulas."""
    return tuple([getattr(formula, name) for name in _own_names(type(formula))])


def _built(kind: type[Formula], own: Sequence[object], parts: Sequence[Formula]) -> Formula:
    make: Callable[..., Formula] = kind
    if issubclass(kind, Chain):
        return make(tuple(parts))
    if issubclass(kind, Quantified):
        return make(**dict(zip(_own_names(kind), own, strict=True)), body=parts[0])
    return make(*own, *parts)


def _restored(
    nodes: Sequence[tuple[type[Formula], Sequence[object], Sequence[int]]],
) -> Formula:
    """Make a formula of its nodes, each after its parts, which are given by their places."""
    made: list[Formula] = []
    for kind, own, places in nodes:
        made.append(_built(kind, own, [made[place] for place in places]))
    return made[-1]


def _pieces(formula: Formula) -> Iterator[Formula | str]:
    """What a node's representation is made of."""
    yield f"{type(formula).__qualname__}("
    for number, each in enumerate(fields(formula)):  # type: ignore[arg-type]
        value = getattr(formula, each.name)
        yield f"{', ' if number else ''}{each.name}="
        if isinstance(formula, Chain) and value:
            yield "("
            for place, part in enumerate(value):
                yield from (", ", part) if place else (part,)
            yield ",)" if len(value) == 1 else ")"
        else:
            yield value if isinstance(value, Formula) else repr(value)
    yield ")"


def _hashed(formula: Formula) -> int:
    """Compute the hash of a formula, innermost subformulas first, and keep each with its node."""
    pending = [formula]
    while pending:
        node = pending[-1]
        parts = children(node)
        unknown = [part for part in parts if getattr(part, "_hash", None) is None]
        if unknown:
            pending += unknown
            continue
        pending.pop()
        object.__setattr__(node, "_hash", hash((type(node).__name__, _own(node), parts)))
    return hash(formula)
