"""Operators in a text or in a value: actions of PDDL, or their four parts one by one.

An action of PDDL is an item wherever it stands: in a fence, a string of JSON, or between words. An
operator whose parts stand apart (an object of JSON, elements of XML, a section of Markdown, a row
of a table) is put together to an action.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from eai.answers import (
    MAX_NESTING,
    Block,
    Cleaned,
    Document,
    Group,
    Node,
    Pair,
    Region,
    Text,
    parse_document,
    plain_key,
    squeezed,
)
from eai.text import line_start

_ACTION = re.compile(
    r"(?:\(\s{0,40}|(?<![\"'\w])):action\b(?:\s|\\[nrt]){0,40}?([^\s():\\]+)", re.IGNORECASE
)
_WITHOUT_COLON = re.compile(
    r"(?<=\()(action)(?=\s+[^\s():]+\s+:(?:parameters|precondition|effect))"
)
"""The keyword of an action without its colon: ``(action walk :parameters ...``."""
_BRACKETS = re.compile(r";(?:(?!\\n)[^\n])*|[()]")
_CLOSING = re.compile(r"[\"'`]")
"""A sign behind an action without its last brackets: the answer does not end there."""
_DOUBLED = re.compile(r":(?:precondition|effect)s?(?:\s|\\n)*(\()(?:\s|\\n)*\(", re.IGNORECASE)
_EFFECT = re.compile(r":effects?\b(?:\s|\\n)*\(", re.IGNORECASE)
_KEYWORD = re.compile(r":(?:parameters|preconditions?|effects?)\b", re.IGNORECASE)
_PARTS = {
    **dict.fromkeys(("parameters", "parameter", "params", "args", "arguments"), "parameters"),
    **dict.fromkeys(
        ("precondition", "preconditions", "pre", "requires", "requirements"), "precondition"
    ),
    **dict.fromkeys(("effect", "effects", "postcondition", "postconditions", "post"), "effect"),
}
_ADDED = frozenset({"add", "adds", "added", "add_effects", "add_list", "positive"})
_DELETED = frozenset(
    {"del", "delete", "deletes", "deleted", "remove", "delete_effects", "delete_list", "negative"}
)
"""Keys under which an effect lists what it makes true, and what it makes false."""
_NAMES = ("name", "action", "action_name", "operator", "operator_name", "id", "title")
_LABEL = re.compile(
    r"(?<![:\w?(-])(?:action[ _])?"
    r"(?P<part>parameters?|params|arguments|args|preconditions?|pre|requirements|requires|effects?"
    r"|postconditions?|post)"
    r"\b[\"'`*_]*\s*(?:\([^()?]*\)\s*)?[:=][\s\"'`*|>_]*(?=[(\[?{]|none\b|not\s*\(|$|-\s)",
    re.IGNORECASE | re.MULTILINE,
)
_NAMED = re.compile(
    r"(?<![\w:?])(?:action|operator|name)(?:[ _]name)?[\"'`*_]*\s*[#\d.]*"
    r"\s*[:=][\s\"'`*_]*([A-Za-z][\w-]*)",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"(?<![\w?:-])[A-Za-z][\w-]*")
_EMPTY = frozenset({"", "none", "()", "null", "n/a", "-", "true"})
_BRACKET_OR_OR = re.compile(r"[()]|\bor\b|\|\||\u2228", re.IGNORECASE)
_CALL = re.compile(r"(not\s+|!|\u00ac)?\s*([A-Za-z][\w-]*)\s*\(([^()]*)\)")
_JOINED = re.compile(r"\s*(?:,(?![^()]*\))|;|&+|\u2227|\band\b(?![^()]*\)))\s*", re.IGNORECASE)


@dataclass(slots=True)
class OperatorItem:
    """One operator of an answer.

    Args:
        name: Its name as it is written.
        at: Offset of its first character.
        end: Offset after its last character.
        text: The action, put together from its parts; empty if it stands in the answer as one.
        is_cut: Whether the answer ends inside it.
    """

    name: str
    at: int
    end: int
    text: str = ""
    is_cut: bool = False


@dataclass(slots=True)
class _Parts:
    """The parts of an operator that were found so far."""

    name: str
    at: int
    end: int
    parts: dict[str, str] = field(default_factory=dict)

    def item(self) -> OperatorItem:
        """Return the operator with the parts that are there."""
        written = {"parameters": "()", "precondition": "()", "effect": "()"} | self.parts
        lines = "\n  ".join(f":{key} {text}" for key, text in written.items())
        return OperatorItem(self.name, self.at, self.end, f"(:action {self.name}\n  {lines})")


def operators_in(document: Document, names: Collection[str], depth: int = 0) -> list[OperatorItem]:
    """Return the operators of a document in their order.

    Args:
        document: The answer.
        names: Names of the operators that the task knows.
        depth: How deep the text stands in strings of other texts.
    """
    actions = list(_actions(document)) or list(_actions_without_colon(document.text))
    if actions:
        return actions
    items: list[OperatorItem] = []
    for block in document.blocks:
        items += _in_value(block.value, "", depth, document.text, names)
    return items or _in_text(document, names)


def _actions(document: Document) -> Iterator[OperatorItem]:
    """Yield the PDDL actions in a document.

    An action extends from its ``(:action`` at most to the next one. If the answer ends inside an
    action, it is marked as cut off, unless only the last bracket is missing.
    """
    text = document.text
    fences = [region for region in document.regions if region.kind == "fence"]
    keywords = list(_ACTION.finditer(text))
    next_starts = [keyword.start() for keyword in keywords[1:]]
    for keyword, next_start in zip(keywords, (*next_starts, len(text)), strict=False):
        start = keyword.start()
        # The last fence of an answer may lack its end.
        fence_end = _end_of_fence(fences, start, next_start)
        end, open_brackets = _end_of(text, start, min(next_start, fence_end))
        is_last = next_start == fence_end == len(text) and _CLOSING.search(text, end) is None
        # If only the last bracket is missing, the action is complete otherwise.
        has_effect = _EFFECT.search(text, start, end) is not None
        is_whole = open_brackets == 1 and text[start] == "(" and has_effect
        is_cut = open_brackets > 0 and is_last and not is_whole
        yield OperatorItem(keyword[1], start, len(text) if is_cut else end, is_cut=is_cut)


def _end_of_fence(fences: Iterable[Region], at: int, limit: int) -> int:
    """Return the end of the code block in which an offset stands, else a limit."""
    for fence in fences:
        if fence.start <= at < fence.end:
            return fence.end
    return limit


def _actions_without_colon(text: str) -> Iterator[OperatorItem]:
    """Yield the actions in a text whose keyword lacks its colon.

    ``(action wash :parameters (?c) ...)`` is read as ``(:action wash ...)``. Each action ends at
    the latest where the next one begins.
    """
    keywords = list(_WITHOUT_COLON.finditer(text))
    # One character before the next keyword is its bracket.
    limits = [*(keyword.start() - 1 for keyword in keywords[1:]), len(text)][: len(keywords)]
    for keyword, limit in zip(keywords, limits, strict=True):
        start = keyword.start() - 1
        end, open_brackets = _end_of(text, start, limit)
        name = text[keyword.end() : end].split(maxsplit=1)[0]
        is_cut = open_brackets > 0 and limit == len(text)
        yield OperatorItem(name, start, end, f"(:{text[start + 1 : end]}", is_cut=is_cut)


def _end_of(text: str, start: int, limit: int) -> tuple[int, int]:
    """Return the offset at which an action ends, and the number of missing brackets there.

    The action ends with the bracket that closes it. If another part (``:effect``) follows, this
    bracket was superfluous, and the action goes on.

    Args:
        text: The text.
        start: Offset of the action's opening bracket, or of its keyword if it has none.
        limit: Offset that the action cannot reach beyond.
    """
    # Without an opening bracket, the action counts as open.
    depth = 0 if text[start] == "(" else 1
    last_closing = start
    for bracket in _BRACKETS.finditer(text, start, limit):
        if bracket[0] == "(":
            depth += 1
        elif bracket[0] == ")":
            depth -= 1
            last_closing = bracket.end()
        else:
            continue
        if depth <= 0 and _KEYWORD.search(text, bracket.end(), limit) is None:
            return bracket.end(), 0
    # Without any closing bracket, the action takes all text up to the limit.
    if last_closing == start:
        last_closing = limit
    return last_closing, max(depth, 0)


def without_doubled_brackets(text: str) -> str:
    """Return an action, of the same length, without brackets around a condition in brackets.

    ``:precondition ((and (on ?x)))`` becomes ``:precondition  (and (on ?x)) ``.
    """
    doubled = list(_DOUBLED.finditer(text))
    if not doubled:
        return text
    closing = _closing_brackets(text)
    for match in doubled:
        start = match.start(1)
        outer_end = closing.get(start)
        if outer_end is None:
            continue
        # Only blanks are between the opening brackets, so the inner one is closed, too.
        inner_end = closing[match.end() - 1]
        # Between the two closing brackets there may only be blanks and escaped line breaks.
        text_between = text[inner_end + 1 : outer_end].replace("\\n", "").strip()
        if not text_between:
            text = f"{text[:start]} {text[start + 1 : outer_end]} {text[outer_end + 1 :]}"
    return text


def _closing_brackets(text: str) -> dict[int, int]:
    """Return for the offset of each bracket that is closed the offset of the one that closes it."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for bracket in _BRACKETS.finditer(text):
        if bracket[0] == "(":
            opened.append(bracket.start())
        elif bracket[0] == ")" and opened:
            closing[opened.pop()] = bracket.start()
    return closing


# ---------------------------------------------------------------- parts in values


def _in_value(
    node: Node | Pair | None, key: str, depth: int, text: str, names: Collection[str]
) -> Iterator[OperatorItem]:
    """Yield the operators whose parts are in an object, in the order of the value.

    ``{"wash": {"parameters": "(?c)", "precondition": ..., "effect": ...}}`` is one.

    Args:
        node: The value, or a pair of key and value.
        key: The last key around it, which may be the name of the operator.
        depth: How many documents are around it.
        text: The text of the document.
        names: Names of the operators that the task knows.
    """
    if node is None:
        return
    if isinstance(node, Pair):
        yield from _in_value(node.value, node.key.value, depth, text, names)
        return
    if isinstance(node, Text):
        if depth < MAX_NESTING:
            yield from _in_string(node, depth, names)
        return
    operator = _operator(node, key, text)
    if operator is not None:
        yield operator
        return
    # A value that is no operator may contain some.
    for item in node.items:
        yield from _in_value(item, key, depth, text, names)


def _in_string(node: Text, depth: int, names: Collection[str]) -> Iterator[OperatorItem]:
    """Yield the operators of a string that holds a document of its own, such as a code block."""
    written = node.value.strip()
    if written[:1] not in ("[", "{") and "\n" not in written:
        # A string in one line is a name or a condition.
        return
    for operator in operators_in(parse_document(Cleaned(written)), names, depth + 1):
        # Without a text an operator is read at its offset in the answer, which a string hides.
        if operator.text:
            yield OperatorItem(operator.name, node.at, node.end, operator.text, operator.is_cut)


def _operator(node: Group, key: str, text: str) -> OperatorItem | None:
    """Return the operator in a JSON object with its parts as keys; None if there is none.

    Args:
        node: The object.
        key: The key above it, its name if it does not state one.
        text: The text of the document.
    """
    pair_by_part = {
        _plain_part(operator_item.key.value): operator_item
        for operator_item in node.items
        if isinstance(operator_item, Pair)
    }
    operator = _Parts(_name_of_object(pair_by_part) or key, node.at, node.end)
    if "parameters" in pair_by_part:
        operator.parts["parameters"] = _parameters(pair_by_part["parameters"].value, text)
    for part in ("precondition", "effect"):
        if part in pair_by_part:
            operator.parts[part] = _condition(pair_by_part[part].value, text)
    # A single part is not enough, because "effect" is also a key of explanations.
    if len(operator.parts) < 2 or not _IDENTIFIER.fullmatch(operator.name):
        return None
    operator_item = operator.item()
    operator_item.is_cut = node.cut
    return operator_item


def _name_of_object(pairs: Mapping[str, Pair]) -> str | None:
    """Return the name under a key of a JSON object; None if it has none."""
    for key in _NAMES:
        value = pairs[key].value if key in pairs else None
        if isinstance(value, Text) and value.value.strip():
            return value.value.strip().strip("`*\"' ")
    return None


def _plain_part(key: str) -> str:
    """Return the part of an operator that a key names; the plain key if it names none."""
    plain = plain_key(key).removeprefix("action_").strip(":")
    return _PARTS.get(plain, plain_key(key).strip(":"))


def _parameters(node: Node | None, text: str) -> str:
    """Return parameters as PDDL writes them, however a value lists them.

    ``["?x - cup", "?y"]`` becomes ``(?x - cup ?y)``.
    """
    if node is None:
        return "()"
    if isinstance(node, Text):
        return _bracketed(node.value)
    if text[node.at : node.at + 1] == "(":
        return text[node.at : node.end]
    return _bracketed(" ".join(map(_parameter, node.items)))


def _parameter(item: Node | Pair) -> str:
    """Return one parameter of a list as PDDL writes it: ``?x - thing``.

    It may be written as ``"?x - thing"``, ``{"?x": "thing"}``, ``["?x", "thing"]`` or ``{"name":
    "?x", "type": "thing"}``.
    """
    if isinstance(item, Pair):  # {"?x": "thing"}
        type_name = item.value.value if isinstance(item.value, Text) else "object"
        return f"{item.key.value} - {type_name}"
    if isinstance(item, Text):
        return item.value.strip("()")
    values: list[str] = []  # {"name": "?x", "type": "thing"}
    texts: list[str] = []  # ["?x", "thing"]
    for member in item.items:
        if isinstance(member, Text):
            texts.append(member.value)
        elif isinstance(member, Pair) and isinstance(member.value, Text):
            values.append(member.value.value)
    return " - ".join(values or texts)


def _bracketed(text: str) -> str:
    """Return parameters in the brackets of PDDL: ``(?x - thing)`` for ``?x: thing``."""
    bare = text.strip().strip("`")
    if bare.lower() in _EMPTY:
        return "()"
    if bare.startswith("(") and bare.endswith(")"):
        return bare.replace(",", " ")
    return f"({re.sub(r'[,;]', ' ', bare).replace(':', ' - ')})"


def _condition(node: Node | None, text: str) -> str:
    """Return a condition or effect in PDDL, from any notation that a value may have.

    ============================== ============================
    value                          condition
    ============================== ============================
    ``"on ?x"``                    ``(on ?x)``
    ``(and (on ?x) (clean ?x))``   the same text
    ``{"and": ["on(?x)", ...]}``   ``(and (on ?x) ...)``
    ``["on ?x", "not wet ?x"]``    ``(and (on ?x) (not (wet ?x)))``
    ============================== ============================
    """
    if node is None:
        return "()"
    if isinstance(node, Text):
        return _conjunction([node.value])
    if text[node.at : node.at + 1] == "(":
        return text[node.at : node.end]
    conditions = _conditions_in(node, text)
    for pair in node.items:
        if isinstance(pair, Pair):
            conditions += _conditions_under_key(pair, text)
    return _conjunction(conditions)


def _conditions_under_key(pair: Pair, text: str) -> list[str]:
    """Return the conditions under a connective or under what an effect adds or deletes."""
    if pair.name in ("and", "or", "not"):
        return [_of_connective(pair.name, pair.value, text)]
    if pair.name in _ADDED:
        return [_condition(pair.value, text)]
    if pair.name in _DELETED:
        return _denied_conditions(pair.value, text)
    return []


def _denied_conditions(node: Node | None, text: str) -> list[str]:
    """Return the negated conditions of a value that lists what an effect deletes."""
    if node is None:
        return []
    written = [node.value] if isinstance(node, Text) else _conditions_in(node, text)
    denied: list[str] = []
    for condition in written:
        denied += [f"(not {part})" for part in _conditions(condition)]
    return denied


def _of_connective(connective: str, node: Node | None, text: str) -> str:
    """Return the condition of an object such as ``{"or": ["(on ?x)", "(off ?x)"]}``."""
    if connective == "or" and isinstance(node, Group):
        alternatives = [_conjunction([condition]) for condition in _conditions_in(node, text)]
        return f"(or {' '.join(alternatives)})"
    inner = _condition(node, text)
    return inner if connective == "and" else f"({connective} {inner})"


def _conditions_in(node: Group, text: str) -> list[str]:
    """Return the conditions that a list holds."""
    conditions: list[str] = []
    for item in node.items:
        if isinstance(item, Text):
            conditions.append(item.value)
        elif not isinstance(item, Pair):
            conditions.append(_condition(item, text))
    return conditions


def _conjunction(texts: Sequence[str]) -> str:
    """Return conditions that have to hold together as one."""
    parts = [part for text in texts for part in _conditions(text)]
    if not parts:
        return "()"
    return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"


def _conditions(text: str) -> list[str]:
    """Return the conditions in a text, written in PDDL.

    The text may use the notation of PDDL or of calls, or words: ``on(?x), not open(?x)`` has the
    conditions ``(on ?x)`` and ``(not (open ?x))``.
    """
    stripped = text.strip().strip("`").strip()
    if stripped.lower() in _EMPTY:
        return []
    if _WITHOUT_BRACKETS.match(stripped) is not None:
        stripped = f"({stripped})"
    alternatives = _alternatives(stripped)
    if len(alternatives) > 1:
        conditions = " ".join(_conjunction([alternative]) for alternative in alternatives)
        return [f"(or {conditions})"]
    if _BEGINS_WITH_BRACKET.match(stripped) is not None:
        return [group.condition for group in _groups(stripped, _CONJOINING)] or [stripped]
    literals_as_text = [literal_text.strip() for literal_text in _JOINED.split(stripped)]
    return [_literal(literal_text) for literal_text in literals_as_text if literal_text]


def _literal(text: str) -> str:
    """Return a literal in PDDL's notation.

    ``!on(?x, ?y)`` and ``not on ?x ?y`` become ``(not (on ?x ?y))``.
    """
    call = _CALL.fullmatch(text)
    if call is not None:
        negation, predicate, arguments = call.groups()
        literal = f"({' '.join([predicate, *arguments.replace(',', ' ').split()])})"
        return f"(not {literal})" if negation else literal
    words = text.split()
    if words[0].lower() == "not" and len(words) > 1:
        return f"(not ({' '.join(words[1:])}))"
    return f"({text})"


def _alternatives(text: str) -> list[str]:
    """Split a condition at each ``or`` outside of brackets.

    ``(on ?x) or (off ?x)`` has the parts ``(on ?x)`` and ``(off ?x)``; without ``or`` the whole
    text is the only part.
    """
    alternatives: list[str] = []
    start = depth = 0
    for match in _BRACKET_OR_OR.finditer(text):
        if match[0] in "()":
            depth += 1 if match[0] == "(" else -1
        elif depth == 0:
            alternatives.append(text[start : match.start()])
            start = match.end()
    return [*alternatives, text[start:]]


class _Group(NamedTuple):
    """Outermost brackets of a text.

    Args:
        start: Offset of the opening bracket.
        end: Offset after the closing one.
        condition: What they say, negated if ``not`` stands before them.
    """

    start: int
    end: int
    condition: str


_CONJOINING = frozenset({"and", "not"})
_JOINING = _CONJOINING | {"or"}
_WITHOUT_BRACKETS = re.compile(r"(?:and|or|when|imply|forall|exists)\s*\(", re.IGNORECASE)
"""A condition whose outermost brackets are missing: ``and (on ?x) (clean ?x)``."""
_BEGINS_WITH_BRACKET = re.compile(r"(?:not\s*)?\(", re.IGNORECASE)


def _groups(text: str, allowed_words: Collection[str]) -> Iterator[_Group]:
    """Yield the outermost brackets of a text, up to the first other word between them.

    A text with other words is a sentence, in which brackets are remarks.

    Args:
        text: The text.
        allowed_words: The words that may stand between brackets, beside signs.
    """
    depth = start = previous_end = 0
    is_denied = False
    for bracket in _BRACKETS.finditer(text):
        if bracket[0] not in "()":
            continue
        # An opening bracket outside of all others begins the next group.
        if depth == 0:
            words = re.findall(r"\w+", text[previous_end : bracket.start()].lower())
            if not set(words).issubset(allowed_words):
                return
            start = bracket.start()
            is_denied = words[-1:] == ["not"]
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            previous_end = bracket.end()
            yield _group(text, start, previous_end, is_denied=is_denied)
        if depth < 0:
            return
    if depth > 0:
        yield _group(text, start, len(text), is_denied=is_denied)


def _group(text: str, start: int, end: int, *, is_denied: bool) -> _Group:
    """Return the brackets between two offsets."""
    condition = text[start:end]
    if is_denied:
        condition = f"(not {condition})"
    return _Group(start, end, condition)


# ---------------------------------------------------------------- parts in lines and elements


class _Label(NamedTuple):
    """A label or an element that holds one part of an operator: ``Precondition: (on ?x)``.

    Args:
        at: Its offset.
        start: Offset of its content.
        limit: Offset up to which its content may reach.
        part: ``parameters``, ``precondition`` or ``effect``.
    """

    at: int
    start: int
    limit: int
    part: str


def _labels(document: Document) -> list[_Label]:
    """Return the labels and elements of parts of operators, in the order of the text.

    ``Precondition:`` and ``<precondition>`` both say that a precondition follows.
    """
    text = document.text
    labels: list[_Label] = []
    for match in _LABEL.finditer(text):
        labels.append(_Label(match.start(), match.end(), len(text), _PARTS[match["part"].lower()]))
    for region in document.regions:
        if region.kind != "tag":
            continue
        part_name = _PARTS.get(region.name.replace("action_", ""))
        # <precondition>Precondition: (on ?x)</precondition> has its label already.
        if part_name is None or any(region.start <= label.at < region.end for label in labels):
            continue
        labels.append(_Label(region.start, _behind_name(text, region), region.end, part_name))
    return sorted(labels)


def _in_text(document: Document, names: Collection[str]) -> list[OperatorItem]:
    """Return the operators that are written as parts with labels or in XML elements.

    A part that the current operator already has begins the next operator. The name of an operator
    is taken from the text before its first part.
    """
    text = document.text
    labels = _labels(document)
    label_limits = [*(label.at for label in labels[1:]), len(text)]
    operators: list[_Parts] = []
    previous_end = 0  # end of the previous part
    # Invariant: the parts before this label are in ``operators``, up to the offset ``end_before``.
    for label, next_label in zip(labels, label_limits, strict=False):
        if not operators or label.part in operators[-1].parts:
            name = _name_before(text[previous_end : label.at], names)
            if name is None:
                previous_end = label.start
                continue
            operators.append(_Parts(name, line_start(text, label.at), label.start))
        text_of_part = text[label.start : min(next_label, label.limit)]
        part_text, length = _part_in(text_of_part, label.part)
        operators[-1].parts[label.part] = part_text
        previous_end = label.start + length
        operators[-1].end = previous_end
    return [operator.item() for operator in operators if len(operator.parts) > 1]


def _part_in(body: str, part_name: str) -> tuple[str, int]:
    """Return a part of an operator in PDDL, and the length of the text that it takes.

    Args:
        body: The text behind the label of the part.
        part_name: ``parameters``, ``precondition`` or ``effect``.
    """
    groups = list(_groups(body, _JOINING))
    if not groups:
        length = len(body.partition("\n")[0])
        if part_name != "parameters":
            # Without brackets a condition cannot be told from the prose around it.
            return "()", length
        first_line = body.strip().partition("\n")[0]
        return _bracketed(first_line.strip("`*\"' ")), length
    length = groups[-1].end
    if part_name == "parameters":
        parameter_text = body[groups[0].start : groups[0].end]
        return _bracketed(parameter_text.strip("`*\"' ")), length
    opening = _BEGINS_WITH_BRACKET.search(body)
    condition_start = 0 if opening is None else opening.start()
    return _conjunction([body[condition_start:length]]), length


def _behind_name(text: str, element: Region) -> int:
    """Return the offset of an element's content.

    The text of an element begins with its name if the line of the name continues after it.
    """
    inside = text[element.start : element.end]
    begin = len(inside) - len(inside.lstrip())
    has_name = inside[begin:].lower().startswith(element.name)
    return element.start + begin + (len(element.name) if has_name else 0)


def _name_before(text: str, names: Collection[str]) -> str | None:
    """Return the name of an operator from the text before its parts; None if it has no word.

    These are tried in order: a label (``name: wash``), a word that is an operator of the task, a
    word with an underscore, any word. Of several, the last one counts.
    """
    labelled = list(_NAMED.finditer(text))
    if labelled:
        last_label = labelled[-1]
        return last_label[1]
    words = [match[0] for match in _IDENTIFIER.finditer(text)]
    squeezed_names = {squeezed(name) for name in names}
    for word in reversed(words):
        if squeezed(word) in squeezed_names:
            return word
    compound_words = [word for word in words if "_" in word] or words
    return compound_words[-1] if compound_words else None


def keys_over(block: Block, offset: int) -> list[str]:
    """Return the keys under which an offset stands in a value, the outermost first.

    In ``{"answer": {"wash": "(:action ...)"}}`` the action stands under ``answer`` and ``wash``.

    Args:
        block: The block of the value.
        offset: The offset.
    """
    keys: list[str] = []
    nodes: list[Node | Pair] = [block.value] if block.value is not None else []
    while nodes:
        node = nodes.pop()
        if isinstance(node, Pair):
            if node.value is not None and node.value.at <= offset < node.value.end:
                keys.append(node.key.value)
                nodes.append(node.value)
        elif isinstance(node, Group) and node.at <= offset < node.end:
            # At most one of them contains the offset, so the order does not matter.
            nodes += node.items
    return keys


def block_at(blocks: Sequence[Block], place: int) -> Block:
    """Return the last block that begins at or before a place; an empty one if there is none."""
    starts = [block.value.at if block.value is not None else block.at for block in blocks]
    position = bisect_right(starts, place) - 1
    return blocks[position] if position >= 0 else Block(place, "")
