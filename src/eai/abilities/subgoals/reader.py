"""Reading lists of subgoals out of what models write.

Accepted are a list of texts, alone or as a value of an object, in a fence or among prose, and
lines with a subgoal each. What stands in the texts is left to the parser of formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eai.abilities.answers.cleaning import Cleaned, clean
from eai.abilities.answers.nodes import Block, Group, Item, Pair, Text
from eai.abilities.answers.plan import AnswerProblem
from eai.abilities.answers.scanner import scan_block
from eai.diagnosis.judgement import Finding

__all__ = ["MOST_SUBGOALS", "SubgoalReading", "WrittenSubgoal", "read_subgoals", "reading_of"]

MOST_SUBGOALS = 1_000
"""An answer with more subgoals is not read."""
_MOST_TOKENS = 100_000

_OPENER = re.compile(r"[\[{]")
_LINE = re.compile(r"^[ \t]*(?:\d+[.):]|[-*\u2022])?(.*\w[ \t]*\(.*\).*?)[ \t,;]*$", re.MULTILINE)
_KEYS = ("output", "subgoals", "subgoal_plan", "plan", "steps")


@dataclass(frozen=True, slots=True)
class WrittenSubgoal:
    """One subgoal, as the model wrote it.

    Args:
        text: The formula.
        position: 0-based offset of its first character in the answer.
    """

    text: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class SubgoalReading:
    """The subgoals that were read out of an answer.

    Args:
        subgoals: The subgoals, in order.
        problems: What could not be read; empty if the answer is a list of subgoals.
        notes: What was repaired or left out on the way, one phrase each.
    """

    subgoals: tuple[WrittenSubgoal, ...] = ()
    problems: tuple[AnswerProblem, ...] = ()
    notes: tuple[str, ...] = ()


def read_subgoals(text: str) -> SubgoalReading:
    """Read the subgoals out of an answer.

    Nothing in an answer raises an error. Of several lists the last one that is complete counts.

    Args:
        text: What the model wrote.
    """
    cleaned = clean(text)
    lists = list(_lists(cleaned))
    complete = [group for group in lists if not group.cut]
    if complete:
        return _reading([_written(item, cleaned) for item in complete[-1].items], cleaned)
    if lists:
        problem = AnswerProblem("the list of subgoals is cut off", cleaned.offset + lists[-1].at)
        return SubgoalReading((), (problem,), tuple(cleaned.notes))
    lines = [
        WrittenSubgoal(match[1].strip("\"'` \t"), cleaned.offset + match.start(1))
        for match in _LINE.finditer(cleaned.text)
    ]
    cleaned.notes.update({"lines in place of a list": None} if lines else {})
    return _reading(lines, cleaned)


def reading_of(entries: Sequence[str] | Finding) -> SubgoalReading:
    """Entries that were taken out of an answer otherwise, or why there are none, as a reading."""
    if isinstance(entries, Finding):
        return SubgoalReading((), (AnswerProblem(entries.message),))
    return SubgoalReading(tuple(WrittenSubgoal(entry) for entry in entries))


def _reading(subgoals: list[WrittenSubgoal], cleaned: Cleaned) -> SubgoalReading:
    problems = list(cleaned.problems)
    kept = tuple(subgoal for subgoal in subgoals if subgoal.text)
    if len(kept) > MOST_SUBGOALS:
        problems.append(AnswerProblem(f"{len(kept):,} subgoals are more than {MOST_SUBGOALS:,}"))
    elif not kept and not problems:
        problems.append(AnswerProblem('there is no list of subgoals such as ["OPEN(door.1)"]'))
    return SubgoalReading(() if problems else kept, tuple(problems), tuple(cleaned.notes))


def _lists(cleaned: Cleaned) -> Iterator[Group]:
    """The lists of the answer that may be the subgoals, in order."""
    place, tokens = 0, _MOST_TOKENS
    while (match := _OPENER.search(cleaned.text, place)) and tokens > 0:
        block = scan_block(cleaned.text, match.start(), end=len(cleaned.text), most=tokens)
        tokens -= block.tokens + 2
        place = block.group.end
        group = _inside(block)
        if group is not None:
            yield group


def _inside(block: Block) -> Group | None:
    """The list in a value: itself, or what stands under the key that is meant."""
    group = block.group
    for _ in range(3):
        if group.kind == "list":
            return group if _is_list(group) else None
        pairs = {
            item.key.value.lower(): item.value
            for item in group.items
            if isinstance(item, Pair) and isinstance(item.value, Group)
        }
        found = next((pairs[key] for key in _KEYS if key in pairs), None)
        if found is None:
            return None
        found.cut = found.cut or group.cut
        group = found
    return None


def _is_list(group: Group) -> bool:
    return all(
        isinstance(item, Text) or (isinstance(item, Group) and item.kind == "call")
        for item in group.items
    )


def _written(item: Item, cleaned: Cleaned) -> WrittenSubgoal:
    if isinstance(item, Text):
        return WrittenSubgoal(item.value.strip(), cleaned.offset + item.at)
    at, end = (item.key.at, item.key.end) if isinstance(item, Pair) else (item.at, item.end)
    return WrittenSubgoal(cleaned.text[at:end], cleaned.offset + at)
