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

# The inside of a pair of brackets without others in it.
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
    """Raised if a kind of question cannot be asked about a task, with the reason."""


@dataclass
class Question:
    """A question about a state of a task.

    Args:
        kind: One of :data:`KINDS`.
        text: The question.
        state: The state that it is about.
        steps: The steps that it names: a plan, or one action.
        published: The answer that was published with it.
        budget: Limits of the planner for the proofs of one answer. Other planners are asked only if
            it is :data:`PROOFS`, as what they can do is not counted.
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
        """Return the state after some steps; None if one of them cannot be done."""
        return state_after(self.task.world, self.state, steps)

    def search_plan(
        self,
        goal: Formula | None = None,
        state: State | None = None,
        barred: Formula | None = None,
        engine: str = "eai",
    ) -> PlanningResult | None:
        """Search a plan from a state. The result is None if the search ran into a limit.

        Args:
            goal: The goal of the search; by default the goal of the problem.
            state: Where the plan begins; by default the state of the question.
            barred: The condition that must not hold before any step, nor at the end.
            engine: Name of the planner.
        """
        domain = self.task.start.layout.domain
        problem = problem_from(self.task.problem, state or self.state)
        if goal is None:
            goal = problem.goal
        problem = replace(problem, goal=goal, metric=None)
        if barred is not None:
            # The condition is forbidden in every precondition and in the goal. Operators can name
            # only constants of the domain, so the objects become constants.
            operators = {}
            for name, operator in domain.operators.items():
                precondition = And((operator.precondition, Not(barred)))
                operators[name] = replace(operator, precondition=precondition)
            constants = {**domain.constants, **problem.objects}
            domain = replace(domain, operators=operators, constants=constants)
            problem = replace(problem, goal=And((goal, Not(barred))), objects={})
        result = self._search(domain, problem, engine)
        return result if result.settled else None

    def _search(self, domain: Domain, problem: Problem, engine: str) -> PlanningResult:
        """Search with a small budget, then with other engines, then with the whole budget.

        Args:
            domain: The domain.
            problem: The problem.
            engine: Name of the planner that searches first.
        """
        search = partial(plan, domain, problem, engine=engine, time_limit=self._time_limit)
        if self.budget != PROOFS:
            # The work of other planners is not counted, so a budget of the caller's rules them out.
            return search(budget=self.meter)
        # The own planner settles easy questions, without the start of another program.
        external_planners = helpers(shortest=engine == "eai-optimal")
        if external_planners:
            result = search(budget=BEFORE_HELP)
            if result.outcome is not Outcome.BEYOND_BUDGET:
                return result
        for planner in external_planners:
            result = plan(
                domain,
                problem,
                engine=planner,
                time_limit=self._time_limit,
                memory_limit=_HELP_MB,
            )
            if result.settled:
                self.helped.add(planner.name)
                return result
        return search(budget=self.meter)

    @property
    def _time_limit(self) -> float | None:
        """Seconds for each search; None for no limit."""
        return self.task.asking.time_limit or None

    def never(self, goal: Formula | None = None, barred: Formula | None = None) -> Verdict:
        """Return whether a goal is proved to be unreachable, or None if nothing is proved.

        The plan that reaches it is noted as the reason why an answer is wrong.
        """
        result = self.search_plan(goal, barred=barred)
        if result is None:
            return None
        if not result.solved:
            return True
        steps = _write(result.plan or ()) or "no step at all"
        if barred is None:
            return self.wrong(f"it is reached by: {steps}")
        return self.wrong(f"the goal is reached without it by: {steps}")

    def wrong(self, why: str) -> bool:
        """Note why an answer is wrong; returns False."""
        self.why = why
        return False

    def distance(self, state: State | None = None) -> float | None:
        """Return the length of a shortest plan: infinite if there is none, None if unknown."""
        result = self.search_plan(state=state, engine="eai-optimal")
        if result is None:
            return None
        if result.outcome is Outcome.UNSOLVABLE:
            return float("inf")
        return float(len(result.plan or ()))

    def ranges(self, schema: Predicate | Operator) -> list[Collection[str]]:
        """Return the objects that each parameter of a predicate, or an operator, may have."""
        return [self.state.universe.of_types(parameter.types) for parameter in schema.parameters]


def _read_names(text: str) -> list[Action]:
    """Return the facts or actions in an answer's brackets, both being names with objects.

    Example:
        >>> _read_names("first (pick-up a), then (stack a b)")
        [Action(name='pick-up', arguments=('a',)), Action(name='stack', arguments=('a', 'b'))]
    """
    actions: list[Action] = []
    for inside in _BRACKETS.findall(text.lower()):
        words = inside.split()
        if words:
            actions.append(Action(words[0], tuple(words[1:])))
    return actions


def _write(names: Iterable[Action]) -> str:
    """Write facts or actions in brackets: ``(pick-up a) (stack a b)``."""
    return " ".join(map(step_text, names))


def problem_from(problem: Problem, state: State) -> Problem:
    """Return a problem with a given state as its initial state."""
    values = problem.values
    if state.numbers is not None:
        values = dict(state.numeric_facts())
    return replace(problem, initial=tuple(state.atoms()), values=values)


def stated_facts(state: State) -> list[Atom]:
    """Return the facts of a state, without those that only say which costs have values."""
    domain = state.layout.domain
    return [atom for atom in state.atoms() if not guarded_function(domain, atom.predicate)]


def _facts(state: State) -> set[Action]:
    """Return the facts of a state as names with objects."""
    return set(map(_fact_as_action, state.atoms()))


def _fact_as_action(atom: Atom) -> Action:
    """Return a fact as a name with arguments, which is written like an action."""
    return Action(atom.predicate, tuple(map(str, atom.terms)))


def _applicability(question: Question, answer: str | None) -> str | Verdict:
    """Return all actions applicable in the state, or the verdict on an answer that lists them."""
    applicable_actions = set(applicable(question.task.world, question.state))
    if answer is None:
        return _write(sorted(applicable_actions, key=str)) or "None"
    named_actions = set(_read_names(answer))
    if named_actions == applicable_actions:
        return True
    return question.wrong(_difference(named_actions, applicable_actions))


def _difference(named: Collection[Action], right: Collection[Action]) -> str:
    """Return in words which names an answer lacks, and which it has in excess."""
    sentences = []
    missing = set(right) - set(named)
    if missing:
        sentences.append(f"missing: {_write(sorted(missing, key=str))}")
    wrong = set(named) - set(right)
    if wrong:
        sentences.append(f"wrong: {_write(sorted(wrong, key=str))}")
    return "; ".join(sentences)


def _progression(question: Question, answer: str | None) -> str | Verdict:
    """Return the facts that steps add and delete, or the verdict on an answer that lists them.

    Args:
        question: The question.
        answer: The answer to judge; None to get the right one.
    """
    end_state = question.after(question.steps)
    if end_state is None:
        raise InputError(f"{_write(question.steps)} cannot be done", where=question.task.id)
    facts_before = _facts(question.state)
    facts_after = _facts(end_state)
    added = facts_after - facts_before
    deleted = facts_before - facts_after
    if answer is None:
        return f"[{_write(sorted(added, key=str))}] [{_write(sorted(deleted, key=str))}]"
    # Two lists in square brackets, or a text in which "negative" begins the deleted facts.
    lists = re.findall(r"\[([^\[\]]*)\]", answer) or re.split(r"negative|neg\b", answer.lower())
    if len(lists) != 2:
        return question.wrong("the answer does not have two lists")
    named_added = set(_read_names(lists[0]))
    named_deleted = set(_read_names(lists[1]))
    differences = []
    if named_added != added:
        differences.append(f"true: {_difference(named_added, added)}")
    if named_deleted != deleted:
        differences.append(f"false: {_difference(named_deleted, deleted)}")
    if not differences:
        return True
    return question.wrong(f"what becomes {', and '.join(differences)}")


def _validation(question: Question, answer: str | None) -> str | Verdict:
    """Return the right answer, or the verdict on one: the index of the first failing step.

    Args:
        question: The question.
        answer: The answer to judge; None to get the right one. If no step fails, "none" and -1 are
            right.
    """
    failing = _first_failing_step(question)
    if answer is None:
        return str(failing)
    right_answers = {"none", "-1"} if failing is None else {str(failing)}
    mentioned = re.findall(r"-?\d+|none", answer.lower())
    # An answer may reason about other steps before it names one.
    if mentioned and mentioned[-1] in right_answers:
        return True
    if failing is None:
        return question.wrong("all actions can be done")
    step = step_text(question.steps[failing])
    return question.wrong(f"the first action that cannot be done is {failing}: {step}")


def _first_failing_step(question: Question) -> int | None:
    """Return the index of the first step that is not applicable, or None."""
    steps = question.steps
    for index in range(len(steps)):
        if question.after(steps[: index + 1]) is None:
            return index
    return None


def _shorter_plans(steps: Sequence[Action]) -> Iterator[tuple[Action, ...]]:
    """Yield a plan without each one of its steps, then without each two that are neighbours."""
    for size in (1, 2):
        for start in range(len(steps) - size + 1):
            yield (*steps[:start], *steps[start + size :])


def _justification(question: Question, answer: str | None) -> str | Verdict:
    """Return a plan without its superfluous steps, or the verdict on an answer.

    The right answer is "None" if no step is superfluous.

    Args:
        question: The question.
        answer: The answer to judge; None to get the right one.
    """
    domain = question.task.start.layout.domain
    problem = problem_from(question.task.problem, question.state)

    def works(steps: Sequence[Action]) -> bool:
        """Return whether some steps lead to the goal."""
        return validate(domain, problem, steps).valid

    shorter_plans = _shorter_plans(question.steps)
    if answer is not None and not _claims_none(answer):
        return _judge_shorter_plan(question, answer, shorter_plans, works)
    # Validated one by one, up to the first that works.
    working_plan = next(filter(works, shorter_plans), None)
    if working_plan is None:
        return "None" if answer is None else True
    right_answer = _write(working_plan) or "[]"
    if answer is None:
        return right_answer
    return question.wrong(f"this is left and works: {right_answer}")


def _judge_shorter_plan(
    question: Question,
    answer: str,
    shorter_plans: Iterable[tuple[Action, ...]],
    works: Callable[[Sequence[Action]], bool],
) -> Verdict:
    """Return the verdict on an answer that names a shorter plan.

    Args:
        question: The question.
        answer: The answer.
        shorter_plans: The plan of the question without one step, or without two neighbours.
        works: Returns whether some steps lead to the goal.
    """
    steps = tuple(_read_names(answer))
    is_plan = bool(steps) or re.search(r"\[\s*\]", answer)  # [] is the empty plan
    if not is_plan or steps not in shorter_plans:
        return question.wrong("it is not the plan without one action, or two that are neighbours")
    if works(steps):
        return True
    return question.wrong("the plan that is left does not work")


def _claims_none(answer: str) -> bool:
    """Whether an answer says "none", and names nothing in brackets."""
    return re.search(r"\bnone\b", answer.lower()) is not None and not _read_names(answer)


def _judge_instance(
    question: Question,
    answer: str | None,
    schemas: Mapping[str, Predicate | Operator],
    has_property: Callable[[Action], Verdict],
) -> str | Verdict:
    """Return a fact or action with a property, or the verdict on an answer.

    Args:
        question: The question.
        answer: The answer; None asks for the right one (see :data:`KINDS`).
        schemas: The predicates or operators whose instances may be named.
        has_property: Whether an instance has the property that is asked for.
    """
    if answer is None or _claims_none(answer):
        return _first_instance(question, answer, schemas, has_property)
    # Brackets around the instance may be missing.
    instances = _read_names(answer) or _read_names(f"({answer})")
    if len(instances) != 1 or instances[0].name not in schemas:
        return question.wrong(f"the answer does not name one of {', '.join(sorted(schemas))}")
    (instance,) = instances
    ranges = question.ranges(schemas[instance.name])
    has_right_objects = len(instance.arguments) == len(ranges) and all(
        map(contains, ranges, instance.arguments)
    )
    if not has_right_objects:
        return question.wrong(f"{_write([instance])} does not have the right objects")
    return has_property(instance)


def _first_instance(
    question: Question,
    answer: str | None,
    schemas: Mapping[str, Predicate | Operator],
    has_property: Callable[[Action], Verdict],
) -> str | Verdict:
    """Return the first instance with a property, or the verdict on an answer "none".

    The verdict is None if the budget is used up before.

    Args:
        question: The question.
        answer: The answer "none"; None to get the right answer.
        schemas: The predicates or actions whose instances are tried.
        has_property: Returns whether an instance has the property.
    """
    for instance in _instances(question, schemas):
        verdict = has_property(instance)
        if verdict is None:
            return None
        if verdict:
            right = _write([instance])
            return right if answer is None else question.wrong(f"there is {right}")
    return "None" if answer is None else True


def _instances(question: Question, schemas: Mapping[str, Predicate | Operator]) -> Iterator[Action]:
    """Yield all well-typed instances of schemas, by name."""
    for name, schema in sorted(schemas.items()):
        for objects in product(*question.ranges(schema)):
            yield Action(name, objects)


def _fluents(question: Question) -> Mapping[str, Predicate]:
    """Return the predicates that actions change themselves: questions are about these."""
    domain = question.task.start.layout.domain
    changing = domain.fluents - domain.derived
    return {name: predicate for name, predicate in domain.predicates.items() if name in changing}


def _reachability(question: Question, answer: str | None) -> str | Verdict:
    """Return the right answer, or the verdict on one: a fact that never becomes true."""
    facts_now = _facts(question.state)

    def is_unreachable(fact: Action) -> Verdict:
        """Return whether a fact can never become true."""
        if fact in facts_now:
            return question.wrong("it holds now")
        return question.never(Atom(fact.name, fact.arguments))

    return _judge_instance(question, answer, _fluents(question), is_unreachable)


def _landmark(question: Question, answer: str | None) -> str | Verdict:
    """Return the right answer, or the verdict on one: a landmark of the goal.

    A fact landmark is true at some time of every plan (Hoffmann, Porteous, Sebastia 2004): the
    goal cannot be reached while it is barred.
    """
    # Facts of the start and of the goal are landmarks of every task, so they are no answers.
    facts_now = set(question.state.atoms())
    goal = set(conjuncts(question.task.problem.goal))

    def is_landmark(instance: Action) -> Verdict:
        """Return whether a fact is a landmark."""
        fact = Atom(instance.name, instance.arguments)
        if fact in facts_now:
            return question.wrong("it holds now")
        if fact in goal:
            return question.wrong("it is part of the goal")
        return question.never(barred=fact)

    return _judge_instance(question, answer, _fluents(question), is_landmark)


def _action_reachability(question: Question, answer: str | None) -> str | Verdict:
    """Return the right answer, or the verdict on one: an action that is never applicable."""
    operators = question.task.start.layout.domain.operators

    def is_unreachable(action: Action) -> Verdict:
        """Return whether an action can never be done."""
        operator = operators[action.name]
        # The action can be done if its precondition, with these objects, ever holds.
        names = [parameter.name for parameter in operator.parameters]
        binding = dict(zip(names, action.arguments, strict=True))
        return question.never(operator.precondition.substitute(binding))

    return _judge_instance(question, answer, operators, is_unreachable)


def _next_action(question: Question, answer: str | None) -> str | Verdict:
    """Return the right answer, or the verdict on one: the first action of a shortest plan.

    An action begins a shortest plan if and only if fewer steps are left behind it.

    Args:
        question: The question.
        answer: The answer to judge; None to get the right one.
    """
    candidates = applicable(question.task.world, question.state)
    if answer is not None:
        return _judge_next_action(question, answer, candidates)
    shortest = question.distance()
    if shortest is None:
        return None
    for action in candidates:
        steps_left = question.distance(question.after([action]))
        # Without this distance, a later action would not surely be the first right one.
        if steps_left is None:
            return None
        if steps_left < shortest:
            return _write([action])
    return None


def _judge_next_action(question: Question, answer: str, candidates: Sequence[Action]) -> Verdict:
    """Return the verdict on an answer that should name the first action of a shortest plan.

    The verdict is None if the length of a shortest plan could not be proved.

    Args:
        question: The question.
        answer: The answer.
        candidates: The actions that are applicable.
    """
    names = _read_names(answer)
    if len(names) != 1:
        return question.wrong("the answer does not name one action")
    shortest = question.distance()
    if shortest is None:
        return None
    action = names[0]
    if action not in candidates:
        return question.wrong("the action cannot be done")
    # The action begins a shortest plan if the distance to the goal becomes smaller.
    steps_left = question.distance(question.after([action]))
    if steps_left is None:
        return None
    if steps_left < shortest:
        return True
    outlook = f"{steps_left:g} steps are left"
    if steps_left == float("inf"):
        outlook = "there is no plan"
    return question.wrong(f"a shortest plan has {shortest:g} steps; after the action {outlook}")


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

# A kind's function has two uses, so that an answer is judged by the same code that makes the right
# one: without an answer it returns a text, with one a verdict.
_NEED_PLAN = ("validation", "justification", "landmark", "next_action")
"""Kinds of questions that are about plans from the state."""


def make_question(task: PddlTask, kind: str) -> Question:
    """Return a question about a state reached by random steps (see :class:`Asking`).

    Raises:
        NoQuestionError: If it would be about a plan, and there is none.
    """
    asking = task.asking
    random = Random(f"{task.id} {kind} {asking.seed}")  # noqa: S311 - nothing is secret
    question = Question(task, kind, KINDS[kind][0], task.start.copy())
    for _ in range(asking.steps):
        actions = applicable(task.world, question.state)
        if not actions:
            break  # a dead end
        state = question.after([random.choice(actions)])
        if state is not None:
            question = replace(question, state=state)
    plan_steps: list[Action] = []
    if kind in _NEED_PLAN:
        plan_steps = _some_plan(question)
    steps = _draw_steps(question, plan_steps, random)
    return replace(question, text=question.text.format(_write(steps)), steps=tuple(steps))


def _draw_steps(question: Question, plan_steps: list[Action], random: Random) -> list[Action]:
    """Return the steps that a question names: one action, or a slightly changed plan.

    Args:
        question: The question.
        plan_steps: The steps of a plan for its task.
        random: Source of randomness.
    """
    world = question.task.world
    if question.kind == "progression":
        actions = applicable(world, question.state)
        return random.sample(actions, min(1, len(actions)))
    if question.kind not in ("validation", "justification"):
        return []
    steps = list(plan_steps)
    position = random.randrange(len(steps) + 1)
    if question.kind == "validation":
        # A step that comes twice makes most plans fail.
        steps.insert(position, random.choice(steps))
        return steps
    # A step that may be superfluous.
    state = question.after(steps[:position])
    actions = applicable(world, state) if state is not None else []
    steps[position:position] = random.sample(actions, min(1, len(actions)))
    return steps


def _some_plan(question: Question) -> list[Action]:
    """Return the steps of any plan from the state of a question.

    Raises:
        NoQuestionError: If there is none, or it has no steps.
    """
    # A copy, so that the proofs of the answer have the whole budget.
    result = replace(question).search_plan()
    if result is None:
        raise NoQuestionError("no plan was found that the question could be about")
    if not result.solved:
        raise NoQuestionError("there is no plan that the question could be about")
    if not result.plan:
        raise NoQuestionError("the goal holds already, so there is nothing to ask")
    return list(result.plan)


def question_of(task: PddlTask, kind: str) -> Question | None:
    """Return the published question of a task, or one that is made for it.

    None if the published one is of another kind.

    Raises:
        NoQuestionError: If none can be made.
    """
    published = task.metadata.get("question")
    if not isinstance(published, dict):
        return make_question(task, kind)
    if published["kind"] != kind:
        return None
    # Published questions have the steps between quotation marks, mostly in brackets; some name
    # the one action in words.
    text = str(published.get("question", ""))
    quoted = text.partition('"')[2].rpartition('"')[0]
    steps = tuple(_read_names(quoted))
    if kind == "progression" and not steps:
        steps = _action_in_words(task, quoted)
    return Question(task, kind, text, task.start.copy(), steps, published.get("answer"))


def _action_in_words(task: PddlTask, text: str) -> tuple[Action, ...]:
    """Return the applicable action most similar to a text, or an empty tuple without any.

    Similarity compares first the objects, then the words of the action's name, and then the order
    of the objects.
    """
    words = re.findall(r"[\w-]+", text.lower())
    objects_in_text = task.vocabulary.objects.intersection(words)

    def similarity(action: Action) -> tuple[int, int, int]:
        """Return how similar the text is to an action; larger is more similar."""
        n_differing_objects = len(objects_in_text.symmetric_difference(action.arguments))
        name_parts = re.findall(r"[a-z]+", action.name)
        n_parts_in_text = 0
        for part in name_parts:
            # The first four letters are compared, so that "loading" has the part "load".
            if any(word.startswith(part[:4]) for word in words):
                n_parts_in_text += 1
        tenths_of_name = n_parts_in_text * 10 // max(len(name_parts), 1)
        word_indices = [words.index(name) for name in action.arguments if name in words]
        is_same_order = word_indices == sorted(word_indices)
        return -n_differing_objects, tenths_of_name, int(is_same_order)

    actions = applicable(task.world, task.start)
    if not actions:
        return ()
    return (max(actions, key=similarity),)


def evaluate(
    kind: str, task: Task, answer: str | None, semantics: Semantics | None = None
) -> Result:
    """Evaluate an answer to the question of a task. None stands for a missing answer.

    Args:
        kind: The kind of question.
        task: The task with the question.
        answer: The answer; None if it is missing.
        semantics: Budget and quirks; None for the defaults.
    """
    assert isinstance(task, PddlTask)  # noqa: S101 - the suite has no others
    try:
        question = question_of(task, kind)
    except NoQuestionError as error:
        return Result("excluded", notes=(str(error),))
    if question is None:
        return Result("excluded", notes=(f"the task asks no question about {kind}",))
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return Result("missing", findings=(finding,))
    if semantics is not None and semantics.budget != Budget():
        question = replace(question, budget=semantics.budget)
    # Under this quirk a proof is tried only if the published answer does not decide.
    if semantics is not None and "published_answer_first" in semantics:
        is_right = published_verdict(kind, question.published, _only_name(answer))
        if is_right is not None:
            notes = (f"by the published answer: {question.published}",)
            return Result("evaluated", success=is_right, executable=True, notes=notes)
    return _verdict(kind, question, answer)


def _only_name(answer: str) -> str:
    """Return the single fact or action in an answer, ``none``, or "" if there are several."""
    names = _read_names(answer)
    if not names and _claims_none(answer):
        return "none"
    return _write(names) if len(names) == 1 else ""


def _verdict(kind: str, question: Question, answer: str) -> Result:
    """Return the result of an answer by a proof, or else by the published answer.

    Args:
        kind: The kind of question.
        question: The question.
        answer: The answer.
    """
    try:
        is_right = KINDS[kind][1](question, answer)
    except InputError as error:  # a published question may name unknown objects
        return Result("excluded", notes=(f"the question does not fit this task: {error.what}",))
    notes: tuple[str, ...] = ()
    if question.published is not None:
        notes = (f"published answer: {question.published}",)
    if is_right is None:
        is_right = published_verdict(kind, question.published, _only_name(answer))
        if is_right is not None:
            notes = ("no proof within the budget: the published answer decides", *notes)
    if question.helped:
        notes = (f"proved with {' and '.join(sorted(question.helped))}", *notes)
    if is_right is False and question.why:
        notes = (f"wrong, since {question.why}", *notes)
    if is_right is None:
        return Result("excluded", notes=("unscorable: no proof within the budget", *notes))
    return Result("evaluated", success=bool(is_right), executable=True, notes=notes)


def prompt(kind: str, task: Task) -> str | None:
    """Return the prompt for the question of a task, or None if it is of another kind."""
    assert isinstance(task, PddlTask)  # noqa: S101 - the suite has no others
    try:
        question = question_of(task, kind)
    except NoQuestionError:
        return None
    if question is None:
        return None
    facts = [_fact_as_action(atom) for atom in stated_facts(question.state)]
    # Sorted, so that the order does not reveal how the state was reached.
    statement = f"Now these facts hold: {_write(sorted(facts, key=str))}"
    for term, value in question.state.numeric_facts():
        statement += f" (= {format_condition(term)} {format_number(value)})"
    return "\n\n".join((*map(str.strip, task.texts), statement, question.text))
