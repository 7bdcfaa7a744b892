"""Answers that take themselves back, in several languages.

Most sentences behind an answer are harmless, whatever words they have: "the vase is broken". So a
sentence takes the answer back only if it speaks of the answer. It does if it names it ("this plan
is wrong"), and if a pronoun is all that it speaks of ("it is wrong") and the sentence before speaks
of nothing else either, to which the pronoun might point. "No" takes the answer back behind a
question whether it is right. The words of each language are those of
:data:`eai.answers.languages.LANGUAGES`; the forms of sentences are the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from eai.answers.cleaning import behind_reasoning
from eai.answers.languages import LANGUAGES, Language
from eai.text import has_words, lazy_pattern, remembers_short_texts

_SENTENCE = lazy_pattern(
    r"(?<=[.!?;\u061f])(?<!\be\.g\.)(?<!\bi\.e\.)\s+|\n+"
    r"|(?<=[\u3002\uff01\uff1f\uff1b])|(?<=\?)(?=[\u3040-\u9fff])"
)
_CLAUSE_END = lazy_pattern(r"[,;:\u2014\uff0c]")
_MAX_WORDS = 30
"""Maximum number of words of a sentence that takes an answer back; a longer one explains."""
_MAX_CHARACTERS = 400
"""The same in characters: some languages put no blanks between words, and so do hostile texts."""
_MAX_SENTENCES = 300
"""So many sentences right behind an answer are looked at, and so many at the end of the text."""
MAX_DENIAL = 40
"""Maximum number of characters from a question mark on in which a "no" begins."""
_MAX_BARE = 3
"""A sentence of so many words speaks of nothing, in a language without articles."""
_LETTER = lazy_pattern(r"[^\W\d_]")
QUESTION_MARKS = ("?", "\uff1f", "\u061f")
"""Signs at the end of a question."""


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text; a line break ends one as well."""
    return _SENTENCE.split(text)


_EMPHASIS = lazy_pattern(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\w)([^*_\n]{1,60})(?<=\w)\1(?![\w*])")


def without_emphasis(text: str) -> str:
    """Return a text without the marks of emphasised words: "do **not**" is "do not"."""
    return _EMPHASIS.sub(r"\2", text)


@dataclass(frozen=True, slots=True)
class _Forms:
    """The sentences of a language that take an answer back, compiled; all in small letters.

    Args:
        named: Sentences that name the answer.
        by_pronoun: The begin of sentences that point to it.
        spared: Words of sentences that take nothing back.
        goes_on: What may stand behind ``by_pronoun``, whatever follows.
        purpose: Words for the answer, its parts and its goal.
        things: Words for other things.
        opening: Words that name nothing.
        asked: The begin of a question whether the answer is good.
        no: The begin of a sentence that denies a question.
    """

    named: re.Pattern[str]
    by_pronoun: re.Pattern[str]
    spared: re.Pattern[str]
    goes_on: re.Pattern[str]
    purpose: re.Pattern[str]
    things: re.Pattern[str] | None
    opening: re.Pattern[str]
    asked: re.Pattern[str]
    no: re.Pattern[str]

    @classmethod
    def from_language(cls, words: Language) -> _Forms:
        """Return the patterns of a language: each field of its words, as a sentence uses it."""
        return cls(
            named=_compile_forms(_forms_naming_answer(words)),
            by_pronoun=_compile_forms(_by_pronoun(words)),
            spared=_compile_forms([words.spared]),
            goes_on=_compile_forms([rf"\W*{words.goes_on}"]),
            purpose=_compile_forms([words.purpose, words.answer]),
            things=_compile_forms([words.things]) if words.things else None,
            opening=_compile_forms([_pattern_of_opening(words)]),
            asked=_compile_forms(
                [rf"(?:q(?:uestion)?\s?:)?{_pattern_of_opening(words)}(?:{words.asked})"]
            ),
            no=_compile_forms([rf"\W*(?:(?:a|answer)\s?:\W*)?(?:{words.no})"]),
        )

    def take_back(self, sentence: str, sentence_before: str) -> bool:
        """Whether a sentence takes an answer back.

        Args:
            sentence: The sentence.
            sentence_before: The sentence before it; empty if it is the first behind the answer.
        """
        if self.no.match(sentence) and self.asks_for_verdict(sentence_before):
            return True
        if self.named.search(sentence):
            return self.spared.search(sentence) is None
        if self.spared.search(sentence):
            return False
        for begin in _begins_of_clauses(sentence):
            pointed = self.by_pronoun.match(sentence, begin)
            if pointed is None:
                continue
            context = f"{sentence_before} {sentence[:begin]}"
            is_unclear = self._speaks_of_something_else(context)
            if not is_unclear and self._says_no_more(sentence[pointed.end() :]):
                return True
        return False

    def asks_for_verdict(self, sentence: str) -> bool:
        """Whether a sentence asks if the answer is right: "Would this work?".

        A question mark alone stands behind the answer itself.
        """
        if not sentence.rstrip().endswith(QUESTION_MARKS):
            return False
        question = self.asked.match(sentence)
        if question is None:
            return not has_words(sentence)
        return self._says_no_more(sentence[question.end() :])

    def _says_no_more(self, rest: str) -> bool:
        """Whether the rest of a sentence leaves it a sentence about the answer.

        "It is wrong to leave the fridge open" says something else than "it is wrong".
        """
        if not has_words(rest) or self.goes_on.match(rest):
            return True
        clause = _CLAUSE_END.split(rest, maxsplit=1)[0]
        if self.purpose.search(clause):
            return True
        return not rest[:1].isspace() and not self._speaks_of_something_else(rest)

    def _speaks_of_something_else(self, text: str) -> bool:
        """Whether words name a thing that is neither the answer nor a part or the goal of it."""
        rest = text[_end_of(self.opening, text) :]
        if self.things is not None:
            return self.things.search(rest) is not None
        return len(rest.split()) > _MAX_BARE and self.purpose.search(rest) is None


