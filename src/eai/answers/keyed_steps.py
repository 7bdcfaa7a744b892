"""Whole steps that are keys of an object: ``{"walk(hall)": "I go there", "open(door)": "..."}``."""

from __future__ import annotations

from collections.abc import Sequence

from eai.answers.items import Step, are_alike
from eai.answers.keys import is_aside_key
from eai.answers.step_parts import StepsOfKind, written_pair
from eai.answers.values import Group, Pair, Text


class KeyedSteps(StepsOfKind):
    """Reads objects whose keys are whole steps; the values explain them."""

    def read_keys(self, pairs: Sequence[Pair], depth: int) -> bool:
        """Add the steps that keys are; return False if some key is neither a step nor a remark.

        Nor are numbers and truth values explanations: they rate steps, or say which are done.

        Args:
            pairs: The keys and values of the object.
            depth: How deep it stands in the value.
        """
        steps: list[tuple[Pair, Step]] = []
        for pair in pairs:
            step = self._step_in(pair)
            if step is not None:
                steps.append((pair, step))
            elif not is_aside_key(pair.key.value):
                return False
        for pair, step in steps:
            self._add_step(pair, step, depth)
        return bool(steps)

    def _step_in(self, pair: Pair) -> Step | None:
        """Return the step that a key is, with brackets and all its objects, if it is explained."""
        line, value = pair.key.value, pair.value
        if "(" not in line or value is None:
            return None
        if isinstance(value, Text):
            if not value.quoted:
                return None
            # As in a line of its own, the explanation may deny the step or leave it open.
            line = f"{line}: {value.value}"
        reading = self.grammar.read_line(line, pair.key.at, is_step_expected=True)
        is_explained = len(reading.steps) == 1 and reading.steps[0].is_whole and not reading.unread
        return reading.steps[0] if is_explained and not reading.is_negated else None

    def _add_step(self, pair: Pair, step: Step, depth: int) -> None:
        """Add the step of a key, unless the object under it takes it out.

        Another step in the value, as a call, is reported: the key may only be a heading.
        """
        collected = self.collected
        parts = _parts_of(pair)
        if collected.is_denied(parts):
            collected.current.notes["a step that is not to be executed was left out"] = None
            return
        count_before = len(collected.current.steps)
        collected.current.steps.append(step)
        collected.qualify_step(parts, count_before)
        if isinstance(pair.value, Group) and self._holds_other_step(pair, step, depth):
            collected.current.unread.append(written_pair(pair))

    def _holds_other_step(self, pair: Pair, key_step: Step, depth: int) -> bool:
        """Whether the value under a step holds another one that is not told in words."""
        names_action = any(self.collected.names_action(part.value) for part in _parts_of(pair))
        for plan in self.collected.plans_inside(pair.value, depth + 1):
            for step in plan.steps:
                is_told = step.form == "words" or (step.form == "object" and not names_action)
                if step.is_known and not is_told and not are_alike(step, key_step):
                    return True
        return False


def _parts_of(pair: Pair) -> list[Pair]:
    """Return the keys and values of the object under a key; none if a text stands there."""
    return pair.value.pairs if isinstance(pair.value, Group) else []
