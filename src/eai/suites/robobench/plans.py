"""The plan language, and gold orders: which step comes before which.

A plan is ``1-left:pick_up(cup), right:no_ops, 2-left:place(cup, tray)``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise, product
from typing import Any, NamedTuple

from eai.answers import AROUND, MAX_STEPS, NO_PLAN, SIGNALS, ReadStep, read_with, squeezed
from eai.errors import InputError, SchemaError, check_name
from eai.planning import PartialOrder
from eai.suites.robobench.grammar import CallGrammar, SkillGrammar
from eai.suites.robobench.vocabulary import (
    ARMS,
    arguments_of_call,
    has_calls,
    skill_surfaces,
    skills,
    unlisted_skills,
)

NO_STEP = "there is no step of the form skill(arguments) in it"
MOST_STEPS = 10_000
"""A longer plan is not read."""
# Roles of arguments that name things; the others are directions, states, arms and texts.
_THINGS = {"carried", "object", "target", "tool", "container"}
_OFFERED_SKILLS = 27
"""The first skills of the list are those that models are offered; annotators used more."""
# A longer answer is not read: it has no plan that anybody would carry out.
_MOST_CHARACTERS = 1 << 20

# "2-left:pick_up(", "right hand: grasp(", "no_ops": number, arm and bracket may be missing.
_CALL = re.compile(
    r"""(?:(?<!\w) (?P<number>\d{1,9}) \s{0,2} [-.):] \s{0,2})?
        (?:(?<!\w) (?P<arm>[^\W\d]\w*?) (?:[ _](?:arm|hand|gripper))? \s{0,2} : (?P<gap>\s{0,2}))?
        (?<![\w]) (?P<skill>[^\W\d][\w]*) (?P<open>\()?""",
    re.VERBOSE,
)
_SEPARATORS = " \t\r\n,;."


@cache
def _spellings() -> Mapping[str, str]:
    """Return each skill without underscores, to its spelling in the list: ``pickup: pick_up``."""
    return {"noop": "no_ops", **{name.replace("_", ""): name for name in skills()}}


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a plan.

    Args:
        number: Number of its line, from 1; two arms share one.
        skill: The skill in the spelling of the list, or as it is written if it is not there.
        arguments: Its arguments as they are written.
        arm: ``"left"`` or ``"right"``, another word that was written there, or empty.
    """

    number: int
    skill: str
    arguments: tuple[str, ...] = ()
    arm: str = ""

    def __str__(self) -> str:
        call = self.skill
        if self.arguments or call != "no_ops":
            call = f"{call}({', '.join(self.arguments)})"
        return f"{self.arm}:{call}" if self.arm else call

    @property
    def objects(self) -> tuple[str, ...]:
        """The arguments that name things, which excludes directions, states, arms and ``none``."""
        roles_of_things = _THINGS
        if self.skill in ("push", "pull"):  # whose target may be a direction
            roles_of_things = _THINGS - {"target"}
        objects: list[str] = []
        for role, name in zip(skills().get(self.skill, ()), self.arguments, strict=False):
            if role in roles_of_things and name != "none":
                objects.append(name)
        return tuple(objects)

    @property
    def is_possible(self) -> bool:
        """Whether there is such a skill, with so many arguments, and such an arm."""
        return not self.mistake

    @property
    def mistake(self) -> str:
        """Reason why the step is impossible, or "" if it is possible."""
        roles = skills().get(self.skill)
        if roles is None:
            return f"there is no skill {self.skill!r}"
        if len(roles) != len(self.arguments):
            takes = f"{len(roles)} ({', '.join(roles)})" if roles else "none"
            return f"{self.skill} has {len(self.arguments)} arguments and takes {takes}"
        if self.arm not in ("", *ARMS):
            return f"there is no arm {self.arm!r}"
        return ""


class AnswerPlan(NamedTuple):
    """The plan in an answer, and the reason why it counts as unreadable, or ""."""

    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()
    problem: str = ""


class _Call(NamedTuple):
    """A call in a text: ``2-left:grasp(jar)``.

    Args:
        numbered: Whether the number of a line stands before it.
        label: Text before the skill where an arm may stand, in small letters; empty if none.
        arm: The arm that takes it; empty if none is named.
        skill: Its skill as the list spells it, or as it is written if the list has none like it.
        arguments: Its arguments as they are written.
        start: Position of its first character.
        end: Position behind its last character.
        closed: Whether its bracket is closed.
    """

    numbered: bool
    label: str
    arm: str
    skill: str
    arguments: tuple[str, ...]
    start: int
    end: int
    closed: bool


def _find_calls(text: str) -> Iterator[_Call]:
    """Yield the calls in a text: of known skills, with a number, or with an arm.

    Any other word before a bracket is prose: ``the cup (blue)`` is no call, while the number makes
    ``1-polish(cup)`` the call of an unknown skill.
    """
    match = _CALL.search(text)
    while match is not None:
        end = match.end()
        if match["open"] is not None:
            call = _call_without_arguments(match)
            arguments, end, is_closed = arguments_of_call(text, end)
            if call.skill in skills() or call.numbered or call.arm:
                yield call._replace(arguments=arguments, end=end, closed=is_closed)
        elif _may_be_call(match):
            yield _call_without_arguments(match)
        match = _CALL.search(text, end)


def _may_be_call(match: re.Match[str]) -> bool:
    """Whether a match of :data:`_CALL` has a bracket; only to do nothing is written without."""
    return match["open"] is not None or _listed_spelling(match["skill"]) == "no_ops"


def _call_without_arguments(match: re.Match[str]) -> _Call:
    """Return the call that a match of :data:`_CALL` begins."""
    label = (match["arm"] or "").casefold()
    is_numbered = match["number"] is not None
    # "3-robot:grasp(jar)" is for an arm, though for one that there is not.
    is_arm = label in ARMS or (is_numbered and match["gap"] == "")
    return _Call(
        numbered=is_numbered,
        label=label,
        arm=label if is_arm else "",
        skill=_listed_spelling(match["skill"]),
        arguments=(),
        start=match.start(),
        end=match.end(),
        closed=True,
    )


def _listed_spelling(skill: str) -> str:
    """Return a skill as the list spells it: ``pick_up`` for ``PickUp``; others as they are."""
    return _spellings().get(skill.casefold().replace("_", ""), skill)


def _steps_of_calls(calls: Iterable[_Call]) -> tuple[Step, ...]:
    """Return calls as steps with the number of their line.

    A line ends before a call with a number, without an arm, or with an arm that it has already.
    So ``1-left:grasp(cup), right:grasp(jar), left:place(cup, tray)`` are the lines 1, 1 and 2.
    """
    steps: list[Step] = []
    line_number = 0
    arms_of_line: set[str] = set()  # "" for a call without an arm
    for call in calls:
        shares_line = call.arm and not arms_of_line & {call.arm, ""}
        if not steps or call.numbered or not shares_line:
            line_number += 1
            arms_of_line = set()
        arms_of_line.add(call.arm)
        steps.append(Step(line_number, call.skill, call.arguments, call.arm))
        if len(steps) > MOST_STEPS:
            break  # the plan is refused for its length
    return tuple(steps)


def read_answer(text: str) -> AnswerPlan:
    """Return the plan in an answer of any form (:mod:`eai.suites.robobench.grammar`).

    Calls in the form that the prompt asks for are read directly. The slower grammar of free answers
    is only used for other texts.
    """
    if len(text) > _MOST_CHARACTERS:
        return AnswerPlan((), (), f"the answer has {len(text):,} characters and is not read")
    calls = _calls_as_asked_for(text)
    if not calls:
        return _read_with_grammar(text)
    steps = _steps_of_calls(calls)
    if len(steps) > MOST_STEPS:
        return AnswerPlan((), (), f"the plan has more than {MOST_STEPS:,} steps")
    return AnswerPlan(steps, _note_unlisted_skills(steps))


def _calls_as_asked_for(text: str) -> list[_Call]:
    """Return the calls of a plan in the requested form, or none if it has another form."""
    calls, _ = _only_calls(text)
    if calls and _is_signal(calls[-1]):
        calls.pop()
    # Keyed arguments, labels other than arms, and arms in skill names need the full grammar.
    if "=" in text or _ARM_IN_NAME.search(text):
        return []
    if any(call.label != call.arm for call in calls):
        return []
    return calls


def _read_with_grammar(text: str) -> AnswerPlan:
    """Return the plan in an answer of any form.

    Problems beside steps become notes. Without steps, or with too many, there is no plan.
    """
    grammar = CallGrammar if has_calls(text) else SkillGrammar
    reading = read_with(text, skill_surfaces(unlisted_skills(text)), grammar=grammar)
    notes = tuple(note for note in reading.notes if note != AROUND)
    problems: list[str] = []
    for problem in reading.problems:
        problems.append(NO_STEP if problem.message == NO_PLAN else problem.message)
    has_no_plan = not reading.steps or len(reading.steps) >= MAX_STEPS
    if problems and has_no_plan:
        # An empty text is an empty plan, which is not a problem.
        is_empty = not text.strip(" \t\r\n[]{}()\"'`.")
        return AnswerPlan((), notes, "" if is_empty else problems[-1])
    steps = _number_lines(reading.steps)
    return AnswerPlan(steps, (*notes, *problems, *_note_unlisted_skills(steps)))


_ARM_IN_NAME = re.compile(r"\b(?:left|right|both)_(?:arm_|hand_)?[a-z]\w*\(", re.IGNORECASE)
"""A call whose name begins with the arm that it is for: ``left_grasp(jar)``."""


def _is_signal(call: _Call) -> bool:
    """Whether a call only says that the plan is over: ``done()``."""
    return call.skill.lower() in SIGNALS and not call.arguments


def _number_lines(steps: Sequence[ReadStep]) -> tuple[Step, ...]:
    """Return steps with consecutive line numbers. Steps on one line share its number.

    A line ends before a step with another number, without an arm, or with an arm that it has.
    """
    numbered: list[Step] = []
    line_number = 0
    written_number: int | None = None  # the number that the answer gives the line
    arms_of_line: set[str] = set()  # "" for a step without an arm
    for step in steps:
        has_new_number = step.number is not None and step.number != written_number
        shares_line = step.actor and not arms_of_line & {step.actor, ""}
        if not numbered or has_new_number or not shares_line:
            line_number += 1
            written_number = step.number
            arms_of_line = set()
        arms_of_line.add(step.actor)
        skill = _spellings().get(squeezed(step.name), step.name)
        numbered.append(Step(line_number, skill, step.arguments, step.actor))
    return tuple(numbered)


def _note_unlisted_skills(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return a note if a plan uses skills of annotators that models are not offered."""
    skills_of_annotators = [*skills()][_OFFERED_SKILLS:]
    used = sorted({step.skill for step in steps}.intersection(skills_of_annotators))
    if not used:
        return ()
    return (f"not in the list of skills: {', '.join(used)}",)


def _only_calls(text: str) -> tuple[list[_Call], int]:
    """Return the calls of a text that consists of a plan only.

    Returns:
        The calls, and the position behind the last one; no calls if something else stands in the
        text, and the position from which on it does.
    """
    calls: list[_Call] = []
    end = 0
    first = _CALL.match(text, len(text) - len(text.lstrip(_SEPARATORS)))
    if first is None or not _may_be_call(first):
        return [], end  # as most answers: they begin with prose, and may be long
    for call in _find_calls(text):
        # Words between calls make the text prose, which a grammar reads.
        if text[end : call.start].strip(_SEPARATORS) or not call.closed:
            return [], end
        calls.append(call)
        end = call.end
    if text[end:].strip(_SEPARATORS):
        return [], end
    return calls, end


def first_call(text: str) -> tuple[Step, ...]:
    """Return the first step of a text that is called, as a published program reads it."""
    return _steps_of_calls(islice(_find_calls(text), 1))


def read_gold(text: str, *, where: str = "gold plan") -> tuple[Step, ...]:
    """Read a gold plan, which must have known skills and exactly the form of plans."""
    # Nothing is mended in a gold plan: a mistake in it would change every score.
    calls, last = _only_calls(text)
    if not calls:
        raise SchemaError(
            f"this is not a plan from character {last} on: {text[last : last + 40]!r}",
            where=where,
            expected="1-skill(arguments), 2-left:skill(arguments), right:skill(arguments), ...",
        )
    steps = _steps_of_calls(calls)
    for step in steps:
        check_name("skill", step.skill, skills(), where=where)
        if step.mistake:
            raise SchemaError(f"line {step.number}: {step.mistake}", where=where)
    return steps


# ------------------------------------------------------------------ gold orders

# The arrow of an edge: "1 -> 2".
_ARROW = re.compile(r"\s*(?:-+>|=+>|→)\s*")
_FROM = ("source", "from", "src", "start", "u", "before")
_TO = ("target", "to", "dst", "end", "v", "after")
"""Keys of an edge under which its first and its second node stand; the first that is there."""
_LABELS = ("action", "label", "name", "step", "text", "node")
"""Keys of a node under which the text of its step stands; the first that is there."""


def read_dag(dag: object, gold: Sequence[Step]) -> tuple[tuple[int, int], ...]:
    """Return the gold order as pairs of steps (earlier step, later step).

    Args:
        dag: An adjacency map, a list of edges, an object of nodes and edges, texts ``"a -> b"``,
            or one of these as JSON text. Nodes are numbers of lines or texts of steps.
        gold: The gold plan.

    Returns:
        Pairs of 0-based indices of steps, each pair once.

    Raises:
        SchemaError: If it has another shape, or a node that is not a step of the gold plan.
        InputError: If it has a cycle, or the gold plan does not respect it.
    """
    # A text is JSON unless it has an arrow: "1 -> 2".
    if isinstance(dag, str) and not _ARROW.search(dag):
        try:
            dag = json.loads(dag)
        except ValueError as error:
            raise SchemaError(f"the gold order is not JSON: {error}", where="gt_dag") from None
    labels = _node_labels(dag)
    # A node may stand for several steps. The dictionary is a set that keeps the order.
    step_pairs: dict[tuple[int, int], None] = {}
    for source_node, target_node in _node_pairs(dag):
        sources = _steps_of_node(labels.get(str(source_node), source_node), gold)
        targets = _steps_of_node(labels.get(str(target_node), target_node), gold)
        step_pairs.update(dict.fromkeys(product(sources, targets)))
    # Raises an error if the order has a cycle or contradicts the gold plan.
    PartialOrder(range(len(gold)), step_pairs)
    return tuple(step_pairs)


def _node_labels(dag: object) -> dict[str, object]:
    """Return the labels of a gold order's nodes by their identifiers.

    Example:
        >>> _node_labels({"nodes": [{"id": 7, "action": "1-grasp(cup)"}], "edges": []})
        {'7': '1-grasp(cup)'}
    """
    nodes = dag.get("nodes") if isinstance(dag, Mapping) else None
    labels: dict[str, object] = {}
    if isinstance(nodes, Mapping):
        for identifier, label in nodes.items():
            labels[str(identifier)] = label
    if isinstance(nodes, list):
        for node in nodes:
            if isinstance(node, Mapping) and "id" in node:
                labels[str(node["id"])] = _first_value(node, _LABELS, default=node["id"])
    return labels


def _first_value(entry: Mapping[str, Any], keys: Sequence[str], default: object = None) -> Any:  # noqa: ANN401
    """Return the value of the first key that an object has, or the default."""
    for key in keys:
        if key in entry:
            return entry[key]
    return default


def _node_pairs(dag: object) -> Iterator[tuple[Any, Any]]:
    """Yield the edges of a gold order in any of its known formats as pairs of nodes."""
    if isinstance(dag, Mapping) and "edges" in dag:
        yield from _node_pairs(dag["edges"])
        return
    if isinstance(dag, Mapping):
        # An adjacency map: {"1": ["2", "3"]}.
        for node, successors in dag.items():
            if not isinstance(successors, list):
                raise _unknown_part_error(successors)
            for successor in successors:
                yield node, successor
        return
    if isinstance(dag, str):
        dag = dag.splitlines()
    if not isinstance(dag, list):
        raise _unknown_part_error(dag)
    for edge in dag:
        yield from _pairs_of_edge(edge)


def _pairs_of_edge(edge: object) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of an edge: two ends, a list, or a chain ``"a -> b -> c"``."""
    nodes: object = edge
    if isinstance(edge, Mapping):
        nodes = [_first_value(edge, _FROM), _first_value(edge, _TO)]
    elif isinstance(edge, str):
        nodes = _ARROW.split(edge)
    if not isinstance(nodes, list) or len(nodes) < 2 or None in nodes:
        raise _unknown_part_error(edge)
    yield from pairwise(nodes)


def _steps_of_node(node: object, gold: Sequence[Step]) -> list[int]:
    """Return the indices of the gold steps that a node of a gold order stands for.

    A node is the number of a line, or the text of steps, which may begin with a number
    (``"2-place(cup, tray)"``). A text stands for the gold steps equal to its steps.
    """
    if isinstance(node, Mapping):
        return _steps_of_node(_first_value(node, _LABELS, default=""), gold)
    text = str(node).strip()
    if text.isdecimal():
        # The number of a line, which may have several steps.
        step_indices = [index for index, step in enumerate(gold) if step.number == int(text)]
    else:
        step_indices = _steps_equal_to(text, node, gold)
    if not step_indices:
        raise _unknown_part_error(node)
    return step_indices


def _steps_equal_to(text: str, node: object, gold: Sequence[Step]) -> list[int]:
    """Return the indices of the gold steps that equal those in a text.

    Args:
        text: The text.
        node: The node of the order that has the text, for messages.
        gold: The gold steps.
    """
    try:
        steps = read_gold(text, where="gt_dag")
    except InputError:
        raise _unknown_part_error(node) from None
    calls = {(step.skill, step.arguments, step.arm) for step in steps}
    # A plan may have the same call twice: the number in "2-place(cup, tray)" says which is meant.
    line_number, _, _ = text.partition("-")
    step_indices: list[int] = []
    for step_index, step in enumerate(gold):
        if (step.skill, step.arguments, step.arm) not in calls:
            continue
        if not line_number.isdecimal() or step.number == int(line_number):
            step_indices.append(step_index)
    return step_indices


def _unknown_part_error(part: object) -> SchemaError:
    """Return the error for a part of a gold order with an unknown form or step."""
    return SchemaError(
        f"the gold order has {str(part)[:60]!r}",
        where="gt_dag",
        expected="edges between lines or steps of the gold plan",
    )
