"""The rules of a task's domain as prompts tell them.

A prompt has to say everything that decides whether a plan works, and a small model reads slowly.
So every fact stands once: actions that need the same stand together, below what they need; actions
that are the same share a line; what is so of all objects is said of ``*``; what can never happen
with the objects of the task is left out (:mod:`eai.abilities.possible`); and a derived predicate is
named in the actions and explained once, at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from eai.abilities.possible import Possible
from eai.abilities.wording import Line, ShowName, Writer
from eai.logic import ActionAtom, Atom, atoms
from eai.pddl import Operator
from eai.task import Task
from eai.text import counted

_LEAST_SHARED = 3
"""A condition of fewer actions than this is not worth a heading of its own."""


@dataclass(frozen=True)
class Rules:
    """What the actions of a task need and do.

    Args:
        text: The list.
        predicates: What the list and the goal speak of; nothing else decides about a plan.
        kinds: The types of objects that the list speaks of.
    """

    text: str
    predicates: frozenset[str]
    kinds: frozenset[str]


def rules(task: Task, *, without: Container[str] = (), show: ShowName = str) -> Rules:
    """List what the actions of a task need and do, and what the words in it mean.

    Actions that change nothing of importance are only named; those that are never possible with the
    objects of the task are left out.

    Args:
        task: The task.
        without: Actions that are not listed.
        show: How a predicate is called.
    """
    domain, possible = task.start.layout.domain, Possible(task.start)
    offered = [name for name in sorted(task.vocabulary.actions) if name not in without]
    known = [domain.operators[name] for name in offered if name in domain.operators]
    operators = [each for each in map(possible.operator, known) if each is not None]
    wanted = _wanted(task, possible)
    useful, read = _useful(possible, operators, wanted, _demanded(task))
    writer = Writer(task, possible, show, read, wanted)
    lines = [
        # An environment may have actions of its own, of which no domain says what they do.
        Line(f"{name.upper()}: {counted(task.vocabulary.actions[name], 'object')}")
        for name in offered
        if name not in domain.operators
    ]
    lines += writer.lines(useful)
    paragraphs = [*_blocks(_merged(lines)), *writer.notes(lines)]
    idle = [each.name.upper() for each in operators if each not in useful]
    if idle:
        paragraphs.append(f"These change nothing that matters for the goal: {', '.join(idle)}")
    text = "\n".join(paragraphs) or "(none)"
    return Rules(text, writer.predicates | wanted, frozenset(writer.kinds))


def _useful(
    possible: Possible, operators: Sequence[Operator], wanted: frozenset[str], demanded: set[str]
) -> tuple[list[Operator], frozenset[str]]:
    """Find the actions that change something that the goal or one of them reads.

    Actions are left out until all that remain are of use, so those that only serve each other stay:
    a plan may take a detour, and what a detour needs decides whether it works.

    Returns:
        The actions that stay, those that the goal demands among them, and what is read.
    """
    useful = list(operators)
    while True:
        read = set(wanted)
        for operator in useful:
            read |= possible.stored(operator.precondition)
        # What an effect depends on matters if the effect does.
        effects = [effect for operator in useful for effect in possible.effects(operator)]
        size = -1
        while size != len(read):
            size = len(read)
            for effect in effects:
                if effect.atom.predicate in read:
                    read |= possible.stored(effect.condition)
        left = [
            operator
            for operator in useful
            if operator.name in demanded
            or any(each.atom.predicate in read for each in possible.effects(operator))
        ]
        if len(left) == len(useful):
            return left, frozenset(read)
        useful = left


def _demanded(task: Task) -> set[str]:
    """Return the actions that the goal speaks of."""
    found = {name for each in task.goal.actions for name in each.names}
    if task.goal.formula is not None:
        found |= {each.action for each in atoms(task.goal.formula) if isinstance(each, ActionAtom)}
    return found


def _wanted(task: Task, possible: Possible) -> frozenset[str]:
    """Return the predicates that the goal is about, and those that these depend on."""
    conditions = [formula for option in task.goal.final for _, formula in option]
    if task.goal.formula is not None:
        conditions.append(task.goal.formula)
    found = frozenset[str]()
    for condition in conditions:
        for atom in atoms(condition):
            if isinstance(atom, Atom):
                found |= possible.stored(atom) | {atom.predicate}
    return found


def _merged(lines: Iterable[Line]) -> list[Line]:
    """Actions that need and do the same become one line."""
    heads: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for line in lines:
        heads.setdefault((line.needs, line.does), []).append(line.head)
    return [Line(", ".join(names), needs, does) for (needs, does), names in heads.items()]


def _blocks(lines: Sequence[Line]) -> Iterator[str]:
    """Gather the actions that need the same below it, the most frequent condition first."""
    left = list(lines)
    while left:
        frequent = Counter(need for line in left for need in line.needs).most_common(1)
        if not frequent or frequent[0][1] < _LEAST_SHARED:
            break
        members = [line for line in left if frequent[0][0] in line.needs]
        shared = [need for need in members[0].needs if all(need in line.needs for line in members)]
        yield f"These need {', '.join(shared)}:"
        yield from (line.text(shared) for line in members)
        left = [line for line in left if line not in members]
    if left:
        if len(left) < len(lines):
            yield "The others:"
        yield from (line.text() for line in left)
