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
    begins_new_try,
    candidate_at,
    choose_in_document,
    is_framing_key,
    is_rejected,
    is_remark,
    open_document,
    remove_invisible,
    sentences_of,
    squeezed,
)
from eai.pddl import Domain, Issue, ReadOperator, read_actions
from eai.text import counted, has_words

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
_SENTENCES_OF_FRAME = 4
"""Number of sentences before a list of operators that may say what the list is."""


class Operators(Candidate[OperatorItem]):
    """Operators that an answer may mean."""

    def take(self, item: OperatorItem) -> None:
        """Add an operator at the end, to which the list now reaches."""
        self.items.append(item)
        self.end = item.end
        self.is_cut = item.is_cut


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
        text: The answer of the model.
        domain: Types and predicates that the operators may mention.
        names: Names of the operators that the task knows.
    """
    document = open_document(text)
    cleaned = document.cleaned
    notes = dict.fromkeys(cleaned.notes)
    problems = [(problem.message, problem.position) for problem in cleaned.problems]
    candidates = _candidates(document, operators_in(document, names))
    if not candidates:
        return OperatorReading((), (), tuple(notes), tuple(problems))
    chosen_candidate, rule = choose_in_document(document, candidates)
    if chosen_candidate is None:
        problems.append(("the answer takes its operators back", 0))
        return OperatorReading((), (), tuple(notes), tuple(problems))
    items = list(chosen_candidate.items)
    # Several blocks usually have one operator each. Only words such as "final" make others drafts.
    if rule in ("longer", "last", "formal"):
        items = _items_of_all(candidates)
    elif rule:
        lists = counted(len(candidates), "list")
        notes[f"{lists} of operators in the answer; chosen by: {rule}"] = None
    spelling = _Spelling(domain, names)
    operators, unassigned_issues = _read_items(text, document, items, domain, spelling)
    if spelling.changed:
        notes["names spelled as the domain has them"] = None
    operators = [_mend_brackets(read, items, notes) for read in operators]
    return OperatorReading(
        tuple(operators), tuple(unassigned_issues), tuple(notes), tuple(problems)
    )


def _read_items(
    answer: str,
    document: Document,
    items: Sequence[OperatorItem],
    domain: Domain,
    spelling: _Spelling,
) -> tuple[list[ReadOperator], list[Issue]]:
    """Read operators, those written as PDDL first, and then those put together from parts.

    Args:
        answer: The answer of the model.
        document: The document that was made of it.
        items: The operators in it.
        domain: Types and predicates that the operators may mention.
        spelling: Replaces names by those of the domain.

    Returns:
        The operators, and the issues that belong to none of them.
    """
    operators: list[ReadOperator] = []
    unassigned_issues: list[Issue] = []
    items_in_place = [item for item in items if not item.text]
    if items_in_place:
        operators, unassigned_issues = _read_in_place(
            answer, document, items_in_place, domain, spelling
        )
    for item in items:
        if item.text:
            operators += _read_parts(item, domain, spelling)
    return operators, unassigned_issues


def _items_of_all(candidates: Sequence[Operators]) -> list[OperatorItem]:
    """Return the operators of all lists that may count.

    Operators have names: one that is written again replaces the one before, the others stay.
    """
    items: list[OperatorItem] = []
    for candidate in candidates:
        if not candidate.is_struck and not is_rejected(candidate.frame):
            items += candidate.items
    return items


def _candidates(document: Document, items: Sequence[OperatorItem]) -> list[Operators]:
    """Group the operators of a document into lists.

    An operator begins another list in three cases: the words before it say so ("A better
    version:"), it stands under other keys or tags, or its name is already in the list.
    """
    candidates: list[Operators] = []
    previous_end = 0  # end of the previous operator
    previous_context = _OperatorContext([], is_struck=False)
    value_blocks = _blocks_of_values(document)
    for item in items:
        block = block_at(document.blocks, item.at)
        sentences = _sentences_between(document, value_blocks, previous_end, _begin_of(item, block))
        # The first sentences may be remarks on the previous operator: "this was wrong".
        while candidates and sentences and is_remark(sentences[0]):
            candidates[-1].remark += f"{sentences.pop(0)}\n"
        context = _OperatorContext(_framing_marks(block, item.at), block.is_struck)
        is_other_list = context != previous_context or any(map(begins_new_try, sentences))
        if not candidates or is_other_list or _has_name(candidates[-1], item.name):
            candidates.append(_new_candidate(item, block, sentences, context.marks))
        candidates[-1].take(item)
        previous_context = context
        previous_end = item.end
    return candidates


@dataclass(frozen=True, slots=True)
class _OperatorContext:
    """The surroundings of an operator, which all operators of a list share.

    Args:
        marks: Keys and tags around it that say what it is.
        is_struck: Whether it is struck out.
    """

    marks: list[str]
    is_struck: bool


def _new_candidate(
    item: OperatorItem, block: Block, sentences: Sequence[str], marks: Sequence[str]
) -> Operators:
    """Return an empty list of operators that begins at one of them.

    Args:
        item: The first operator.
        block: The block in which it stands.
        sentences: The sentences before it, of which the last ones frame the list.
        marks: Keys and tags that frame it.
    """
    words = [*sentences[-_SENTENCES_OF_FRAME:], *(mark.replace("_", " ") for mark in marks)]
    candidate = candidate_at(Operators, block, words)
    candidate.at = item.at
    candidate.is_formal = True
    return candidate


def _blocks_of_values(document: Document) -> list[Block]:
    """Return the blocks of a document that hold values and are no citations such as ``[1]``."""
    return [block for block in document.blocks if block.value and not _is_citation(block)]


def _begin_of(item: OperatorItem, block: Block) -> int:
    """Return where an operator begins, or the value that holds it."""
    if block.value is None:
        return item.at
    return min(item.at, block.value.at)


def _framing_marks(block: Block, at: int) -> list[str]:
    """Return the keys and tags around an operator that say what it is: ``final_answer``."""
    marks = [key for key in keys_over(block, at) if is_framing_key(key)]
    return marks + [region.name for region in block.tags if is_framing_key(region.name)]


def _sentences_between(
    document: Document, value_blocks: Sequence[Block], first_end: int, second_start: int
) -> list[str]:
    """Return the sentences between two operators, without PDDL and explanations.

    Args:
        document: The answer.
        value_blocks: Blocks of the answer that hold values.
        first_end: Offset of the end of the first operator.
        second_start: Offset of the second operator, or of the value that holds it.
    """
    start = first_end
    for block in value_blocks:
        # Words before an example such as {"output": [...]} belong to the example.
        if first_end < block.end <= second_start:
            start = max(start, block.end)
    sentences: list[str] = []
    for line in document.text[start:second_start].splitlines():
        if has_words(line) and not _ASIDE.match(line) and not _PDDL.match(line):
            sentences += sentences_of(line.strip())
    return sentences


def _has_name(candidate: Operators, name: str) -> bool:
    """Return whether a list has an operator of a name; letter case and signs do not matter."""
    return any(squeezed(item.name) == squeezed(name) for item in candidate.items)


def _is_citation(block: Block) -> bool:
    """Whether a value is a number in brackets."""
    assert block.value is not None  # noqa: S101 - the caller looked
    return all(isinstance(item, Text) and item.value.isdigit() for item in block.value.items)


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
        """Return a text of the same length with its names as the domain has them.

        ``Is_Open`` becomes ``is-open`` if the domain has that predicate. Only names of the same
        length are replaced, so that positions in the text stay those of the answer.
        """

        def spelled(match: re.Match[str]) -> str:
            word = match[0]
            if word in self.exact or word.lower() in self.exact:
                return word
            name = self.known.get((squeezed(word), len(word)))
            self.changed = self.changed or name is not None
            return name or word

        return _NAME.sub(spelled, text)


def _blank(text: str) -> str:
    """Return blanks in place of a text, its line breaks kept, escaped ones too."""
    return _NO_BREAK.sub(lambda found: found[1] or " ", text)


def _blank_behind_first(match: re.Match[str]) -> str:
    """Return a match of the same length with blanks for everything after its first group."""
    return match[1].ljust(len(match[0]))


def _plain_pddl(text: str, spelling: _Spelling) -> str:
    """Return the text of an action without comments of other languages, of the same length."""
    text = _QUOTED.sub(_blank_behind_first, text)
    text = _COMMENT.sub(_blank_behind_first, text)
    text = _PLURAL.sub(r"\1 ", text)
    return spelling(without_doubled_brackets(text))


def _read_in_place(
    answer: str,
    document: Document,
    items: Sequence[OperatorItem],
    domain: Domain,
    spelling: _Spelling,
) -> tuple[list[ReadOperator], list[Issue]]:
    """Read the actions at their places in the answer, with blanks instead of all other text.

    Because of the blanks, the positions of errors are those in the answer.

    Args:
        answer: The answer of the model.
        document: The document that was made of it.
        items: Where actions stand in it.
        domain: Types and predicates.
        spelling: Replaces names by those of the domain.
    """
    text = document.text
    visible_text = remove_invisible(answer)[0]
    text_parts = [_blank(visible_text[: document.cleaned.offset])]
    offset = 0
    for item in items:
        text_parts.append(_blank(text[offset : item.at]))
        text_parts.append(_plain_pddl(text[item.at : item.end], spelling))
        offset = item.end
    plain = "".join(text_parts)
    if "\n" in visible_text.strip() and "\n" not in plain.strip():
        plain += "\n;"  # the lines are those of the answer, and not those of escapes in it
    return read_actions(plain, domain=domain)


def _read_parts(item: OperatorItem, domain: Domain, spelling: _Spelling) -> list[ReadOperator]:
    """Read an operator that was put together from its parts."""
    operators, unassigned_issues = read_actions(_plain_pddl(item.text, spelling), domain=domain)
    issues = list(unassigned_issues)
    for read in operators:
        issues += read.issues
    # The text was assembled, so positions in it are not positions in the answer.
    unplaced = tuple(replace(issue, place=None) for issue in issues)
    return [replace(read, issues=unplaced) for read in operators]


def _mend_brackets(
    read: ReadOperator, items: Sequence[OperatorItem], notes: dict[str, None]
) -> ReadOperator:
    """Turn errors about brackets into notes if nothing else is wrong with an operator.

    A missing or extra bracket then has one obvious place. With other errors, or in a truncated
    answer, it may be a sign of lost text.

    Args:
        read: The operator.
        items: Where the operators were found, to see whether this one is cut off.
        notes: The notes of the reading, to which one is added.
    """
    bracket_issues = [issue for issue in read.issues if issue.kind in _REPAIRED]
    if not bracket_issues or _is_cut_off(read.operator.name, items):
        return read
    other_issues = [issue for issue in read.issues if issue not in bracket_issues]
    if any(issue.severity == "error" for issue in other_issues):
        return read
    notes[f"brackets of {read.operator.name} were mended"] = None
    return replace(read, issues=tuple(other_issues))


def _is_cut_off(name: str, items: Sequence[OperatorItem]) -> bool:
    """Return whether the answer ends within an operator, or does not have it as an item.

    Args:
        name: Name of the operator.
        items: Where the operators were found; of several with a name the first counts.
    """
    for item in items:
        if item.name.lower() == name.lower():
            return item.is_cut
    return True
