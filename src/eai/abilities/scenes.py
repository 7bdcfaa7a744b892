"""Words for what there is at the start of a task, and how it is.

A scene of a hundred objects has hundreds of relations, most of which say the same several times:
where each thing of a room is, that what lies on the table is next to it, and that the table is then
next to what lies on it. :func:`scene` says these once, and still says all that :func:`states` and
:func:`facts` say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from eai.task import Task

Rename = Callable[[str], str]
"""How an object, or a predicate, is called in a prompt."""

_Pairs = dict[str, set[tuple[str, str]]]
"""Predicate to the pairs of objects of which it holds."""

_LEAST_TOGETHER = 5
"""So many objects with the same relation to another one stand below it."""


def bullets(lines: Iterable[str], *, none: str = "(none)") -> str:
    """Return a list, or a word for an empty one."""
    return "\n".join(f"- {line}" for line in lines) or none


def scene(
    task: Task,
    *,
    hidden: Container[str] = (),
    kinds: Iterable[str] = (),
    only: Container[str] | None = None,
    rename: Rename = str,
    show: Rename = str,
) -> str:
    """List the objects that an answer may mention: what holds of each, and between them.

    Args:
        task: The task; what holds is that of its start.
        hidden: Predicates that are left out.
        kinds: Types that are written to the objects that have them.
        only: The objects that are listed; all if None.
        rename: How an object is called.
        show: How a predicate is called.
    """
    alone = {
        name: [each for each in held if each not in hidden]
        for name, held in states(task).items()
        if only is None or name in only
    }
    pairs: _Pairs = {}
    for predicate, (first, second) in _facts(task, 2):
        if predicate not in hidden and first in alone and second in alone:
            pairs.setdefault(predicate, set()).add((first, second))
    headings = _headings(pairs)
    for name, (predicate, place) in headings.items():
        pairs[predicate].discard((name, place))
    shortened = _shortened(pairs, list(alone))
    lines = [note.text(show) for note in shortened.notes]
    groups: dict[tuple[str, str] | None, list[str]] = {None: []}
    for name in alone:
        groups.setdefault(headings.get(name), []).append(name)
    universe, domain = task.start.universe, task.start.layout.domain
    for heading, members in groups.items():
        if heading is not None:
            predicate, place = heading
            lines.append(f"{show(predicate)} {rename(place)}:")
        for name in members:
            own = universe.types[universe.number(name)]
            words = [
                kind
                for kind in sorted(kinds)
                # "cup.1" does not have to be called a cup.
                if domain.is_subtype(own, kind) and not name.lower().startswith(kind.lower())
            ]
            words += map(show, alone[name])
            parts = [", ".join(words)] if words else []
            for predicate, others in shortened.related(name):
                parts.append(f"{show(predicate)} {', '.join(map(rename, others))}")
            said = "; ".join(parts)
            lines.append(f"- {rename(name)}: {said}" if said else f"- {rename(name)}")
    return "\n".join(lines) or "(none)"


def objects(task: Task, types: Mapping[str, str]) -> str:
    """List the objects that an answer may mention, with what holds of each alone.

    Args:
        task: The task.
        types: Object to the type that is written behind its name.
    """
    lines = []
    for name, held in states(task).items():
        line = f"{name} ({types[name]})" if name in types else name
        if held:
            line += f": {', '.join(held)}"
        lines.append(line)
    return bullets(lines)


def states(task: Task) -> dict[str, list[str]]:
    """Return the objects that an answer may mention, with the predicates that hold of each alone.

    Args:
        task: The task; what holds is that of its start.
    """
    names = (name for name in task.start.universe.names if name in task.vocabulary.objects)
    found: dict[str, list[str]] = {name: [] for name in names}
    for predicate, (name,) in _facts(task, 1):
        if name in found:
            found[name].append(predicate)
    return {name: sorted(held) for name, held in found.items()}


def facts(
    task: Task, *, hidden: Container[str] = (), about: Container[str] | None = None
) -> list[str]:
    """Return the relations between the objects that an answer may mention, at the start.

    Args:
        task: The task.
        hidden: Predicates that are left out.
        about: Only relations whose first object is one of these; all if None.
    """
    return sorted(
        f"{predicate}({', '.join(related)})"
        for predicate, related in _facts(task, 2)
        if predicate not in hidden and (about is None or related[0] in about)
    )


def _facts(task: Task, arity: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what holds at the start of so many objects that an answer may mention."""
    names = task.start.universe.names
    is_known = [name in task.vocabulary.objects for name in names]
    for predicate, numbers in task.start.facts():
        if len(numbers) == arity and all(is_known[number] for number in numbers):
            yield predicate, tuple([names[number] for number in numbers])


def _headings(pairs: _Pairs) -> dict[str, tuple[str, str]]:
    """Find for each object the relation that it shares with the most other objects.

    Of several with equally many the first by name, so that a prompt is the same in every process.
    """
    sharing = Counter(
        (predicate, place)
        for predicate, held in pairs.items()
        if not _goes_both_ways(held)
        for _, place in held
    )
    found: dict[str, tuple[str, str]] = {}
    for (predicate, place), number in sorted(
        sharing.items(), key=lambda shared: (-shared[1], shared[0])
    ):
        if number < _LEAST_TOGETHER:
            break
        for name, other in sorted(pairs[predicate]):
            if other == place:
                found.setdefault(name, (predicate, place))
    return found


def _goes_both_ways(held: set[tuple[str, str]]) -> bool:
    return all((second, first) in held for first, second in held)


@dataclass(frozen=True)
class _Note:
    """A relation goes both ways, and follows from others."""

    predicate: str
    follows: tuple[str, ...]

    def text(self, show: Rename) -> str:
        """Say so."""
        name = show(self.predicate)
        both = f"{name} goes both ways."
        if not self.follows:
            return both
        others = " or ".join(map(show, self.follows))
        return f"{both} What is {others} something on its line is also {name} it."


@dataclass(frozen=True)
class _Shortened:
    """Relations of which some are said by notes only."""

    pairs: Mapping[str, Mapping[str, list[str]]]
    notes: list[_Note]

    def related(self, name: str) -> Iterator[tuple[str, list[str]]]:
        """Yield what else is said of an object: predicates, each with the other objects."""
        for predicate, seconds in self.pairs.items():
            if name in seconds:
                yield predicate, seconds[name]


def _shortened(pairs: _Pairs, order: list[str]) -> _Shortened:
    """Leave out the other direction of a relation, and what follows from another relation."""
    place = {name: number for number, name in enumerate(order)}
    left, notes = dict(pairs), []
    for predicate, held in pairs.items():
        if not held or not _goes_both_ways(held):
            continue
        follows = [
            other
            for other, those in sorted(pairs.items())
            if other != predicate and len(those) >= _LEAST_TOGETHER and those <= held
        ]
        notes.append(_Note(predicate, tuple(follows)))
        said = {pair for other in follows for pair in pairs[other]}
        said |= {(second, first) for first, second in said}
        left[predicate] = {pair for pair in held - said if place[pair[0]] <= place[pair[1]]}
    found: dict[str, dict[str, list[str]]] = {}
    for predicate, held in sorted(left.items()):
        seconds = found.setdefault(predicate, {})
        for first, second in sorted(held, key=lambda pair: place[pair[1]]):
            seconds.setdefault(first, []).append(second)
    return _Shortened(found, notes)
