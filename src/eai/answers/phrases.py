"""Steps in words: "stack the red block on top of the blue block" is ``(stack a b)``.

What an action and an object are called beside their names is said by phrases, such as benchmarks
publish to put problems in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple

from eai.answers.names import loose
from eai.answers.sentences import Parameter
from eai.errors import SchemaError, UnknownNameError, nearest
from eai.logic import Atom, conjuncts
from eai.pddl import Domain, Problem

_ARTICLES = frozenset(("a", "an", "the"))
_BETWEEN = _ARTICLES | frozenset(
    ("at", "by", "from", "in", "inside", "into", "of", "off", "on", "onto", "to", "top", "with")
)
"""Words that may stand between the objects of a step that is written in brackets."""

_PARTICLES = frozenset(("away", "back", "down", "in", "off", "on", "out", "up"))
"""Behind a verb they may stand behind its object as well."""

_STEP_LINE = re.compile(r"\(([\w-]+(?: [\w-]+)*)\)", re.ASCII)
"""A step in the notation of PDDL, as planners write it."""
_MAX_LINES = 1 << 16
"""Maximum number of lines whose steps are remembered for one task."""

_PIECE = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"[^\W_]+(?:[-_]+[^\W_]+)*")


class Piece(NamedTuple):
    """A run of letters and digits.

    Args:
        text: The letters and digits, in small letters.
        first: Whether a word begins with it.
        last: Whether a word ends with it.
    """

    text: str
    first: bool
    last: bool


def pieces_of(text: str) -> list[Piece]:
    """Return the pieces of a text; ``-`` and ``_`` join pieces to a word."""
    pieces: list[Piece] = []
    for word in _JOINED.findall(text.lower()):
        parts = _words_in(word)
        last = len(parts) - 1
        for index, part in enumerate(parts):
            pieces.append(Piece(part, index == 0, index == last))
    return pieces


def _words_in(text: str) -> tuple[str, ...]:
    """Return the runs of letters and digits in a text, in small letters."""
    return tuple([piece[0].lower() for piece in _PIECE.finditer(text)])


@dataclass(frozen=True)
class Phrases:
    """Names of actions and objects in words.

    Args:
        actions: Action to a phrase with ``{}`` for each object: ``"pick up the {}"``. Slots may
            have numbers from 1 or the names of parameters, where the order of the words is not
            that of the action: ``"swap {2} below {1}"``, ``"grasp {bottle} with the {hand}"``.
        objects: Object to its phrase; in a name with capital letters these are numbers:
            ``"lN-M"`` may be called ``"location_N_M"``.
    """

    actions: Mapping[str, str] = field(default_factory=dict)
    objects: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, document: object, *, where: str) -> Phrases:
        """Check what was read from a file of phrases.

        Args:
            document: ``{"actions": {...}, "objects": {...}}``.
            where: Name of the file.

        Raises:
            SchemaError: If it is something else.
        """
        parts = dict(document) if isinstance(document, Mapping) else {"": {}}
        for key, value in parts.items():
            texts = isinstance(value, Mapping) and all(isinstance(t, str) for t in value.values())
            if key not in ("actions", "objects") or not texts:
                what = f"{key or 'the document'} is not a table of phrases"
                form = '{"actions": {"pick-up": "pick up the {}"}, "objects": {"a": "red block"}}'
                raise SchemaError(what, where=where, expected=form)
        actions = {name.lower(): text for name, text in parts.get("actions", {}).items()}
        return cls(actions, parts.get("objects", {}))

    def refuse_misspelled_actions(self, domain: Domain, *, where: str) -> None:
        """Raise an error for a phrase whose action the domain does not have, but almost.

        A file may have phrases for the actions of several domains. A name that no action has is
        taken for a mistake only where it resembles an action without a phrase.

        Raises:
            UnknownNameError: If there is one.
        """
        without_phrase = [name for name in domain.operators if name not in self.actions]
        for name in self.actions:
            if name not in domain.operators and nearest(name, without_phrase):
                raise UnknownNameError("action", name, without_phrase, where=where)

    def of_object(self, name: str) -> str:
        """Return the phrase of an object; empty if it has none."""
        exact = self.objects.get(name)
        if exact is not None:
            return exact
        for pattern, letters, phrase in self._patterns_of_phrases:
            match = pattern.fullmatch(name)
            if match is not None:
                numbers = dict(zip(letters, match.groups(), strict=True))
                return "".join(numbers.get(letter, letter) for letter in phrase)
        return ""

    @cached_property
    def _patterns_of_phrases(self) -> list[tuple[re.Pattern[str], str, str]]:
        """Pattern of the names of objects, the letters that stand for numbers, and the phrase."""
        found = []
        for name, phrase in self.objects.items():
            pattern = re.sub("[A-Z]", r"(\\d+)", re.escape(name))
            letters = "".join(re.findall("[A-Z]", name))
            found.append((re.compile(pattern, re.IGNORECASE), letters, phrase))
        return found


def _order_of_slots(phrase: str, domain: Domain, name: str) -> list[int] | None:
    """Return the index of the parameter in each slot of a phrase; None if slots have no names.

    Args:
        phrase: The phrase of an action: ``"swap {2} below {1}"``.
        domain: The domain.
        name: Name of the action.

    Raises:
        SchemaError: If slots have numbers or names that the action does not have, or only some
            of them have.
    """
    slots = re.findall(r"\{(\w*)\}", phrase)
    if not any(slots):
        return None
    parameters = [each.name.lstrip("?") for each in domain.operators[name].parameters]
    numbers = [str(number) for number in range(1, len(parameters) + 1)]
    known = numbers if slots[0].isdigit() else parameters
    if sorted(slots) != sorted(known):
        raise SchemaError(
            f"the phrase of {name} has the slots {', '.join(slots)}",
            where="phrases",
            expected=f"each of {', '.join(parameters)} once, or the numbers from 1",
        )
    return [known.index(slot) for slot in slots]


class InWords(NamedTuple):
    """A step that was read out of words.

    Args:
        name: Name of the action; empty if the words begin like an action and are no step.
        arguments: Its objects.
        complete: Whether nothing but the action, its objects and prepositions is written.
        note: What was added or passed over; empty if nothing was.
    """

    name: str
    arguments: tuple[str, ...] = ()
    complete: bool = False
    note: str = ""


class Names:
    """The names of a task, as they are and in words."""

    def __init__(self, domain: Domain, problem: Problem, phrases: Phrases | None = None) -> None:
        """Index the names of the actions; phrases and objects are indexed when needed."""
        self.domain = domain
        self._facts = frozenset(problem.initial)
        # Lines that were read as bare steps before; None for those that are none.
        self.phrases = phrases or Phrases()
        self.objects = {**domain.constants, **problem.objects}
        self._steps_of_lines: dict[str, tuple[str, tuple[str, ...]] | None] = {}
        self._loose: dict[str, list[str]] = {}
        for name in domain.operators:
            self._loose.setdefault(loose(name), []).append(name)
        self._orders = {
            name: order
            for name, phrase in self.phrases.actions.items()
            if name in domain.operators and (order := _order_of_slots(phrase, domain, name))
        }

    def step_of_line(self, line: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the step that is all of a line, ``(stack a b)``, by the names of the task.

        None if the line is anything else, or the step has another number of arguments.
        """
        if line in self._steps_of_lines:
            return self._steps_of_lines[line]
        step = self._plain_step(line)
        if len(self._steps_of_lines) < _MAX_LINES:
            self._steps_of_lines[line] = step
        return step

    def _plain_step(self, line: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the step of a line such as ``(unstack a b)`` with names of the task; else None."""
        bracket = _STEP_LINE.fullmatch(line)
        if bracket is None:
            return None
        name, *arguments = bracket[1].lower().split()
        operator = self.domain.operators.get(name)
        if operator is None or len(operator.parameters) != len(arguments):
            return None
        if name in self.objects:
            return None  # (a) may name an object
        if not all(argument in self.objects for argument in arguments):
            return None
        return name, tuple(arguments)

    def find_action(self, written: str, *, joined: bool = False) -> str | None:
        """Return the action that a name means: ``PICK_UP``, perhaps ``pickup``, is ``pick-up``."""
        lower = written.lower()
        if lower in self.domain.operators:
            return lower
        actions = self._loose.get(loose(written), [])
        if not joined:
            actions = [name for name in actions if _words_in(name) == _words_in(written)]
        return actions[0] if len(actions) == 1 else None

    def find_object(self, written: str, *, by_phrase: bool = False) -> str:
        """Return the object that a name or phrase means, else the text in small letters.

        Args:
            written: The name or phrase.
            by_phrase: Whether the name ``red_block`` may be the phrase "red block".
        """
        lower = written.strip().lower()
        if lower in self.objects:
            return lower
        names_found, complete = self._find_mentions(pieces_of(lower))
        if len(names_found) != 1 or not complete:
            return lower
        phrase = self.phrases.of_object(names_found[0])
        is_same = _words_in(names_found[0]) == _words_in(lower) or lower in (
            phrase,
            phrase.rpartition(" ")[0],
        )
        return names_found[0] if is_same or by_phrase or "_" not in lower else lower

    @cached_property
    def _phrases_by_first_piece(self) -> dict[str, list[tuple[tuple[str, ...], str, bool]]]:
        """Names and phrases of objects by their first piece, longest first; True for phrases."""
        names_by_words: dict[tuple[str, ...], dict[str, bool]] = {}
        for name in self.objects:
            names_by_words.setdefault(_words_in(name), {})[name] = False
        names_by_short_phrase: dict[tuple[str, ...], dict[str, bool]] = {}
        for name in self.objects:
            phrase = self.phrases.of_object(name)
            if phrase:
                names_by_words.setdefault(_words_in(phrase), {})[name] = True
                names_by_short_phrase.setdefault(_words_in(phrase.rpartition(" ")[0]), {})[name] = (
                    True
                )
        for words, names in names_by_short_phrase.items():
            names_by_words.setdefault(words, names)
        table: dict[str, list[tuple[tuple[str, ...], str, bool]]] = {}
        for words, names in names_by_words.items():
            if words and len(names) == 1:
                ((name, is_phrase),) = names.items()
                table.setdefault(words[0], []).append((words, name, is_phrase))
        for entries in table.values():
            entries.sort(key=lambda entry: -len(entry[0]))
        return table

    def object_forms(self) -> list[tuple[str, str]]:
        """Return what objects are called, where it means one object, with their names."""
        entries = [entry for listed in self._phrases_by_first_piece.values() for entry in listed]
        return [(" ".join(words), name) for words, name, _ in entries]

    def _mention_at(
        self, pieces: Sequence[Piece], first_index: int
    ) -> tuple[int, str, bool] | None:
        """Return the object that some pieces name, from an index on; None if they name none.

        Returns:
            The index behind the name, the object, and whether a phrase names it.
        """
        piece = pieces[first_index]
        if not piece.first:
            return None
        for phrase_words, name, is_phrase in self._phrases_by_first_piece.get(piece.text, ()):
            end_index = first_index + len(phrase_words)
            is_same = (
                len(phrase_words) == 1
                or tuple([each.text for each in pieces[first_index:end_index]]) == phrase_words
            )
            if is_same and end_index <= len(pieces) and pieces[end_index - 1].last:
                return end_index, name, is_phrase
        return None

    def _find_mentions(
        self, pieces: Sequence[Piece], index: int = 0
    ) -> tuple[tuple[str, ...], bool]:
        """Return the objects that pieces name, and whether only prepositions stand between them.

        Args:
            pieces: The pieces.
            index: Index of the first piece to look at.
        """
        names_found: list[str] = []
        complete = True
        while index < len(pieces):
            mention = self._mention_at(pieces, index)
            if mention is not None and pieces[index].text in _ARTICLES and index + 1 < len(pieces):
                mention_behind = self._mention_at(pieces, index + 1)
                if mention_behind is not None and mention_behind[2]:
                    mention = None  # "a blue block", not the object a
            if mention is None:
                complete = complete and pieces[index].text in _BETWEEN
                index += 1
            else:
                index = mention[0]
                names_found.append(mention[1])
        return tuple(names_found), complete

    @cached_property
    def _beginnings_of_actions(self) -> dict[str, list[tuple[tuple[str, ...], list[str]]]]:
        """The words of actions before their first object, each with the actions that have them.

        They are grouped by their first word, the longest first. They come from phrases and from
        names of actions; verbs are also listed with "-ing".
        """
        actions_by_words: dict[tuple[str, ...], list[str]] = {}
        for name in self.domain.operators:
            phrase = list(_words_in(self.phrases.actions.get(name, "").partition("{")[0]))
            while phrase and phrase[-1] in _ARTICLES:
                phrase.pop()
            joined = ("".join(_words_in(name)),)
            for words in dict.fromkeys((_words_in(name), tuple(phrase), joined)):
                if not words:
                    continue
                verb = words[0]
                for verb_form in (verb, f"{verb.removesuffix('e')}ing", f"{verb}{verb[-1]}ing"):
                    actions_by_words.setdefault((verb_form, *words[1:]), []).append(name)
        table: dict[str, list[tuple[tuple[str, ...], list[str]]]] = {}
        for words in sorted(actions_by_words, key=len, reverse=True):
            table.setdefault(words[0], []).append((words, actions_by_words[words]))
        return table

    def read_step(self, text: str) -> InWords | None:
        """Return the step that a text says; None if it does not begin like an action."""
        begin = _PIECE.search(text)
        if begin is None or begin[0].lower() not in self._beginnings_of_actions:
            return None
        pieces = pieces_of(text)
        begins_like_action = False
        for words, actions in self._beginnings_of_actions[pieces[0].text]:
            size = len(words)
            in_order = self._with_particle_first(words, pieces)
            first_words = tuple([piece.text for piece in in_order[:size]])
            if first_words != words or not in_order[size - 1].last:
                continue
            begins_like_action = True
            step = self._step_of_best_action(actions, in_order, size)
            if step is not None:
                return step
        if begins_like_action:
            return InWords("")
        # A step as one word, unstack_b_c, as older files of PlanBench have it.
        word = text.strip(" \t\r`*\"',.")
        if "_" not in word or " " in word:
            return None
        step = self.read_step(word.replace("_", " "))
        return step if step is not None and step.complete else None

    def _with_particle_first(self, words: tuple[str, ...], pieces: list[Piece]) -> list[Piece]:
        """Return pieces with a particle right behind its verb: "put down ..." for "put ... down".

        Args:
            words: The words of an action: ``("put", "down")``.
            pieces: The pieces of a text that begins with the verb.
        """
        if len(words) != 2 or words[1] not in _PARTICLES:
            return pieces
        for index in range(2, min(6, len(pieces))):
            if pieces[index].text == words[1]:
                _, has_only_objects = self._find_mentions(pieces[1:index])
                if not has_only_objects:
                    break
                return [pieces[0], pieces[index], *pieces[1:index], *pieces[index + 1 :]]
        return pieces

    def _step_of_best_action(
        self, actions: Sequence[str], pieces: Sequence[Piece], first_index: int
    ) -> InWords | None:
        """Return the step of the action that fits the objects in a text; None if none does.

        Args:
            actions: Names of actions whose phrases begin alike.
            pieces: The words and names of the text.
            first_index: Index of the first piece behind the words of the actions.
        """
        names_in_text, complete = self._find_mentions(pieces, first_index)
        name_count = len(names_in_text)
        arities = {name: len(self.domain.operators[name].parameters) for name in actions}
        with_all_objects = [name for name in actions if arities[name] <= name_count]
        if not with_all_objects:
            return self._with_last_object(actions, names_in_text)
        # Of actions that begin alike, one whose types fit is meant, and one with most objects.
        name = max(
            with_all_objects,
            key=lambda name: (self._meets_conditions(name, names_in_text), arities[name]),
        )
        arity = arities[name]
        names_in_text = self._in_order(name, names_in_text, pieces[first_index:])
        if not arity and first_index < len(pieces):
            return None
        if name_count == arity:
            return InWords(name, names_in_text, complete)
        unused_names = ", ".join(names_in_text[arity:])
        note = f"{name} takes {arity}; more objects are named: {unused_names}"
        return InWords(name, names_in_text[:arity], complete=False, note=note)

    def _with_last_object(
        self, actions: Sequence[str], names_in_text: tuple[str, ...]
    ) -> InWords | None:
        """Return a step with its last object added; None unless just one object of the task fits.

        Args:
            actions: Names of actions.
            names_in_text: The objects that a text names.
        """
        completed_steps: list[InWords] = []
        for name in actions:
            lacks_one = len(self.domain.operators[name].parameters) == len(names_in_text) + 1
            if not lacks_one or not self._static_conditions[name]:
                continue
            for last_object in self.objects:
                if self._meets_conditions(name, (*names_in_text, last_object)):
                    note = f"{last_object} was added: it is the only object that fits"
                    completed_steps.append(InWords(name, (*names_in_text, last_object), note=note))
        if len(completed_steps) != 1:
            return None
        return completed_steps[0]

    def _in_order(
        self, name: str, names_in_text: tuple[str, ...], pieces: Sequence[Piece]
    ) -> tuple[str, ...]:
        """Return objects in the order of the parameters, where a phrase has another order.

        The words between the slots of the phrase have to stand in the text.

        Args:
            name: Name of the action.
            names_in_text: The objects, in the order of the text.
            pieces: The pieces of the text behind the words of the action.
        """
        order = self._orders.get(name)
        if order is None or len(names_in_text) < len(order):
            return names_in_text
        words_between = _words_in(
            re.sub(r"\{\w*\}", " ", self.phrases.actions[name].partition("}")[2])
        )
        words_of_text = {piece.text for piece in pieces}
        if not words_of_text.issuperset(set(words_between) - _ARTICLES):
            return names_in_text
        ordered = list(names_in_text)
        for slot, parameter in enumerate(order):
            ordered[parameter] = names_in_text[slot]
        return tuple(ordered)

    def parameters(self, action: str) -> tuple[Parameter, ...]:
        """Return the parameters of an action, with the objects that their types allow."""
        return self._parameters_by_action[action]

    @cached_property
    def _parameters_by_action(self) -> Mapping[str, tuple[Parameter, ...]]:
        """The parameters of each action."""
        by_action: dict[str, tuple[Parameter, ...]] = {}
        for name, operator in self.domain.operators.items():
            parameters: list[Parameter] = []
            for variable in operator.parameters:
                takes = partial(self._is_of, variable.types)
                kinds = frozenset(variable.types)
                parameters.append(Parameter(variable.name.lstrip("?"), takes, kinds))
            by_action[name] = tuple(parameters)
        return by_action

    def _is_of(self, types: Sequence[str], name: str) -> bool:
        """Whether an object is of one of several types; a name of none is not."""
        type_name = self.objects.get(name)
        return type_name is not None and any(
            self.domain.is_subtype(type_name, kind) for kind in types
        )

    def _meets_conditions(self, name: str, arguments: Sequence[str]) -> bool:
        """Whether objects meet the types of an action, and preconditions that no action changes."""
        variables = self.domain.operators[name].parameters
        binding = {v.name: o for v, o in zip(variables, arguments, strict=False)}
        for parameter, variable in zip(self._parameters_by_action[name], variables, strict=True):
            if not parameter.takes(binding[variable.name]):
                return False
        return all(
            atom.substitute(binding) in self._facts for atom in self._static_conditions[name]
        )

    @cached_property
    def _static_conditions(self) -> Mapping[str, list[Atom]]:
        """The preconditions of each action that no action changes."""
        fluents = self.domain.fluents
        match: dict[str, list[Atom]] = {}
        for name, operator in self.domain.operators.items():
            atoms = (each for each in conjuncts(operator.precondition) if isinstance(each, Atom))
            match[name] = [atom for atom in atoms if atom.predicate not in fluents]
        return match
