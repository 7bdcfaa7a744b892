"""The actions and objects that written names mean, or may have been meant to mean."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from eai.answers.plan import EMPTY, HANDS, NO_PLAN, AnswerProblem, answer_words, shorten
from eai.errors import nearest
from eai.task import Vocabulary

LONGEST_NAME = 200
"""A longer name is not compared with the known ones."""

MOST = 3
"""So many names are offered at most."""
MOST_LISTED = 60
"""So many actions are listed where nothing is like the name."""
MOST_KEPT = 4000
"""So many results are remembered: many answers of a model have the same mistakes."""
ALMOST = 0.85
"""Likeness above which a name is a misspelling."""

_LOOSE = re.compile(r"[\W_]+")


def clip_text(text: str) -> str:
    """Return a text for a message, cut off if it is longer than a name can be."""
    return text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME] + "..."


def loose(name: str) -> str:
    """Return a name in small letters, without blanks, underscores and punctuation."""
    return _LOOSE.sub("", name).lower()


def split_id(name: str) -> tuple[str, str] | None:
    """Split a name that ends in an id: ``light.411``, ``light_411``, ``light (411)``."""
    bare = name.removesuffix(")")
    stem = bare.rstrip("0123456789")
    return (stem.rstrip(" \t._-#(<>"), bare[len(stem) :]) if stem != bare else None


def no_action(name: str, known: Iterable[str]) -> str:
    """Say that a name is not one of the known actions, and which ones are like it."""
    near = likely_actions(name, known) if len(name) <= LONGEST_NAME else ()
    return f"{shorten(name)} is not an action{near_hint(near)}"


def no_object(name: str, known: Iterable[str]) -> str:
    """Say that a name is not one of the known objects, and which ones are like it."""
    near = nearest(name, known) if len(name) <= LONGEST_NAME else ()
    return f"{shorten(name)} is not an object of this task{near_hint(near)}"


def near_hint(names: Sequence[str]) -> str:
    """Say which names are like an unknown one, to stand behind a message."""
    return f"; nearest: {', '.join(names)}" if names else ""


class _NamedStep(NamedTuple):
    """An action and its objects, with the names that a vocabulary has for them."""

    action: str
    objects: list[str]


class NameIndex:
    """The names of one vocabulary, exact and loose, and what unknown ones may have meant.

    Loose names are indexed when needed, and nothing is compared before a hint is asked for.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Index the actions by their names in small letters; the rest is indexed when needed."""
        self.vocabulary = vocabulary
        self.lowered = {name.lower(): name for name in reversed(list(vocabulary.actions))}

    @cached_property
    def loose_actions(self) -> dict[str, str]:
        """Action names by their loose form; the first of several stays."""
        return {loose(name): name for name in reversed(list(self.vocabulary.actions))}

    @cached_property
    def loose_classes(self) -> dict[str, str]:
        """Class names by their loose form; the first of several stays."""
        return {loose(name): name for name in reversed(list(self.vocabulary.classes))}

    @cached_property
    def loose_objects(self) -> dict[tuple[str, str], str]:
        """Objects by the loose form of their class and their id."""
        object_by_form: dict[tuple[str, str], str] = {}
        for name in sorted(self.vocabulary.objects):
            stem, number = split_id(name) or (name, "")
            object_by_form.setdefault((loose(stem), number), name)
        return object_by_form

    @cached_property
    def by_id(self) -> dict[str, list[str]]:
        """Objects by their id."""
        objects_by_id: dict[str, list[str]] = {}
        for (_, number), name in self.loose_objects.items():
            objects_by_id.setdefault(number, []).append(name)
        return objects_by_id

    @cached_property
    def class_of(self) -> dict[str, str]:
        """Class name of each object."""
        classes = self.vocabulary.classes
        return {member: name for name, members in classes.items() for member in members}

    def find_action(self, name: str) -> tuple[str | None, bool]:
        """Return the action that a name means, and whether it differs in more than case.

        None if it means none.
        """
        if name in self.vocabulary.actions:
            return name, False
        action = self.lowered.get(name.lower())
        if action is not None:
            return action, False
        action = self.loose_actions.get(loose(name)) if len(name) <= LONGEST_NAME else None
        return action, action is not None

    def find_joined_object(self, name: str, number: str) -> tuple[str, bool] | None:
        """Return the object with a name and an id, and whether its name is written otherwise."""
        objects = self.vocabulary.objects
        for separator in (".", "_", "-", ""):
            candidate = f"{name}{separator}{number}"
            if candidate in objects:
                return candidate, False
        loose_match = self.loose_objects.get((loose(name), number))
        return None if loose_match is None else (loose_match, True)

    def near_actions(self, name: str) -> list[str]:
        """Return actions that an unknown name may mean, for a hint."""
        known = self.vocabulary.actions
        return likely_actions(name, known) if len(name) <= LONGEST_NAME else []

    def near_objects(self, name: str) -> list[str]:
        """Return objects that an unknown name may mean, for a hint.

        They are of the class that it names, or else of classes with a similar name.
        """
        if len(name) > LONGEST_NAME:
            return []
        stem = (split_id(name) or ("", ""))[0] or name
        classes = self.vocabulary.classes
        class_name = self.loose_classes.get(loose(stem))
        if class_name is not None:
            return list(classes[class_name][:3])
        return likely_objects(stem, classes) or nearest(name, self.vocabulary.objects)

    def action_hint(self, name: str) -> str:
        """Return a hint at the action that an unknown name may mean; empty if there is none."""
        similar_actions = self.near_actions(name)
        if similar_actions:
            return f"; did you mean {' or '.join(similar_actions)}?"
        if len(name) > LONGEST_NAME:
            return ""
        stem, number = split_id(name) or (name, "")
        is_object = loose(stem) in self.loose_classes or self.find_joined_object(stem, number)
        return "; it is the name of an object" if is_object else ""

    def all_actions(self) -> str:
        """Return a list of all actions, for the end of a message."""
        actions = sorted(self.vocabulary.actions)
        unlisted_count = len(actions) - MOST_LISTED
        end = f" and {unlisted_count} more" if unlisted_count > 0 else ""
        return f"; the actions are {', '.join(actions[:MOST_LISTED])}{end}" if actions else ""

    def object_hint(self, name: str) -> str:
        """Return a hint at the object that an unknown name may mean; empty if there is none."""
        similar_objects = self.near_objects(name)
        hints = [f"did you mean {' or '.join(similar_objects)}?"] if similar_objects else []
        stem, number = split_id(name) or (name, "")
        if len(name) <= LONGEST_NAME and loose(stem) not in self.loose_classes:
            if self.find_action(stem or name)[0] is not None:
                hints.insert(0, "it is the name of an action")
            numbered = self.by_id.get(number, ()) if number else ()
            if len(numbered) == 1:
                hints.insert(0, f"{number} is the id of {numbered[0]}")
        return "".join(f"; {hint}" for hint in hints)

    def example(self, written: str = "") -> str:
        """Return a plan of one step, for the end of a message; with written names if it has any."""
        step = self._step_in_words(written) or self._simple_step()
        if step is None:
            return ""
        return f", such as {json.dumps([{step.action.upper(): step.objects}])}"

    def _simple_step(self) -> _NamedStep | None:
        """Return a step with one object, such as a walk; None if the vocabulary allows none."""
        arities = self.vocabulary.actions
        classes = self.vocabulary.classes
        if not classes:
            return None
        first_object = classes[min(classes)][0]
        for action in (*likely_actions("walk", arities), *sorted(arities)):
            if arities[action] == 1:
                return _NamedStep(action, [first_object])
        return None

    def written_form(self, problem: AnswerProblem) -> str:
        """Return how a step or a plan is written, for the end of a message about an answer."""
        if problem.message == NO_PLAN:
            return self.example(problem.written)
        if problem.message == EMPTY:
            return f"; a JSON list of steps is expected{self.example()}"
        return self.step_in_notation(problem.written)

    def step_in_notation(self, written: str) -> str:
        """Return how words are written as a step, for the end of a message; "" if they are none."""
        step = self._step_in_words(written)
        if step is None:
            return ""
        return f"; write {step.action}({', '.join(step.objects)})"

    def _step_in_words(self, sentence: str) -> _NamedStep | None:
        """Return the step that a sentence describes.

        ``"Put the apple in the bowl"`` is the action ``"putin"`` of ``["apple.1", "bowl.2"]``.

        Returns:
            The likeliest action that takes as many objects as the sentence names; None if there is
            no such action, or if the sentence names no object.
        """
        words = sentence.split()
        if len(words) < 2:
            return None
        actions = self.near_actions(sentence)
        if not actions:
            return None  # known before the objects are looked for, which takes longer
        objects = self._objects_among(words[1:])
        if not objects:
            return None
        for action in actions:
            if self.vocabulary.actions[action] == len(objects):
                return _NamedStep(action, objects)
        return None

    def _objects_among(self, words: list[str]) -> list[str]:
        """Return the objects that words name, in order; of a class, its first one."""
        objects: list[str] = []
        position = 0
        while position < len(words):
            if words[position] in self.vocabulary.objects:
                objects.append(words[position])
                position += 1
                continue
            word_count, members = self._class_at(words, position)
            objects += members[:1]
            position += word_count
        return objects

    def _class_at(self, words: list[str], position: int) -> tuple[int, Sequence[str]]:
        """Return the number of words that name a class at a position, and the class's objects.

        A name has at most three words, and the longest counts. If no class is named there, the
        result is ``(1, ())``: the word at the position is passed over.
        """
        for word_count in (3, 2, 1):
            name = self.loose_classes.get(loose("".join(words[position : position + word_count])))
            if name is not None:
                return word_count, self.vocabulary.classes[name]
        return 1, ()


_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OFFERS = {
    verb: offered.split("|")
    for verbs, offered in reversed(list(answer_words("meanings").items()))
    for verb in verbs.split()
}
"""Verb to groups of keys of actions that may be meant.

