"""Records written as lines: items of YAML and tables of TOML become values.

``- action: walk`` with ``object: hall`` below it says the same as ``{"action": "walk", "object":
"hall"}``, and is read as that. Only items with two keys or more are records; a line with one key
is read as a line. The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from eai.answers.values import Group, Item, Node, Pair, Text, scan_block
from eai.text import lazy_pattern

MAX_VALUE = 2_000
"""Maximum number of words and brackets of a value in brackets behind a key."""

MAX_INDENT = 40
"""Maximum indentation of records below a key of another record."""

_HEAD = lazy_pattern(r"[ \t]*\[\[[ \t]*[\w.-]{1,60}[ \t]*\]\][ \t]*")
_FIELD = lazy_pattern(r"([ \t]*)([\"']?)([A-Za-z_][\w-]{0,40})\2[ \t]*=[ \t]*(?!=)(\S.*)")
_ITEM = lazy_pattern(r"([ \t]*)(-[ \t]+)([\"']?)([A-Za-z_][\w-]{0,40})\3:(?:[ \t]+(\S.*)|[ \t]*)$")
_ENTRY = lazy_pattern(r"([ \t]*)([\"']?)([A-Za-z_][\w-]{0,40})\2:(?:[ \t]+(\S.*)|[ \t]*)$")
_SCALAR = lazy_pattern(r"[|>][+-]?\d?")
"""The sign of YAML for a text in the lines below."""
_QUOTES = ("'''", '"""')
_VALUE = lazy_pattern(r"- +(\S.*)")


def records_of_lines(text: str) -> list[Group]:
    """Return the lists of records in a text, each as a list of objects."""
    lines: list[_TextLine] = []
    offset = 0
    for line in text.split("\n"):
        lines.append(_TextLine(offset, line.rstrip()))
        offset += len(line) + 1
    lists: list[Group] = []
    index = 0
    while index < len(lines):
        line = lines[index].text
        if "[[" in line and _HEAD.fullmatch(line):
            records, index = _read_tables(lines, index)
        elif ":" in line and "-" in line and _ITEM.match(line):
            records, index = _read_items(lines, index)
        else:
            index += 1
            continue
        if records:
            lists.append(Group("list", records[0].at, records[-1].end, [*records]))
    return lists


class _TextLine(NamedTuple):
    """A line without blanks behind it, and its offset."""

    at: int
    text: str

    @property
    def end(self) -> int:
        """Offset behind the line."""
        return self.at + len(self.text)

    @property
    def indent(self) -> int:
        """Number of blanks before its words."""
        return len(self.text) - len(self.text.lstrip())


def _read_tables(lines: list[_TextLine], index: int) -> tuple[list[Group], int]:
    """Return the tables of TOML that begin at a line, and the index of the line behind them.

    There are none if all of them are empty.
    """
    tables: list[Group] = []
    while index < len(lines) and _HEAD.fullmatch(lines[index].text):
        table, index = _read_table(lines, index)
        tables.append(table)
    if not any(table.items for table in tables):
        return [], index
    return tables, index


def _read_table(lines: list[_TextLine], index: int) -> tuple[Group, int]:
    """Return a table of TOML as an object, and the index of the line behind it.

    Args:
        lines: All lines.
        index: Index of the head of the table.
    """
    begin = lines[index].at
    pairs: list[Item] = []
    index += 1
    behind_last_field = index  # blank lines and comments at its end do not belong to the table
    while index < len(lines):
        line = lines[index].text
        field = _FIELD.fullmatch(line)
        if field is not None:
            pair, index = _read_pair(lines, index, field, 3)
            pairs.append(pair)
            behind_last_field = index
        elif not line.strip() or line.lstrip().startswith("#"):
            index += 1
        else:
            break
    return Group("object", begin, lines[behind_last_field - 1].end, pairs), index


def _read_items(lines: list[_TextLine], index: int) -> tuple[list[Group], int]:
    """Return the items of a list of YAML that begins at a line, and the index behind them.

    The list ends at a line that is indented less, or is no key where one should stand. It has no
    records if each item has one key, or an item is written otherwise: then its lines are read.
    """
    indent = lines[index].indent
    records: list[Group] = []
    while index < len(lines):
        item = _ITEM.match(lines[index].text)
        if item is None or len(item[1]) != indent:
            break
        record, index = _read_item(lines, index, item)
        records.append(record)
        while index < len(lines) and not lines[index].text.strip():
            index += 1
    # An item that is no record makes the others lines, too: a plan is read in one way. An item that
    # is indented less is one of the list around this one.
    line_behind = lines[index] if index < len(lines) else _TextLine(0, "")
    has_other_item = line_behind.text.lstrip().startswith("- ") and line_behind.indent >= indent
    if has_other_item or all(len(record.items) < 2 for record in records):
        records = []
    return records, index


def _read_item(lines: list[_TextLine], index: int, item: re.Match[str]) -> tuple[Group, int]:
    """Return an item of a list of YAML as an object, and the index of the line behind it."""
    begin = lines[index].at + item.start(2)
    indent = len(item[1]) + len(item[2])
    pair, index = _read_pair(lines, index, item, 4, indent)
    pairs: list[Item] = [pair]
    while index < len(lines):
        entry = _ENTRY.match(lines[index].text)
        if entry is None or len(entry[1]) != indent:
            break
        pair, index = _read_pair(lines, index, entry, 3, indent)
        pairs.append(pair)
    return Group("object", begin, lines[index - 1].end, pairs), index


