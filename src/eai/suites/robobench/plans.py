"""The plan language, and gold orders: which step comes before which.

A plan is ``1-left:pick_up(cup), right:no_ops, 2-left:place(cup, tray)``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise
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
_THINGS = {"carried", "object", "target", "tool", "container"}
_LISTED = 27
"""So many skills are offered to models; annotators used more."""
_MOST_CHARACTERS = 1 << 20

_CALL = re.compile(
    r"""(?:(?<!\w) (?P<number>\d{1,9}) \s{0,2} [-.):] \s{0,2})?
        (?:(?<!\w) (?P<arm>[^\W\d]\w*?) (?:[ _](?:arm|hand|gripper))? \s{0,2} : (?P<gap>\s{0,2}))?
        (?<![\w]) (?P<skill>[^\W\d][\w]*) (?P<open>\()?""",
    re.VERBOSE,
)
_SEPARATORS = " \t\r\n,;."


@cache
def _spellings() -> Mapping[str, str]:
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
        """The arguments that name things: no direction, state, arm or text, and not ``none``."""
        roles = zip(skills().get(self.skill, ()), self.arguments, strict=False)
        moved = self.skill in ("push", "pull")  # whose target may be a direction
        things = _THINGS - {"target"} if moved else _THINGS
        return tuple(name for role, name in roles if role in things and name != "none")

    @property
    def is_possible(self) -> bool:
        """Whether there is such a skill, with so many arguments, and such an arm."""
        return not self.mistake

    @property
    def mistake(self) -> str:
        """Reason why it is impossible; empty if it is possible."""
        roles = skills().get(self.skill)
        if roles is None:
            return f"there is no skill {self.skill!r}"
        if len(roles) != len(self.arguments):
            takes = f"{len(roles)} ({', '.join(roles)})" if roles else "none"
            return f"{self.skill} has {len(self.arguments)} arguments and takes {takes}"
        return "" if self.arm in ("", *ARMS) else f"there is no arm {self.arm!r}"


class AnswerPlan(NamedTuple):
    """The plan in an answer, and why it counts as unread (empty if it does not)."""

    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()
    problem: str = ""


class _Call(NamedTuple):
    numbered: bool
    label: str  # what stands before the skill where an arm may
    arm: str
    skill: str
    arguments: tuple[str, ...]
    start: int
    end: int
    closed: bool


def _calls(text: str) -> Iterator[_Call]:
    at = 0
    while match := _CALL.search(text, at):
        at = match.end()
        spelled = match["skill"].casefold()
        skill = _spellings().get(spelled.replace("_", ""), match["skill"])
        label, numbered = (match["arm"] or "").casefold(), match["number"] is not None
        is_arm = label in ARMS or (numbered and match["gap"] == "")
        arm = label if is_arm else ""
        if match["open"] is None:
            if skill == "no_ops":
                yield _Call(numbered, label, arm, skill, (), match.start(), at, closed=True)
            continue
        arguments, at, closed = arguments_of_call(text, at)
        if skill in skills() or numbered or arm:
            yield _Call(numbered, label, arm, skill, arguments, match.start(), at, closed)


def _numbered(calls: Iterable[_Call]) -> tuple[Step, ...]:
    """Give lines their numbers: a line ends with a number, or where an arm comes again."""
    steps, line, arms = list[Step](), 0, set[str]()
    for call in calls:
        if not steps or call.numbered or not call.arm or call.arm in arms or "" in arms:
            line, arms = line + 1, set()
        arms.add(call.arm)
        steps.append(Step(line, call.skill, call.arguments, call.arm))
        if len(steps) > MOST_STEPS:
            break
    return tuple(steps)


def read_answer(text: str) -> AnswerPlan:
    """Return the plan that an answer means, in any form (:mod:`eai.suites.robobench.grammar`)."""
    if len(text) > _MOST_CHARACTERS:
        return AnswerPlan((), (), f"the answer has {len(text):,} characters and is not read")
    calls, _ = _only_calls(text)
    if calls and _is_signal(calls[-1]):
        calls = calls[:-1]
    is_plain = "=" not in text and all(call.label == call.arm for call in calls)
    is_plain = is_plain and _ARM_IN_NAME.search(text) is None
    if calls and is_plain:  # as it is asked for
        steps = _numbered(calls)
        if len(steps) > MOST_STEPS:
            return AnswerPlan((), (), f"the plan has more than {MOST_STEPS:,} steps")
        return AnswerPlan(steps, _unlisted(steps))
    grammar = CallGrammar if has_calls(text) else SkillGrammar
    found = read_with(text, skill_surfaces(unlisted_skills(text)), grammar=grammar)
    notes = tuple(note for note in found.notes if note != AROUND)
    said = tuple(
        NO_STEP if problem.message == NO_PLAN else problem.message for problem in found.problems
    )
    if said and (not found.steps or len(found.steps) >= MAX_STEPS):
        is_empty = not text.strip(" \t\r\n[]{}()\"'`.")
        return AnswerPlan((), notes, "" if is_empty else said[-1])
    steps = _lines(found.steps)
    return AnswerPlan(steps, (*notes, *said, *_unlisted(steps)))


_ARM_IN_NAME = re.compile(r"\b(?:left|right|both)_(?:arm_|hand_)?[a-z]\w*\(", re.IGNORECASE)
"""A call whose name begins with the arm that it is for: ``left_grasp(jar)``."""


def _is_signal(call: _Call) -> bool:
    """Whether a call only says that the plan is over: ``done()``."""
    return call.skill.lower() in SIGNALS and not call.arguments


def _lines(steps: Sequence[ReadStep]) -> tuple[Step, ...]:
    """Give steps numbers of lines: a line ends with a number, or where an arm comes again."""
    found: list[Step] = []
    line, last, arms = 0, None, set[str]()
    for step in steps:
        is_next = step.number is not None and step.number != last
        if not found or is_next or not step.actor or step.actor in arms or "" in arms:
            line, last, arms = line + 1, step.number, set()
        arms.add(step.actor)
        skill = _spellings().get(squeezed(step.name), step.name)
        found.append(Step(line, skill, step.arguments, step.actor))
    return tuple(found)


def _unlisted(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return a note on skills of annotators, which no model is offered."""
    flagged = sorted({step.skill for step in steps}.intersection([*skills()][_LISTED:]))
    return (f"not in the list of skills: {', '.join(flagged)}",) if flagged else ()


def _only_calls(text: str) -> tuple[list[_Call], int]:
    """Return the calls of a text that is a plan and nothing else, or none and where it is not."""
    calls, last = list[_Call](), 0
    for call in _calls(text):
        if text[last : call.start].strip(_SEPARATORS) or not call.closed:
            return [], last
        calls.append(call)
        last = call.end
    return ([] if text[last:].strip(_SEPARATORS) else calls), last


def first_call(text: str) -> tuple[Step, ...]:
    """Return the first step of a text that is called, as a published program reads it."""
    return _numbered(islice(_calls(text), 1))


def read_gold(text: str, *, where: str = "gold plan") -> tuple[Step, ...]:
    """Read a gold plan, strictly: with known skills, in the form of plans and nothing else."""
    calls, last = _only_calls(text)
    if not calls:
        raise SchemaError(
            f"this is not a plan from character {last} on: {text[last : last + 40]!r}",
            where=where,
            expected="1-skill(arguments), 2-left:skill(arguments), right:skill(arguments), ...",
        )
    steps = _numbered(calls)
    for step in steps:
        check_name("skill", step.skill, skills(), where=where)
        if step.mistake:
            raise SchemaError(f"line {step.number}: {step.mistake}", where=where)
    return steps


# ------------------------------------------------------------------ gold orders

_ARROW = re.compile(r"\s*(?:-+>|=+>|→)\s*")
_FROM, _TO = (
    ("source", "from", "src", "start", "u", "before"),
    ("target", "to", "dst", "end", "v", "after"),
)
_LABELS = ("action", "label", "name", "step", "text", "node")


def read_dag(dag: object, gold: Sequence[Step]) -> tuple[tuple[int, int], ...]:
    """Read a gold order.

    Args:
        dag: An adjacency map, a list of edges, an object of nodes and edges, texts ``"a -> b"``,
            or one of these as JSON text. Nodes are numbers of lines or texts of steps.
        gold: The gold plan.

    Returns:
        Pairs of 0-based numbers of steps, the first of which comes before the second.

    Raises:
        SchemaError: If it has another shape, or a node that is no step of the gold plan.
        InputError: If it has a cycle, or the gold plan does not respect it.
    """
    if isinstance(dag, str) and not _ARROW.search(dag):
        try:
            dag = json.loads(dag)
        except ValueError as error:
            raise SchemaError(f"the gold order is not JSON: {error}", where="gt_dag") from None
    labels = _labels(dag)
    edges = [
        (u, v)
        for one, other in _edges(dag)
        for u in _steps(labels.get(str(one), one), gold)
        for v in _steps(labels.get(str(other), other), gold)
    ]
    PartialOrder(range(len(gold)), edges)
    return tuple(dict.fromkeys(edges))


def _labels(dag: object) -> dict[str, object]:
    nodes = dag.get("nodes", ()) if isinstance(dag, Mapping) else ()
    if isinstance(nodes, Mapping):
        return {str(key): value for key, value in nodes.items()}
    found = {}
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, Mapping) and "id" in node:
            label = next((node[key] for key in _LABELS if key in node), node["id"])
            found[str(node["id"])] = label
    return found


