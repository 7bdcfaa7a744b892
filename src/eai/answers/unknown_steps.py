"""Steps whose action the task does not have, in a form that only steps have.

``FLY(hall)``, ``[FLY] <hall> (1)``, ``(fly hall)`` and ``FLY hall`` leave no doubt that a step is
meant. Words alone do where the task has no names of its own, or where a step must stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from eai.answers.call_steps import holds_step
from eai.answers.choice import is_final, is_rejected
from eai.answers.items import CODE_WORDS, SIGNALS, Step
from eai.answers.object_grammar import CALL, has_id_in, style_of_call
from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    FILLERS,
    HEADINGS,
    PARTICLES,
    STATES,
    STATING,
    WORDS,
    tokens_of,
    words_of,
)
from eai.answers.surfaces import squeezed
from eai.answers.unclear import has_number, names_attributes
from eai.answers.value_steps import CollectedSteps
from eai.answers.values import scan_block

if TYPE_CHECKING:
    from eai.answers.grammar import StepGrammar

_SCRIPT = re.compile(r"\[\s*([A-Za-z][\w\- ]{0,40}?)\s*\]((?:\s*(?:<[^<>\n]*>|\(\s*[\w.]+\s*\)))+)")
"""A step of a script of VirtualHome: ``[WALK] <hall> (1)``."""
_SCRIPT_PART = re.compile(r"<([^<>]*)>|\(\s*([\w.]+)\s*\)")
_PDDL = re.compile(r"\(\s*([A-Za-z][\w\-]*)((?:[\s,]+[\"']?[\w.@#$%&+\-]+[\"']?)*)\s*\)")
"""A step of PDDL: ``(walk hall)``."""
_CAPITALS = re.compile(r"([A-Z][A-Z_\-]+[A-Z])\b:?(?:[ \t]+(.*))?$")
"""An action in capitals before its objects: ``WALK hall``."""
_BETWEEN_CALLS = re.compile(r"[\s,;.]*(?:->|\u2192|then|and)?\s*(?:\d+[.):]\s*)?")
"""Signs, a word, and the number of the next step: ``WALK(hall), then 2. OPEN(door)``."""
_BETWEEN_STEPS = re.compile(
    r"(?:>?\s?\(\s?\d{1,6}\s?\))?[)>\]]?[\s,;.|`*]*"
    r"(?:(?:->|=>|\u2192|\u21d2|>|then|and then|and|followed by)\s+)?(?:\d{1,4}[.):]\s*)?[`*]{0,2}"
)
"""Signs, a word, and the number of the next step, behind a step in brackets or a call."""
_REST = re.compile(
    r"[\s`*\"'.,;!]*(?:(?:#|//|--|\(|\bbecause\b|\bso that\b|\bto\b|\bin order\b).*)?$",
    re.IGNORECASE,
)
"""Everything that may stand behind a call on its line: signs, a comment, a reason."""
_SPACED_CALL = re.compile(r"([^\W\d][\w\-]{0,40}(?: [^\W\d][\w\-]{0,40}){1,3})\(([^()\n]+)\)")
"""A call whose name is several words."""
_OPEN_CALL = re.compile(r"(?:[A-Za-z_]\w*\.)*([^\W\d][\w\-]{0,60})\(([^()\n]*)$")
"""A call whose bracket the line does not close."""
_MAX_WORDS = 8
"""A step in words with an unknown action has fewer words; longer lines are sentences."""
_NAME = re.compile(r"(?:[A-Za-z_]\w{0,60}\.){0,4}[A-Za-z_]\w{0,60}\Z")
"""The name of a call, right before its arguments: ``robot.do``."""


class UnknownSteps:
    """Reads steps of unknown actions in lines.

    Args:
        grammar: Reads the steps of known actions.
    """

    def __init__(self, grammar: StepGrammar) -> None:
        """Read with the names and the notations of this grammar."""
        self.grammar = grammar

    def read_steps(
        self, text: str, offset: int, words_start: int, *, is_step_expected: bool
    ) -> list[Step]:
        """Return the steps of a line that are written as only steps are; none if there are none.

        Args:
            text: The line.
            offset: Its offset in the answer.
            words_start: Where its words begin, behind number, bullet and label.
            is_step_expected: Whether it stands where a step is expected.
        """
        if text.startswith("(", words_start):
            owner = _NAME.search(text, 0, words_start)
            if owner is not None:
                words_start = (
                    owner.start()
                )  # "robot.do" was taken for a label, "execute" for a word
        words = text[words_start:]
        offset += words_start
        script = _SCRIPT.match(words)
        if script is not None:
            return [_step_of_script(script, offset)]
        # From what only steps look like to what sentences look like, too.
        steps = self._read_calls(
            words, offset, is_step_expected=is_step_expected
        ) or self._read_spaced_call(words, offset)
        if steps:
            return steps
        stripped_words = words.strip(" \t\r`*\"',.;")
        pddl = _PDDL.match(stripped_words)
        if pddl is not None and not stripped_words[pddl.end() :].strip(") "):
            return self._pddl_step(pddl[1], _objects_in_brackets(pddl[2]), offset)
        steps = self._step_in_capitals(stripped_words, offset, is_step_expected=is_step_expected)
        if steps:
            return steps
        if self.grammar.is_free or is_step_expected:
            return self._step_in_words(stripped_words, offset)
        return []

    def read_steps_behind(
        self, text: str, offset: int, span: tuple[int, int], known_step: Step
    ) -> tuple[list[Step], int]:
        """Return the steps of unknown actions right behind a known one, and where they end.

        They are written like it: in ``WALK(hall), FLY(roof), OPEN(door)`` there are three steps.

        Args:
            text: The line.
            offset: Its offset in the answer.
            span: Where the known step ends, and where the next known one begins.
            known_step: The known step.
        """
        end, next_start = span
        steps: list[Step] = []
        while True:
            begin = _begin_of_next_step(text, end, next_start, known_step)
            step_and_end = (
                None
                if begin is None
                else self._read_step_like(text, offset, begin, next_start, known_step)
            )
            if step_and_end is None:
                return steps, end
            step, end = step_and_end
            step.form = known_step.form  # what is known of a script are words
            steps.append(step)

    def _read_step_like(
        self, text: str, offset: int, begin: int, stop: int, known_step: Step
    ) -> tuple[Step, int] | None:
        """Return the step at a place in a line that is written like another, and where it ends."""
        if known_step.form == "pddl":
            pddl = _PDDL.match(text, begin, stop)
            objects = [] if pddl is None else _objects_in_brackets(pddl[2])
            if pddl is None or not self._are_objects(objects):
                return None
            steps = self._pddl_step(pddl[1], objects, offset + begin)
            return (steps[0], pddl.end()) if steps else None
        script = _SCRIPT.match(text, begin, stop)
        if script is not None:
            return _step_of_script(script, offset + begin), script.end()
        if known_step.form != "call":
            return None
        call = CALL.match(text, begin, stop)
        if call is None or self._holds_step(call[1], call[2]):
            return None
        step = self._step_of_call(call, offset + begin, is_step_expected=False)
        # A step is written as those before it; "walk(hall), then see (below)" has one step.
        if step is None or step.is_weak or step.style != known_step.style:
            return None
        return step, call.end()

    def _are_objects(self, names: Sequence[str]) -> bool:
        """Whether some names are objects of the task, at least one."""
        known = self.grammar.surfaces.objects
        return bool(names) and all(squeezed(name) in known for name in names)

    def _step_in_capitals(
        self, stripped_words: str, offset: int, *, is_step_expected: bool
    ) -> list[Step]:
        """Return the step of an action in capitals, ``FLY hall``; none without an object."""
        capitals = _CAPITALS.match(stripped_words)
        if capitals is None or len(stripped_words.split()) >= _MAX_WORDS:
            return []
        name = capitals[1]
        objects = capitals[2] or ""
        if name.lower() in HEADINGS:
            return []
        particle, _, words_behind = objects.partition(" ")
        if particle.isupper() and particle.lower() in PARTICLES:
            name = f"{name} {particle}"  # PICK UP cup
            objects = words_behind
        if is_step_expected or self.grammar.surfaces.objects_in(objects) or has_id_in(objects):
            return [Step(name, tokens_of(objects), offset, form="words", is_known=False)]
        return []

    def _pddl_step(self, name: str, objects: list[str], offset: int) -> list[Step]:
        """Return the step ``(fly hall)``; none if the brackets hold a remark or an object's id."""
        action = name.lower()
        known_objects = self.grammar.surfaces.objects
        # Blocks are called "a" and "b".
        words = {action, *(each.lower() for each in objects if squeezed(each) not in known_objects)}
        if not (FILLERS | STATING).isdisjoint(words):
            return []
        is_frame = action in SIGNALS | HEADINGS or is_final(action) or is_rejected(action)
        # "(Goal reached)" and "(done)" stand at the end of many lists.
        # "(cheerfully)" says how somebody speaks.
        if action in STATES or (not objects and (is_frame or action.endswith("ly"))):
            return []
        if squeezed(action) in known_objects and all(map(str.isdigit, objects)):
            return []  # an object and its id: (light 411)
        return [Step(name, objects, offset, form="pddl", is_known=False, is_weak=not objects)]

    def _step_in_words(self, stripped_words: str, offset: int) -> list[Step]:
        """Return a step of a verb and names with ids, in words: ``fly to hall.3``."""
        words = stripped_words.replace(",", " ").split()
        if not 1 < len(words) < _MAX_WORDS:
            return []
        if not words[0].replace("_", "a").replace("-", "a").isalpha():
            return []
        has_particle = len(words) > 2 and words[1].lower() in PARTICLES
        name_size = 2 if has_particle else 1
        objects = words[name_size:]
        if not FILLERS.isdisjoint(word.lower() for word in [words[0], *objects]):
            return []
        if not has_id_in(" ".join(objects)):
            return []
        name = " ".join(words[:name_size])
        return [Step(name, tokens_of(" ".join(objects)), offset, form="words", is_known=False)]

    def _read_calls(self, words: str, offset: int, *, is_step_expected: bool) -> list[Step]:
        """Return the steps of a line that is a row of calls, ``FLY(hall) -> LAND(hall)``.

        Args:
            words: The line from its first word on.
            offset: Its offset in the answer.
            is_step_expected: Whether it stands where a step is expected.
        """
        steps: list[Step] = []
        call_start = len(words) - len(words.lstrip("\"'`"))
        while call := CALL.match(words, call_start):
            # The arguments may hold the step: Step(id=1, action="WALK", object="hall").
            if self._holds_step(call[1], call[2]):
                steps += self._steps_in_call(call[0], offset + call.start())
            else:
                step = self._step_of_call(
                    call, offset + call_start, is_step_expected=is_step_expected
                )
                is_sure = step is not None and not step.is_weak
                is_alone = not call[2].strip() or _REST.match(words, call.end()) is not None
                if step is None or not (is_sure or is_alone):
                    break  # a call in a sentence or in code
                steps.append(step)
            call_start = _BETWEEN_CALLS.match(words, call.end()).end()  # type: ignore[union-attr]
        _give_one_form(steps)
        return steps or _cut_call(words, offset)

    def _holds_step(self, name: str, inside: str) -> bool:
        """Whether the arguments of a call hold a step: ``Step(id=1, action="WALK", to="hall")``."""
        if holds_step(name) and _names_action_by_key(inside):
            return True  # "Step(action=...)", though a step is a heading, too
        if _is_code_or_heading(name):
            return False
        return self.grammar.surfaces.names_action(inside) or _names_action_by_key(inside)

    def _step_of_call(
        self, call: re.Match[str], offset: int, *, is_step_expected: bool
    ) -> Step | None:
        """Return the step of a call; None if it is no step, such as ``print("...")``.

        It is weak if it may be code or talk: its name is not in capitals, and it names no object.
        """
        name, arguments = call[1], call[2]
        surfaces = self.grammar.surfaces
        is_plural = arguments in ("s", "es")  # "object(s)"
        is_signal = not arguments and name.lower() in SIGNALS
        is_predicate = squeezed(name) in surfaces.predicates
        if is_plural or is_signal or is_predicate or _is_code_or_heading(name):
            return None
        names_of_task = surfaces.objects_in(arguments)
        if not names_of_task and names_attributes(arguments):
            return None  # the body of a loop over the steps
        names_object = has_number(arguments) or bool(names_of_task)
        step = self.grammar.unlisted_call(
            name, self.grammar.objects_in_brackets(arguments, None), offset
        )
        step.is_weak = not (is_step_expected or name.isupper() or names_object)
        step.style = style_of_call(call.string[: call.start(1)], name)
        return step

    def _read_spaced_call(self, line_words: str, offset: int) -> list[Step]:
        """Return a call whose name is several words: ``turn on(fridge.40)``."""
        call = _SPACED_CALL.fullmatch(line_words.strip(" \t\r`*\"',.;"))
        if call is None:
            return []
        name, arguments = call[1], call[2]
        words = words_of(name)
        is_denied = not WORDS["negations"].isdisjoint(words)  # "never open(door)"
        if arguments in ("s", "es") or words[0] in FILLERS or is_denied:
            return []
        if not (FILLERS | STATING | STATES).isdisjoint(set(words) - PARTICLES):
            return []  # a remark: "the door is open (fridge.40)"
        step = Step(
            name,
            self.grammar.objects_in_brackets(arguments, None),
            offset,
            form="call",
            is_known=False,
        )
        step.is_weak = not (has_number(arguments) or self.grammar.surfaces.objects_in(arguments))
        step.style = style_of_call("", name)
        return [step]

    def _steps_in_call(self, call: str, offset: int) -> list[Step]:
        """Return the steps in the arguments of a call: ``Step(action="WALK", object="hall")``."""
        list_text = f"[{call}]"
        block = scan_block(list_text, 0, end=len(list_text), max_tokens=2_000)
        collected = CollectedSteps(self.grammar)
        collected.read_value(block.group, 1)
        steps = [step for reading in collected.readings for step in reading.steps]
        for step in steps:
            step.at = offset
        return steps


