"""What stands behind the statement that there is no such action or object: what may be meant."""

from __future__ import annotations

import json

from eai.abilities.answers.names import LONGEST_NAME, NameIndex, loose, split_id
from eai.abilities.answers.plan import EMPTY, NO_PLAN, AnswerProblem
from eai.abilities.answers.synonyms import likely_actions, likely_objects
from eai.errors import nearest

__all__ = ["Hints"]

MOST_LISTED = 60
"""So many actions are listed where nothing is like the name."""


class Hints:
    """Suggestions for unknown names of one vocabulary; nothing is compared before it is asked for.

    Args:
        names: The names.
    """

    def __init__(self, names: NameIndex) -> None:
        self.names = names

    def near_actions(self, name: str) -> list[str]:
        """Actions that a name may mean."""
        known = self.names.vocabulary.actions
        return likely_actions(name, known) if len(name) <= LONGEST_NAME else []

    def near_objects(self, name: str) -> list[str]:
        """Objects that a name may mean: of the class, else of classes that are like it."""
        return self._objects(name) if len(name) <= LONGEST_NAME else []

    def action(self, name: str) -> str:
        """What may be meant by an unknown name of an action, to stand behind the message.

        It is empty if there is nothing to say.
        """
        near = self.near_actions(name)
        if near:
            return f"; did you mean {' or '.join(near)}?"
        return "; it is the name of an object" if self._names_object(name) else ""

    def all_actions(self) -> str:
        """The list of all actions, to stand behind a message."""
        known = sorted(self.names.vocabulary.actions)
        more = len(known) - MOST_LISTED
        end = f" and {more} more" if more > 0 else ""
        return f"; the actions are {', '.join(known[:MOST_LISTED])}{end}" if known else ""

    def object(self, name: str) -> str:
        """What may be meant by an unknown name of an object, as for :meth:`action`."""
        near = self.near_objects(name)
        hints = [f"did you mean {' or '.join(near)}?"] if near else []
        stem, number = split_id(name) or (name, "")
        if len(name) <= LONGEST_NAME and loose(stem) not in self.names.loose_classes:
            if self.names.action(stem or name)[0] is not None:
                hints.insert(0, "it is the name of an action")
            numbered = self.names.by_id.get(number, ()) if number else ()
            if len(numbered) == 1:
                hints.insert(0, f"{number} is the number of {numbered[0]}")
        return "".join(f"; {hint}" for hint in hints)

    def example(self, written: str = "") -> str:
        """A plan of one step with names of the task, to stand behind a message.

        Args:
            written: Words that may name an action and its objects, which are taken then.
        """
        arities, classes = self.names.vocabulary.actions, self.names.vocabulary.classes
        name, objects = self._parts(written)
        if not name and classes:
            going = likely_actions("walk", arities)
            name = next((name for name in (*going, *sorted(arities)) if arities[name] == 1), "")
            objects = [classes[min(classes)][0]]
        return f", such as {json.dumps([{name.upper(): objects}])}" if name else ""

    def form(self, problem: AnswerProblem) -> str:
        """How a step or a plan is written, to stand behind what is said of an answer."""
        if problem.message == NO_PLAN:
            return self.example(problem.written)
        if problem.message == EMPTY:
            return f"; a JSON list of steps is expected{self.example()}"
        return self.step(problem.written)

    def step(self, written: str) -> str:
        """How words that name an action and its objects are written as a step.

        It is empty if they do not.
        """
        name, objects = self._parts(written)
        return f"; write {name}({', '.join(objects)})" if name else ""

    def _parts(self, written: str) -> tuple[str, list[str]]:
        """The action and the objects that words name; empty if they do not."""
        words = written.split()
        near = self.near_actions(written) if len(words) > 1 else []
        objects = self._objects_among(words[1:]) if near else []
        arities = self.names.vocabulary.actions
        fitting = [each for each in near if objects and arities[each] == len(objects)]
        return (fitting[0], objects) if fitting else ("", [])

    def _objects_among(self, words: list[str]) -> list[str]:
        """The objects that words name, in order; of a class, its first one."""
        classes, known = self.names.vocabulary.classes, self.names.loose_classes
        found: list[str] = []
        place = 0
        while place < len(words):
            taken = 1
            if words[place] in self.names.vocabulary.objects:
                found.append(words[place])
            else:
                parts = [
                    (width, loose("".join(words[place : place + width]))) for width in (3, 2, 1)
                ]
                taken, part = next(((w, part) for w, part in parts if part in known), (1, ""))
                found += classes[known[part]][:1] if part else ()
            place += taken
        return found

    def _names_object(self, name: str) -> bool:
        if len(name) > LONGEST_NAME:
            return False
        stem, number = split_id(name) or (name, "")
        return loose(stem) in self.names.loose_classes or (
            self.names.joined(stem, number) is not None
        )

    def _objects(self, name: str) -> list[str]:
        stem = (split_id(name) or (name, ""))[0] or name
        classes = self.names.vocabulary.classes
        known = self.names.loose_classes.get(loose(stem))
        if known is not None:
            return list(classes[known][:3])
        return likely_objects(stem, classes) or nearest(name, self.names.vocabulary.objects)
