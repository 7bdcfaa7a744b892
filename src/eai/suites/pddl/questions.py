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
from eai.logic import And, Atom, Formula, Not, conjuncts, format_number
from eai.pddl import Domain, Operator, Predicate, Problem, format_condition
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
from eai.suites.pddl.tasks import PddlTask
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
        problem = problem_from(problem, state or self.state)
        problem = replace(problem, goal=goal, metric=None)
        if barred is not None:
            # Actions may name only constants of the domain: the objects become constants.
            operators = {}
            for name, operator in domain.operators.items():
                precondition = And((operator.precondition, Not(barred)))
                operators[name] = replace(operator, precondition=precondition)
            constants = {**domain.constants, **problem.objects}
            domain = replace(domain, operators=operators, constants=constants)
            problem = replace(problem, goal=And((goal, Not(barred))), objects={})
        result = self._proved(domain, problem, engine)
        return result if result.settled else None

    def _proved(self, domain: Domain, problem: Problem, engine: str) -> PlanningResult:
        """Search within a small budget, then ask others, then search within the whole budget."""
        own = partial(plan, domain, problem, engine=engine, time_limit=self._time_limit)
        if self.budget != PROOFS:
            # The work of other planners is not counted, so a budget of the caller's rules them out.
            return own(budget=self.meter)
        others = helpers(shortest=engine == "eai-optimal")
        if others:
            result = own(budget=BEFORE_HELP)
            if result.outcome is not Outcome.BEYOND_BUDGET:
                return result
        for other in others:
            result = plan(
                domain,
                problem,
                engine=other,
                time_limit=self._time_limit,
                memory_limit=_HELP_MB,
            )
            if result.settled:
                self.helped.add(other.name)
                return result
        return own(budget=self.meter)

    @property
    def _time_limit(self) -> float | None:
        return self.task.asking.time_limit or None

    def never(self, goal: Formula | None = None, barred: Formula | None = None) -> Verdict:
        """Whether it is proved that something cannot be reached."""
        result = self.planned(goal, barred=barred)
        if result is None:
            return None
        if not result.solved:
            return True
        steps = _written(result.plan or ()) or "no step at all"
        reached = "the goal is reached without it by" if barred is not None else "it is reached by"
        return self.wrong(f"{reached}: {steps}")

    def wrong(self, why: str) -> bool:
        """Note why an answer is wrong; returns False."""
        self.why = why
        return False

    def distance(self, state: State | None = None) -> float | None:
        """Return the length of a shortest plan; infinite if there is none, None if unknown."""
        result = self.planned(state=state, engine="eai-optimal")
        if result is None:
            return None
        if result.outcome is Outcome.UNSOLVABLE:
            return float("inf")
        return float(len(result.plan or ()))

    def ranges(self, schema: Predicate | Operator) -> list[Collection[str]]:
        """Return the objects that each parameter of a predicate, or an operator, may have."""
        return [self.state.universe.of_types(parameter.types) for parameter in schema.parameters]


def _named(text: str) -> list[Action]:
    """Return the facts or actions that a text has in brackets: both are a name with objects."""
    brackets = map(str.split, _BRACKETS.findall(text.lower()))
    return [Action(words[0], tuple(words[1:])) for words in brackets if words]


def _written(named: Iterable[Action]) -> str:
    return " ".join(map(step_text, named))


def problem_from(problem: Problem, state: State) -> Problem:
    """Return a problem that begins in a state."""
    values = problem.values
    if state.numbers is not None:
        values = dict(state.numeric_facts())
    return replace(problem, initial=tuple(state.atoms()), values=values)


def told_facts(state: State) -> list[Atom]:
    """Return the facts of a state, without those that only say which costs have values."""
    domain = state.layout.domain
    return [atom for atom in state.atoms() if not guarded_function(domain, atom.predicate)]


def _facts(state: State) -> set[Action]:
    return set(map(_named_fact, state.atoms()))


def _named_fact(atom: Atom) -> Action:
    """Return a fact as a name with arguments, which is written like an action."""
    return Action(atom.predicate, tuple(map(str, atom.terms)))


