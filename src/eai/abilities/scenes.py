"""Words for the objects at the start of a task, and what holds of them.

A scene of a hundred objects has hundreds of relations, most of which say the same several times:
where each object of a room is, that a cup on the table is next to the table, and that the table is
then next to the cup. :func:`scene` says these once, and still says all that :func:`states` and
:func:`facts` say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.abilities.recent import RecentScenes
from eai.task import Task
from eai.world import State

Rename = Callable[[str], str]
"""Returns the name of an object, or of a predicate, in a prompt."""

_Pairs = dict[str, set[tuple[str, str]]]
"""Predicate to the pairs of objects of which it holds."""

_Fact = tuple[str, tuple[str, ...]]
"""A predicate and the names of objects that it holds of."""

_MIN_GROUP = 5
"""Minimum number of objects with the same relation to another one that are listed below it."""


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
    """List the objects that an answer may mention, with their states and relations at the start.

    Args:
        task: The task.
        hidden: Predicates that are left out.
        kinds: Types that are shown with their objects.
        only: The objects that are listed; all if None.
        rename: Returns the name of an object.
        show: Returns the name of a predicate.
    """
    shown_states = _shown_states(task, hidden, only)
    related_pairs = _pairs_between(task, shown_states, hidden)
    # An object below a heading does not repeat the relation of the heading.
    headings = _headings(related_pairs)
    for name, (predicate, partner) in headings.items():
        related_pairs[predicate].discard((name, partner))
    shortened = _shorten_relations(related_pairs, list(shown_states))
    lines = [note.text(show) for note in shortened.notes]
    for heading, names in _group_by_heading(shown_states, headings).items():
        # Such as "on table.1:", and below it a line for each object.
        if heading is not None:
            predicate, partner = heading
            lines.append(f"{show(predicate)} {rename(partner)}:")
        for name in names:
            object_words = [*_kinds_of(task, name, kinds), *map(show, shown_states[name])]
            relations: list[str] = []
            for predicate, partners in shortened.related(name):
                relations.append(f"{show(predicate)} {', '.join(map(rename, partners))}")
            lines.append(_line_of_object(rename(name), object_words, relations))
    return "\n".join(lines) or "(none)"


def _group_by_heading(
    names: Iterable[str], headings: Mapping[str, tuple[str, str]]
) -> dict[tuple[str, str] | None, list[str]]:
    """Return the objects below each heading; first those without a heading, under None.

    Args:
        names: Names of the objects, in order.
        headings: Object to its heading, such as ``("on", "table")``.
    """
    names_by_heading: dict[tuple[str, str] | None, list[str]] = {None: []}
    for name in names:
        names_by_heading.setdefault(headings.get(name), []).append(name)
    return names_by_heading


def _shown_states(
    task: Task, hidden: Container[str], only: Container[str] | None
) -> dict[str, list[str]]:
    """Return the objects that are listed, with the predicates that are shown of each alone.

    Args:
        task: The task.
        hidden: Predicates that are left out.
        only: The objects that are listed; all if None.
    """
    predicates_by_object = {}
    for name, predicates in states(task).items():
        if only is None or name in only:
            predicates_by_object[name] = [
                predicate for predicate in predicates if predicate not in hidden
            ]
    return predicates_by_object


def _line_of_object(name: str, words: Sequence[str], relations: Sequence[str]) -> str:
    """Return the line of an object: ``- cup.1: clean, dry; next to table.2, plate.3``."""
    descriptions = list(relations)
    if words:
        descriptions.insert(0, ", ".join(words))
    if not descriptions:
        return f"- {name}"
    return f"- {name}: {'; '.join(descriptions)}"


def _pairs_between(task: Task, names: Container[str], hidden: Container[str]) -> _Pairs:
    """Return the relations between some objects that are not hidden."""
    pairs: _Pairs = {}
    for predicate, (first, second) in _facts(task, 2):
        if predicate not in hidden and first in names and second in names:
            pairs.setdefault(predicate, set()).add((first, second))
    return pairs


def _kinds_of(task: Task, name: str, kinds: Iterable[str]) -> Iterator[str]:
    """Yield the types of an object, without those that its name begins with, as "cup.1" does.

    Args:
        task: The task.
        name: Name of the object.
        kinds: The types that are shown.
    """
    universe = task.start.universe
    domain = task.start.layout.domain
    own_type = universe.types[universe.number(name)]
    for type_name in sorted(kinds):
        is_in_name = name.lower().startswith(type_name.lower())
        if domain.is_subtype(own_type, type_name) and not is_in_name:
            yield type_name


def objects(task: Task, types: Mapping[str, str]) -> str:
    """List the objects that an answer may mention, with their states.

    Args:
        task: The task.
        types: Object to the type that is written behind its name.
    """
    lines = []
    for name, predicates in states(task).items():
        line = f"{name} ({types[name]})" if name in types else name
        if predicates:
            line += f": {', '.join(predicates)}"
        lines.append(line)
    return bullets(lines)


def states(task: Task) -> dict[str, list[str]]:
    """Return the objects that an answer may mention, with the predicates that hold of each alone.

    Args:
        task: The task, with its initial state.
    """
    predicates_of: dict[str, list[str]] = {
        name: [] for name in task.start.universe.names if name in task.vocabulary.objects
    }
    for predicate, (name,) in _facts(task, 1):
        if name in predicates_of:
            predicates_of[name].append(predicate)
    return {name: sorted(predicates) for name, predicates in predicates_of.items()}


def facts(
    task: Task, *, hidden: Container[str] = (), about: Container[str] | None = None
) -> list[str]:
    """Return the relations between the objects that an answer may mention, at the start.

    Args:
        task: The task.
        hidden: Predicates that are left out.
        about: Only relations whose first object is one of these; all if None.
    """
    texts = []
    for predicate, (first, second) in _facts(task, 2):
        if predicate not in hidden and (about is None or first in about):
            texts.append(f"{predicate}({first}, {second})")
    return sorted(texts)


class _SceneFacts:
    """The facts of a state by names, which all tasks that begin there share.

    Args:
        state: The state.
    """

    def __init__(self, state: State) -> None:
        """Begin with no facts: few prompts show all of them."""
        self._state = state
        self._facts: dict[tuple[int, int], list[_Fact]] = {}

    def among(self, objects: int, arity: int) -> list[_Fact]:
        """Return the facts of so many arguments about some objects, given as a mask."""
        key = objects, arity
        if key not in self._facts:
            names = self._state.universe.names
            facts_of_arity = []
            for predicate, numbers in self._state.facts_among(objects, arity):
                facts_of_arity.append((predicate, tuple([names[number] for number in numbers])))
            self._facts[key] = facts_of_arity
        return self._facts[key]


_SCENES = RecentScenes(_SceneFacts)


def _facts(task: Task, arity: int) -> list[_Fact]:
    """Return the facts of so many arguments about objects that an answer may mention."""
    start = task.start
    known_names = task.vocabulary.objects
    known = 0
    for number, name in enumerate(start.universe.names):
        if name in known_names:
            known |= 1 << number
    return _SCENES.of(start).among(known, arity)


def _headings(pairs: _Pairs) -> dict[str, tuple[str, str]]:
    """Return for each object the relation and the partner that it shares with most objects.

    If most cups are ``on`` the table, they have the heading ``("on", "table")``. Headings with
    equally many objects are ordered by name, so that a prompt is the same in every process.
    """
    group_sizes: Counter[tuple[str, str]] = Counter()
    for predicate, relation_pairs in pairs.items():
        if not _is_symmetric(relation_pairs):
            group_sizes.update((predicate, partner) for _, partner in relation_pairs)
    headings: dict[str, tuple[str, str]] = {}
    for heading in sorted(group_sizes, key=lambda heading: (-group_sizes[heading], heading)):
        # With fewer objects, a heading has more words than it saves.
        if group_sizes[heading] < _MIN_GROUP:
            break
        predicate, shared_partner = heading
        for name, partner in sorted(pairs[predicate]):
            # The larger group came first and keeps its objects.
            if partner == shared_partner:
                headings.setdefault(name, heading)
    return headings


def _is_symmetric(related: set[tuple[str, str]]) -> bool:
    """Return whether each pair of a relation is there the other way round, too."""
    return related == {(second, first) for first, second in related}


@dataclass(frozen=True)
class _Note:
    """A note that a relation goes both ways, and follows from others.

    Args:
        predicate: The relation.
        follows: The relations from which it follows.
    """

    predicate: str
    follows: tuple[str, ...]

    def text(self, show: Rename) -> str:
        """Return the note, with the relations as ``show`` names them."""
        name = show(self.predicate)
        symmetric = f"{name} goes both ways."
        if not self.follows:
            return symmetric
        stronger = " or ".join(map(show, self.follows))
        return f"{symmetric} What is {stronger} something on its line is also {name} it."


@dataclass(frozen=True)
class _Shortened:
    """Relations without the pairs that follow from notes.

    Args:
        pairs: Predicate to object to the other objects.
        notes: The notes.
    """

    pairs: Mapping[str, Mapping[str, list[str]]]
    notes: list[_Note]

    def related(self, name: str) -> Iterator[tuple[str, list[str]]]:
        """Yield the relations of an object: predicates, each with the other objects."""
        for predicate, seconds in self.pairs.items():
            if name in seconds:
                yield predicate, seconds[name]


def _shorten_relations(pairs: _Pairs, order: list[str]) -> _Shortened:
    """Leave out the reverse of a symmetric relation, and pairs that follow from another relation.

    Args:
        pairs: The relations.
        order: The objects in the order of the list; of two directions the earlier object's stays.
    """
    list_position = {name: position for position, name in enumerate(order)}
    shortened = dict(pairs)
    notes: list[_Note] = []
    for predicate, relation_pairs in pairs.items():
        if not relation_pairs or not _is_symmetric(relation_pairs):
            continue
        stronger = _stronger_relations(predicate, pairs)
        notes.append(_Note(predicate, tuple(stronger)))
        remaining = set(relation_pairs)
        for name in stronger:
            # A pair of the stronger relation implies the symmetric one in both directions.
            remaining -= pairs[name]
            remaining -= {(second, first) for first, second in pairs[name]}
        # One direction is enough: that of the object that is listed first.
        shortened[predicate] = {
            pair for pair in remaining if list_position[pair[0]] <= list_position[pair[1]]
        }
    return _Shortened(_partners_by_object(shortened, list_position), notes)


def _stronger_relations(predicate: str, pairs: _Pairs) -> list[str]:
    """Return the relations from which another one follows, in alphabetical order.

    "Next to" follows from "on" if whatever is on something is also next to it. In a few pairs that
    may be chance, and a note would state a rule of the world that is none, so that a relation of
    few pairs is not returned.
    """
    related = pairs[predicate]
    stronger: list[str] = []
    for name, its_pairs in sorted(pairs.items()):
        if name != predicate and len(its_pairs) >= _MIN_GROUP and its_pairs <= related:
            stronger.append(name)
    return stronger


def _partners_by_object(
    pairs: _Pairs, list_position: Mapping[str, int]
) -> dict[str, dict[str, list[str]]]:
    """Return by predicate and first object the second objects, in the order of the list."""
    by_object: dict[str, dict[str, list[str]]] = {}
    for predicate, related in sorted(pairs.items()):
        partners = by_object.setdefault(predicate, {})
        for first, second in sorted(related, key=lambda pair: list_position[pair[1]]):
            partners.setdefault(first, []).append(second)
    return by_object
