"""The second stage of reading, for goals: the goals in a text.

A goal is a state of an object, a relation between two objects, or an action. The vocabulary of the
task decides which word is what, so that ``ON(tv)``, ``tv: ON``, ``["tv", "ON"]``,
``{"name": "tv", "state": "ON"}`` and "the tv must be ON" are the same goal. A name that the task
does not have is part of a goal only where the form leaves no doubt: in a section, in a list, or
beside known names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from eai.abilities.goal_interpretation.names import GoalNames, ReadGoal
from eai.abilities.goal_interpretation.words import KIND_KEYS, is_aside, is_head, kind_of, role_of
from eai.answers import shorten, with_negation
from eai.answers.keys import key_words, plain_key
from eai.answers.plan import NOTHING

MAX_TEXT = 20_000
"""Maximum number of characters of a text in which goals are looked for."""

_KIND_MARK = re.compile(r"[(\[]\s*(\w+)(?:[ _-]goals?)?\s*[)\]]")
_KEYED = re.compile(r"[\"']?([^\W\d][\w ]{0,30}?)[\"']?\s*[:=]\s*[\"']?([^\"',:=;{}()]{1,200})")
_CALL = re.compile(r"([^\W\d][\w.\-]{0,60}(?: [\w\-]{1,30}){0,2})?(\s?)\(([^()]{0,400})\)")
_KEYWORD = re.compile(r"^\s*\w+\s*=\s*")
_NOT = re.compile(r"\b(?:not|no longer|never|¬)\b|n't\b|¬|~(?!~)", re.IGNORECASE)
_NOT_BEFORE = re.compile(r"(?:\bnot\s*\(?\s*|[¬!]\s*\(?\s*)\Z", re.IGNORECASE)
_NOT_FIRST = re.compile(r"\s*not\b", re.IGNORECASE)
_AND = re.compile(r"[\s,&]*(?:\band\b)?[\s,&]*(?:\bthe\b|\ba\b)?\s*", re.IGNORECASE)
_PARTED = re.compile(r"[,;]|\band\b", re.IGNORECASE)
_PARTS = re.compile(r"\s*(?:->|=>|\u2192|[:=,|;])\s*|\s+(?:is|are|must be|should be)\s+")
_LONE = re.compile(r"(?:(?!\b(?:and|then)\b)[\w \-])+", re.IGNORECASE)
_IS_FALSE = re.compile(r"(?<=\w)\s*={1,2}\s*false\W*\Z", re.IGNORECASE)
"""The end of an attribute that shall be false: ``lamp.on = False``."""
_REMARK = re.compile(r"[:(]|\s[-\u2013\u2014]\s")
_CLAUSE = re.compile(r";|[.!?](?=\s|$)|\n")
_MARKUP = re.compile(r"[`*]")


class GoalGrammar:
    """Reads goals of one task.

    Args:
        names: The names of the task.
    """

    def __init__(self, names: GoalNames) -> None:
        self.names = names

    # -------------------------------------------------------------- words

    def goal_of_words(
        self, kind: str, words: Sequence[str], at: int, *, sure: bool = True
    ) -> ReadGoal | None:
        """Return the goal that consists of some words, of which one is the predicate.

        Args:
            kind: The kind of the section; may be empty.
            words: A predicate and objects in any order, or an action first.
            at: Offset of the goal.
            sure: Whether names may be unknown, because the form leaves no doubt.
        """
        negated = bool(words) and words[0].lower() == "not"
        words = [word for word in words[negated:] if word not in NOTHING]
        if not words:
            return None
        if kind == "action" or (not kind and len(words) == 1):
            known = [word for word in words if self.names.is_action(word)]
            if not known and (kind != "action" or not sure):
                return None
            name = known[0] if known else words[0]
            others = tuple(word for word in words if word is not name)
            return ReadGoal("action", name, others, negated, position=at)
        if len(words) == 1:
            return None
        place = self._predicate_place(words)
        others = tuple(word for number, word in enumerate(words) if number != place)
        if not sure and not self._is_known(words[place], others):
            return None
        return self._literal(words[place], others, negated, at)

    def _predicate_place(self, words: Sequence[str]) -> int:
        """Return which word is the predicate: the others are objects, as many as it takes."""
        is_object = [bool(self.names.objects(word)) for word in words]
        fitting = [n for n, w in enumerate(words) if self.names.has_predicate(w, len(words) - 1)]
        if not fitting and is_object[0] and is_object.count(False) == 1:
            return is_object.index(False)
        # A word may be a predicate and an object, as "computer" is in VirtualHome.
        return max(fitting, key=lambda n: sum(is_object) - is_object[n], default=0)

    def _is_known(self, predicate: str, objects: Sequence[str]) -> bool:
        return self.names.has_predicate(predicate, len(objects)) and all(
            map(self.names.objects, objects)
        )

    @staticmethod
    def _literal(name: str, objects: tuple[str, ...], negated: bool, at: int) -> ReadGoal:
        return ReadGoal(
            "state" if len(objects) == 1 else "relation", name, objects, negated, position=at
        )

    # -------------------------------------------------------------- texts

    def text(self, kind: str, text: str, at: int, *, meant: bool = False) -> list[ReadGoal]:
        """Return the goals in a text.

        Args:
            kind: The kind of the section in which it stands; may be empty.
            text: The text.
            at: Its offset.
            meant: Whether it stands where one goal is expected, as in a list.
        """
        if len(text) > MAX_TEXT or is_head(text):
            return []
        text = with_negation(_MARKUP.sub(" ", text))
        if found := _IS_FALSE.search(text):
            inside = self.text(kind, text[: found.start()], at, meant=meant)
            return [replace(goal, negated=not goal.negated) for goal in inside]
        mark = _KIND_MARK.search(text)
        marked = None if mark is None else kind_of(mark[1])
        if mark is not None and marked is not None:
            kind = marked or kind
            text = text[: mark.start()] + " " * len(mark[0]) + text[mark.end() :]
        goals = self._listed_actions(kind, text, at)
        goals = (
            goals or self._keyed(kind, text, at) or self._with_terms(kind, text, at, meant=meant)
        )
        goals = goals or self._in_parts(kind, text, at, sure=False)
        goals = goals or self._mentioned(kind, text, at)
        if goals or not meant:
            return goals
        return self._in_parts(kind, text, at, sure=True) or self._between_objects(text, at)

    def _between_objects(self, text: str, at: int) -> list[ReadGoal]:
        """Return the relation of an unknown name between two objects: ``character TO kitchen``."""
        words = text.strip(" .`-*").split()
        if len(words) != 3 or not words[1].isidentifier():
            return []
        first, name, last = words
        if not (self.names.objects(first) and self.names.objects(last)):
            return []
        return [self._literal(name, (first, last), False, at)]

    def _listed_actions(self, kind: str, text: str, at: int) -> list[ReadGoal]:
        """Return the actions of a text in a section of actions that only lists actions."""
        parts = [part.strip(" .*`\"'") for part in _PARTED.split(text)] if kind == "action" else []
        if len(parts) < 2 or not all(map(self.names.is_action, parts)):
            return []
        return [ReadGoal("action", part, position=at + text.find(part)) for part in parts]

    def has_only_goals(self, text: str) -> bool:
        """Whether a text says hardly more than names of the task."""
        said = text
        for mention in reversed(self.names.mentions(text)):
            said = said[: mention.start] + said[mention.end :]
        return len(_words(said)) < 3

    def _keyed(self, kind: str, text: str, at: int) -> list[ReadGoal]:
        """Return the goal in a text such as ``name="tv", state="ON"``."""
        found_pairs = list(_KEYED.finditer(text))
        before = text[: found_pairs[0].start()].rstrip() if found_pairs else ""
        if not found_pairs or (len(_words(before)) > 3 and before[-1] not in "({["):
            return []
        pairs = [(found[1], found[2].strip()) for found in found_pairs]
        named = [(key, value) for key, value in pairs if role_of(key) and not is_aside(key)]
        if len(named) < 2 and not any(role_of(key) == "act" for key, _ in named):
            return []
        if any(self.names.is_known(key) for key, _ in named):
            return []
        goals = self.goals_of_roles(kind, named, at)
        return goals if all(goal.name for goal in goals) else []

    def _in_parts(self, kind: str, text: str, at: int, *, sure: bool) -> list[ReadGoal]:
        """Return the goal in names between signs: ``tv: ON``, ``edge,cup,ON,table``."""
        parts = [part.strip(" .\"'()[]") for part in _PARTS.split(text)]
        if kind_of(parts[0]):
            kind = kind_of(parts[0]) or kind
            parts = parts[1:]
            sure = sure or len(parts) > 1  # a row that says what kind it is
        words = [part for part in parts if any(map(str.isalnum, part))]
        are_known = [self.names.is_known(word) for word in words]
        if len(words) > 3 or not any(are_known) or not (sure or all(are_known)):
            return []
        if kind == "action" and all(map(self.names.is_action, words)):
            return [ReadGoal("action", word, position=at) for word in words]
        goal = self.goal_of_words(kind, words, at, sure=sure)
        return [] if goal is None else [goal]

    def _with_terms(self, kind: str, text: str, at: int, *, meant: bool) -> list[ReadGoal]:
        """Return the terms in a text, ``ON(tv)`` or ``(on tv)``, and actions beside them."""
        goals = []
        start = 0
        for found in _CALL.finditer(text):
            goal = self._term(kind, found, at, meant=meant)
            if goal is not None:
                goals += [*self._lone_actions(text, start, found.start(), at), goal]
                start = found.end()
        return [*goals, *self._lone_actions(text, start, len(text), at)] if goals else []

    def _lone_actions(self, text: str, start: int, end: int, at: int) -> Iterator[ReadGoal]:
        """Yield the actions that stand alone between commas and the like."""
        for found in _LONE.finditer(text, start, end):
            if self.names.is_action(found[0].strip()):
                yield ReadGoal("action", found[0].strip(), position=at + found.start())

    def _term(  # noqa: C901
        self, kind: str, found: re.Match[str], at: int, *, meant: bool
    ) -> ReadGoal | None:
        """Return the goal that a name with brackets is; None if it is none."""
        written, gap = found[1] or "", found[2]
        at += found.start()
        arguments = [_KEYWORD.sub("", part).strip(" \"'[]") for part in found[3].split(",")]
        arguments = [part for part in arguments if part]
        words = written.split()
        last = words[-1] if words else ""
        name_at = found.start() + len(written) - len(last)
        negated = _NOT_BEFORE.search(found.string, 0, name_at) is not None
        # The words before a name belong to it where it is a name with them: "holds rh(..)".
        names = [" ".join(words[-count:]) for count in range(len(words), 0, -1)]
        predicate = next((n for n in names if self.names.has_predicate(n, len(arguments))), "")
        if predicate and (not gap or all(map(self.names.objects, arguments))):
            return self._literal(predicate, tuple(arguments), negated, at)
        action = next(filter(self.names.is_action, names), "")
        if action and kind in ("", "action"):
            return ReadGoal("action", action, tuple(arguments), position=at)
        of_call = kind_in_name(last)
        if of_call:
            return self.goal_of_words(of_call, arguments, at)
        inside = [found[3][m.start : m.end] for m in self.names.mentions(found[3])]
        if len(inside) > 1 and (not words or gap or last.lower() == "not"):
            goal = self.goal_of_words("", inside, at, sure=False)
            if goal is not None:
                is_outside = negated or last.lower() == "not"
                return replace(goal, negated=is_outside != bool(_NOT_FIRST.match(found[3])))
        listed = found[3].split()
        if not words and len(listed) in (2, 3) and listed[0].isidentifier():
            name, *others = listed
            if all(map(self.names.objects, others)) and not self.names.objects(name):
                return self._literal(name, tuple(others), negated, at)
        if not words or gap or not arguments:
            return None
        is_alone = meant and found[0].strip() == found.string.strip(" .;`")
        if not is_alone and not any(map(self.names.objects, arguments)):
            return None
        name = written.removeprefix("not ")
        if kind == "action":
            return ReadGoal("action", name, tuple(arguments), position=at)
        return self._literal(name, tuple(arguments), negated or name != written, at)

    def _mentioned(self, kind: str, text: str, at: int) -> list[ReadGoal]:
        """Return the goals that a text says in words of the vocabulary, clause by clause."""
        goals: list[ReadGoal] = []
        start = 0
        for end in [*(found.start() for found in _CLAUSE.finditer(text)), len(text)]:
            clause = text[start:end]
            if any(map(str.isalnum, clause)):
                goals += self._in_clause(kind, clause, at + start)
            start = end
        return goals

    def _in_clause(self, kind: str, clause: str, at: int) -> list[ReadGoal]:
        mentions = self.names.mentions(clause)
        ranges = [(m.start, m.end, clause[m.start : m.end]) for m in mentions]
        actions = [span for span in ranges if self.names.is_action(span[2])]
        if kind == "action":
            return self._actions(clause, actions, at)
        objects = [span for span in ranges if self.names.objects(span[2])]
        predicates = [
            span for span in ranges if span not in objects and self.names.arities(span[2])
        ]
        is_of_actions = not objects and all(span in actions for span in predicates)
        if not kind and is_of_actions and self.has_only_goals(clause):
            return self._actions(clause, actions, at)
        # "ON the lamp and OPEN the cup": objects stand behind their predicates, not before them.
        leads = bool(predicates and objects) and predicates[0] < objects[0]
        goals: list[ReadGoal] = []
        taken: set[tuple[int, int, str]] = set()  # objects of a predicate before them
        for number, (start, end, name) in enumerate(predicates):
            behind = predicates[number + 1][0] if number + 1 < len(predicates) else len(clause)
            before = [span for span in objects if span[1] <= start]
            after = [span for span in objects if end <= span[0] < behind]
            # "ON the lamp, and the door is OPEN": the lamp has its predicate already.
            before = [span for span in before if span not in taken] or before
            if leads and after:
                before = []
            negated = _NOT.search(clause, before[-1][1] if before else 0, start) is not None
            for names in self._objects_of(clause, (start, end, name), before, after):
                taken.update(after[: len(names)] if not before else ())
                begin = min(start, before[-1][0] if before else start)
                goals.append(self._literal(name, names, negated, at + begin))
        return goals

    def _objects_of(
        self,
        clause: str,
        predicate: tuple[int, int, str],
        before: Sequence[tuple[int, int, str]],
        after: Sequence[tuple[int, int, str]],
    ) -> list[tuple[str, ...]]:
        """Return the objects of each goal with a predicate, from those before and behind it."""
        end = predicate[1]
        arities = self.names.arities(predicate[2])
        if 2 in arities:
            is_parted = bool(after) and _PARTED.search(clause, end, after[0][0]) is not None
            if before and after and not is_parted:
                return [(before[-1][2], after[0][2])]
            if len(after) > 1:
                return [(after[0][2], after[1][2])]
            if len(before) > 1 and 1 not in arities:
                return [(before[-2][2], before[-1][2])]
        if 1 in arities and before:
            run = [before[-1]]
            for span in reversed(before[:-1]):
                if not _AND.fullmatch(clause, span[1], run[0][0]):
                    break
                run.insert(0, span)
            return [(name,) for _, _, name in run]
        return [(after[0][2],)] if 1 in arities and after else []

    def _actions(
        self, clause: str, actions: Sequence[tuple[int, int, str]], at: int
    ) -> list[ReadGoal]:
        """Return the actions that a clause names, up to a remark behind the first."""
        if not actions:
            return []
        remark = _REMARK.search(clause, actions[0][1])
        stop = len(clause) if remark is None else remark.start()
        return [
            ReadGoal("action", name, position=at + start)
            for start, _, name in actions
            if start < stop
        ]

    # -------------------------------------------------------------- parts with keys

    def goals_of_roles(
        self, kind: str, named: Iterable[tuple[str, str]], at: int, *, negated: bool = False
    ) -> list[ReadGoal]:
        """Return the goals of an object whose keys say what its values are in a goal.

        Args:
            kind: The kind of the section; may be empty.
            named: Keys and values.
            at: Offset of the object.
            negated: Whether it shall be false.
        """
        by_role: dict[str, list[str]] = {}
        pairs = [(key, value.strip()) for key, value in named]
        for key, value in pairs:
            of_kind = kind_of(value) if plain_key(key) in KIND_KEYS else None
            if of_kind is not None and not self.names.objects(value):
                kind = of_kind or kind
            elif value not in NOTHING and any(map(str.isalnum, value)):
                by_role.setdefault(role_of(key), []).append(value)
        if not by_role:
            return []  # only dots and the like, as in a format
        actions = by_role.get("act", [])
        if kind == "action" and self._are_of_literal(by_role):
            kind = ""  # under "actions" a state of an object is a state nevertheless
        if kind == "action":
            actions = actions or by_role.get("predicate", []) or by_role.get("object", [])[:1]
        if actions and kind in ("", "action"):
            return [ReadGoal("action", name, position=at) for name in actions]
        goals = self._literals_of_roles(kind, by_role, at)
        if goals:
            return [replace(goal, negated=goal.negated or negated) for goal in goals]
        return [unread_goal(kind, ", ".join(f"{key}: {value}" for key, value in pairs), at)]

    def _are_of_literal(self, by_role: Mapping[str, Sequence[str]]) -> bool:
        """Whether parts are those of a state or relation, whose name is that of no action."""
        names = by_role.get("predicate", ())
        has_object = not by_role.keys().isdisjoint(("object", "subject", "from", "to"))
        return has_object and bool(names) and not any(map(self.names.is_action, names))

    def _literals_of_roles(
        self, kind: str, by_role: Mapping[str, Sequence[str]], at: int
    ) -> list[ReadGoal]:
        """Return the states or relations with some predicates and objects."""
        predicates = by_role.get("predicate", ())
        others = by_role.get("", ())
        roles = ("subject", "from", "object", "arguments", "to")
        objects = tuple(word for role in roles for word in by_role.get(role, ()))
        # Where there is one end of a relation, there must be another.
        lacks_end = not by_role.keys().isdisjoint(("from", "to")) and len(objects) < 2
        if predicates and objects and not lacks_end:
            return [self._literal(name, objects, False, at) for name in predicates]
        words = [*predicates, *objects, *others]
        if lacks_end and not others:
            return []
        if len(words) == 1:
            return self.text(kind, words[0], at, meant=True)
        goal = self.goal_of_words(kind, words, at, sure=False)
        return [] if goal is None else [goal]


def kind_in_name(name: str) -> str:
    """Return the kind of goal that the name of a call says: ``NodeGoal``, ``goals.add_edge``."""
    return next(filter(None, map(kind_of, key_words(name.rpartition(".")[2]))), "")


def unread_goal(kind: str, text: str, at: int) -> ReadGoal:
    """Return a goal that cannot be read."""
    return ReadGoal(kind, "", text=shorten(text), position=at)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)
