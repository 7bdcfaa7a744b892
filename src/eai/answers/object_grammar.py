"""The objects of a step, wherever a line or a value has them.

They stand in brackets behind the action, behind words such as "to the", in quotes beside its name,
or under keys of their own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from eai.answers.items import Step
from eai.answers.keys import fitting_roles, is_aside_key, texts_of, texts_under_keys
from eai.answers.plan import (
    FILLERS,
    NOTHING,
    PARTICLES,
    STATING,
    WORDS,
    has_id,
    tokens_of,
    words_of,
)
from eai.answers.sentences import IT, MAX_SENTENCE, NamedObject, ordered
from eai.answers.surfaces import ActionForm, Mention, Surfaces, squeezed
from eai.answers.values import Group, Node, plain_key

_KEYWORD = re.compile(r"\s*[\"']?([A-Za-z_]\w*)[\"']?\s*[=:]\s*(?=\S)")
"""A keyword before an argument of a call: ``object=``, ``"to":``."""
VARIABLES = re.compile(
    r"(?:(?:^|,)\s*(?:(?:\.{3}|\*{1,2})\s?[\w.]+|[^\W\d]\w*(?:\.[^\W\d]\w*)+)\s*)+"
)
"""Arguments of which each is a part of a variable: ``step.action, ...step.args``."""
CALL = re.compile(
    r"(?:[A-Za-z_]\w*\.)*([^\W\d][\w\-]{0,60})\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)"
)
"""A whole call, perhaps of a member: ``robot.walk(hall)``, with calls as arguments."""
_OWNER = re.compile(r"(?:[A-Za-z_]\w{0,40}\.){1,4}$")
"""Everything before the name of a member: ``robot.arm.``."""
_END_OF_STEP = re.compile(
    r"(?:^|\s)#(?!\d)|//|/\*|\s[-\u2013\u2014]{1,2}\s|;|[.!?](?:\s|$)|\b(?:so that|so (?:i|we|you)"
    r"|because|since|in order|as it)\b",
    re.IGNORECASE,
)
"""A comment (but no id: ``#34``), a dash, the end of a sentence, or a reason."""
_CALL_IN_CODE = re.compile(r"\s?`[A-Za-z_][\w.]{0,60}\(")
"""A call in inline code behind a verb, whose objects are not those of the verb."""
_GROUP = re.compile(r"\(\s*:?([A-Za-z][\w-]*)\s+([^()\s]+)\s*\)")
"""An object of a step in PDDL with its role: ``(walk (to hall))``."""
_BETWEEN_OBJECTS = re.compile(r"[^\W\d_]{2,}|\d+")
"""A word or a number that is more than a sign between two objects."""
_PLACE = re.compile(r"\b(?:at|in|inside|into|on|onto)\b", re.IGNORECASE)
"""Words before the place of a step, which names nothing before it: "put on the table"."""
_SIDE_WORDS = PARTICLES | WORDS["side_words"]
"""Words that may stand between the objects of a step."""
_MAX_NAMES_BEHIND = 19
"""Maximum number of names behind an action that are no verbs of a new clause."""


class ObjectGrammar:
    """Reads the objects of steps of one task.

    Args:
        surfaces: The names of the task; None if any name may be that of an action.
    """

    def __init__(self, surfaces: Surfaces | None) -> None:
        self.surfaces = surfaces or Surfaces((), ())
        self.is_free = surfaces is None

    def step_at(
        self, text: str, at: int, mentions: Sequence[Mention], place: int
    ) -> tuple[Step, int]:
        """Return the step whose action is a mention, and where it ends in the text.

        Args:
            text: A line.
            at: Offset of the line in the answer.
            mentions: The actions and objects that the line names, in order.
            place: Place of the action among them.
        """
        mention = mentions[place]
        action = self.surfaces.by_name[mention.name]
        step = Step(action.name, [], at + mention.start, action.max_objects)
        step.written = text[mention.start : mention.end]
        step.style = style_of(text[: mention.start], step.written)
        if mention.said is not None:
            step.arguments = [name for name in mention.said.objects if name != IT]
            if IT in mention.said.objects and step.lacks_objects:
                step.pronoun_place = mention.said.objects.index(IT)
            return step, mention.said.end
        brackets = self._bracketed(text, mention)
        following = mentions[place + 1 :]
        if brackets is not None:
            end = self._complete_call(step, text, following, brackets)
            owner = mentions[place - 1] if place else mention
            is_owned = not owner.is_action and text[owner.end : mention.start] == "."
            if is_owned and step.lacks_objects:
                step.arguments.insert(0, owner.name)  # "light.switchon()"
            # The end of a chain of calls, ".run()", may be no step.
            is_chained = text[: mention.start].strip() == "."
            step.is_weak = is_chained and step.lacks_objects and not step.arguments
            return step, end
        is_in_brackets = text[: mention.start].endswith("(")
        is_label = text[mention.end : mention.end + 2] == "):"  # "Action 1 (WALK): hall"
        if is_in_brackets and text[mention.end : mention.end + 1] in (" ", ")") and not is_label:
            return step, self._complete_pddl(step, text, mention.end)
        return step, self._complete_words(step, text, mention.end, following)

    def _complete_call(
        self,
        step: Step,
        text: str,
        following: Sequence[Mention],
        brackets: tuple[int, int, bool],
    ) -> int:
        """Give ``WALK(light)`` its objects; return where it ends in the text."""
        start, end, is_closed = brackets
        step.form = "call"
        step.is_cut = not is_closed
        most_named = self.surfaces.by_name[step.name].most_named
        step.arguments = self.inside(text[start:end], most_named)
        if step.max_objects == 0 and " " in step.written:
            step.arguments = []  # behind a whole skill in words stands a remark
        if step.lacks_objects and is_closed:
            return self._complete(step, text, following, end + 1)
        return end + 1

    def _complete_pddl(self, step: Step, text: str, name_end: int) -> int:
        """Give ``(walk light)`` its objects; return where it ends in the text."""
        close = closing_bracket(text, name_end, ")")
        end = close if close >= 0 else len(text)
        step.form = "pddl"
        step.is_cut = close < 0
        most_named = self.surfaces.by_name[step.name].most_named
        if self.surfaces.predicates and plain_key(step.written) != plain_key(step.name):
            # (pickup a) is not pick-up
            step.name = step.written
            step.is_known = False
        inside = text[name_end:end]
        named = _GROUP.findall(inside)
        words = [f"{key}={name}" for key, name in named] or inside.replace(",", " ").split()
        step.arguments = self.inside(", ".join(words), most_named)
        return end

    def _complete_words(
        self, step: Step, text: str, name_end: int, following: Sequence[Mention]
    ) -> int:
        """Give ``walk to the light`` its objects; return where it ends in the text."""
        if _CALL_IN_CODE.match(text, name_end):
            return name_end
        names = [m.start for m in following[:_MAX_NAMES_BEHIND] if not m.is_action]
        stop = self._end_of_step(text, name_end)
        stop = min(stop, self.surfaces.sentences.clause_end(text, name_end, names))
        objects: list[Mention] = []
        for mention in following:
            if mention.is_action and mention.start < stop:
                stop = mention.start
            if mention.start < stop:
                objects.append(mention)
        action = self.surfaces.by_name[step.name]
        is_place_first = bool(objects) and _PLACE.search(text, name_end, objects[0].start)
        objects = objects[: action.max_objects if is_place_first else action.most_named]
        step.arguments = self._ordered(step.name, objects, text)
        end = objects[-1].end if objects else name_end
        if not step.lacks_objects:
            return end
        written = text[end:stop]
        unknown = self._unknown_objects(written)
        if not unknown:
            return end
        step.arguments += unknown
        return end + len(written.rstrip())

    def _ordered(self, action: str, objects: Sequence[Mention], text: str) -> list[str]:
        """Return the objects of a step in words in the order of the parameters of its action.

        "Put on the table the cup" names them in another order than ``put(cup, table)``.
        """
        names = [mention.name for mention in objects]
        signature = self.surfaces.signature
        if signature is None or len(objects) != self.surfaces.by_name[action].max_objects:
            return names
        named = [NamedObject(m.name, m.start, m.end) for m in objects]
        order = ordered(signature.parameters(action), named, text)
        if order is None:
            return names
        return order[0]

    def by_name(self, mention: Mention) -> ActionForm:
        """Return the action that a mention is."""
        return self.surfaces.by_name[mention.name]

    def _bracketed(self, text: str, mention: Mention) -> tuple[int, int, bool] | None:
        """Return begin and end of what stands in brackets behind an action, and if they close."""
        before = text[: mention.start].rstrip("\"'")
        size = len(text)
        place = mention.end
        quoted = text[place : place + 1] in ("'", '"')
        while place < size and text[place] in "\"'`*]":
            place += 1
        is_list = quoted and before[-1:] in ("(", "[") and text[place : place + 1] in (",", ")")
        if is_list and self.by_name(mention).max_objects == 0:
            return None
        if is_list:
            if text[place] == ")":
                return place, place, True  # append("STANDUP")
            start = place + 1  # ("WALK", "light.34")
            close = closing_bracket(text, start, ")" if before[-1] == "(" else "]")
            return start, close if close >= 0 else size, close >= 0
        is_apart = text[place : place + 2] == " (" and before[-1:] != "("
        if is_apart and self._is_object_in_brackets(text, place + 1):
            place += 1
        if text[place : place + 1] not in ("(", "["):
            return None
        if text[place - 1 : place] == "]":
            return None  # [WALK](light) is a script
        start = place + 1
        close = closing_bracket(text, start, ")" if text[place] == "(" else "]")
        return start, close if close >= 0 else size, close >= 0

    def _complete(self, step: Step, text: str, mentions: Sequence[Mention], place: int) -> int:
        """Add objects behind the brackets of a call, as in ``Feast(d) from c``; return its end."""
        stop = self._end_of_step(text, place)
        for mention in mentions:
            if mention.start < place:
                continue
            if mention.is_action or mention.start >= stop or not step.lacks_objects:
                break
            # Only words such as "from" and "the" may stand between.
            if not _SIDE_WORDS.issuperset(words_of(text[place : mention.start])):
                break
            step.arguments.append(mention.name)
            place = mention.end
        return place

    def _is_object_in_brackets(self, text: str, place: int) -> bool:
        """Whether brackets behind an action and a blank hold an object: ``walk (light.34)``."""
        close = text.find(")", place, place + 100)
        inside = text[place + 1 : close] if close >= 0 else ""
        return 0 < len(inside.split()) <= 2 and has_id_in(inside) and not inside.isdigit()

    def inside(self, inside: str, max_objects: int) -> list[str]:
        """Return the objects between the brackets of a call, as they are written or named.

        Args:
            inside: Text such as ``light, 411`` or ``object="light", to="table"``.
            max_objects: Number of objects that the action takes; -1 if it is unknown.
        """
        parts = [part for part in re.split(r",(?![^(\[]*[)\]])", inside) if part.strip()]
        if parts and all(_KEYWORD.match(part) for part in parts):
            inside = ", ".join(fitting_roles(_named_objects(parts), max_objects))
        mentions = self.surfaces.mentions(inside)
        if len(mentions) == max_objects and not any(m.is_action for m in mentions):
            rest = inside
            for mention in reversed(mentions):
                rest = rest[: mention.start] + " " + rest[mention.end :]
            words = [word for word in words_of(rest) if word not in _SIDE_WORDS]
            if not _BETWEEN_OBJECTS.search(" ".join(words)):
                return [mention.name for mention in mentions]
        bare = inside.strip().strip("[]{}()\"'")
        if bare in NOTHING:
            return []
        return [token.strip("[](){}\"'") for token in tokens_of(bare)]

    @staticmethod
    def _end_of_step(text: str, place: int) -> int:
        """Return where what is said of a step ends: at a comment, a reason, a sentence."""
        searched, limit = place, min(place + MAX_SENTENCE, len(text))
        while found := _END_OF_STEP.search(text, searched, limit):
            between = text[place : found.start()]
            is_sure = found[0].strip() in ("#", "//", "/*") or found[0][0].isalpha()
            if is_sure or any(map(str.isalnum, between)):
                return found.start()
            searched = found.end()
        return limit

    @staticmethod
    def _unknown_objects(written: str) -> list[str]:
        """Return the words that stand where an object is missing, if they may be its name."""
        bare = re.sub(r"\([^()]*\)\s*$", "", written).strip(" \t\"'`*.,:;<>()[]{}|-\u2192")
        words = [word for word in bare.split() if word.lower().strip(",") not in _SIDE_WORDS]
        if not 0 < len(words) <= 4 or not STATING.isdisjoint(words_of(bare)):
            return []
        if not FILLERS.isdisjoint(word.lower() for word in words):
            return []
        return tokens_of(" ".join(words))

    def completion_of(self, step: Step, node: Node) -> list[str]:
        """Return the objects of a step that stand in a value behind it."""
        action = self.surfaces.by_name.get(step.name)
        return self.objects_of(node, step.max_objects, action.optional if action else 0)

    def objects_of(self, node: Node | None, max_objects: int, optional: int = 0) -> list[str]:
        """Return the objects in the value of a step; some may be optional besides."""
        most_named = max_objects + optional
        if not isinstance(node, Group) or node.kind != "object":
            return self.inside(", ".join(texts_of(node)), most_named)
        named = self.without_labels(texts_under_keys(node), max_objects)
        return self.inside(", ".join(fitting_roles(named, most_named)), most_named)

    def step_of(
        self, action: ActionForm, objects: Node | None, at: int, form: str, *, is_cut: bool = False
    ) -> Step:
        """Return the step of an action with the objects in a value."""
        names = self.objects_of(objects, action.max_objects, action.optional)
        return Step(action.name, names, at, action.max_objects, form, is_cut=is_cut)

    def without_labels(
        self, named: list[tuple[str, str]], max_objects: int
    ) -> list[tuple[str, str]]:
        """Return named objects without a ``name`` that is none, where there are enough others.

        ``<walk name="n1" object="hall"/>`` gives the step a name, not an object.
        """
        objects = self.surfaces.objects
        labels = [
            (key, value)
            for key, value in named
            if plain_key(key) == "name" and squeezed(value) not in objects
        ]
        is_enough = 0 <= max_objects <= len(named) - len(labels)
        return [pair for pair in named if pair not in labels] if is_enough else named

    def take_meant(self, step: Step, before: Step) -> str:
        """Put the object that a pronoun means into a step, and return it; empty if it is unclear.

        It is that object of the step before which the step does not name itself. If there are
        several of a type that it may be, nobody knows which one is meant.
        """
        place = step.pronoun_place
        candidates = [n for n in dict.fromkeys(before.arguments) if n not in step.arguments]
        signature = self.surfaces.signature
        if signature is not None and step.is_known:
            takes = signature.parameters(step.name)[place].takes
            candidates = [name for name in candidates if takes(name)]
        if len(candidates) != 1:
            return ""
        step.arguments.insert(place, candidates[0])
        step.pronoun_place = -1
        return candidates[0]


def has_id_in(objects: str) -> bool:
    """Whether a word is a number or a name with one: ``light.34``, ``(34)``."""
    for word in objects.split():
        if has_id(word.strip("<>()[],;.\"'")) or word.strip("()#").isdigit():
            return True
    return False


def _named_objects(parts: Sequence[str]) -> list[tuple[str, str]]:
    """Return keyword and value of arguments such as ``object="light"``, without asides."""
    named: list[tuple[str, str]] = []
    for part in parts:
        keyword = _KEYWORD.match(part)
        if keyword is not None and not is_aside_key(keyword[1]):
            named.append((keyword[1], part[keyword.end() :]))
    return named


def style_of(before: str, name: str) -> str:
    """Return how a call is written: what its name is part of, and whether it is in capitals."""
    owner = _OWNER.search(before[-80:])
    return (owner[0] if owner else "") + ("NAME" if name.isupper() else "name")


_STRING = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_BRACKETS = {")": re.compile(r"[()]"), "]": re.compile(r"[\[\]]")}
_BRACKETS_OF_PROGRAM = re.compile(rf"[()]|{_STRING}", re.DOTALL)


def closing_bracket(
    text: str, place: int, closer: str, limit: int = sys.maxsize, *, is_program: bool = False
) -> int:
    """Return the offset of the bracket that closes one that was opened before a place; or -1.

    Args:
        text: The text.
        place: Offset behind the bracket that is open.
        closer: The sign of the bracket.
        limit: Offset up to which it is looked for.
        is_program: Whether brackets in strings do not count.
    """
    brackets = _BRACKETS_OF_PROGRAM if is_program else _BRACKETS[closer]
    depth = 1
    for sign in brackets.finditer(text, place, limit):
        if sign[0] == closer:
            depth -= 1
        elif len(sign[0]) == 1:
            depth += 1
        if depth == 0:
            return sign.start()
    return -1
