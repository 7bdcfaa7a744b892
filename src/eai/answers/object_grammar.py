"""The objects of a step, wherever a line or a value has them.

They stand in brackets behind the action, behind words such as "to the", in quotes beside its name,
or under keys of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from eai.answers.brackets import closing_bracket
from eai.answers.cleaning import blank_out
from eai.answers.items import Step
from eai.answers.keys import fitting_roles, is_aside_key, texts_of, texts_under_keys
from eai.answers.parameter_order import in_order_of_parameters, names_parameter
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
from eai.answers.sentences import IT, MAX_SENTENCE, PRONOUN, NamedObject, order_by_parameters
from eai.answers.surfaces import GOING, ActionForm, Mention, Surfaces, squeezed
from eai.answers.values import Node, Pair, Text, is_list, is_object, plain_key
from eai.text import has_words, lazy_pattern

_KEYWORD = re.compile(r"\s*[\"']?([A-Za-z_]\w*)[\"']?\s*[=:]\s*(?=\S)")
"""A keyword before an argument of a call: ``object=``, ``"to":``."""
CALL = re.compile(
    r"(?:[A-Za-z_]\w*\.)*([^\W\d][\w\-]{0,60})\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)"
)
"""A whole call, perhaps of a member: ``robot.walk(hall)``, with calls as arguments."""
_OWNER = re.compile(r"(?:[A-Za-z_]\w{0,40}\.){1,4}$")
"""Everything before the name of a member: ``robot.arm.``."""
_END_OF_STEP = re.compile(
    r"(?:^|\s)#(?!\d)|//|/\*|\s[-\u2013\u2014]{1,2}\s|;(?!\w)|[.!?](?:\s|$)"
    r"|\b(?:so that|so (?:i|we|you)|because|since|in order|as it)\b",
    re.IGNORECASE,
)
"""A comment (but no id: ``#34``), a dash, the end of a sentence, or a reason.

A semicolon without a blank may part objects: ``sail,south;north``.
"""
_CALL_IN_CODE = re.compile(r"\s?`[A-Za-z_][\w.]{0,60}\(")
"""A call in inline code behind a verb. Its objects do not belong to the verb."""
_OBJECT_WITH_ROLE = re.compile(r"\(\s*:?([A-Za-z][\w-]*)\s+([^()\s]+)\s*\)")
"""An object of a step in PDDL with its role: ``(walk (to hall))``."""
_BETWEEN_OBJECTS = re.compile(r"[^\W\d_]{2,}|\d+")
"""A word or a number that is more than a sign between two objects."""
_PLACE = re.compile(r"\b(?:at|in|inside|into|on|onto)\b", re.IGNORECASE)
"""Words before the place of a step, which names nothing before it: "put on the table"."""
_SEPARATOR = re.compile(r"[,;]|->|\u2192|\bthen\b")
"""A sign of another step between a step and an object that it need not name."""
_SIDE_WORDS = PARTICLES | WORDS["side_words"]
"""Words that may stand between the objects of a step."""
AND = re.compile(r"\b(?:and|as well as|plus)\b|[&+]", re.IGNORECASE)
"""A link between the last two of several objects of a verb."""
_ROLE_WORDS = PARTICLES | WORDS["prepositions"] | {"with"}
"""Words that tell the role of an object behind them."""
_MEMBER_SIGNS = (".", "->", "::")
"""Signs between an object and its member, in Python and JavaScript, and in C++."""
_MAX_NAMES_BEHIND = 19
"""Maximum number of names behind an action that are no verbs of a new clause."""
_MAX_IN_BRACKETS = 400
"""Maximum number of characters of the objects of a call; brackets with more are not closed."""
_MAX_SIGN = 100
"""Maximum number of characters of what ends a clause: punctuation, and the words that begin one."""


_SKILL_AS_CALL = lazy_pattern(r"[\w.-]{1,80}\([^()]*")
"""The name of a skill that has its object in it, up to the end of the object: ``find(cup``."""
_END_OF_CALL = lazy_pattern(r"[\"'`]?\s?\)")
"""What closes such a call behind its name."""


def _end_of_skill_as_call(text: str, mention: Mention) -> int:
    """Return where a whole skill ends that is written as a call, ``find(cup)``; -1 if it is none.

    The name of such a skill is its verb and its object, so that the bracket belongs to the name.

    Args:
        text: The line.
        mention: The skill, without the bracket behind it.
    """
    if "(" not in text[mention.start : mention.end]:
        return -1
    if _SKILL_AS_CALL.fullmatch(text, mention.start, mention.end) is None:
        return -1
    end = _END_OF_CALL.match(text, mention.end)
    return -1 if end is None else end.end()


@dataclass(frozen=True, slots=True)
class Brackets:
    """Where the text in brackets behind an action is.

    Args:
        start: Its begin.
        end: Where the closing bracket is, or the end of the line.
        is_closed: Whether there is a closing bracket.
    """

    start: int
    end: int
    is_closed: bool


class ObjectGrammar:
    """Reads the objects of steps of one task.

    Args:
        surfaces: The names of the task; None if any name may be that of an action.
    """

    def __init__(self, surfaces: Surfaces | None) -> None:
        """Keep the names; without any, ``is_free`` says that every name may be an action."""
        self.surfaces = surfaces or Surfaces((), ())
        self.is_free = surfaces is None

    def step_at(
        self, text: str, offset: int, mentions: Sequence[Mention], index: int
    ) -> tuple[Step, int]:
        """Return the step of an action that a line names, and where it ends in the line.

        Args:
            text: The line.
            offset: Its offset in the answer.
            mentions: The actions and objects that it names, in order.
            index: Index of the action among them.
        """
        mention = mentions[index]
        action = self.surfaces.by_name[mention.name]
        text_before = text[: mention.start]
        step = Step(action.name, [], offset + mention.start, action.max_objects)
        step.written = text[mention.start : mention.end]
        step.style = style_of_call(text_before, step.written)
        if mention.clause_step is not None:
            said = mention.clause_step
            step.arguments = [name for name in said.objects if name != IT]
            # A pronoun stays open until it is replaced.
            if IT in said.objects and step.lacks_objects:
                step.pronoun_place = said.objects.index(IT)
            step.is_unordered = not said.listed and self._leaves_roles_open(
                step, text, (mention.end, said.end), mentions[index + 1 :]
            )
            return step, said.end
        mentions_behind = mentions[index + 1 :]
        end_of_skill = _end_of_skill_as_call(text, mention)
        if end_of_skill >= 0:
            # The name says all: which apple pick(apple) takes is chosen where it is bound.
            step.form = "call"
            step.max_objects = 0
            return step, end_of_skill
        brackets = self._brackets_behind(text, mention)
        if brackets is not None:
            end = self._complete_call(step, text, mentions_behind, brackets)
            complete_by_owner(step, text, mentions, index)
            # The end of a chain of calls, ".run()", may be no step.
            is_chained = text_before.strip() == "."
            step.is_weak = is_chained and step.lacks_objects and not step.arguments
            return step, end
        text_behind = text[mention.end : mention.end + 2]
        # A label, "Action 1 (WALK): hall", or other words, "gehe zu (WALK) hall".
        is_in_label = text_behind == "):" or (
            text_behind == ") "
            and bool(mentions_behind)
            and not mentions_behind[0].is_action
            and not has_words(text[mention.end : mentions_behind[0].start])
        )
        if text_before.endswith("(") and text_behind[:1] in (" ", ")") and not is_in_label:
            return step, self._complete_pddl(step, text, mention.end)
        end = self._complete_words(step, text, mention.end, mentions_behind)
        step.is_unordered = self._leaves_roles_open(step, text, (mention.end, end), mentions_behind)
        return step, end

    @staticmethod
    def unlisted_call(name: str, arguments: Sequence[str], offset: int) -> Step:
        """Return the step of a call whose name is no action of the task."""
        return Step(name, list(arguments), offset, form="call", is_known=False)

    def _complete_call(
        self, step: Step, text: str, mentions_behind: Sequence[Mention], brackets: Brackets
    ) -> int:
        """Give ``PUT(cup, shelf)`` or ``PUT(cup) on shelf`` its objects; return where it ends."""
        step.form = "call"
        step.is_cut = not brackets.is_closed
        action = self.surfaces.by_name[step.name]
        step.arguments = self.objects_in_brackets(text[brackets.start : brackets.end], action)
        if step.max_objects == 0 and " " in step.written:
            step.arguments = []  # behind a whole skill in words stands a remark
        end = brackets.end + 1
        behind = next((each for each in mentions_behind if each.start >= end), None)
        if behind is None or behind.is_action or not (step.arguments and step.lacks_objects):
            return end
        # Only words such as "on" and "the" may stand between.
        is_apart = behind.start >= self.end_of_step(text, end)
        if is_apart or not _SIDE_WORDS.issuperset(words_of(text[end : behind.start])):
            return end
        step.arguments.append(behind.name)
        return behind.end

    def _complete_pddl(self, step: Step, text: str, name_end: int) -> int:
        """Give ``(walk light)`` its objects; return where it ends in the line.

        Args:
            step: The step, which is changed.
            text: The line.
            name_end: Where the name of the action ends.
        """
        limit = min(name_end + _MAX_IN_BRACKETS, len(text))
        close = closing_bracket(text, name_end, ")", limit)
        end = close if close >= 0 else limit
        step.form = "pddl"
        step.is_cut = close < 0
        action = self.surfaces.by_name[step.name]
        if self.surfaces.predicates and plain_key(step.written) != plain_key(step.name):
            step.name = step.written  # (pickup a) is not pick-up
            step.is_known = False
        content = text[name_end:end]
        objects_with_roles = _OBJECT_WITH_ROLE.findall(content)
        if objects_with_roles:
            objects = [f"{role}={name}" for role, name in objects_with_roles]
        else:
            objects = content.replace(",", " ").split()
        step.arguments = self.objects_in_brackets(", ".join(objects), action)
        return end

    def _complete_words(
        self, step: Step, text: str, name_end: int, mentions_behind: Sequence[Mention]
    ) -> int:
        """Give ``walk to the light`` its objects; return where it ends in the line.

        Args:
            step: The step, which is changed.
            text: The line.
            name_end: Where the name of the action ends.
            mentions_behind: The names behind it.
        """
        if _CALL_IN_CODE.match(text, name_end):
            return name_end
        objects, stop = self._objects_behind(text, name_end, mentions_behind)
        action = self.surfaces.by_name[step.name]
        is_place_first = bool(objects) and _PLACE.search(text, name_end, objects[0].start)
        is_separated = bool(objects) and _SEPARATOR.search(text, name_end, objects[0].start)
        has_no_optional = is_place_first or is_separated
        objects = objects[: action.max_objects if has_no_optional else action.most_named]
        step.arguments = self._in_parameter_order(step.name, objects, text)
        end = objects[-1].end if objects else name_end
        if not step.lacks_objects:
            return end
        text_behind = text[end:stop]
        unknown_objects = self._unknown_objects(text_behind)
        if not unknown_objects:
            return end
        step.arguments += unknown_objects
        return end + len(text_behind.rstrip())

    def _leaves_roles_open(
        self, step: Step, text: str, span: tuple[int, int], mentions_behind: Iterable[Mention]
    ) -> bool:
        """Whether "and" joins two objects of a step in words that have a role of their own each.

        "Unstack b and c" does not say what is taken from what. "Connect b and c" leaves nothing
        open, and neither does "load the crate and the truck" where types tell the roles apart.

        Args:
            step: The step. Its name in capitals, "PUTIN cup and sink", sets the order of objects.
            text: The line.
            span: Where the name of its action ends, and where its objects do.
            mentions_behind: The names behind the action.
        """
        if step.max_objects < 2 or len(step.arguments) < 2 or step.written.isupper():
            return False
        mentions = takewhile(lambda each: each.start < span[1], mentions_behind)
        objects = [each for each in mentions if not each.is_action and each.start >= span[0]]
        if len(objects) < 2 or ":" in text[span[0] : objects[0].start]:
            return False
        words_between = text[objects[0].end : objects[1].start]
        if AND.search(words_between) is None or not _ROLE_WORDS.isdisjoint(words_of(words_between)):
            return False
        signature = self.surfaces.signature
        parameters = () if signature is None else signature.parameters(step.name)[:2]
        is_either_order = all(
            each.takes(named.name) for each in parameters for named in objects[:2]
        )
        return is_either_order and WORDS["mutual"].isdisjoint(words_of(step.name))

    def _objects_behind(
        self, text: str, name_end: int, mentions_behind: Sequence[Mention]
    ) -> tuple[list[Mention], int]:
        """Return the objects in the clause of an action in words, and where the clause ends.

        It ends at the next action, verb or full stop, or where a reason begins.

        Args:
            text: The line.
            name_end: Where the name of the action ends.
            mentions_behind: The names behind it.
        """
        object_starts = [m.start for m in mentions_behind[:_MAX_NAMES_BEHIND] if not m.is_action]
        next_action = next((m.start for m in mentions_behind if m.is_action), len(text))
        text = text[: next_action + _MAX_SIGN]
        clause_end = self.surfaces.sentences.find_clause_end(text, name_end, object_starts)
        stop = min(self.end_of_step(text, name_end), clause_end)
        objects: list[Mention] = []
        for mention in mentions_behind:
            if mention.start >= stop:
                break
            if mention.is_action:
                return objects, mention.start
            objects.append(mention)
        return objects, stop

    def _in_parameter_order(self, action: str, objects: Sequence[Mention], text: str) -> list[str]:
        """Return the objects of a step in words in the order of the parameters of its action.

        "Put on the table the cup" names them in another order than ``put(cup, table)``.

        Args:
            action: Name of the action.
            objects: The objects, in the order of the line.
            text: The line.
        """
        names = [mention.name for mention in objects]
        signature = self.surfaces.signature
        if signature is None or len(objects) != self.surfaces.by_name[action].max_objects:
            return names
        named_objects = [NamedObject(m.name, m.start, m.end) for m in objects]
        order = order_by_parameters(signature.parameters(action), named_objects, text)
        return names if order is None else order[0]

    def _brackets_behind(self, text: str, mention: Mention) -> Brackets | None:
        """Return the brackets behind an action, as in ``WALK(light)``; None if it has none."""
        begin = mention.end
        while begin < len(text) and text[begin] in "\"'`*]":
            begin += 1
        text_before = text[: mention.start].rstrip("\"'")
        is_behind_blank = text[begin : begin + 2] == " (" and text_before[-1:] != "("
        if is_behind_blank and self._is_object_in_brackets(text, begin + 1):
            begin += 1
        if text[begin : begin + 1] not in ("(", "["):
            return None
        if text[begin - 1 : begin] == "]":
            return None  # [WALK](light) is a script
        limit = min(begin + 1 + _MAX_IN_BRACKETS, len(text))
        close = closing_bracket(text, begin + 1, ")" if text[begin] == "(" else "]", limit)
        return Brackets(begin + 1, close if close >= 0 else limit, is_closed=close >= 0)

    @staticmethod
    def _is_object_in_brackets(text: str, begin: int) -> bool:
        """Whether brackets behind an action and a blank hold an object: ``walk (light.34)``."""
        close = text.find(")", begin, begin + 100)
        if close < 0:
            return False
        inside = text[begin + 1 : close]
        return 0 < len(inside.split()) <= 2 and has_id_in(inside) and not inside.isdigit()

    def objects_in_brackets(self, content: str, action: ActionForm | None) -> list[str]:
        """Return the objects between the brackets of a call.

        They are named as in the task if there are as many as the action takes, or fewer and no
        other words, and else as they are written.

        Args:
            content: Text such as ``light, 411`` or ``object="light", to="table"``.
            action: The action; None if it is unknown.
        """
        max_objects = -1 if action is None else action.most_named
        # Commas within brackets do not part arguments.
        arguments = [part for part in re.split(r",(?![^(\[]*[)\]])", content) if part.strip()]
        keyword_count = sum(_KEYWORD.match(argument) is not None for argument in arguments)
        if 0 < keyword_count == len(arguments):
            content = ", ".join(self.in_order(_named_objects(arguments), action))
        elif keyword_count:
            ordered_objects = self.in_order_of_parameters(_named_objects(arguments), action)
            content = content if ordered_objects is None else ", ".join(ordered_objects)
        mentions = self.surfaces.find_mentions(content)
        names = [mention.name for mention in mentions if not mention.is_action]
        if len(names) == len(mentions) <= max_objects:
            words_beside = " ".join(_words_beside(content, mentions))
            are_all = len(names) == max_objects and not _BETWEEN_OBJECTS.search(words_beside)
            # "at the table" may name the only object besides one that need not be named.
            if are_all or (names and not words_beside):
                return names
        stripped_content = content.strip().strip("[]{}()\"'")
        if stripped_content in NOTHING:
            return []
        names = [token.strip("[](){}\"'") for token in tokens_of(stripped_content)]
        return [f"{name}]" if "[" in name else name for name in names]  # an index is part of it

    @staticmethod
    def end_of_step(text: str, begin: int) -> int:
        """Return where the words behind an action end: at a comment, a reason, a full stop."""
        search_start = begin
        limit = min(begin + MAX_SENTENCE, len(text))
        while sign := _END_OF_STEP.search(text, search_start, limit):
            is_sure = sign[0].strip() in ("#", "//", "/*") or sign[0][0].isalpha()
            # A dash or a full stop right behind the action separates it from its objects.
            if is_sure or has_words(text[begin : sign.start()]):
                return sign.start()
            search_start = sign.end()
        return limit

    @staticmethod
    def _unknown_objects(written: str) -> list[str]:
        """Return the words that stand where an object is missing, if they may be its name."""
        stripped_text = re.sub(r"\([^()]*\)\s*$", "", written).strip(" \t\"'`*.,:;<>()[]{}|-\u2192")
        words = [
            word for word in stripped_text.split() if word.lower().strip(",") not in _SIDE_WORDS
        ]
        if not 0 < len(words) <= 4 or not STATING.isdisjoint(words_of(stripped_text)):
            return []
        # "Grab them" names no object.
        if not FILLERS.isdisjoint(map(str.lower, words)) or PRONOUN.fullmatch(words[0]):
            return []
        return tokens_of(" ".join(words))

    def objects_completing(self, step: Step, node: Node) -> list[str]:
        """Return the objects of a step from a value behind it."""
        return self.objects_of(node, self.surfaces.by_name.get(step.name))

    def objects_of(self, node: Node | None, action: ActionForm | None) -> list[str]:
        """Return the objects in a value, such as ``["light", "411"]`` or ``{"to": "hall"}``.

        Args:
            node: The value; None if it is missing.
            action: The action; None if it is unknown.
        """
        if is_object(node):
            named_objects = self.without_labels(texts_under_keys(node), action)
            return self.objects_in_brackets(", ".join(self.in_order(named_objects, action)), action)
        ordered_objects = self.in_order_of_parameters(_keyword_arguments(node), action)
        if ordered_objects is None:
            ordered_objects = list(texts_of(node))
        return self.objects_in_brackets(", ".join(ordered_objects), action)

    def in_order(
        self, named_objects: Sequence[tuple[str, str]], action: ActionForm | None
    ) -> list[str]:
        """Return objects that have keys in the order of the parameters of their action.

        Args:
            named_objects: The key of each object, with its name.
            action: The action; None if it is unknown.
        """
        ordered_objects = self.in_order_of_parameters(named_objects, action)
        if ordered_objects is not None:
            return ordered_objects
        return fitting_roles(named_objects, -1 if action is None else action.most_named)

    def names_parameter(self, pair: Pair, action: ActionForm | None) -> bool:
        """Whether a key is the name of a parameter of an action, over more than a number."""
        signature = self.surfaces.signature
        if action is None or signature is None:
            return False
        is_number = isinstance(pair.value, Text) and pair.text.isdigit()
        if is_number and pair.text not in self.surfaces.objects:
            return False
        return names_parameter(pair.key.value, signature.parameters(action.name))

    def in_order_of_parameters(
        self, named_objects: Sequence[tuple[str, str]], action: ActionForm | None
    ) -> list[str] | None:
        """Return objects in the order that names and types of parameters give; None if none.

        Args:
            named_objects: The key of each object, with its name; the key of an argument without
                keyword is empty.
            action: The action; None if it is unknown.
        """
        signature = self.surfaces.signature
        if action is None or signature is None or not named_objects:
            return None
        exact_objects: list[tuple[str, str]] = []
        for key, text in named_objects:
            names = self.surfaces.objects_in(text)
            exact_objects.append((key, names[0] if len(names) == 1 else text))
        return in_order_of_parameters(exact_objects, signature.parameters(action.name))

    def step_of(
        self,
        action: ActionForm,
        objects: Node | None,
        offset: int,
        form: str,
        *,
        is_cut: bool = False,
    ) -> Step:
        """Return the step of an action with the objects in a value.

        Args:
            action: The action.
            objects: The value; None if it is missing.
            offset: Offset of the step in the answer.
            form: How the step is written: ``"call"``, ``"list"``, ``"key"``.
            is_cut: Whether the answer ends inside the step.
        """
        names = self.objects_of(objects, action)
        return Step(action.name, names, offset, action.max_objects, form, is_cut=is_cut)

    def without_labels(
        self, named_objects: list[tuple[str, str]], action: ActionForm | None
    ) -> list[tuple[str, str]]:
        """Return named objects without the name of the step, if there are enough objects besides.

        ``<walk name="n1" object="hall"/>`` gives the step a name that is no object of the task.

        Args:
            named_objects: Keys, each with the text under it.
            action: The action; None if it is unknown.
        """
        max_objects = -1 if action is None else action.max_objects
        objects = self.surfaces.objects
        unlabelled_objects: list[tuple[str, str]] = []
        for key, text in named_objects:
            if plain_key(key) != "name" or squeezed(text) in objects:
                unlabelled_objects.append((key, text))
        return unlabelled_objects if 0 <= max_objects <= len(unlabelled_objects) else named_objects

    def objects_named_by(self, step: Step) -> list[str]:
        """Return the objects of a step, or the one that its name ends with: "find a Mug"."""
        if step.arguments:
            return step.arguments
        # The name of a skill holds its object, so the longest end that is an object counts.
        words = step.name.split()
        for index in range(1, len(words)):
            name = self.surfaces.objects.get(squeezed(" ".join(words[index:])))
            if name is not None:
                return [name]
        return []

    def place_of(self, step: Step) -> str:
        """Return the place to which a step goes: "hall" of ``walk(hall)``; empty if to none."""
        verb, _, target = step.name.partition(" ")
        if not squeezed(verb).startswith(tuple(GOING)):
            return ""
        names = step.arguments or self.surfaces.objects_in(target)
        return names[0] if len(names) == 1 else ""

    def resolve_pronoun(self, step: Step, earlier_step: Step) -> str:
        """Replace the pronoun of a step by the object that it means; return that, or "" if unclear.

        In "Find the cup. Put it on the table", the pronoun means an object of the earlier step that
        the step does not name itself. It is unclear if several of these fit the parameter.

        Args:
            step: The step, which is changed.
            earlier_step: The step before it.
        """
        parameter_index = step.pronoun_place
        named_objects = dict.fromkeys(self.objects_named_by(earlier_step))
        candidates = [name for name in named_objects if name not in step.arguments]
        signature = self.surfaces.signature
        if signature is not None and step.is_known:
            takes = signature.parameters(step.name)[parameter_index].takes
            candidates = [name for name in candidates if takes(name)]
        if len(candidates) != 1:
            return ""
        step.arguments.insert(parameter_index, candidates[0])
        step.pronoun_place = -1
        return candidates[0]


def complete_by_owner(step: Step, text: str, mentions: Sequence[Mention], index: int) -> None:
    """Give a call that lacks an object the one whose member it is: ``light.34.switchon()``.

    Args:
        step: The step, which is changed.
        text: The line.
        mentions: The actions and objects that it names, in order.
        index: Index of the action among them.
    """
    if index <= 0 or not step.lacks_objects:
        return
    owner = mentions[index - 1]
    if not owner.is_action and text[owner.end : mentions[index].start] in _MEMBER_SIGNS:
        step.arguments.insert(0, owner.name)


def has_id_in(objects: str) -> bool:
    """Whether a word of a text is a number or a name with one: ``light.34``, ``(34)``."""
    for word in objects.split():
        if has_id(word.strip("<>()[],;.\"'")) or word.strip("()#").isdigit():
            return True
    return False


def _words_beside(text: str, mentions: Sequence[Mention]) -> list[str]:
    """Return the words of a text around the names in it, without those such as "from" and "the"."""
    rest = blank_out(text, [(mention.start, mention.end) for mention in mentions])
    return [word for word in words_of(rest) if word not in _SIDE_WORDS]


def _named_objects(arguments: Sequence[str]) -> list[tuple[str, str]]:
    """Return keyword and value of arguments such as ``object="light"``, without remarks.

    The keyword of an argument that has none is empty.
    """
    named_objects: list[tuple[str, str]] = []
    for argument in arguments:
        keyword = _KEYWORD.match(argument)
        if keyword is None:
            named_objects.append(("", argument.strip()))
        elif not is_aside_key(keyword[1]):
            named_objects.append((keyword[1], argument[keyword.end() :]))
    return named_objects


def _keyword_arguments(node: Node | None) -> list[tuple[str, str]]:
    """Return the arguments of a call some of which have keywords: ``("cup", to="table")``.

    The keyword of an argument that has none is empty. There are no arguments if none has one, or
    if one of them is neither a text nor a keyword with its value.
    """
    if not is_list(node):
        return []
    named_objects = texts_under_keys(node)
    for member in node.members:
        if is_object(member):
            named_objects += texts_under_keys(member)
        elif isinstance(member, Text):
            named_objects.append(("", member.value))
        else:
            return []
    has_keyword = any(key for key, _ in named_objects)
    return named_objects if has_keyword else []


def style_of_call(text_before: str, name: str) -> str:
    """Return how a call is written: its owner, and whether its name is in capitals.

    Args:
        text_before: The text before the name, which may end with its owner: ``robot.arm.``.
        name: The name.

    Examples:
        >>> style_of_call("robot.", "WALK")
        'robot.NAME'
    """
    owner = _OWNER.search(text_before[-80:])
    style = "NAME" if name.isupper() else "name"
    return style if owner is None else owner[0] + style
