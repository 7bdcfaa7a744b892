"""Lines of an answer to goal interpretation: what stands before a line, its label, its content."""

from __future__ import annotations

import re
from dataclasses import dataclass

from eai.abilities.goal_interpretation.words import is_plural, kind_of
from eai.answers.document import Block

_LEAD = re.compile(
    r"""
    (?: ~~ | [\s\-*+>\#|\u2022\u2013\u2014\u2192]               # bullets, marks of headings
      | [\u00b7\u25aa\u25cf\u25e6\u2705\u2714]
      | \(?\d{1,4}[.):]+(?!\d)\s*                              # a number, not that of 3.5 m
      | \[[ xX\u2713\u2714]\]                                  # a box to tick
    )*
    """,
    re.VERBOSE,
)
_BULLET = re.compile(r"[^\s#~*>|]|(?<!\*)\*\s")
_NUMBER = re.compile(r"\d+")
_NAME = r"([^\W\d][\w /&-]{0,40}?)"
_LABEL = re.compile(
    rf"""
    [\"'*_`\[]* {_NAME} [\"'*_`\]}}]* \s*
    (?:\(([^()\n]*)\))? [*_`]* \s*                             # a remark in brackets
    (?: [:=](?!=) | -> ) [*_`}}]* \s*
    """,
    re.VERBOSE,
)
_BARE_LABEL = re.compile(rf"\W*{_NAME}(?:\s+\([^()\n]*\))?\W*")
_ELEMENT = re.compile(r"(\w+)(\s+)")


@dataclass(slots=True)
class Line:
    """A line, or what stands on its line before a value.

    Args:
        block: Its block.
        text: What it says behind bullets and numbers.
        at: Offset of that.
        is_listed: Whether it has a bullet or a number.
        label: The label that it begins with; None if it has none.
        label_size: Number of characters of the label and of the signs behind it.
    """

    block: Block
    text: str
    at: int
    is_listed: bool
    label: str | None = None
    label_size: int = 0

    @classmethod
    def of(cls, block: Block) -> Line:
        """Return a line with its parts."""
        lead = _LEAD.match(block.text)
        start = 0 if lead is None else lead.end()
        is_listed = _BULLET.search(block.text, 0, start) is not None
        line = cls(block, block.text[start:].rstrip(), block.at + start, is_listed)
        line._find_label()
        return line

    def _find_label(self) -> None:
        """Set the label of the line and its length.

        A label is the name of an element, the words before a colon (``node goals:``), or a heading
        without a colon. Only labels that name a kind of goals count in the first and the last case.
        """
        element = _ELEMENT.match(self.text)
        # Behind the name of an element there are the blanks that stand for its tag.
        is_name = element is not None and (self.is_in_tag or len(element[2]) > 1)
        if element is not None and is_name and kind_of(element[1]) is not None:
            self._set_label(element[1], element.end())
            return
        match = _LABEL.match(self.text)
        if match is not None:
            # "节点目标 (node goals):" says in brackets what the label means.
            is_explained = kind_of(match[1]) is None and kind_of(match[2] or "") is not None
            self._set_label(match[2] if is_explained else match[1], match.end())
            return
        bare = _BARE_LABEL.fullmatch(self.text)
        if bare is not None and kind_of(bare[1]) is not None:
            self._set_label(bare[1], len(self.text))

    def _set_label(self, label: str, size: int) -> None:
        """Set the label, which takes a number of characters of the line."""
        self.label = label
        self.label_size = size

    @property
    def bullet(self) -> str:
        """Blanks and bullets before its text, with 1 for each number."""
        return _NUMBER.sub("1", self.block.text[: self.at - self.block.at])

    @property
    def rest(self) -> str:
        """The text behind its label."""
        return self.text[self.label_size :]

    @property
    def section(self) -> str | None:
        """The kind of goals that its label names; empty for all kinds, None if it names none."""
        return None if self.label is None else kind_of(self.label)

    @property
    def opens_section(self) -> bool:
        """Whether its label stands over several goals, or over the lines below it."""
        if self.label is None or self.section is None:
            return False
        return is_plural(self.label) or not self.rest.strip()

    @property
    def is_heading(self) -> bool:
        """Whether it is written as a heading."""
        text = self.block.text.strip()
        is_bold = text.startswith("**") and text.endswith("**")
        return is_bold or text.startswith("#") or text.rstrip(" *_").endswith(":")

    @property
    def is_in_tag(self) -> bool:
        """Whether it stands in an element."""
        return any(region.kind == "tag" for region in self.block.regions)

    @property
    def element(self) -> str:
        """Name of the innermost element in which it stands."""
        names = (each.name for each in reversed(self.block.regions) if each.kind == "tag")
        return next(names, "")

    @property
    def is_comment(self) -> bool:
        """Whether it is a comment of code, but not a heading of goals.

        ``# first the tv`` in a block of Python is one, ``# Node goals`` is none.
        """
        bare = self.block.text.lstrip()
        fence = self.block.fence
        is_code = fence is not None and fence.name not in ("text", "markdown", "md", "")
        if not bare.startswith("//") and not (is_code and bare.startswith("#")):
            return False
        return kind_of(bare.lstrip("#/ ")) is None
