"""Questions about a planning task, for any domain: the kinds of ACPBench (Kokel et al. 2025).

Each kind is a function that answers a question as it should be, and says whether another answer is
right, too: with the engine, or with the planner where only a proof decides. Without a proof an item
is left out of the count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from operator import contains
from random import Random
from typing import Union

from eai.budget import Budget, Meter
from eai.diagnosis import ErrorKind, Finding, Result
from eai.errors import InputError
from eai.logic import And, Atom, Formula, Not, conjuncts
from eai.pddl import Domain, Operator, Predicate, Problem
from eai.planning import (
    Outcome,
    PlanningResult,
    applicable,
    guarded_function,
    helpers,
    plan,
    validate,
)
from eai.semantics import Semantics
from eai.suites.pddl.acpbench import published_verdict
from eai.suites.pddl.kinds import WORDINGS
from eai.suites.pddl.plans import state_after, step_text
from eai.suites.pddl.suite import PddlTask
from eai.task import Task
from eai.world import Action, State

_BRACKETS = re.compile(r"\(([^()\[\]]+)\)")
Verdict = Union[bool, None]
"""Whether an answer is right; None if that could not be proved."""
PROOFS = Budget(states=500_000, actions=None, instances=20_000_000, bytes=500_000_000)
"""Default budget for all proofs about one answer."""
BEFORE_HELP = Budget(states=5_000, actions=1_000_000, instances=4_000_000, bytes=120_000_000)
"""Budget of one proof before an installed external planner is tried."""
_HELP_MB = 3_000
"""Megabytes that another planner may take."""


class NoQuestionError(Exception):
    """A question of some kind cannot be asked about a task; the message says why."""


@dataclass
class Question:
    """A question about a state of a task.

    Args:
        kind: One of :data:`KINDS`.
        text: The question.
        state: The state that it is about.
        steps: The steps that it names: a plan, or one action.
        published: The answer that was published with it.
        budget: What the planner may use for the proofs of one answer. Other planners are asked
            only if it is :data:`PROOFS`, as what they can do is not counted.
        helped: Names of the other planners that proved something.
    """

    task: PddlTask
    kind: str
    text: str
    state: State
    steps: tuple[Action, ...] = ()
    published: object = None
    budget: Budget = PROOFS
    meter: Meter = field(init=False)
    helped: set[str] = field(default_factory=set)
    why: str = ""
    """Why the answer that was looked at last is wrong, if it is and that was found out."""

    def __post_init__(self) -> None:
        self.meter = self.budget.meter()

    def after(self, steps: Iterable[Action]) -> State | None:
        """The state after some steps; None if one of them cannot be done."""
        return state_after(self.task.world, self.state, steps)

    def planned(
        self,
        goal: Formula | None = None,
        state: State | None = None,
        barred: Formula | None = None,
        engine: str = "eai",
    ) -> PlanningResult | None:
        """Search a plan from the state, or another one; None if nothing is proved.

        What is barred must not hold before any step, nor at the end.
        """
        domain, problem = self.task.start.layout.domain, self.task.problem
        goal = problem.goal if goal is None else goal
        initial = tuple((state or self.state).atoms())
        problem = replace(problem, initial=initial, goal=goal, minimize=False)
        if barred is not None:
            # Actions may name only constants of the domain: the objects become constants.
            operators = {
                name: replace(each, precondition=And((each.precondition, Not(barred))))
                for name, each in domain.operators.items()
            }
            constants = {**domain.constants, **problem.objects}
            domain = replace(domain, operators=operators, constants=constants)
            problem = replace(problem, goal=And((goal, Not(barred))), objects={})
        found = self._proved(domain, problem, engine)
        return found if found.settled else None

    def _proved(self, domain: Domain, problem: Problem, engine: str) -> PlanningResult:
        """Search within a small budget, then ask others, then search within the whole budget."""
        own = partial(plan, domain, problem, engine=engine, time_limit=self._time_limit)
        others = helpers(shortest=engine == "eai-optimal") if self.budget == PROOFS else ()
        if others:
            found = own(budget=BEFORE_HELP)
            if found.outcome is not Outcome.BEYOND_BUDGET:
                return found
        for other in others:
            found = plan(
                domain,
                problem,
                engine=other,
                time_limit=self._time_limit,
                memory_limit=_HELP_MB,
            )
            if found.settled:
                self.helped.add(other.name)
                return found
        return own(budget=self.meter)

    @property
    def _time_limit(self) -> float | None:
        return self.task.asking.time_limit or None

    def never(self, goal: Formula | None = None, barred: Formula | None = None) -> Verdict:
        """Whether it is proved that something cannot be reached."""
        found = self.planned(goal, barred=barred)
        if found is None or not found.solved:
            return None if found is None else True
        steps = _written(found.plan or ()) or "no step at all"
        reached = "the goal is reached without it by" if barred is not None else "it is reached by"
        return self.wrong(f"{reached}: {steps}")

    def wrong(self, why: str) -> bool:
        """Note why an answer is wrong; returns False."""
        self.why = why
        return False

    def distance(self, state: State | None = None) -> float | None:
        """How many steps a shortest plan has; infinite if there is none, None if not known."""
        found = self.planned(state=state, engine="eai-optimal")
        if found is None or found.outcome is Outcome.UNSOLVABLE:
            return None if found is None else float("inf")
        return float(len(found.plan or ()))

    def ranges(self, schema: Predicate | Operator) -> list[Collection[str]]:
        """The objects that each parameter of a predicate, or an action, may have."""
        return [self.state.universe.of_types(each.types) for each in schema.parameters]


def _named(text: str) -> list[Action]:
    """The facts or actions that a text has in brackets: both are a name with its objects."""
    found = (each.split() for each in _BRACKETS.findall(text.lower()))
    return [Action(words[0], tuple(words[1:])) for words in found if words]


def _written(named: Iterable[Action]) -> str:
    return " ".join(map(step_text, named))


def _facts(state: State) -> set[Action]:
    return {Action(atom.predicate, tuple(map(str, atom.terms))) for atom in state.atoms()}


def _applicability(question: Question, answer: str | None) -> str | Verdict:
    right = set(applicable(question.task.world, question.state))
    if answer is None:
        return _written(sorted(right, key=str)) or "None"
    said = set(_named(answer))
    return said == right or question.wrong(_difference(said, right))


def _difference(said: Collection[Action], right: Collection[Action]) -> str:
    """Say what a set lacks, and what it has too much."""
    parts = []
    for what, part in (("missing", set(right) - set(said)), ("wrong", set(said) - set(right))):
        if part:
            parts.append(f"{what}: {_written(sorted(part, key=str))}")
    return "; ".join(parts)


def _progression(question: Question, answer: str | None) -> str | Verdict:
    after, before = question.after(question.steps), _facts(question.state)
    if after is None:
        raise InputError(f"{_written(question.steps)} cannot be done", where=question.task.id)
    added, deleted = _facts(after) - before, before - _facts(after)
    if answer is None:
        return f"[{_written(sorted(added, key=str))}] [{_written(sorted(deleted, key=str))}]"
    parts = re.findall(r"\[([^\[\]]*)\]", answer) or re.split(r"negative|neg\b", answer.lower())
    if len(parts) != 2:
        return question.wrong("the answer does not have two lists")
    made, lost = (set(_named(part)) for part in parts)
    differences = [
        f"{what}: {_difference(said, right)}"
        for what, said, right in (("true", made, added), ("false", lost, deleted))
        if said != right
    ]
    return not differences or question.wrong(f"what becomes {', and '.join(differences)}")


def _validation(question: Question, answer: str | None) -> str | Verdict:
    steps = question.steps
    bad = next((i for i in range(len(steps)) if question.after(steps[: i + 1]) is None), None)
    if answer is None:
        return str(bad)
    said = re.findall(r"-?\d+|none", answer.lower())
    right = {"none", "-1"} if bad is None else {str(bad)}
    if said and said[-1] in right:
        return True
    if bad is None:
        return question.wrong("all actions can be done")
    return question.wrong(f"the first action that cannot be done is {bad}: {step_text(steps[bad])}")


def _shorter(steps: Sequence[Action]) -> Iterator[tuple[Action, ...]]:
    for size in (1, 2):
        for place in range(len(steps) - size + 1):
            yield (*steps[:place], *steps[place + size :])


def _justification(question: Question, answer: str | None) -> str | Verdict:
    domain = question.task.start.layout.domain
    problem = replace(question.task.problem, initial=tuple(question.state.atoms()))

    def works(steps: Sequence[Action]) -> bool:
        return validate(domain, problem, steps).valid

    every = _shorter(question.steps)
    if answer is None or _claims_none(answer):
        found = next(filter(works, every), None)
        right = "None" if found is None else _written(found) or "[]"
        if answer is None:
            return right
        return found is None or question.wrong(f"this is left and works: {right}")
    said = _named(answer)
    meant = next((each for each in every if [*each] == said), None)
    is_plan = said or re.search(r"\[\s*\]", answer)
    if not is_plan or meant is None:
        return question.wrong("it is not the plan without one action, or two that are neighbours")
    return works(meant) or question.wrong("the plan that is left does not work")


def _claims_none(answer: str) -> bool:
    return re.search(r"\bnone\b", answer.lower()) is not None and not _named(answer)


def _about_one(
    question: Question,
    answer: str | None,
    schemas: Mapping[str, Predicate | Operator],
    holds: Callable[[Action], Verdict],
) -> str | Verdict:
    """Name a fact or an action with a property, or say whether an answer is one."""
    if answer is None or _claims_none(answer):
        for name, schema in sorted(schemas.items()):
            for objects in product(*question.ranges(schema)):
                verdict = holds(Action(name, objects))
                if verdict is None:
                    return None  # the budget is used up
                if verdict:
                    right = _written([Action(name, objects)])
                    return right if answer is None else question.wrong(f"there is {right}")
        return "None" if answer is None else True
    said = _named(answer) or _named(f"({answer})")  # what is not in brackets may stand alone
    if len(said) != 1 or said[0].name not in schemas:
        return question.wrong(f"the answer does not name one of {', '.join(sorted(schemas))}")
    one, ranges = said[0], question.ranges(schemas[said[0].name])
    typed = len(one.arguments) == len(ranges) and all(map(contains, ranges, one.arguments))
    if not typed:
        return question.wrong(f"{_written([one])} does not have the right objects")
    return holds(one)


def _fluents(question: Question) -> Mapping[str, Predicate]:
    domain = question.task.start.layout.domain
    changing = domain.fluents - domain.derived
    return {name: each for name, each in domain.predicates.items() if name in changing}


def _reachability(question: Question, answer: str | None) -> str | Verdict:
    now = _facts(question.state)

    def never(fact: Action) -> Verdict:
        if fact in now:
            return question.wrong("it holds now")
        return question.never(Atom(fact.name, fact.arguments))

    return _about_one(question, answer, _fluents(question), never)


def _landmark(question: Question, answer: str | None) -> str | Verdict:
    """A fact landmark is true at some time of every plan (Hoffmann, Porteous, Sebastia 2004)."""
    now, goal = {*question.state.atoms()}, {*conjuncts(question.task.problem.goal)}

    def needed(named: Action) -> Verdict:
        fact = Atom(named.name, named.arguments)
        if fact in now or fact in goal:
            return question.wrong("it holds now" if fact in now else "it is part of the goal")
        return question.never(barred=fact)

    return _about_one(question, answer, _fluents(question), needed)


def _action_reachability(question: Question, answer: str | None) -> str | Verdict:
    operators = question.task.start.layout.domain.operators

    def never(action: Action) -> Verdict:
        operator = operators[action.name]
        names = [each.name for each in operator.parameters]
        binding = dict(zip(names, action.arguments, strict=True))
        return question.never(operator.precondition.substitute(binding))

    return _about_one(question, answer, operators, never)


def _next_action(question: Question, answer: str | None) -> str | Verdict:
    """An action that begins a shortest plan."""
    said = [] if answer is None else _named(answer)
    if answer is not None and len(said) != 1:
        return question.wrong("the answer does not name one action")
    now = question.distance()
    if now is None:
        return None
    after = None
    for action in applicable(question.task.world, question.state):
        if answer is None or action == said[0]:
            after = question.distance(question.after([action]))
            if after is None:
                return None
            if after < now:
                return _written([action]) if answer is None else True
    if answer is None:
        return None
    if after is None:
        return question.wrong("the action cannot be done")
    left = "there is no plan" if after == float("inf") else f"{after:g} steps are left"
    return question.wrong(f"a shortest plan has {now:g} steps; after the action {left}")


_ANSWERS = {
    "applicability": _applicability,
    "progression": _progression,
    "validation": _validation,
    "justification": _justification,
    "reachability": _reachability,
    "action_reachability": _action_reachability,
    "landmark": _landmark,
    "next_action": _next_action,
}
KINDS = {kind: (WORDINGS[kind]["text"], answers) for kind, answers in _ANSWERS.items()}
"""Kind to its wording, and to what answers a question (None) or says if an answer is right."""

_NEED_PLAN = ("validation", "justification", "landmark", "next_action")
"""Kinds of questions that are about plans from the state."""


def made(task: PddlTask, kind: str) -> Question:
    """Ask a question about a state that random steps lead to (see :class:`Asking`).

    Raises:
        NoQuestionError: If it would be about a plan, and there is none.
    """
    asking = task.asking
    random = Random(f"{task.id} {kind} {asking.seed}")  # noqa: S311 - nothing is secret
    question = Question(task, kind, KINDS[kind][0], task.start.copy())
    for _ in range(asking.steps):
        able = applicable(task.world, question.state)
        after = question.after([random.choice(able)]) if able else None
        question = replace(question, state=after) if after is not None else question
    named: list[Action] = []
    if kind in _NEED_PLAN:
        found = replace(question).planned()
        if found is None:
            raise NoQuestionError("no plan was found that the question could be about")
        if not found.solved:
            raise NoQuestionError("there is no plan that the question could be about")
        if not found.plan:
            raise NoQuestionError("the goal holds already, so there is nothing to ask")
        named = list(found.plan) if kind in ("validation", "justification") else []
    if kind == "progression":
        able = applicable(task.world, question.state)
        named = random.sample(able, min(1, len(able)))
    elif kind in ("validation", "justification"):
        place = random.randrange(len(named) + 1)
        if kind == "validation":
            named.insert(place, random.choice(named))
        elif kind == "justification":
            state = question.after(named[:place])
            able = applicable(task.world, state) if state is not None else []
            named = named[:place] + random.sample(able, min(1, len(able))) + named[place:]
    text = question.text.format(_written(named))
    return replace(question, text=text, steps=tuple(named))


def asked(task: PddlTask, kind: str) -> Question | None:
    """Return the question of a task: the published one, or one that is made for it.

    Raises:
        NoQuestionError: If none can be made.
    """
    given = task.metadata.get("question")
    if not isinstance(given, dict):
        return made(task, kind)
    if given["kind"] != kind:
        return None
    text = str(given.get("question", ""))
    words = text.partition('"')[2].rpartition('"')[0]
    steps = tuple(_named(words))
    if kind == "progression" and not steps:
        steps = _in_words(task, words)
    return Question(task, kind, text, task.start.copy(), steps, given.get("answer"))


def _in_words(task: PddlTask, text: str) -> tuple[Action, ...]:
    """The applicable action that words name: all of its objects, and the most of its name."""
    words = re.findall(r"[\w-]+", text.lower())

    def share(action: Action) -> tuple[int, int, int]:
        order = [words.index(each) for each in action.arguments if each in words]
        parts = re.findall(r"[a-z]+", action.name)
        objects = task.vocabulary.objects.intersection(words)
        missing = len(objects.symmetric_difference(action.arguments))
        named = sum(any(word.startswith(part[:4]) for word in words) for part in parts)
        return -missing, named * 10 // max(len(parts), 1), int(order == sorted(order))

    able = applicable(task.world, task.start)
    return (max(able, key=share),) if able else ()


def evaluate(
    kind: str, task: Task, answer: str | None, semantics: Semantics | None = None
) -> Result:
    """Evaluate an answer to the question of a task; None stands for a missing one."""
    assert isinstance(task, PddlTask)  # noqa: S101 - the suite has no others
    try:
        question = asked(task, kind)
    except NoQuestionError as error:
        return Result("excluded", notes=(str(error),))
    if question is None:
        return Result("excluded", notes=(f"the task asks no question about {kind}",))
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return Result("missing", findings=(finding,))
    if semantics is not None and semantics.budget != Budget():
        question = replace(question, budget=semantics.budget)
    if semantics is not None and "published_answer_first" in semantics:
        right = published_verdict(kind, question.published, _named_alone(answer))
        if right is not None:
            notes = (f"by the published answer: {question.published}",)
            return Result("evaluated", success=right, executable=True, notes=notes)
    return _verdict(kind, question, answer)


def _named_alone(answer: str) -> str:
    """Return the fact or action that an answer names, ``none``, or nothing if it names several."""
    named = _named(answer)
    if not named and _claims_none(answer):
        return "none"
    return _written(named) if len(named) == 1 else ""


def _verdict(kind: str, question: Question, answer: str) -> Result:
    try:
        right = KINDS[kind][1](question, answer)
    except InputError as error:  # a published question may name what there is not
        return Result("excluded", notes=(f"the question does not fit this task: {error.what}",))
    notes = () if question.published is None else (f"published answer: {question.published}",)
    if right is None:
        right = published_verdict(kind, question.published, _named_alone(answer))
        if right is not None:
            notes = ("no proof within the budget: the published answer decides", *notes)
    if question.helped:
        notes = (f"proved with {' and '.join(sorted(question.helped))}", *notes)
    if right is False and question.why:
        notes = (f"wrong, since {question.why}", *notes)
    if right is None:
        return Result("excluded", notes=("unscorable: no proof within the budget", *notes))
    return Result("evaluated", success=bool(right), executable=True, notes=notes)


def prompt(kind: str, task: Task) -> str | None:
    """Ask the question of a task; None if it asks about something else."""
    assert isinstance(task, PddlTask)  # noqa: S101 - the suite has no others
    try:
        question = asked(task, kind)
    except NoQuestionError:
        return None
    if question is None:
        return None
    # Which costs have values stands in the problem.
    domain = task.start.layout.domain
    known = [each for each in _facts(question.state) if not guarded_function(domain, each.name)]
    facts = f"Now these facts hold: {_written(sorted(known, key=str))}"
    return "\n\n".join((*map(str.strip, task.texts), facts, question.text))
