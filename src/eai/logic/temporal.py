"""Linear temporal logic on finite traces, with past.

Sources: De Giacomo & Vardi 2013; De Giacomo, Di Stasio, Fuggitti & Rubin 2020. Every operator is a
step to a neighbouring position or a fixed point: ``lasting`` is "``meet``, or ``keep`` and the
same at the next position", with ``weak`` for its value beyond the end, and ``looking_back`` is
the same into the past. Operators that look back mirror those that look ahead.

To add an operator, write its class here, list it in ``__init__.pyi``, and put its words into
``grammars/ltl.lark``: into PREFIX or BINARY, and into NAME, which says what is no name: words
stand in its first list, letters between two formulas in its second. Override ``needs`` where what
a class inherits is not true of it (quantifiers count on it), name its dual if there is one, and
look through ``messages.py`` for its words and letters, and through ``dialects.py`` if other
notations have it. A letter between two formulas is no name any more, so texts that use it as one
are refused. In ``tests/support``, ``definition.py`` says what it means, and ``strategies.py`` and
``strategies_formulas.py`` make formulas with it; ``tests/property/test_automata_properties.py`` has
a definition over words. Its rows stand in ``docs/ltl.md`` and ``docs/reference.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from eai.logic.algebra import Algebra
from eai.logic.nodes import unique_node
from eai.logic.tree import Binary, Formula, Signed, Unary

if TYPE_CHECKING:
    from typing_extensions import Self

V = TypeVar("V")


class Neighbour(Unary):
    """The operand at the next position, or at the previous one."""

    is_linear = True
    weak: ClassVar[bool]
    """Whether it is true where there is no such position."""

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        step = algebra.previous if self.is_past else algebra.next
        return step(values[0], weak=self.weak)

    def needs(self, wanted: bool) -> Signed | None:
        """The operand has the value somewhere, unless this has it for want of a position."""
        return None if wanted is self.weak else Signed(True, ((self.operand, wanted),))


class Next(Neighbour):
    """There is a next position and the operand is true there (strong next)."""

    words = ("X", "X[!]", "next", "\u25cb", "\u25ef")
    weak = False


class WeakNext(Neighbour):
    """The operand is true at the next position, if there is one."""

    words = ("WX", "wX", "wnext")
    weak = True


class Previous(Neighbour):
    """There is a previous position and the operand is true there (strong yesterday)."""

    words = ("Y", "previous")
    weak = False
    is_past = True


class WeakPrevious(Neighbour):
    """The operand is true at the previous position, if there is one."""

    words = ("Z", "WY", "wY", "wprevious")
    weak = True
    is_past = True


def _fixed_point(node: Formula, algebra: Algebra[V], keep: V, meet: V, *, weak: bool) -> V:
    """Return a fixed point in the direction in which an operator looks."""
    lasting = algebra.looking_back if node.is_past else algebra.lasting
    return lasting(keep, meet, weak=weak)


class _Ahead(Unary):
    """The operand from here on, or back to the start."""

    is_linear = True

    def needs(self, wanted: bool) -> Signed:
        return Signed(True, ((self.operand, wanted),))


class Sometime(_Ahead):
    """True until, or since, the operand."""

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        # F f is "true until f"; beyond the end f never comes.
        return _fixed_point(self, algebra, algebra.true, values[0], weak=False)


class _Always(_Ahead):
    """The operand to the end, or from the start on."""

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        # G f is "f weakly until false"; beyond the end nothing violates f.
        return _fixed_point(self, algebra, values[0], algebra.false, weak=True)


class Eventually(Sometime):
    """The operand is true now or at some later position."""

    words = ("F", "eventually", "sometime", "finally", "<>", "\u25c7", "\u25ca", "\u22c4")


class Always(_Always):
    """The operand is true now and at every later position."""

    words = ("G", "always", "globally", "[]", "\u25a1", "\u25fb", "\u2610")


class Once(Sometime):
    """The operand is true now or at some earlier position."""

    words = ("O", "once")
    is_past = True


class Historically(_Always):
    """The operand is true now and at every earlier position."""

    words = ("H", "historically")
    is_past = True


class _Until(Binary):
    """Base of until and since."""

    level = 6
    is_linear = True
    weak: ClassVar[bool] = False
    """Whether the right side need not come, if the left one is true to the end."""

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        return _fixed_point(self, algebra, *values, weak=self.weak)

    def needs(self, wanted: bool) -> Signed | None:
        """With or without the left side, the right one has the value at some position."""
        return None if self.weak else Signed(True, ((self.right, wanted),))


class _Release(_Until):
    """Base of release and trigger."""

    weak = True

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        # f release g is g weakly until (f and g): the last position of g is one of f as well.
        both = algebra.all_of(values)
        return _fixed_point(self, algebra, values[1], both, weak=self.weak)

    def needs(self, wanted: bool) -> Signed | None:
        # A release that is true has the right side here, one that is false lacks it somewhere. But
        # a strong one that is false may only lack the left side.
        return Signed(True, ((self.right, wanted),)) if self.weak else None


class Until(_Until):
    """The right side is true at some position from here on, and the left side at all before it."""

    words = ("U", "until")


class Release(_Release):
    """The right side is true up to and including where the left is, or else to the end."""

    words = ("R", "V", "release")


class WeakUntil(_Until):
    """Until, or the left side is true up to the end."""

    words = ("W", "wuntil")
    weak = True


class StrongRelease(_Release):
    """Release, and the left side does become true."""

    words = ("M", "srelease")
    weak = False


class Since(_Until):
    """The right side is true at some position up to here, and the left side at all after it."""

    words = ("S", "since")
    is_past = True


class Trigger(_Release):
    """The right side is true back to and including where the left is, or else to the start."""

    words = ("T", "trigger")
    is_past = True


class _End(Formula):
    """There is no next position, or no previous one."""

    is_linear = True

    def __new__(cls) -> Self:
        return unique_node(cls)

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        # "False at the next position, if there is one" holds only where there is none.
        step = algebra.previous if self.is_past else algebra.next
        return step(algebra.false, weak=True)


class Last(_End):
    """This is the last position."""

    words = ("last",)


class First(_End):
    """This is the first position."""

    words = ("first",)
    is_past = True


LAST = Last()
FIRST = First()

_DUALS: tuple[tuple[type[Formula], type[Formula]], ...] = (
    (Next, WeakNext),
    (Previous, WeakPrevious),
    (Eventually, Always),
    (Once, Historically),
    (Until, Release),
    (WeakUntil, StrongRelease),
    (Since, Trigger),
)
"""Operators that the negation of operands turns into each other."""
for _one, _other in _DUALS:
    _one.dual, _other.dual = _other, _one