def _begins_of_clauses(sentence: str) -> list[int]:
    """Return where the clauses of a sentence begin."""
    return [0, *(sign.end() for sign in _CLAUSE_END.finditer(sentence))]


def _end_of(pattern: re.Pattern[str], text: str) -> int:
    """Return the end of a match at the begin of a text; 0 if there is none."""
    match = pattern.match(text)
    return match.end() if match is not None else 0


def _compile_forms(forms: list[str]) -> re.Pattern[str]:
    """Compile a pattern that is one of several forms, for a text in small letters.

    To ignore the case instead would take two to three times as long.
    """
    return lazy_pattern("|".join(f"(?:{form})" for form in forms))


def _pattern_of_opening(words: Language) -> str:
    """Return the pattern of words at the begin of a sentence that name nothing."""
    return rf"\W*(?:{words.opening}\W*){{0,5}}"


def _forms_naming_answer(words: Language) -> list[str]:
    """Return the forms of sentences that name the answer, or leave no doubt that it is meant."""
    gap = r"[^.\n]{0,30}?"
    return [
        rf"(?:{words.answer})[^.,\n]{{0,12}}?(?:{words.wrong})",
        rf"(?:{words.answer}){gap}(?:{words.example})",
        rf"(?:{words.dismiss}){gap}(?:{words.answer})",
        rf"(?:{words.answer}){gap}(?:{words.dismiss})",
        rf"^{_pattern_of_opening(words)}(?:{words.example})",
        words.not_mine,
        words.given_up,
        rf"^{_pattern_of_opening(words)}(?:{words.alone})(?=\W|$)(?:\W*$|\W* ?[,.!;\uff0c-])",
    ]


def _by_pronoun(words: Language) -> list[str]:
    """Return the forms of sentences that point to the answer; what follows decides."""
    gap = r"[^.,;\n]{0,30}?"
    pointed = rf"{_pattern_of_opening(words)}(?:{words.pronoun})"
    return [
        rf"{pointed}[^.,;\n]{{0,4}}?(?:{words.wrong})",
        rf"^{_pattern_of_opening(words)}(?:{words.wrong})",  # "Does not work."
        rf"{pointed}[^.,;\n]{{0,12}}?(?:{words.example})",
        rf"{pointed}{gap}(?:{words.dismiss})",
        rf"{_pattern_of_opening(words)}(?:{words.dismiss})\W{{1,2}}(?:{words.pronoun})",
    ]


_NOT_IN_ASCII = frozenset(["Russian", "Chinese", "Japanese", "Korean", "Arabic"])
"""Languages none of whose forms is found in a text that is all ASCII."""


@cache
def _forms_by_language() -> Mapping[str, _Forms]:
    """Return the forms of each language.

    They are compiled when they are first needed: that takes as long as importing all else that
    reads an answer, and many answers have no words behind them.
    """
    return {name: _Forms.from_language(words) for name, words in LANGUAGES.items()}


