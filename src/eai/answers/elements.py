"""XML elements as values: what holds nothing but elements is an object or a list.

``<node><name>tv</name><state>ON</state></node>`` says the same as
``{"name": "tv", "state": "ON"}``, and is read as that. Elements with words of their own between
their children stay text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from eai.answers.choice import frames_blocks, names_option
from eai.answers.plan import ASIDE_KEYS, EXPLAINING, OBJECT_KEYS, WORDS
from eai.answers.values import (
    MAX_ENCODED,
    Group,
    Item,
    Node,
    Pair,
    Text,
    is_structured,
    scan_block,
)

MAX_DEPTH = 30
"""Maximum nesting of elements that are read as a value."""

_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,40})((?:\s[^<>]{0,400}?)?)(/?)>")
_MEMBERS = WORDS["members"]
"""Names of elements that are members of a list."""
PARAMETERS = WORDS["parameters"]
"""Names of elements that hold an object of an action."""
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ATTRIBUTE = re.compile(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


@dataclass(slots=True)
class Element:
    """An element of XML.

    Args:
        name: Its name.
        at: Offset of its begin.
        begin: Offset behind its first tag.
        attributes: Names and values.
        children: The elements in it.
        stop: Offset of its last tag.
        end: Offset behind its last tag; -1 as long as it is open.
        has_words: Whether it has text that is no element and not blank.
        is_call: Whether it is a call like the ones beside it (see :attr:`calls_with_keys`).
    """

    name: str
    at: int
    begin: int
    attributes: list[Pair] = field(default_factory=list)
    children: list[Element] = field(default_factory=list)
    stop: int = -1
    end: int = -1
    has_words: bool = False
    is_call: bool = False

    @property
    def names_value(self) -> bool:
        """Whether its only attribute is the name of the value in it."""
        keys = [pair.key.value.lower() for pair in self.attributes]
        return not self.children and keys in (["name"], ["key"]) and self.has_words

    @property
    def calls_with_keys(self) -> bool:
        """Whether it is a call whose children are keys and values in turn."""
        names = [child.name.lower() for child in self.children]
        return bool(names) and names == ["arg_key", "arg_value"] * (len(names) // 2)

    @property
    def has_only_objects(self) -> bool:
        """Whether it holds nothing but objects: ``<pour><object>...</object>...</pour>``."""
        is_plain = self.is_record and not self.attributes and self.name.lower() not in _MEMBERS
        return is_plain and all(
            child.name.lower() in OBJECT_KEYS and not child.children for child in self.children
        )

    @property
    def is_record(self) -> bool:
        """Whether it has children, and nothing but children down to the leaves."""
        return bool(self.children) and not self.has_words


def elements_of(text: str) -> list[Element]:
    """Return the outermost elements of a text that are closed, in linear time."""
    outermost: list[Element] = []
    stack: list[Element] = []
    place = 0
    for tag in _TAG.finditer(text):
        name = tag[2]
        if stack and _COMMENT.sub("", text[place : tag.start()]).strip():
            stack[-1].has_words = True
        place = tag.end()
        if tag[1]:
            if not any(element.name == name for element in stack[-MAX_DEPTH:]):
                continue
            while stack[-1].name != name:
                _dissolve(stack, outermost)
            element = stack.pop()
            element.stop, element.end = tag.start(), tag.end()
            (stack[-1].children if stack else outermost).append(element)
            continue
        element = Element(name, tag.start(), tag.end(), attributes_of(tag))
        if tag[4]:
            element.stop = element.end = tag.end()
            (stack[-1].children if stack else outermost).append(element)
        elif len(stack) < MAX_DEPTH:
            stack.append(element)
    while stack:
        _dissolve(stack, outermost)
    return outermost


def _dissolve(stack: list[Element], outermost: list[Element]) -> None:
    """Take an element that is never closed for words, and give its children to its parent."""
    element = stack.pop()
    if stack:
        stack[-1].has_words = True
        stack[-1].children += element.children
    else:
        outermost += element.children


def attributes_of(tag: re.Match[str]) -> list[Pair]:
    """Return the attributes of a tag, its third group, as keys and texts."""
    found = _ATTRIBUTE.finditer(tag[3])
    at = tag.start()
    return [
        Pair(Text(each[1], at, at), Text(each[2] or each[3] or "", at, at, quoted=True))
        for each in found
    ]


def records_in(elements: list[Element], framing: Collection[str]) -> list[Element]:
    """Return the outermost elements that are records, in order.

    Args:
        elements: Where to look.
        framing: Names of elements that frame what is in them, and are no part of it.
    """
    found: list[Element] = []
    calls = {element.name for element in elements if element.calls_with_keys}
    for element in elements:
        if element.name in calls and (element.calls_with_keys or not element.children):
            element.is_call = True
            found.append(element)
            continue
        is_whole = element.is_record and any(child.children for child in element.children)
        is_whole = is_whole or (element.is_record and len(element.children) > 1)
        if is_whole and element.name.lower() not in framing and _is_all_record(element):
            found.append(element)
            continue
        listed = _listed(element, framing) if element.is_record else None
        if listed is not None:
            found.append(listed)
        else:
            found += records_in(element.children, framing)
    return found


def _listed(element: Element, framing: Collection[str]) -> Element | None:
    """Return the texts in an element that frames them as an element of their own.

    ``<answer><subgoal>...</subgoal><subgoal>...</subgoal></answer>`` is one list in an answer tag.
    """
    members = _members(element)
    is_list = len(members) > 1 and members[0].name.lower() not in framing
    if not is_list or any(member.children or member.attributes for member in members):
        return None
    first = element.children.index(members[0])
    behind = element.children.index(members[-1]) + 1
    begin, end = members[0].at, members[-1].end
    children = element.children[first:behind]
    return Element(element.name, begin, begin, children=children, stop=end, end=end)


def _is_all_record(element: Element) -> bool:
    """Whether no element below one mixes words and elements."""
    if not element.children:
        return True
    return not element.has_words and all(map(_is_all_record, element.children))


def value_of(element: Element, text: str) -> Node:
    """Return an element as a value: a text, an object, or a list of children of one name."""
    if element.is_call:
        return _call_with_keys(element, text)
    if not element.children:
        return _leaf(element, text)
    is_named = any(child.names_value for child in element.children)
    members = [] if is_named or element.attributes else _members(element)
    if members and len(members) == len(element.children):
        items = [_member(child, text) for child in members]
        return Group("list", element.at, element.end, [*items])
    if members:
        return _list_with_notes(element, members, text)
    pairs = list(element.attributes)
    for child in element.children:
        if child.names_value:
            pairs.append(_named_value(child, text))
        else:
            key = Text(child.name, child.at, child.begin)
            pairs.append(Pair(key, value_of(child, text)))
    return Group("object", element.at, element.end, [*pairs])


def _member(element: Element, text: str) -> Node:
    """Return a member of a list; a text that its element calls an action keeps that name."""
    value = value_of(element, text)
    if isinstance(value, Text) and element.name.lower() == "action":
        key = Text(element.name, element.at, element.begin)
        return Group("object", element.at, element.end, [Pair(key, value)])
    return value


def _call_with_keys(element: Element, text: str) -> Group:
    """Return a call of which keys and values are told in turn as an object with a name.

    An example is
    ``<tool_call>walk<arg_key>object</arg_key><arg_value>hall</arg_value></tool_call>``.
    """
    name_at = element.begin
    name_end = element.children[0].at if element.children else element.stop
    name = text[name_at:name_end].strip()
    pairs: list[Item] = []
    if name:
        key = Text("name", element.at, name_at)
        pairs.append(Pair(key, Text(name, name_at, name_at + len(name), quoted=True)))
    leaves = [_leaf(child, text) for child in element.children]
    arguments: list[Item] = []
    for argument, value in zip(leaves[::2], leaves[1::2], strict=True):
        if isinstance(argument, Text):
            arguments.append(Pair(argument, value))
    inside = Group("object", name_end, element.stop, arguments)
    pairs.append(Pair(Text("arguments", inside.at, inside.at), inside))
    return Group("object", element.at, element.end, pairs)


def _named_value(element: Element, text: str) -> Pair:
    """Return ``<parameter name="object">cup</parameter>`` as the key and value that it means."""
    key = element.attributes[0].value
    assert isinstance(key, Text)  # noqa: S101 - attributes are texts
    begin = element.begin
    said = text[begin : element.stop].strip()
    return Pair(key, Text(said, begin, begin + len(said), quoted=True))


def _members(element: Element) -> list[Element]:
    """Return the children that are members of a list; empty if the children are keys.

    Children of one name are members, whatever notes stand beside them, unless the name is one of
    objects of an action, or each of them is an answer of its own.
    """
    counts = Counter(child.name for child in element.children)
    names: list[str] = []
    for child_name, count in counts.items():
        lower = child_name.lower()
        is_note = lower in EXPLAINING or (count == 1 and lower in ASIDE_KEYS)
        if not is_note:
            names.append(child_name)
    names = names or list(counts)
    if len(names) != 1:
        return []
    name = names[0].lower()
    if counts[names[0]] == 1:
        # <item> alone, or <step> alone in <steps>, is a list of one.
        is_item = name == "item" or element.name.lower().startswith(f"{name}s")
        return element.children if is_item and len(counts) == 1 else []
    is_key = name in OBJECT_KEYS | PARAMETERS or _is_whole_answer(name)
    is_member = name in _MEMBERS or name in element.name.lower()
    if is_key and not is_member:
        return []
    return [child for child in element.children if child.name == names[0]]


def _is_whole_answer(name: str) -> bool:
    """Whether elements of a name are several answers, not parts of one."""
    return frames_blocks("tag", name) or names_option(f"{name.replace('_', ' ')} 1")


def _list_with_notes(element: Element, members: list[Element], text: str) -> Group:
    """Return an object with the notes under their names, and the list under its own."""
    pairs: list[Item] = [
        Pair(Text(child.name, child.at, child.begin), value_of(child, text))
        for child in element.children
        if child.name != members[0].name
    ]
    items: list[Item] = [_member(child, text) for child in members]
    listed = Group("list", members[0].at, members[-1].end, items)
    pairs.append(Pair(Text(element.name, element.at, element.begin), listed))
    return Group("object", element.at, element.end, pairs)


def _leaf(element: Element, text: str) -> Node:
    """Return an element without children: its value or text, or its attributes as an object."""
    inside = "" if element.stop <= element.begin else text[element.begin : element.stop]
    inside = _COMMENT.sub(lambda comment: " " * len(comment[0]), inside)
    begin = element.begin + len(inside) - len(inside.lstrip())
    said = Text(inside.strip(), begin, begin + len(inside.strip()), quoted=True)
    if not element.attributes:
        return _value_in(said, text) or said
    pairs = list(element.attributes)
    if said.value:
        pairs.append(Pair(Text("text", begin, begin), said))
    return Group("object", element.at, max(element.end, element.begin), [*pairs])


def _value_in(said: Text, text: str) -> Group | None:
    """Return the value in brackets that an element holds and nothing else; None if it does not."""
    if said.value[:1] + said.value[-1:] not in ("{}", "[]"):
        return None
    group = scan_block(text, said.at, end=said.end, most=MAX_ENCODED).group
    is_whole = group.end == said.end and not group.is_open
    return group if is_whole and is_structured(group) else None