def _applicability(question: Question, answer: str | None) -> str | Verdict:
    right = set(applicable(question.task.world, question.state))
    if answer is None:
        return _written(sorted(right, key=str)) or "None"
    said = set(_named(answer))
    return said == right or question.wrong(_difference(said, right))


def _difference(said: Collection[Action], right: Collection[Action]) -> str:
    """Return in words which elements a set lacks, and which it has in excess."""
    sentences = []
    missing = set(right) - set(said)
    if missing:
        sentences.append(f"missing: {_written(sorted(missing, key=str))}")
    wrong = set(said) - set(right)
    if wrong:
        sentences.append(f"wrong: {_written(sorted(wrong, key=str))}")
    return "; ".join(sentences)


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
    said_added, said_deleted = (set(_named(part)) for part in parts)
    differences = []
    if said_added != added:
        differences.append(f"true: {_difference(said_added, added)}")
    if said_deleted != deleted:
        differences.append(f"false: {_difference(said_deleted, deleted)}")
    if not differences:
        return True
    return question.wrong(f"what becomes {', and '.join(differences)}")


def _validation(question: Question, answer: str | None) -> str | Verdict:
    steps = question.steps
    failing = None
    for index in range(len(steps)):
        if question.after(steps[: index + 1]) is None:
            failing = index
            break
    if answer is None:
        return str(failing)
    numbers = re.findall(r"-?\d+|none", answer.lower())
    right = {"none", "-1"} if failing is None else {str(failing)}
    # An answer may reason about other steps before it names one.
    if numbers and numbers[-1] in right:
        return True
    if failing is None:
        return question.wrong("all actions can be done")
    step = step_text(steps[failing])
    return question.wrong(f"the first action that cannot be done is {failing}: {step}")


def _shorter(steps: Sequence[Action]) -> Iterator[tuple[Action, ...]]:
    """Yield a plan without each one of its steps, then without each two that are neighbours."""
    for size in (1, 2):
        for start in range(len(steps) - size + 1):
            yield (*steps[:start], *steps[start + size :])


def _justification(question: Question, answer: str | None) -> str | Verdict:
    domain = question.task.start.layout.domain
    problem = problem_from(question.task.problem, question.state)

    def works(steps: Sequence[Action]) -> bool:
        return validate(domain, problem, steps).valid

    shorter = _shorter(question.steps)
    if answer is None or _claims_none(answer):
        working = next(filter(works, shorter), None)
        right = "None" if working is None else _written(working) or "[]"
        if answer is None:
            return right
        return working is None or question.wrong(f"this is left and works: {right}")
    said = tuple(_named(answer))
    is_plan = bool(said) or re.search(r"\[\s*\]", answer)
    if not is_plan or said not in shorter:
        return question.wrong("it is not the plan without one action, or two that are neighbours")
    return works(said) or question.wrong("the plan that is left does not work")


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
        return _any_one(question, answer, schemas, holds)
    said = _named(answer) or _named(f"({answer})")  # the brackets may be missing
    if len(said) != 1 or said[0].name not in schemas:
        return question.wrong(f"the answer does not name one of {', '.join(sorted(schemas))}")
    (named,) = said
    ranges = question.ranges(schemas[named.name])
    if len(named.arguments) != len(ranges) or not all(map(contains, ranges, named.arguments)):
        return question.wrong(f"{_written([named])} does not have the right objects")
    return holds(named)


def _any_one(
    question: Question,
    answer: str | None,
    schemas: Mapping[str, Predicate | Operator],
    holds: Callable[[Action], Verdict],
) -> str | Verdict:
    """Name the first instance with a property, or say whether an answer "none" is right.

    None if the budget is used up before.
    """
    for named in _instances(question, schemas):
        verdict = holds(named)
        if verdict is None:
            return None
        if verdict:
            right = _written([named])
            return right if answer is None else question.wrong(f"there is {right}")
    return "None" if answer is None else True


def _instances(question: Question, schemas: Mapping[str, Predicate | Operator]) -> Iterator[Action]:
    """Yield all well-typed instances of schemas, by name."""
    for name, schema in sorted(schemas.items()):
        for objects in product(*question.ranges(schema)):
            yield Action(name, objects)


