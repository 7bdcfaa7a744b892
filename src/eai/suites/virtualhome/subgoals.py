"""Subgoal decomposition in the VirtualHome world, under any set of the quirks.

The published evaluator puts a fixed list of actions in place of every literal; otherwise actions
that reach a subgoal are searched in the world.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from eai.abilities.action_sequencing import unread
from eai.abilities.subgoal_decomposition import evaluate_bound_subgoals
from eai.abilities.subgoals import bind_subgoals
from eai.abilities.subgoals.choice import best_result, pieces
from eai.abilities.subgoals.literals import Names, flattened, listed_entries, parsed, unparseable
from eai.abilities.subgoals.reader import SubgoalReading, read_subgoals, reading_of
from eai.abilities.subgoals.search import Branch
from eai.answers import BoundPlan
from eai.diagnosis.goals import condition_of, goal_conditions, unmet_goals
from eai.diagnosis.result import Condition, Finding, Result
from eai.diagnosis.runtime import Rules, Run
from eai.diagnosis.taxonomy import ErrorKind
from eai.logic import evaluate, format_formula
from eai.logic.formula import ActionAtom, Atom, Formula, Not, atoms
from eai.semantics import Semantics
from eai.simulators.virtualhome import object_class
from eai.suites.virtualhome.executors import TESTS, ExecutorRules
from eai.suites.virtualhome.plans import simulator
from eai.task import Task, Vocabulary
from eai.world.action import Action
from eai.world.trajectory import Trajectory

__all__ = [
    "MOST_BRANCHES",
    "Branches",
    "Holds",
    "UnparseableError",
    "action_lists",
    "evaluate_subgoals",
    "official_entries",
    "official_literals",
    "subgoal_vocabulary",
]

_CALL = re.compile(r"\w+\(.*?\)")


_BARE = frozenset({"SLEEP", "WAKEUP", "STANDUP"})


_ACTIONS = re.findall(
    r"\w+",
    "drink eat cut touch lookat watch read type push pull move squeeze sleep wakeup rinse scrub "
    "wash wipe grab switchoff",
)


_PREDICATES = re.findall(
    r"\w+",
    "grabbable cuttable can_open readable has_paper movable pourable cream has_switch lookable "
    "has_plug drinkable body_part recipient containers cover_object surfaces sittable lieable "
    "person hangable clothes eatable closed open on off sitting dirty clean lying plugged_in "
    "plugged_out ontop inside between next_to facing holds_rh holds_lh",
)


def subgoal_vocabulary(task: Task, semantics: Semantics) -> Vocabulary:
    """The names that subgoals may use, over all objects of the scene, relevant ones first."""
    known = task.vocabulary
    predicates, actions = known.predicates, known.actions
    if "subgoal_vocabulary" in semantics:
        predicates = {name: predicates[name] for name in _PREDICATES}
        actions = {name: actions[name] for name in _ACTIONS}
    classes = dict(known.classes)
    for name in task.start.universe.names:
        if name not in known.objects:
            kind = object_class(name)
            classes[kind] = (*classes.get(kind, ()), name)
    return Vocabulary(actions, predicates, frozenset(task.start.universe.names), classes)


def official_entries(answer: str) -> list[str] | Finding:
    """Take the subgoals out of an answer; a finding if the published evaluator cannot."""
    entries = listed_entries(answer)
    if isinstance(entries, Finding):
        return entries
    called = [f"{entry}()" if entry in _BARE else entry for entry in entries]
    return [entry for entry in called if _CALL.search(entry)]


def official_literals(
    entries: Iterable[str], task: Task, semantics: Semantics
) -> tuple[Formula, ...] | Finding:
    """Parse subgoals and take their literals in reading order.

    Args:
        entries: The subgoals, one text each.
        task: The task.
        semantics: Which quirks are on.

    Returns:
        Atoms, actions, and negated ones; an object without id keeps its class name if the
        semantics does not read it. Or what is wrong.
    """
    formula = parsed(entries)
    if isinstance(formula, Finding):
        return formula
    vocabulary = subgoal_vocabulary(task, semantics)
    names = _names(vocabulary, semantics)
    found = names.check(formula) or _goal_outside(task, vocabulary, semantics)
    literals = flattened(formula) if found is None else found
    if isinstance(literals, Finding):
        return literals
    return tuple(_spelled(literal, vocabulary, names) for literal in literals)


def _names(vocabulary: Vocabulary, semantics: Semantics) -> Names:
    arities = {**vocabulary.actions, **vocabulary.predicates}
    upper = "subgoal_vocabulary" in semantics
    numbered = {int(name.rpartition(".")[2]): name for name in vocabulary.objects}
    ids = "subgoal_ids_required" in semantics

    def object_of(term: str) -> str | None:
        kind, _, number = term.rpartition(".")
        if kind:
            name = numbered.get(int(number), "")
            return name if object_class(name) == kind else None
        if term not in vocabulary.classes:
            return None
        return term if ids else vocabulary.classes[term][0]

    return Names(
        {name.upper() if upper else name: arity for name, arity in arities.items()},
        object_of,
        fold=not upper,
    )


def _spelled(literal: Formula, vocabulary: Vocabulary, names: Names) -> Formula:
    """A literal in the spelling of the world."""
    if isinstance(literal, Not):
        return Not(_spelled(literal.operand, vocabulary, names))
    assert isinstance(literal, Atom)  # noqa: S101 - only literals are read
    name = literal.predicate.lower()
    terms = tuple(names.object_of(str(term)) or str(term) for term in literal.terms)
    return Atom(name, terms) if name in vocabulary.predicates else ActionAtom(name, terms)


def _goal_outside(task: Task, known: Vocabulary, semantics: Semantics) -> Finding | None:
    if "goal_in_subgoal_vocabulary" not in semantics or task.goal.formula is None:
        return None
    for atom in atoms(task.goal.formula):
        if isinstance(atom, ActionAtom) and atom.action not in known.actions:
            name = atom.action.upper()
            return unparseable(f"the goal demands {name}, which is no action of subgoals")
    return None


Holds = Callable[[str], bool]


"""Whether the character holds an object."""


_Lists = list[list[Action]]


_ACHIEVERS = {
    "closed": ("close",),
    "open": ("open",),
    "on": ("switchon",),
    "off": ("switchoff",),
    "clean": ("wipe", "wash"),
    "plugged_in": ("plugin",),
    "plugged_out": ("plugout",),
}


"""State to the actions that bring it about, one list of actions for each."""


_HELD_FIRST = frozenset({"drink", "eat", "read"})


_FACED_FIRST = frozenset({"lookat", "watch"})


def action_lists(literal: Atom | ActionAtom, agent: str, holds: Holds) -> _Lists:
    """Return the lists of actions for a literal, in the order in which they are tried.

    Args:
        literal: A ground atom or action.
        agent: The character.
        holds: Whether an object is in one of its hands now.
    """
    terms = tuple(map(str, literal.terms))
    if isinstance(literal, ActionAtom):
        return [_for_action(literal.action, terms, holds)]
    if len(terms) == 1:
        find = _do("find", terms[0])
        return [[find, _do(name, terms[0])] for name in _ACHIEVERS.get(literal.predicate, ())]
    return _for_relation(literal.predicate, terms[0], terms[1], agent, holds)


def _for_action(name: str, terms: tuple[str, ...], holds: Holds) -> list[Action]:
    act = Action(name, terms)
    if name in _HELD_FIRST and not holds(terms[0]):
        return [*_take(terms[0]), act]
    if name in _FACED_FIRST:
        return [*_face(terms[0]), act]
    return [*(_do("find", term) for term in terms), act]


def _for_relation(relation: str, x: str, y: str, agent: str, holds: Holds) -> _Lists:
    if relation in ("ontop", "inside"):
        return _for_place(relation, x, y, agent, holds)
    if relation == "next_to":
        return [[_do("find", y)]] if x == agent else []
    if relation == "facing":
        return [_face(y)]
    return [_take(y)] if relation in ("holds_rh", "holds_lh") else []


def _for_place(relation: str, x: str, y: str, agent: str, holds: Holds) -> _Lists:
    if x == agent and relation == "inside":
        return [[_do("walk", y)]]
    if x == agent:
        return [[_do("find", y), _do(name, y)] for name in ("sit", "lie")]
    if y == agent and relation == "ontop":
        return [[_do("puton", x)]]
    begin = [] if holds(x) else _take(x)
    endings = ("putback",) if relation == "ontop" else ("putin", "pour")
    return [[*begin, _do("find", y), _do(name, x, y)] for name in endings]


def _take(x: str) -> list[Action]:
    return [_do("find", x), _do("grab", x)]


def _face(x: str) -> list[Action]:
    return [_do("find", x), _do("turnto", x)]


def _do(name: str, *terms: str) -> Action:
    return Action(name, terms)


MOST_BRANCHES = 1_000


"""So many branches are followed at a time; the published evaluator follows all."""


class UnparseableError(Exception):
    """The published evaluator would stop with an exception and call the answer unparseable."""


class Branches:
    """All ways through the subgoals of an answer.

    Args:
        start: The branch that nothing was done in.
        rules: How steps are evaluated.
        task: The task.

    Attributes:
        ended: Branches that ended early, in the order in which they did.
        alive: Branches that go on.
        cut: Whether there were too many branches.
    """

    def __init__(self, start: Run, rules: Rules, task: Task) -> None:
        self._rules = rules
        self._task = task
        self.alive = [Branch(start)]
        self.ended: list[Branch] = []
        self.cut = False

    def follow(self, literal: Formula) -> None:
        """Execute what a subgoal stands for in every branch.

        Raises:
            UnparseableError: If the published evaluator cannot treat the subgoal, or crashes.
        """
        text = format_formula(literal)
        before, self.alive = self.alive, []
        for branch in before:
            lists = _lists(literal, branch, self._task.agent)
            for number, actions in enumerate(lists or [[]], start=1):
                following = branch if number == len(lists or [[]]) else branch.copy()
                following.take(actions, self._rules, subgoal=text)
                if not following.alive:
                    _check_category(following, self._rules)
                (self.alive if following.alive else self.ended).append(following)
        if len(self.alive) > MOST_BRANCHES:
            self.cut = True
            del self.alive[MOST_BRANCHES:]

    def best(self) -> tuple[Branch, bool]:
        """The branch that is reported, and whether the goal formula holds on it."""
        formula = self._task.goal.formula
        solved = [
            branch
            for branch in self.alive
            if formula is not None and evaluate(formula, branch.run.trajectory)
        ]
        if solved:
            return min(solved, key=lambda branch: len(branch.findings)), True
        return min(
            self.alive or self.ended,
            key=lambda branch: (len(branch.findings), -len(branch.run.steps)),
        ), False


def _check_category(branch: Branch, rules: Rules) -> None:
    """A failure of no category, or for a precondition that is not recorded, is a crash."""
    action, finding, run = branch.actions[-1], branch.findings[-1], branch.run
    if finding.kind is ErrorKind.UNSCORABLE:
        raise UnparseableError(finding.message)
    if finding.kind is ErrorKind.MISSING_STEP and isinstance(rules, ExecutorRules):
        failed = run.world.first_failure(run.state, action.name, run.numbers(action))
        if not TESTS[action.name][failed].recorded:
            raise UnparseableError(finding.message)


def _lists(literal: Formula, branch: Branch, agent: str) -> list[list[Action]]:
    if isinstance(literal, Not):
        raise UnparseableError(f"{format_formula(literal)}: a negated subgoal has no actions")
    assert isinstance(literal, (Atom, ActionAtom))  # noqa: S101 - nothing else is a literal
    bare = next((term for term in map(str, literal.terms) if "." not in term), None)
    if bare is not None:
        raise UnparseableError(f"{format_formula(literal)}: {bare} has no id")
    state = branch.run.state

    def holds(what: str) -> bool:
        return any(state.holds(hand, (agent, what)) for hand in ("holds_rh", "holds_lh"))

    return action_lists(literal, agent, holds)


def evaluate_subgoals(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to subgoal decomposition (see :class:`eai.contract.Ability`)."""
    if not task.goal.actions and not any(task.goal.final):
        return Result("excluded", notes=("the task has no goal and is left out",))
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return replace(_grammar(finding, task), status="missing")
    reading = _read(answer, semantics)
    if "subgoal_templates" not in semantics:
        bound = bind_subgoals(reading, subgoal_vocabulary(task, semantics))
        return evaluate_bound_subgoals(bound, task, simulator(semantics), budget=semantics.budget)
    if reading.problems:
        return _grammar(Finding(ErrorKind.PARSING, reading.problems[0].message), task)
    entries = [subgoal.text for subgoal in reading.subgoals]
    drawn = "subgoal_alternative_drawn" in semantics
    choices = pieces(entries, first_only=drawn)
    return best_result(_expanded(choice, task, semantics) for choice in choices)


