"""The first stage of reading: an answer as blocks, each with its place and what frames it.

A block is a line of text or a value (JSON, Python, or a table with a head). What models put around
their answers is undone here, once, for every ability: fences, tags, escapes, LaTeX, HTML comments,
text that is struck through, entities, and JSON in a string. Nothing here knows what an answer is.

All repairs keep the length of the text, so that places in a block are places in the answer.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from eai.answers.braced_code import with_functions_in_place
from eai.answers.choice import frames_blocks, marks_answer
from eai.answers.cleaning import Cleaned, blank_out, repair_answer
from eai.answers.definitions_in_brackets import without_other_definitions
from eai.answers.diagrams import Diagram, find_diagrams
from eai.answers.elements import (
    PARAMETERS,
    attributes_of,
    parse_elements,
    records_in,
    value_of_element,
)
from eai.answers.keys import is_reply_key
from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    CALLING,
    EXPLAINING,
    HEADINGS,
    OBJECT_KEYS,
    WORDS,
    AnswerProblem,
    words_of,
)
from eai.answers.records import records_of_lines
from eai.answers.scenarios import without_scenario_frames
from eai.answers.unread_notations import problems_of_notations
from eai.answers.unrolled_code import with_unrolled_code
from eai.answers.values import (
    Block as ScannedBlock,
    Group,
    Pair,
    Text,
    is_structured,
    plain_key,
    scan_block,
)
from eai.text import has_words, lazy_pattern, line_start

MAX_TOKENS = 25_000
"""Maximum number of words and brackets of all values of one answer."""
_TOKENS_OF_VALUE = 5
"""Number of words that take as long to read as a value itself, which may be empty."""
MAX_LINES = 2_000
"""Maximum number of lines of one answer."""
MAX_REGIONS = 2_000
"""Maximum number of tags, comments and struck passages that frame blocks."""
MAX_RESTARTS = 20
"""Maximum number of brackets that open no value and are taken for text."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of an answer that frames the blocks inside it.

    Args:
        kind: ``"fence"``, ``"tag"``, ``"block"`` (``[PLAN]``), ``"comment"`` or ``"struck"``.
        name: Language of a fence, name of a tag; else empty.
        start: Offset of its first character.
        end: Offset behind its last character.
    """

    kind: str
    name: str
    start: int
    end: int

    @property
    def strikes(self) -> bool:
        """Whether nothing in it counts: it is struck through or a comment."""
        return self.kind in ("struck", "comment")


@dataclass(slots=True)
class Block:
    """A line of an answer, or a value in it.

    Args:
        at: Offset of its first character in the text of the document.
        text: The line; of a value, the words before it on its line.
        value: The value; None if the block is a line.
        regions: The regions around it, the outermost first.
    """

    at: int
    text: str
    value: Group | None = None
    regions: tuple[Region, ...] = ()

    @property
    def end(self) -> int:
        """Offset behind its last character."""
        return self.at + len(self.text) if self.value is None else self.value.end

    def is_in(self, kind: str) -> bool:
        """Whether a region of a kind is around it."""
        return any(region.kind == kind for region in self.regions)

    @property
    def tags(self) -> list[Region]:
        """The elements around it, the outermost first."""
        return [region for region in self.regions if region.kind == "tag"]

    @property
    def framing(self) -> tuple[tuple[str, int], ...]:
        """Kind and begin of the regions that separate it from other blocks: fences, answer tags."""
        return tuple((r.kind, r.start) for r in self.regions if frames_blocks(r.kind, r.name))

    @property
    def is_marked(self) -> bool:
        """Whether a region around it marks it as the answer."""
        return any(marks_answer(region.kind, region.name) for region in self.regions)

    @property
    def is_struck(self) -> bool:
        """Whether it is struck through or in a comment."""
        return any(region.strikes for region in self.regions)

    @property
    def is_formal(self) -> bool:
        """Whether it is a value or stands in a code fence."""
        return self.value is not None or self.fence is not None

    @property
    def fence(self) -> Region | None:
        """The outermost code fence around it; None if there is none."""
        return next((region for region in self.regions if region.kind == "fence"), None)


@dataclass(slots=True)
class Document:
    """An answer as blocks.

    Args:
        cleaned: The text, with the problems and notes of cleaning it.
        blocks: Lines and values in the order of the text.
        struck: Begin and end of each part that is struck through or a comment, in order.
        problems: Parts of the answer that were not read because it is too long.
        repairs: Offset of a value to the repairs that were needed to read it.
        regions: Everything that frames parts of the text, in the order of their begins.
    """

    cleaned: Cleaned
    blocks: list[Block] = field(default_factory=list)
    struck: list[tuple[int, int]] = field(default_factory=list)
    problems: list[AnswerProblem] = field(default_factory=list)
    repairs: dict[int, list[str]] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text in which all offsets are."""
        return self.cleaned.text

    def is_struck(self, offset: int) -> bool:
        """Whether an offset is in a part that is struck through or a comment."""
        index = bisect_right(self.struck, (offset, len(self.text) + 1)) - 1
        return index >= 0 and offset < self.struck[index][1]

    def strikes_words(self, text: str, offset: int) -> bool:
        """Whether the words of a text at an offset are struck, behind its bullet or number."""
        first_letter = _LETTER.search(text)
        return first_letter is not None and self.is_struck(offset + first_letter.start())

    def without_struck(self, block: Block) -> Block:
        """Return a line with blanks in place of what is struck through in it."""
        if not self.struck:
            return block
        signs = list(block.text)
        # The last passage that begins at or before the line may reach into it.
        first_index = max(bisect_right(self.struck, (block.at, len(self.text) + 1)) - 1, 0)
        for start, end in islice(self.struck, first_index, None):
            if start >= block.end:
                break
            for offset in range(max(start, block.at), min(end, block.end)):
                signs[offset - block.at] = " "
        return replace(block, text="".join(signs))


