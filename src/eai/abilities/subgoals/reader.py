"""Lists of subgoals out of answers: document, items, choice, one after the other."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice, takewhile
from operator import attrgetter

from eai.abilities.subgoals.binding import SubgoalReading, WrittenSubgoal
from eai.abilities.subgoals.items import Item, Listed, SubgoalGrammar, joined
from eai.abilities.subgoals.told import find_told_subgoals
from eai.answers import (
    ANSWER_TAGS,
    HEADINGS,
    AnswerProblem,
    Block,
    Candidate,
    CandidateCollector,
    Document,
    GivenParts,
    Group,
    Nesting,
    Region,
    Text,
    are_parts,
    begins_new_try,
    choose_in_document,
    is_aside_key,
    is_final,
    is_given_key,
    is_rejected,
    key_words,
    open_document,
    shorten,
)
from eai.answers.choice import remarks_on_try
from eai.answers.surfaces import squeezed
from eai.task import Vocabulary
from eai.text import counted, has_words

MOST_SUBGOALS = 1_000
"""An answer with more subgoals is not read."""
_MAX_KEYS = 10
"""Maximum number of keys that a note names."""
_NO_GROUP = -1
"""The group of a subgoal that stands alone."""


@dataclass(slots=True)
class Subgoals(Candidate[Item]):
    """A list of subgoals that an answer may mean.

    Args:
        values: Number of values or regions of one subgoal each of which it consists.
        is_list: Whether it is a list of JSON or the like, where each entry is a whole subgoal.
        left_out: Keys beside it that were not read.
        unread: What stands where a subgoal is expected, or beside the list, and was not read.
        groups: For each subgoal the offset of the line or tag that holds it, or ``_NO_GROUP``.
        numbers: The numbers before its items.
        notes: What was repaired.
    """

    values: int = 0
    is_list: bool = False
    left_out: list[str] = field(default_factory=list)
    unread: list[Text] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)
    notes: dict[str, None] = field(default_factory=dict)

    @property
    def has_only_values(self) -> bool:
        """Whether each subgoal so far is a value or a region of its own: ``["A(x)"]``."""
        return 0 < self.values == len(self.items)

    def take(self, items: Sequence[Item], group: int, end: int) -> None:
        """Add subgoals at the end of the list.

        Args:
            items: The subgoals.
            group: The group to which all of them belong.
            end: The offset after the last one, to which the list now reaches.
        """
        self.items += items
        self.groups += [group] * len(items)
        self.end = end

    def take_line(self, items: Sequence[Item], group: int, end: int) -> None:
        """Add the subgoals of a line, and note the numbers before them; see :meth:`take`."""
        self.take(items, group, end)
        self.numbers.update(item.number for item in items if item.number is not None)

    def take_list(self, listed: Listed, end: int) -> None:
        """Add the subgoals of a list of JSON or the like; each is a whole one."""
        self.take(listed.items, _NO_GROUP, end)
        self.left_out += listed.left_out
        self.unread += listed.beside
        self.is_list = True
        self.is_cut = self.is_cut or listed.is_cut


def read_subgoals(text: str, vocabulary: Vocabulary | None = None) -> SubgoalReading:
    """Read the subgoals out of an answer.

    Nothing in an answer raises an error.

    Args:
        text: The answer of the model.
        vocabulary: The names that subgoals may use; without it, any name with something in
            brackets may be a subgoal.
    """
    document = open_document(text)
    reader = _Reader(vocabulary, Nesting())
    return _reading_of(document, reader.choose_list(document))


@dataclass(slots=True)
class _Chosen:
    """The list of subgoals that a document means.

    Args:
        subgoals: The list; None if there is none, or the document takes it back.
        rule: The rule by which it was chosen; empty if there was nothing to choose.
        count: Number of lists in the document.
        problems: What stands beside the list and looks like a subgoal.
    """

    subgoals: Subgoals | None
    rule: str = ""
    count: int = 0
    problems: list[AnswerProblem] = field(default_factory=list)

    def has_more_than(self, other: Subgoals) -> bool:
        """Whether the list has all subgoals of another list, and more."""
        texts = [] if self.subgoals is None else [item.text for item in self.subgoals.items]
        return len(texts) > len(other.items) and all(item.text in texts for item in other.items)


class _Reader:
    """Reads the subgoals of a document, and of documents in its strings.

    Args:
        vocabulary: The names that subgoals may use.
        nesting: How deep the document stands in strings of others.
    """

    def __init__(self, vocabulary: Vocabulary | None, nesting: Nesting) -> None:
        self.vocabulary = vocabulary
        self.nesting = nesting
        self.grammar = SubgoalGrammar(vocabulary, self.nested)

    def nested(self, text: Text) -> list[Item]:
        """Return the subgoals of a string that holds JSON, several lines or an answer of its own.

        They are all at the offset of the string; there are none in an ordinary string, nor in one
        that holds anything that is doubtful.
        """
        document = self.nesting.document_in(text.value.strip())
        if document is None:
            return []
        chosen = _Reader(self.vocabulary, self.nesting.deeper()).choose_list(document)
        if chosen.subgoals is None or chosen.problems:
            return []
        for item in chosen.subgoals.items:
            item.at = text.at
        return chosen.subgoals.items

    def choose_list(self, document: Document) -> _Chosen:
        """Choose the list of subgoals that a document means.

        Lists are compared by the rules that all readers share (:func:`eai.answers.choose`), which
        also look at the words before the first list and behind the last one.

        Returns:
            The list and the rule that chose it. Whatever else looks like a subgoal becomes a
            problem, so that nothing is dropped in silence.
        """
        collector = _Collector(self.grammar, document)
        candidates = collector.candidates_in_order()
        starts = collector.offsets_told_again(lambda item: squeezed(item.text))
        if starts:
            candidates = _Collector(self.grammar, document, starts).candidates_in_order()
        for candidate in candidates:
            _settle(candidate)
        # This comes before the comparison, because a list without subgoals must not compete.
        filled = [candidate for candidate in candidates if candidate.items]
        if not filled:
            return self._told_in_sentences(document) or _Chosen(None)
        subgoals, rule = choose_in_document(document, filled)
        chosen = _Chosen(subgoals, rule, len(filled))
        if subgoals is None:
            return chosen
        if len(filled) == 1 and not (subgoals.is_list or subgoals.is_marked):
            told = self._told_in_sentences(document)
            if told is not None and told.has_more_than(subgoals):
                return told
        chosen.problems += [_beside(text.value, text.at) for text in subgoals.unread]
        # If the answer marks one list as final, subgoals outside of it need no report.
        is_sure = subgoals.is_marked or is_final(subgoals.frame) or rule == "decided"
        if not is_sure:
            chosen.problems += _stray_subgoals(filled, subgoals)
        return chosen

    def _told_in_sentences(self, document: Document) -> _Chosen | None:
        """Return the subgoals that the sentences of a document tell in order; None if none do."""
        items = find_told_subgoals(document, self.grammar)
        if not items:
            return None
        # They compete with no other list, so that nobody asks where they stand.
        return _Chosen(Subgoals(items), "amid words", count=1)


def _stray_subgoals(candidates: Sequence[Subgoals], chosen: Subgoals) -> list[AnswerProblem]:
    """Return a problem for each single subgoal that the chosen list seems to lack."""
    problems: list[AnswerProblem] = []
    for candidate in candidates:
        if candidate is not chosen and _is_stray(candidate, chosen):
            problems.append(_beside(candidate.items[0].text, candidate.at))
    return problems


def _is_stray(candidate: Subgoals, chosen: Subgoals) -> bool:
    """Return whether a candidate is a single subgoal that the chosen list seems to lack."""
    # Several subgoals are another plan, which the rules of choice compared; one alone that stands
    # in prose may be a step that was forgotten in the list.
    if len(candidate.items) != 1 or candidate.is_struck or candidate.is_formal:
        return False
    if is_rejected(candidate.frame):
        return False
    subgoal = candidate.items[0]
    is_repeated = any(item.text.lower() == subgoal.text.lower() for item in chosen.items)
    return subgoal.is_whole and not is_repeated


class _Collector(CandidateCollector[Subgoals]):
    """Puts the subgoals of a document together to lists.

    Attributes:
        passed: Items of a list since the last subgoal that are none.
        listed_above: Items above the first subgoal that are none.
        heading: The sentence over the current list.
        head: The line that stands over the literals of the subgoal that is read.
        given: Parts of the document that repeat what the task gave.
        rows: Offsets of values that are one subgoal each.
        units: Names of tags around one subgoal each.
    """

    def __init__(
        self, grammar: SubgoalGrammar, document: Document, starts: frozenset[int] = frozenset()
    ) -> None:
        super().__init__(Subgoals, document, starts)
        self.grammar = grammar
        self.passed: list[Text] = []
        self.listed_above: list[Text] = []
        self.heading = ""
        self.head = _NO_HEAD
        self.given = GivenParts(document.text)
        self.rows = _rows_of_values(document)
        self.units = _repeated_tags(document)

    def candidates_in_order(self) -> list[Subgoals]:
        """Return the lists of subgoals in the document, in its order.

        Blocks that are struck out form separate lists.
        """
        blocks = [block for block in _whole_lines(self.document) if not _is_aside(block)]
        for is_struck, members in groupby(blocks, key=attrgetter("is_struck")):
            if is_struck:
                self.add_struck_blocks([*members])
            else:
                self.add_blocks([*members])
        self.close()
        return self.candidates

    def add_struck_blocks(self, blocks: Sequence[Block]) -> None:
        """Add struck-out blocks as lists of their own; the current list continues after them."""
        passed_before = self.passed
        head_before = self.head
        # Unread items before these blocks belong to the list around them, not to the struck one.
        self.passed = []
        with self.add_struck_item():
            self.add_blocks(blocks)
            self.close()
        self.passed = passed_before
        self.head = head_before

    def add_blocks(self, blocks: Sequence[Block]) -> None:
        """Add blocks that follow each other, those of a repeated element together.

        An element ``<subgoal>...</subgoal>`` is first read as one subgoal, and block by block if
        it does not read as one.
        """
        position = 0
        while position < len(blocks):
            self.enter_regions(blocks[position])
            members = self.blocks_of_unit(blocks, position)
            position += len(members)
            is_unit = self.unit_of(members[0]) is not None
            if is_unit and self.add_unit(members):
                continue
            for member in members:
                self.add_block(member)

    def blocks_of_unit(self, blocks: Sequence[Block], position: int) -> Sequence[Block]:
        """Return the blocks from a position on that stand in the same repeated element.

        A block that stands in no repeated element is returned alone.
        """
        unit = self.unit_of(blocks[position])
        end = position + 1
        while unit is not None and end < len(blocks) and unit in blocks[end].regions:
            end += 1
        return blocks[position:end]

    def unit_of(self, block: Block) -> Region | None:
        """Return the repeated element in which a block stands; None if it stands in none."""
        for region in block.tags:
            if region.name in self.units:
                return region
        return None

    def add_block(self, block: Block) -> None:
        """Add a block."""
        if block.value is not None:
            self.add_value(block, block.value)
        else:
            self.add_line(block)

    def carries_on(self, items: Sequence[Item]) -> bool:
        """Return whether the subgoals of a line continue the current list.

        They may stand in another fence than the list. If their numbers start again below a heading
        such as ``## Part 2``, the numbers of the list are forgotten.
        """
        current = self.current
        if current is None or current.is_list:
            return False
        first_number = items[0].number
        if first_number is not None and self.restarts(first_number):
            is_next_part = are_parts(self.heading, self.between.last_words)
            if not is_next_part:
                return False
            current.numbers = set()
        if not self.between.is_parted:
            return True
        has_next_number = False
        if first_number is not None and current.numbers:
            has_next_number = first_number == max(current.numbers) + 1
        # Each subgoal of the list so far stood in a fence of its own.
        is_row_of_regions = current.is_formal and current.values == len(current.items)
        return has_next_number or is_row_of_regions

    def close(self) -> None:
        """End the current list.

        Lines after its last subgoal that have the next numbers are reported with the list, as
        subgoals that could not be read: ``3. wait a bit`` below ``2. on(cup.2)``. So is a line
        right below lines of subgoals that begins with a literal: ``clean(cup.2) would be good``.
        """
        current = self.current
        if current is not None and current.numbers:
            next_number = max(current.numbers) + 1
            for text in self.passed:
                if self.grammar.number(text.value) == next_number:
                    current.unread.append(text)
                    next_number += 1
        elif current is not None and self.passed and not current.is_list:
            text = self.passed[0]
            is_next_line = self.document.text[current.end : text.at].count("\n") == 1
            if is_next_line and self.grammar.begins_with_literal(text.value):
                current.unread.append(text)
        self.current = None
        self.passed = []

    def begin_candidate(self, block: Block, *framing: str) -> Subgoals:
        """Begin a new list at a block, framed by the names of its elements as well."""
        self.close()
        return super().begin_candidate(
            block, *framing, *(r.name.replace("_", " ") for r in block.tags)
        )

    def add_value(self, block: Block, value: Group) -> None:
        """Add a value: lists, or one subgoal of a list whose subgoals are values."""
        all_lists = self.grammar.values(value, self.document.text)
        lists = [listed for listed in all_lists if listed.items]
        lead = block.text.strip()
        if self.given.should_skip(block.text, block.at, block.end, lambda: bool(lists)):
            return
        if not lists:
            # An empty list, an example such as [...], or a citation such as [1].
            is_citation = all(
                isinstance(item, Text) and item.value.isdigit() for item in value.items
            )
            self.between.words = [*self.between.words, lead] if is_citation else []
            return
        if len(lists) == 1 and block.at in self.rows:
            lists[0].items = [joined(lists[0].items)]
        for listed in lists:
            self.add_list(block, listed, lead, is_only=len(lists) == 1)

    def add_list(self, block: Block, listed: Listed, lead: str, *, is_only: bool) -> None:
        """Add a list, ``["OPEN(door.1)", "ON(lamp.2)"]``, as a candidate of its own.

        A list of one subgoal continues a candidate that consists of such lists.

        Args:
            block: The block of the value.
            listed: The list in it.
            lead: The words before the value: ``Subgoals:``.
            is_only: Whether the value has no other list.
        """
        # Several values with one subgoal each form one list, unless words between them break it.
        is_single = is_only and len(listed.items) == 1
        has_break = any(map(begins_new_try, [*self.between.words, lead]))
        current = self.current
        if current is None or not is_single or not current.has_only_values or has_break:
            frame = " ".join(filter(None, (lead, listed.key.replace("_", " "))))
            current = self.begin_candidate(block, frame)
        self.between.words = []
        self.between.is_parted = False
        current.take_list(listed, block.end)
        if is_single:
            current.values += 1
        for repair in self.document.repairs.get(block.at, ()):
            current.notes[repair] = None

    def add_unit(self, members: Sequence[Block]) -> bool:
        """Add the blocks of an element, ``<subgoal>on(cup.2)</subgoal>``, as one subgoal.

        Returns:
            Whether they read as one subgoal; if not, nothing was added.
        """
        literals = self.literals_of_unit(members)
        if not literals:
            return False
        self.add_items(members[0], [joined(literals)], _NO_GROUP)
        return True

    def literals_of_unit(self, blocks: Sequence[Block]) -> list[Item]:
        """Return the literals in the blocks of an XML element, which are parts of one subgoal.

        Nothing is returned if one of the blocks is a list of subgoals, or if none can be read.
        """
        items: list[Item] = []
        lines: list[Block] = []
        for block in blocks:
            if block.value is None:
                lines.append(block)
                visible = block if block.is_struck else self.document.without_struck(block)
                items += self.grammar.read_line(visible.text, visible.at)
                continue
            lists = self.grammar.values(block.value, self.document.text)
            if any(listed.is_list for listed in lists):
                return []
            for listed in lists:
                items += listed.items
        if items or not lines:
            return items
        # Without literals in brackets, the lines may name a literal in words.
        literal = self.grammar.literal_in_words(self.words_in(lines))
        return [Item(literal, lines[0].at)] if literal else []

    def words_in(self, lines: Sequence[Block]) -> str:
        """Return the words of lines, with the names of XML elements that are predicates.

        ``first <on>cup.2</on>`` becomes ``first on cup.2``. The name of an element is added once,
        where the element begins; if that is before the lines, at the start of the first line.
        """
        text = self.document.text
        words: list[str] = []
        named_elements: set[int] = set()  # where they begin
        for line in lines:
            offset = line.at
            for element in (*line.regions, *self.elements_in(line)):
                if element.start in named_elements or not self.grammar.is_name(element.name):
                    continue
                named_elements.add(element.start)
                element_offset = max(offset, element.start)
                words += text[offset:element_offset].split()
                offset = element_offset
                if not _begins_with(text[offset:], element.name) and words[-1:] != [element.name]:
                    words.append(element.name)
            words += text[offset : line.end].split()
        return " ".join(words)

    def elements_in(self, line: Block) -> list[Region]:
        """Return the elements that begin in a line and are not struck out, in order."""
        regions = self.document.regions
        first = bisect_left(regions, line.at, key=lambda region: region.start)
        inside = takewhile(lambda region: region.start < line.end, islice(regions, first, None))
        is_struck = self.document.is_struck
        return [r for r in inside if r.kind == "tag" and not is_struck(r.start)]

    def add_line(self, block: Block) -> None:
        """Add a line: subgoals, a rule that separates lists, or words that frame what follows.

        Subgoals that are struck out (``~~on(cup.2)~~``) are left out, and so is a line that repeats
        what the task said.
        """
        text = block.text
        items = self.items_in_line(block)
        visible = block if block.is_struck else self.document.without_struck(block)
        if visible.text != text:
            # Read again: what is struck out must not be joined to what stands beside it.
            visible_items = self.items_in_line(visible)
            if items and not visible_items:
                return
            items = visible_items
        if self.given.should_skip(text, visible.at, visible.end, lambda: bool(items)):
            return
        if items:
            self.add_line_of_items(visible, items)
            return
        self.head = self.head.after_line(text, visible.at)
        stripped_text = text.strip()
        if not stripped_text.strip("-*_="):
            # One or two signs are only a bullet.
            is_rule = len(stripped_text) > 2
            self.between.is_parted = self.between.is_parted or is_rule
        elif not self.grammar.is_aside(text):
            self.add_line_without_items(visible)

    def add_line_without_items(self, block: Block) -> None:
        """Add a line without subgoals.

        It may end the current list ("Alternatively:"), explain its last subgoal, or be an item of
        the list that could not be read, which is noted. The words of a line that explains nothing
        become the frame of the next list.
        """
        current = self.current
        if current is not None:
            if self.ends_list(block.text):
                self.close()
            elif self.explains(current, block.text):
                return
            else:
                self.note_unread_item(current, block)
        elif self.grammar.looks_listed(block.text) and self.head.at != block.at:
            self.listed_above.append(Text(block.text.strip(), block.at, block.end))
        if has_words(block.text):
            self.add_words(block.text.strip())

    @staticmethod
    def ends_list(text: str) -> bool:
        """Return whether a line begins something else: ``Alternatively:``, ``- Instead:``."""
        bare = text.strip()
        is_label = bare.rstrip("*_ ").endswith(":")
        return begins_new_try(bare.lstrip("-*+ ") if is_label else text)

    def note_unread_item(self, current: Subgoals, block: Block) -> None:
        """Note a line without subgoals that looks like an item of the current list.

        A line that names only objects is reported in any case. Any other line is reported only if
        the list goes on after it, so until then it is kept among the passed lines.
        """
        text = Text(block.text.strip(), block.at, block.end)
        if self.names_only_objects(block):
            current.unread.append(text)
        elif self.head.at != block.at and self.grammar.looks_listed(block.text):
            self.passed.append(text)

    def names_only_objects(self, block: Block) -> bool:
        """Return whether a line in an XML element has only objects: ``<wipe>cup.2</wipe>``.

        Such an element was meant as a subgoal, with a predicate that the task does not have.
        """
        tags = [region.name for region in block.tags]
        if not tags:
            return False
        mentions = self.grammar.surfaces.find_mentions(block.text)
        if not mentions or any(mention.is_action for mention in mentions):
            return False
        remaining_text = block.text
        # From the end, so that the offsets of earlier mentions stay right.
        for mention in reversed(mentions):
            remaining_text = remaining_text[: mention.start] + remaining_text[mention.end :]
        # The name of the element may stay in its line.
        remaining_words = {word.strip(",") for word in remaining_text.lower().split()}
        return remaining_words <= {tags[-1], "", "and"}

    def items_in_line(self, block: Block) -> list[Item]:
        """Return the subgoals in a line; a comment in code has none.

        An element whose name is a predicate, ``<on>cup.2</on>``, is a literal, too.
        """
        if block.text.lstrip().startswith(("//", "# ")) and block.fence is not None:
            return []
        if remarks_on_try(block.text):
            return []
        items = self.grammar.read_line(block.text, block.at)
        items = items or self.grammar.read_line(self.without_tag_name(block), block.at)
        elements = (*block.regions, *self.elements_in(block))
        if items or not any(self.grammar.is_name(element.name) for element in elements):
            return items
        literal = self.grammar.literal_in_words(self.words_in([block]))
        return [Item(literal, block.at, is_whole=False)] if literal else []

    def without_tag_name(self, block: Block) -> str:
        """Return a line with blanks in place of the name of an element that goes on below it.

        An element in one line keeps its name, which may say that nothing in it is a subgoal.
        """
        for region in block.regions:
            # The name stands where it does in the tag, one character behind its bracket.
            if region.kind != "tag" or region.start + 1 != block.at:
                continue
            size = len(region.name)
            is_named = block.text[:size].lower() == region.name.lower()
            if is_named and "\n" in self.document.text[block.at : region.end].strip():
                return " " * size + block.text[size:]
        return block.text

    def add_line_of_items(self, block: Block, items: Sequence[Item]) -> None:
        """Add a line of subgoals; words before them may frame them."""
        lead = block.text[: items[0].at - block.at]
        if is_rejected(lead) and not is_final(lead):
            self.between.words.append(lead)
            self.begin_candidate(block, lead)
        elif is_final(lead):
            self.begin_candidate(block, lead)
        self.add_items(block, items, self.head.group_of(block.text))

    @staticmethod
    def explains(current: Subgoals, text: str) -> bool:
        """Whether a bullet below a numbered subgoal only says why it is there."""
        is_below = bool(current.items) and current.items[-1].number is not None
        is_bullet = text[:1].isspace() and text.lstrip().startswith(("- ", "* ", "+ "))
        return is_below and is_bullet and "(" not in text and not any(map(str.isdigit, text))

    def restarts(self, first_number: int) -> bool:
        """Whether a number begins another list: one that the current list has already."""
        current = self.current
        if current is None or not current.items:
            return False
        if not current.numbers:
            return first_number == 1
        return first_number in current.numbers and (
            len(current.numbers) > 1 or bool(self.between.words)
        )

    def add_items(self, block: Block, items: Sequence[Item], group: int) -> None:
        """Add the subgoals of a line to the list to which they belong.

        Args:
            block: The line.
            items: Its subgoals, at least one.
            group: The offset of the heading under which they are parts of one subgoal, or
                ``_NO_GROUP``.
        """
        self.number_by_words(items)
        current = self.list_for(block, items, group)
        # Behind a fence or a tag one subgoal is a region of its own.
        is_region = self.between.is_parted or not current.items
        if len(items) == 1 and is_region:
            current.values += 1
        # The list goes on, so that the unreadable items in between were meant as subgoals.
        current.unread += self.passed if current.items else self.unread_items_above(block)
        self.passed = []
        self.listed_above = []
        current.take_line(items, group, block.end)
        self.heading = self.between.last_words or self.heading
        self.between.words = []
        self.between.is_parted = False

    def unread_items_above(self, block: Block) -> list[Text]:
        """Return the items right above the first subgoal of a list that name the task's objects.

        The list may be meant from its begin on, so that they are not left out in silence.
        """
        unread: list[Text] = []
        first_sign = block.text.lstrip()[:1]
        start = block.at
        for item in reversed(self.listed_above):
            is_next_line = self.document.text[item.end : start].strip(" \t") == "\n"
            sign = item.value[:1]
            is_same_list = sign == first_sign or (sign.isdigit() and first_sign.isdigit())
            if not (is_next_line and is_same_list) or sign.isalpha():
                break
            if self.grammar.surfaces.find_mentions(item.value):
                unread.insert(0, item)
            start = item.at
        return unread

    def number_by_words(self, items: Sequence[Item]) -> None:
        """Give a subgoal without a number the number of the words above it: ``Step 2:``."""
        if len(items) == 1 and items[0].number is None and self.between.words:
            items[0].number = self.grammar.number(self.between.words[-1])

    def list_for(self, block: Block, items: Sequence[Item], group: int) -> Subgoals:
        """Return the current list if subgoals carry it on, else a new one; see `add_items`."""
        if self.current is not None:
            # A part of a subgoal always belongs to the list in which its heading stands.
            is_in_group = group != _NO_GROUP
            is_told_again = block.at in self.starts
            if is_in_group or (not is_told_again and self.carries_on(items)):
                # Parts of one subgoal may be subgoals of their own somewhere else.
                if {group, *self.current.groups[-1:]} == {_NO_GROUP}:
                    self.add_seam(block)
                return self.current
        self.heading = self.between.last_words
        return self.begin_candidate(block, "")


def _begins_with(text: str, name: str) -> bool:
    """Return whether a text begins with a name, blanks and letter case aside."""
    return text.lstrip()[: len(name)].lower() == name.lower()


_GOES_ON = re.compile(
    r"(?:\b(?:and|or|then|until)|&&?|\|\|?|\u2227|\u2228|->)[ \t]*$", re.IGNORECASE
)
"""A connective at the end of a line, so its formula continues in the next line."""
_GOING_ON = re.compile(
    r"\s*(?:and|or|&&)\s+(?:(?:not\s+)?\(|(?:[^\s()|]+\s+){0,3}[^\s()|]+\()", re.IGNORECASE
)
"""A connective at the begin of a line, before which its formula has begun, and a literal behind it.

