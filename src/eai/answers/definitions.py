"""The domain or problem in PDDL that an answer means.

The stages are those of all answers (:mod:`eai.answers`): an item is ``(define (problem ...) ...)``
or ``(define (domain ...) ...)``, in a fence, in a string of a value or between sentences.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from eai.answers.candidates import candidate_at, choose_in_document
from eai.answers.choice import Candidate
from eai.answers.document import Block, Document, open_document
from eai.pddl.text import definitions_in, plain_source, scan

_FRAMING = 3
"""Number of lines before a definition that frame it."""


@dataclass(frozen=True, slots=True)
class DefinitionReading:
    """The definition that was read out of an answer.

    Args:
        text: The definition; the whole answer if none was found or meant.
        is_found: Whether there is one.
        rule: The rule that chose it of several; empty if there was one.
        count: Number of definitions that were found.
    """

    text: str
    is_found: bool = True
    rule: str = ""
    count: int = 1


def read_definition(answer: str, kind: str) -> DefinitionReading:
    """Return the definition that an answer means. Nothing in an answer raises an error.

    Args:
        answer: What the model wrote.
        kind: ``"domain"`` or ``"problem"``.

    Examples:
        >>> read_definition("Here it is: (define (problem p) (:goal (done))) Done.", "problem").text
        '(define (problem p) (:goal (done)))'
    """
    plain = plain_source(answer, "answer").text
    texts = list(_find_definitions(plain, kind))
    if not texts:
        return DefinitionReading(answer, is_found=False, count=0)
    if len(set(texts)) == 1:
        return DefinitionReading(texts[-1])
    document = open_document(answer)
    # A definition that is only thought of is no part of the document.
    answered = [text for text in texts if text in document.text]
    texts = answered or texts
    candidates = [_candidate_of_definition(document, text) for text in texts]
    chosen, rule = choose_in_document(document, candidates)
    if chosen is None:
        return DefinitionReading(answer, is_found=False, rule=rule, count=len(texts))
    if len(texts) == 1:
        rule = ""
    return DefinitionReading(chosen.items[0], rule=rule, count=len(texts))


def _find_definitions(text: str, kind: str) -> Iterator[str]:
    """Yield the definitions in a text that are of a kind, ``"domain"`` or ``"problem"``."""
    for definition in definitions_in(text):
        if definition.kind == kind:
            definition_text = text[definition.start : definition.end]
            yield definition_text[: _length_of_definition(definition_text)]


def _length_of_definition(text: str) -> int:
    """Return the length of a definition, from its first bracket to the one that closes it.

    If brackets are missing, it ends with the code fence or with the text.
    """
    depth = 0
    for word in scan(text):
        depth += (word.kind == "OPEN") - (word.kind == "CLOSE")
        if depth == 0 and word.kind == "CLOSE":
            return word.start + 1
    for fence in ("```", "~~~"):
        if fence in text:
            return text.index(fence)
    return len(text)


def _candidate_of_definition(document: Document, text: str) -> Candidate[str]:
    """Return a definition as a candidate, framed by the lines before it.

    Args:
        document: The answer.
        text: The definition.
    """
    start = document.text.find(text)
    next_index = bisect_right([block.at for block in document.blocks], start)
    blocks_above = document.blocks[:next_index] or [Block(0, "")]
    framing = [block.text for block in blocks_above[-1 - _FRAMING : -1]]
    definition: Candidate[str] = candidate_at(Candidate, blocks_above[-1], framing)
    definition.items = [text]
    definition.at = max(start, 0)
    definition.end = definition.at + len(text)
    definition.is_formal = blocks_above[-1].fence is not None
    definition.is_whole = True
    return definition
