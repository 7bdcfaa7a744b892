"""Reading lists of subgoals out of what models write.

Accepted are a list of texts, alone or as a value of an object, in a fence or among prose, and
lines with a subgoal each. What stands in the texts is left to the parser of formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eai.answers.cleaning import Cleaned, clean
from eai.answers.lines import lines_around, may_be_step, resembles_step, told_again
from eai.answers.plan import EXPLAINING, STATES, AnswerProblem, ReadStep, shorten, words_of
from eai.answers.values import Block, Group, Item, Node, Pair, Text, scan_block
from eai.diagnosis.judgement import Finding

__all__ = ["MOST_SUBGOALS", "SubgoalReading", "WrittenSubgoal", "read_subgoals", "reading_of"]

MOST_SUBGOALS = 1_000
"""An answer with more subgoals is not read."""
_MOST_TOKENS = 100_000
_MOST_KEYS = 10

_OPENER = re.compile(r"[\[{]")
_LINE = re.compile(r"^[ \t]*(?:\d+[.):]|[-*\u2022])?(.*\w[ \t]*\(.*\).*?)[ \t,;]*$", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*(?:\d+[.):]|[-*\u2022])[ \t]+\S")
_ANY = re.compile(r"[^\n]*\S[^\n]*")
_CONNECTIVES = re.compile(r"\b(?:not|and|or|then|forall|exists)\b")
_KEYS = ("output", "subgoals", "subgoal_plan", "plan", "steps")
_ASKED = ("necessity_to_use_action", "actions_to_include")
"""Keys beside the list that the published prompts ask for."""
_ASIDE = EXPLAINING | STATES
_SEVERAL = "several lists, of which the last complete one was read"


@dataclass(slots=True)
class _List:
    """A list that may be the subgoals.

    Args:
        group: The list.
        at: Offset of the value in which it stands.
        end: Offset behind that value.
        beside: What stands in the value beside the list.
    """

    group: Group
    at: int
    end: int
    beside: list[Pair]


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
    complete = [found for found in lists if not found.group.cut]
    if complete:
        cleaned.notes.update({_SEVERAL: None} if len(lists) > 1 else {})
        subgoals = [_written(item, cleaned) for item in complete[-1].group.items]
        others = [(found.at, found.end) for found in lists if found is not complete[-1]]
        return _reading(subgoals, cleaned, _unread(complete[-1], subgoals, cleaned, others))
    if lists:
        at = cleaned.offset + lists[-1].group.at
        problem = AnswerProblem("the list of subgoals is cut off", at)
        return SubgoalReading((), (problem,), tuple(cleaned.notes))
    return _lines(cleaned)


def _lines(cleaned: Cleaned) -> SubgoalReading:
    """Subgoals in lines of their own; amid them, other items of the list are problems."""
    matches = list(_LINE.finditer(cleaned.text))
    lines = [
        WrittenSubgoal(match[1].strip("\"'` \t"), cleaned.offset + match.start(1))
        for match in matches
    ]
    if not matches:
        return _reading(lines, cleaned, [])
    cleaned.notes["lines in place of a list"] = None
    return _reading(lines, cleaned, list(_amid(cleaned, matches[0].start(), matches[-1].end())))


def _amid(cleaned: Cleaned, start: int, end: int) -> Iterator[AnswerProblem]:
    """Items of the list that are no subgoals: amid the others, or right behind the last one."""
    for line in _ANY.finditer(cleaned.text, start):
        item = _ITEM.match(line.group())
        if line.start() > end and item is None:
            return
        amid = item is not None or resembles_step(line.group())
        if amid and not _LINE.match(line.group()):
            yield _beside(line.group().strip(), cleaned.offset + line.start())


def _unread(
    found: _List,
    subgoals: list[WrittenSubgoal],
    cleaned: Cleaned,
    others: Sequence[tuple[int, int]],
) -> list[AnswerProblem]:
    """What looks like subgoals and stands beside the list, in its value or in the lines around."""
    known = [ReadStep(subgoal.text) for subgoal in subgoals]
    told = [
        (line.strip(), at)
        for line, at in lines_around(cleaned.text, found.at, found.end, others)
        if _may_be_subgoal(line) and not told_again(line, known)
    ]
    keys = [shorten(pair.key.value) for pair in found.beside if pair.key.value not in _ASKED]
    if keys:
        cleaned.notes[f"not read: {', '.join(keys[:_MOST_KEYS])}"] = None
    told += (
        (pair.key.value, pair.key.at)
        for pair in found.beside
        if pair.key.value.isupper() and isinstance(pair.value, Group)
    )
    told += (
        (text.value, text.at)
        for pair in found.beside
        if _ASIDE.isdisjoint(words_of(pair.key.value))
        for text in _texts(pair.value)
        if _may_be_subgoal(text.value)
    )
    return [_beside(text, cleaned.offset + at) for text, at in told]


def _may_be_subgoal(text: str) -> bool:
    return may_be_step(_CONNECTIVES.sub(" ", text))


def _beside(text: str, at: int) -> AnswerProblem:
    return AnswerProblem(f"{shorten(text)} is no subgoal in the list", at, text)


def _texts(node: Node | None) -> Iterator[Text]:
    """The texts in a value, and its calls as texts."""
    if isinstance(node, Text):
        yield node
    elif node is not None:
        if node.kind == "call" and node.name is not None:
            yield Text(f"{node.name.value}(...)", node.at, node.end)
        for item in node.items:
            yield from _texts(item.value if isinstance(item, Pair) else item)


def reading_of(entries: Sequence[str] | Finding) -> SubgoalReading:
    """Entries that were taken out of an answer otherwise, or why there are none, as a reading."""
    if isinstance(entries, Finding):
        return SubgoalReading((), (AnswerProblem(entries.message),))
    return SubgoalReading(tuple(WrittenSubgoal(entry) for entry in entries))


def _reading(
    subgoals: list[WrittenSubgoal], cleaned: Cleaned, unread: list[AnswerProblem]
) -> SubgoalReading:
    problems = [*cleaned.problems, *unread[:MOST_SUBGOALS]]
    kept = tuple(subgoal for subgoal in subgoals if subgoal.text)
    if len(kept) > MOST_SUBGOALS:
        problems.append(AnswerProblem(f"{len(kept):,} subgoals are more than {MOST_SUBGOALS:,}"))
    elif not kept and not problems:
        problems.append(AnswerProblem('there is no list of subgoals such as ["OPEN(door.1)"]'))
    return SubgoalReading(() if problems else kept, tuple(problems), tuple(cleaned.notes))


def _lists(cleaned: Cleaned) -> Iterator[_List]:
    """The lists of the answer that may be the subgoals, in order."""
    place, tokens = 0, _MOST_TOKENS
    while (match := _OPENER.search(cleaned.text, place)) and tokens > 0:
        block = scan_block(cleaned.text, match.start(), end=len(cleaned.text), most=tokens)
        tokens -= block.tokens + 2
        place = block.group.end
        found = _inside(block)
        if found is not None:
            yield found


def _inside(block: Block) -> _List | None:
    """The list in a value: itself, or what stands under the key that is meant."""
    group, beside = block.group, list[Pair]()
    at, end = group.at, group.end
    for _ in range(3):
        if group.kind == "list":
            return _List(group, at, end, beside) if _is_list(group) else None
        pairs = [item for item in group.items if isinstance(item, Pair)]
        lists = {pair.key.value.lower(): pair for pair in pairs if isinstance(pair.value, Group)}
        chosen = next((lists[key] for key in _KEYS if key in lists), None)
        if chosen is None or not isinstance(chosen.value, Group):
            return None
        beside += (pair for pair in pairs if pair is not chosen)
        chosen.value.cut = chosen.value.cut or group.cut
        group = chosen.value
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
