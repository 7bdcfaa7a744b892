"""The operators of an answer: read, what they mean, and what a planner can use."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from eai import abilities
from eai.abilities import OperatorText
from eai.diagnosis import ErrorKind, Finding
from eai.nesting import decoding
from eai.semantics import Semantics
from eai.suites.transition.environment import OperatorEnvironment
from eai.text import lazy_pattern

if TYPE_CHECKING:
    from eai.abilities import OperatorReading
    from eai.pddl import Operator, ReadOperator

_BEGIN = "(:action"
_FENCE = "```json"
# The beginning of an operator, with its name.
_ACTION = lazy_pattern(r"\(:action\s+(\w+)\b")
# A comment goes to the end of its line.
_COMMENT = lazy_pattern(r";.*$", re.MULTILINE)
_BRACKET = lazy_pattern(r"[()]")
_KEYS = (":parameters", ":precondition", ":effect")
_JSON = frozenset('{["-0123456789tfnNI')  # what JSON can begin with
_DECODER = json.JSONDecoder()


# Depth of brackets up to which a plain pattern finds the end of a part.
_DEPTH = 8
_OUTSIDE = r"[^():]*"
_WITHIN = rf"{_OUTSIDE}(?:\(" * _DEPTH + _OUTSIDE + rf"\){_OUTSIDE})*" * _DEPTH
_PARTS = (rf"\({_OUTSIDE}\)", *[rf"\((?!\(){_WITHIN}\)"] * 2)
_KEYED = [f"{_OUTSIDE}{key}{_OUTSIDE}({part})" for key, part in zip(_KEYS, _PARTS, strict=True)]
_PLAIN = re.compile(_ACTION.pattern + "".join(_KEYED))
"""An operator whose parts come in their order, each closed before the next. No colon stands in
them, so no key and no other operator begins inside of a part."""


def find_operators(answer: str) -> Mapping[str, OperatorText] | None:
    """Return every ``(:action NAME`` in an answer with its parts, by name.

    Returns:
        Name to operator; of several with one name, the last. None if the evaluator calls the
        format wrong: the JSON has no text there, or a list of parameters does not end.
    """
    text = _content(answer)
    if not isinstance(text, str):
        return None
    if ";" in text:
        text = _COMMENT.sub("", text)
    line = " ".join(text.split())
    operators: dict[str, OperatorText] = {}
    introduction, *pieces = line.split(_BEGIN)
    for index, piece in enumerate(pieces):
        operator = _read_plain_operator(piece)
        if operator is None:
            # The operator does not end with its piece: a part may be found in a later one.
            read_so_far = _BEGIN.join((introduction, *pieces[:index], ""))
            return _read_remaining(line, len(read_so_far) - len(_BEGIN), operators)
        operators[operator.name] = operator
    return operators


@lru_cache(maxsize=1 << 12)
def _read_plain_operator(piece: str) -> OperatorText | None:
    """Return the operator in a text between two beginnings, if its parts are in order.

    Answers repeat operators, to the letter.
    """
    # No part begins within ") )", so it is replaced in all of them at once.
    match = _PLAIN.match((_BEGIN + piece).replace(") )", "))"))
    return OperatorText._make(match.groups()) if match else None


def _opened(block: str | None) -> str:
    """Return a block with the bracket that opens it; an empty one for a block without an end."""
    if block is None:
        return "(()"
    return f"({block}"


def _read_remaining(
    text: str, position: int, operators: dict[str, OperatorText]
) -> dict[str, OperatorText] | None:
    """Return the operators of a text, each searched for after the effect of the last.

    Args:
        text: The whole answer in one line.
        position: Where the search begins.
        operators: The operators before the position, to which the others are added.

    Returns:
        All operators by name; None if the parameters of one have no end.
    """
    while True:
        header = _ACTION.search(text, position)
        if header is None:
            return operators
        plain_operator = _PLAIN.match(text, header.start())
        if plain_operator is not None:
            parts = plain_operator.groups()[1:]
            position = plain_operator.end()
        else:
            key_positions = [text.find(key, header.end()) for key in _KEYS]
            if -1 in key_positions:
                return operators
            # If no bracket follows a key, this finds the beginning of the text, as published.
            blocks = [_block(text, text.find("(", start) + 1) for start in key_positions]
            if blocks[0] is None:
                return None
            parts = tuple(_opened(block) for block in blocks)
            # The published reader adds an offset in the last part to the position of its key.
            position = parts[2].find(")") + key_positions[2]
        cleaned_parts = [part.replace(") )", "))") for part in parts]
        name = header[1]
        operators[name] = OperatorText(name, *cleaned_parts)


def _content(answer: str) -> object:
    """Return the text in which operators are searched: the answer, or the output in its JSON."""
    if answer.startswith(_FENCE):
        answer = answer[len(_FENCE) :].strip("`")
    answer = answer.strip().replace("\n", "").replace("'", '"')
    # Only what begins like a value of JSON is decoded.
    if answer[:1] not in _JSON:
        return answer
    try:
        content, end = decoding(_DECODER, answer)(0)
    except ValueError:
        return answer
    # Words behind the value: then all of it is taken as it is.
    if end < len(answer):
        return answer
    if isinstance(content, dict):
        return content.get("output")
    return content


def _block(text: str, start: int) -> str | None:
    """Return the text up to the bracket that closes an open one, or None."""
    if start >= len(text):
        return None
    if text[start] == ")":
        return ")"
    depth = 1
    for bracket in _BRACKET.finditer(text, start + 1):
        depth += 1 if bracket[0] == "(" else -1
        if not depth:
            return text[start : bracket.end()]
    return None


_KINDS = {
    "undeclared-predicate": ErrorKind.PREDICATE_HALLUCINATION,
    "undeclared-object": ErrorKind.OBJECT_HALLUCINATION,
    "undeclared-type": ErrorKind.OBJECT_HALLUCINATION,
    "unbound-variable": ErrorKind.OBJECT_HALLUCINATION,
    "wrong-arity": ErrorKind.ARGUMENT_NUMBER,
    "ill-typed": ErrorKind.ARGUMENT_NUMBER,
}
_NOTHING: Mapping[str, None] = {}


class WrittenOperators(NamedTuple):
    """The operators of an answer."""

    names: Collection[str] = ()  # in the order of the answer
    read: Callable[[str], ReadOperator | None] = _NOTHING.__getitem__  # None if it is no operator
    texts: Mapping[str, OperatorText] | None = None  # if they were found by a pattern
    findings: tuple[Finding, ...] = ()  # what is wrong with them
    replaced: tuple[str, ...] = ()  # written again, otherwise: the last one counts
    notes: tuple[str, ...] = ()  # what was left out

    def text(self, name: str) -> str:
        """Return the text of an operator, perhaps with what follows it."""
        if self.texts is not None:
            return str(self.texts[name])
        read = self.read(name)
        return "" if read is None else read.place.source.text[read.place.position :]


def read_answer(
    environment: OperatorEnvironment, answer: str, semantics: Semantics
) -> WrittenOperators | None:
    """Return the operators of an answer, or None if the published evaluator rejects the format."""
    if "operators_by_pattern" not in semantics:
        reading = abilities.read_operators(answer, environment.domain, environment.operators)
        return _as_operators(reading, answer)
    texts = find_operators(answer)
    if texts is None:
        return None
    # Read on demand, as the comparison of forms does not need them.
    return WrittenOperators(texts, lambda name: environment.read(str(texts[name])), texts)


def _as_operators(reading: OperatorReading, answer: str) -> WrittenOperators:
    """Return operators found by the general reader, with findings on them."""
    named = {read.operator.name: read for read in reading.operators}
    findings = list(_findings(reading, named.values(), answer))
    if not named and not findings:
        findings.append(Finding(ErrorKind.PARSING, "the answer has no operators in it"))
    replaced: dict[str, None] = {}
    for read in reading.operators:
        name = read.operator.name
        if read.operator != named[name].operator:
            replaced[name] = None
    return WrittenOperators(
        named, named.__getitem__, None, tuple(findings), tuple(replaced), reading.notes
    )


def _findings(
    reading: OperatorReading, operators: Iterable[ReadOperator], answer: str
) -> Iterator[Finding]:
    """Yield the problems of an answer and of its operators.

    Args:
        reading: The reading of the answer.
        operators: The operators that count: of several with one name, the last.
        answer: The answer.
    """
    from eai.answers import offset_in_original, remove_invisible

    _, gaps = remove_invisible(answer)
    for text, start in reading.problems:
        yield Finding(ErrorKind.PARSING, text, position=start)
    for issue in chain(reading.outside, *(read.issues for read in operators)):
        if issue.severity != "error":
            continue
        kind = _KINDS.get(issue.kind, ErrorKind.PARSING)
        line = f"line {issue.line}: " if issue.line else ""
        position = None
        if issue.place:
            # Issues count positions in the text that was read, findings in the answer.
            position = offset_in_original(issue.place.position, gaps)
        yield Finding(kind, f"{line}{issue.where}: {issue.message}", position=position)


def usable(
    environment: OperatorEnvironment, written: WrittenOperators, semantics: Semantics
) -> Iterator[tuple[str, Operator | str]]:
    """Yield the operators of an answer by name, each parsed or with the planner's objection.

    Args:
        environment: The environment, which reads and translates operators.
        written: The operators of the answer.
        semantics: Decides whether operators are read as the published planner does.
    """
    for name in written.names:
        if "undeclared_names_accepted" in semantics:
            yield name, environment.translated(name, written.text(name))
            continue
        reading = written.read(name)
        if reading is not None and reading.sound:
            yield name, reading.operator
        else:
            yield name, "it has mistakes"


def usable_operators(
    environment: OperatorEnvironment, written: WrittenOperators, semantics: Semantics
) -> tuple[Operator, ...] | str:
    """Return the operators that a planner gets, or its reason to refuse them.

    Args:
        environment: The environment, which has the annotated operators.
        written: The operators of the answer.
        semantics: Decides whether a planner gets annotated operators in place of missing ones.
    """
    operators: dict[str, Operator] = {}
    for name, operator in usable(environment, written, semantics):
        if not isinstance(operator, str):
            operators[name] = operator
        elif "undeclared_names_accepted" in semantics:
            # The published planner reads all of a domain, or nothing of it.
            return operator
    if "gold_operators_filled_in" in semantics:
        for name, annotated in environment.operators.items():
            if name not in written.names:
                operators[name] = annotated
    return tuple(operators.values())