"And so on" or "and that is all" below a list is no part of its last subgoal.
"""


def _are_joined(above: str, below: str) -> bool:
    """Whether a connective at the end or begin of one of two lines makes them one formula."""
    is_open = above.rstrip(" \t`*").endswith(")")  # no sentence ends there
    return _GOES_ON.search(above) is not None or (is_open and _GOING_ON.match(below) is not None)


def _whole_lines(document: Document) -> list[Block]:
    """Return the blocks of a document, lines joined where a connective stands between them.

    A formula may go on in the next line: ``on(cup.2) and`` above ``clean(cup.2)`` is one line.
    """
    blocks: list[Block] = []
    for block in document.blocks:
        previous_block = blocks[-1] if blocks else None
        if previous_block is None or not _goes_on(document, previous_block, block):
            blocks.append(block)
            continue
        text = document.text[previous_block.at : block.end].replace("\n", " ")
        blocks[-1] = Block(previous_block.at, text, None, previous_block.regions)
    return blocks


def _goes_on(document: Document, first_block: Block, second_block: Block) -> bool:
    """Return whether a formula of one line goes on in the next one."""
    if first_block.value is not None or second_block.value is not None:
        return False
    if first_block.is_struck or second_block.is_struck:
        return False
    # A comment ends in a sign for an arrow: "-->".
    if not _are_joined(document.without_struck(first_block).text, second_block.text):
        return False
    # At most three line breaks: what is farther away begins something new.
    between = document.text[first_block.end : second_block.at]
    return between.count("\n") < 4 and not between.strip() and "(" in first_block.text


def _rows_of_values(document: Document) -> set[int]:
    """Return the offsets of values in three or more consecutive lines of one value each.

    Each of these values is a subgoal: ``[on(a)]``, ``[open(b); on(c)]``, ``[on(d)]``.
    """
    row_offsets: set[int] = set()
    consecutive_rows: list[Block] = []
    for block in document.blocks:
        if block.value is None and block.text.strip() == ",":
            continue  # the comma at the end of a row
        if block.value is None or block.text.strip():
            consecutive_rows = []
            continue
        # Rows are on consecutive lines, and may end with commas.
        if (
            consecutive_rows
            and document.text[consecutive_rows[-1].end : block.at].strip(" \t\r,") != "\n"
        ):
            consecutive_rows = []
        consecutive_rows.append(block)
        # Two rows are more likely a plan and its correction. From the third row on, the last three
        # are added, so that all rows of a run are in the result.
        if len(consecutive_rows) > 2:
            row_offsets.update(row.at for row in consecutive_rows[-3:])
    return row_offsets


@dataclass(slots=True)
class _Head:
    """A line with a number that stands over the literals of one subgoal.

    Args:
        at: Its offset; -1 if there is none.
        indent: Number of blanks before it; -1 for a heading, under which every line is deeper.
    """

    at: int
    indent: int

    def after_line(self, text: str, offset: int) -> _Head:
        """Return the head that is valid after a line without subgoals.

        ``Subgoal 2:`` and ``- Open the door:`` are heads; another heading or label ends one.
        """
        stripped_text = text.strip()
        if not has_words(stripped_text):
            return self
        is_heading = stripped_text.startswith(("#", "**", "__"))
        is_label = stripped_text.endswith(":")
        if not is_heading and not is_label:
            return self
        if not _stands_over_literals(stripped_text) or begins_new_try(text):
            return _NO_HEAD
        indent = len(text) - len(text.lstrip())
        return _Head(offset, -1 if is_heading else indent)

    def group_of(self, text: str) -> int:
        """Return the offset of the head under which a line stands, or ``_NO_GROUP``."""
        bare = text.lstrip()
        is_deeper = len(text) - len(bare) > self.indent
        if self.at < 0 or not is_deeper or bare[:1].isdigit():
            return _NO_GROUP
        return self.at


def _stands_over_literals(text: str) -> bool:
    """Return whether a heading or label is that of one subgoal, by its number or its bullet."""
    words = [word.strip("*_#:.()-[]") for word in text.lower().split()]
    if len(words) > _MAX_WORDS_OF_HEAD:
        return False
    is_bullet = text.endswith(":") and text.startswith(("- ", "* ", "+ "))
    return is_bullet or any(word.isdigit() for word in words)


_MAX_WORDS_OF_HEAD = 8
_NO_HEAD = _Head(-1, 0)
_WORDS_OF_SUBGOALS = frozenset({"step", "task", "goal", "state", "condition", "predicate"})
"""Words of the names of tags that may hold subgoals, whatever else the names say."""


def is_aside_tag(name: str) -> bool:
    """Whether a tag holds explanations."""
    if is_given_key(name):
        return True
    singular = [word.rstrip("s") for word in key_words(name)]
    return is_aside_key(name) and _WORDS_OF_SUBGOALS.isdisjoint(singular)


def _repeated_tags(document: Document) -> set[str]:
    """Return the names of tags that occur several times, so that each holds one subgoal.

    ``<step>on(cup.2)</step><step>clean(cup.2)</step>`` has two subgoals.
    """
    # An element of several lines is in several blocks, so elements are counted and not blocks.
    elements: set[Region] = set()
    for block in document.blocks:
        elements.update(block.tags)
    number_of_elements = Counter(element.name for element in elements)
    repeated = {name for name, count in number_of_elements.items() if count > 1}
    return repeated - HEADINGS - ANSWER_TAGS


def _is_aside(block: Block) -> bool:
    """Whether a block stands in an element that holds explanations."""
    return any(is_aside_tag(region.name) for region in block.tags)


def _settle(candidate: Subgoals) -> None:
    """Join the literals of each subgoal, empty a list that holds none, and order by number.

    A candidate is complete only when the document ends; then it is known which of its lines were
    groups, and whether its numbers are an order.
    """
    if len(set(candidate.groups)) > 1:
        _join_groups(candidate)
    if not _holds_subgoals(candidate):
        candidate.items = []
    _order_by_number(candidate)


def _holds_subgoals(candidate: Subgoals) -> bool:
    """Return whether a list is one of subgoals, and not of names or of words with brackets."""
    is_text = not candidate.is_list and not candidate.is_formal
    if is_text and not any(item.is_known for item in candidate.items):
        return False
    return any(item.is_formula for item in candidate.items)


def _order_by_number(candidate: Subgoals) -> None:
    """Put the subgoals of a list in the order of their numbers, with a note, if that is sure."""
    numbers = [item.number for item in candidate.items if item.number is not None]
    if len(numbers) < len(candidate.items) or numbers == sorted(numbers):
        return
    # Numbers 2, 1, 3 are an order; with gaps or repetitions they may be anything.
    span = max(numbers) - min(numbers) + 1
    if len(set(numbers)) == len(numbers) == span:
        candidate.items.sort(key=lambda item: item.number or 0)
        candidate.notes["the subgoals were put in the order of their numbers"] = None


def _join_groups(candidate: Subgoals) -> None:
    """Join the literals of each group to one subgoal, at the position of its first literal.

    A group are the lines below a heading such as "Subgoal 2:".
    """
    by_group: dict[int, list[Item]] = {}
    for item, group in zip(candidate.items, candidate.groups, strict=True):
        by_group.setdefault(group, []).append(item)
    items: list[Item] = []
    for group, members in by_group.items():
        items += members if group == _NO_GROUP else [joined(members)]
    candidate.items = items


def _beside(text: str, at: int) -> AnswerProblem:
    """Return the problem that something looks like a subgoal and was not read as one."""
    return AnswerProblem(f"{shorten(text)} was not read as one of the subgoals", at, text)


def _reading_of(document: Document, chosen: _Chosen) -> SubgoalReading:
    """Return the chosen subgoals, notes and problems, with positions in the original answer.

    Notes report tolerated deviations. Problems are reasons why nothing was read, so an answer with
    problems has no subgoals.
    """
    cleaned = document.cleaned
    notes = dict(cleaned.notes)
    if chosen.subgoals is not None:
        notes |= _notes_on(chosen.subgoals, chosen)
    problems = _problems_of(document, chosen)
    if problems or chosen.subgoals is None:
        return SubgoalReading((), tuple(problems[:MOST_SUBGOALS]), tuple(notes))
    written: list[WrittenSubgoal] = []
    for item in chosen.subgoals.items:
        written.append(WrittenSubgoal(item.text, cleaned.place(item.at)))
    return SubgoalReading(tuple(written), (), tuple(notes))


def _problems_of(document: Document, chosen: _Chosen) -> list[AnswerProblem]:
    """Return why an answer has no usable list of subgoals; empty if it has one."""
    cleaned = document.cleaned
    problems = [*cleaned.problems]
    for problem in (*document.problems, *chosen.problems):
        problems.append(replace(problem, position=cleaned.place(problem.position)))
    subgoals = chosen.subgoals
    number_of_subgoals = 0
    if subgoals is not None:
        number_of_subgoals = len(subgoals.items)
        if subgoals.is_cut:
            position = cleaned.place(subgoals.at)
            problems.append(AnswerProblem("the list of subgoals is cut off", position))
    elif chosen.count and not problems:
        problems.append(AnswerProblem("the answer takes its subgoals back"))
    if number_of_subgoals > MOST_SUBGOALS:
        limit = f"more than the limit of {MOST_SUBGOALS:,}"
        problems.append(AnswerProblem(f"the answer has {number_of_subgoals:,} subgoals, {limit}"))
    # Any other problem explains already why there are no subgoals.
    elif number_of_subgoals == 0 and not problems:
        problems.append(AnswerProblem('there is no list of subgoals such as ["OPEN(door.1)"]'))
    return problems


def _notes_on(subgoals: Subgoals, chosen: _Chosen) -> dict[str, None]:
    """Return notes on tolerated deviations in a list, and on the rule that chose it."""
    notes = dict(subgoals.notes)
    if subgoals.left_out:
        named = ", ".join(map(shorten, subgoals.left_out[:_MAX_KEYS]))
        notes[f"not read: {named}"] = None
    if not subgoals.is_list:
        notes["lines in place of a list"] = None
    if chosen.rule:
        lists = counted(chosen.count, "list")
        notes[f"{lists} in the answer; chosen by: {chosen.rule}"] = None
    return notes
