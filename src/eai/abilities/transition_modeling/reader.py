"""Operators out of answers: document, items, choice, one after the other."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from eai.abilities.transition_modeling.items import (
    OperatorItem,
    block_at,
    keys_over,
    operators_in,
    without_doubled_brackets,
)
from eai.answers import (
    Block,
    Candidate,
    Document,
    Text,
    breaks,
    choose,
    frames,
    is_final,
    is_rejected,
    is_remark,
    marks_answer,
    open_document,
    sentences_of,
    squeezed,
    takes_back,
    visible,
)
from eai.pddl import Domain, Issue, ReadOperator, read_actions
from eai.text import counted

_NAME = re.compile(r"(?<![\w?:-])[A-Za-z][\w-]*")
_COMMENT = re.compile(r"((?:^|\\n)[ \t]*)(?:#|//|>)(?:(?!\\n)[^\n])*", re.MULTILINE)
_QUOTED = re.compile(r"((?:^|\\n)[ \t]*)[>+]+", re.MULTILINE)
_NO_BREAK = re.compile(r"(\\n)|[^\n]")
_PLURAL = re.compile(r"(:precondition|:effect)s\b", re.IGNORECASE)
_REPAIRED = frozenset({"unclosed-bracket", "extra-bracket", "missing-bracket"})
_ASIDE = re.compile(
    r"\W*(?:explanation|reason|reasoning|note|rationale|comment|description)s?\W*:\W*\w",
    re.IGNORECASE,
)
_PDDL = re.compile(
    r"\s*\((?::|define\b)|\s*;|\W*(?:parameters?|preconditions?|effects?)\W*:", re.IGNORECASE
)
"""A line of a domain, or a part of an operator: ``:negative-preconditions`` rejects nothing."""
_KEYWORDS = frozenset({"and", "or", "not", "when", "forall", "exists", "either", "imply", "action"})


@dataclass(slots=True)
class Operators(Candidate[OperatorItem]):
    """Operators that an answer may mean."""


@dataclass(frozen=True, slots=True)
class OperatorReading:
    """The operators that were read out of an answer.

    Args:
        operators: The operators in the order of the text; several may have the same name.
        outside: What is wrong and belongs to none of them.
        notes: What was repaired, chosen or left out, one phrase each.
        problems: Why the answer as a whole was not read, with the places.
    """

    operators: tuple[ReadOperator, ...] = ()
    outside: tuple[Issue, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[tuple[str, int], ...] = ()


def read_operators(text: str, domain: Domain, names: Collection[str]) -> OperatorReading:
    """Read the operators out of an answer.

    Nothing in an answer raises an error.

    Args:
        text: What the model wrote.
        domain: Types and predicates that the operators may mention.
        names: Names of the operators that the task knows.
    """
    document = open_document(text)
    cleaned = document.cleaned
    notes = dict.fromkeys(cleaned.notes)
    problems = [(problem.message, problem.position) for problem in cleaned.problems]
    items = operators_in(document, names)
    candidates = _candidates(document, items)
    if not candidates:
        return OperatorReading((), (), tuple(notes), tuple(problems))
    before = document.text[: candidates[0].at]
    tail = document.text[candidates[-1].end :]
    chosen, rule = choose(candidates, tail, before)
    if chosen is not None and takes_back(tail) and not is_final(chosen.frame):
        chosen = None
    if chosen is None:
        problems.append(("the answer takes its operators back", 0))
        return OperatorReading((), (), tuple(notes), tuple(problems))
    kept = list(chosen.items)
    if rule in ("last", "formal"):
        # Operators have names: what is written again counts, the others stay.
        kept = [item for each in candidates if _is_meant(each) for item in each.items]
    elif rule:
        notes[
            f"{counted(len(candidates), 'list')} of operators in the answer; chosen by: {rule}"
        ] = None
    spelling = _Spelling(domain, names)
    in_place = [item for item in kept if not item.text]
    operators, outside = (
        _read_in_place(text, document, in_place, domain, spelling) if in_place else ([], [])
    )
    for item in kept:
        if item.text:
            operators += _read_parts(item, domain, spelling)
    if spelling.changed:
        notes["names spelled as the domain has them"] = None
    operators = [_repaired(read, kept, notes) for read in operators]
    return OperatorReading(tuple(operators), tuple(outside), tuple(notes), tuple(problems))


def _candidates(document: Document, items: Sequence[OperatorItem]) -> list[Operators]:
    """Put operators together that stand in one piece."""
    candidates: list[Operators] = []
    behind = 0
    framing: tuple[object, ...] = ()
    values = [each for each in document.blocks if each.value is not None and not _is_citation(each)]
    for item in items:
        block = block_at(document.blocks, item.at)
        regions = block.regions if block is not None else ()
        keys = (
            [key for key in keys_over(block, item.at) if frames(key)] if block is not None else []
        )
        until = item.at if block is None or block.value is None else min(item.at, block.value.at)
        # An example such as {"output": [...]} keeps the words that frame it to itself.
        passed = [each for each in values if behind < each.end <= until]
        lines = document.text[max([behind, *(each.end for each in passed)]) : until].splitlines()
        said = [
            line.strip()
            for line in lines
            if any(map(str.isalnum, line)) and not (_ASIDE.match(line) or _PDDL.match(line))
        ]
        words = [sentence for line in said for sentence in sentences_of(line)]
        while candidates and words and is_remark(words[0]):
            candidates[-1].remark += f"{words.pop(0)}\n"
        tags = [region.name for region in regions if region.kind == "tag"]
        framed = [
            tag
            for tag in tags
            if is_final(tag.replace("_", " ")) or is_rejected(tag.replace("_", " "))
        ]
        place = (*keys, *framed, any(region.kind in ("struck", "comment") for region in regions))
        is_other = place != framing or any(map(breaks, words)) or not candidates
        if candidates and any(
            squeezed(item.name) == squeezed(own.name) for own in candidates[-1].items
        ):
            is_other = True
        if is_other:
            frame = [*words[-4:], *keys, *framed]
            candidate = Operators([], "\n".join(frame).replace("_", " "), item.at)
            candidate.is_marked = any(marks_answer(each.kind, each.name) for each in regions)
            candidate.is_struck = bool(place[-1])
            candidate.is_formal = True
            candidates.append(candidate)
        framing = place
        candidates[-1].items.append(item)
        candidates[-1].end = behind = item.end
        candidates[-1].is_cut = item.is_cut
    return candidates


def _is_citation(block: Block) -> bool:
    """Whether a value is a number in brackets."""
    assert block.value is not None  # noqa: S101 - the caller looked
    return all(isinstance(item, Text) and item.value.isdigit() for item in block.value.items)


def _is_meant(candidate: Operators) -> bool:
    return not candidate.is_struck and not is_rejected(candidate.frame)


class _Spelling:
    """Spells names as the domain has them where only signs or letter case differ."""

    def __init__(self, domain: Domain, names: Collection[str]) -> None:
        known = (*names, *domain.predicates, *domain.types, *domain.constants)
        self.exact = {*known, *_KEYWORDS}
        self.known: Mapping[tuple[str, int], str] = {
            (squeezed(name), len(name)): name for name in known
        }
        self.changed = False

    def __call__(self, text: str) -> str:
        """Return a text of the same length with its names as the domain has them."""

        def spelled(found: re.Match[str]) -> str:
            word = found[0]
            if word in self.exact or word.lower() in self.exact:
                return word
            name = self.known.get((squeezed(word), len(word)))
            self.changed = self.changed or name is not None
            return name or word

        return _NAME.sub(spelled, text)


def _blank(text: str) -> str:
    """Return blanks in place of a text, its line breaks kept, escaped ones too."""
    return _NO_BREAK.sub(lambda found: found[1] or " ", text)


def _plain(text: str, spelling: _Spelling) -> str:
    """Return the text of an action without comments of other languages, of the same length."""
    text = _QUOTED.sub(lambda found: found[1] + " " * (len(found[0]) - len(found[1])), text)
    text = _COMMENT.sub(lambda found: found[1] + " " * (len(found[0]) - len(found[1])), text)
    text = _PLURAL.sub(r"\1 ", text)
    return spelling(without_doubled_brackets(text))


def _read_in_place(
    answer: str,
    document: Document,
    items: Sequence[OperatorItem],
    domain: Domain,
    spelling: _Spelling,
) -> tuple[list[ReadOperator], list[Issue]]:
    """Read the actions that stand in the answer, everything else blanked out."""
    text = document.text
    seen = visible(answer)[0]
    pieces = [_blank(seen[: document.cleaned.offset])]
    place = 0
    for item in items:
        pieces += [_blank(text[place : item.at]), _plain(text[item.at : item.end], spelling)]
        place = item.end
    plain = "".join(pieces)
    if "\n" in seen.strip() and "\n" not in plain.strip():
        plain += "\n;"  # lines are those of the answer, not those that escapes stand for
    return read_actions(plain, domain=domain)


def _read_parts(item: OperatorItem, domain: Domain, spelling: _Spelling) -> list[ReadOperator]:
    """Read an operator that was put together from its parts."""
    operators, outside = read_actions(_plain(item.text, spelling), domain=domain)
    unplaced = [replace(issue, place=None) for issue in outside]
    for read in operators:
        unplaced += (replace(issue, place=None) for issue in read.issues)
    return [replace(read, issues=tuple(unplaced)) for read in operators]


def _repaired(
    read: ReadOperator, items: Sequence[OperatorItem], notes: dict[str, None]
) -> ReadOperator:
    """Turn errors about brackets into notes where there is one way to mend them."""
    own = next((item for item in items if item.name.lower() == read.operator.name.lower()), None)
    brackets = [issue for issue in read.issues if issue.kind in _REPAIRED]
    if not brackets or own is None or own.is_cut:
        return read
    others = [issue for issue in read.issues if issue.severity == "error" and issue not in brackets]
    if others:
        return read
    notes[f"brackets of {read.operator.name} were mended"] = None
    return replace(read, issues=tuple(issue for issue in read.issues if issue not in brackets))