MAX_NESTING = 4
"""Maximum depth of texts in strings in texts."""
MAX_STRINGS = 200
"""Maximum number of strings of one answer that are read as texts of their own."""


@dataclass(frozen=True, slots=True)
class Nesting:
    """Limits of documents in strings of other documents.

    Args:
        depth: Number of strings around a document.
        left: One item: how many more strings may be read. Documents of all depths share it.
    """

    depth: int = 0
    left: list[int] = field(default_factory=lambda: [MAX_STRINGS])

    def document_in(self, string: str) -> Document | None:
        r"""Return the document in a string; None if it is an ordinary one, or a limit is reached.

        Models put a whole answer into a string of another: ``{"output": "[\"on(cup.2)\"]"}``. A
        string is a document if it is a value, has several lines, or has an answer tag.
        """
        is_value = string[:1] in ("[", "{") and string[-1:] in ("]", "}")
        is_document = is_value or any(sign in string for sign in ("\n", "```", "<answer"))
        if not is_document or self.depth >= MAX_NESTING or self.left[0] <= 0:
            return None
        self.left[0] -= 1
        return parse_document(Cleaned(string))

    def deeper(self) -> Nesting:
        """Return the nesting of the documents in strings of this one."""
        return Nesting(self.depth + 1, self.left)


