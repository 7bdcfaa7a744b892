"""Words of several languages by which an answer speaks of itself.

A model says in the language of its user that its plan is wrong, is to be ignored, was only an
example, or that nothing has to be done. :data:`LANGUAGES` holds the words of each language by what
they mean, as ``grammars/languages.ini`` lists them; :mod:`eai.answers.retractions` and
:mod:`eai.answers.empty_answers` say how they stand together, the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields

from eai.data import read_text, sections


@dataclass(frozen=True, slots=True)
class Language:
    """Words of one language, each field a pattern.

    Args:
        answer: Names the answer: ``this plan``, ``my steps``, ``everything above``.
        pronoun: May stand for the answer, where nothing else is spoken of: ``it``, ``this``.
        wrong: Says of the answer that it is worthless: ``is wrong``, ``does not work``.
        dismiss: Asks not to use it, before or behind ``answer``: ``ignore``, ``do not execute``.
        example: Says that it is only an example: ``only an example``, ``placeholders``.
        not_mine: Says whose answer it is not: ``not my answer``.
        given_up: Says that there is no answer, or no longer: ``I cannot answer``, ``je le retire``.
        alone: A sentence, or its begin up to a sign, that takes back what was said before it.
        spared: A sentence with one of these takes nothing back: ``none of them can be skipped``.
        left_out: Says of a step that it is not taken: ``entfällt``. The words of English are in
            :mod:`eai.answers.taken_out`.
        before: Frames a list below as none that is meant: ``wrong plan``, ``available actions``.
        opening: Words before a pronoun that name nothing: ``Sorry,``, ``I think``.
        goes_on: Words that may follow, whatever is behind them: ``because``, ``at all``.
        purpose: What an answer is for, or made of: ``the goal``, ``format``.
        things: Names something else than the answer: an article and a noun. Empty if the language
            has no articles.
        asked: Asks whether the answer is good: ``is that right``, ``would this work``.
        no: Denies such a question: ``no``, ``I don't think so``.
        labels: Stands before the answer itself: ``final answer``.
        nothing: Stands there if nothing has to be done: ``none``.
        then: Stands before a step and says only its place in the order: ``zum Schluss``.
        conjunction: Joins two steps: ``und``.
    """

    answer: str
    pronoun: str
    wrong: str
    dismiss: str
    example: str
    not_mine: str
    given_up: str
    alone: str
    spared: str
    left_out: str
    before: str
    opening: str
    goes_on: str
    purpose: str
    things: str
    asked: str
    no: str
    labels: str
    nothing: str
    then: str
    conjunction: str


_REFERENCE = re.compile(r"<<(\w+)>>")


def _compile_pattern(section: Mapping[str, str], name: str) -> str:
    """Return the pattern of a name in a section, other patterns in the place of their names."""
    joined = "".join(map(str.strip, section[name].splitlines()))
    return _REFERENCE.sub(lambda match: _compile_pattern(section, match[1]), joined)


def _read_languages() -> dict[str, Language]:
    """Return the words of all languages, by the names of these."""
    languages: dict[str, Language] = {}
    for name, entries in sections(read_text("grammars/languages.ini")).items():
        words = {field.name: _compile_pattern(entries, field.name) for field in fields(Language)}
        languages[name] = Language(**words)
    return languages


LANGUAGES = _read_languages()
"""The languages; English first, as most answers are written in it."""
_LETTER = r"[a-z\u0430-\u044f]"  # other scripts put no blanks between words
CONJUNCTIONS = (
    rf"(?<!{_LETTER})(?:{'|'.join(words.conjunction for words in LANGUAGES.values())})(?!{_LETTER})"
)
"""Pattern of the words of all languages that join two steps."""
CONNECTIVES = "|".join(words.then for words in LANGUAGES.values())
"""Pattern of the words of all languages before a step that say only its place in the order."""
