"""Removal of what surrounds an answer: reasoning, special tokens, fences, unseen characters.

Characters that nobody sees are dropped before anything else is done; every other repair keeps the
length of the text, so that :meth:`Cleaned.place` finds the place in the original.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import unescape

from eai.answers.plan import AnswerProblem
from eai.text import has_words, lazy_pattern

UNSEEN = "characters that cannot be seen were dropped"
"""The note on what does not decide."""
REASONING = "reasoning before the answer"
PROMPT = "prompt before the answer"
UNFINISHED = "the answer ends inside its reasoning"
LONGEST = 250_000
"""Only so many characters of an answer (behind its reasoning) are read: some twenty times the
longest that a model gave."""

_REASONING = lazy_pattern(
    r"""< \|? [ ]? (?P<closed> / | end_(?:of_)? )? [ ]? (?:begin_of_ | start_)?
          (?:think|thinking|thoughts?|reasoning|analysis|scratchpad) (?:\s[^<>]{0,100})? \|? >
      | \[ (?P<bracket_closed> / )? (?-i:THINK) \]
      | ◁ (?P<triangle_closed> / )? think ▷
      | <\|channel> thought | <(?P<channel_closed> channel)\|>
      | <\|channel\|> (?: (?P<final> final | commentary \s+ to= ) | analysis | commentary )""",
    re.VERBOSE | re.IGNORECASE,
)
"""How models mark the begin and the end of their reasoning, in text or in special tokens."""
_ELEMENT_BEGINS = lazy_pattern(r"<([A-Za-z]\w{0,20})(?:\s[^<>]{0,60})?>\s*\Z")
_MOST_NAMES = 20
"""Maximum number of names of elements around reasoning that are looked at in an answer."""
_SPECIAL = lazy_pattern(
    "<[|\uff5c][^|\uff5c<>\n]{1,60}[|\uff5c]>|</?s>|<(?:start|end)_of_turn>|<eos>"
    r"|\[/?(?:TOOL_CALLS|ARGS|CALL_ID|TOOL_RESULTS|TOOL_CONTENT|unused\d{1,4})\]"
)
_STRUCK_OR_SPECIAL = lazy_pattern(
    # Behind other words of its line; the token <s> begins a text.
    rf"(?P<struck>(?<=[^\s|>\]])[ \t]{{0,4}}<s>[^<>\n]{{1,400}}</s>)|{_SPECIAL.pattern}"
)
"""A passage that HTML strikes through, or a special token: ``<s>`` may be either."""
_BRACKETED = lazy_pattern(
    r"^[ \t]*\[{1,2}(?P<slash>/?)(?!\w*(?:PLAN|ANSWER|INST|TOOL|ARGS))"
    r"(?P<name>[A-Z]\w{1,20})\]{1,2}[ \t]*$",
    re.MULTILINE,
)
"""A tag in square brackets on a line of its own: ``[DRAFT]``, ``[[/DRAFT]]``."""
_PROMPT_BEGIN = lazy_pattern(
    r"\s*(?:<s>\s*|<bos>\s*|<\|begin_of_text\|>\s*|<[|\uff5c]begin\W{1,2}of\W{1,2}sentence[|\uff5c]>\s*)?"
    r"(?:\[INST\]|<\|im_start\|>\s*(?:system|user)\b|<start_of_turn>\s*user\b"
    r"|<\|start_header_id\|>\s*(?:system|user)\b|<[|\uff5c](?:system|user)[|\uff5c]>)",
    re.IGNORECASE,
)
"""The first token of a prompt that is repeated before the answer."""
_PROMPT_END = lazy_pattern(
    r"\[/INST\]|<\|im_start\|>\s*assistant\b|<start_of_turn>\s*model\b"
    r"|<\|start_header_id\|>\s*assistant\s*<\|end_header_id\|>|<[|\uff5c]assistant[|\uff5c]>",
    re.IGNORECASE,
)
"""The last token of a prompt; what follows begins the answer."""
_TOKEN_OF_LINE = lazy_pattern(
    r"\[/?INST\]|<\|(?:START|END)_(?:RESPONSE|ACTION|TEXT)\|>|<\|(?:channel|tool_call)>|<(?:channel|tool_call)\|>"
    r"|<[|\uff5c]tool.calls?(?:.section)?.begin[|\uff5c]>"
    r"|</?(?:start|end)_function_(?:call|response)>"
)
"""Special tokens behind which another line begins."""
_AROUND_REPLY = lazy_pattern(
    r"\[(?P<slash>/)?TOOL_RESULTS\]|<\|(?:START|(?P<end>END))_TOOL_RESULTS?\|>"
    r"|<\|tool.outputs.(?:begin|(?P<stop>end))\|>|<(?:start|(?P<close>end))_function_response>"
)
"""The tokens before and, each in a group, behind what a tool replies."""
_SECTION = lazy_pattern(r"^\[\[ (## [\w ]{1,40}) ##( ?)\]\]", re.MULTILINE)
"""The head of a section: ``[[ ## plan ## ]]``."""
_UNMARKED_FINAL = "assistantfinal"
"""The rest of the marks between an analysis and the answer where special tokens were dropped."""
_ENTITY = lazy_pattern(r"&(?:quot|apos|amp|lt|gt|nbsp|#\d{1,5}|#x[0-9a-fA-F]{1,4});")
_ESCAPED = lazy_pattern(r"[\[{]\s*\\\"")
_QUOTED = lazy_pattern(r"[\[{]\s*[\"']")
_UNSEEN = lazy_pattern(
    "(?:\x1b\\[[0-9;?]*[A-Za-z]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)"  # codes for terminals
    r"|\\(?=[_.*#+!~>|\-)\]])|(?<=\w)\\(?=[(\[])"  # Markdown's escapes
    "|(?<=\\d)\ufe0f?\u20e3"  # a digit as an emoji
    "|[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff])+"
)
_UNSEEN_OR_ENTITY = lazy_pattern(f"{_ENTITY.pattern}|{_UNSEEN.pattern}")
_CONTROLS = bytes((*range(9), *range(14, 28), 127))
_BLANKS = lazy_pattern(r"(?<=\s)\s{100,}")
_LINK_TARGET = lazy_pattern(r"(?<=\])\(https?://[^()\s]{1,500}(?:\s+\"[^\"\n]{0,100}\")?\)")
"""The address of a link of Markdown, behind its text."""
_TYPOGRAPHY: dict[int, int | str] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "“”„‟«»〝〞「」『』"), '"'),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b"), "'"),
    **dict.fromkeys(map(ord, "\u00a0\u3000"), " "),
    **{0x2460 + digit: ord("1") + digit for digit in range(9)},
    **dict.fromkeys(range(0x2469, 0x2474), "\u2022"),  # encircled numbers of two digits
    ord("【"): "[",
    ord("】"): "]",
    ord("、"): ",",
}