A group is a text of keys with the same meaning, of which the first known one is offered:
``dress`` has the one group ``"puton wear"``.
"""


@cache
def _synonyms_by_noun() -> Mapping[str, set[str]]:
    """Noun to others for the same thing."""
    synonyms: dict[str, set[str]] = {}
    for group in answer_words("same"):
        for noun in group.split():
            synonyms.setdefault(noun, set()).update(group.split())
    return synonyms


def likely_actions(name: str, known: Iterable[str]) -> list[str]:
    """Return the actions that a name may mean: of the same meaning, else spelled alike."""
    return list(_likely_actions(name, tuple(known)))


@lru_cache(MOST_KEPT)
def _likely_actions(name: str, known: tuple[str, ...]) -> list[str]:
    """Return the actions that a name may mean; the cached part of :func:`likely_actions`."""
    names = sorted(known)
    names_by_key: dict[str, list[str]] = {}
    for known_name in names:
        names_by_key.setdefault(_key_of_action(_words_of_name(known_name)), []).append(known_name)
    words = _words_of_name(name)
    # Objects may follow the verb, so "putOnTable" is tried as a whole, then as "putOn", "put".
    for length in range(len(words), 0, -1):
        actions: list[str] = []
        for key in _offered_keys(_key_of_action(words[:length]), names_by_key):
            actions += names_by_key[key]
        if actions:
            return actions[:MOST]
    return nearest(name, names)


def _offered_keys(key: str, known_keys: Container[str]) -> list[str]:
    """Return the known names of actions that an unknown one may mean, one of each meaning.

    Args:
        key: The unknown name, as :func:`_key_of_action` writes it. A known name is the only one.
        known_keys: The known names, written in the same way.
    """
    if key in known_keys:
        return [key]
    offered: list[str] = []
    for group in _OFFERS.get(key, ()):
        synonyms = [synonym for synonym in group.split() if synonym in known_keys]
        offered += synonyms[:1]
    return offered


def _key_of_action(words: Sequence[str]) -> str:
    """Return the words of an action as one, without the hand that is used and "object"."""
    words = words[1:] if len(words) > 1 and words[0] in HANDS else words
    return "".join(words).removesuffix("object")


@lru_cache(MOST_KEPT)
def _words_of_name(name: str) -> list[str]:
    """Return the words of a name in small letters: ``putOnTable`` and ``put_on_table``."""
    return [word.lower() for word in _WORD.findall(name)]


def likely_objects(name: str, known: Iterable[str]) -> list[str]:
    """Return the names of objects or classes that a name may mean.

    Names that mean the same come first (``couch`` for ``sofa``), then a misspelled name, then
    names with the same words and more (``table_lamp`` for ``lamp``) or fewer and names that end
    in the same word, else those that look like it.
    """
    return list(_likely_objects(name, tuple(known)))


@lru_cache(MOST_KEPT)
def _likely_objects(name: str, known: tuple[str, ...]) -> list[str]:
    """Return the objects that a name may mean; the cached part of :func:`likely_objects`."""
    names = sorted(known)
    synonyms = _synonyms_by_noun().get("".join(_words_of_name(name)), ())
    names_meaning_same = [
        known_name for known_name in names if "".join(_words_of_name(known_name)) in synonyms
    ]
    if names_meaning_same:
        return names_meaning_same[:MOST]
    similar_names = nearest(name, names)
    if (
        similar_names
        and difflib.SequenceMatcher(None, similar_names[0].lower(), name.lower()).ratio() > ALMOST
    ):
        return similar_names
    words = _words_of_name(name)
    if not words:
        return similar_names
    with_same_words: list[str] = []  # table_lamp or lamp for lamp
    with_same_end: list[str] = []  # floor_lamp for table_lamp
    for known_name in names:
        known_words = _words_of_name(known_name)
        if not known_words:
            continue
        if set(words) <= set(known_words) or set(words) >= set(known_words):
            with_same_words.append(known_name)
        if known_words[-1] == words[-1]:
            with_same_end.append(known_name)
    shortest = sorted(with_same_words, key=len)[: MOST - 1]
    candidates = list(dict.fromkeys([*shortest, *with_same_end]))
    return candidates[:MOST] or similar_names