@cache
def _forms_in_ascii() -> Sequence[_Forms]:
    """Return the forms of the languages that may be written in ASCII."""
    return [forms for name, forms in _forms_by_language().items() if name not in _NOT_IN_ASCII]


def _forms_for(text: str) -> Iterable[_Forms]:
    """Return the forms of all languages that a text may be written in."""
    return _forms_in_ascii() if text.isascii() else _forms_by_language().values()


def _first_and_last(sentences: Sequence[str]) -> Sequence[str]:
    """Return the sentences at the begin and at the end of a text; all, unless they are many."""
    if len(sentences) <= 2 * _MAX_SENTENCES:
        return sentences
    return [*sentences[:_MAX_SENTENCES], *sentences[-_MAX_SENTENCES:]]


def _ends_of(sentence: str) -> str:
    """Return the begin and the end of a sentence that is longer than anybody writes."""
    if len(sentence) <= 2 * _MAX_CHARACTERS:
        return sentence
    return f"{sentence[:_MAX_CHARACTERS]} ... {sentence[-_MAX_CHARACTERS:]}"


def denies_question(text: str) -> bool:
    """Whether a text begins with a question mark and a "no" behind it, in any of the languages."""
    stripped_text = text[:MAX_DENIAL].lstrip(" \t.`*_)")
    if not stripped_text.startswith(QUESTION_MARKS):
        return False
    behind = stripped_text[1:].lower()
    return any(forms.no.match(behind) for forms in _forms_for(behind))


@remembers_short_texts
def _sentence_takes_back(sentence: str, sentence_before: str) -> bool:
    """Whether a sentence in small letters takes an answer back, in any of the languages."""
    return any(forms.take_back(sentence, sentence_before) for forms in _forms_for(sentence))


def takes_back(text: str, *, is_question: bool = False) -> bool:
    """Whether a text behind an answer takes the answer back, in any of the languages.

    Args:
        text: The text.
        is_question: Whether the answer before it ends with a question mark.
    """
    sentence_before = "?" if is_question else ""
    plain = without_emphasis(text)
    sentences = [sentence for sentence in sentences_of(plain) if _LETTER.search(sentence)]
    for written_sentence in _first_and_last(sentences):
        sentence = written_sentence.strip().lower()
        is_short = len(sentence) <= _MAX_CHARACTERS and len(sentence.split()) <= _MAX_WORDS
        if is_short and _sentence_takes_back(sentence, sentence_before):
            return True
        sentence_before = sentence
    return says_no_plan(text)


_DENIES_BELOW = lazy_pattern(
    r"^\W*(?:(?:note|warning|caution|attention|comment|remark)s?\W+)?(?:this|the following)"
    rf" (?:plan|answer|sequence|list|solution)(?: below)? (?:{LANGUAGES['English'].wrong})\W*$",
    re.IGNORECASE,
)


def denies_below(text: str) -> bool:
    """Whether a text before the only plan says that it is wrong: "note: this plan is incorrect"."""
    return any(map(_DENIES_BELOW.search, sentences_of(text)))


