"""The steps in calls of a value: ``WALK(light)``, ``Action("WALK", "light")``, ``do(WALK(hall))``.

Only the vocabulary says whether a call is a step or has one in its arguments.
"""

from __future__ import annotations

import re
from dataclasses import replace

from eai.answers.items import CODE_WORDS, Step
from eai.answers.keys import number_of
from eai.answers.object_grammar import complete_by_owner
from eai.answers.plan import HEADINGS, WORDS
from eai.answers.step_parts import StepsOfKind
from eai.answers.unclear import names_attributes
from eai.answers.values import Group, Item, Pair, Text, is_object, key_words

_TAKING = WORDS["taking"]
"""Words in names of functions that take a step."""
_KEYWORDS = re.compile(
    r"^(?:(?:await|yield|return|new|call|public|private|static|async|void|fun|func|fn)\s+)+"
)
"""Words of programming languages before a call."""
_AROUND = CODE_WORDS | HEADINGS
"""Names of calls around plans: ``print``, ``plan``."""


class CallSteps(StepsOfKind):
    """Reads the steps of calls."""

    def read_call(self, call: Group, name: Text, depth: int) -> None:
        """Add the step that a call is, or the steps in its arguments.

        Args:
            call: The call.
            name: Its name, perhaps behind an owner and a word of a program: ``await robot.walk``.
            depth: How deep the call stands in the whole value.
        """
        function = _plain_function(name.value)
        short_name = function.rpartition(".")[2].strip()
        action = self.grammar.surfaces.find_action(short_name)
        if action is not None:
            arguments = replace(call, kind="list", name=None)
            is_cut = call.cut or call.is_open
            step = self.grammar.step_of(action, arguments, call.at, "call", is_cut=is_cut)
            step.written = short_name
            if step.lacks_objects:
                mentions = self.grammar.surfaces.find_all_mentions(name.value)
                complete_by_owner(step, name.value, mentions, len(mentions) - 1)
            self.collected.current.steps.append(step)
        elif self._read_steps_in_arguments(call, function, depth):
            return
        elif not _AROUND.isdisjoint((function.lower(), short_name.lower())):
            for argument in call.values:
                self.collected.read_value(argument, depth + 1)
        else:
            self._add_unknown_action(call, short_name)

    def _add_unknown_action(self, call: Group, name: str) -> None:
        """Add the step of a call whose action the task does not have.

        The body of a loop over the plan, ``robot.act(step.name, ...step.objects)``, is no step.
        """
        arguments = replace(call, kind="list", name=None)
        objects = self.grammar.objects_of(arguments, None)
        current = self.collected.current
        # "step.name" names no object of the task, unless an object is called so.
        if names_attributes(", ".join(objects)) and not self.collected.names_object(arguments):
            current.left_out[name] = None
            return
        step = self.grammar.unlisted_call(name, objects, call.at)
        step.is_cut = call.cut or call.is_open
        step.written = name
        current.steps.append(step)

    def _read_steps_in_arguments(self, call: Group, name: str, depth: int) -> bool:
        """Add the steps in the arguments of a call that is no action; return False if none.

        Examples are ``do({"action": "WALK"})``, ``Action("WALK", "light")``,
        ``step(1, WALK(hall))`` and ``execute(9, "find a cup")``.

        Args:
            call: The call.
            name: Its name.
            depth: How deep the call stands in the whole value.
        """
        only = call.items[0] if len(call.items) == 1 else None
        items = only.items if is_object(only) else call.items
        # From what says most to what says least: an action under a keyword, an action that comes
        # first, calls inside, words.
        if self._read_keywords(call, items, depth):
            return True
        first = items[0] if items else None
        if isinstance(first, Pair) and self.collected.names_action(first.value):
            self.collected.read_value(replace(call, kind="object", name=None), depth + 1)
            return True
        if self.collected.names_action(first):
            self.collected.read_value(replace(call, kind="list", name=None), depth + 1)
            return True
        if self._read_calls_inside(call, depth):
            return True
        return holds_step(name) and self._read_step_in_words(call)

    def _read_keywords(self, call: Group, items: list[Item], depth: int) -> bool:
        """Add the steps of arguments that all have keywords; return False if there are none."""
        if not items or not all(isinstance(item, Pair) for item in items):
            return False
        count_before = len(self.collected.current.steps)
        arguments = replace(call, kind="object", name=None, items=items)
        self.collected.read_object(arguments, depth + 1)
        return len(self.collected.current.steps) > count_before

    def _read_calls_inside(self, call: Group, depth: int) -> bool:
        """Add the steps in a call such as ``step(1, WALK(hall))``; return False if it has none."""
        calls = [item for item in call.items if isinstance(item, Group) and self._is_step(item)]
        if not calls:
            return False
        steps = self.collected.steps_in(calls, depth)
        first = call.items[0]
        if isinstance(first, Text) and first.value.isdigit() and len(calls) == 1:
            for step in steps:
                step.number = number_of(first.value)
        return True

    def _is_step(self, group: Group) -> bool:
        """Whether a value is the call of an action of the task."""
        if group.kind != "call" or group.name is None:
            return False
        return self.grammar.surfaces.find_action(group.name.value) is not None

    def _read_step_in_words(self, call: Group) -> bool:
        """Add the step in words in ``execute(9, "find a cup")``; return False if there is none."""
        steps: list[Step] = []
        for member in call.members:
            if isinstance(member, Text) and member.quoted:
                steps += self.grammar.read_line(member.value, call.at, is_step_expected=True).steps
        if len(steps) != 1 or not steps[0].is_whole:
            return False
        steps[0].at = call.at
        steps[0].form = "call"
        self.collected.current.steps += steps
        return True


def holds_step(name: str) -> bool:
    """Whether the name of a call says that it takes a step: ``execute``, ``env.do_action``."""
    return not _TAKING.isdisjoint(key_words(name.rpartition(".")[2]))


def _plain_function(name: str) -> str:
    """Return the name of a call with points between its parts, without words before it.

    Members of objects in C++ and Rust are written as in Python: ``robot->walk`` is ``robot.walk``.
    """
    return _KEYWORDS.sub("", name).replace("->", ".").replace("::", ".")
