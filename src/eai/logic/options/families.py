"""Families of goal options, kept factored: counted and optimised without being listed.

An *option* is a consistent set of literals. A family is a set of options, described by how they
are put together: one literal set (:class:`Fixed`), an option of any part (:class:`Sum`), an
action sequence (:class:`Actions`), one option of each part (:class:`Product`), or choices of
objects and of partners (:mod:`eai.logic.options.choices`).

Idea: parts that share no atom are independent: their counts multiply and their values add. Parts
that share one are put together one by one, leaving out combinations that contradict themselves.

Cost: linear in the parts where the structure tells the answer; where it does not, a family is
listed, up to :data:`LISTING_LIMIT` steps.

Examples:
    >>> from eai.logic import parse_formula
    >>> from eai.logic.options import GoalOptions
    >>> goal = parse_formula("exists x. (clean(x) and forall y. (seen(y)))")
    >>> options = GoalOptions(goal, {"object": [f"cup{number}" for number in range(100)]})
    >>> options.count()
    100
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
"""Maximum number of combinations that are tried when parts of a goal share atoms."""


@dataclass(frozen=True)
class Scorer:
    """The scores of the elements of an option.

    Args:
        matches: Function that tells whether an element is one of those that are wanted.
        find: Function that returns a wanted action sequence which takes one action from each of
            some parts; None if there is none.
        reward: Value of an element that matches.
        price: Cost of every element.
    """

    matches: Callable[[Formula], bool]
    find: Callable[[Sequence[Sequence[ActionAtom]]], Formula | None]
    reward: int
    price: int

    def value(self, element: Formula) -> int:
        """Return the value of one element."""
        return self.reward * self.matches(element) - self.price

    def sequence(self, parts: Sequence[Sequence[ActionAtom]]) -> Formula:
        """Return the most valuable action sequence that takes one action from each part."""
        return self.find(parts) or Then.of([part[0] for part in parts])


_SIZE = Scorer(lambda _: False, lambda _: None, reward=0, price=1)
"""Scorer for which the smallest option is the best."""


class Best(NamedTuple):
    """The best option of a family, or the first of several."""

    value: int
    option: Option
    exact: bool
    """False if the search for it stopped at the limit."""


class Factored(NamedTuple):
    """The best option of a family as far as it is known without listing options.

    Args:
        best: The most valuable option; None if the family has no option.
    """

    best: Best | None


NO_OPTION = Factored(None)
"""The answer of a family without options."""


def join_best(parts: Iterable[Best]) -> Best:
    """Return the best option of a product of independent families."""
    best_parts = list(parts)
    value = sum(best.value for best in best_parts)
    option = _union(best.option for best in best_parts)
    return Best(value, option, all(best.exact for best in best_parts))


def _union(sets: Iterable[frozenset[Formula]]) -> frozenset[Formula]:
    """Return the union of some sets."""
    return frozenset[Formula]().union(*sets)


class Listing(NamedTuple):
    """A list of distinct options, perhaps incomplete."""

    options: tuple[Option, ...]
    complete: bool


class Family(ABC):
    """A set of options in factored form."""

    literals: frozenset[Formula]
    """Every element that occurs in some option, or more."""
    forced: frozenset[Formula]
    """Elements that occur in every option, or fewer."""

    @abstractmethod
    def steps(self) -> Iterator[Option | None]:
        """Yield every option, perhaps repeatedly; None for a step that led to nothing."""

    def factored_count(self) -> int | None:
        """Return the number of options if the structure tells it, else None."""
        return None

    def factored_best(self, _scorer: Scorer) -> Factored | None:
        """Return the most valuable option if the structure tells it, else None."""
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
        factored = self.factored_count()
        if factored is not None:
            return factored
        if not self.listing.complete:
            raise InputError(
                f"the options cannot be counted: parts of the goal share atoms and have more than "
                f"{LISTING_LIMIT:,} combinations",
                mend="list some of them: options.enumerate(limit)",
            )
        return len(self.listing.options)

    def best(self, scorer: Scorer) -> Best | None:
        """Return the best option, or None if the family is empty.

        Raises:
            InputError: Whether it has one is unknown after :data:`LISTING_LIMIT` steps.
        """
        factored = self.factored_best(scorer)
        if factored is not None:
            return factored.best
        options, is_complete = self.listing
        if not options and not is_complete:
            raise InputError(
                f"no option was found: parts of the goal share atoms, and the first "
                f"{LISTING_LIMIT:,} of their combinations contradict themselves"
            )
        candidates = []
        for option in options:
            value = sum(map(scorer.value, option))
            candidates.append(Best(value, option, is_complete))
        return max(candidates, key=lambda best: best.value, default=None)

    def has_empty(self) -> bool:
        """Return whether the family has an option that asks for nothing."""
        return self.best(_SIZE) == (0, frozenset(), True)

    @cached_property
    def listing(self) -> Listing:
        """The distinct options, up to the limit."""
        return self.list(None, most_steps=LISTING_LIMIT)

    def list(self, limit: int | None, *, most_steps: int | None = None) -> Listing:
        """List distinct options.

        Args:
            limit: Maximum number of options; None for any number.
            most_steps: Maximum number of steps, repetitions and dead ends included.
        """
        # A dictionary without values, as an ordered set.
        options: dict[Option, None] = {}
        steps = self.steps()
        for option in islice(steps, most_steps):
            if option is None or option in options:
                continue
            if limit is not None and len(options) >= limit:
                return Listing(tuple(options), complete=False)
            options[option] = None
        is_at_end = next(steps, END) is END
        return Listing(tuple(options), complete=is_at_end)


END: Option = frozenset([Then(())])
"""Marks the end of a stream of options; no option holds an empty ``then``."""


class Fixed(Family):
    """A family with one option."""

    def __init__(self, option: Option) -> None:
        self.literals = self.forced = option

    def steps(self) -> Iterator[Option | None]:
        yield self.forced

    def factored_count(self) -> int:
        return 1

    def factored_best(self, scorer: Scorer) -> Factored:
        return Factored(Best(sum(map(scorer.value, self.forced)), self.forced, exact=True))


class Actions(Family):
    """A family with an option for each choice of one action from every part, in order."""

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

    def factored_best(self, scorer: Scorer) -> Factored:
        """Return the best sequence, which the scorer finds without seeing all of them."""
        element = scorer.sequence(self.parts)
        return Factored(Best(scorer.value(element), frozenset([element]), exact=True))


class Sum(Family):
    """The union of some families.

    Args:
        parts: The families; a sum among them is resolved into its parts.
    """

    def __init__(self, parts: Iterable[Family]) -> None:
        """Flatten nested sums, and collect the literals that occur in the options."""
        flat_parts: list[Family] = []
        for part in parts:
            if isinstance(part, Sum):
                flat_parts += part.parts
            else:
                flat_parts.append(part)
        self.parts: tuple[Family, ...] = tuple(flat_parts)
        self.literals = _union(part.literals for part in flat_parts)
        # Forced are the literals that every option has, whichever part it is from.
        self.forced = frozenset()
        if flat_parts:
            self.forced = frozenset.intersection(*[part.forced for part in flat_parts])

    def steps(self) -> Iterator[Option | None]:
        """Yield the options of the first part, then those of the second, and so on."""
        for part in self.parts:
            yield from part.steps()

    def factored_count(self) -> int | None:
        """Return the sum of the counts, or None if two parts may share an option.

        The option that asks for nothing may be in several parts and counts once.
        """
        # An option of two parts would be counted twice.
        if any(_may_overlap(first, second) for first, second in combinations(self.parts, 2)):
            return None
        # A part with forced literals has no empty option.
        parts_with_empty = sum(part.has_empty() for part in self.parts if not part.forced)
        repeated_empty = max(0, parts_with_empty - 1)
        return sum(part.count for part in self.parts) - repeated_empty

    def factored_best(self, scorer: Scorer) -> Factored:
        """Return the best option of all parts, or the first of several.

        It is exact only if that of every part is: another part could have had a better one.
        """
        best_so_far: Best | None = None
        is_exact = True
        for part in self.parts:
            best_of_part = part.best(scorer)
            if best_of_part is None:
                continue
            is_exact = is_exact and best_of_part.exact
            if best_so_far is None or best_of_part.value > best_so_far.value:
                best_so_far = best_of_part
        if best_so_far is None:
            return NO_OPTION
        return Factored(best_so_far._replace(exact=is_exact))


def _may_overlap(first: Family, second: Family) -> bool:
    """Return whether two families may share an option, apart from the empty one.

    A common option has all literals that either family forces. So it exists only if these occur in
    both families.
    """
    if not first.forced <= second.literals or not second.forced <= first.literals:
        return False
    return not first.literals.isdisjoint(second.literals)


def atom_of(literal: Formula) -> Formula:
    """Return a literal without its sign."""
    if isinstance(literal, Not):
        return literal.operand
    return literal


EMPTY = Fixed(frozenset())


class Product(Family):
    """The consistent unions of one option from each family.

    Args:
        parts: The families. They are regrouped so that no two groups share an atom.
    """

    def __init__(self, parts: Iterable[Family]) -> None:
        """Group the families that share atoms, and collect the literals of all."""
        # Parts that share an atom may contradict each other and are handled together, in groups.
        independent_literals: list[Family] = []
        groups: list[tuple[Family, ...]] = []
        for group in _connected_groups(list(_irreducible_parts(parts))):
            if len(group) == 1 and isinstance(group[0], Fixed):
                independent_literals.append(group[0])
            else:
                groups.append(group)
        if independent_literals:
            # Literals that share no atom with anything else are one group: most goals are that.
            groups.insert(0, (Fixed(_union(part.forced for part in independent_literals)),))
        self.groups = groups
        grouped_parts = [part for group in groups for part in group]
        self.literals = _union(part.literals for part in grouped_parts)
        self.forced = _union(part.forced for part in grouped_parts)

    def steps(self) -> Iterator[Option | None]:
        """Yield the combinations, with the last part changing fastest."""
        for factor in self._factors:
            # One factor without any option leaves none to the others.
            if isinstance(factor, _Tangle) and factor.listing == ((), True):
                return
        yield from unions(self._factors)

    @cached_property
    def _factors(self) -> tuple[Family, ...]:
        """A family for each group of parts that share atoms."""
        factors: list[Family] = []
        for group in self.groups:
            if len(group) == 1:
                factors.append(group[0])
            else:
                factors.append(_Tangle(group))
        return tuple(factors)

    def factored_count(self) -> int | None:
        """Return the product of the counts of the factors."""
        return prod(factor.count for factor in self._factors)

    def factored_best(self, scorer: Scorer) -> Factored:
        """Return the best options of all factors together.

        Factors share no atom, so the best option of the product has the best one of each; there is
        none if a factor has no option.
        """
        best_parts = []
        for factor in self._factors:
            best = factor.best(scorer)
            if best is None:
                return NO_OPTION
            best_parts.append(best)
        return Factored(join_best(best_parts))


class _Tangle(Family):
    """A product whose parts share atoms, so that its combinations have to be listed.

    Args:
        parts: The parts.
    """

    def __init__(self, parts: Sequence[Family]) -> None:
        # Parts with one option first: combinations that contradict them are then dropped at once.
        self.parts = sorted(parts, key=lambda part: not isinstance(part, Fixed))
        self.literals = _union(part.literals for part in parts)
        self.forced = _union(part.forced for part in parts)

    def steps(self) -> Iterator[Option | None]:
        """Yield the combinations, from the cached list if it is complete."""
        # The listing is looked up, not asked for: it asks for the steps where it is too long.
        listing = self.__dict__.get("listing")
        if listing and listing.complete:
            return iter(listing.options)
        return unions(self.parts)

    @cached_property
    def listing(self) -> Listing:
        """The options of the product up to the limit.

        Built part by part, so that repetitions do not multiply; if a part has too many options, by
        enumeration up to the limit.
        """
        combined = [Option()]
        tried_count = 0
        for part in self.parts:
            # Each union so far is tried with each option of the part.
            options, is_complete = part.listing
            tried_count += len(combined) * len(options)
            if tried_count > LISTING_LIMIT or not is_complete:
                return self.list(None, most_steps=LISTING_LIMIT)
            extended: dict[Option, None] = {}
            for partial_union in combined:
                # A literal and its opposite cannot both hold, so such a union is no option.
                forbidden_literals = _opposites(partial_union)
                for option in options:
                    if forbidden_literals.isdisjoint(option):
                        extended[partial_union | option] = None
            combined = list(extended)
        return Listing(tuple(combined), complete=True)


def unions(parts: Sequence[Family]) -> Iterator[Option | None]:
    """Yield every consistent union of one option of each part, and None for a dead end.

    The search is depth first, with three stacks in the place of recursion. For each part so far,
    ``streams`` has an iterator over its options, ``partial_unions`` the union of the options that
    were chosen before it, and ``forbidden_literals`` the opposites of that union's literals.

    Args:
        parts: The families of options.
    """
    if all(isinstance(part, Fixed) for part in parts):
        # A choice of objects has thousands of these unions, so they are made at once.
        union = _union(part.forced for part in parts)
        if _contradicts_itself(union):
            yield None
        else:
            yield union
        return
    partial_unions: list[Option] = [frozenset()]
    forbidden_literals: list[Option] = [frozenset()]
    streams = [_without_repetitions(parts[0].steps())]
    while streams:
        option = next(streams[-1], END)
        if option is END:
            streams.pop()
            partial_unions.pop()
            forbidden_literals.pop()
        elif option is None or not forbidden_literals[-1].isdisjoint(option):
            yield None
        elif len(streams) == len(parts):
            yield partial_unions[-1] | option
        else:
            partial_unions.append(partial_unions[-1] | option)
            forbidden_literals.append(forbidden_literals[-1] | _opposites(option))
            streams.append(_without_repetitions(parts[len(streams)].steps()))


def _contradicts_itself(literals: frozenset[Formula]) -> bool:
    """Return whether a set holds a literal and its negation."""
    return any(isinstance(literal, Not) and literal.operand in literals for literal in literals)


def _without_repetitions(steps: Iterator[Option | None]) -> Iterator[Option | None]:
    """Replace repeated options by None, a step that leads to nothing new."""
    yielded: set[Option] = set()
    for option in steps:
        if option is None or option in yielded:
            yield None
        else:
            yielded.add(option)
            yield option


def _opposites(option: Option) -> Option:
    """Return the complements of an option's literals, with which it is inconsistent."""
    opposites: list[Formula] = []
    for literal in option:
        # "not not f" is not made, as it would not be equal to "f".
        if isinstance(literal, Not):
            opposites.append(literal.operand)
        else:
            opposites.append(Not(literal))
    return frozenset(opposites)


