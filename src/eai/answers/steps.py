"""Plans in the notation of PDDL: ``(stack a b)``, whatever stands around and between the steps.

Read are bracketed steps, any number in a line, over several lines; with a time (``0.000: (..)``),
a number or a bullet before them; lists of JSON or Python; ``name arg arg`` and ``name(arg, arg)``
on a line of its own; and steps in words (:mod:`eai.answers.phrases`).

A model writes more than its plan. Meant is, in this order: the last ``[PLAN]`` block; the last
fence with a step; the first list behind the last heading with "plan", "answer" or "final"; the last
list of two or more steps; else every step. What stands behind ``[STATEMENT]`` is no answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, pairwise
from operator import attrgetter

from eai.answers.cleaning import (
    LONGEST,
    REASONING,
    UNFINISHED,
    UNSEEN,
    behind_reasoning,
    original,
    too_long,
    visible,
)
from eai.answers.lines import MOST_LINES
from eai.answers.phrases import InWords, Names
from eai.answers.plan import AnswerProblem, PlanReading, ReadStep, shorten
from eai.nesting import load_json, load_literal
from eai.text import counted

_EXPECTED = "one action a line, (action object ...), is expected"
NO_STEPS = f"there is no plan in the answer; {_EXPECTED}"
"""What is said of an answer that is none."""

_STATEMENT = re.compile(r"\[\s*STATEMENT\s*\]", re.IGNORECASE)
_BLOCK = re.compile(
    r"\[[ \t]?(?P<end>/|END[ _](?:OF[ _])?)?[\w ]{0,30}?PLAN(?P<behind>[ _]END)?[ \t]?\]",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t]*(?:```+|~~~+)[^\n`]*$", re.MULTILINE)
_BRACKET = re.compile(r"\(([^()]*)\)")
_CALL = re.compile(r"[A-Za-z][\w-]*$")
_CALLED = re.compile(r"\s*([A-Za-z][\w-]*)\(")
_INSIDE = re.compile(r"[\s,]*[A-Za-z][\w-]*(?:[\s,]+[\w.@#$%&+-]+)*[\s,]*")
_LEAD = re.compile(
    r"(?:[\s>#|*`_\"'\[•+\u2013-]|\d+\s*[.):]+(?!\d)|\(\d+\)|(?:step|action|move|stage)s?(?:\s+\d+)?[*_]*\s*[.:)][*_]*)*",
    re.IGNORECASE,
)
_TIME = re.compile(r"(-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*:\s*$", re.IGNORECASE)
_HEADING = re.compile(r"\b(?:plan|answer|final)\b", re.IGNORECASE)
_HEADED = re.compile(r"#.*|\*\*[^*]*\*\*\W*|.*:[*_`]*")
_COMMENT = re.compile(r"(?:^|(?<=[)\]]))[ \t,\d.\[\]]{0,40};(.*)$")
_WORD = re.compile(r"\w")
_LONG = 200_000
"""Longer texts are not read as lists of Python: that takes a microsecond a character."""
_NEAR = 60
"""So many characters before a bracket may say what it is."""
_NO_PLAN = re.compile(
    r"\bno\s+(?:\w+\s+){0,2}(?:plan|solution|sequence)\b|\bimpossible\b|\bunsolvable\b"
    r"|\b(?:not|n't|cannot)\s+(?:be\s+)?(?:possible|solvable|solved|achieved|reached)\b",
    re.IGNORECASE,
)


_REFUSED = re.compile(
    r"\bis(?: not|n't) (?:allowed|correct|necessary|needed|possible|required|right|valid)\b"
    r"(?:.*?\bso\b[ :,]*(?P<instead>.*))?",
    re.IGNORECASE,
)
"""A step that is taken back, and the one that takes its place."""
_NEXT = re.compile(
    r"(?:;|[,.;]?\s{1,9}(?:and )?then\b|\s(?=\d{1,6}[.)]\s))[\s\d.)*]{0,20}", re.IGNORECASE
)
"""What stands between two steps in a line."""
_ASIDE = re.compile(r"\([^()]*\)")


def says_no_plan(text: str) -> bool:
    """Whether a text says that there is no plan, that the goal is impossible or unsolvable."""
    begin, unfinished = behind_reasoning(text)
    return unfinished < 0 and _NO_PLAN.search(text, begin) is not None


@dataclass(slots=True)
class _Line:
    """A line of an answer."""

    start: int
    text: str
    lead: int  # where what it says begins: behind blanks, a number, a bullet
    indent: int
    steps: list[tuple[ReadStep, str]] = field(default_factory=list)  # each with its form
    begins: bool = False  # like an action, and is none
    refused: bool = False  # it takes back the step that it begins with
    notes: list[str] = field(default_factory=list)

    @property
    def is_blank(self) -> bool:
        return not self.text.strip() or self.text.lstrip().startswith(";")

    @property
    def bullet(self) -> str:
        return self.text[self.indent : self.lead].strip("0123456789")

    @property
    def is_heading(self) -> bool:
        return not self.steps and _HEADED.fullmatch(self.text.strip()) is not None


def read_steps(text: str, names: Names, *, notation: bool = False) -> PlanReading:
    """Read a plan in the notation of PDDL, or in words.

    Args:
        text: The text of a plan file, or what a model wrote.
        names: The names of the task.
        notation: Whether every bracket is a step, and nothing else is one.

    Returns:
        The steps in the order in which they are meant, with the names of actions and objects as
        the task has them; a name that it does not have stays as it is written. A line amid the
        steps that begins like one and is none is a problem: no step is left out in silence.
    """
    if notation:
        return _Reader(text, names).in_notation()
    text, gaps = visible(text)
    begin, unfinished = behind_reasoning(text)
    if unfinished >= 0:
        return PlanReading((), (AnswerProblem(UNFINISHED, original(unfinished, gaps)),))
    found = _Reader(text[begin:], names).reading()
    if begin or gaps:
        found = found.moved(lambda at: original(begin + at, gaps))
    notes = (*([UNSEEN] if gaps else []), *([REASONING] if begin else []), *found.notes)
    return replace(found, notes=notes)


class _Reader:
    def __init__(self, text: str, names: Names) -> None:
        self.names = names
        self.text = text
        self.notes = list[str]()
        self.times = dict[int, float]()
        self.step_in = lru_cache(maxsize=4096)(self._step_in)  # plans say the same again and again

    def reading(self) -> PlanReading:
        text = self.text
        if "\\n" in text and "\n" not in text.strip():
            text = text.replace("\\n", " \n")  # written as a string of JSON
        problems = too_long(text, 0, LONGEST)
        text = text[:LONGEST]
        if text.count("\n") > MOST_LINES:
            text = "\n".join(islice(text.split("\n"), MOST_LINES))
            problems.append(
                AnswerProblem(f"the plan has more than {MOST_LINES:,} lines", len(text))
            )
        ended = _STATEMENT.search(text)
        if ended is not None:
            self.notes.append("the text after [STATEMENT] was left out")
            text = text[: ended.start()]
        listed = None if "(" in text else _listed(text)
        if listed is not None:
            found = self.in_list(listed)
            return replace(found, problems=(*problems, *found.problems))
        lines = self.lines(text)
        chosen = self.chosen(text, lines)
        left = sum(len(line.steps) for line in lines) - sum(len(line.steps) for line in chosen)
        if left:
            self.notes.append(f"{counted(left, 'more step')} in the answer: not in its plan")
        steps = self.once(chosen)
        self.notes += [note for line in chosen for note in line.notes]
        problems += self.unread(chosen)
        # A text without comments, fences and labels of languages.
        bare = re.sub(r"^[ \t]*;.*$", "", _FENCE.sub("", text), flags=re.MULTILINE)
        if not steps and not problems and _WORD.search(_BLOCK.sub("", bare)):
            problems.append(AnswerProblem(NO_STEPS))
        elif not text.strip():
            problems.append(AnswerProblem(f"the answer is empty; {_EXPECTED}"))
        return self.found(steps, problems)

    def found(self, steps: list[ReadStep], problems: Sequence[AnswerProblem]) -> PlanReading:
        ordered = tuple(self.timed(steps))
        return PlanReading(ordered, tuple(problems), tuple(dict.fromkeys(self.notes)))

    def in_notation(self) -> PlanReading:
        """Read what stands in brackets, and nothing else."""
        steps, before = [], 0
        for found in _BRACKET.finditer(self.text):
            at, words = found.start(), found[1].replace(",", " ").split()
            if words:
                name = self.names.action(words[0]) or words[0].lower()
                steps.append(ReadStep(name, tuple(map(self.names.object, words[1:])), at))
                self.time(self.text, max(before, at - _NEAR), at)
            before = found.end()
        nothing = not steps and self.text.strip()
        return self.found(steps, [AnswerProblem(NO_STEPS)] if nothing else [])

    def in_list(self, listed: Sequence[str]) -> PlanReading:
        """Read the strings of a list one by one."""
        found, at, steps = read_steps("\n".join(listed), self.names), 0, []
        for step in found.steps:  # where it stands: its name, behind the step before
            at = max(self.text.find(step.name, at), at)
            steps.append(replace(step, position=at))
            at += len(step.name)
        return replace(found, steps=tuple(steps), notes=(*self.notes, *found.notes))

    def lines(self, text: str) -> list[_Line]:
        """Read every line; of empty ones that follow each other the first stands for all."""
        lines = list[_Line]()
        at = 0
        for each in text.split("\n"):
            if each or not lines or lines[-1].text:
                # A line without a word says nothing, whatever it begins with.
                lead = _LEAD.match(each) if _WORD.search(each) else None
                indent = len(each) - len(each.lstrip())
                lines.append(_Line(at, each, lead.end() if lead else indent, indent))
            at += len(each) + 1
        self.bracketed(lines)
        for line in lines:
            if not line.steps and line.lead < len(line.text) and not line.is_blank:
                self.in_words(line)
        return lines

    def bracketed(self, lines: Sequence[_Line]) -> None:
        """Find the steps in brackets."""
        maybe = list[tuple[_Line, ReadStep]]()
        starts, formal = [line.start for line in lines], False
        # Places are those of the text: behind each line there are as many ends of lines as there.
        sizes = (after - at for at, after in pairwise([*starts, starts[-1]]))
        plain = "".join(
            (self.without_comment(line) if ";" in line.text else line.text).ljust(size, "\n")
            for line, size in zip(lines, sizes, strict=True)
        )
        for found in _BRACKET.finditer(plain):
            inside = found[1].replace("\\_", "_").replace("\\", " ")
            at = found.start()
            touches = at > 0 and not plain[at - 1].isspace()
            called = _CALL.search(plain, max(0, at - _NEAR), at) if touches else None
            call = called[0] if called else None
            number = bisect_right(starts, at) - 1
            line = lines[number]
            for inner in range(number + 1, bisect_left(starts, found.end())):
                lines[inner].text = ""  # it is part of the step
            said, known = self.step_in(call, inside)
            if said is None:
                continue
            step = ReadStep(*said, at)
            if known:
                line.steps.append((step, "call" if call else "brackets"))
                formal = True
                self.time(plain, max(line.start, at - _NEAR), at)
            elif at - len(call or "") == line.start + line.lead and not re.search(
                r"[^\W\d]", plain[found.end() : line.start + len(line.text)]
            ):
                maybe.append((line, step))
        for line, step in maybe:
            meant = step.arguments and all(each in self.names.objects for each in step.arguments)
            if meant or (formal and not line.indent and len(step.arguments) < 6):
                line.steps.append((step, "brackets"))

    def without_comment(self, line: _Line) -> str:
        """The text of a line with blanks for its comment."""
        found = _COMMENT.search(line.text)
        call = _CALLED.match(found[1]) if found else None
        if found is None or (call and self.names.action(call[1], joined=True)):
            return line.text  # in "pick-up(d); stack(d, b)" it parts two steps
        if "cost" in found[1].lower():
            line.notes.append(found[1].strip())
        begin = found.start(1) - 1
        return line.text[:begin] + " " * (len(line.text) - begin)

    def _step_in(
        self, call: str | None, inside: str
    ) -> tuple[tuple[str, tuple[str, ...]] | None, bool]:
        """The action and objects that stand in brackets, and whether the action is known."""
        if call is not None:
            parts = inside.split(",") if "," in inside else inside.split()
            words = [call, *filter(None, map(str.strip, parts))]
        elif _INSIDE.fullmatch(inside) is None:
            return None, False
        else:
            words = inside.replace(",", " ").split()
        name = self.names.action(words[0], joined=call is not None)
        count = -1 if name is None else len(self.names.domain.operators[name].parameters)
        if name is None or (call and len(words) - 1 != count):
            meant = self.names.read(f"{call or ''} {inside}")
            if (
                meant is not None
                and meant.complete
                and (call or meant.name.startswith(words[0].lower()))  # not (pickup d)
            ):
                return (meant.name, meant.arguments), True
            if call and len(words) - 1 < count:
                return None, False  # its objects may stand behind it
            if words[0].lower() in self.names.of_no_action:
                return None, False
        arguments = tuple([self.names.object(each, by_phrase=bool(call)) for each in words[1:]])
        return (name or words[0], arguments), name is not None

    def in_words(self, line: _Line) -> None:
        """Read the steps of a line without brackets: ``pick-up d``, "pick up the red block"."""
        place = line.lead
        said = line.text[place:]
        if not self.names.may_mean_action(said):
            return
        refused = _REFUSED.search(_ASIDE.sub("", said))
        if refused is not None and self.names.read(said) is not None:
            line.notes.append(f"{shorten(said)}: the answer takes this step back")
            line.begins = line.refused = True
            place += len(said) - len(refused["instead"] or "")
        end = len(line.text)
        for found in (*_NEXT.finditer(line.text, place), None):
            at, place = place, found.end() if found else end
            written = line.text[at : found.start() if found else end]
            meant = self.meant(written)
            if meant is None:
                break  # what is meant later in a sentence is no step
            bare = None if meant.complete else self.plain(written, line.start + at)
            if bare is not None:
                line.steps.append((bare, "plain"))
            elif meant.name:
                step = ReadStep(meant.name, meant.arguments, line.start + at)
                line.steps.append((step, "words"))
                if meant.note:
                    line.notes.append(f"{shorten(written.strip())}: {meant.note}")
            else:
                line.begins = True

    def meant(self, written: str) -> InWords | None:
        """Read words: without what stands in brackets or behind a colon, unless it is needed."""
        begun: InWords | None = None
        whole = _ASIDE.sub(" ", written)
        for part in (*whole.split(":"), written):
            meant = self.names.read(part)
            if meant is not None and meant.name:
                return meant
            begun = begun or meant
        return begun

    def plain(self, written: str, at: int) -> ReadStep | None:
        """A step of names alone: an action as it is spelled, then words that can only be names."""
        words = written.strip(" \t\r`*\"',.]").split()
        name = words[0].lower() if words else ""
        operator = self.names.domain.operators.get(name)
        if operator is None or not all(re.fullmatch(r"[\w@#$%&+-]+", word) for word in words):
            return None
        arguments = [self.names.object(word) for word in words[1:]]
        strange = [each for each in arguments if each not in self.names.objects]
        if not all(re.search(r"[\d_-]", word) for word in strange):
            return None  # a word of a sentence
        if strange and len(strange) == len(arguments) != len(operator.parameters):
            return None
        return ReadStep(name, tuple(arguments), at)

    def chosen(self, text: str, lines: Sequence[_Line]) -> list[_Line]:
        """The lines in which the plan stands."""
        starts = [line.start for line in lines]

        def between(begin: int, end: int) -> list[_Line]:
            return list(lines[max(bisect_right(starts, begin) - 1, 0) : bisect_left(starts, end)])

        for closed, begin, end in _blocks(text):
            inside = between(begin, end)
            if any(line.steps for line in inside):
                return inside if closed else next(_lists(inside))
            if says_no_plan(text[begin:end]):
                return inside
        for begin, end in _fences(text):
            inside = between(begin + 1, end)
            if any(line.steps for line in inside):
                return inside
        some = any(map(attrgetter("steps"), lines))
        for number in range(len(lines) - 1, -1, -1) if some else ():
            if lines[number].is_heading and _HEADING.search(lines[number].text):
                first = _first_below(lines, number)
                if first is not None:
                    return next(_lists(lines[first:]))
        several = [part for part in _lists(lines) if sum(len(line.steps) for line in part) > 1]
        return several[-1] if several else list(lines)

    def once(self, lines: Sequence[_Line]) -> list[ReadStep]:
        """The steps, without those that are the one before, written again in another form."""
        steps, last = list[ReadStep](), ""
        for line in lines:
            written, line.steps = line.steps, []
            for step, form in written:
                own = f"{form} {line.indent} {line.bullet}"
                if not steps or last == own or not self.is_same(steps[-1], step):
                    last = own
                    steps.append(step)
                    line.steps.append((step, form))
        return steps

    def is_same(self, step: ReadStep, again: ReadStep) -> bool:
        """Whether a step says what the one before it says, perhaps with other names."""
        strange = any(each not in self.names.objects for each in again.arguments)
        return step.name == again.name and (strange or step.arguments == again.arguments)

    def unread(self, lines: Sequence[_Line]) -> Iterator[AnswerProblem]:
        """The lines amid the steps, or with a bullet as they, that begin like one and are none."""
        with_steps = [number for number, line in enumerate(lines) if line.steps]
        first, last = (with_steps[0], with_steps[-1]) if with_steps else (0, len(lines))
        for number, line in enumerate(lines):
            amid = first <= number <= last or (line.bullet and line.bullet == lines[first].bullet)
            if amid and line.begins and not line.refused and line.indent <= lines[first].indent:
                written = line.text[line.lead :].strip(" \t\r*`")
                said = "begins like an action and names too few objects for it"
                yield AnswerProblem(f"{shorten(written)} {said}", line.start + line.lead, written)

    def time(self, text: str, begin: int, at: int) -> None:
        """Keep the time that stands before a step."""
        found = _TIME.search(text, begin, at)
        if found is not None:
            self.times[at] = float(found[1])

    def timed(self, steps: list[ReadStep]) -> list[ReadStep]:
        """The steps by their times, if each of them has one."""
        times = [self.times[step.position] for step in steps if step.position in self.times]
        if not times:
            return steps
        if len(times) < len(steps):
            read = "all are read in the order in which they are written"
            self.notes.append(f"some steps have no time: {read}")
            return steps
        ordered = sorted(steps, key=lambda step: self.times[step.position])
        if min(times) < 0:
            self.notes.append("times below 0 only say what comes first")
        if len(set(times)) < len(times):
            self.notes.append("steps with the same time were read one after the other")
        if ordered != steps:
            self.notes.append("the steps were put in the order of their times")
        return ordered


def _lists(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    """The lists of steps: they end at a line that is no step and says nothing of the one above."""
    part = list[_Line]()
    for line in lines:
        if line.steps or line.begins:
            part.append(line)
        elif part and not line.is_blank and not _is_remark(line, part[0]):
            if any(each.steps for each in part):
                yield part
            part = []
    if any(each.steps for each in part):
        yield part


def _first_below(lines: Sequence[_Line], number: int) -> int | None:
    """Where a list begins below a heading, without another heading or much else between."""
    said = 0
    for place in range(number + 1, len(lines)):
        line = lines[place]
        if line.steps:
            return place
        said += not line.is_blank
        if said > 2 or (not line.is_blank and line.is_heading):
            return None
    return None


def _is_remark(line: _Line, first: _Line) -> bool:
    """Whether a line says something of the step above: it stands further in, or has a bullet."""
    if line.indent > first.indent:
        return True
    bullet = line.text[line.indent : line.indent + 1]
    alike = bullet == first.text[first.indent : first.indent + 1]
    return bullet in "-*+•" and not alike and not line.text.lstrip().startswith("**")


def _blocks(text: str) -> list[tuple[bool, int, int]]:
    """The ``[PLAN]`` blocks, the last first: whether each is closed, where it begins and ends."""
    found: list[tuple[bool, int, int]] = []
    begin: int | None = None
    for mark in _BLOCK.finditer(text):
        ends = bool(mark["end"] or mark["behind"])
        if begin is not None:
            found.append((ends, begin, mark.start()))
        elif ends and not found:
            found.append((True, 0, mark.start()))
        begin = None if ends else mark.end()
    if begin is not None:
        found.append((False, begin, len(text)))
    return found[::-1]


def _fences(text: str) -> list[tuple[int, int]]:
    """What stands in fences, the last first."""
    marks = [(mark.start(), mark.end()) for mark in _FENCE.finditer(text)]
    ends = [*(start for start, _ in marks[1::2]), len(text)]
    return [(begin, end) for (_, begin), end in zip(marks[::2], ends, strict=False)][::-1]


def _listed(text: str) -> list[str] | None:
    """The steps of a list of JSON or Python, each as one text; None if the text is none."""
    fences = [text[begin:end] for begin, end in _fences(text)]
    readers = (load_json, load_literal) if len(text) <= _LONG else (load_json,)
    for part in (*fences, text):
        begin, end = part.find("["), part.rfind("]")
        if begin < 0 or _BLOCK.match(part, begin):
            continue
        inside = part[begin : end + 1]
        for read in readers:
            try:
                items = read(inside)
            except ValueError:
                continue
            if isinstance(items, list) and items and (steps := list(_texts(items))):
                return steps
    return None


def _texts(items: Iterable[object]) -> Iterator[str]:
    for item in items:
        if isinstance(item, str):
            yield item
        elif isinstance(item, (list, tuple)) and all(isinstance(w, (str, int)) for w in item):
            yield f"({' '.join(map(str, item))})"
