"""Looking up the names of a plan: which action, which objects.

Exact names come first. Names that differ in case, blanks, underscores or hyphens are accepted
and noted. An id is written as the token behind the name (``light``, ``411``) or joined to it
(``light.411``, ``light_411``). A class name without id means the object of that class which
the plan used last, and before that the first one in ``vocabulary.classes`` that the step does
not use already: the same name without id, used again, means the same object.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from eai.answers.names import LONGEST_NAME, NameIndex, clip_text, loose, split_id
from eai.answers.plan import BoundPlan, PlanReading, ReadStep, shorten
from eai.diagnosis import ErrorKind, Finding
from eai.task import Vocabulary
from eai.text import counted
from eai.world import Action

MOST_ARGUMENTS = 64
"""So many arguments of one step are looked up."""
MOST_FINDINGS = 100
"""So many findings of one plan are listed; the others are counted."""

_ID = re.compile(r"[#(]?(?:\d{1,9}\.(?=[1-9]))?(\d{1,18})(?:\.0)?\)?")


class Binder:
    """Looks up names in one vocabulary; keep it to bind many plans of one task.

    Args:
        vocabulary: The names that an answer may use.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.names = NameIndex(vocabulary)

    def bind(self, reading: PlanReading) -> BoundPlan:
        """Look up all names of a plan: the actions, everything that is wrong, and notes."""
        return _Binding(self.names, reading, described=True).bind_plan()

    def actions(self, reading: PlanReading) -> tuple[Action, ...] | None:
        """The actions of a plan in which :meth:`bind` finds nothing wrong, else None.

        It stops at the first mistake and does not describe it, which is much faster.
        """
        if reading.problems:
            return None
        binding = _Binding(self.names, reading)
        actions: list[Action] = []
        for number, step in enumerate(reading.steps, 1):
            action = binding.bind_step(step, number)
            if action is None:
                return None
            actions.append(action)
        return tuple(actions)

    def action_of_step(self, step: ReadStep) -> Action | None:
        """Return the action of a step if it is the same in every plan, else None.

        It is not if the step is wrong, or if it names an object by its class: then steps before
        it say which object is meant.
        """
        name, was_loose = self.names.find_action(step.name)
        if name is not None and not was_loose and self._has_exact_objects(name, step.arguments):
            return Action(name, step.arguments)
        binding = _Binding(self.names, PlanReading((step,)))
        action = binding.bind_step(step, 1)
        return None if binding.first_object_by_class else action

    def _has_exact_objects(self, name: str, arguments: tuple[str, ...]) -> bool:
        """Return whether arguments are as many as an action takes, and all of them objects."""
        vocabulary = self.names.vocabulary
        if not len(arguments) == vocabulary.actions[name] <= MOST_ARGUMENTS:
            return False
        # A number behind an object may be its id.
        return all(word in vocabulary.objects and word[0].isalpha() for word in arguments)


