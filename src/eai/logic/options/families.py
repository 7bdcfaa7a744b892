"""Families of goal options, kept factored: what can be counted or optimised is never listed.

An *option* is a consistent set of literals. A family is a set of options, described by how they
are put together: one literal set (:class:`Fixed`), an option of any part (:class:`Sum`), an
action sequence (:class:`Actions`), one option of each part (:class:`Product`), or choices of
objects and of partners (:mod:`eai.logic.options.choices`). Parts that share no atom are
independent: counts multiply and values add. Parts that share one are put together one by one,
leaving out what contradicts itself.

Where the structure does not tell, a family is listed, up to :data:`LISTING_LIMIT` steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, product as cartesian
from math import prod
from typing import NamedTuple

from eai.errors import InputError
from eai.logic.formula import ActionAtom, Then
from eai.logic.tree import Formula, Not

Option = frozenset[Formula]
"""Literals (and at most one action sequence) that together entail a goal."""

LISTING_LIMIT = 100_000
"""Most combinations that are tried when parts of a goal share atoms."""


@dataclass(frozen=True)
class Scorer:
    """The scores of the elements of an option."""

    matches: Callable[[Formula], bool]  # whether an element is one of those that are wanted
    find: Callable[[Sequence[Sequence[ActionAtom]]], Formula | None]
    """A wanted action sequence that takes one action from each part; None if there is none."""
    reward: int  # what a match is worth
    price: int  # what every element costs

    def value(self, element: Formula) -> int:
        """Worth of one element."""
        return self.reward * self.matches(element) - self.price

    def sequence(self, parts: Sequence[Sequence[ActionAtom]]) -> Formula:
        """The most valuable of the action sequences that take one action from each part."""
        return self.find(parts) or Then.of([part[0] for part in parts])


_SIZE = Scorer(lambda _: False, lambda _: None, reward=0, price=1)
"""The less an option asks for, the better."""


class Best(NamedTuple):
    """The most valuable option of a family, of several the first."""

    value: int
    option: Option
    exact: bool
    """False if the search for it stopped at the limit."""


def joined(parts: Iterable[Best]) -> Best:
    """Put the best options of independent families together."""
    found = list(parts)
    option = frozenset[Formula]().union(*(part.option for part in found))
    return Best(sum(part.value for part in found), option, all(part.exact for part in found))


class Listing(NamedTuple):
    """The distinct options of a family, one by one."""

    options: tuple[Option, ...]
    complete: bool


class Family(ABC):
    """A set of options."""

    literals: frozenset[Formula]
    """Every element that occurs in some option, or more."""
    forced: frozenset[Formula]
    """Elements that occur in every option, or fewer."""

    @abstractmethod
    def steps(self) -> Iterator[Option | None]:
        """Yield every option, perhaps repeatedly; None for a step that led to nothing."""

    def factored_count(self) -> int | None:
        """Number of options if the structure tells it, else None."""
        return None

    def factored_best(self, _scorer: Scorer) -> tuple[Best | None] | None:
        """The most valuable option if the structure tells it (``(None,)``: there is none)."""
        return None

    @cached_property
    def atoms(self) -> frozenset[Formula]:
        """The literals without their signs."""
        return frozenset(map(atom_of, self.literals))

    @cached_property
    def count(self) -> int:
        """Number of distinct options.

        Raises:
            InputError: It can only be found by listing more than :data:`LISTING_LIMIT` steps.
        """
        known = self.factored_count()
        if known is not None:
            return known
        if not self.listing.complete:
            raise InputError(
                f"the options cannot be counted: parts of the goal share atoms and have more than "
                f"{LISTING_LIMIT:,} combinations",
                mend="list some of them: options.enumerate(limit)",
            )
        return len(self.listing.options)

    def best(self, scorer: Scorer) -> Best | None:
        """Return the most valuable option; None if the family has no option.

        Raises:
            InputError: Whether it has one is not known after :data:`LISTING_LIMIT` steps.
        """
        known = self.factored_best(scorer)
        if known is not None:
            return known[0]
        options, complete = self.listing
        if not options and not complete:
            raise InputError(
                f"no option was found: parts of the goal share atoms, and the first "
                f"{LISTING_LIMIT:,} of their combinations contradict themselves"
            )
        valued = [Best(sum(map(scorer.value, o)), o, complete) for o in options]
        return max(valued, key=lambda best: best.value, default=None)

    def has_empty(self) -> bool:
        """Return whether the family has an option that asks for nothing."""
        return self.best(_SIZE) == (0, frozenset(), True)

    @cached_property
    def listing(self) -> Listing:
        """The distinct options, up to the limit."""
        return self.list(None, most_steps=LISTING_LIMIT)

    def list(self, limit: int | None, *, most_steps: int | None = None) -> Listing:
        """List distinct options."""
        found: dict[Option, None] = {}
        steps = self.steps()
        for option in islice(steps, most_steps):
            if option is None or option in found:
                continue
            if limit is not None and len(found) >= limit:
                return Listing(tuple(found), complete=False)
            found[option] = None
        return Listing(tuple(found), complete=next(steps, END) is END)


END: Option = frozenset([Then(())])
"""Marks the end of a stream of options; no option holds an empty ``then``."""


class Fixed(Family):
    """One option."""

    def __init__(self, option: Option) -> None:
        self.literals = self.forced = option

    def steps(self) -> Iterator[Option | None]:
        yield self.forced

    def factored_count(self) -> int:
        return 1

    def factored_best(self, scorer: Scorer) -> tuple[Best | None]:
        return (Best(sum(map(scorer.value, self.forced)), self.forced, exact=True),)


class Actions(Family):
    """One option for each way to take one action from every part, in order."""

    def __init__(self, parts: Sequence[Sequence[ActionAtom]]) -> None:
        self.parts = tuple(tuple(dict.fromkeys(part)) for part in parts)
        # Stands for every sequence: a goal has one family of sequences at most.
        self.literals = frozenset([Then(tuple(part[0] for part in self.parts))])
        self.forced = frozenset()

    def steps(self) -> Iterator[Option | None]:
        """Yield the sequences in the order of the text."""
        for actions in cartesian(*self.parts):
            yield frozenset([Then.of(actions)])

    def factored_count(self) -> int:
        return prod(map(len, self.parts))

    def factored_best(self, scorer: Scorer) -> tuple[Best | None]:
        """The scorer finds the sequence without seeing all of them."""
        element = scorer.sequence(self.parts)
        return (Best(scorer.value(element), frozenset([element]), exact=True),)


class Sum(Family):
    """An option of any of the parts."""

    def __init__(self, parts: Iterable[Family]) -> None:
        self.parts: tuple[Family, ...] = tuple(
            each for part in parts for each in (part.parts if isinstance(part, Sum) else (part,))
        )
        self.literals = frozenset[Formula]().union(*(part.literals for part in self.parts))
        self.forced = frozenset.intersection(*(part.forced for part in self.parts or (EMPTY,)))

    def steps(self) -> Iterator[Option | None]:
        """Yield the options of the first part, then those of the second, and so on."""
        for part in self.parts:
            yield from part.steps()

    def factored_count(self) -> int | None:
        """The sum of the counts, if no two parts can have an option in common.

        The option that asks for nothing may be in several parts and counts once.
        """
        # Whether two may have an option in common, other than the empty one.
        if any(
            a.forced <= b.literals
            and b.forced <= a.literals
            and not a.literals.isdisjoint(b.literals)
            for a, b in combinations(self.parts, 2)
        ):
            return None
        repeated = sum(part.has_empty() for part in self.parts if not part.forced) - 1
        return sum(part.count for part in self.parts) - max(0, repeated)

    def factored_best(self, scorer: Scorer) -> tuple[Best | None]:
        found = [best for part in self.parts if (best := part.best(scorer)) is not None]
        top = max(found, key=lambda best: best.value, default=None)
        return (top and top._replace(exact=all(best.exact for best in found)),)


def atom_of(literal: Formula) -> Formula:
    """Return a literal without its sign."""
    return literal.operand if isinstance(literal, Not) else literal


EMPTY = Fixed(frozenset())


class Product(Family):
    """One option of each part, together; combinations that contradict themselves are left out.

    Args:
        parts: The families. They are regrouped so that no two groups share an atom.
    """

    def __init__(self, parts: Iterable[Family]) -> None:
        # group parts so that no two groups share an atom; lone literals become one group
        groups = _components(list(_flat(parts)))
        lone = [group[0] for group in groups if len(group) == 1 and isinstance(group[0], Fixed)]
        rest = [group for group in groups if len(group) > 1 or not isinstance(group[0], Fixed)]
        joined = Fixed(frozenset[Formula]().union(*(part.forced for part in lone)))
        self.groups = [(joined,), *rest] if lone else rest
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
        return prod(part.count for part in self._factors)

    def factored_best(self, scorer: Scorer) -> tuple[Best | None]:
        found = [part.best(scorer) for part in self._factors]
        whole = [best for best in found if best is not None]
        return (joined(whole) if len(whole) == len(found) else None,)


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
            if tried > LISTING_LIMIT or not complete:
                return self.list(None, most_steps=LISTING_LIMIT)
            pairs = ((a | b) for a in whole for b in filter(_denied(a).isdisjoint, options))
            whole = list(dict.fromkeys(pairs))
        return Listing(tuple(whole), complete=True)


def unions(parts: Sequence[Family]) -> Iterator[Option | None]:
    """Yield every consistent union of one option of each part, and None for a dead end."""
    if all(isinstance(part, Fixed) for part in parts):
        # One for each of many choices of objects: what goes part by part below, at once.
        joined = frozenset[Formula]().union(*(part.forced for part in parts))
        yield None if any(isinstance(e, Not) and e.operand in joined for e in joined) else joined
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