def _objects_in_brackets(written: str) -> list[str]:
    """Return the objects of a step in brackets, ``hall cup`` or ``"hall", "cup"``."""
    return [name.strip("\"'") for name in written.replace(",", " ").split()]


def _step_of_script(script: re.Match[str], offset: int) -> Step:
    """Return the step ``[FLY] <hall> (1)``."""
    objects: list[str] = []
    for name, number in _SCRIPT_PART.findall(script[2]):
        part = (name or number).strip()
        if part:
            objects.append(part)
    return Step(script[1], objects, offset, form="script", is_known=False)


def _give_one_form(steps: Sequence[Step]) -> None:
    """Let the steps of a row of calls have one form, though the arguments of some hold the step."""
    calls = [step for step in steps if step.form == "call" and not step.is_known]
    if not calls or len(calls) == len(steps):
        return
    for step in steps:
        step.form = "call"
        step.style = calls[0].style


def _cut_call(line_words: str, offset: int) -> list[Step]:
    """Return the call at the end of a line whose bracket is not closed: ``FLY(ha``."""
    call = _OPEN_CALL.fullmatch(line_words)
    if call is None or call[1].lower() in CODE_WORDS:
        return []
    if not HEADINGS.isdisjoint(words_of(call[1])):
        return []
    return [Step(call[1], [], offset, form="call", is_known=False, is_cut=True)]


def _begin_of_next_step(text: str, end: int, stop: int, known_step: Step) -> int | None:
    """Return where the next step of a line may begin, behind the end of one; None if nowhere.

    Steps in brackets need nothing between them, calls need a sign, a word or a number.
    """
    separator = _BETWEEN_STEPS.match(text, end, stop)
    if separator is None or (known_step.form == "call" and not separator[0].strip(" \t`*")):
        return None
    return separator.end()


def _names_action_by_key(inside: str) -> bool:
    """Whether the first argument of a call is an action by its keyword: ``action="FLY"``."""
    keyword, sign, _ = inside.partition("=")
    return sign != "" and keyword.strip() in ACTION_KEYS


def _is_code_or_heading(name: str) -> bool:
    """Whether the name of a call is a word of code or of headings: ``print``, ``plan``."""
    words = words_of(name)
    if name.lower() in CODE_WORDS or not HEADINGS.isdisjoint(words):
        return True
    return not ASIDE_KEYS.isdisjoint(words)
