"""Sets of literals, kept as masks, so that whole rows of them are handled at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from eai.planning.repair.producers import Literal
from eai.world.bits import bits
from eai.world.state import Change, State

__all__ = ["Need"]

Prefix = tuple[int, ...]
Sign = tuple[int, bool]


class Need:
    """Literals of which an edit has to make one true, if it is to be of any use.

    They are kept by predicate and sign, then by all arguments but the last, as a mask of the last
    one (1 for a predicate without arguments).

    Args:
        literals: The literals.
    """

    def __init__(self, literals: Iterable[Literal] = ()) -> None:
        self.tables: dict[Sign, dict[Prefix, int]] = {}
        self.add(literals)

    def __bool__(self) -> bool:
        return any(self.tables.values())

    def copy(self) -> Need:
        """Return a copy that can be changed on its own."""
        new = Need()
        new.tables = {sign: dict(table) for sign, table in self.tables.items()}
        return new

    def add(self, literals: Iterable[Literal]) -> None:
        """Add literals."""
        for p, numbers, value in literals:
            table = self.tables.setdefault((p, value), {})
            bit = 1 << numbers[-1] if numbers else 1
            table[numbers[:-1]] = table.get(numbers[:-1], 0) | bit

    def remove(self, literals: Iterable[Literal]) -> None:
        """Take literals out that are in."""
        for p, numbers, value in literals:
            table = self.tables[p, value]
            table[numbers[:-1]] &= ~(1 << numbers[-1] if numbers else 1)

    def matching(self, sign: Sign, pattern: Sequence[int | None]) -> Iterator[Literal]:
        """Yield the literals of a sign whose arguments are as given, where they are given."""
        table = self.tables.get(sign)
        if not table:
            return
        p, value = sign
        if not pattern:
            if table.get(()):
                yield p, (), value
            return
        *head, last = pattern
        only = -1 if last is None else 1 << last
        for prefix in self._prefixes(table, head):
            for number in bits(table[prefix] & only):
                yield p, (*prefix, number), value

    @staticmethod
    def _prefixes(table: dict[Prefix, int], head: list[int | None]) -> list[Prefix]:
        if None not in head:
            prefix = tuple([number for number in head if number is not None])
            return [prefix] if prefix in table else []
        return [
            prefix
            for prefix in table
            if all(a is None or a == b for a, b in zip(head, prefix, strict=True))
        ]

    def open(self, sign: Sign, state: State) -> Iterator[tuple[Prefix, int]]:
        """Yield the literals of a sign that are not so in a state, by prefix."""
        p, value = sign
        for prefix, mask in self.tables[sign].items():
            line = _line(state, p, prefix)
            left = mask & ~line if value else mask & line
            if left:
                yield prefix, left

    def met_by(self, changes: Iterable[Change]) -> bool:
        """Whether one of the literals is what changes bring about."""
        return any(self._hit(*change) for change in changes)

    def lost_by(self, changes: Iterable[Change]) -> bool:
        """Whether one of the literals is the opposite of what changes bring about."""
        return any(self._hit(p, c, key, mask, not value) for p, c, key, mask, value in changes)

    def _hit(self, p: int, column: int, key: object, mask: int, value: bool) -> bool:
        table = self.tables.get((p, value))
        if not table:
            return False
        if column:
            assert isinstance(key, int)  # noqa: S101 - a column belongs to one object
            return any(table.get((number,), 0) >> key & 1 for number in bits(mask))
        prefix = () if key is None else (key,) if isinstance(key, int) else key
        return bool(table.get(prefix, 0) & mask)  # type: ignore[call-overload]


def _line(state: State, p: int, prefix: Prefix) -> int:
    """The last arguments with which the atoms of a predicate hold."""
    if not prefix:
        return state.unary[p]
    return state.rows[p][prefix[0]] if len(prefix) == 1 else state.wide[p].get(prefix, 0)
