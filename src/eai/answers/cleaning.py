"""What stands around an answer: reasoning, special tokens, fences, typographic characters.

Every repair keeps the length of the text, so that offsets stay those of the original.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from eai.answers.plan import AnswerProblem

LONGEST = 1_000_000
"""Only so many characters of an answer (behind its reasoning) are read."""

_REASONING = re.compile(
    r"""< \|? [ ]? (?P<closed> / | end_of_ )? [ ]? (?:begin_of_)?
          (?:think|thinking|thoughts?|reasoning|analysis|scratchpad) (?:\s[^<>]{0,100})? \|? >
      | \[ (?P<bracket_closed> / )? (?-i:THINK) \]
      | ◁ (?P<triangle_closed> / )? think ▷
      | <\|channel\|> (?: (?P<final> final ) | analysis | commentary )""",
    re.VERBOSE | re.IGNORECASE,
)
"""How models mark the begin and the end of their reasoning, in text or in special tokens."""
_SPECIAL = re.compile(
    "<[|\uff5c][^|\uff5c<>\n]{1,60}[|\uff5c]>|</?s>|<(?:start|end)_of_turn>|<eos>"
)
_ESCAPED = re.compile(r"[\[{]\s*\\\"")
_QUOTED = re.compile(r"[\[{]\s*[\"']")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TYPOGRAPHY = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "“”„‟«»〝〞「」『』"), '"'),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b"), "'"),
    **dict.fromkeys(map(ord, "\u00a0\u3000\ufeff\u200b\u200c\u200d\u2060"), " "),
    ord("【"): "[",
    ord("】"): "]",
    ord("、"): ",",
}


@dataclass(slots=True)
class Cleaned:
    """The part of an answer in which a plan is looked for.

    Args:
        text: That part, repaired.
        offset: Offset of its first character in the answer.
        notes: What was left out or repaired.
        problems: What makes the answer as a whole unusable.
        fences: Offsets of the code fences in ``text``.
    """

    text: str
    offset: int
    notes: dict[str, None]
    problems: list[AnswerProblem]
    fences: list[int]

    def fenced(self, at: int) -> bool:
        """Whether an offset of ``text`` is inside a code fence."""
        return bisect_left(self.fences, at) % 2 == 1

    def fenced_ranges(self) -> list[tuple[int, int]]:
        """Begin and end of each fenced part; a fence that is not closed goes to the end."""
        ends = [*self.fences[1::2], len(self.text)]
        return [(start + 3, end) for start, end in zip(self.fences[::2], ends, strict=False)]


def clean(text: str) -> Cleaned:
    """Cut an answer down to the part that may hold the plan, and repair its characters."""
    begin, unfinished = 0, -1
    for mark in _REASONING.finditer(text):
        if mark.lastgroup is None:
            unfinished = mark.start()
        else:
            begin, unfinished = mark.end(), -1
    cleaned = Cleaned("", begin, {}, [], [])
    if begin:
        cleaned.notes["reasoning before the answer"] = None
    if unfinished >= 0:
        cleaned.problems.append(AnswerProblem("the answer ends inside its reasoning", unfinished))
        return cleaned
    tagged = text.rfind("<answer>", begin)
    if any(map(str.isalnum, text[begin : max(tagged, begin)])):
        cleaned.notes["text before the answer"] = None
    cleaned.offset = begin = begin if tagged < 0 else tagged + len("<answer>")
    window = text[begin : begin + LONGEST]
    if len(text) - begin > LONGEST:
        cleaned.problems.append(
            AnswerProblem(
                f"the answer has {len(text) - begin:,} characters; only the first"
                f" {LONGEST:,} were read",
                begin + LONGEST,
            )
        )
    cleaned.text = _repaired(window, cleaned.notes)
    cleaned.fences = [match.start() for match in re.finditer("```", cleaned.text)]
    return cleaned


def _repaired(text: str, notes: dict[str, None]) -> str:
    """Replace characters one for one."""
    if not text.isascii():
        plain = _SURROGATE.sub("\ufffd", text)
        if plain != text:
            notes["invalid characters"] = None
        text = plain.translate(_TYPOGRAPHY)
        if text != plain:
            notes["typographic characters"] = None
    if "<" in text:
        plain = _SPECIAL.sub(lambda match: " " * len(match.group()), text)
        if plain != text:
            notes["special tokens"] = None
        text = plain
    if "\\" in text and _ESCAPED.search(text) and not _QUOTED.search(text):
        notes["escaped quotes"] = None
        text = text.replace('\\"', ' "').replace("\\n", "  ")
    return text
