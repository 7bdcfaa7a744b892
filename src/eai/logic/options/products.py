"""One option of each part of a goal, together.

Parts that share no atom are independent: counts multiply and values add. Parts that share one
are put together one by one, leaving out what contradicts itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import prod

from eai.logic.formula import Formula, Not
from eai.logic.options import families
from eai.logic.options.families import END, Best, Family, Fixed, Listing, Option, Scorer

__all__ = ["Product", "unions"]


class Product(Family):
    """One option of each part, together; combinations that contradict themselves are left out.

    Args:
        parts: The families. They are regrouped so that no two groups share an atom.
    """

    def __init__(self, parts: Iterable[Family]) -> None:
        self.groups = _independent(_flat(parts))
        members = [part for group in self.groups for part in group]
        self.literals = frozenset[Formula]().union(*(part.literals for part in members))
        self.forced = frozenset[Formula]().union(*(part.forced for part in members))

    def steps(self) -> Iterator[Option | None]:
        """Yield the combinations, the last part changing fastest."""
        tangles = (part.listing for part in self._factors if isinstance(part, _Tangle))
        if not any(complete and not options for options, complete in tangles):
            yield from unions(self._factors)

    @cached_property
    def _factors(self) -> tuple[Family, ...]:
        return tuple(group[0] if len(group) == 1 else _Tangle(group) for group in self.groups)

    def factored_count(self) -> int | None:
        """The product of the counts."""
        return prod(part.count for part in self._factors)

    def factored_best(self, scorer: Scorer) -> tuple[Best | None]:
        """The union of the parts' best."""
        found = [part.best(scorer) for part in self._factors]
        whole = [best for best in found if best is not None]
        if len(whole) < len(found):
            return (None,)
        option = frozenset[Formula]().union(*(best.option for best in whole))
        exact = all(best.exact for best in whole)
        return (Best(sum(best.value for best in whole), option, exact),)


class _Tangle(Family):
    """Parts of a product that share atoms: their combinations have to be listed."""

    def __init__(self, parts: Sequence[Family]) -> None:
        # Parts with one option first: what contradicts them is then dropped at once.
        self.parts = sorted(parts, key=lambda part: not isinstance(part, Fixed))
        self.literals = frozenset[Formula]().union(*(part.literals for part in parts))
        self.forced = frozenset[Formula]().union(*(part.forced for part in parts))

    def steps(self) -> Iterator[Option | None]:
        known = self.__dict__.get("listing")
        return iter(known.options) if known and known.complete else unions(self.parts)

    @cached_property
    def listing(self) -> Listing:
        """Part by part, so that repetitions do not multiply; else as far as the limit goes."""
        whole = [Option()]
        tried = 0
        for part in self.parts:
            options, complete = part.listing
            tried += len(whole) * len(options)
            if tried > families.LISTING_LIMIT or not complete:
                return self.list(None, most_steps=families.LISTING_LIMIT)
            pairs = ((a | b) for a in whole for b in filter(_denied(a).isdisjoint, options))
            whole = list(dict.fromkeys(pairs))
        return Listing(tuple(whole), complete=True)

    def factored_count(self) -> None:
        return None

    def factored_best(self, _scorer: Scorer) -> None:
        return None


def unions(parts: Sequence[Family]) -> Iterator[Option | None]:
    """Yield every consistent union of one option of each part, and None for a dead end."""
    if not parts:
        yield frozenset()
        return
    chosen: list[Option] = [frozenset()]
    denied: list[Option] = [frozenset()]
    streams = [_once(parts[0].steps())]
    while streams:
        option = next(streams[-1], END)
        if option is END:
            streams.pop()
            chosen.pop()
            denied.pop()
        elif option is None or not denied[-1].isdisjoint(option):
            yield None
        elif len(streams) == len(parts):
            yield chosen[-1] | option
        else:
            chosen.append(chosen[-1] | option)
            denied.append(denied[-1] | _denied(option))
            streams.append(_once(parts[len(streams)].steps()))


def _once(steps: Iterator[Option | None]) -> Iterator[Option | None]:
    """Replace repetitions by None: a step that leads to nothing new."""
    seen: set[Option] = set()
    for option in steps:
        yield None if option in seen else option
        if option is not None:
            seen.add(option)


def _denied(option: Option) -> Option:
    """The opposites of an option's literals: what it cannot be joined with."""
    return frozenset(each.operand if isinstance(each, Not) else Not(each) for each in option)


def _flat(parts: Iterable[Family]) -> Iterator[Family]:
    """Resolve products in products, and split literal sets, into the smallest parts."""
    for part in parts:
        if isinstance(part, Product):
            for group in part.groups:
                yield from _flat(group)
        elif isinstance(part, Fixed):
            for literal in sorted(part.forced, key=repr):
                yield Fixed(frozenset([literal]))
        else:
            yield part


def _independent(parts: Iterable[Family]) -> list[tuple[Family, ...]]:
    """Group parts so that no two groups share an atom; lone literals become one group."""
    groups = _components(list(parts))
    lone = [group[0] for group in groups if len(group) == 1 and isinstance(group[0], Fixed)]
    rest = [group for group in groups if len(group) > 1 or not isinstance(group[0], Fixed)]
    joined = Fixed(frozenset[Formula]().union(*(part.forced for part in lone)))
    return [(joined,), *rest] if lone else rest


def _components(parts: list[Family]) -> list[tuple[Family, ...]]:
    """The classes of parts that are connected by shared atoms, in order of first members."""
    class_of: dict[Formula, list[int]] = {}
    classes: dict[int, list[int]] = {}
    for number, part in enumerate(parts):
        touched = {id(known): known for a in part.atoms if (known := class_of.get(a))}
        merged = sorted({number}.union(*touched.values()))
        for known in touched.values():
            del classes[known[0]]
        classes[merged[0]] = merged
        for member in merged:
            class_of.update(dict.fromkeys(parts[member].atoms, merged))
    return [tuple(parts[n] for n in classes[first]) for first in sorted(classes)]
