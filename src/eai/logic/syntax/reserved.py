"""Words that are operators, and names that are mistaken for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from eai.logic.vocabulary import LogicVocabulary

__all__ = ["is_reserved", "misread", "misreading"]

_KEYWORD = re.compile(
    "then|iff|implies|xor|or|and|not|forall|exists|forn|forpairs|fornpairs|exactly|at-?least|at-?most|true|false|last"
    "|first|next|wnext|eventually|sometime|always|previous|wprevious|once|historically|until"
    "|release|wuntil|srelease|since|trigger|at-end|at-most-once|sometime-after|sometime-before"
    "|within|always-within|hold-during|hold-after",
    re.IGNORECASE,
)
_OPERATOR = re.compile("[XFG]+|[YZOHURVWMST]|[Ww][XY]")
# The letters of operators with two sides are names in front of a parenthesis.
_PRIMITIVE = re.compile(r'"(?:[^"\\]|\\.)*"?|(?<![\w.-])([\w-]+)\s*\(')
_BINARY = re.compile("[URVWMST]")


def is_reserved(name: str) -> bool:
    """Whether a name has to stand in quotes, because without them it is a word of the notation."""
    return bool(_KEYWORD.fullmatch(name) or _OPERATOR.fullmatch(name))


def misread(text: str, vocabulary: LogicVocabulary) -> Iterator[tuple[int, str]]:
    """Yield where an operator stands like a primitive of the vocabulary with the same name.

    Args:
        text: A formula in the default notation.
        vocabulary: The names that may have been meant.

    Yields:
        The place of the word, and the name in the vocabulary's spelling.
    """
    for match in _PRIMITIVE.finditer(text):
        word = match.group(1)
        if word is not None and is_reserved(word) and not _BINARY.fullmatch(word):
            name = vocabulary.find_predicate(word) or vocabulary.find_action(word)
            if name is not None:
                yield match.start(), name


def misreading(word: str) -> str:
    """Return how the reader of an error learns what happened to a name.

    Args:
        word: The name, in the vocabulary's spelling.
    """
    return f'without quotes {word!r} is an operator; write "{word}"(...) for the name'