_NO_PLAN = lazy_pattern(
    r"\bno\s+(?:\w+\s+){0,2}(?:plan|solution|sequence|way|answer)\b"
    r"|\b(?:impossible|unsolvable|infeasible|unreachable|unachievable)\b"
    r"(?! (?:to|for|with|de)\b(?! (?:me|reach|achieve|solve|satisfy|fulfil\w*|complete|accomplish"
    r"|attain|find|meet|do (?:this|it|that|so)|execute|plan|make|give|provide)\b))"
    r"|\b(?:goal|task|problem|plan|instruction|it|this|that|state|conditions?|they|all)s?\b"
    r"[^.\n]{0,40}"
    r"(?:\bnot|n[o'\u2019]t|\bcannot)\s+(?:be\s+)?(?:possible|solvable|solved|achieved|achievable"
    r"|reached|reachable|feasible)\b(?! to (?!reach|achieve|solve|satisfy|fulfil|complete))"
    r"|\b(?:could|can|did|was|were|am)\s?(?:n[o't]| not)?\s?(?:un)?(?:able to )?(?:find|found"
    r"|produce|come up with) (?:any|a|the) (?:\w+ )?(?:plan|solution)\b(?<!can find a plan)"
    r"|(?:\bcannot|\b(?:can|could|did|do) not|\b(?:ca|could|did|do)n['\u2019]t|\bunable to)"
    r" (?:\w+ly )?(?:find|determine|produce|give|derive|provide|construct|see|have|work out"
    r"|come up with|think of)"
    r" (?:any|an?) (?!(?:alternative|better|different|easier|faster|other|quicker|second|shorter"
    r"|simpler)\b)(?:\w+ ){0,2}(?:plan|solution|sequence)\b"
    r"|\bthere(?: i|')s no way\b|\bkeinen? (?!ander)(?:\w+ )?(?:plan|l\u00f6sung)\b"
    r"|\bplan\b.{0,12}\bhabe ich (?:leider )?nicht\b"
    r"|\u6ca1\u6709(?:\u53ef\u884c\u7684)?(?:\u8ba1\u5212|\u65b9\u6848)",
    re.IGNORECASE,
)
_NOT_YET = lazy_pattern(
    r"\bi (?:would |will |first |still |do )*need (?:more|further|additional|to see|to know)\b"
    r"[^.\n]{0,80}\bbefore i (?:can|could|am able to)\b",
    re.IGNORECASE,
)
"""A sentence by which an answer waits: "I need more information before I can give a plan"."""
_PLAN_ALL_THE_SAME = lazy_pattern(
    r"\bno\s+(?:further |more |other |additional |extra )?(?:plan|steps?|solution"
    r"|action)s?\s+(?:is|are)\s+(?:needed|necessary|required)\b"
    r"|\b(?:without|otherwise|unless|would|if|before|not impossible|fewer|shorter"
    r"|no (?:other|better|shorter"
    r"|further|additional|more))\b",
    re.IGNORECASE,
)
"""Words of sentences that do not say that there is no plan: "no other plan", "without a key"."""


_THING_IS_IMPOSSIBLE = lazy_pattern(
    r"^\W*(?:\w+, )?(?:(?:the|an?|my|your|his|her|its|our|their) (?!(?:\w+ )?(?:goal|task|problem"
    r"|plan|instruction|state|condition|answer|request|solution|sequence|order|arrangement|configuration"
    r"|command|stack|tower|puzzle|question|action|step|move|set|list|transition)s?\b)"
    r"|every(?:one|body)\b|some(?:one|body)\b|people\b)[^.:;\n]{0,60}?"
    r"\b(?:is|was|are|were|seems?|seemed|looks?|looked|became|been)(?: \w+)? impossible\b(?! to\b)",
    re.IGNORECASE,
)
"""A sentence about something else than the answer or its goal: "The weather was impossible"."""


def says_no_plan(text: str) -> bool:
    """Whether a text says that there is no plan, that the goal is impossible or unsolvable."""
    begin, unfinished = behind_reasoning(text)
    text = "" if unfinished >= 0 else text[begin:]
    for written_sentence in _first_and_last(sentences_of(text)):
        sentence = _ends_of(written_sentence)
        is_of_answer = not _THING_IS_IMPOSSIBLE.match(sentence)
        if _NO_PLAN.search(sentence) and is_of_answer and not _PLAN_ALL_THE_SAME.search(sentence):
            return True
        # "before" is a word of plans all the same, but not of this one.
        if _NOT_YET.search(sentence):
            return True
    return False


@cache
def _words_before_list() -> re.Pattern[str]:
    """Return the words of all languages that frame a list as none that is meant."""
    return _compile_forms([words.before for words in LANGUAGES.values()])


_AS_SHOWN = lazy_pattern(
    r"(?:^\W*following (?:the|your)|\b(?:according to|based on|nach dem|gemäß|suivant|selon"
    r"|siguiendo|según|seguindo|conforme|seguendo|secondo|согласно|по)|按照?|根据|依照|وفقا)"
    r".{0,12}(?:example|sample|format|beispiel|exemple|ejemplo|exemplo|esempio|пример|образц|例"
    r"|格式|مثال)"
    r"|(?:例|形式).{0,4}(?:に従っ|に基づ)|(?:예시|형식).{0,6}(?:따른|따라)",
    re.IGNORECASE,
)
"""Words for an answer that only has the form of an example: ``Nach dem Beispiel: ...``."""


def frames_as_not_meant(heading: str) -> bool:
    """Whether a heading stands over a list that is not meant: ``Ejemplo:``."""
    is_not_meant = _words_before_list().search(heading.lower()) is not None
    return is_not_meant and not follows_example(heading)


def follows_example(heading: str) -> bool:
    """Whether a heading says that what follows has the form of an example that was given."""
    return _AS_SHOWN.search(heading) is not None
