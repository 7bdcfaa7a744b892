"""The rules of a task's domain as prompts tell them.

A prompt has to say everything that decides whether a plan works, and a small model reads slowly.
So every fact is said once:

- actions with a condition in common are listed below it, and actions with equal rules share a line;
- an effect on all objects is said of ``*``;
- what can never happen with the objects of the task is left out (:mod:`eai.abilities.possible`);
- a derived predicate is named in the actions and explained once, at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from eai.abilities.possible import Possible, possible_from
from eai.abilities.wording import RuleLine, RulesWriter, ShowName
from eai.logic import ActionAtom, Atom, atoms
from eai.pddl import Operator
from eai.task import Task
from eai.text import counted

_MIN_SHARED = 3
"""A condition of fewer actions than this gets no heading of its own."""


@dataclass(frozen=True)
class ActionRules:
    """The conditions and effects of a task's actions, in words.

    Args:
        text: The list.
        predicates: Predicates that the list and the goal speak of; no other decides about a plan.
        kinds: Types of objects that the list speaks of.
    """

    text: str
    predicates: frozenset[str]
    kinds: frozenset[str]


def rules(task: Task, *, without: Container[str] = (), show: ShowName = str) -> ActionRules:
    """List the conditions and effects of a task's actions, and explain the words in them.

    Actions that change nothing relevant to the goal are only named. Actions that are never possible
    with the objects of the task are left out.

    Args:
        task: The task.
        without: Actions that are not listed.
        show: Returns the name of a predicate as the scene shows it.
    """
    domain = task.start.layout.domain
    possible = possible_from(task.start)
    operators: list[Operator] = []
    lines: list[RuleLine] = []
    for name, arity in sorted(task.vocabulary.actions.items()):
        if name in without:
            continue
        if name not in domain.operators:
            # An environment may have actions of its own, which are not in the domain.
            lines.append(RuleLine(f"{name.upper()}: {counted(arity, 'object')}"))
            continue
        operator = possible.operator(domain.operators[name])
        if operator is not None:
            operators.append(operator)
    # Each step needs the one before: the predicates of the goal, the actions that change them, the
    # words for these actions, and the explanations of derived predicates in these words.
    goal_predicates = _wanted_predicates(task, possible)
    useful_actions, relevant_predicates = _useful_actions(
        possible, operators, goal_predicates, _demanded_actions(task)
    )
    writer = RulesWriter(task, possible, show, relevant_predicates, goal_predicates)
    lines += writer.lines(useful_actions)
    paragraphs = [*_blocks(_merge_equal_lines(lines)), *writer.notes(lines)]
    useful_names = {operator.name for operator in useful_actions}
    idle_names = [
        operator.name.upper() for operator in operators if operator.name not in useful_names
    ]
    if idle_names:
        paragraphs.append(
            f"These change nothing that matters for the goal: {', '.join(idle_names)}"
        )
    text = "\n".join(paragraphs) or "(none)"
    return ActionRules(text, writer.predicates | goal_predicates, frozenset(writer.kinds))


def _useful_actions(
    possible: Possible,
    operators: Sequence[Operator],
    goal_predicates: frozenset[str],
    demanded: set[str],
) -> tuple[list[Operator], frozenset[str]]:
    """Find the actions that change something that the goal or another useful action reads.

    This is a greatest fixed point: useless actions are removed until none is left. So actions that
    only serve each other stay, since a plan may contain a detour.

    Args:
        possible: The facts that may become true.
        operators: All actions.
        goal_predicates: The predicates in the goal.
        demanded: Names of the actions that the goal demands; these always stay.

    Returns:
        The useful actions, and the predicates that they and the goal read.
    """
    useful = list(operators)
    # Invariant: a removed action changes nothing that the goal or a useful action reads.
    while True:
        relevant = _predicates_read(possible, useful, goal_predicates)
        remaining: list[Operator] = []
        for operator in useful:
            changed = possible.reads(operator).changed
            if operator.name in demanded or not relevant.isdisjoint(changed):
                remaining.append(operator)
        if len(remaining) == len(useful):
            return remaining, frozenset(relevant)
        useful = remaining


def _predicates_read(
    possible: Possible, operators: Sequence[Operator], goal_predicates: frozenset[str]
) -> set[str]:
    """Return the predicates that the goal, some actions, and their relevant effects read.

    Args:
        possible: The facts that may be true.
        operators: The actions.
        goal_predicates: The predicates that the goal is about.
    """
    predicates_read = set(goal_predicates)
    effects: list[tuple[str, frozenset[str]]] = []
    for operator in operators:
        reads = possible.reads(operator)
        predicates_read |= reads.needed
        effects += reads.effects
    # The condition of a relevant effect is relevant, too. It may make further effects relevant, so
    # this is repeated until nothing is added.
    size_before = -1
    while size_before != len(predicates_read):
        size_before = len(predicates_read)
        for predicate, predicates_of_condition in effects:
            if predicate in predicates_read:
                predicates_read |= predicates_of_condition
    return predicates_read


def _demanded_actions(task: Task) -> set[str]:
    """Return the names of the actions that the goal speaks of.

    They are listed whether or not they change anything: a goal such as "touch the cup" asks for the
    action itself.
    """
    names: set[str] = set()
    for goal in task.goal.actions:
        names.update(goal.names)
    if task.goal.formula is not None:
        for atom in atoms(task.goal.formula):
            if isinstance(atom, ActionAtom):
                names.add(atom.action)
    return names


def _wanted_predicates(task: Task, possible: Possible) -> frozenset[str]:
    """Return the predicates in the goal, and those that derived ones among them depend on."""
    goal_conditions = [formula for alternative in task.goal.final for _, formula in alternative]
    if task.goal.formula is not None:
        goal_conditions.append(task.goal.formula)
    predicates = frozenset[str]()
    for condition in goal_conditions:
        for atom in atoms(condition):
            if isinstance(atom, Atom):
                predicates |= possible.stored(atom) | {atom.predicate}
    return predicates


def _merge_equal_lines(lines: Iterable[RuleLine]) -> list[RuleLine]:
    """Return the lines, those with equal conditions and effects as one."""
    heads: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for line in lines:
        heads.setdefault((line.needs, line.does), []).append(line.head)
    return [RuleLine(", ".join(names), needs, does) for (needs, does), names in heads.items()]


def _blocks(lines: Sequence[RuleLine]) -> Iterator[str]:
    """Yield the lines of rules, grouped below the conditions that they share.

    As long as lines share conditions, those with the most frequent one become the next group::

        These need near(agent, x):
        - open(x): needs closed(x); makes open(x)
        - touch(x)
        The others:
        - stand up
    """
    remaining = list(lines)
    heading_condition = _most_frequent(remaining)
    while heading_condition is not None:
        members = [line for line in remaining if heading_condition in line.needs]
        # All other conditions that all members share belong to the heading, too.
        shared_conditions = [
            need for need in members[0].needs if all(need in line.needs for line in members)
        ]
        yield f"These need {', '.join(shared_conditions)}:"
        for line in members:
            yield line.text(shared_conditions)
        remaining = [line for line in remaining if line not in members]
        heading_condition = _most_frequent(remaining)
    if remaining and len(remaining) < len(lines):
        yield "The others:"
    for line in remaining:
        yield line.text()


def _most_frequent(lines: Sequence[RuleLine]) -> str | None:
    """Return the condition of the most lines; None if too few share one."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(line.needs)
    if not counts:
        return None
    condition, count = counts.most_common(1)[0]
    return condition if count >= _MIN_SHARED else None