def _read(answer: str, semantics: Semantics) -> SubgoalReading:
    if "subgoal_pattern_reader" not in semantics:
        return read_subgoals(answer)
    return reading_of(official_entries(answer))


def _expanded(entries: tuple[str, ...], task: Task, semantics: Semantics) -> Result:
    """The result on subgoals that are expanded by templates."""
    literals = official_literals(entries, task, semantics)
    if isinstance(literals, Finding):
        return _grammar(literals, task)
    world = simulator(semantics)
    demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
    start = Run(world.world, task.start, task.agent, demanded=demanded)
    branches = Branches(start, world.rules, task)
    try:
        for literal in literals:
            branches.follow(literal)
    except UnparseableError as error:
        return _grammar(Finding(ErrorKind.PARSING, str(error)), task)
    branch, holds = branches.best()
    return _evaluated(branch, task, semantics, holds=holds)


def _evaluated(branch: Branch, task: Task, semantics: Semantics, *, holds: bool) -> Result:
    trajectory = branch.run.trajectory
    goals = _conditions(task, trajectory, semantics)
    met = holds if "success_by_formula" in semantics else all(goal.met for goal in goals)
    return Result(
        "evaluated",
        success=met and branch.alive,
        executable=branch.alive,
        plan=tuple(map(str, branch.actions)),
        executed=tuple(branch.outcomes),
        findings=(
            *_counted(branch, semantics, solved=met),
            *unmet_goals(goals, trajectory),
        ),
        goals=goals,
        formula=task.goal.text,
        formula_holds=holds,
    )


def _counted(branch: Branch, semantics: Semantics, *, solved: bool) -> tuple[Finding, ...]:
    if "additional_uncounted_if_unsolved" not in semantics or solved or not branch.alive:
        return tuple(branch.findings)
    return tuple(replace(finding, times=0) for finding in branch.findings)


def _conditions(task: Task, trajectory: Trajectory, semantics: Semantics) -> tuple[Condition, ...]:
    if "action_goals_anywhere" not in semantics:
        return goal_conditions(task.goal, trajectory)
    final = (condition_of(kind, formula, trajectory) for kind, formula in task.goal.final[0])
    conditions, broken = list(final), False
    for goal in task.goal.actions:
        done = [step.number for step in trajectory.steps if step.action.name in goal.names]
        broken = broken or not done
        since = None if broken else done[-1]
        conditions.append(Condition("action", str(goal), not broken, since=since))
    return tuple(conditions)


def _grammar(finding: Finding, task: Task) -> Result:
    return unread(BoundPlan((), (finding,), ()), task)