def remove_invisible(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text without invisible characters, and the gaps that they leave.

    Dropped are control characters, codes for terminals and marks of direction. Entities of HTML
    become the characters that they stand for. In a text that is too long to be read whole, long
    runs of blanks are shortened as well.

    Returns:
        The text; and for each gap its offset in it, with the number of characters that are missing
        up to there.
    """
    gaps: list[tuple[int, int]] = []
    if "&" in text and _ENTITY.search(text) is not None:
        seen = _remove_matches(_UNSEEN_OR_ENTITY, text, gaps)
    elif _has_only_visible(text):
        seen = text
    else:
        seen = _remove_matches(_UNSEEN, text, gaps)
    if len(seen) > LONGEST and not gaps:
        seen = _remove_matches(_BLANKS, seen, gaps)
    return seen, gaps


def _has_only_visible(text: str) -> bool:
    """Whether a text is plain ASCII without control characters: a quick look, as most texts are."""
    if not text.isascii() or "\\" in text:
        return False
    return len(text.encode().translate(None, _CONTROLS)) == len(text)


def _remove_matches(pattern: re.Pattern[str], text: str, gaps: list[tuple[int, int]]) -> str:
    """Return a text without the matches of a pattern; of ``&lt;`` and the like the sign stays.

    Args:
        pattern: What is left out.
        text: The text.
        gaps: Receives for each match its place in what is left, and how many characters are
            missing up to there.
    """
    kept_texts: list[str] = []
    match_end = 0
    removed_count = 0
    for match in pattern.finditer(text):
        replacement = unescape(match[0]) if match[0][0] == "&" else ""
        kept_texts += [text[match_end : match.start()], replacement]
        new_offset = match.start() - removed_count + len(replacement)
        removed_count += len(match[0]) - len(replacement)
        gaps.append((new_offset, removed_count))
        match_end = match.end()
    return "".join([*kept_texts, text[match_end:]])


def offset_in_original(offset: int, gaps: list[tuple[int, int]]) -> int:
    """Return the offset in a text of an offset in what :func:`remove_invisible` left of it."""
    before = bisect_right(gaps, (offset, sys.maxsize))
    return offset + (gaps[before - 1][1] if before else 0)


@dataclass(slots=True)
class Cleaned:
    """The part of an answer in which a plan is looked for."""

    text: str  # that part, repaired
    offset: int = 0  # of its first character in what of the answer can be seen
    notes: dict[str, None] = field(default_factory=dict)  # what was left out or repaired
    problems: list[AnswerProblem] = field(default_factory=list)  # what makes all of it unusable
    # Where characters were dropped (see remove_invisible).
    gaps: list[tuple[int, int]] = field(default_factory=list)

    def place(self, offset: int) -> int:
        """Return the offset in the answer of an offset of ``text``."""
        return offset_in_original(self.offset + offset, self.gaps)


def _marks_of_reasoning(text: str) -> Iterator[re.Match[str]]:
    """Yield the marks of reasoning in a text, in order.

    Looking for the first sign of a mark is fifty times as fast as looking for a mark.
    """
    signs = "<\u25c1"
    # Reasoning is long and seldom has brackets: one search, from the first of them, is enough.
    bracket = text.find("[")
    if bracket >= 0 and text.find("THINK]", bracket) >= 0:
        signs += "["
    positions = sorted(position for sign in signs for position in _positions_of(sign, text))
    for position in positions:
        mark = _REASONING.match(text, position)
        if mark is not None:
            yield mark


def _positions_of(sign: str, text: str) -> Iterator[int]:
    """Yield the offsets at which a sign stands in a text."""
    position = text.find(sign)
    while position >= 0:
        yield position
        position = text.find(sign, position + 1)


def behind_prompt(text: str) -> int:
    """Return where the answer begins behind a prompt that is repeated before it; 0 if none is.

    Later turns stay, as the turns of a dialogue may hold a step each.
    """
    if _PROMPT_BEGIN.match(text) is None:
        return 0
    prompt_end = _PROMPT_END.search(text)
    return prompt_end.end() if prompt_end is not None else 0


def behind_reasoning(text: str) -> tuple[int, int]:
    """Return where the answer begins, and where reasoning begins that does not end; or -1."""
    answer_start, unfinished_start = 0, -1
    if text.startswith("analysis") and _UNMARKED_FINAL in text:
        answer_start = text.rindex(_UNMARKED_FINAL) + len(_UNMARKED_FINAL)
    if "<" not in text and "\u25c1" not in text and "THINK]" not in text:
        return answer_start, unfinished_start  # as most answers: there is no mark
    is_remark = False
    is_name_repeated: dict[str, bool] = {}
    for mark in _marks_of_reasoning(text):
        if mark.lastgroup is None:
            is_remark = _is_in_item(text, mark.start(), is_name_repeated)
            unfinished_start = unfinished_start if is_remark else mark.start()
        elif is_remark:
            is_remark = False
        elif mark["final"] and unfinished_start < 0 and answer_start:
            continue  # another call or message behind the reasoning
        else:
            answer_start, unfinished_start = mark.end(), -1
    return answer_start, unfinished_start


def _is_in_item(text: str, reasoning_start: int, is_name_repeated: dict[str, bool]) -> bool:
    """Return whether reasoning stands first in one of several elements: ``<step><reasoning>``.

    Args:
        text: The answer.
        reasoning_start: Where the reasoning begins.
        is_name_repeated: Name to whether several elements have it, for the names looked at before.
    """
    # An element that ends right before the reasoning begins with the last bracket before it.
    bracket = text.rfind("<", max(reasoning_start - 100, 0), reasoning_start)
    element_start = _ELEMENT_BEGINS.match(text, bracket, reasoning_start) if bracket >= 0 else None
    if element_start is None:
        return False
    name = element_start[1]
    if name not in is_name_repeated:
        if len(is_name_repeated) >= _MOST_NAMES:
            return False
        first = text.find(f"<{name}")
        is_name_repeated[name] = text.find(f"<{name}", first + 1) >= 0
    return is_name_repeated[name]


def thoughts_between_lines(text: str) -> list[tuple[int, int]]:
    """Return begin and end of the thoughts in an answer that thinks before each of its lines.

    Such an answer is ``<think>...</think>``, a step, and so on. Empty if more than a line stands
    between two thoughts: then the answer is the text behind the last one.
    """
    if text.count("<") < 4:
        return []
    marks = _marks_of_reasoning(text)
    thoughts: list[tuple[int, int]] = []
    last_end = 0
    # Most answers are none: the first two marks tell, and there may be many more.
    for opening in marks:
        closing = next(marks, None)
        if closing is None or opening.lastgroup is not None or closing.lastgroup is None:
            return []
        between = text[last_end : opening.start()].strip()
        is_first = last_end == 0
        # Nothing stands before the first thought, and one line before each of the others.
        if "\n" in between or bool(between) is is_first:
            return []
        last_end = closing.end()
        thoughts.append((opening.start(), last_end))
    return thoughts if len(thoughts) > 1 else []


def blank_out(text: str, parts: Iterable[tuple[int, int]]) -> str:
    """Return a text with blanks and line ends in place of some parts."""
    pieces: list[str] = []
    last_end = 0
    for begin, end in parts:
        blanks = (" " * len(line) for line in text[begin:end].split("\n"))
        pieces += [text[last_end:begin], "\n".join(blanks)]
        last_end = end
    return "".join([*pieces, text[last_end:]])


def repair_answer(text: str) -> Cleaned:
    """Return an answer behind its reasoning, with its characters repaired."""
    entity_count = len(_ENTITY.findall(text)) if "&" in text else 0
    text, gaps = remove_invisible(text)
    cleaned = Cleaned("", gaps=gaps)
    thoughts = thoughts_between_lines(text)
    if thoughts:
        cleaned.notes[REASONING] = None
        text = blank_out(text, thoughts)
    answer_start, unfinished_start = behind_reasoning(text)
    prompt_end = behind_prompt(text)
    if entity_count:
        cleaned.notes["entities of HTML"] = None
    if len(gaps) > entity_count:
        cleaned.notes[UNSEEN] = None
    if answer_start:
        cleaned.notes[REASONING] = None
    if prompt_end:
        cleaned.notes[PROMPT] = None
        answer_start = max(answer_start, prompt_end)
    if unfinished_start >= 0:
        cleaned.problems.append(AnswerProblem(UNFINISHED, cleaned.place(unfinished_start)))
        return cleaned
    cleaned.offset = answer_start
    window = text[answer_start : answer_start + LONGEST]
    cleaned.problems += too_long(text, answer_start, cleaned.place(LONGEST))
    cleaned.text = _with_plain_characters(window, cleaned.notes)
    return cleaned


def clean(text: str) -> Cleaned:
    """Cut an answer down to the part behind its reasoning and its ``<answer>``, repaired."""
    cleaned = repair_answer(text)
    tagged = cleaned.text.rfind("<answer>")
    if tagged < 0:
        return cleaned
    if has_words(cleaned.text[:tagged]):
        cleaned.notes["text before the answer"] = None
    begin = tagged + len("<answer>")
    cleaned.offset += begin
    cleaned.text = cleaned.text[begin:]
    return cleaned


def too_long(text: str, begin: int, place: int) -> list[AnswerProblem]:
    """Say that an answer is not read behind a place, if it is too long from where it begins."""
    size = len(text) - begin
    if size <= LONGEST or text[begin + LONGEST :].isspace():
        return []
    message = f"the answer has {size:,} characters; only the first {LONGEST:,} were read"
    return [AnswerProblem(message, place)]


def _with_plain_characters(text: str, notes: dict[str, None]) -> str:
    """Return a text of the same length with plain characters in place of unusual ones.

    Args:
        text: The text.
        notes: Receives what was replaced.
    """
    if not text.isascii():
        plain = text.translate(_TYPOGRAPHY)
        if text != plain:
            notes["typographic characters"] = None
        text = plain
    if "](http" in text:
        text = _LINK_TARGET.sub(lambda target: " " * len(target[0]), text)
    if "<" in text or "[" in text:
        plain = _without_tokens(text)
        if plain != text:
            notes["special tokens"] = None
        text = plain
    if "\\" in text and _ESCAPED.search(text) and not _QUOTED.search(text):
        notes["escaped quotes"] = None
        text = text.replace('\\"', ' "').replace("\\n", "  ")
    return text


def _without_tokens(text: str) -> str:
    """Return a text of the same length without special tokens, and without replies of tools."""
    if "[[ ##" in text:
        text = _SECTION.sub(lambda heading: heading[1].ljust(len(heading[0])), text)
    text = blank_out(text, _replies_between_tokens(text))
    text = _TOKEN_OF_LINE.sub(lambda token: "\n" + " " * (len(token[0]) - 1), text)
    if "[/" in text:
        text = _with_elements_for_brackets(text)
    return _STRUCK_OR_SPECIAL.sub(_without_token, text)


def _without_token(match: re.Match[str]) -> str:
    """Return blanks in place of a special token; what is struck through stays."""
    return match[0] if match["struck"] else " " * len(match[0])


def _with_elements_for_brackets(text: str) -> str:
    """Return ``[DRAFT]`` and ``[/DRAFT]`` as ``<DRAFT>`` and ``</DRAFT>``, if both are there."""
    counts = Counter((tag["name"], tag["slash"]) for tag in _BRACKETED.finditer(text))

    def as_element(tag: re.Match[str]) -> str:
        name = tag["name"]
        if counts[name, ""] == counts[name, "/"]:
            return f"<{tag['slash']}{name}>".ljust(len(tag[0]))
        return tag[0]

    return _BRACKETED.sub(as_element, text)


def _replies_between_tokens(text: str) -> list[tuple[int, int]]:
    """Return begin and end of the replies of tools: ``[TOOL_RESULTS]ok[/TOOL_RESULTS]``."""
    replies: list[tuple[int, int]] = []
    begin = -1  # of the reply whose end is looked for; -1 if there is none
    for token in _AROUND_REPLY.finditer(text):
        is_opening = token.lastgroup is None
        if is_opening:
            begin = token.start()
        elif begin >= 0:
            replies.append((begin, token.end()))
            begin = -1
    return replies