class _Binding:
    """Binds one plan: looks up the action and the objects of each of its steps.

    Args:
        names: The names of the task.
        reading: The plan as it was read.
        described: Whether mistakes are described, with hints at the names that may be meant.

    Attributes:
        finding_count: Number of findings, also of those that are not listed.
        has_listed_actions: Whether a hint has listed all actions of the task.
        hinted_messages: Messages that got their hint.
        last_object_by_class: Class to the object of it that the plan named last.
        first_object_by_class: Class to the object that its name without an id first stood for.
    """

    def __init__(self, names: NameIndex, reading: PlanReading, *, described: bool = False) -> None:
        """Prepare to bind a plan; :meth:`bind_plan` does it."""
        self.names = names
        self.described = described
        self.vocabulary = names.vocabulary
        # A suite with a reader of its own has looked all names up.
        self.names_are_exact = names.vocabulary.reader is not None
        self.reading = reading
        self.notes: dict[str, None] = dict.fromkeys(reading.notes)
        self.findings: list[Finding] = []
        self.finding_count = 0
        self.has_listed_actions = False
        self.hinted_messages: set[str] = set()
        self.last_object_by_class: dict[str, str] = {}
        self.first_object_by_class: dict[str, str] = {}

    def bind_plan(self) -> BoundPlan:
        """Bind all steps."""
        problems = self.reading.problems
        self.finding_count = len(problems)
        for problem in problems[:MOST_FINDINGS]:
            message = problem.message + self.names.written_form(problem)
            self.findings.append(Finding(ErrorKind.PARSING, message, position=problem.position))
        actions: list[Action] = []
        for step_number, step in enumerate(self.reading.steps, 1):
            action = self.bind_step(step, step_number)
            if action is not None:
                actions.append(action)
        if self.first_object_by_class:
            chosen_objects = ", ".join(
                f"{name} is {obj}" for name, obj in self.first_object_by_class.items()
            )
            self.notes[f"names without id: {chosen_objects}"] = None
        unlisted_count = self.finding_count - MOST_FINDINGS
        if unlisted_count > 0:
            kind = self.findings[-1].kind
            self.findings.append(
                Finding(kind, f"{counted(unlisted_count, 'more finding')} not listed")
            )
        # How the steps are written is only needed to explain what is wrong.
        steps = self.reading.steps if self.finding_count else ()
        written_steps = tuple(clip_text(str(step)) for step in steps)
        return BoundPlan(tuple(actions), tuple(self.findings), tuple(self.notes), written_steps)

    def bind_step(self, step: ReadStep, step_number: int) -> Action | None:
        """Bind one step; None if something is wrong with it."""
        count_before = self.finding_count
        name, was_loose = self.names.find_action(step.name)
        name = None if was_loose and self.names_are_exact else name
        objects = self.bind_objects(step, step_number)
        if name is None:
            message = f"there is no action {shorten(step.name)}"
            hint = partial(self.action_hint, step=step)
            self.add_finding(ErrorKind.ACTION_HALLUCINATION, message, step, step_number, hint)
            return None
        if was_loose:
            self.notes[f"{shorten(step.name)} was read as {name}"] = None
        arity = self.vocabulary.actions[name]
        if len(objects) != arity:
            message = _wrong_number_of_objects(name, arity, len(objects))
            self.add_finding(ErrorKind.ARGUMENT_NUMBER, message, step, step_number)
        if self.finding_count > count_before:
            return None
        return Action(name, tuple(objects))

    def add_finding(
        self,
        kind: ErrorKind,
        message: str,
        step: ReadStep,
        number: int,
        hint: Callable[[], str] | None = None,
    ) -> None:
        """Add a finding about a step.

        Args:
            kind: The kind of the error.
            message: One sentence that says what is wrong.
            step: The step.
            number: Its number in the plan.
            hint: Returns the names that may be meant, which stand behind the message. As it takes
                long, it is called only for findings that are listed.
        """
        self.finding_count += 1
        if self.finding_count > MOST_FINDINGS or not self.described:
            return
        if hint is not None and message not in self.hinted_messages:
            self.hinted_messages.add(message)  # the same name in another step is the same mistake
            message += hint()
        text = clip_text(str(step))
        self.findings.append(Finding(kind, message, number, text, position=step.position))

    def action_hint(self, step: ReadStep) -> str:
        """Return a hint at the action that is meant; once in a plan, all actions."""
        words = f"{step.name} {' '.join(step.arguments)}" if " " in step.name else ""
        hint = self.names.step_in_notation(words) or self.names.action_hint(step.name)
        if hint or self.has_listed_actions:
            return hint
        self.has_listed_actions = True
        return self.names.all_actions()

    def bind_objects(self, step: ReadStep, step_number: int) -> list[str]:
        """Return the objects of a step by the names of the task; an unknown one as it is written.

        Args:
            step: The step.
            step_number: Its number in the plan, for findings about unknown objects.
        """
        tokens = step.arguments[:MOST_ARGUMENTS]
        if self.names_are_exact:
            for token in tokens:
                if token not in self.vocabulary.objects:
                    self.find_unknown_object(token, step, step_number)
            return list(tokens)
        bound: list[str] = []
        index = 0
        while index < len(tokens):
            token_count, object_name = self.match_next_object(tokens, index, bound)
            written = " ".join(tokens[index : index + token_count])
            index += token_count
            if object_name is None:
                self.find_unknown_object(written, step, step_number)
                bound.append(written)
                continue
            bound.append(object_name)
            name = self.names.class_of.get(object_name)
            if name is not None:
                self.last_object_by_class[name] = object_name
        return bound

    def find_unknown_object(self, words: str, step: ReadStep, number: int) -> None:
        """Add the finding that some words name no object."""
        message = f"there is no object {shorten(words)} in the task"
        hint = partial(self.names.object_hint, words)
        self.add_finding(ErrorKind.OBJECT_HALLUCINATION, message, step, number, hint)

    def match_next_object(
        self, tokens: tuple[str, ...], index: int, used: list[str]
    ) -> tuple[int, str | None]:
        """Return how many tokens name the next object of a step, and which object that is.

        Args:
            tokens: The arguments of the step: names, ids, and names with ids.
            index: Index of the first token.
            used: The objects that the step named before.

        Returns:
            The number of tokens, and the object; None if the task does not have it.
        """
        token = tokens[index]
        next_token = tokens[index + 1] if index + 1 < len(tokens) else ""
        number = _ID.fullmatch(next_token)
        if token in self.vocabulary.objects:
            split = split_id(token)
            has_id_again = number is not None and split is not None and number[1] == split[1]
            return 2 if has_id_again else 1, token
        if number is None or _ID.fullmatch(token) is not None:
            return self.match_token(token, used) or self.match_tokens(tokens, index, used)
        joined = self.names.find_joined_object(token, number[1])
        if joined is None:
            return 2, None
        name, was_loose = joined
        self.note_other_spelling(f"{token} {next_token}", name, was_loose=was_loose)
        return 2, name

    def match_token(self, token: str, used: list[str]) -> tuple[int, str] | None:
        """Return 1 and the object that one token names; None if it names none.

        Args:
            token: A name with an id, or the name of a class, which stands for one of its objects.
            used: The objects that the step named before.
        """
        if len(token) > LONGEST_NAME:
            return None
        if token in self.vocabulary.classes:
            return 1, self.choose_member(token, used)
        stem, number = split_id(token) or ("", "")
        named_object = self.names.find_joined_object(stem, number) if stem else None
        # An id alone names an object if no other object has it.
        if number and not stem and len(self.names.by_id.get(number, ())) == 1:
            named_object = self.names.by_id[number][0], True
        plain = loose(token)
        if named_object is None and plain in self.names.loose_classes:
            name = self.names.loose_classes[plain]
            self.note_other_spelling(token, name, was_loose=True)
            return 1, self.choose_member(name, used)
        if named_object is None and (plain, "") in self.names.loose_objects:
            named_object = self.names.loose_objects[plain, ""], True
        if named_object is None:
            return None
        name, was_loose = named_object
        self.note_other_spelling(token, name, was_loose=was_loose)
        return 1, name

    def match_tokens(
        self, tokens: tuple[str, ...], index: int, used: list[str]
    ) -> tuple[int, str | None]:
        """Return how many tokens are the words of a name, ``washing machine 1001``, and its object.

        Args:
            tokens: The arguments of the step.
            index: Index of the first word.
            used: The objects that the step named before.
        """
        for word_count in (2, 3):
            words = tokens[index : index + word_count]
            if len(words) < word_count or sum(map(len, words)) > LONGEST_NAME:
                break
            name = "_".join(words)
            next_token = tokens[index + word_count] if index + word_count < len(tokens) else ""
            number = _ID.fullmatch(next_token)
            joined = self.names.find_joined_object(name, number[1]) if number else None
            if joined is not None:
                self.note_other_spelling(" ".join(words), joined[0], was_loose=True)
                return word_count + 1, joined[0]
            match = self.match_token(name, used)
            if match is not None:
                return word_count, match[1]
        return 1, None

    def choose_member(self, class_name: str, used: list[str]) -> str:
        """Return the object that the name of a class stands for, ``cup`` for ``cup.2``.

        It is the object of the class that the plan named last. If the plan named none, or the step
        has that object already, it is the first object of the class that the step does not have.
        """
        members = self.vocabulary.classes[class_name]
        member_named_last = self.last_object_by_class.get(class_name)
        if member_named_last is None or member_named_last in used:
            member_named_last = next(
                (member for member in members if member not in used), members[0]
            )
        self.first_object_by_class.setdefault(class_name, member_named_last)
        return member_named_last

    def note_other_spelling(self, written: str, known: str, *, was_loose: bool) -> None:
        """Note how a name was understood, if it is not written as the task writes it."""
        if was_loose:
            self.notes[f"{shorten(written)} was read as {known}"] = None


def bind(reading: PlanReading, vocabulary: Vocabulary) -> BoundPlan:
    """Look up all names of a plan; for many plans of one task keep a :class:`Binder`.

    Args:
        reading: The plan as it was read.
        vocabulary: The names that an answer may use.
    """
    return Binder(vocabulary).bind(reading)


def _wrong_number_of_objects(name: str, arity: int, given: int) -> str:
    """Return the message that an action takes another number of objects, with its form."""
    takes = counted(arity, "object") if arity else "no object"
    verb = "was" if given < 2 else "were"
    form = f"{name}({', '.join(['object'] * arity)})"
    return f"{name} takes {takes}, but {given or 'none'} {verb} given; write {form}"
