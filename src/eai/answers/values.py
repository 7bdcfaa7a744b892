"""Values like JSON's that models write: scanned tolerantly, with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeGuard, Union

from eai.text import has_words


@lru_cache(maxsize=4096)
def plain_key(key: str) -> str:
    """Return a key in small letters, with underscores between its words."""
    bare = key.strip(" \t?!.:*`")
    return re.sub(r"[\s\-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", bare)).lower()


@lru_cache(maxsize=4096)
def key_words(key: str) -> tuple[str, ...]:
    """Return the words of a key without numbers."""
    return tuple(word for word in plain_key(key).strip("0123456789_").split("_") if word)


@dataclass(slots=True)
class Text:
    """A string, number or bare word.

    Args:
        value: Its characters, quotes and escapes resolved.
        at: 0-based offset of its first character (of the quote, if it has one).
        end: Offset behind its last character.
        quoted: Whether it stood in quotes.
        cut: Whether its closing quote is missing.
    """

    value: str
    at: int
    end: int
    quoted: bool = False
    cut: bool = False


@dataclass(slots=True)
class Group:
    """A list, an object, or a call such as ``WALK(light)``.

    Args:
        kind: ``"list"``, ``"object"`` (all items are pairs) or ``"call"``.
        at: Offset of its first character.
        end: Offset behind its last character.
        items: What is inside, in order; repeated keys are kept.
        name: The name of a call.
        cut: Whether the text ended inside one of its parts, or where another should follow.
        is_open: Whether its closing bracket is missing.
    """

    kind: str
    at: int
    end: int
    items: list[Item]
    name: Text | None = None
    cut: bool = False
    is_open: bool = False

    @property
    def pairs(self) -> list[Pair]:
        """Its keys with their values."""
        return [item for item in self.items if isinstance(item, Pair)]

    @property
    def members(self) -> list[Node]:
        """Its items that have no key."""
        return [item for item in self.items if not isinstance(item, Pair)]

    @property
    def values(self) -> list[Node | None]:
        """Its items, those with a key without it."""
        return [item.value if isinstance(item, Pair) else item for item in self.items]


@dataclass(slots=True)
class Pair:
    """A key and its value; the value is None if it is missing."""

    key: Text
    value: Node | None

    @property
    def name(self) -> str:
        """Its key in small letters, with underscores between its words."""
        return plain_key(self.key.value)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of its key without numbers."""
        return key_words(self.key.value)

    @property
    def text(self) -> str:
        """Its value, if that is a text; else empty."""
        return self.value.value if isinstance(self.value, Text) else ""


Node = Union[Text, Group]
"""A value."""
Item = Union[Text, Group, Pair]
"""An item of a group."""


def is_list(node: Item | None) -> TypeGuard[Group]:
    """Whether a value is a list."""
    return isinstance(node, Group) and node.kind == "list"


def is_object(node: Item | None) -> TypeGuard[Group]:
    """Whether a value is an object: all its items have keys."""
    return isinstance(node, Group) and node.kind == "object"


@dataclass(slots=True)
class Block:
    """One outermost bracketed value of a text."""

    group: Group
    repairs: list[str]  # what had to be repaired to read it, one phrase each, in order
    tokens: int  # how many were read, to keep the work bounded
    too_deep: int | None = None  # offset of the first bracket that is nested too deeply


ELLIPSES = ("...", "\u2026")
"""They stand for something that the model left out, and are kept like a word."""
DEPTH = 64
"""Brackets nested deeper than this are not a plan."""


@dataclass(slots=True)
class _Frame:
    """An open bracket and what was read behind it.

    Args:
        opener: The bracket.
        at: Its offset.
        name: The name of the call whose arguments it opens; None if it opens none.
        items: The items that are finished.
        key: The key whose value is read next; None if there is none.
        separated: Whether a comma, or nothing at all, stands before the next item.
    """

    opener: str
    at: int
    name: Text | None = None
    items: list[Item] = field(default_factory=list)
    key: Text | None = None
    separated: bool = True