_LETTER = re.compile(r"[^\W\d]")
_FENCE = lazy_pattern(r"^[ \t>]*(```+|~~~+)[ \t]*([\w+-]*)[^\n`]*$", re.MULTILINE)
_PLAN_MARK = lazy_pattern(
    r"\[[ \t]?(?P<end>/|END[ _](?:OF[ _])?)?[\w ]{0,30}?(?:PLAN"
    r"|ANSWER)(?P<behind>[ _]END)?[ \t]?\]",
    re.IGNORECASE,
)
_COMMENT = lazy_pattern(r"<!--|/\*|#if 0\b")
# GitHub strikes out by a single tilde as well, which is a negation before a word: "~on(cup)".
_STRUCK = lazy_pattern(
    r"~~(?!~)[^~]{1,20000}?~~|(?<![~\w])~(?=[^\s~])[^~\n]{1,300}?(?<=\S)~(?![~\w])"
)
_TAG = lazy_pattern(r"<(/?)([A-Za-z][\w:.-]{0,40})((?:[ =][^<>\n]{0,400}?)?)(/?)>")
_BOXED = lazy_pattern(r"\\(?:boxed|fbox|text[a-z]{0,3}|mathrm|mathbf|mathtt|texttt|emph)\s?\{")
_ITEM = lazy_pattern(r"\\(?:item|State|STATE)\b")
_LATEX_CALL = lazy_pattern(r"\\Call\{(\w{1,60})\}\{([^{}\n]{0,200})\}")
_DISPLAY = lazy_pattern(r"\\\[([^\[\]]{0,4000})\]")
_ENVIRONMENT = lazy_pattern(r"\\(?:begin|end)\{\w+\*?\}(?:\[[^\]\n]*\])?")
_ARROW = lazy_pattern(r"\\(?:long)?(?:[rR]ightarrow|to)\b")
_SIGNS = {
    "land": "\u2227", "wedge": "\u2227", "lor": "\u2228", "vee": "\u2228", "lnot": "\u00ac",
    "neg": "\u00ac",
}  # fmt: skip
_ESCAPED_BREAK = lazy_pattern(r"\\n(?!(?:eg|e|ot|otin|eq|abla|u)\b)")
"""A line break that is written as ``\\n``, and no sign of LaTeX such as ``\\neg``."""
_CONNECTIVE = lazy_pattern(rf"\\({'|'.join(_SIGNS)})\b")
_CHECKBOX = lazy_pattern(
    r"^[ \t>]*[-*+\u2022\d.)]+[ \t]+\[ \]"
    r"|^(?:[ \t>]*|.*\|[ \t]*`?)\[ \]`?[ \t]+(?:\|[ \t]*)?[^\s|]",
)
"""A box to tick behind a bullet, or before words; "[ ]" alone is an empty list."""
_BOXED_CALL = lazy_pattern(
    r"^(?:(?P<mark>[ \t>]*(?:[-*+\u2022]|(?:[Ss]tep )?\(?\d+[.):]+)[ \t*`]+)|[ \t]*)"
    r"\[[ \t]*[\w.\-]+\([^()\[\]\n]*\)[ \t]*\]"
    # Without a mark, a box that is a whole line may be a list of one step.
    r"(?(mark)(?!\(|[ \t*`]*[,\]])|(?!\()(?=[ \t*`]*[^\s,\]*`]))",
    re.MULTILINE,
)
"""A step in a box, behind a mark or before a comment: ``1. [walk(hall)] - I go there``."""
_OPENER = lazy_pattern(r"[\[{]")
_CALLING = lazy_pattern(r"[\w.)\]]\Z|\(\s*\Z")
_DELETED = lazy_pattern(r"^-(?!-- ).*$", re.MULTILINE)
_RULE = lazy_pattern(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_ANNOTATION = lazy_pattern(
    r"^([ \t]*[^\W\d]\w*)[ ]?:[ ]?(?:str|int|float|bool|list|tuple|dict)"
    r"(?:\[[\w, \[\]]{0,40}\])?[ ]=[ ]",
    re.MULTILINE | re.IGNORECASE,
)
"""The type of a name that is assigned: ``plan: list[str] = [...]``."""
_DOCSTRING = lazy_pattern(
    r"^[ \t]*(?:async )?(?:def|class) [^\n]{0,200}:[ \t]*\n[ \t]*"
    r"(?P<text>(?P<quotes>\"{3}|'{3})(?:(?!(?P=quotes))[\s\S]){0,4000}(?P=quotes))",
    re.MULTILINE,
)
"""A function of Python with the text below its head that says what it does."""
_FOOTNOTE = lazy_pattern(r"(?P<begins>^[ \t]*)?\[\^[\w-]{1,20}\](?(begins):)", re.MULTILINE)
"""The mark of a footnote in Markdown, ``[^1]``, and the one before its text, ``[^1]:``."""
_PANEL = lazy_pattern(
    r"^[ \t]*[\u2502\u2503]|[\u2502\u2503][ \t]*$"
    r"|^[ \t]*[\u2500-\u257f][^\n]*[\u2500-\u257f][ \t]*$",
    re.MULTILINE,
)
"""The frame that is drawn around a message in a terminal, with the title in its upper edge."""
_PREFIXED = lazy_pattern(
    r"<(/?)(?:[A-Za-z][\w.-]{0,20}:|\|\w{1,12}\||[A-Za-z][a-z]{0,20}_(?=tool_call|arg_))"
    r"(function_calls?|tool_calls?|invoke|parameters?|arg_key|arg_value|arguments?)(?=[\s/>])"
)
"""An element of a call, its name behind that of a model or of a namespace."""
_HTML = WORDS["html"]
_STRUCTURE = _HTML | WORDS["structure"]
_INNER = WORDS["inner_elements"]
_NUMBERING = ASIDE_KEYS | WORDS["numbering"]
_STRUCK_TAGS = frozenset({"s", "del", "strike"})
_FRAMING_TAGS = _HTML | WORDS["framing_elements"]
"""Elements that frame their content."""


def open_document(text: str) -> Document:
    """Return the blocks of an answer.

    Args:
        text: What a model wrote.

    The time is linear in the length of the text; see :data:`MAX_TOKENS` and :data:`MAX_LINES`.
    """
    cleaned = repair_answer(unwrap_message(text))
    cleaned.problems += problems_of_notations(text, cleaned.offset)
    return parse_document(cleaned)


def unwrap_message(text: str) -> str:
    """Return the message in a text: out of a string of JSON, or a program."""
    text = with_functions_in_place(with_unrolled_code(text))
    stripped_text = text.strip()
    if (
        len(stripped_text) > 1
        and stripped_text[0] == stripped_text[-1] == '"'
        and "\\" in stripped_text
    ):
        try:
            value = json.loads(stripped_text)
        except ValueError:
            return text
        return value if isinstance(value, str) else text
    if "\n" not in stripped_text and not stripped_text.startswith(("{", "[")):
        return _ESCAPED_BREAK.sub(" \n", text)
    return text


def parse_document(cleaned: Cleaned) -> Document:
    """Return the blocks of a text that was cleaned.

    Marks are replaced by blanks, so that every offset stays. Then values and diagrams are found,
    and the text between them becomes lines.
    """
    regions: list[Region] = []
    values: list[Group] = []
    text = _without_marks(cleaned.text, regions, values)
    # Diagrams go before values, as brackets in them are labels of nodes.
    may_have_diagrams = any(sign in text for sign in (">", "digraph", "graph ", "flowchart "))
    diagrams = list(find_diagrams(text)) if may_have_diagrams else []
    text = blank_out(text, [(diagram.start, diagram.end) for diagram in diagrams])
    cleaned.text = text
    if "\n" in text:
        values += records_of_lines(text)
    regions += _deleted_lines(text, regions)
    document = Document(cleaned)
    struck = [(region.start, region.end) for region in regions if region.strikes]
    document.struck = sorted(struck)[:MAX_REGIONS]
    # The outer regions come first where several begin.
    regions.sort(key=lambda region: (region.start, -region.end))
    document.regions = regions[:MAX_REGIONS]
    framing = _Framing(document.regions)
    _add_blocks(document, framing, values)
    document.blocks = _with_tables(document.blocks)
    for diagram in diagrams:
        _add_diagram(document, framing, diagram)
    return document


def _deleted_lines(text: str, regions: Sequence[Region]) -> list[Region]:
    """Return the lines that the diffs of an answer delete, as regions that are struck out."""
    deleted: list[Region] = []
    for region in regions:
        if region.name == "diff":
            for line in _DELETED.finditer(text, region.start, region.end):
                deleted.append(Region("struck", "", *line.span()))
    return deleted


def _add_blocks(document: Document, framing: _Framing, elements: Sequence[Group]) -> None:
    """Add values as blocks, and the text before, between and behind them as lines.

    Args:
        document: Receives the blocks. Bracketed values are looked for in its text.
        framing: The regions around each place of the text.
        elements: Values that were found before: elements of XML and records of YAML.
    """
    text = document.text
    values = [*_bracketed_values(document), *elements]
    values.sort(key=lambda value: (value.at, -value.end))  # the outer one of two comes first
    last_end = 0
    for value in values:
        if value.at < last_end:
            continue  # it is inside of the value before
        # The words on the line of a value lead to it; what is above them are lines.
        # Not before the last value: a long line may hold thousands of them.
        begin = max(text.rfind("\n", last_end, value.at) + 1, last_end)
        _add_lines(document, framing, last_end, begin)
        words_before = text[begin : value.at]
        document.blocks.append(Block(value.at, words_before, value, framing.regions_at(value.at)))
        last_end = value.end
    _add_lines(document, framing, last_end, len(text))


def _without_marks(text: str, regions: list[Region], elements: list[Group]) -> str:
    """Return a text of the same length without the marks of Markdown, LaTeX, XML and files.

    Each kind of marks is looked for only if its signs occur, as most answers have none of them.

    Args:
        text: The answer.
        regions: Receives the regions that marks frame.
        elements: Receives the elements of XML that are values.
    """
    if "<![CDATA[" in text:
        text = text.replace("<![CDATA[", " " * 9).replace("]]>", "   ")
    # Fences come first: in code, the other signs may mean something else.
    if "```" in text or "~~~" in text:
        text = _without_fences(text, regions)
    if any(sign in text for sign in ("<!--", "/*", "#if 0")):
        regions += _find_comments(text)
    if "~" in text:
        # The marks stay: no reader looks at them.
        regions += [Region("struck", "", *struck.span()) for struck in _STRUCK.finditer(text)]
    if "\u2502" in text or "\u2503" in text:
        text = blank_out(text, [mark.span() for mark in _PANEL.finditer(text)])
    if "\\" in text:
        text = _without_latex(text)
    if "[" in text and "]" in text:
        text = _without_plan_marks(text, regions)
        text = _BOXED_CALL.sub(lambda boxed: re.sub(r"[\[\]]", " ", boxed[0]), text)
    # Records of repeated elements become values before their tags are blanked.
    if "</" in text:
        # "<ns:invoke>" is "<invoke>".
        text = _PREFIXED.sub(lambda tag: f"<{tag[1]}{tag[2]}".ljust(len(tag[0])), text)
        text = _without_records(text, elements)
    if "<" in text:
        text = _without_tags(text, regions, elements)
    return _without_frames_of_files(text)


def _add_diagram(document: Document, framing: _Framing, diagram: Diagram) -> None:
    """Add the nodes of a diagram as lines, in the order of its arrows; report several orders."""
    regions = framing.regions_at(diagram.start)
    nodes = [Block(offset, label, None, regions) for offset, label in diagram.nodes]
    index = bisect_right([block.at for block in document.blocks], diagram.start)
    document.blocks[index:index] = nodes
    if not diagram.is_chain:
        message = "the arrows of the diagram do not say one order"
        document.problems.append(AnswerProblem(message, diagram.start))


_MAX_COVERING = 12
"""Maximum number of regions that are kept for a place; the innermost ones are."""


class _Framing:
    """The regions around each place of a text.

    They change only where a region begins or ends. So they are computed once for each of these
    places, and found by bisection.

    Args:
        regions: The regions, in the order of their begins.
    """

    def __init__(self, regions: list[Region]) -> None:
        """Compute the regions between each two boundaries, in one pass over the boundaries."""
        self._starts: list[int] = [-1]
        self._covering: list[tuple[Region, ...]] = [()]
        regions_by_start: dict[int, list[Region]] = {}
        for region in regions:
            regions_by_start.setdefault(region.start, []).append(region)
        regions_around: list[Region] = []
        for boundary in sorted({*regions_by_start, *(region.end for region in regions)}):
            regions_around = [region for region in regions_around if region.end > boundary]
            regions_around += regions_by_start.get(boundary, [])
            self._starts.append(boundary)
            self._covering.append(tuple(regions_around[-_MAX_COVERING:]))

    def regions_at(self, offset: int) -> tuple[Region, ...]:
        """Return the regions around a place, the outermost first."""
        return self._covering[bisect_right(self._starts, offset) - 1]


def _without_fences(text: str, regions: list[Region]) -> str:
    """Replace the marks of code fences by blanks, and add what they frame to ``regions``."""
    marks = list(_FENCE.finditer(text))
    # An opening mark takes the next mark as its end, whatever its sign.
    for opening, closing in zip(marks[::2], [*marks[1::2], None], strict=False):
        end = len(text) if closing is None else closing.start()
        regions.append(Region("fence", opening[2].lower(), opening.end(), end))
    return blank_out(text, [mark.span() for mark in marks])


def _without_plan_marks(text: str, regions: list[Region]) -> str:
    """Replace ``[PLAN]`` and ``[PLAN END]`` by blanks, and add what they frame to ``regions``.

    If only the end of a plan is marked, the plan begins with the text. If only its begin is, it
    ends with the text or at the next mark.
    """
    start: int | None = None
    marks = list(_PLAN_MARK.finditer(text))
    for mark in marks:
        is_end = bool(mark["end"] or mark["behind"])
        if start is not None:
            regions.append(Region("block", "plan", start, mark.start()))
        elif is_end and not any(region.kind == "block" for region in regions):
            regions.append(Region("block", "plan", 0, mark.start()))
        start = None if is_end else mark.end()
    if start is not None:
        regions.append(Region("block", "plan", start, len(text)))
    return blank_out(text, [mark.span() for mark in marks])


def _find_comments(text: str) -> Iterator[Region]:
    """Yield the comments of HTML and C in a text; those that nothing closes are left out."""
    closer_of = {"<!--": "-->", "/*": "*/", "#if 0": "#endif"}
    last_closer_at = {closer: text.rfind(closer) for closer in closer_of.values()}
    opener = _COMMENT.search(text)
    while opener is not None:
        closer = closer_of[opener[0]]
        # To search a closer for each of many open comments would take quadratic time.
        is_closed = last_closer_at[closer] >= opener.end()
        end = opener.end()
        if is_closed:
            end = text.index(closer, opener.end()) + len(closer)
            yield Region("comment", "", opener.start(), end)
        opener = _COMMENT.search(text, end)


def _without_frames_of_files(text: str) -> str:
    """Return a text of the same length without what files have around steps.

    These are the marks of footnotes (which become notes), types of names, what
    functions of Python say of themselves, definitions of Lisp, and words of scenarios.
    """
    if "(define" in text:
        text = without_other_definitions(text)
    if "[^" in text:
        # The mark before the text of a footnote becomes "Note:", other marks become blanks.
        text = _FOOTNOTE.sub(
            lambda mark: ("" if mark["begins"] is None else "Note:").ljust(len(mark[0])), text
        )
    # "steps: list[str] = [...]" is read like "steps = [...]".
    if ": " in text and " = " in text:
        text = _ANNOTATION.sub(lambda match: f"{match[1]} =".ljust(len(match[0])), text)
    if "def " in text or "class " in text:
        text = blank_out(text, [match.span("text") for match in _DOCSTRING.finditer(text)])
    return without_scenario_frames(text)


def _without_latex(text: str) -> str:
    """Return a text of the same length with plain signs for the commands of LaTeX."""
    text = _BOXED.sub(lambda command: " " * len(command[0]), text)
    text = _DISPLAY.sub(lambda formula: f"  {formula[1]}".ljust(len(formula[0])), text)
    text = _LATEX_CALL.sub(lambda call: f"{call[1]}({call[2]})".ljust(len(call[0])), text)
    text = _ENVIRONMENT.sub(lambda command: "\n" + " " * (len(command[0]) - 1), text)
    text = _ARROW.sub(lambda command: "\u2192".ljust(len(command[0])), text)
    text = _CONNECTIVE.sub(lambda command: _SIGNS[command[1]].ljust(len(command[0])), text)
    return _ITEM.sub(lambda command: "\n  - ".ljust(len(command[0])), text)


def _without_records(text: str, elements: list[Group]) -> str:
    """Replace elements that hold nothing but elements by blanks, and add them as values.

    Args:
        text: The answer.
        elements: Receives the values.
    """
    blanks: list[tuple[int, int]] = []
    for record in records_in(parse_elements(text), _FRAMING_TAGS):
        if is_reply_key(record.name):
            blanks.append((record.at, record.end))
            continue
        # PDDL in elements is read where it stands. Beside objects, the name of the element is the
        # action.
        if "(:" in text[record.at : record.end] or record.has_only_objects:
            continue
        value = value_of_element(record, text)
        if isinstance(value, Group):
            elements.append(value)
            blanks.append((record.at, record.end))
    return blank_out(text, blanks)


_ID_OF_SCRIPT = lazy_pattern(r"\s*\(\s*\d{1,6}\s*\)")


def _is_object_of_script(text: str, mark: re.Match[str]) -> bool:
    """Whether what looks like a tag is an object of a script: ``[FIND] <table> (226)``."""
    before = text[max(mark.start() - 3, 0) : mark.start()].rstrip(" ")
    return before[-1:] in ("]", ")") and _ID_OF_SCRIPT.match(text, mark.end()) is not None


def _without_tags(text: str, regions: list[Region], elements: list[Group]) -> str:
    """Return a text of the same length without tags; the values of their attributes stay.

    Args:
        text: The answer.
        regions: Receives the elements that frame their content.
        elements: Receives empty elements with attributes, as values.
    """
    marks = list(_TAG.finditer(text))
    closed_names = {mark[2].lower() for mark in marks if mark[1]}
    open_tag_starts: dict[str, list[int]] = {}  # of the elements that are open, by their names
    text_pieces: list[str] = []
    last_tag_end = 0
    for mark in marks:
        if not _is_tag(mark, closed_names):
            continue
        name = mark[2].lower()
        is_end, is_empty = bool(mark[1]), bool(mark[4])
        attributes = attributes_of(mark) if mark[3] and not is_end else []
        text_pieces.append(text[last_tag_end : mark.start()])
        last_tag_end = mark.end()
        if is_empty and attributes:
            text_pieces.append(_instead_of_empty_element(mark, name, attributes, elements))
            continue
        text_pieces.append(_instead_of_tag(mark, name, attributes))
        if not is_end and not is_empty:
            # The region begins with the tag, in whose place its name may stay.
            open_tag_starts.setdefault(name, []).append(mark.start())
        elif is_end and open_tag_starts.get(name):
            regions += _regions_of_element(name, text, open_tag_starts[name].pop(), mark.start())
    return "".join([*text_pieces, text[last_tag_end:]])


def _is_tag(mark: re.Match[str], closed: Collection[str]) -> bool:
    """Whether a word in pointed brackets is a tag, not an object: ``<light>`` in a script.

    A tag is closed somewhere, is empty, has attributes, or is HTML.

    Args:
        mark: The word with its brackets.
        closed: Names of the elements that are closed somewhere in the text.
    """
    name = mark[2].lower()
    if mark[1] or name in closed:
        return True
    # <table 2> is an object; behind the name of an element stand attributes.
    is_html = name in _HTML and ("=" in mark[3] or not mark[3].strip())
    is_tag = bool(mark[4]) or is_html or '="' in mark[3]
    return is_tag and not _is_object_of_script(mark.string, mark)


def _instead_of_empty_element(
    mark: re.Match[str], name: str, attributes: list[Pair], elements: list[Group]
) -> str:
    """Return a text of the same length in place of an empty element.

    Of a part of a step, such as ``<object name="hall"/>``, the value of the first attribute stays.
    Any other element, such as ``<Walk to="hall"/>``, is a value of its own, and so is an object
    that names its action: ``<object name="hall" action="walk"/>``.

    Args:
        mark: The tag.
        name: Its name in small letters.
        attributes: Its attributes.
        elements: Receives the value.
    """
    size = len(mark[0])
    names_action = any(plain_key(pair.key.value) in ACTION_KEYS for pair in attributes)
    if (name in OBJECT_KEYS or name in PARAMETERS) and not names_action:
        values = [pair.value.value for pair in attributes if isinstance(pair.value, Text)]
        return f" {values[0]}".ljust(size)[:size]
    pairs = _with_action(mark, name, attributes)
    elements.append(Group("object", mark.start(), mark.end(), [*pairs]))
    return " " * size


def _with_action(mark: re.Match[str], name: str, attributes: list[Pair]) -> list[Pair]:
    """Return the attributes of an empty element, with a key for the action that it names.

    Args:
        mark: The tag.
        name: Its name in small letters.
        attributes: Its attributes.
    """
    keys = {pair.key.value.lower() for pair in attributes}
    if not keys.isdisjoint(ACTION_KEYS | {"name"}):
        return attributes
    if name in _STRUCTURE or name in ACTION_KEYS:
        return attributes
    offset = mark.start()
    return [
        Pair(Text("name", offset, offset), Text(mark[2], offset, offset, quoted=True)),
        *attributes,
    ]


_SUMMARY = lazy_pattern(r"<summary[^<>]*>([^<]{0,200})</summary>", re.IGNORECASE)


def _regions_of_element(name: str, text: str, start: int, end: int) -> list[Region]:
    """Return the region of an element; none if the element does not frame its content.

    Args:
        name: Name of the element.
        text: The answer.
        start: Begin of the element.
        end: End of its content.
    """
    if name in _STRUCK_TAGS:
        return [Region("struck", name, start, end)]
    if name == "details" and _is_explanation(text[start:end]):
        return [Region("tag", "reasoning", start, end)]
    if name in _HTML:
        return []
    return [Region("tag", name, start, end)]


def _is_explanation(details: str) -> bool:
    """Whether the summary of ``<details>`` says that they are an explanation."""
    summary = _SUMMARY.search(details[:400])
    if summary is None:
        return False
    words = words_of(summary[1])
    return words[:1] in (["how"], ["why"]) or not EXPLAINING.isdisjoint(words)


def _instead_of_tag(mark: re.Match[str], name: str, attributes: list[Pair]) -> str:
    """Return a text of the same length in place of a tag.

    A tag begins a line of its own, unless it is one of a part of a step. Of an opening tag, the
    values of attributes stay, and its name if that may be an action: ``<walk>hall</walk>``.

    Args:
        mark: The tag.
        name: Its name in small letters.
        attributes: Its attributes.
    """
    size = len(mark[0])
    words_before = mark.string[line_start(mark.string, mark.start()) : mark.start()]
    if name == "br" and words_before.lstrip().startswith("|"):
        return ";".ljust(size)  # several lines in a cell of a table
    is_part = name in _INNER or name in OBJECT_KEYS or name in PARAMETERS
    separator = " " if is_part else "\n"
    if mark[1]:
        return separator.ljust(size)
    bullet = "- " if name == "li" else ""
    text_that_stays = separator + bullet + " ".join(_words_of_tag(mark, name, attributes))
    return (text_that_stays if len(text_that_stays) <= size else separator).ljust(size)


def _words_of_tag(mark: re.Match[str], name: str, attributes: list[Pair]) -> list[str]:
    """Return the words of an opening tag that belong to a step: its name, and attributes."""
    if mark[3].startswith("="):
        # <function=walk>, but <parameter=object> only says what stands in it.
        return [mark[3][1:]] if name not in PARAMETERS else []
    words: list[str] = []
    line_end = mark.string.find("\n", mark.end())
    rest_of_line = mark.string[mark.end() : line_end + 1 or len(mark.string)]
    if rest_of_line.strip() and _may_be_action(name):
        words.append(mark[2])
    if name not in PARAMETERS:
        for pair in attributes:
            if pair.key.value.lower() not in _NUMBERING and isinstance(pair.value, Text):
                words.append(pair.value.value)
    return words


def _may_be_action(tag: str) -> bool:
    """Whether the name of a tag may be that of an action: ``<walk>hall</walk>``."""
    if tag.rpartition("_")[2] in CALLING:
        return False
    return tag not in _STRUCTURE | HEADINGS | OBJECT_KEYS | ACTION_KEYS | ASIDE_KEYS | PARAMETERS


def _bracketed_values(document: Document) -> Iterator[Group]:
    """Yield the outermost bracketed values of a text; note their repairs in the document.

    Brackets of calls and brackets that open no value are passed over. A value in a code fence ends
    with the fence. Behind too many words or unclosed brackets nothing more is looked for.
    """
    text = document.text
    fences = deque(region for region in document.regions if region.kind == "fence")
    tokens_left = MAX_TOKENS
    restarts_left = MAX_RESTARTS
    search_start = 0
    while bracket := _OPENER.search(text, search_start):
        offset, search_start = bracket.span()
        if tokens_left <= 0:
            _note_too_long(document, offset)
            return
        if _is_of_call_or_box(text, offset):
            continue
        end = _end_of_fence_around(offset, fences, len(text))
        scan = scan_block(text, offset, end=end, max_tokens=tokens_left)
        is_cut = scan.group.is_open and scan.tokens >= tokens_left
        tokens_left -= scan.tokens + _TOKENS_OF_VALUE
        if is_cut:
            _note_too_long(document, scan.group.end)
        if scan.group.is_open and not _begins_value(scan.group):
            restarts_left -= 1
            if restarts_left <= 0:
                return  # every scan of a bracket that is never closed goes to the end of the text
        elif is_structured(scan.group):
            _note_repairs(document, offset, scan)
            search_start = scan.group.end
            yield scan.group
        if is_cut:
            return


def _note_too_long(document: Document, offset: int) -> None:
    """Note that the words of values were counted up to an offset, and are not read further."""
    message = f"the answer has more than {MAX_TOKENS:,} words and brackets"
    document.problems.append(AnswerProblem(message, offset))


def _end_of_fence_around(offset: int, fences: deque[Region], length: int) -> int:
    """Return where the fence around an offset ends; the length of the text if there is none.

    Args:
        offset: The offset. It has to be asked for in the order of the text.
        fences: The fences of the text, in order; those that end before the offset are dropped.
        length: The length of the text.
    """
    while fences and fences[0].end <= offset:
        fences.popleft()
    is_fenced = bool(fences) and fences[0].start <= offset
    return fences[0].end if is_fenced else length


def _note_repairs(document: Document, offset: int, scan: ScannedBlock) -> None:
    """Note in a document how a value was repaired, or that it is nested too deeply."""
    if scan.too_deep is not None:
        message = "brackets are nested too deeply for an answer"
        document.problems.append(AnswerProblem(message, scan.too_deep))
    if scan.repairs:
        document.repairs[offset] = list(scan.repairs)


def _is_of_call_or_box(text: str, offset: int) -> bool:
    """Whether a bracket stands behind the name of a call, or is a box to tick: ``- [ ]``."""
    begin = line_start(text, offset)
    text_before = text[max(begin, offset - 60) : offset]
    # "plan.extend([" at the end of a line opens a list, "WALK([" does not.
    opens_list = text_before.endswith("(") and text[offset + 1 : offset + 2] == "\n"
    if _CALLING.search(text_before) and not (opens_list or text_before.rstrip().endswith(":")):
        return True
    line = text_before + text[offset : offset + 60].partition("\n")[0]
    return text[offset : offset + 3] == "[ ]" and _CHECKBOX.match(line) is not None


def _begins_value(group: Group) -> bool:
    """Whether a group that is never closed is the begin of a value: ``{"plan": ...``."""
    if not group.items or not is_structured(group):
        return False
    first = group.items[0]
    return not isinstance(first, Text) or first.quoted


def _add_lines(document: Document, framing: _Framing, start: int, end: int) -> None:
    """Add the lines between two offsets that are not blank, up to the maximum number of lines."""
    text = document.text
    line_end = start - 1
    for line in text[start:end].split("\n"):
        offset = line_end + 1
        line_end = offset + len(line)
        if not line.strip():
            continue
        if len(document.blocks) >= MAX_LINES:
            if not document.problems:
                message = f"the answer has more than {MAX_LINES:,} lines"
                document.problems.append(AnswerProblem(message, offset))
            return
        regions = framing.regions_at(line_end - len(line.lstrip()))
        if any(region.strikes for region in regions):
            regions = _covering_line(regions, text, line_end)
        document.blocks.append(Block(offset, line, None, regions))


def _covering_line(regions: Iterable[Region], text: str, end: int) -> tuple[Region, ...]:
    """Return the regions at the begin of a line, without those that strike out only its begin.

    In ``~~on(cup)~~ on(lamp)`` only the first literal is struck out.
    """
    covering: list[Region] = []
    for region in regions:
        if not region.strikes or not has_words(text[region.end : end]):
            covering.append(region)
    return tuple(covering)


def _with_tables(blocks: list[Block]) -> list[Block]:
    """Return blocks in which a table with a head is one value: a list of its rows as objects."""
    with_tables: list[Block] = []
    index = 0
    while index < len(blocks):
        head = blocks[index]
        if _begins_table(blocks, index):
            rows = _rows_below(blocks, index + 1, "|")  # below the rule under the head
            with_tables += _read_table(head, rows, "|")
            index += 2 + len(rows)
            continue
        index += 1
        divided_head = None if head.value is not None else _DIVIDED_HEAD.fullmatch(head.text)
        if divided_head is None:
            with_tables.append(head)
            continue
        divider = divided_head["divider"]
        rows = _rows_below(blocks, index - 1, divider)
        index += len(rows)
        is_table = _are_rows(_cells_of_row(head, divider), rows, divider)
        with_tables += _read_table(head, rows, divider) if is_table else [head, *rows]
    return with_tables


def _read_table(head: Block, rows: Sequence[Block], divider: str) -> list[Block]:
    """Return a table as one value; if it has only one column, its cells as lines.

    Args:
        head: The line with the heads of the columns.
        rows: The lines below it.
        divider: The sign between two cells.
    """
    keys = _cells_of_row(head, divider)
    if len(keys) == 1:
        has_label = not EXPLAINING.isdisjoint(words_of(head.text))
        lines = rows if has_label else [head, *rows]
        return [_only_cell(line) for line in lines]
    objects = [_row_as_object(keys, row, divider) for row in rows]
    end = objects[-1].end if objects else head.end
    return [Block(head.at, "", Group("table", head.at, end, [*objects]), head.regions)]


_DIVIDED_HEAD = lazy_pattern(
    r"\"?[^\W\d][^;,\d()\[\]]{0,40}\d?(?P<divider>[;,])[^;,\d()\[\]]{1,40}\d?"
    r"(?:(?P=divider)[^;,\d()\[\]]{1,40}\d?){0,9}"
)
"""The head of a table with columns divided by semicolons or commas: names, perhaps ``arg1``."""


def _rows_below(blocks: Sequence[Block], above: int, divider: str) -> list[Block]:
    """Return the lines with a divider below a line, up to the first gap.

    Args:
        blocks: All blocks.
        above: Index of the line.
        divider: The sign between two cells.
    """
    end = above + 1
    while end < len(blocks) and _is_row(blocks[end - 1], blocks[end], divider):
        end += 1
    return list(blocks[above + 1 : end])


def _are_rows(keys: Sequence[Text], lines: Sequence[Block], divider: str) -> bool:
    """Whether lines with semicolons or commas are the rows of a table.

    They are if each has as many columns as the head, and the head names actions and objects. With
    semicolons, numbers in all lines do as well.

    Args:
        keys: The cells of the head.
        lines: The lines below it.
        divider: The sign between two cells.
    """
    if not lines or any(line.text.count(divider) != len(keys) - 1 for line in lines):
        return False
    names = {plain_key(key.value.rstrip("0123456789")) for key in keys}
    if not (names.isdisjoint(ACTION_KEYS) or names.isdisjoint(OBJECT_KEYS)):
        return True
    return divider == ";" and all(line.text.partition(";")[0].strip().isdigit() for line in lines)


_MAX_RULE_LENGTH = 1_000
"""Maximum number of characters of the line under the head of a table: ``|---|---|``."""


def _begins_table(blocks: Sequence[Block], index: int) -> bool:
    """Whether a line is the head of a table: it has bars, and a rule is below it: ``|---|---|``."""
    head = blocks[index]
    if head.value is not None or "|" not in head.text or index + 1 == len(blocks):
        return False
    rule = blocks[index + 1]
    if rule.value is not None or "|" not in rule.text or len(rule.text) >= _MAX_RULE_LENGTH:
        return False
    return _RULE.fullmatch(rule.text) is not None


def _is_row(above: Block, block: Block, divider: str) -> bool:
    """Whether a block is a row of a table: a line with a divider, right below another row."""
    return block.value is None and divider in block.text and block.at == above.end + 1


def _cells_of_row(row: Block, divider: str) -> list[Text]:
    """Return the cells of a row; the bars around it begin and end no cell."""
    cells: list[Text] = []
    part_at = row.at
    for part in re.split(rf"(?<!\\){re.escape(divider)}", row.text):
        stripped_part = part.strip()
        offset = part_at + len(part) - len(part.lstrip())
        cells.append(
            Text(stripped_part.strip('*` "'), offset, offset + len(stripped_part), quoted=True)
        )
        part_at += len(part) + 1
    if divider != "|":
        return cells
    if cells and not cells[0].value:
        cells = cells[1:]
    if cells and not cells[-1].value:
        cells = cells[:-1]
    return cells


def _only_cell(row: Block) -> Block:
    """Return the only cell of a row as a line."""
    bare = row.text.strip(" \t|")
    return Block(row.at + row.text.index(bare), bare, None, row.regions)


def _row_as_object(keys: list[Text], row: Block, divider: str) -> Group:
    """Return a row of a table as an object, with the cells of the head as keys."""
    pairs = [Pair(key, cell) for key, cell in zip(keys, _cells_of_row(row, divider), strict=False)]
    return Group("object", row.at, row.end, [*pairs])
