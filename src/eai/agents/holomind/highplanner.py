"""High-level planner: an instruction as goals, which comes next, and what if one fails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from eai.agents.holomind.executor import Context, class_of
from eai.agents.holomind.goals import ANYTHING, Edge, Goal, GoalGraph, Reference, Status
from eai.agents.holomind.percepts import knowledge, plain, stem
from eai.agents.holomind.spatial import Record, fits
from eai.errors import InputError
from eai.logic import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Then,
    Variable,
    parse_formula,
)

MOST_REPLANS = 20
"""So many replans are made in an episode."""
_UNKNOWN = 10.0  # what it may take to go to what was never seen
_CLAUSE = re.compile(
    r"(?<=[.!?;])\s+|;\s*|,? (?:and|then) (?=(?:put a piece|serve|drink|wash|store)\b)"
    r"|, (?=drink|then)"
)
_SINGULAR = (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"))
"""Endings of plurals, and of their singulars: shelves, shelf; knives, knife."""

_ARTICLE = re.compile(r"^(?:the|a|an|one|some) ", re.IGNORECASE)
_NAMED = re.compile(r"\((\w+_\d+)\)")
_ROOM = re.compile(r" in the ([a-z]+(?: [a-z]+)? \d+)$", re.IGNORECASE)
_FROM = re.compile(r" from the ([a-z ]+?)$", re.IGNORECASE)
_AFTER_STATE = ("put", "close", "off")
_Names = Mapping[str, Reference]
_TOOLS = ("slice", "cook", "fill", "clean")


def read_goals(task: str, context: Context) -> list[Goal]:
    """Read the goals of a task: out of a formula in its text, else out of its sentences."""
    reader, formula = _Reader(context), _formula(task)
    if formula is not None:
        reader.walk(formula, {}, value=True)
    return linked(reader.goals or list(_sentences(task)))


# ---------------------------------------------------------------------- formulas


def _formula(task: str) -> Formula | None:
    for line in task.splitlines():
        for text in (line, line.partition(" that ")[2]):
            if "(" in text:
                try:
                    return parse_formula(text.strip().rstrip("."))
                except InputError:
                    continue
    return None


@dataclass
class _Reader:
    """Reads the goals that a formula asks for."""

    context: Context
    goals: list[Goal] = field(default_factory=list)
    shares: dict[Reference, int] = field(default_factory=dict)
    seat: Reference | None = None

    def walk(self, formula: Formula, names: _Names, *, value: bool) -> None:
        """Add the goals of a formula that is to be true, or false."""
        if isinstance(formula, (And, Or, Then)):
            self._joined(formula, names, value=value)
        elif isinstance(formula, Not):
            self.walk(formula.operand, names, value=not value)
        elif isinstance(formula, Exists):
            more = {v.name: Reference(tuple(map(plain, v.types))) for v in formula.variables}
            self.walk(formula.body, {**names, **more}, value=value)
        elif isinstance(formula, Forall):
            for record in self.context.memory.records.values():
                self._each(formula.body, formula.variables[0], record, names, value=value)
        elif isinstance(formula, Atom):
            self._atom(formula, names, value=value)

    def _joined(self, formula: And | Or | Then, names: _Names, *, value: bool) -> None:
        """One after the other, each, or the first that will do; a seat is looked for before."""
        before: list[Goal] = []
        for part in formula.operands:
            if isinstance(part, Atom) and class_of(part.predicate) == "in":
                one, *others = (self._term(term, names) for term in part.terms)
                self.seat = others[0] if others and self._self(one) else self.seat
        for part in formula.operands[: 1 if isinstance(formula, Or) else None]:
            first = len(self.goals)
            self.walk(part, names, value=value)
            if isinstance(formula, Then):
                for goal in self.goals[first:]:
                    goal.after |= {b.number: Edge.TEMPORAL for b in before}
                before = self.goals[first:] or before

    def _each(
        self, body: Formula, variable: Variable, record: Record, names: _Names, *, value: bool
    ) -> None:
        kinds = {plain(kind) for kind in variable.types}
        if not kinds & {"object", "thing", *record.kinds}:
            return
        more = {**names, variable.name: Reference(name=record.name)}
        if not isinstance(body, Implies):
            self.walk(body, more, value=value)
        elif isinstance(body.left, Atom):
            word = body.left.predicate
            shown = knowledge()["shown"].get(word) in record.words
            if shown or record.words.get(word) or plain(word) in record.kinds:
                self.walk(body.right, more, value=value)

    def _term(self, term: object, names: _Names) -> Reference:
        name = getattr(term, "name", str(term))
        return names.get(name) or Reference(name=name)

    def _self(self, reference: Reference) -> bool:
        record = self.context.memory.named(reference.name)
        kinds = record.kinds if record else (stem(reference.name),)
        return bool(reference.name) and self.context.skills.agent_type in kinds

    def _atom(self, atom: Atom, names: _Names, *, value: bool) -> None:
        terms = [self._term(term, names) for term in atom.terms]
        others = [term for term in terms if not self._self(term)]
        actions = {name.lower() for name in self.context.skills.actions}
        name, meaning = atom.predicate, class_of(atom.predicate)
        if name.isupper() and name.lower() in actions:
            self._add("do", others, action=name.lower())
        elif meaning == "in" and len(others) == 2 and value:
            self._add("put", others, relation="on" if "on" in name else "in")
        elif meaning in knowledge()["verbs"] and others:
            self._add(knowledge()["verbs"][meaning][not value], others)
        elif meaning not in ("in", "held"):
            skill = self.context.skills.achieving(name, value=value)
            if skill is not None:
                seats = self.seat or Reference.of(*knowledge()["seats"].get(name, ()))
                self._add("do", others or [seats][: skill.arity], action=skill.action.lower())

    def _add(
        self, kind: str, terms: list[Reference], *, action: str = "", relation: str = ""
    ) -> None:
        if kind:
            what, to = (*terms, ANYTHING)[0], terms[1] if len(terms) > 1 else None
            goal = Goal(len(self.goals) + 1, kind, what, to, action, relation)
            goal.shares = self.shares.setdefault(what, goal.number) if what.kinds else 0
            self.goals.append(goal)


# ---------------------------------------------------------------------- sentences


def _sentences(task: str) -> Iterator[Goal]:
    number, before = 0, ANYTHING
    for clause in _CLAUSE.split(task.replace("In short:", "")):
        text = clause.strip().rstrip(".;,!")
        matches = ((k, re.fullmatch(p, text, re.IGNORECASE)) for k, p in knowledge()["wordings"])
        kind, parts = next(((k, m.groupdict()) for k, m in matches if m), ("", {}))
        for what in _listed(parts.get("what", ""), before):
            before = what
            homes: list[Reference | None] = [*_listed(parts.get("to") or "", before)]
            for to in homes or [_home(what)]:
                number += 1
                yield Goal(number, kind, what, to if kind == "put" else None)
                if kind == "fill" and parts.get("to"):
                    number += 1
                    yield Goal(number, "put", what, to, shares=number - 1)
                if kind != "put":
                    break


def _listed(text: str, before: Reference) -> list[Reference]:
    parts = [part for part in re.split(r", | and ", text) if part.strip()]
    pairs = [_any_of(part.removeprefix("two ")) for part in parts if part.startswith("two ")]
    return pairs * 2 or [reference(part, before) for part in parts]


def _any_of(plural: str) -> Reference:
    """Read a plural: every word that may be its singular is a kind (switches, switch, switche)."""
    said = reference(plural)
    singular = {
        kind.removesuffix(ending) + ending_of_one
        for kind in said.kinds
        for ending, ending_of_one in _SINGULAR
        if kind.endswith(ending)
    }
    return replace(said, kinds=(*sorted(singular), *said.kinds))


def reference(text: str, before: Reference | None = None) -> Reference:
    """Read what is said of an object (``"the mug from the desk in the bedroom 1"``)."""
    named = _NAMED.search(text)
    text = _NAMED.sub("", text).strip()
    room = _ROOM.search(text)
    text = _ROOM.sub("", text)
    place = _FROM.search(text)
    text = _ARTICLE.sub("", _FROM.sub("", text).strip())
    if before is not None and text in ("it", "piece", "slice"):
        kinds = before.kinds if text == "it" else tuple(f"{k}sliced" for k in before.kinds)
        return Reference(kinds, before.name if text == "it" else "")
    sorts = {plain(name): kinds for name, kinds in knowledge()["sorts"].items()}
    kinds = tuple(map(plain, sorts.get(plain(text), (text,))))
    where = _ARTICLE.sub("", place[1]) if place else ""
    return Reference(kinds, named[1] if named else "", where, room[1] if room else "")


def _home(what: Reference) -> Reference | None:
    for name, home in knowledge()["homes"].items():
        kinds = knowledge()["sorts"].get(name, [name])
        if set(map(plain, kinds)) & set(what.kinds):
            return Reference.of(home)
    return None


# ---------------------------------------------------------------------- the graph


def linked(goals: list[Goal]) -> list[Goal]:
    """Add the edges that follow from what goals are about.

    A change of an object comes before it is put somewhere and before what holds it is closed
    (object-level); goals that need the same tool follow each other (resource).
    """
    for one in goals:
        for other in goals:
            alike = one is not other and one.what == other.what != ANYTHING
            changed = alike and one.kind in _TOOLS and other.kind in _AFTER_STATE
            filled = (one.kind, other.kind) == ("put", "close") and one.to == other.what
            if changed or filled:
                other.after.setdefault(one.number, Edge.OBJECT)
            elif one.kind == other.kind in _TOOLS and one.number < other.number:
                other.after.setdefault(one.number, Edge.RESOURCE)
    return goals


def choose(graph: GoalGraph, context: Context, *, ordered: bool = False) -> Goal | None:
    """Return the goal that comes next, by its tries and its way if they are not ordered."""
    ready = graph.of(Status.READY)
    if ordered:
        return next(iter(ready), None)
    memory = context.memory

    def effort(goal: Goal) -> tuple[int, float, int]:
        known = (r for r in memory.records.values() if not r.stale and fits(goal.what, r))
        way = min((memory.cost(memory.room(record)) for record in known), default=_UNKNOWN)
        return goal.tries, way, goal.number

    return min(ready, key=effort, default=None)


def refine(goal: Goal, graph: GoalGraph, context: Context) -> None:
    """Choose the object of a goal by memory, one that no other goal needs.

    Those that other goals chose or describe more closely are left to them; so if nothing else is
    known, more is searched for.
    """
    shared = graph.goals.get(goal.shares)
    if shared is not None and shared is not goal and shared.bound:
        goal.bound = shared.bound
    if goal.bound or goal.what.name:
        return
    others = [g for g in graph.goals.values() if g is not goal and g.shares != goal.number]
    closer = [g.what for g in others if g.what.closeness > goal.what.closeness]
    bound = {g.bound for g in others}
    for record in context.memory.records.values():
        left = record.name in bound or any(fits(what, record) for what in closer)
        if left and fits(goal.what, record):
            goal.refused.add(record.name)
    context.bind(goal.what)


def holds(goal: Goal, context: Context) -> bool | None:
    """Say whether a goal is met, as far as was seen; None if nothing says it."""
    return context.holds(goal.kind, context.memory.named(goal.bound), goal.to)


def replan(graph: GoalGraph, goal: Goal, context: Context, tool: str = "") -> str:
    """Apply an operator to a goal that failed, without the tool that was used; return its name."""
    if goal.kind == "put" and goal.to and goal.tries > 1 and context.skills.of("pour"):
        goal.kind, goal.action = "do", "pour"
    operator = "retry"
    if goal.kind in _TOOLS and tool:
        goal.refused.add(tool)
    elif goal.bound and goal.kind != "slice":
        goal.refused.add(goal.bound)
        others = [r for r in context.memory.records.values() if fits(goal.what, r)]
        if all(r.name in goal.refused for r in others):
            goal.refused.clear()
        else:
            goal.bound, operator = "", "retarget"
    return operator if graph.retry(goal) else "skip"