_TOKEN = re.compile(
    r"""
      \s+
    | (?P<mark> [\[\]{}(),:;=] )
    | (?P<double> "[^"\\\n]*(?:\\.[^"\\\n]*)*"
                | "[^"\\]*(?:\\(?s:.)[^"\\]*)*"(?=\s*[,:\]})]) )
    | (?P<single> '(?:[^'\\\n]|\\.|(?<=\w)'(?=\w))*(?P<closed>')? )
    | (?P<open> "(?:[^"\\\n]|\\.)* )
    | (?P<comment> \#[^\n]* | //[^\n]* | /\*[^*]{0,500}\*/ )
    | (?P<fence> ``` )
    | (?P<word> [^\s"\[\]{}(),:;=<>\\`]+ )
    | \\(?s:.)
    | (?s:.)
    """,
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CLOSES = {"]": "[", "}": "{", ")": "("}


def _resolve_escapes(quoted: str) -> str:
    """Return a string with its escapes resolved; an unknown escape stands for its own letter."""
    if "\\" not in quoted:
        return quoted
    # Two \u escapes may form one character; half of one stands for nothing.
    plain = _ESCAPE.sub(_character_of_escape, quoted)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character_of_escape(escape: re.Match[str]) -> str:
    """Return the character that an escape stands for."""
    code, letter = escape.groups()
    return chr(int(code, 16)) if code else _ESCAPES.get(letter, letter)


class _Builder:
    """Puts tokens together to one group, with a stack of open brackets instead of recursion.

    Args:
        text: The text.
        offset: Offset of the opening bracket of the group.

    Attributes:
        frames: The open brackets, the innermost last.
        repairs: What had to be repaired so far.
        too_deep: Offset of the first bracket that is nested too deeply; None if none is.
    """

    __slots__ = ("frames", "repairs", "text", "too_deep")

    def __init__(self, text: str, offset: int) -> None:
        """Open the group whose bracket stands at the offset."""
        self.text = text
        self.frames = [_Frame(text[offset], offset)]
        self.repairs: dict[str, None] = {}
        self.too_deep: int | None = None

    def add_token(self, token: re.Match[str]) -> Group | None:
        """Add one token; return the outermost group if the token closes it."""
        group_name = token.lastgroup
        if group_name == "mark":
            return self.add_sign(token.group(), token.start())
        if group_name == "word":
            self.add_word(token.group(), token.start())
        elif group_name == "double":
            self.add_string(token.group(), token.start(), cut=False)
        elif group_name in ("single", "open", "closed"):
            self.add_string(token.group(), token.start(), cut=token["closed"] is None)
        elif group_name == "comment":
            self.repairs["comments"] = None
        return None

    def add_sign(self, sign: str, offset: int) -> Group | None:
        """Add a bracket, a colon or a comma; return the outermost group if it is closed."""
        if sign in "]})":
            return self.close_group(sign, offset + 1)
        if sign in "[{(":
            if len(self.frames) >= DEPTH:
                self.too_deep = offset
                return self.close_all(offset)
            self.open_group(sign, offset)
        elif sign in ":=":
            self.begin_value()
        else:
            self.end_item()
        return None

    def add_value(self, node: Node) -> None:
        """Put a finished value into the innermost group."""
        frame = self.frames[-1]
        if frame.key is not None:
            frame.items.append(Pair(frame.key, node))
            frame.key = None
        else:
            if not frame.separated:
                self.repairs["missing comma"] = None
            frame.items.append(node)
        frame.separated = False

    def add_string(self, quoted: str, offset: int, *, cut: bool) -> None:
        """Put a string in quotes into the innermost group."""
        inner = quoted[1:] if cut else quoted[1:-1]
        if quoted[0] == "'":
            self.repairs["single quotes"] = None
        self.add_value(
            Text(_resolve_escapes(inner), offset, offset + len(quoted), quoted=True, cut=cut)
        )

    def add_word(self, word: str, offset: int) -> None:
        """Put a bare word into the innermost group, or lengthen the bare words before it."""
        if not has_words(word) and word not in ELLIPSES:
            return
        frame = self.frames[-1]
        last_value = frame.items[-1] if frame.items and not frame.separated else None
        if isinstance(last_value, Pair):
            last_value = last_value.value
        is_bare = isinstance(last_value, Text) and not last_value.quoted and frame.key is None
        if (
            isinstance(last_value, Text)
            and is_bare
            and "\n" not in self.text[last_value.end : offset]
        ):
            last_value.end = offset + len(word)
        else:
            self.add_value(Text(word, offset, offset + len(word)))

    def begin_value(self) -> None:
        """Turn the text before a colon into a key."""
        last = self.taken_text()
        if last is not None:
            self.frames[-1].key = last

    def taken_text(self) -> Text | None:
        """Take the text before a colon or a parenthesis out of the innermost group.

        None if there is none: a comma, another value or a key is before it.
        """
        frame = self.frames[-1]
        if frame.key is not None or frame.separated or not frame.items:
            return None
        last_item = frame.items[-1]
        if not isinstance(last_item, Text):
            return None
        frame.items.pop()
        return self.settle_text(last_item)

    def end_item(self) -> None:
        """End an item."""
        frame = self.frames[-1]
        if frame.key is not None:
            frame.items.append(Pair(frame.key, None))
            frame.key = None
        frame.separated = True

    def open_group(self, opener: str, offset: int) -> None:
        """Begin a group; behind a text, a parenthesis begins the arguments of a call."""
        name = self.taken_text() if opener == "(" else None
        if name is not None:
            self.frames[-1].separated = True
        self.frames.append(_Frame(opener, offset, name))

    def close_group(self, closer: str, end: int) -> Group | None:
        """End the group that fits the bracket; return it if it was the outermost."""
        opener = _CLOSES[closer]
        if all(frame.opener != opener for frame in self.frames):
            self.repairs["stray bracket"] = None
            return None
        # Groups that are open inside of it lack their brackets.
        while self.frames[-1].opener != opener:
            self.repairs["missing bracket"] = None
            self.add_value(self.finish_innermost(end))
        group = self.finish_innermost(end)
        if not self.frames:
            return group
        self.add_value(group)
        return None

    def finish_innermost(self, end: int, *, cut: bool = False) -> Group:
        """Take the innermost open bracket off the stack and return its group.

        Args:
            end: Offset behind the group.
            cut: Whether the text ends inside the group.
        """
        frame = self.frames.pop()
        if cut and frame.opener == "{" and frame.key is None:
            last_item = frame.items[-1] if frame.items else None
            if isinstance(last_item, Text):
                # A text at the end of an object is a key whose value is missing.
                frame.key = self.settle_text(last_item)
                frame.items.pop()
        if frame.key is not None:
            missing_value = Text("", end, end, cut=True) if cut else None
            frame.items.append(Pair(frame.key, missing_value))
        elif frame.separated and frame.items and not cut:
            self.repairs["trailing comma"] = None
        for item in frame.items:
            text = item.value if isinstance(item, Pair) else item
            if isinstance(text, Text):
                self.settle_text(text)
        return _group_of(frame, end, cut=cut)

    def settle_text(self, text: Text) -> Text:
        """Give bare words the characters from their first to their last."""
        if not text.quoted and not text.cut:
            text.value = self.text[text.at : text.end]
        return text

    def close_all(self, end: int) -> Group:
        """Close all brackets at the end of the text, and return the outermost group."""
        cut = not self.is_complete()
        if not cut:
            self.repairs["missing bracket"] = None
        group = self.finish_innermost(end, cut=cut)
        group.is_open = True
        while self.frames:
            self.add_value(group)
            group = self.finish_innermost(end, cut=cut)
            group.is_open = True
        return group

    def is_complete(self) -> bool:
        """Whether nothing but brackets is missing: the last member is closed, without a comma.

        A string may be the last member of a list, but not the last value of an object, for which
        more keys may be missing.
        """
        frame = self.frames[-1]
        if frame.key is not None or frame.separated or not frame.items:
            return False
        last_item = frame.items[-1]
        value = last_item.value if isinstance(last_item, Pair) else last_item
        is_string = isinstance(value, Text) and value.quoted and not value.cut
        is_closed = isinstance(value, Group) or (is_string and frame.opener == "[")
        return is_closed and (frame.opener != "{" or isinstance(last_item, Pair))


def _group_of(frame: _Frame, end: int, *, cut: bool) -> Group:
    """Return a bracket that is closed as a call, an object, or a list."""
    items = frame.items
    if frame.name is not None:
        return Group("call", frame.name.at, end, items, frame.name, cut)
    are_pairs = all(isinstance(item, Pair) for item in items)
    if are_pairs and (items or frame.opener == "{"):
        return Group("object", frame.at, end, items, None, cut)
    members: list[Item] = []
    for item in items:
        if isinstance(item, Pair):
            # A pair among other items is an object of its own.
            members.append(Group("object", item.key.at, item.key.end, [item]))
        else:
            members.append(item)
    return Group("list", frame.at, end, members, None, cut)


def scan_block(text: str, offset: int, *, end: int, max_tokens: int) -> Block:
    """Read the bracketed value that begins at an offset, such as ``["walk", {"to": "hall"}]``.

    Args:
        text: The text.
        offset: Offset of an opening bracket.
        end: Offset at which the text counts as ended.
        max_tokens: Maximum number of tokens (words, signs and blanks) that are read; a string of
            several words counts as four.

    Returns:
        The value as far as it could be read. If the text ends before the value is closed,
        ``group.is_open`` is true, and ``group.cut`` says whether more than brackets is missing.
    """
    builder = _Builder(text, offset)
    token_count = 0
    for token in _TOKEN.finditer(text, offset + 1, end):
        token_count += 1
        if token.lastgroup in ("double", "single") and (" " in token[0] or "(" in token[0]):
            token_count += 3  # "walk to the hall" takes longer to understand than "hall"
        group = builder.add_token(token)
        if group is None and (token.lastgroup == "fence" or token_count >= max_tokens):
            group = builder.close_all(token.start())  # the value ends here, closed or not
        if group is not None:
            return Block(group, list(builder.repairs), token_count, builder.too_deep)
    return Block(builder.close_all(end), list(builder.repairs), token_count)


def is_structured(group: Group) -> bool:
    """Whether a text in brackets is a value: it has a string, a key, a group, or several words.

    An empty one is a value as well; ``[00:56]`` is a time.
    """
    if not group.items:
        return True
    first_item = group.items[0]
    if (
        len(group.items) == 1
        and isinstance(first_item, Pair)
        and isinstance(first_item.value, Text)
    ):
        is_time = first_item.key.value.isdigit() and first_item.value.value.isdigit()
        return not is_time
    if any(not isinstance(item, Text) or item.quoted for item in group.items):
        return True
    return len(group.items) > 1


MAX_ENCODED = 10_000
"""Maximum number of words and brackets of a value in a string."""
_ENCODED_DEPTH = 8


def decode_value(string: Text) -> Group | None:
    """Return the list or object that a string holds as text; None if it holds none."""
    encoded_text = string.value.strip()
    if len(encoded_text) > 1 and encoded_text[0] == encoded_text[-1] == '"':
        encoded_text = f"[{encoded_text}]"  # a string that was encoded twice
    if not string.quoted or encoded_text[:1] + encoded_text[-1:] not in ("{}", "[]"):
        return None
    depth = 0
    for bracket in re.findall(r"[\[{(\])}]", encoded_text):
        depth += 1 if bracket in "[{(" else -1
        if depth > _ENCODED_DEPTH:
            return None
    group = scan_block(encoded_text, 0, end=len(encoded_text), max_tokens=MAX_ENCODED).group
    return None if group.is_open or group.end < len(encoded_text) else group