def _edges(dag: object) -> Iterator[tuple[Any, Any]]:
    if isinstance(dag, Mapping) and "edges" in dag:
        yield from _edges(dag["edges"])
    elif isinstance(dag, Mapping):
        for node, following in dag.items():
            if not isinstance(following, list):
                raise _unknown(following)
            yield from ((node, each) for each in following)
    elif isinstance(dag, (list, str)):
        for edge in dag.splitlines() if isinstance(dag, str) else dag:
            if isinstance(edge, Mapping):
                ends = [next((edge[k] for k in keys if k in edge), None) for keys in (_FROM, _TO)]
            else:
                ends = _ARROW.split(edge) if isinstance(edge, str) else edge
            if not isinstance(ends, list) or len(ends) < 2 or None in ends:
                raise _unknown(edge)
            yield from pairwise(ends)
    else:
        raise _unknown(dag)


def _steps(node: object, gold: Sequence[Step]) -> list[int]:
    """The steps that a node means: those of a line, or those that are written like it."""
    text = str(node).strip()
    if isinstance(node, Mapping):
        return _steps(next((node[key] for key in _LABELS if key in node), ""), gold)
    if text.isdecimal():
        found = [i for i, step in enumerate(gold) if step.number == int(text)]
    else:
        try:
            meant = read_gold(text, where="gt_dag")
        except InputError:
            raise _unknown(node) from None
        number = int(text.split("-")[0]) if text.split("-")[0].isdecimal() else None
        alike = {(step.skill, step.arguments, step.arm) for step in meant}
        found = [
            i
            for i, step in enumerate(gold)
            if (step.skill, step.arguments, step.arm) in alike and number in (None, step.number)
        ]
    if not found:
        raise _unknown(node)
    return found


def _unknown(part: object) -> SchemaError:
    return SchemaError(
        f"the gold order has {str(part)[:60]!r}",
        where="gt_dag",
        expected="edges between lines or steps of the gold plan",
    )