def _read_pair(
    lines: list[_TextLine], index: int, entry: re.Match[str], key_group: int, indent: int = -1
) -> tuple[Pair, int]:
    """Return the key of a line with its value, and the index of the line behind the value.

    Args:
        lines: All lines.
        index: Index of the line.
        entry: The match of the line, with the key in one group and the value in the next.
        key_group: Number of the group of the key.
        indent: Indentation of the keys in YAML, whose values may stand below; -1 in TOML.
    """
    offset = lines[index].at
    key = Text(entry[key_group], offset + entry.start(key_group), offset + entry.end(key_group))
    value_text = entry[key_group + 1]
    if value_text is None:
        node, next_index = _value_below(lines, index + 1, indent)
        return Pair(key, node), next_index
    if indent < 0 and value_text[:3] in _QUOTES:
        text, next_index = _quoted_lines(lines, index, entry.start(key_group + 1))
        return Pair(key, text), next_index
    if indent >= 0 and _SCALAR.fullmatch(value_text):
        next_index = _behind_deeper_lines(lines, index + 1, indent)
        if next_index > index + 1:
            return Pair(key, _text_of_lines(lines[index + 1 : next_index])), next_index
    return Pair(key, _read_value(value_text, offset + entry.start(key_group + 1))), index + 1


def _behind_deeper_lines(lines: list[_TextLine], index: int, indent: int) -> int:
    """Return the index of the first line, from one on, that is not blank nor indented more."""
    while index < len(lines) and (not lines[index].text or lines[index].indent > indent):
        index += 1
    return index


def _quoted_lines(lines: list[_TextLine], index: int, column: int) -> tuple[Text, int]:
    """Return the text between three quotes, and the index of the line behind it.

    Args:
        lines: All lines.
        index: Index of the line with the opening quotes.
        column: Where the quotes stand in that line.
    """
    first_line = lines[index]
    quotes = first_line.text[column : column + 3]
    content_lines = [_TextLine(first_line.at + column + 3, first_line.text[column + 3 :])]
    while quotes not in content_lines[-1].text and index + 1 < len(lines):
        index += 1
        content_lines.append(lines[index])
    last_line = content_lines.pop()
    content_lines.append(_TextLine(last_line.at, last_line.text.partition(quotes)[0]))
    return _text_of_lines(content_lines), index + 1


def _text_of_lines(lines: list[_TextLine]) -> Text:
    """Return some lines as one text."""
    value = "\n".join(line.text for line in lines).strip()
    return Text(value, lines[0].at, lines[-1].end, quoted=True)


def _value_below(lines: list[_TextLine], index: int, indent: int) -> tuple[Node | None, int]:
    """Return the value below a key, and the index of the line behind it.

    The value is a list of records, a list of texts, or an object; None if there is none.

    Args:
        lines: All lines.
        index: Index of the line below the key.
        indent: Indentation of the key.
    """
    first_item = _ITEM.match(lines[index].text) if index < len(lines) else None
    if first_item is not None and indent <= len(first_item[1]) <= MAX_INDENT:
        records, next_index = _read_items(lines, index)
        if records:
            return Group("list", records[0].at, records[-1].end, [*records]), next_index
    items, next_index = _texts_and_entries(lines, index, indent)
    if not items:
        return None, index
    are_pairs = all(isinstance(item, Pair) for item in items)
    kind = "object" if are_pairs else "list"
    return Group(kind, lines[index].at, lines[next_index - 1].end, items), next_index


def _texts_and_entries(lines: list[_TextLine], index: int, indent: int) -> tuple[list[Item], int]:
    """Return the items ``- a`` and the entries ``b: c`` below a key, and the index behind them.

    Args:
        lines: All lines.
        index: Index of the line below the key.
        indent: Indentation of the key.
    """
    items: list[Item] = []
    while index < len(lines):
        line = lines[index]
        list_item = _VALUE.match(line.text.lstrip())
        entry = _ENTRY.match(line.text)
        if list_item is not None and line.indent >= indent:
            items.append(_read_value(list_item[1], line.at + line.indent + list_item.start(1)))
            index += 1
        elif entry is not None and entry[4] and line.indent > indent:
            pair, index = _read_pair(lines, index, entry, 3)
            items.append(pair)
        else:
            break
    return items, index


def _read_value(value_text: str, offset: int) -> Node:
    """Return a value behind a key: a value in brackets, a string, or a bare text.

    Args:
        value_text: The rest of the line behind the key.
        offset: Its offset in the text.
    """
    if value_text[0] in "[{":
        block = scan_block(value_text, 0, end=len(value_text), max_tokens=MAX_VALUE)
        if not block.group.is_open:
            for node in _walk_nodes(block.group):
                node.at += offset
                node.end += offset
            return block.group
    if value_text[0] in "\"'":
        close = value_text.find(value_text[0], 1)
        if close > 0 and not value_text[close + 1 :].partition("#")[0].strip():
            return Text(value_text[1:close], offset, offset + close + 1, quoted=True)
    bare_text = re.split(r"\s#\s", value_text, maxsplit=1)[0].rstrip()
    return Text(bare_text, offset, offset + len(bare_text), quoted=not bare_text.isdigit())


def _walk_nodes(node: Node) -> Iterator[Node]:
    """Yield a value and everything in it."""
    yield node
    if isinstance(node, Group):
        if node.name is not None:
            yield node.name
        for item in node.items:
            if isinstance(item, Pair):
                yield item.key
                if item.value is not None:
                    yield from _walk_nodes(item.value)
            else:
                yield from _walk_nodes(item)
