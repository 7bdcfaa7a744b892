"""Records written as lines: items of YAML, tables of TOML and rows of SQL become values.

``- action: walk`` with ``object: hall`` below it says the same as ``{"action": "walk", "object":
"hall"}``, and is read as that. Only items with two keys or more are records; a line with one key
is read as a line. The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from eai.answers.values import Group, Item, Node, Pair, Text, scan_block

MAX_VALUE = 2_000
"""Maximum number of words and brackets of a value in brackets behind a key."""

MAX_INDENT = 40
"""Maximum indentation of records below a key of another record."""

_HEAD = re.compile(r"[ \t]*\[\[[ \t]*[\w.-]{1,60}[ \t]*\]\][ \t]*")
_FIELD = re.compile(r"([ \t]*)([\"']?)([A-Za-z_][\w-]{0,40})\2[ \t]*=[ \t]*(?!=)(\S.*)")
_ITEM = re.compile(r"([ \t]*)(-[ \t]+)([\"']?)([A-Za-z_][\w-]{0,40})\3:(?:[ \t]+(\S.*)|[ \t]*)$")
_ENTRY = re.compile(r"([ \t]*)([\"']?)([A-Za-z_][\w-]{0,40})\2:(?:[ \t]+(\S.*)|[ \t]*)$")
_SCALAR = re.compile(r"[|>][+-]?\d?")
"""The sign of YAML for a text in the lines below."""
_QUOTES = ("'''", '"""')
_VALUE = re.compile(r"- +(\S.*)")
_INSERT = re.compile(
    r"\bINSERT\s{1,9}INTO\s{1,9}[\w.\"`\[\]]{1,60}\s{0,9}\(([^()]{1,300})\)\s{0,9}VALUES\s{0,99}",
    re.IGNORECASE,
)
_NEXT_ROW = re.compile(r"\s{0,9},(?:\s|--[^\n]*\n){0,99}(?=\()")
_INSERT_END = re.compile(r"\s{0,9};")


def records_of_lines(text: str) -> list[Group]:
    """Return the lists of records in a text, each as a list of objects with their places."""
    lines: list[tuple[int, str]] = []
    place = 0
    for line in text.split("\n"):
        lines.append((place, line.rstrip()))
        place += len(line) + 1
    found: list[Group] = []
    at = 0
    while at < len(lines):
        line = lines[at][1]
        if "[[" in line and _HEAD.fullmatch(line):
            records, behind = _tables(lines, at)
        elif ":" in line and "-" in line and _ITEM.match(line):
            records, behind = _items(lines, at)
        else:
            records, behind = [], at + 1
        if records:
            found.append(Group("list", records[0].at, records[-1].end, [*records]))
        at = behind
    return found


def records_of_inserts(text: str) -> list[Group]:
    """Return the rows of statements of SQL, ``INSERT INTO t (a, b) VALUES (1, 2)``, as objects."""
    found: list[Group] = []
    end = 0
    for insert in _INSERT.finditer(text):
        if insert.start() < end:
            continue  # in a text of the statement before
        columns: list[Text] = []
        place = insert.start(1)
        for column in insert[1].split(","):
            columns.append(Text(column.strip(" \n\t\"'`"), place, place + len(column)))
            place += len(column) + 1
        rows: list[Item] = []
        end = insert.end()
        while text[end : end + 1] == "(":
            row = scan_block(text, end, end=len(text), most=MAX_VALUE).group
            pairs = [
                Pair(key, value)
                for key, value in zip(columns, row.items, strict=False)
                if isinstance(value, Text | Group)
            ]
            rows.append(Group("object", row.at, row.end, [*pairs], cut=row.cut))
            if row.cut or row.is_open:
                # What is never closed is looked at once, so that the time stays linear.
                return [*found, Group("list", insert.start(), row.end, rows, cut=True)]
            end = row.end
            next_row = _NEXT_ROW.match(text, end)
            end = next_row.end() if next_row else end
        if rows:
            closing = _INSERT_END.match(text, end)
            found.append(Group("list", insert.start(), closing.end() if closing else end, rows))
    return found


def _tables(lines: list[tuple[int, str]], at: int) -> tuple[list[Group], int]:
    """Return the tables of TOML that begin at a line, and the line behind them."""
    records: list[Group] = []
    while at < len(lines) and _HEAD.fullmatch(lines[at][1]):
        begin = lines[at][0]
        pairs: list[Item] = []
        at += 1
        last = at  # the line behind the last one that belongs to the table
        while at < len(lines):
            line = lines[at][1]
            if field := _FIELD.fullmatch(line):
                pair, at = _pair(lines, at, field, 3)
                pairs.append(pair)
                last = at
            elif line.strip() and not line.lstrip().startswith("#"):
                break
            else:
                at += 1
        records.append(Group("object", begin, _end(lines, last), pairs))
    return ([] if all(not record.items for record in records) else records), at


def _items(lines: list[tuple[int, str]], at: int) -> tuple[list[Group], int]:
    """Return the items of a list of YAML that begins at a line, and the line behind them.

    The list is over at a line that is indented less, or is no key where one should stand.
    """
    first = _ITEM.match(lines[at][1])
    assert first is not None  # noqa: S101 - the caller looked
    indent = len(first[1])
    records: list[Group] = []
    while at < len(lines):
        item = _ITEM.match(lines[at][1])
        if item is None or len(item[1]) != indent:
            break
        record, behind = _item(lines, at, item)
        records.append(record)
        at = behind
        while at < len(lines) and not lines[at][1].strip():
            at += 1
    is_whole = at == len(lines) or not lines[at][1].lstrip().startswith("- ")
    # With one key each, or with an item that is written otherwise, all of them are lines.
    has_records = is_whole and any(len(record.items) > 1 for record in records)
    return (records if has_records else []), at


