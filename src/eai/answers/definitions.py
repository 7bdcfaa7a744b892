"""The domain or problem in PDDL that an answer means.

The stages are those of all answers (:mod:`eai.answers`): an item is ``(define (problem ...) ...)``
or ``(define (domain ...) ...)``, in a fence, in a string of a value or between sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from eai.answers.choice import Candidate, choose, marks_answer
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
    found = list(_definitions(plain, kind))
    if not found:
        return DefinitionReading(answer, is_found=False, count=0)
    if len({text for _, _, text in found}) == 1:
        return DefinitionReading(found[-1][2])
    document = open_document(answer)
    # What was only thought of is no part of the document.
    found = [item for item in found if item[2] in document.text] or found
    candidates = [_candidate(document, text) for _, _, text in found]
    before = plain[: found[0][0]]
    tail = plain[found[-1][1] :]
    chosen, rule = choose(candidates, tail, before)
    if chosen is None:
        return DefinitionReading(answer, is_found=False, rule=rule, count=len(found))
    is_chosen = len(found) > 1
    return DefinitionReading(chosen.items[0], rule=rule if is_chosen else "", count=len(found))


def _definitions(text: str, kind: str) -> Iterator[tuple[int, int, str]]:
    """Yield the definitions of a kind, with their begin and end."""
    for definition in definitions_in(text):
        if definition.kind == kind:
            whole = text[definition.start : definition.end]
            length = _length(whole)
            yield definition.start, definition.start + length, whole[:length]


def _length(text: str) -> int:
    """Return how long a text is up to the bracket that closes its first one.

    If none does, brackets are missing: then all of it up to the end of the fence.
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


def _candidate(document: Document, text: str) -> Candidate[str]:
    """Return a definition with what frames it."""
    start = document.text.find(text)
    framing: list[str] = []
    own: Block | None = None
    for block in document.blocks:
        if start < block.at and own is not None:
            break
        if start >= block.at:
            if own is not None:
                framing = [*framing[1 - _FRAMING :], own.text]
            own = block
    regions = () if own is None else own.regions
    return Candidate(
        [text],
        "\n".join(framing),
        max(start, 0),
        max(start, 0) + len(text),
        is_marked=any(marks_answer(region.kind, region.name) for region in regions),
        is_struck=any(region.kind in ("struck", "comment") for region in regions),
        is_formal=any(region.kind == "fence" for region in regions),
        is_whole=True,
    )
