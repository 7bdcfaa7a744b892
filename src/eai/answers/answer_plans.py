"""The plan in an answer: common shapes are read at once, all others in three stages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from eai.answers.plan import PlanReading
from eai.answers.surfaces import Surfaces
from eai.errors import InputError

if TYPE_CHECKING:
    from eai.answers.grammar import StepGrammar
    from eai.answers.phrases import InWords
    from eai.task import Vocabulary


def read_plan(text: str) -> PlanReading:
    """Return the plan in an answer to a task whose names are not known.

    Only what is clearly a step is read, such as a call.

    Nothing in an answer raises an error, and nothing is evaluated. The time is linear in the length
    of the text; of very long answers only the first part is read, which is a problem.

    Args:
        text: What the model wrote.

    Returns:
        The steps in order, what could not be read, and what was repaired. Offsets count the
        characters of ``text`` from 0. If there are problems, the steps are those that could be
        read; of a step into which the end of the answer cuts, nothing is given.

    Raises:
        InputError: If ``text`` is not a string.
    """
    return read_with(text, None)


def read_answer(text: str, vocabulary: Vocabulary) -> PlanReading:
    """Return the plan in an answer, read by the names of its task.

    Args:
        text: What the model wrote.
        vocabulary: The names that the answer may use. If it has a reader of its own, it reads.
    """
    if vocabulary.reader is not None:
        reading: PlanReading = vocabulary.reader(text)
        return reading
    kept = _kept_of(vocabulary)
    if not isinstance(text, str) or len(text) > MAX_KEPT_TEXT:
        return read_with(text, kept.surfaces)
    kept_reading = kept.readings.get(text)
    if kept_reading is not None:
        return kept_reading
    new_reading = read_with(text, kept.surfaces)
    if len(kept.readings) >= MAX_KEPT_READINGS:
        kept.readings.clear()
    kept.readings[text] = new_reading
    return new_reading


class _Kept(NamedTuple):
    """Surfaces and readings of a vocabulary, kept for later answers.

    Args:
        vocabulary: The vocabulary, kept so that no other one gets its identity.
        surfaces: Its written forms.
        readings: Short answers and the plans in them: models repeat themselves, and an answer is
            evaluated under several semantics, explained and shown on a page.
    """

    vocabulary: Vocabulary
    surfaces: Surfaces
    readings: dict[str, PlanReading]


_KEPT: dict[int, _Kept] = {}
"""Surfaces and readings by the identity of their vocabulary."""
MAX_KEPT = 256
MAX_KEPT_READINGS = 16
"""Maximum number of readings that are kept for one vocabulary."""
MAX_KEPT_TEXT = 4_000
"""Maximum number of characters of an answer whose reading is kept."""


def _kept_of(vocabulary: Vocabulary) -> _Kept:
    """Return the surfaces and readings of a vocabulary, which are kept for later answers."""
    kept = _KEPT.get(id(vocabulary))
    if kept is None:
        kept = _Kept(vocabulary, Surfaces.from_vocabulary(vocabulary), {})
        if len(_KEPT) >= MAX_KEPT:
            _KEPT.clear()
        _KEPT[id(vocabulary)] = kept
    return kept


def read_with(
    text: str,
    surfaces: Surfaces | None,
    in_words: Callable[[str], InWords | None] | None = None,
    *,
    grammar: type[StepGrammar] | None = None,
) -> PlanReading:
    """Read the plan out of an answer, by the names of a task.

    Args:
        text: What the model wrote.
        surfaces: The names of the task; None if any name may be that of an action.
        in_words: Reads a step in words, where the task says what its actions are called.
        grammar: Reads the steps of a line or a value; by default that of calls and phrases.
    """
    if not isinstance(text, str):
        raise InputError(
            f"an answer is {type(text).__name__}, not text", expected="what the model wrote, as str"
        )
    if surfaces is not None and not surfaces.signature and grammar is None:
        from eai.answers.common import read_common  # plans in PDDL's notation do without

        common = read_common(text, surfaces)
        if common is not None:
            return common
    # Loading the three stages takes longer than reading most plans.
    from eai.answers.dialogues import read_dialogue
    from eai.answers.document import open_document
    from eai.answers.reading import read_document

    def read(part: str) -> PlanReading:
        return read_document(open_document(part), surfaces, in_words, grammar=grammar)

    return read_dialogue(text, read) or read(text)
