"""Ways through the subgoals of an answer: what is executed for them, and which way counts.

Some subgoals ask for an action. It holds at the position from which it is taken (paper, section
2.2): to reach such a subgoal, a state has to be reached in which the action can be taken and the
rest of the subgoal holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product
from math import prod

from eai.abilities.subgoals.achievers import obstacles
from eai.abilities.subgoals.binding import Subgoal
from eai.abilities.subgoals.width import NoWay, find_way
from eai.budget import Budget, Meter
from eai.diagnosis import ErrorKind, Finding, Result, Rules, Run, runtime_finding
from eai.errors import InputError
from eai.logic import (
    FALSE,
    ActionAtom,
    Formula,
    Quantifier,
    Variable,
    atoms,
    format_formula,
    objects_of,
    truth,
)
from eai.planning import relevant
from eai.simulators import Execution
from eai.world import Action, State, Step, Trajectory


@dataclass
class Branch:
    """One way through the subgoals."""

    run: Run  # what was executed
    actions: list[Action] = field(default_factory=list)  # refused ones included
    outcomes: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def alive(self) -> bool:
        """Whether no step has failed."""
        return "failed" not in self.outcomes[-1:]

    @property
    def execution(self) -> Execution:
        """The branch as an execution of its actions."""
        return Execution(self.run.trajectory, tuple(self.outcomes), tuple(self.findings))

    def copy(self) -> Branch:
        """A branch that can go on by itself."""
        run = Run(self.run.world, self.run.start, self.run.agent, demanded=self.run.demanded)
        run.state, run.steps = self.run.state.copy(), self.run.steps[:]
        return Branch(run, self.actions[:], self.outcomes[:], self.findings[:])

    def take(self, actions: Sequence[Action], rules: Rules, *, subgoal: str) -> None:
        """Execute actions for a subgoal, up to the first that fails."""
        for action in actions:
            outcome, finding = rules.take(self.run, action, len(self.actions) + 1)
            self.actions.append(action)
            self.outcomes.append(outcome)
            if finding is not None:
                self.findings.append(replace(finding, subgoal=subgoal))
            if outcome == "failed":
                return


ENDS = 10
"""So many ways through all subgoals are followed to their end, or to where they stop."""
_BOUND_ENDS = 2
"""Of these so many may end at a bound."""
_OTHERS = 2
"""When the instances of the budget divided by this were looked at, and one way was followed, no
others are looked for."""


@dataclass(frozen=True)
class Pursuit:
    """One way through the subgoals, as far as it goes."""

    branch: Branch
    reached: int = 0  # how many subgoals were reached
    stopped: Finding | None = None  # what keeps the next one from being reached, if that is known
    bound: str = ""  # the bound that ended the search; empty if none did

    @property
    def ended(self) -> bool:
        """Whether it does not go on."""
        return self.stopped is not None or bool(self.bound)


def pursue(
    start: Branch, subgoals: Sequence[Subgoal], rules: Rules, *, meter: Meter
) -> Iterator[Pursuit]:
    """Yield ways through subgoals, up to :data:`ENDS` of them, the likeliest first."""
    search, whole = _Search(rules, meter), meter.budget.instances
    levels = [iter([Pursuit(start)])]
    left = ENDS
    while levels and left > 0:
        pursuit = next(levels[-1], None)
        if pursuit is None:
            levels.pop()
        elif pursuit.ended or len(levels) > len(subgoals):
            yield pursuit
            if whole is not None:
                instances = min(whole, max(whole // _OTHERS, meter.instances))
                meter.budget = replace(meter.budget, instances=instances)
            left -= ENDS if _hopeless(pursuit) else ENDS // _BOUND_ENDS if pursuit.bound else 1
        else:
            levels.append(search.followed(pursuit, subgoals[len(levels) - 1]))


class _Search:
    """Realises subgoals, one after the other."""

    def __init__(self, rules: Rules, meter: Meter) -> None:
        self._rules = rules
        self._meter = meter
        # Conditions for which a search has ended at a bound: no other goes as far.
        self._far: set[Formula] = set()

    def followed(self, pursuit: Pursuit, subgoal: Subgoal) -> Iterator[Pursuit]:
        """The ways to go on to a subgoal; if none reaches it, the one that comes closest."""
        failed: list[Pursuit] = []
        found = False
        for way in subgoal.ways:
            for result in self._along(pursuit, way, subgoal.text):
                if result.ended:
                    failed.append(result)
                else:
                    found = True
                    yield replace(result, reached=pursuit.reached + 1)
        if not found:
            yield max(
                failed, key=lambda result: (not _hopeless(result), len(result.branch.actions))
            )

    def _along(self, pursuit: Pursuit, way: Sequence[Formula], text: str) -> Iterator[Pursuit]:
        if not way:
            yield pursuit
            return
        for result in self._realised(pursuit, way[0], text):
            if result.ended:
                yield result
            else:
                yield from self._along(result, way[1:], text)

    def _realised(self, pursuit: Pursuit, condition: Formula, text: str) -> Iterator[Pursuit]:
        """The ways to reach one condition: shortest ones that differ in their last action."""
        branch, trajectory = pursuit.branch, pursuit.branch.run.trajectory
        # A condition is looked at once here, and at every position where it may have held.
        positions = 1 + trajectory.length
        self._meter.count_instances(positions * instances(condition, branch.run))
        if is_met(condition, branch.run):
            if trajectory.condition(condition).bit_count() == trajectory.length:
                message = f"{text}: it holds from the start"
                branch = branch.copy()
                branch.findings.append(Finding(ErrorKind.ADDITIONAL_STEP, message, action=text))
            yield replace(pursuit, branch=branch)
            return
        try:
            yield from self._sought(pursuit, condition, text)
        except InputError as error:
            message = f"{text}: {error.what}"
            stopped = Finding(ErrorKind.AFFORDANCE, message, action=text)
            yield replace(pursuit, stopped=stopped)

    def _sought(self, pursuit: Pursuit, condition: Formula, text: str) -> Iterator[Pursuit]:
        run = pursuit.branch.run
        names = relevant(run.world, enabling(condition, run)).operators
        seen: list[State] = []
        actions: int | None = None
        while True:
            result, final = self._reached(
                pursuit, condition, text, names=names, actions=actions, another=bool(seen)
            )
            if result.ended and seen:
                return
            state = result.branch.run.state
            known = any(not state.changes_to(other) for other in seen)
            # It leads to another state, or ends with an action that the goal demands.
            if result.ended or final in run.demanded or not known:
                yield result
            if result.ended or not final:
                return
            seen.append(state)
            names = tuple(name for name in names if name != final)
            actions = len(result.branch.actions) - len(pursuit.branch.actions)

    def _reached(
        self,
        pursuit: Pursuit,
        condition: Formula,
        text: str,
        *,
        names: tuple[str, ...],
        actions: int | None,
        another: bool,
    ) -> tuple[Pursuit, str]:
        """Go on to a condition by a shortest way; with the name of the action that reached it.

        Raises:
            InputError: If no single action can make the condition true.
        """
        branch, run = pursuit.branch, pursuit.branch.run
        target = enabling(condition, run)
        blocked = partial(obstacles, run.world, agent=run.agent, operators=names, meter=self._meter)
        found = find_way(
            run.world,
            run.state,
            target,
            agent=run.agent,
            operators=names,
            meter=self._meter,
            blocked=partial(blocked, run.state, target),
            actions=actions,
            quick=another or condition in self._far,
        )
        if isinstance(found, NoWay) and found.bound:
            if not another:
                self._far.add(condition)
            return replace(pursuit, bound=found.bound), ""
        if isinstance(found, NoWay):
            always = blocked(run.start, target) if found.kept else ()
            if always:
                return replace(pursuit, stopped=_stopped(always, target, text)), ""
            held = run.trajectory.condition(condition)
            kind = ErrorKind.WRONG_ORDER if held else ErrorKind.MISSING_STEP
            steps = len(branch.actions)
            stopped = runtime_finding(run, Action(text), steps, kind, [condition])
            return replace(pursuit, stopped=stopped), ""
        following = branch.copy()
        following.take(found.plan, self._rules, subgoal=text)
        act = last_action(condition, following.run, self._meter)
        following.take([act] if act else [], self._rules, subgoal=text)
        final = found.plan[-1].name if found.plan and act is None else ""
        return replace(pursuit, branch=following), final


def _hopeless(pursuit: Pursuit) -> bool:
    """Whether no other way to the subgoal that it ends at can help."""
    return pursuit.stopped is not None and pursuit.stopped.kind is ErrorKind.AFFORDANCE


def _stopped(kept: Sequence[Formula], target: Formula, text: str) -> Finding:
    """Nothing ever reaches a subgoal; what is about its own objects explains most."""
    about = objects_of(target)
    ranked = sorted(kept, key=lambda each: about.isdisjoint(objects_of(each)))
    texts = tuple(map(format_formula, ranked))
    message = f"{text}: no action can reach it, because {texts[0]} never holds"
    return Finding(ErrorKind.AFFORDANCE, message, action=text, conditions=texts)


MOST_CHOICES = 64
"""So many combinations of alternatives are looked at."""


def best_result(results: Iterable[Result]) -> Result:
    """The first success, else the result with the most conditions met (paper, section 2.4).

    There is at least one; no more of them are asked for after a success.
    """
    best: Result | None = None
    for result in results:
        if best is None or _rank(result) > _rank(best):
            best = result
        if best.success:
            break
    assert best is not None  # noqa: S101 - see above
    return best


def _rank(result: Result) -> tuple[bool, bool, int]:
    met = sum(goal.met for goal in result.goals)
    return result.success, result.executable, met


def pieces(entries: Sequence[str], *, first_only: bool) -> list[tuple[str, ...]]:
    """Cut subgoals at every ``or``, whatever the parentheses, and combine the pieces."""
    cut = [entry.split(" or ") for entry in entries]
    if first_only:
        cut = [each[:1] for each in cut]
    return list(islice(product(*cut), MOST_CHOICES))


def demands_action(condition: Formula) -> bool:
    """Whether an action occurs in a condition."""
    return any(isinstance(each, ActionAtom) for each in atoms(condition))


def enabling(condition: Formula, run: Run) -> Formula:
    """The condition with each action replaced by its precondition.

    It holds wherever one step can make the condition true; it may hold elsewhere, too, if the
    condition asks for several actions at once.

    Raises:
        InputError: If an action stands below something else than ``and``, ``or``, ``not``,
            ``implies``, ``exists`` or ``forall``.
    """
    return _enabling(condition, run, wanted=True)


def _enabling(formula: Formula, run: Run, *, wanted: bool) -> Formula:
    if isinstance(formula, ActionAtom):
        return _precondition(formula, run) if wanted else FALSE
    if not demands_action(formula):
        return formula
    signed = formula.split(True)
    if signed is None and not isinstance(formula, Quantifier):
        raise InputError("an action stands where the search does not support one")
    # A quantifier wants of its body what is wanted of itself.
    parts = ((formula.operands[0], True),) if signed is None else signed.parts
    return formula.rebuild(_enabling(part, run, wanted=wanted is value) for part, value in parts)


def _precondition(atom: ActionAtom, run: Run) -> Formula:
    operator = run.world.operator(atom.action).operator
    names = (parameter.name for parameter in operator.parameters)
    binding = dict(zip(names, (run.agent, *atom.terms), strict=True))
    inner = {v.name for node in operator.precondition.walk() for v in node.variables}
    free = {term.name for term in atom.terms if isinstance(term, Variable)}
    if inner & free:
        raise InputError(
            f"the variable {min(inner & free)!r} has the name of a variable of the operator"
        )
    return operator.precondition.substitute(binding)


def is_met(condition: Formula, run: Run) -> bool:
    """Whether a condition holds now, without an action."""
    if not demands_action(condition):
        return run.world.holds(run.state, condition)
    return bool(truth(condition, Trajectory(run.world, run.state, (), run.state)))


def instances(condition: Formula, run: Run) -> int:
    """Count the atoms that testing a condition looks at, if it has to look at all of them."""
    universe = run.state.universe
    if not demands_action(condition):
        return run.world.instances(condition, universe)
    # An action is no predicate of the world: every combination of objects is looked at.
    sizes = [universe.mask(v.types).bit_count() for v in condition.variables]
    return prod(sizes) * (sum([instances(part, run) for part in condition.operands]) or 1)


def last_action(condition: Formula, run: Run, meter: Meter | None = None) -> Action | None:
    """The action that makes a condition true that is enabled now; None if it needs none.

    Raises:
        InputError: If no single action does, because the condition asks for several at once.
    """
    meter = meter or Budget.unlimited().meter()
    cost = instances(condition, run)
    meter.count_instances(cost)
    if is_met(condition, run):
        return None
    universe = run.state.universe
    for atom in (each for each in atoms(condition) if isinstance(each, ActionAtom)):
        parameters = run.world.operator(atom.action).operator.parameters[1:]
        choices = [
            universe.of_types(parameter.types) if isinstance(term, Variable) else (term,)
            for term, parameter in zip(atom.terms, parameters, strict=True)
        ]
        for terms in product(*choices):
            meter.count_instances()
            action = Action(atom.action, terms)
            if run.world.first_failure(run.state, action.name, run.numbers(action)) >= 0:
                continue
            meter.count_instances(cost)
            step = Trajectory(run.world, run.state, (Step(action, 1, []),), run.state)
            if truth(condition, step) & 1:
                return action
    raise InputError("it asks for several actions at once")
