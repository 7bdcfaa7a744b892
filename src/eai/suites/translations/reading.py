"""The formula that an answer means.

The stages are those of all answers (:mod:`eai.answers`): blocks of the text, items, choice. An
item is a line, a passage in backquotes or dollar signs, or a string in a value, that is a formula.
A line of prose is none: it has to be read by the grammar to its end, and a single word counts only
if it is a name of the task.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from eai.answers import (
    Block,
    Candidate,
    Document,
    Group,
    Node,
    Pair,
    Text,
    candidate_at,
    choose_in_document,
    is_aside_key,
    open_document,
    plain_key,
)
from eai.errors import EaiError
from eai.logic import Equal, Formula, Proposition
from eai.suites.translations.formulas import read_formula
from eai.text import line_around

# A formula in a code span or in marks of mathematics: "`G p`", "$G p$".
_QUOTED = re.compile(r"`+([^`]+)`+|\$+([^$]+)\$+|\\\((.+?)\\\)|\\\[(.+?)\\\]")
_BULLET = re.compile(r"^\s*(?:[-*+>]|#+|\d+[.)])\s+")
_INTRODUCED = re.compile(r"[:=]|\b(?:is|as|be|becomes|gives)\b")
"""Signs and words between a formula and the words that announce it."""
# Marks of mathematics that are set off.
_DISPLAY = re.compile(r"\\[\[\]()]")
# Characters around a formula that are not part of it.
_AROUND = " \t*_.;,`$"
_MOST = 200
"""Maximum number of passages of an answer that are tried."""
_LONGEST = 5_000
"""A longer passage is no formula."""
_FRAMING = 3
"""Number of lines before a formula that frame it."""


@dataclass(slots=True)
class Written(Candidate[Formula]):
    """A formula that an answer may mean.

    Args:
        text: How it is written.
    """

    text: str = ""


@dataclass(frozen=True, slots=True)
class FormulaReading:
    """The formula that was found in an answer.

    Args:
        formula: The formula; None if none was read.
        text: How it is written.
        rule: The rule that chose it of several; empty if there was one.
        count: Number of formulas that were found.
    """

    formula: Formula | None
    text: str = ""
    rule: str = ""
    count: int = 0


def read_answer(answer: str, is_known: Callable[[str], bool]) -> FormulaReading:
    """Return the formula that an answer means. No answer raises an error.

    Args:
        answer: The model's answer.
        is_known: Whether a single word is a name of the task.
    """
    document = open_document(answer)
    candidates = _Collector(document, is_known).candidates()
    if not candidates:
        return FormulaReading(None)
    chosen, rule = choose_in_document(document, candidates)
    if chosen is None:
        return FormulaReading(None, rule=rule, count=len(candidates))
    written = {candidate.items[0] for candidate in candidates}
    said_once = len(written) == 1
    return FormulaReading(chosen.items[0], chosen.text, "" if said_once else rule, len(written))


@dataclass(slots=True)
class _Collector:
    """Finds the formulas in a document."""

    document: Document
    is_known: Callable[[str], bool]
    found: list[Written] = field(default_factory=list)
    framing: list[str] = field(default_factory=list)
    tried: int = 0

    def candidates(self) -> list[Written]:
        """Return the formulas in the order of the document."""
        end_of_read = -1
        for block in self.document.blocks:
            if block.at < end_of_read:
                continue  # a part of a line that was read as a formula
            line, start, end_of_line = self._line_at(block.at)
            value = block.value
            if value is not None and value.kind == "object" and self._add_value(block, value):
                end_of_read = block.end
            elif start >= end_of_read and self._add_line(block, line):
                end_of_read = end_of_line
            elif value is not None:
                self._add_value(block, value)
            else:
                self.framing = [*self.framing[1 - _FRAMING :], block.text]
            end_of_block = end_of_line if block.value is None else block.end
            end_of_read = max(end_of_read, end_of_block)
        return self.found

    def _line_at(self, place: int) -> tuple[str, int, int]:
        """Return the line around an offset of the text, with its start and end.

        Brackets and arrows of a formula may look like a list, a call or a link, so what the
        document takes for several blocks may be one formula.
        """
        text = self.document.text
        start, end = line_around(text, place)
        return text[start:end], start, end

    def _add_value(self, block: Block, value: Group) -> bool:
        """Add the formulas in a value, and return whether there are any."""
        number = len(self.found)
        for key, text in _strings(value):
            self._add(block, text, " ".join((block.text, key)))
        return len(self.found) > number

    def _add_line(self, block: Block, line: str) -> bool:
        """Add the formulas on a line, and return whether there are any.

        A formula is the whole line, or text in code marks, or the text behind an introduction such
        as "formula:".
        """
        if self._add(block, line, "") or self._add(block, _BULLET.sub("", line), ""):
            return True
        n_found_before = len(self.found)
        end = 0
        for quoted in _QUOTED.finditer(line):
            self._add(block, quoted[quoted.lastindex or 0], line[end : quoted.start()])
            end = quoted.end()
        if len(self.found) > n_found_before:
            return True
        # The last introduction first, as it has the shortest text behind it.
        for introduction in reversed(list(_INTRODUCED.finditer(line))):
            text_before = line[: introduction.start()]
            text_behind = line[introduction.end() :]
            # "The formula is correct" has no formula.
            is_prose = introduction[0].isalpha() and _is_word(_bare(text_behind))
            if not is_prose and self._add(block, text_behind, text_before):
                return True
        return False

    def _add(self, block: Block, text: str, frame: str) -> bool:
        """Add a text as a candidate, and return whether it is a formula.

        Args:
            block: The block of the document that the text stands in.
            text: The text.
            frame: Words around the text that say what it is, such as "Answer".
        """
        formula = self._formula(text)
        if formula is None:
            return False
        names = [region.name.replace("_", " ") for region in block.tags]
        written = candidate_at(Written, block, (*self.framing, *names, frame))
        written.items = [formula]
        written.text = _bare(text)
        written.end = block.end
        written.is_whole = True
        self.found.append(written)
        self.framing = []
        return True

    def _formula(self, text: str) -> Formula | None:
        """Return a text as a formula, or None if it is not one."""
        bare = _bare(text)
        if not bare or len(bare) > _LONGEST or self.tried >= _MOST:
            return None
        if _is_word(bare) and not self.is_known(bare):
            return None
        self.tried += 1
        try:
            formula = read_formula(bare)
        except EaiError:
            return None
        # The grammar reads a quoted string as a name, and an assignment as an equality.
        is_unknown_name = isinstance(formula, Proposition) and not self.is_known(str(formula))
        if is_unknown_name or any(isinstance(node, Equal) for node in formula.walk()):
            return None
        return formula


def _is_word(text: str) -> bool:
    return re.fullmatch(r"[\w-]+", text) is not None


def _bare(text: str) -> str:
    """Return a text without quotes, emphasis and unmatched closing brackets."""
    bare = _DISPLAY.sub(" ", text).strip(_AROUND)
    for opening, closing in ("{}", "[]"):
        while bare.endswith(closing) and bare.count(closing) > bare.count(opening):
            bare = bare[:-1].rstrip(_AROUND)
    if bare[:1] in ("'", '"') and bare.find(bare[0], 1) == len(bare) - 1:
        bare = bare[1:-1]
    return bare.strip()


def _strings(value: Group, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield (text, key) for the strings in a value that may be the formula."""
    for item in value.items:
        inner_key = key
        inner: Node | None
        if isinstance(item, Pair):
            inner_key = item.key.value
            inner = item.value
        else:
            inner = item
        # "reasoning" or "explanation": a formula in it is not the answer.
        if is_aside_key(inner_key):
            continue
        if isinstance(inner, Text):
            yield plain_key(inner_key).replace("_", " "), inner.value
        elif isinstance(inner, Group):
            yield from _strings(inner, inner_key)
