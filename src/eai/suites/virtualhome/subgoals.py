"""Subgoal decomposition in the VirtualHome world, under any set of the quirks."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from eai.abilities import (
    Branch,
    Names,
    listed_entries,
    unparseable,
)
from eai.diagnosis import Condition, ErrorKind, Finding, Result, Rules, condition_of
from eai.logic import ActionAtom, Atom, Formula, Not, atoms, evaluate as holds_on, format_formula
from eai.semantics import Semantics
from eai.simulators import Execution, VirtualHomeSimulator, object_class
from eai.suites.shared.subgoals import PublishedSubgoals
from eai.suites.virtualhome.executors import TESTS, HomeExecutorRules
from eai.suites.virtualhome.plans import simulator
from eai.suites.virtualhome.tasks import NO_GOAL
from eai.task import Task, Vocabulary
from eai.world import Action

# A name with a bracket behind it.
_CALLED = re.compile(r"\w\(")
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


def _has_call(line: str) -> bool:
    """Return whether a line matches the evaluator's pattern ``name(...)``."""
    # Two searches in place of one pattern, which would take quadratic time on "a(a(a(a(...".
    start = _CALLED.search(line)
    return start is not None and ")" in line[start.end() :]


class HomeSubgoals(PublishedSubgoals):
    """Reads, executes and scores subgoals in VirtualHome."""

    def simulator(self, task: Task) -> VirtualHomeSimulator:
        """Return the world under the semantics."""
        return simulator(self.semantics)

    def excluded(self, task: Task) -> str:
        """Return why a task is left out of the count; empty if it counts."""
        return NO_GOAL if task.goal.is_empty else ""

    def entries(self, answer: str) -> list[str] | Finding:
        """Return the subgoals in an answer. Entries that are not calls are dropped silently.

        Returns:
            The subgoals as calls; a finding if the answer has no list of entries.
        """
        entries = listed_entries(answer)
        if isinstance(entries, Finding):
            return entries
        calls = []
        for entry in entries:
            # Postures have no object, so models write "SLEEP" for "SLEEP()".
            call = f"{entry}()" if entry in _BARE else entry
            # The brackets of a call have to be on one line.
            if any(map(_has_call, call.split("\n"))):
                calls.append(call)
        return calls

    def vocabulary(self, task: Task) -> Vocabulary:
        """Return the names that subgoals may use, with the relevant objects of the scene first."""
        vocabulary = task.readable
        if not self.narrow:
            return vocabulary
        return replace(
            vocabulary,
            actions={name: vocabulary.actions[name] for name in _ACTIONS},
            predicates={name: vocabulary.predicates[name] for name in _PREDICATES},
        )

    def objection(self, formula: Formula, task: Task) -> Finding | None:
        """Return the evaluator's first error in a formula or the task's goal, or None."""
        vocabulary = self.vocabulary(task)
        names = {**vocabulary.actions, **vocabulary.predicates}
        if self.narrow:
            names = {name.upper(): arity for name, arity in names.items()}
        object_of = self._objects(vocabulary)
        finding = Names(names, object_of, fold=not self.narrow).check(formula)
        if finding is not None:
            return finding
        if "goal_in_subgoal_vocabulary" not in self.semantics or task.goal.formula is None:
            return None
        # The evaluator parses the goal by the vocabulary of subgoals, which has fewer actions.
        for atom in atoms(task.goal.formula):
            if isinstance(atom, ActionAtom) and atom.action not in vocabulary.actions:
                strange = f"{atom.action.upper()}, which is not an action of subgoals"
                return unparseable(f"the goal demands {strange}")
        return None

    def _objects(self, vocabulary: Vocabulary) -> Callable[[str], str | None]:
        """Return a function from a written object to its name, or None if unknown.

        If ids may be left out, a class means its first object.
        """
        numbered = {int(name.rpartition(".")[2]): name for name in vocabulary.objects}
        needs_id = "subgoal_ids_required" in self.semantics

        def object_of(term: str) -> str | None:
            """Return the object of ``cup.12``, or of ``cup`` where ids may be left out."""
            kind, _, number = term.rpartition(".")  # "cup.12" -> "cup", ".", "12"
            if kind:
                name = numbered.get(int(number), "")
                if object_class(name) != kind:
                    return None
                return name
            if term not in vocabulary.classes:
                return None
            if needs_id:
                return term  # no error yet: _Branches.follow says so of its subgoal
            return vocabulary.classes[term][0]

        return object_of

    def speller(self, task: Task) -> Callable[[Atom], Formula]:
        """Return a function that spells atoms as the world does.

        An object without an id may keep its class name.
        """
        vocabulary = self.vocabulary(task)
        object_of = self._objects(vocabulary)

        def spelled(atom: Atom) -> Formula:
            """Return an atom with the names of the task: a state, a relation, or an action."""
            name = atom.predicate.lower()
            terms = tuple(object_of(str(term)) or str(term) for term in atom.terms)
            if name in vocabulary.predicates:
                return Atom(name, terms)
            return ActionAtom(name, terms)

        return spelled

    def conditions(self, task: Task, execution: Execution) -> tuple[Condition, ...]:
        """Score the conditions of a goal under the quirks of the published evaluator."""
        if "action_goals_anywhere" not in self.semantics:
            return super().conditions(task, execution)
        trajectory = execution.trajectory
        conditions = []
        for kind, formula in task.goal.final[0]:
            conditions.append(condition_of(kind, formula, trajectory))
        # Actions may be done in any order, but no goal counts after one that was not done.
        has_missing_goal = False
        for goal in task.goal.actions:
            numbers = [step.number for step in trajectory.steps if step.action.name in goal.names]
            has_missing_goal = has_missing_goal or not numbers
            since = None if has_missing_goal else numbers[-1]
            conditions.append(Condition("action", str(goal), not has_missing_goal, since=since))
        return tuple(conditions)

    def follow(self, literals: tuple[Formula, ...], task: Task) -> Result | Finding:
        """Execute every combination of the action lists that literals stand for."""
        branches = _Branches(self.start(task), self.simulator(task).rules)
        for literal in literals:
            stop = branches.follow(literal)
            if stop is not None:
                return unparseable(stop)
        branch, holds = branches.best(task.goal.formula)
        met = holds if "success_by_formula" in self.semantics else None
        return self.result(branch, task, met=met, holds=holds)