def _fluents(question: Question) -> Mapping[str, Predicate]:
    """Return the predicates that actions change."""
    domain = question.task.start.layout.domain
    changing = domain.fluents - domain.derived
    return {name: predicate for name, predicate in domain.predicates.items() if name in changing}


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
        if fact in now:
            return question.wrong("it holds now")
        if fact in goal:
            return question.wrong("it is part of the goal")
        return question.never(barred=fact)

    return _about_one(question, answer, _fluents(question), needed)


def _action_reachability(question: Question, answer: str | None) -> str | Verdict:
    operators = question.task.start.layout.domain.operators

    def never(action: Action) -> Verdict:
        operator = operators[action.name]
        names = [parameter.name for parameter in operator.parameters]
        binding = dict(zip(names, action.arguments, strict=True))
        return question.never(operator.precondition.substitute(binding))

    return _about_one(question, answer, operators, never)


def _next_action(question: Question, answer: str | None) -> str | Verdict:
    """Name an action that begins a shortest plan, or say whether an answer is one."""
    candidates = applicable(question.task.world, question.state)
    if answer is not None:
        said = _named(answer)
        if len(said) != 1:
            return question.wrong("the answer does not name one action")
        candidates = [action for action in candidates if action == said[0]]
    now = question.distance()
    if now is None:
        return None
    # An action begins a shortest plan if and only if fewer steps are left behind it.
    after = None
    for action in candidates:
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
"""Kind to its wording, and to a function: of None it returns the right answer, of an answer whether
it is right."""

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
        if not able:
            break  # a dead end, which later steps do not leave either
        after = question.after([random.choice(able)])
        if after is not None:
            question = replace(question, state=after)
    plan_steps: list[Action] = []
    if kind in _NEED_PLAN:
        plan_steps = _some_plan(question)
    named: list[Action] = []
    if kind == "progression":
        able = applicable(task.world, question.state)
        named = random.sample(able, min(1, len(able)))
    elif kind in ("validation", "justification"):
        named = plan_steps
        position = random.randrange(len(named) + 1)
        if kind == "validation":
            # A step that comes twice makes most plans fail.
            named.insert(position, random.choice(named))
        else:
            # A step that may be superfluous.
            state = question.after(named[:position])
            able = applicable(task.world, state) if state is not None else []
            named[position:position] = random.sample(able, min(1, len(able)))
    text = question.text.format(_written(named))
    return replace(question, text=text, steps=tuple(named))


def _some_plan(question: Question) -> list[Action]:
    """Return the steps of a plan from the state of a question.

    Raises:
        NoQuestionError: If there is none, or it has no steps.
    """
    # A copy, so that the proofs of the answer have the whole budget.
    result = replace(question).planned()
    if result is None:
        raise NoQuestionError("no plan was found that the question could be about")
    if not result.solved:
        raise NoQuestionError("there is no plan that the question could be about")
    if not result.plan:
        raise NoQuestionError("the goal holds already, so there is nothing to ask")
    return list(result.plan)


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
    """Return the applicable action that a text fits best, in a tuple; empty if none is applicable.

    First the objects of the text count, then the words of the action's name, then the order in
    which the text has the objects.
    """
    words = re.findall(r"[\w-]+", text.lower())
    objects = task.vocabulary.objects.intersection(words)

    def fit(action: Action) -> tuple[int, int, int]:
        differing = len(objects.symmetric_difference(action.arguments))
        order = [words.index(name) for name in action.arguments if name in words]
        parts = re.findall(r"[a-z]+", action.name)
        # "loading" is a word for "load": the first four letters decide.
        beginnings = [part[:4] for part in parts]
        named = 0
        for beginning in beginnings:
            named += any(word.startswith(beginning) for word in words)
        tenths = named * 10 // max(len(parts), 1)
        return -differing, tenths, int(order == sorted(order))

    able = applicable(task.world, task.start)
    if not able:
        return ()
    return (max(able, key=fit),)


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
    facts_now = [_named_fact(atom) for atom in told_facts(question.state)]
    facts = f"Now these facts hold: {_written(sorted(facts_now, key=str))}"
    for term, value in question.state.numeric_facts():
        facts += f" (= {format_condition(term)} {format_number(value)})"
    return "\n\n".join((*map(str.strip, task.texts), facts, question.text))
