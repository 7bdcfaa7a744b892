"""Steps whose action the task does not have, in a form that only steps have.

``FLY(hall)``, ``[FLY] <hall> (1)``, ``(fly hall)`` and ``FLY hall`` leave no doubt that a step is
meant. Words alone do where the task has no names of its own, or where a step must stand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eai.answers.choice import is_final, is_rejected
from eai.answers.items import CODE_WORDS, SIGNALS, Step
from eai.answers.object_grammar import CALL, VARIABLES, has_id_in, style_of
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
from eai.answers.unclear import has_number
from eai.answers.value_steps import CollectedSteps, holds_step
from eai.answers.values import scan_block

if TYPE_CHECKING:
    from eai.answers.grammar import StepGrammar

_SCRIPT = re.compile(r"\[\s*([A-Za-z][\w\- ]{0,40}?)\s*\]((?:\s*(?:<[^<>\n]*>|\(\s*[\w.]+\s*\)))+)")
"""A step of a script of VirtualHome: ``[WALK] <hall> (1)``."""
_SCRIPT_PART = re.compile(r"<([^<>]*)>|\(\s*([\w.]+)\s*\)")
_PDDL = re.compile(r"\(\s*([A-Za-z][\w\-]*)((?:[\s,]+[\w.@#$%&+\-]+)*)\s*\)")
"""A step of PDDL: ``(walk hall)``."""
_CAPITALS = re.compile(r"([A-Z][A-Z_\-]+[A-Z])\b:?(?:[ \t]+(.*))?$")
"""An action in capitals before its objects: ``WALK hall``."""
_BETWEEN_CALLS = re.compile(r"[\s,;.]*(?:->|\u2192|then|and)?\s*(?:\d+[.):]\s*)?")
"""Signs, a word, and the number of the next step: ``WALK(hall), then 2. OPEN(door)``."""
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
_KEYWORDS = re.compile(r"\(\s*[A-Za-z_]\w*\s*=(?!=)")
"""The begin of the arguments of a call by keywords: ``(action=``."""
_NAME = re.compile(r"(?:[A-Za-z_]\w{0,60}\.){0,4}[A-Za-z_]\w{0,60}\Z")
"""The name of a call, right before its arguments: ``robot.do``."""
_QUOTED = re.compile(r"([\"'])([^\"'\n]{1,200})\1")


class UnknownSteps:
    """Reads steps of unknown actions in lines, with the grammar of a task."""

    def __init__(self, grammar: StepGrammar) -> None:
        self.grammar = grammar

    def steps(self, text: str, at: int, lead: int, *, meant: bool) -> list[Step]:
        """Return the steps of a line in a form that only steps have; their actions are unknown.

        Args:
            text: A line.
            at: Offset of the line in the answer.
            lead: Where the line begins to say something, behind its number.
            meant: Whether it stands where a step is expected.
        """
        if _KEYWORDS.match(text, lead) and (owner := _NAME.search(text, 0, lead)):
            lead = owner.start()  # "robot.do" was passed over as words that only lead to a step
        rest = text[lead:]
        at += lead
        if found := _SCRIPT.match(rest):
            parts = [(name or number).strip() for name, number in _SCRIPT_PART.findall(found[2])]
            return [Step(found[1], [p for p in parts if p], at, form="script", is_known=False)]
        steps = self._unknown_calls(rest, at, meant=meant) or self._spaced_call(rest, at)
        if steps:
            return steps
        bare = rest.strip(" \t\r`*\"',.;")
        if found := _PDDL.fullmatch(bare):
            return self._unknown_pddl(found[1], found[2].replace(",", " ").split(), at)
        found = _CAPITALS.match(bare)
        if found and found[1].lower() not in HEADINGS and len(bare.split()) < _MAX_WORDS:
            name = found[1]
            objects = found[2] or ""
            particle, _, behind = objects.partition(" ")
            if particle.isupper() and particle.lower() in PARTICLES:
                name = f"{name} {particle}"  # PICK UP cup
                objects = behind
            if self.grammar.surfaces.objects_in(objects) or meant or has_id_in(objects):
                return [Step(name, tokens_of(objects), at, form="words", is_known=False)]
        if self.grammar.is_free or meant:
            return self._unknown_words(bare, at)
        return []

    def _unknown_pddl(self, name: str, objects: list[str], at: int) -> list[Step]:
        """Return the step ``(fly hall)``, unless the brackets hold a remark, or an object's id."""
        action = name.lower()
        words = {action, *(each.lower() for each in objects)}
        if not (FILLERS | STATING).isdisjoint(words):
            return []  # a remark in brackets
        if not objects and (
            action in SIGNALS | HEADINGS or is_final(action) or is_rejected(action)
        ):
            return []
        if squeezed(action) in self.grammar.surfaces.objects and all(map(str.isdigit, objects)):
            return []  # an object and its id: (light 411)
        return [Step(name, objects, at, form="pddl", is_known=False, is_weak=not objects)]

    def _unknown_words(self, bare: str, at: int) -> list[Step]:
        """Return a step of words: its action, perhaps with a particle, then names with ids."""
        words = bare.replace(",", " ").split()
        if not 1 < len(words) < _MAX_WORDS:
            return []
        if not words[0].replace("_", "a").replace("-", "a").isalpha():
            return []
        name_size = 2 if words[1].lower() in PARTICLES and len(words) > 2 else 1
        objects = words[name_size:]
        if words[0].lower() in FILLERS or not FILLERS.isdisjoint(w.lower() for w in objects):
            return []
        if not has_id_in(" ".join(objects)):
            return []
        name = " ".join(words[:name_size])
        return [Step(name, tokens_of(" ".join(objects)), at, form="words", is_known=False)]

    def _unknown_calls(self, rest: str, at: int, *, meant: bool) -> list[Step]:
        """Return the calls that a line consists of: ``FLY(hall) -> LAND(hall)``."""
        surfaces = self.grammar.surfaces
        steps: list[Step] = []
        place = len(rest) - len(rest.lstrip("\"'`"))
        while call := CALL.match(rest, place):
            name = call[1]
            inside = call[2]
            is_code = _is_code_or_heading(name)
            holds_step_inside = surfaces.names_action(inside) or self._holds_phrase(name, inside)
            if not is_code and (holds_step_inside or _names_action_by_key(inside)):
                steps += self._called_around(rest, call.start(), call.end(), at)
                place = _behind_call(rest, call.end())
                continue
            if is_code or squeezed(name) in surfaces.predicates or VARIABLES.fullmatch(inside):
                return steps
            is_plural = inside in ("s", "es")  # "object(s)"
            if is_plural or (name.lower() in SIGNALS and not inside):
                return steps
            is_named = has_number(inside) or bool(surfaces.objects_in(inside))
            is_sure = meant or name.isupper() or is_named
            if not is_sure and inside.strip() and not _REST.match(rest, call.end()):
                return steps  # a call in a sentence or in code
            steps.append(
                Step(
                    name,
                    self.grammar.inside(inside, -1),
                    at + place,
                    form="call",
                    is_known=False,
                    is_weak=not is_sure,
                    style=style_of(rest[: call.start(1)], name),
                )
            )
            place = _behind_call(rest, call.end())
        if steps:
            return steps
        cut = _OPEN_CALL.fullmatch(rest)
        if cut is None or cut[1].lower() in CODE_WORDS or not HEADINGS.isdisjoint(words_of(cut[1])):
            return []
        return [Step(cut[1], [], at, form="call", is_known=False, is_cut=True)]

    def _spaced_call(self, rest: str, at: int) -> list[Step]:
        """Return a call whose name is several words: ``turn on(fridge.40)``."""
        call = _SPACED_CALL.fullmatch(rest.strip(" \t\r`*\"',.;"))
        if call is None:
            return []
        name = call[1]
        inside = call[2]
        words = words_of(name)
        is_denied = not WORDS["negations"].isdisjoint(words)  # "never open(door)"
        if inside in ("s", "es") or words[0] in FILLERS or is_denied:
            return []
        if not (FILLERS | STATING | STATES).isdisjoint(set(words) - PARTICLES):
            return []  # a remark: "the door is open (fridge.40)"
        is_weak = not (has_number(inside) or self.grammar.surfaces.objects_in(inside))
        return [
            Step(
                name,
                self.grammar.inside(inside, -1),
                at,
                form="call",
                is_known=False,
                is_weak=is_weak,
                style=style_of("", name),
            )
        ]

    def _holds_phrase(self, name: str, inside: str) -> bool:
        """Whether a call that takes a step has a string that says the step in words."""
        if self.grammar.in_words is None or not holds_step(name):
            return False
        found = (self.grammar.in_words(quoted[2]) for quoted in _QUOTED.finditer(inside))
        return any(meant is not None and meant.name for meant in found)

    def _called_around(self, text: str, start: int, end: int, at: int) -> list[Step]:
        """Return the steps in a call such as ``Step(id=1, action="WALK", object="cup")``."""
        written = f"[{text[start:end]}]"
        block = scan_block(written, 0, end=len(written), most=2_000)
        collected = CollectedSteps(self.grammar)
        collected.read(block.group, 1)
        steps = [step for reading in collected.readings for step in reading.steps]
        for step in steps:
            step.at = at + start
        return steps


def _behind_call(text: str, end: int) -> int:
    """Return where the next call of a line may begin, behind the end of one."""
    between = _BETWEEN_CALLS.match(text, end)
    return between.end() if between else end


def _names_action_by_key(inside: str) -> bool:
    """Whether the first argument of a call is an action by its keyword: ``action="FLY"``."""
    keyword, sign, _ = inside.partition("=")
    return sign != "" and keyword.strip() in ACTION_KEYS


def _is_code_or_heading(name: str) -> bool:
    """Whether the name of a call is a word of code, or has one of headings: ``print``, ``plan``."""
    words = words_of(name)
    if name.lower() in CODE_WORDS or not HEADINGS.isdisjoint(words):
        return True
    return not ASIDE_KEYS.isdisjoint(words)