def _irreducible_parts(parts: Iterable[Family]) -> Iterator[Family]:
    """Yield the irreducible parts of a product.

    Nested products are flattened, and sets of literals are split into single literals, so that
    parts without a common atom can be separated.
    """
    for part in parts:
        if isinstance(part, Product):
            for group in part.groups:
                yield from _irreducible_parts(group)
        elif isinstance(part, Fixed):
            for literal in sorted(part.forced, key=repr):
                yield Fixed(frozenset([literal]))
        else:
            yield part


def _connected_groups(parts: list[Family]) -> list[tuple[Family, ...]]:
    """Return the groups of parts that are connected by shared atoms, in order of first members.

    Invariant: for every atom, ``group_of`` has the one list with all parts that mention it.
    """
    group_of: dict[Formula, list[int]] = {}
    groups: dict[int, list[int]] = {}  # by first member
    for part_index, part in enumerate(parts):
        # A part joins all groups with which it has an atom in common, and makes them one.
        member_indices = {part_index}
        for atom in part.atoms:
            group = group_of.get(atom)
            if group is not None and groups.pop(group[0], None) is not None:
                member_indices.update(group)
        merged_group = sorted(member_indices)
        # From now on every atom of the members leads to this list, and none to an older one.
        groups[merged_group[0]] = merged_group
        for member in merged_group:
            group_of.update(dict.fromkeys(parts[member].atoms, merged_group))
    return [tuple([parts[index] for index in groups[first]]) for first in sorted(groups)]
