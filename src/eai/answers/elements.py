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

from eai.answers.choice import frames_blocks
from eai.answers.decisions import names_option
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
        at: Offset of its first tag.
        content_start: Offset behind its first tag.
        attributes: Names and values of its attributes.
        children: The elements directly inside.
        content_end: Offset of its last tag.
        end: Offset behind its last tag; -1 as long as it is open.
        has_words: Whether it has text beside its children.
        is_call: Whether it is a call like those beside it (see :attr:`calls_with_keys`).
    """

    name: str
    at: int
    content_start: int
    attributes: list[Pair] = field(default_factory=list)
    children: list[Element] = field(default_factory=list)
    content_end: int = -1
    end: int = -1
    has_words: bool = False
    is_call: bool = False

    @property
    def names_value(self) -> bool:
        """Whether its only attribute names its text: ``<parameter name="object">cup</...>``."""
        return self.has_only_name and self.has_words

    @property
    def has_only_name(self) -> bool:
        """Whether it has one attribute, a name, and no children: ``<action name="STANDUP"/>``."""
        keys = [pair.key.value.lower() for pair in self.attributes]
        return keys in (["name"], ["key"]) and not self.children

    @property
    def calls_with_keys(self) -> bool:
        """Whether its children are the keys and values of a call in turn."""
        names = [child.name.lower() for child in self.children]
        return bool(names) and names == ["arg_key", "arg_value"] * (len(names) // 2)

    @property
    def has_only_objects(self) -> bool:
        """Whether it holds nothing but objects: ``<pour><object>...</object>...</pour>``."""
        if not self.is_record or self.attributes or self.name.lower() in _MEMBERS:
            return False
        return all(
            child.name.lower() in OBJECT_KEYS and not child.children for child in self.children
        )

    @property
    def is_record(self) -> bool:
        """Whether it has children, and no text beside them."""
        return bool(self.children) and not self.has_words


_BREAKS = frozenset(["br", "hr", "wbr"])
"""Tags of HTML that end a line, and hold nothing."""


def parse_elements(text: str) -> list[Element]:
    """Return the outermost elements of a text that are closed, in linear time."""
    outermost: list[Element] = []
    open_elements: list[Element] = []
    behind_last_tag = 0
    for tag in _TAG.finditer(text):
        if open_elements and _COMMENT.sub("", text[behind_last_tag : tag.start()]).strip():
            open_elements[-1].has_words = True
        behind_last_tag = tag.end()
        if tag[2].lower() in _BREAKS:
            continue
        is_end = tag[1] != ""
        if is_end:
            element = _closed_by(tag, open_elements, outermost)
        else:
            element = _begun_by(tag, open_elements)
        if element is not None:
            siblings = open_elements[-1].children if open_elements else outermost
            siblings.append(element)
    while open_elements:
        _dissolve_innermost(open_elements, outermost)
    return outermost


def _begun_by(tag: re.Match[str], open_elements: list[Element]) -> Element | None:
    """Return the empty element that a tag is; None if it begins one that another tag closes.

    Args:
        tag: The tag.
        open_elements: Receives the element that it begins, unless too many are open.
    """
    element = Element(tag[2], tag.start(), tag.end(), attributes_of(tag))
    is_empty = tag[4] != ""
    if is_empty:
        element.content_end = element.end = tag.end()
        return element
    if len(open_elements) < MAX_DEPTH:
        open_elements.append(element)
    return None


def _closed_by(
    tag: re.Match[str], open_elements: list[Element], outermost: list[Element]
) -> Element | None:
    """Return the element that a tag closes; None if no element of its name is open.

    Args:
        tag: The tag.
        open_elements: The open elements. The closed one and those inside of it are taken out.
        outermost: Receives the children of elements that are never closed and stand in none.
    """
    name = tag[2]
    if not any(element.name == name for element in open_elements[-MAX_DEPTH:]):
        return None
    # Elements that are open inside of it are never closed.
    while open_elements[-1].name != name:
        _dissolve_innermost(open_elements, outermost)
    element = open_elements.pop()
    element.content_end = tag.start()
    element.end = tag.end()
    return element


def _dissolve_innermost(open_elements: list[Element], outermost: list[Element]) -> None:
    """Turn the innermost open element, which is never closed, into words of its parent."""
    element = open_elements.pop()
    if open_elements:
        open_elements[-1].has_words = True
        open_elements[-1].children += element.children
    else:
        outermost += element.children


def attributes_of(tag: re.Match[str]) -> list[Pair]:
    """Return the attributes in the third group of a tag as keys and texts."""
    offset = tag.start()
    pairs: list[Pair] = []
    for attribute in _ATTRIBUTE.finditer(tag[3]):
        value = attribute[2] or attribute[3] or ""
        pairs.append(
            Pair(Text(attribute[1], offset, offset), Text(value, offset, offset, quoted=True))
        )
    return pairs


def records_in(elements: list[Element], framing: Collection[str]) -> list[Element]:
    """Return the outermost elements that are values, in order.

    These are calls, elements with nothing but elements inside, and lists of texts.

    Args:
        elements: The elements to look at and into.
        framing: Names of elements that only frame their content: ``<div>``, ``<answer>``.
    """
    records: list[Element] = []
    names_of_calls = {element.name for element in elements if element.calls_with_keys}
    for element in elements:
        if element.name in names_of_calls and (element.calls_with_keys or not element.children):
            element.is_call = True
            records.append(element)
        elif element.name.lower() not in framing and _is_whole_record(element):
            records.append(element)
        else:
            text_list = _list_of_texts(element, framing)
            records += records_in(element.children, framing) if text_list is None else [text_list]
    return records


def _is_whole_record(element: Element) -> bool:
    """Whether an element has several elements inside, and no words beside elements anywhere."""
    if not element.is_record:
        return False
    has_several = len(element.children) > 1 or bool(element.children[0].children)
    return has_several and _is_all_record(element)


def _list_of_texts(element: Element, framing: Collection[str]) -> Element | None:
    """Return the texts in an element that frames them as an element of their own.

    ``<answer><subgoal>...</subgoal><subgoal>...</subgoal></answer>`` is one list in an answer tag.
    None if it holds no such list.
    """
    members = _members_of_list(element) if element.is_record else []
    is_list = len(members) > 1 and members[0].name.lower() not in framing
    if not is_list or any(member.children or member.attributes for member in members):
        return None
    first_index = element.children.index(members[0])
    end_index = element.children.index(members[-1]) + 1
    begin, end = members[0].at, members[-1].end
    children = element.children[first_index:end_index]
    return Element(element.name, begin, begin, children=children, content_end=end, end=end)


def _is_all_record(element: Element) -> bool:
    """Whether neither an element nor one inside of it has words beside elements."""
    if not element.children:
        return True
    return not element.has_words and all(map(_is_all_record, element.children))


def value_of_element(element: Element, text: str) -> Node:
    """Return an element as a value: a text, an object, or a list of children of one name.

    Args:
        element: The element.
        text: The text in which it stands.
    """
    if element.is_call:
        return _call_with_keys(element, text)
    if not element.children:
        return _value_of_leaf(element, text)
    # Without words, a name is no key: beside it, <action name="WALK">hall</action> is a step.
    has_bare_names = any(child.has_only_name and not child.has_words for child in element.children)
    has_named_values = not has_bare_names and any(child.names_value for child in element.children)
    members = [] if has_named_values or element.attributes else _members_of_list(element)
    if members and len(members) == len(element.children):
        items = [_value_of_member(child, text) for child in members]
        return Group("list", element.at, element.end, [*items])
    if members:
        return _list_with_notes(element, members, text)
    pairs = list(element.attributes)
    for child in element.children:
        pairs.append(_named_value(child, text) if child.names_value else _pair_of(child, text))
    return Group("object", element.at, element.end, [*pairs])


def _pair_of(element: Element, text: str) -> Pair:
    """Return an element as a key, its name, with its value."""
    return Pair(
        Text(element.name, element.at, element.content_start), value_of_element(element, text)
    )


def _value_of_member(element: Element, text: str) -> Node:
    """Return a member of a list as a value; a text in ``<action>`` keeps that key."""
    value = value_of_element(element, text)
    if isinstance(value, Text) and element.name.lower() == "action":
        key = Text(element.name, element.at, element.content_start)
        return Group("object", element.at, element.end, [Pair(key, value)])
    return value


def _call_with_keys(element: Element, text: str) -> Group:
    """Return a call whose children are keys and values in turn as an object with a name.

    An example is
    ``<tool_call>walk<arg_key>object</arg_key><arg_value>hall</arg_value></tool_call>``.
    """
    name_at = element.content_start
    name_end = element.children[0].at if element.children else element.content_end
    name = text[name_at:name_end].strip()
    pairs: list[Item] = []
    if name:
        key = Text("name", element.at, name_at)
        pairs.append(Pair(key, Text(name, name_at, name_at + len(name), quoted=True)))
    leaves = [_value_of_leaf(child, text) for child in element.children]
    arguments: list[Item] = []
    for key_leaf, value in zip(leaves[::2], leaves[1::2], strict=True):
        if isinstance(key_leaf, Text):
            arguments.append(Pair(key_leaf, value))
    arguments_group = Group("object", name_end, element.content_end, arguments)
    pairs.append(Pair(Text("arguments", arguments_group.at, arguments_group.at), arguments_group))
    return Group("object", element.at, element.end, pairs)


def _named_value(element: Element, text: str) -> Pair:
    """Return ``<parameter name="object">cup</parameter>`` as the key and value that it means."""
    key = element.attributes[0].value
    assert isinstance(key, Text)  # noqa: S101 - attributes are texts
    begin = element.content_start
    value = text[begin : element.content_end].strip()
    return Pair(key, Text(value, begin, begin + len(value), quoted=True))


def _members_of_list(element: Element) -> list[Element]:
    """Return the children that are members of a list; empty if the children are keys.

    Children of one name are members, whatever notes stand beside them, unless the name is one of
    objects of an action, or each of them is an answer of its own.
    """
    counts = Counter(child.name for child in element.children)
    names = [name for name, count in counts.items() if not _is_note(name, count)]
    if not names:
        names = list(counts)
    if len(names) != 1:
        return []
    name = names[0].lower()
    if counts[names[0]] == 1:
        # <item> alone, or <step> alone in <steps>, is a list of one.
        is_list_of_one = name == "item" or element.name.lower().startswith(f"{name}s")
        return element.children if is_list_of_one and len(counts) == 1 else []
    is_key = name in OBJECT_KEYS | PARAMETERS or _is_whole_answer(name)
    is_member = name in _MEMBERS or name in element.name.lower()
    if is_key and not is_member:
        return []
    return [child for child in element.children if child.name == names[0]]


def _is_note(name: str, count: int) -> bool:
    """Whether some elements of a name are notes beside a list: explanations, or a single remark."""
    lower = name.lower()
    return lower in EXPLAINING or (count == 1 and lower in ASIDE_KEYS)


def _is_whole_answer(name: str) -> bool:
    """Whether elements of a name are several answers, not parts of one."""
    return frames_blocks("tag", name) or names_option(f"{name.replace('_', ' ')} 1")


def _list_with_notes(element: Element, members: list[Element], text: str) -> Group:
    """Return an element as an object: its notes, and a list of its members under its own name.

    ``<plan><note>ok</note><step>walk</step><step>open</step></plan>`` becomes
    ``{"note": "ok", "plan": ["walk", "open"]}``.

    Args:
        element: The element.
        members: Its children that are members of the list. All have the same name.
        text: The text in which it stands.
    """
    member_name = members[0].name
    notes = [child for child in element.children if child.name != member_name]
    pairs: list[Item] = [_pair_of(note, text) for note in notes]
    values: list[Item] = [_value_of_member(member, text) for member in members]
    value_list = Group("list", members[0].at, members[-1].end, values)
    list_key = Text(element.name, element.at, element.content_start)
    pairs.append(Pair(list_key, value_list))
    return Group("object", element.at, element.end, pairs)


def _value_of_leaf(element: Element, text: str) -> Node:
    """Return an element without children: its value or text, or its attributes as an object."""
    content_text = (
        ""
        if element.content_end <= element.content_start
        else text[element.content_start : element.content_end]
    )
    content_text = _COMMENT.sub(lambda comment: " " * len(comment[0]), content_text)
    stripped_text = content_text.strip()
    stripped_start = element.content_start + len(content_text) - len(content_text.lstrip())
    content_value = Text(
        stripped_text, stripped_start, stripped_start + len(stripped_text), quoted=True
    )
    if not element.attributes:
        return _value_in(content_value, text) or content_value
    pairs = list(element.attributes)
    is_named_object = element.has_only_name and element.name.lower() in OBJECT_KEYS
    if is_named_object and not stripped_text and isinstance(pairs[0].value, Text):
        return pairs[0].value  # <object name="cup"/> is the object
    if stripped_text:
        pairs.append(Pair(Text("text", stripped_start, stripped_start), content_value))
    return Group("object", element.at, max(element.end, element.content_start), [*pairs])


def _value_in(content: Text, text: str) -> Group | None:
    """Return the value in brackets that is the whole content of an element; None if it is none."""
    if content.value[:1] + content.value[-1:] not in ("{}", "[]"):
        return None
    group = scan_block(text, content.at, end=content.end, max_tokens=MAX_ENCODED).group
    is_whole = group.end == content.end and not group.is_open
    return group if is_whole and is_structured(group) else None