def _item(lines: list[tuple[int, str]], at: int, item: re.Match[str]) -> tuple[Group, int]:
    """Return one item as an object, and the line behind it."""
    begin = lines[at][0] + item.start(2)
    indent = len(item[1]) + len(item[2])
    pair, at = _pair(lines, at, item, 4, indent)
    pairs: list[Item] = [pair]
    while at < len(lines):
        entry = _ENTRY.match(lines[at][1])
        if entry is None or len(entry[1]) != indent:
            break
        pair, at = _pair(lines, at, entry, 3, indent)
        pairs.append(pair)
    return Group("object", begin, _end(lines, at), pairs), at


def _end(lines: list[tuple[int, str]], behind: int) -> int:
    """Return the offset at which the line before a line ends."""
    place, line = lines[behind - 1]
    return place + len(line)


def _pair(
    lines: list[tuple[int, str]], at: int, found: re.Match[str], group: int, indent: int = -1
) -> tuple[Pair, int]:
    """Return the key of a line with its value, and the line behind the value.

    Args:
        lines: All lines.
        at: The line.
        found: What it is, with a key in one group and the value in the next.
        group: The group of the key.
        indent: How far keys of YAML are indented, whose values may stand below; -1 in TOML.
    """
    place = lines[at][0]
    key = Text(found[group], place + found.start(group), place + found.end(group))
    written = found[group + 1]
    if written is None:
        node, behind = _below(lines, at + 1, indent)
        return Pair(key, node), behind
    if indent < 0 and written[:3] in _QUOTES:
        told, behind = _quoted_lines(lines, at, found.start(group + 1))
        return Pair(key, told), behind
    scalar = _scalar(lines, at + 1, indent) if indent >= 0 and _SCALAR.fullmatch(written) else None
    if scalar is not None:
        return Pair(key, scalar[0]), scalar[1]
    return Pair(key, _value(written, place + found.start(group + 1))), at + 1


def _scalar(lines: list[tuple[int, str]], at: int, indent: int) -> tuple[Text, int] | None:
    """Return the text in the lines below ``|`` or ``>``, and the line behind it; None for none."""
    begin = at
    while at < len(lines) and (
        not lines[at][1] or len(lines[at][1]) - len(lines[at][1].lstrip()) > indent
    ):
        at += 1
    if at == begin:
        return None
    return _text_of_lines(lines[begin:at]), at


def _quoted_lines(lines: list[tuple[int, str]], at: int, column: int) -> tuple[Text, int]:
    """Return the text between three quotes that open in a line, and the line behind it."""
    place, line = lines[at]
    sign = line[column : column + 3]
    told = [(place + column + 3, line[column + 3 :])]
    while sign not in told[-1][1] and at + 1 < len(lines):
        at += 1
        told.append(lines[at])
    last, written = told[-1]
    told[-1] = last, written.partition(sign)[0]
    return _text_of_lines(told), at + 1


def _text_of_lines(lines: list[tuple[int, str]]) -> Text:
    """Return some lines as one text."""
    last, line = lines[-1]
    value = "\n".join(line for _, line in lines).strip()
    return Text(value, lines[0][0], last + len(line), quoted=True)


def _below(lines: list[tuple[int, str]], at: int, indent: int) -> tuple[Node | None, int]:
    """Return what stands below a key: a list or an object; None if nothing does."""
    first = _ITEM.match(lines[at][1]) if at < len(lines) else None
    if first is not None and indent <= len(first[1]) <= MAX_INDENT:
        records, behind = _items(lines, at)
        if records:
            return Group("list", records[0].at, records[-1].end, [*records]), behind
    items: list[Item] = []
    begin = at
    while at < len(lines):
        place, line = lines[at]
        bare = line.lstrip()
        depth = len(line) - len(bare)
        listed = _VALUE.match(bare)
        entry = _ENTRY.match(line)
        if bare and depth >= indent and listed:
            items.append(_value(listed[1], place + depth + listed.start(1)))
        elif bare and depth > indent and entry and entry[4]:
            pair, at = _pair(lines, at, entry, 3)
            items.append(pair)
            continue
        else:
            break
        at += 1
    if not items:
        return None, begin
    are_pairs = all(isinstance(item, Pair) for item in items)
    kind = "object" if are_pairs else "list"
    return Group(kind, lines[begin][0], _end(lines, at), items), at


def _value(written: str, at: int) -> Node:
    """Return a value behind a key: a string, a bare text, or what stands in brackets."""
    if written[0] in "[{":
        block = scan_block(written, 0, end=len(written), most=MAX_VALUE)
        if not block.group.is_open:
            for node in _nodes(block.group):
                node.at += at
                node.end += at
            return block.group
    bare = written
    if bare[0] in "\"'":
        close = bare.find(bare[0], 1)
        if close > 0 and not bare[close + 1 :].split("#")[0].strip():
            return Text(bare[1:close], at, at + close + 1, quoted=True)
    bare = re.split(r"\s#\s", bare, maxsplit=1)[0].rstrip()
    return Text(bare, at, at + len(bare), quoted=not bare.isdigit())


def _nodes(node: Node) -> Iterator[Node]:
    """Yield a value and everything in it."""
    yield node
    if isinstance(node, Group):
        if node.name is not None:
            yield node.name
        for item in node.items:
            if isinstance(item, Pair):
                yield item.key
                if item.value is not None:
                    yield from _nodes(item.value)
            else:
                yield from _nodes(item)
