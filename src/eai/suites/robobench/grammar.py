"""The items of RoboBench's plans: a skill, the names that stand in its roles, and perhaps an arm.

Skills are known; objects are any words, so that roles decide where a name ends: commas in a call,
prepositions in a sentence ("pour the water from the kettle into the cup"). Lines, values, drafts and
choices are read as for all plans (:mod:`eai.answers`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import zip_longest

from eai.answers import ActionForm, Group, Item, Node, Pair, Surfaces, Text, words_of
from eai.answers.grammar import (
    CONNECTING,
    RESTATES,
    LineReading,
    Step,
    StepGrammar,
    ValueReading,
    in_order_of_roles,
    is_aside_key,
    is_object_key,
    may_precede_step,
    opened,
    plain_key,
    texts_of,
)
from eai.answers.plan import ACTION_KEYS, CALLING
from eai.answers.surfaces import Mention, squeezed
from eai.data import read_json
from eai.suites.robobench.names import direction_of, sense_of

ARMS = ("left", "right")
NO_OBJECT = "none"
_IDLE = frozenset(("", "-", "\u2013", "\u2014", "none", "idle", "null", "n/a", "no action", "wait"))
_ARM_KEYS = frozenset(["arm", "hand", "gripper", "side", "manipulator", "actor", "effector", "armused", "usedarm"])
_SIDES = {"l": "left", "r": "right", "two": "both", "bimanual": "both", "dual": "both"}
_WORDS = {
    "pick": "pick_up",
    "move": "move_to",
    "put": "place",
    "noop": "no_ops",
    "stay idle": "no_ops",
    "stays idle": "no_ops",
    "do nothing": "no_ops",
    "wait": "no_ops",
    "pull out": "pullout",
    "hand over": "transfer",
    "drive to": "mobile",
    "navigate to": "mobile",
    "go to": "mobile",
    "look at": "observation",
    "observe": "observation",
}
"""Words for skills in sentences; in a call only the name of a skill is one."""


@cache
def skills() -> Mapping[str, tuple[str, ...]]:
    """The skills with the roles of their arguments; those of annotators come last."""
    listed = read_json("domains/robobench/skills.json")
    return {name: tuple(roles) for name, roles in listed.items()}


@cache
def skill_surfaces(unlisted: tuple[str, ...] = ()) -> Surfaces:
    """Return the written forms of the skills, and of names that an answer uses like skills."""
    forms = [(name, ActionForm(name, len(roles))) for name, roles in skills().items()]
    verbs = [*zip(skills(), skills(), strict=True), *_WORDS.items()]
    for words, name in verbs:
        verb, _, rest = words.replace("_", " ").partition(" ")
        form = ActionForm(name, len(skills()[name]))
        forms += [(f"{said}{rest}", form) for said in (verb, *_inflected(verb))]
    forms += [(name, ActionForm(name, -1)) for name in unlisted]
    return Surfaces(forms, ())


def _inflected(verb: str) -> tuple[str, str]:
    """Return a verb with the endings of "it moves" and "moving"."""
    ending = "es" if verb.endswith(("s", "sh", "ch", "o")) else "s"
    stem = verb.removesuffix("e")
    if stem in ("cut", "put", "plug", "unplug", "stir"):
        stem += stem[-1]
    return f"{verb}{ending}", f"{stem}ing"


# ------------------------------------------------------------------ arms

_SIDE = r"(?:left\s*(?:and|&|\+|/)\s*right|left|right|both|two|bimanual|dual)"
_NOUN = r"(?:[ _-]?(?:arm|hand|gripper|manipulator)s?\b)"
_ARM = re.compile(
    rf"""
      [\[(]\s*(?:(?:with|using|by|use)\s+)?(?:(?:the|its|your)\s+)?      # [left] (with the left arm)
        (?P<bracketed>{_SIDE}|[LR](?![a-z])){_NOUN}?\s*[\])]
    | ,?\s*["']?\b(?:arm|hand|gripper|side)\b["']?\s*[=:]\s*             # arm="left" in a call
        ["']?(?P<keyword>{_SIDE}){_NOUN}?["']?(?:\s*,(?=\s*\w))?
    | (?<![\w.])["']?(?P<label>{_SIDE}{_NOUN}?|[LR])["']?                # Left arm: or left =
        \s{{0,2}}[*_]{{0,2}}\s?[:=](?!=)[*_]{{0,2}}
    | (?<!\w)(?P<owner>{_SIDE}){_NOUN}?\.(?=[A-Za-z_]\w*\s?\()           # left_arm.grasp(cup)
    | (?<!from\s)(?<!to\s)(?<!from\sthe\s)(?<!to\sthe\s)                 # with the left hand
      (?:\b(?:with|using|use|by|in|have|let)\s+)?(?:\b(?:the|its|your|his|robot's)\s+)?
      (?<!\w)(?P<named>{_SIDE}){_NOUN}(?:\s+(?:should|must|will|to)\b)*,?
    | (?:(?<=[|,;\t/&.):\-])|^)\s*(?P<cell>{_SIDE})                        # 1,left,grasp(cup)
        (?:\s*[|,;\t]|\s(?=\s*(?:\w+\s?\(|no_?ops?\b)))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NAMES_ARM = re.compile(rf"(?:(?:with|by|using)\s+)?(?:the\s+)?(?:{_SIDE}{_NOUN}?|[LR])", re.IGNORECASE)
_ONLY_ARM = re.compile(
    r"(?:\W|\d|\b(?:for|the|plan|steps?|actions?|sequence|arm|hand|gripper)\b)*", re.IGNORECASE
)


def side_of(written: str) -> str:
    """Return ``"left"``, ``"right"`` or ``"both"`` where a text names an arm; else nothing."""
    plain = re.sub(r"(?:arm|hand|gripper|manipulator)s?$", "", squeezed(written))
    if plain in (*ARMS, "both"):
        return plain
    if plain in ("leftright", "leftandright"):
        return "both"
    return _SIDES.get(plain, "")


# ------------------------------------------------------------------ words

_SAYS_WHERE = (
    r"out of|off of|away from|on top of|next to|close to|from|off|to|into|onto|inside|in|on|at|towards?|over|upon"
    r"|under|against|across|around|near|with|using|as"
)
_PREPOSITION = re.compile(rf"(?<![\w-])({_SAYS_WHERE})(?![\w-])", re.IGNORECASE)
_TOOLS = frozenset(("with", "using"))
_SOURCES = frozenset(("from", "off", "out of", "off of", "away from"))
_VERB_BEFORE = re.compile(
    r"(?:[,;.]\s*|\s(?:and|then|next|finally)\s+|\s\d{1,6}\s{0,2}[-.):]\s*)+(?:\w+ly\s+)?\Z", re.IGNORECASE
)
_USE = re.compile(r"\b(?:use|using|with)\s+(?:the\s+|a\s+)?([\w\s-]{1,40}?)\s*(?:,|\bto\b)\s*$", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:it|them|this|that)", re.IGNORECASE)
_REMARK = re.compile(r"\([^()]*\)|\bwhich\b.*|\bthat (?:is|are|was)\b.*|\bwhile\b.*|[*`\"\u201c\u201d]")
_NOT_DONE = frozenset(
    ["if", "unless", "otherwise", "alternatively", "were", "would", "could", "might", "whenever", "not", "never", "no", "without", "avoid", "cannot", "don", "dont", "instead"]
)
"""A step behind one of these is not, or not always, to be done."""
_CASES = frozenset(("if", "unless", "when", "not"))
_BRACKETS = re.compile(r"\([^()]*\)")
_TOPIC = re.compile(r"\W*(?:task|goal|objective|instruction|question|scene|image|state)s?\W*:", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?<![\w.])\d{1,9}\s{0,2}[-.):]\s{0,2}(?:\w{1,20}(?:[ _](?:arm|hand))?\s{0,2}:\s{0,2})?([^\W\d]\w{0,60})\("
    r"|\b(?:left|right)(?:[ _](?:arm|hand))?\s{0,2}:\s{0,2}([^\W\d]\w{0,60})\("
)
_CALLED = re.compile(r"(?<!\w)([^\W\d]\w{2,30}|[a-z]{2,12} [a-z]{2,5})\s?[(\[]", re.IGNORECASE)
_LONGEST_SENTENCE = 400
_OWN_NUMBER = re.compile(
    r"(?:(?:^|[,;.|>/\u2192])\s*[*_]*|(?<=\s)(?=\d{1,6}-))(\d{1,6})\s{0,2}[-.):]\s*[\"'`*]*\s*$"
)
"""The number of a step inside a line; "the cup 1: pick_up(cup_1)" has none."""
_NATIVE = re.compile(r"[a-z]+_\w+|[A-Z_]+")


_MAY_NAME_ARM = re.compile(r"left|right|both|two|dual|biman|\b[LR]\b", re.IGNORECASE)
_NUMBER_BETWEEN = re.compile(r"(?<!\w)\d{1,6}\s{0,2}[-.):]")
_KEYWORD = re.compile(r"\s*[\"']?([A-Za-z_]\w{0,30})[\"']?\s*[=:]\s*(?=\S)")
_ARTICLES = re.compile(r"^(?:\s*\b(?:the|a|an|its|your|down|up to|up)\b(?=\s))+", re.IGNORECASE)
_ADVERB = re.compile(
    r"\s*\b(?:carefully|gently|slowly|firmly|securely|safely|quickly|fully|completely|neatly|properly)\b\s*"
    r"|\s+(?:back|again|first|together|there)\W*\Z",
    re.IGNORECASE,
)
_PREFACE = frozenset(
    ["the", "a", "robot", "first", "then", "next", "finally", "and", "executes", "execute", "performs", "perform", "does", "do", "should", "will", "must", "calls", "call", "runs", "run", "uses", "starts", "start", "begins", "begin", "with", "by", "i", "we", "you", "need", "needs", "to", "has", "have", "just", "now", "simply", "only", "agent", "gripper", "it", "is", "action", "actions", "plan", "step", "steps"]
)
_REFERRING = frozenset(
    ["after", "before", "because", "since", "as", "note", "that", "like", "such", "than", "of", "while", "during", "using", "see", "skill", "skills", "function", "example", "format", "when", "where", "which", "or", "and/or"]
)
_WORDS_OF_NAMES = re.compile(r"[\w'-]+")
_TURNING = frozenset(["to", "until", "it", "its", "is", "the", "a", "an", "position", "state", "so", "that", "in", "into", "them"])
_ROBOT = frozenset(["gripper", "arm", "hand", "robot", "robotarm", "robotgripper", "endeffector", "leftarm", "rightarm"])
_DIRECT = frozenset(("object", "target", "carried", "contents", "character", "text", "container"))
_ROLES = frozenset(role for roles in read_json("domains/robobench/skills.json").values() for role in roles) - {"arm"}
_ARGUMENT = re.compile(r"[\s>*+\-]*(?:\**([A-Za-z]\w{2,12})\**\s?[:=]\**)?(\s*[\"'`]?\w[\w\s'\"`,-]{0,80})")
_DIRECTED = frozenset(("it", "them", "up"))


def unlisted_skills(text: str) -> tuple[str, ...]:
    """Return names that an answer uses like skills: numbered, or for an arm."""
    found = {match[1] or match[2] for match in _NUMBERED.finditer(text)}
    return tuple(sorted(name for name in found if squeezed(name) not in _skill_names()))[:50]


def has_calls(text: str) -> bool:
    """Whether an answer calls a skill by its name: ``grasp(cup)``, ``PickUp[cup]``."""
    return any(squeezed(call[1]) in _skill_names() for call in _CALLED.finditer(text))


@cache
def _skill_names() -> frozenset[str]:
    return frozenset(map(squeezed, skills()))


def arguments_of_call(text: str, at: int) -> tuple[tuple[str, ...], int, bool]:
    """Return the arguments behind a bracket, where they end, and whether the bracket is closed."""
    depth, begin, found = 0, at, list[str]()
    for at in range(begin, len(text)):  # noqa: PLR1704 - the place is what is looked for
        character = text[at]
        if character == "(":
            depth += 1
        elif character == ")" and depth:
            depth -= 1
        elif character in ",)" and not depth:
            found.append(text[begin:at].strip(' \t"`'))
            begin = at + 1
            if character == ")":
                return (tuple(found) if found != [""] else ()), at + 1, True
        elif character == "\n":
            break
    else:
        at = len(text)
    return (*found, text[begin:at].strip(' \t"`')), at, False


class SkillGrammar(StepGrammar):
    """Reads steps of RoboBench."""

    longest_line = 20_000
    reads_sentences = True
    topic = ""  # what "it" means
    heading_arm = ""
    below_heading = 0  # steps since the heading that names an arm
    last: Step | None = None
    labelled: list[tuple[str, str]] = []  # noqa: RUF012 - begun anew with each step

    # -------------------------------------------------------------- lines

    def line(self, text: str, at: int, *, is_code: bool = False, meant: bool = False) -> LineReading:
        """Return the steps of a line, each with its arm (see :class:`StepGrammar`)."""
        if _TOPIC.match(text[:200]):
            return LineReading(is_aside=True)
        marks = self._arms(text)
        bare = text
        for start, end, _ in marks:
            bare = bare[:start] + " " * (end - start) + bare[end:]
        if marks and _ONLY_ARM.fullmatch(bare):
            return self._arm_alone(marks[-1][2], is_heading=":" not in bare)
        if self._adds_argument(bare):
            return LineReading(is_aside=True)
        reading = super().line(bare, at, is_code=is_code, meant=meant)
        for step in reading.steps:
            own = _OWN_NUMBER.search(bare, max(0, step.at - at - 40), step.at - at)
            if own is not None:
                step.number = int(own[1])
            step.place = f"{len(text) - len(text.lstrip())}"
            if self.heading_arm and not marks and step.number is None:
                self.below_heading += 1
                step.number = self.below_heading
        reading.steps = self._with_arms(reading.steps, marks, at, bare)
        if reading.steps:
            self.last = reading.steps[-1]
            self.labelled = []
        return reading

    def _arms(self, text: str) -> list[tuple[int, int, str]]:
        """Return the places where a line names an arm that takes a step."""
        if _MAY_NAME_ARM.search(text) is None or len(text) > self.longest_line:
            return []
        calls = [self._bracketed(text, m) for m in self.surfaces.mentions(text)]
        spans = [(call[0], call[1]) for call in calls if call is not None]
        found = []
        for mark in _ARM.finditer(text):
            kind = mark.lastgroup or ""
            place = mark.start(kind)
            if kind == "keyword" or not any(start <= place < end for start, end in spans):
                found.append((mark.start(), mark.end(), side_of(mark[kind])))
        return found

    def _arm_alone(self, arm: str, *, is_heading: bool) -> LineReading:
        """Take in a line that only names an arm: that of the step before it, or of those behind."""
        if not is_heading and self.last is not None and not (self.last.actor or self.heading_arm):
            self.last.actor = arm
        else:
            self.heading_arm = arm
            self.below_heading = 0
        return LineReading()

    def _adds_argument(self, text: str) -> bool:
        """Take in a line that names a role of the step before it: ``tool: knife``."""
        last, label = self.last, _ARGUMENT.fullmatch(text)
        if last is None or label is None or (label[1] or "").lower() not in skills().get(last.name, ()):
            return False
        self.labelled.append((label[1].lower(), label[2].strip(" \t\"'`")))
        last.arguments = _in_order(last.name, self.labelled)
        return True

    def _with_arms(
        self, steps: Sequence[Step], marks: Sequence[tuple[int, int, str]], at: int, text: str
    ) -> list[Step]:
        """Return steps with their arms; what both arms do are two steps."""
        is_before = bool(marks) and bool(steps) and marks[0][0] < steps[0].at - at
        found: list[Step] = []
        for step in steps:
            place = step.at - at
            if is_before:
                near = [mark for mark in marks if mark[0] < place][-1:]
                if near and _NUMBER_BETWEEN.search(text, near[0][1], place):
                    near = []  # the next line of the plan has begun
            else:
                near = [mark for mark in marks if mark[0] >= place][:1]
            step.actor = near[0][2] if near else step.actor or self.heading_arm
            if step.actor == "both":
                found += [replace(step, actor=arm, arguments=[*step.arguments]) for arm in ARMS]
            else:
                found.append(step)
        return found

    def _first_action(
        self, text: str, lead: int, mentions: Sequence[Mention], *, is_numbered: bool
    ) -> int | None:
        """Return which mention is the skill that a line begins with, or its first call."""
        for place, mention in enumerate(mentions):
            before = text[: mention.start]
            if not _is_done(before):
                return None
            if not self._may_be_step(text, mention):
                continue
            said = text[lead : mention.start] if lead <= mention.start else ""
            words = words_of(said)
            if text.rstrip(" *_").endswith(":") and self._bracketed(text, mention) is None:
                is_heading = not any(map(str.isalpha, text[mention.end :]))
                return place if is_heading and not words else None
            if may_precede_step(said) or _USE.search(said) or _PREFACE.issuperset(words):
                return place
            if self._bracketed(text, mention) is None:
                return None
            if len(words) < 3 and _REFERRING.isdisjoint(words):
                return place  # "Erst pick_up(cup)"
            bare = before.rstrip(" \t0123456789-.`*\"'([")
            has_number = is_numbered or _OWN_NUMBER.search(before, max(0, len(before) - 40)) is not None
            if has_number or bare.endswith((":", ">", "\u2192", "=", "|", ",", ")")):
                return place
            return None
        return None

    @staticmethod
    def _call_behind_words(text: str, mentions: Sequence[Mention]) -> int | None:
        """Return which mention is a call behind words and a colon, unless they set a case."""
        found = StepGrammar._call_behind_words(text, mentions)
        return found if found is not None and _is_done(text[: mentions[found].start]) else None

    def _may_be_step(self, text: str, mention: Mention) -> bool:
        """Whether a mention may be a step: beside calls only what is written like a skill is."""
        if self.reads_sentences or self.surfaces.by_name[mention.name].max_objects == 0:
            return True
        written = text[mention.start : mention.end]
        return _NATIVE.fullmatch(written) is not None or self._bracketed(text, mention) is not None

    def _known_steps(
        self, text: str, at: int, mentions: Sequence[Mention], first: int, *, is_numbered: bool = True
    ) -> list[Step]:
        """Return the steps of a line from its first skill on."""
        steps: list[Step] = []
        end = -1
        for place in range(first, len(mentions)):
            mention = mentions[place]
            if mention.start < end or not self._may_be_step(text, mention):
                continue
            if steps and not self._goes_on(text, end, mention):
                continue
            if len(steps) == 1 and RESTATES.fullmatch(text, end, mention.start):
                steps.clear()
            step, end = self._step(text, at, mentions, place)
            steps.append(step)
        return steps

    def _goes_on(self, text: str, end: int, mention: Mention) -> bool:
        """Whether a skill behind a step is the next step of the line, and no remark."""
        between = text[end : mention.start]
        if not _is_done(between):
            return False
        if CONNECTING.fullmatch(_USE.sub("", between).replace("/", " ")):
            return True
        words = words_of(between)
        if self._bracketed(text, mention) is not None and len(words) < 3:
            return _REFERRING.isdisjoint(words)
        return self._bracketed(text, mention) is not None and _OWN_NUMBER.search(between) is not None

    def _step(
        self, text: str, at: int, mentions: Sequence[Mention], place: int
    ) -> tuple[Step, int]:
        """Return the step whose skill is a mention, and where it ends in the text."""
        mention = mentions[place]
        action = self.surfaces.by_name[mention.name]
        written = text[mention.start : mention.end]
        step = Step(action.name, [], at + mention.start, action.max_objects, written=written)
        call = self._bracketed(text, mention)
        if call is not None:
            start, end, is_closed = call
            if squeezed(written) != squeezed(action.name):
                step.name, step.max_objects = written, -1
            step.form, step.is_cut = "call", not is_closed
            step.arguments = self._in_roles(text[start:end], action.name)
            self.topic = _topic(step) or self.topic
            return step, end + 1
        if action.max_objects == 0:
            return step, mention.end
        behind = text[mention.end : mention.end + _LONGEST_SENTENCE]
        stop = mention.end + self._end_of_step(behind, 0)
        for other in mentions[place + 1 :]:
            if other.start >= stop:
                break
            verb = _VERB_BEFORE.search(text, max(mention.end, other.start - 40), other.start)
            if verb is not None:
                stop = verb.start()
        said = text[mention.end : stop]
        step.arguments = self._listed(said, action.max_objects)
        if not step.arguments:
            tool = _USE.search(text, max(0, mention.start - 80), mention.start)
            words = [("with", tool[1])] if tool is not None else []
            step.name, step.arguments = self._in_words(said, action.name, written, words)
            step.max_objects = len(skills().get(step.name, ()))
        self.topic = _topic(step) or self.topic
        return step, mention.end + len(said.rstrip(" \t,"))

    def _not_a_step(
        self, text: str, lead: int, mentions: Sequence[Mention], reading: LineReading
    ) -> None:
        """Say what a line is: bare words behind a step that lacks arguments complete it."""
        label = _ARGUMENT.fullmatch(text)
        if self.last is not None and self.last.lacks_objects and label is not None and not label[1]:
            reading.completion = re.split(r"\s{2,}|,\s*", label[2].strip())
        else:
            super()._not_a_step(text, lead, mentions, reading)

    def _bracketed(self, text: str, mention: Mention) -> tuple[int, int, bool] | None:
        """Return begin and end of what stands in brackets behind a skill, and if they close."""
        call = super()._bracketed(text, mention)
        if call is None and text[mention.end : mention.end + 2] in (" (", "}("):
            call = super()._bracketed(text, mention._replace(end=mention.end + 1))
            if call is not None and _NAMES_ARM.fullmatch(text, call[0], call[1]):
                return None  # "Pick up (left arm) the cup"
        return call

    def _inside(self, inside: str, max_objects: int) -> list[str]:
        """Return the arguments of a call as they are written."""
        return [name for _, name in _keyed(inside)]

    @staticmethod
    def _in_roles(inside: str, skill: str) -> list[str]:
        """Return the arguments of a call, in the order of the roles that it gives them."""
        given = _keyed(inside)
        roles = skills().get(skill, ())
        by_role = {key: name for key, name in given if key in roles}
        if len(by_role) < len(given) or len(given) != len(roles):
            return [name for _, name in given]
        return [by_role[role] for role in roles]

    @staticmethod
    def _listed(said: str, max_objects: int) -> list[str]:
        """Return arguments that stand behind a skill without brackets: ``place: cup, tray``."""
        bare = said.strip(" \t*`.,:-\u2192|\"'")
        in_angles = re.findall(r"<([^<>]{1,80})>", said[:400])
        if len(in_angles) == max_objects > 0:
            return in_angles
        if not bare or max_objects < 1 or _PREPOSITION.search(bare) or len(bare) > 200:
            return []
        parts = [part.strip() for part in re.split(r"[,|]", bare)]
        if len(parts) != max_objects:
            parts = bare.split()
        is_list = len(parts) == max_objects and (len(parts) > 1 or said.lstrip("* `")[:1] == ":")
        is_plain = _DIRECTED.isdisjoint(words_of(bare)) and not bare.lower().startswith(("the ", "a "))
        return parts if is_list and is_plain else []

    # -------------------------------------------------------------- sentences

    def _in_words(
        self, said: str, skill: str, written: str, places: list[tuple[str, str]]
    ) -> tuple[str, list[str]]:
        """Return the skill of a sentence and its arguments: "cut the bread with the knife"."""
        direct, behind = self._phrases(said)
        places = [*places, *behind]
        rest, _, last = direct.rpartition(" ")
        if skill == "turn" and last.lower() in ("on", "off"):
            skill, direct = f"turn_{last.lower()}", rest
        elif skill == "turn" and not direct and places and places[0][0] in ("on", "off"):
            skill, direct = f"turn_{places[0][0]}", places.pop(0)[1]
        elif skill == "pull" and any(word == "out of" for word, _ in places):
            skill = "pullout"
        elif squeezed(written).startswith("pick") and last.lower() == "up":
            direct = rest
        roles = skills().get(skill, ())
        if skill == "turn":
            turned = self._turned(said)
            if turned:
                return skill, turned
        filled: dict[int, str] = {}
        if skill in ("push", "pull", "turn"):
            direct, filled = _without_directions(direct, roles)
        for word, phrase in places:
            role = _place_of(word, roles, filled)
            if role is not None:
                filled.setdefault(role, phrase)
        free = [at for at, role in enumerate(roles) if at not in filled and role in _DIRECT]
        if skill == "move_to" and squeezed(written).endswith("to"):
            free = free[-1:]
        if squeezed(direct) in _ROBOT:
            direct = ""  # "move the gripper to the cup"
        if direct and free:
            filled[free[0]] = self.topic if self.topic and _PRONOUN.fullmatch(direct) else direct
        if skill in ("press", "move_to") and filled:
            filled.setdefault(0, NO_OBJECT)
        return skill, [filled[at] for at in sorted(filled)]

    def _turned(self, said: str) -> list[str]:
        """Return object, direction and state of "the tap anticlockwise to open"."""
        words = _WORDS_OF_NAMES.findall(said[:400])
        ways = [at for at, word in enumerate(words) if at and direction_of(word)]
        if not ways:
            return []
        names, states = words[: ways[-1]], words[ways[-1] + 1 :]
        while names and names[-1].lower() in _TURNING:
            names.pop()
        state = " ".join(word for word in states if word.lower() not in _TURNING)
        return [self._named(" ".join(names)), words[ways[-1]], *filter(None, [state])]

    def _phrases(self, said: str) -> tuple[str, list[tuple[str, str]]]:
        """Return what a sentence names first, and what it names behind each preposition."""
        pieces = _PREPOSITION.split(_REMARK.sub(" ", said[:1_000]))
        places = []
        for word, phrase in zip(pieces[1::2], pieces[2::2], strict=True):
            named = self._named(phrase)
            if named:
                places.append((" ".join(word.lower().split()), named))
        return self._named(pieces[0]), places

    def _named(self, phrase: str) -> str:
        """Return the name in a phrase: up to a comma, without articles; what "it" means."""
        bare = phrase.strip(" \t.,:;!|").split(",")[0]
        bare = _ADVERB.sub(" ", _ARTICLES.sub("", bare)).strip(" \t.,:;!'")
        if _PRONOUN.fullmatch(bare):
            return self.topic or bare
        return bare

    # -------------------------------------------------------------- values

    def values(self, group: Group) -> list[ValueReading]:
        """Return the plans in a value (see :class:`StepGrammar`)."""
        plain = self._plain(group, "")
        if isinstance(plain, Text):
            plain = Group("list", group.at, group.end, [plain], cut=group.cut)
        return super().values(plain)

    def _plain(self, node: Node, arm: str) -> Node:
        """Return a value in which each step with an arm or with roles is a call in a text."""
        if isinstance(node, Text):
            is_idle = node.value.strip().lower() in _IDLE
            said = "no_ops" if is_idle else node.value
            return replace(node, value=f"{arm}: {said}") if arm else node
        pairs = [item for item in node.items if isinstance(item, Pair)]
        name = "" if node.name is None else node.name.value
        if name and not (pairs and self.surfaces.action(name) is None and len(pairs) == len(node.items)):
            return self._plain_call(node, arm)
        if pairs and len(pairs) == len(node.items):
            return self._plain_object(node, pairs, arm)
        step = self._plain_list_step(node, arm)
        if step is not None:
            return step
        items: list[Item] = []
        for item in node.items:
            inner = self._plain(item, arm) if not isinstance(item, Pair) else item
            if isinstance(inner, Group) and inner.kind == "arms":
                items += inner.items
            else:
                items.append(inner)
        kind = "list" if any(isinstance(item, Text) for item in items) else node.kind
        return replace(node, items=items, kind=kind)

    def _plain_list_step(self, node: Group, arm: str) -> Text | None:
        """Return ``["grasp", "cup"]`` of an arm as a call."""
        texts = [item.value for item in node.items if isinstance(item, Text)]
        if not arm or len(texts) != len(node.items) or not texts or self.surfaces.action(texts[0]) is None:
            return None
        if any(self.surfaces.action(text) for text in texts[1:]):
            return None
        return Text(f"{arm}: {texts[0]}({', '.join(texts[1:])})", node.at, node.end, quoted=True, cut=node.cut)

    def _plain_call(self, node: Group, arm: str) -> Node:
        """Return a call as text if it has an arm: ``left.grasp(cup)``, ``grasp(cup, arm=left)``."""
        assert node.name is not None  # noqa: S101 - it is a call
        owner, _, name = node.name.value.strip().rpartition(".")
        arm = side_of(owner.rpartition(".")[2]) or arm
        objects: list[str] = []
        for item in node.items:
            if isinstance(item, Pair) and plain_key(item.key.value) in _ARM_KEYS:
                arm = side_of(", ".join(texts_of(item.value))) or arm
            else:
                objects += texts_of(item.value if isinstance(item, Pair) else item)
        if not arm:
            return node
        return Text(f"{arm}: {name}({', '.join(objects)})", node.at, node.end, quoted=True, cut=node.cut)

    def _plain_object(self, node: Group, pairs: Sequence[Pair], arm: str) -> Node:
        """Return an object whose step, if it names one, is a call under one key."""
        number = ""
        named: Text | None = None
        name_key = "action"
        arguments: list[Pair] = []
        acting: list[tuple[str, Node]] = []
        called: list[Item] = []
        others: list[Pair] = []
        for pair in pairs:
            key, value = plain_key(pair.key.value), pair.value
            skill = self.surfaces.action(pair.key.value)
            if skill is not None and isinstance(value, Group) and value.kind == "object" and key not in CALLING:
                given, said = _arguments_of([pair])
                call = f"{skill.name}({', '.join(_in_order(skill.name, given))})"
                side = said or arm
                called.append(replace(pair.key, value=f"{side}: {call}" if side else call, quoted=True))
            elif isinstance(value, Text) and key in _ARM_KEYS and side_of(value.value):
                arm = side_of(value.value)
            elif side_of(key) and value is not None:
                acting.append((side_of(key), value))
            elif isinstance(value, Text) and named is None and (
                self.surfaces.action(value.value) is not None or (arm and key in ACTION_KEYS)
            ):
                named = value
                name_key = pair.key.value if key in ACTION_KEYS else name_key
            elif key in _ROLES or key in CALLING or is_object_key(key):
                arguments.append(pair)
            else:
                others.append(pair)
                if isinstance(value, Text) and value.value.isdigit() and is_aside_key(key):
                    number = f"{value.value}-"
        if acting:
            return self._arms_at_a_time(node, acting, number)
        if called and named is None:
            return Group("arms", node.at, node.end, called, cut=node.cut)
        if named is None:
            return replace(node, items=[Pair(p.key, None if p.value is None else self._plain(p.value, arm)) for p in pairs])
        given, said = _arguments_of(arguments)
        arm = said or arm
        if not given:
            given = [(p.key.value, text) for p in others if not is_aside_key(p.key.value) for text in texts_of(p.value)]
        call = named.value
        if self.surfaces.action(call) is not None:
            call = f"{call}({', '.join(_in_order(call, given))})"
        written = f"{arm}: {call}" if arm else call
        step = Pair(Text(name_key, named.at, named.at), replace(named, value=written, quoted=True))
        return replace(node, items=[*others, step])

    def _arms_at_a_time(self, node: Group, acting: Sequence[tuple[str, Node]], number: str) -> Group:
        """Return what several arms do at a time: ``{"left": "grasp(tray)", "right": ...}``."""
        columns: list[list[Item]] = []
        for arm, value in acting:
            plain = self._plain(value, f"{number}{arm}")
            is_list = isinstance(plain, Group) and plain.kind in ("list", "arms")
            columns.append([*plain.items] if isinstance(plain, Group) and is_list else [plain])
        rows = zip_longest(*columns)
        return Group("arms", node.at, node.end, [item for row in rows for item in row if item is not None], cut=node.cut)


class CallGrammar(SkillGrammar):
    """Reads steps of an answer that has calls of skills; its sentences only explain them."""

    reads_sentences = False


def _is_done(before: str) -> bool:
    """Whether a step behind these words is to be done: it is not denied, and no case is set."""
    reasons = " ".join(_BRACKETS.findall(before))
    words = {*words_of(_BRACKETS.sub(" ", before))}
    return _NOT_DONE.isdisjoint(words) and _CASES.isdisjoint(words_of(reasons))


def _arguments_of(pairs: Sequence[Pair]) -> tuple[list[tuple[str, str]], str]:
    """Return the arguments of a step with their keys, and the arm among them."""
    given: list[tuple[str, str]] = []
    arm = ""
    for pair in pairs:
        value = opened(pair.value)
        inner = value.items if isinstance(value, Group) else []
        named = [item for item in inner if isinstance(item, Pair)]
        for item in named:
            if plain_key(item.key.value) in _ARM_KEYS and side_of(", ".join(texts_of(item.value))):
                arm = side_of(", ".join(texts_of(item.value)))
            else:
                given.append((item.key.value, ", ".join(texts_of(item.value))))
        if not named:
            given.append((pair.key.value, ", ".join(texts_of(value))))
    return given, arm


def _in_order(skill: str, given: Sequence[tuple[str, str]]) -> list[str]:
    """Return arguments in the order of a skill's roles; by what their keys say if they differ."""
    form = skill_surfaces().action(skill)
    roles = skills()[form.name] if form is not None else ()
    by_key = {plain_key(key): value for key, value in given}
    if roles and set(roles) == set(by_key) and len(by_key) == len(given):
        return [by_key[role] for role in roles]
    said = [value for _, value in in_order_of_roles(given) if value]
    if len(said) > len(roles):
        said = [value for value in said if value.strip() not in ("-", "\u2013", "\u2014", "/")]
    return said


def _topic(step: Step) -> str:
    """Return what a step is about, to which "it" refers in the next sentence."""
    roles = skills().get(step.name, ())
    about = [name for role, name in zip(roles, step.arguments, strict=False) if role in _DIRECT]
    return next((name for name in about if name != NO_OBJECT), "")


def _place_of(word: str, roles: Sequence[str], filled: Mapping[int, str]) -> int | None:
    """Return which argument stands behind a preposition; None if the skill has none for it."""
    if word in _TOOLS:
        kinds: tuple[str, ...] = ("tool",)
    elif word in _SOURCES:
        kinds = ("container", "arm", "target")
    else:
        kinds = ("target", "arm", "direction")
        if "target" not in roles:
            kinds = (*kinds, "container")
    for kind in kinds:
        for at, role in enumerate(roles):
            if role == kind and at not in filled:
                return at
    return None


def _without_directions(direct: str, roles: Sequence[str]) -> tuple[str, dict[int, str]]:
    """Return a name without the directions and states around it: "the drawer open"."""
    found: dict[int, str] = {}
    words = direct.split()
    if len(words) > 2 and words[1].lower() in ("the", "a", "an") and (
        direction_of(words[0]) or sense_of(words[0]) is not None
    ):
        words = [*words[2:], words[0]]  # "pull open the drawer"
    while len(words) > 1:
        is_direction = direction_of(words[-1]) != ""
        is_state = sense_of(words[-1]) is not None
        kinds = [kind for kind, fits in (("direction", is_direction), ("state", is_state)) if fits]
        if kinds:
            kinds.append("target")
        role = next((at for at, r in enumerate(roles) if r in kinds and at not in found), None)
        if role is None:
            break
        found[role] = words.pop()
    return " ".join(words), found


def _keyed(inside: str) -> list[tuple[str, str]]:
    """Return the arguments of a call with their keys, which are empty if it has none."""
    given = []
    for part in arguments_of_call(f"{inside})", 0)[0]:
        keyed = _KEYWORD.match(part)
        name = (part[keyed.end() :] if keyed else part).strip(" \t\"`*")
        is_quoted = len(name) > 1 and name[0] == name[-1] == "'"
        given.append((keyed[1] if keyed else "", name[1:-1] if is_quoted else name))
    return [] if given == [("", "")] else given