def evaluate_subgoals(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to subgoal decomposition (see :class:`eai.contract.suite.Ability`)."""
    return HomeSubgoals(semantics).evaluate(task, answer)


MOST_BRANCHES = 1_000
"""Maximum number of branches followed at a time; the published evaluator follows all."""


class _Branches:
    """The alternative executions of an answer's subgoals.

    A literal splits each branch by its action lists.
    """

    def __init__(self, start: Branch, rules: Rules) -> None:
        self._rules = rules
        self.alive = [start]
        self.ended: list[Branch] = []

    def follow(self, literal: Formula) -> str | None:
        """Execute the action lists of a subgoal in every branch.

        Returns:
            Why the published evaluator cannot treat the subgoal, or crashes; None if it does not.
        """
        if not self.alive:
            return None
        text = format_formula(literal)
        if isinstance(literal, Not):
            return f"{text}: a negated subgoal has no actions"
        assert isinstance(literal, (Atom, ActionAtom))  # noqa: S101 - nothing else is a literal
        for term in map(str, literal.terms):
            if "." not in term:
                return f"{text}: {term} has no id"
        # Every branch is removed, and _split adds those that continue.
        before, self.alive = self.alive, []
        for branch in before:
            crash = self._split(branch, literal, text)
            if crash:
                return crash
        del self.alive[MOST_BRANCHES:]
        return None

    def _split(self, branch: Branch, literal: Atom | ActionAtom, text: str) -> str:
        """Continue a branch by each action list of a subgoal, and return a crash, or ""."""
        alternatives = action_lists(literal, branch.run.agent, _held_objects(branch, literal))
        if not alternatives:
            alternatives = [[]]  # the branch continues unchanged
        for index, actions in enumerate(alternatives):
            # The last alternative continues in the branch itself, which saves a copy.
            is_last = index == len(alternatives) - 1
            new_branch = branch if is_last else branch.copy()
            new_branch.take(actions, self._rules, subgoal=text)
            if new_branch.alive:
                self.alive.append(new_branch)
                continue
            crash = self._crash(new_branch)
            if crash:
                return crash
            self.ended.append(new_branch)
        return ""

    def _crash(self, branch: Branch) -> str:
        """Return the message if the evaluator crashes at the end of a branch, or "".

        It crashes at a failure of no category, and at a precondition that is not recorded.
        """
        action, finding, run = branch.actions[-1], branch.findings[-1], branch.run
        if finding.kind is ErrorKind.UNSCORABLE:
            return finding.message
        if finding.kind is ErrorKind.MISSING_STEP and isinstance(self._rules, HomeExecutorRules):
            failed = run.world.first_failure(run.state, action.name, run.numbers(action))
            if not TESTS[action.name][failed].recorded:
                return finding.message
        return ""

    def best(self, formula: Formula | None) -> tuple[Branch, bool]:
        """Return the branch to report, and whether the goal formula holds on it.

        Of the branches that solve the task, one with the fewest errors is reported; else one with
        the fewest errors and, among these, the most steps.
        """
        solved = []
        if formula is not None:
            solved = [branch for branch in self.alive if holds_on(formula, branch.run.trajectory)]
        if solved:
            return min(solved, key=lambda branch: len(branch.findings)), True

        def rank(branch: Branch) -> tuple[int, int]:
            """Return what branches are chosen by: few findings, then many steps."""
            return len(branch.findings), -len(branch.run.steps)

        # A branch that ended early is reported only if none went on to the end.
        return min(self.alive or self.ended, key=rank), False


def _held_objects(branch: Branch, literal: Atom | ActionAtom) -> list[str]:
    """Return the objects of a literal that the agent holds at the end of a branch."""
    run = branch.run

    def is_held(name: str) -> bool:
        """Return whether the agent holds an object in either hand."""
        return any(run.state.holds(hand, (run.agent, name)) for hand in _HANDS)

    return list(filter(is_held, map(str, literal.terms)))


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
_HANDS = ("holds_rh", "holds_lh")
_HELD_FIRST = frozenset({"drink", "eat", "read"})
_FACED_FIRST = frozenset({"lookat", "watch"})


def action_lists(literal: Atom | ActionAtom, agent: str, held: Collection[str]) -> _Lists:
    """Return the alternative action lists for a literal, in the order of trial."""
    terms = tuple(map(str, literal.terms))
    if isinstance(literal, ActionAtom):
        return [[*_preparation(literal.action, terms, held), Action(literal.action, terms)]]
    predicate, name = literal.predicate, terms[0]
    # A state of one object: find it, and use an action that achieves the state.
    if len(terms) == 1:
        return [[_do("find", name), _do(verb, name)] for verb in _ACHIEVERS.get(predicate, ())]
    # All other literals are relations between two objects.
    target = terms[1]
    if predicate in ("ontop", "inside"):
        return _placements(predicate, name, target, agent, held)
    if predicate == "next_to" and name == agent:
        return [[_do("find", target)]]
    if predicate == "facing":
        return [_face(target)]
    if predicate in _HANDS:
        return [_take(target)]
    return []


def _preparation(action: str, terms: Sequence[str], held: Collection[str]) -> list[Action]:
    """Return the actions that a demanded action needs before it."""
    if action in _HELD_FIRST and terms[0] not in held:
        return _take(terms[0])
    if action in _FACED_FIRST:
        return _face(terms[0])
    return [_do("find", term) for term in terms]


def _placements(relation: str, name: str, target: str, agent: str, held: Collection[str]) -> _Lists:
    """Return the alternative action lists that bring about ``relation(name, target)``.

    Args:
        relation: ``"inside"`` or ``"ontop"``.
        name: The object that is put, or the agent, who walks or sits down.
        target: The other object.
        agent: Name of the agent.
        held: The objects in the agent's hands.
    """
    if name == agent:
        if relation == "inside":
            return [[_do("walk", target)]]
        return [[_do("find", target), _do(verb, target)] for verb in ("sit", "lie")]
    if target == agent and relation == "ontop":
        return [[_do("puton", name)]]  # to wear it
    first_actions: list[Action] = []
    if name not in held:
        first_actions = _take(name)
    verbs = ("putback",) if relation == "ontop" else ("putin", "pour")
    return [[*first_actions, _do("find", target), _do(verb, name, target)] for verb in verbs]


def _take(x: str) -> list[Action]:
    """Return the actions that take an object."""
    return [_do("find", x), _do("grab", x)]


def _face(x: str) -> list[Action]:
    """Return the actions that turn to an object."""
    return [_do("find", x), _do("turnto", x)]


def _do(name: str, *terms: str) -> Action:
    """Return an action."""
    return Action(name, terms)
