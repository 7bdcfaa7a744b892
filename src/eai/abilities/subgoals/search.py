"""Ways through the subgoals of an answer: actions are searched for each, and the best way counts.

Idea: depth-first search over the alternatives of each subgoal and over the shortest ways to reach
it that differ in their last action. A way is executed as it is found, so that a later subgoal is
searched from the state that earlier ones led to. At most :data:`ENDS` ways are continuations.

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
    And,
    Formula,
    Quantifier,
    Variable,
    atoms,
    conjuncts,
    format_formula,
    objects_of,
    truth,
)
from eai.planning import relevant
from eai.simulators import Execution
from eai.world import Action, State, Step, Trajectory


@dataclass
class Branch:
    """The execution of one way through the subgoals.

    Args:
        run: The run.
        actions: The actions that were tried, refused ones included.
        outcomes: The outcome of each action.
        findings: The errors.
    """

    run: Run
    actions: list[Action] = field(default_factory=list)
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
        """Return a branch that can be extended without changing this one."""
        run = Run(self.run.world, self.run.start, self.run.agent, demanded=self.run.demanded)
        run.state = self.run.state.copy()
        run.steps = self.run.steps[:]
        return Branch(run, self.actions[:], self.outcomes[:], self.findings[:])

    def take(self, actions: Sequence[Action], rules: Rules, *, subgoal: str) -> None:
        """Execute actions for a subgoal, up to the first that fails.

        Actions, outcomes and findings are appended to those of the branch; a failed action is the
        last one in it.

        Args:
            actions: The actions, in order.
            rules: Executes an action and says what was wrong with it.
            subgoal: Text of the subgoal, for the findings.
        """
        for action in actions:
            outcome, finding = rules.take(self.run, action, len(self.actions) + 1)
            self.actions.append(action)
            self.outcomes.append(outcome)
            if finding is not None:
                self.findings.append(replace(finding, subgoal=subgoal))
            if outcome == "failed":
                return


ENDS = 10
"""Maximum number of ways that are continuations to their end, or to where they stop."""
_MAX_BOUND_ENDS = 2
"""Maximum number of ways that end at a bound."""
_FIRST_SHARE = 2
"""After the first way, others are looked for only within the instances of the budget divided by
this."""


@dataclass(frozen=True)
class Pursuit:
    """One way through the subgoals, as far as it goes.

    Args:
        branch: Its execution.
        reached: Number of subgoals that were reached.
        stopped: The reason why the next one cannot be reached, if that is known.
        bound: The bound that ended the search; empty if none did.
        is_last: Whether no other way is looked for behind it, though there may be some.
    """

    branch: Branch
    reached: int = 0
    stopped: Finding | None = None
    bound: str = ""
    is_last: bool = False

    @property
    def ended(self) -> bool:
        """Whether the pursuit has ended before the last subgoal."""
        return self.stopped is not None or bool(self.bound)


def pursue(
    start: Branch,
    subgoals: Sequence[Subgoal],
    rules: Rules,
    *,
    meter: Meter,
    goals: Sequence[Sequence[Formula]] = (),
) -> Iterator[Pursuit]:
    """Yield ways through subgoals, up to :data:`ENDS` of them, the likeliest first.

    Args:
        start: The branch in which nothing was done yet.
        subgoals: The subgoals, in order.
        rules: The rules by which actions are executed.
        meter: Counts the work.
        goals: Alternatives of the task's goal, each with its conditions. Where the shortest way
            to a subgoal undoes some of them, one that keeps them is looked for as well.
    """
    search = _SubgoalSearch(rules, meter, goals)
    whole_budget = meter.budget.instances
    # A stack with the ways to go on from each subgoal, which are found lazily. Level 0 is the
    # start, so level n holds ways that have reached n subgoals.
    continuations = [iter([Pursuit(start)])]
    ends_left = ENDS
    while continuations and ends_left > 0:
        pursuit = next(continuations[-1], None)
        if pursuit is None:
            continuations.pop()
        elif pursuit.ended or len(continuations) > len(subgoals):
            # A way that ends at a bound has taken much work, so it counts as several ends.
            ends_left -= ENDS // _MAX_BOUND_ENDS if pursuit.bound else 1
            yield replace(pursuit, is_last=ends_left <= 0)
            if whole_budget is not None:
                instances = min(whole_budget, max(whole_budget // _FIRST_SHARE, meter.instances))
                meter.budget = replace(meter.budget, instances=instances)
            if _is_hopeless(pursuit):
                return
        else:
            continuations.append(search.continuations(pursuit, subgoals[len(continuations) - 1]))


@dataclass(frozen=True, slots=True)
class _SearchScope:
    """The actions that a search for one condition may take, and what is known about it.

    Args:
        operators: Names of the operators.
        max_actions: Maximum number of actions; None for no limit.
        is_reached_already: Whether the condition was reached in another way before.
        undoes_rest: Whether a part of the condition was reached in a way that undoes its rest.
    """

    operators: tuple[str, ...]
    max_actions: int | None = None
    is_reached_already: bool = False
    undoes_rest: bool = False


class _SubgoalSearch:
    """Realises subgoals, one after the other.

    Args:
        rules: The rules by which actions are executed.
        meter: Counts the work.
        goals: Alternatives of the task's goal, each with its conditions.
    """

    def __init__(self, rules: Rules, meter: Meter, goals: Sequence[Sequence[Formula]]) -> None:
        self._rules = rules
        self._meter = meter
        self._goals = goals
        # Conditions for which a search has ended at a bound. Later searches for them are narrow: a
        # condition that took too long once would use up the budget again on every other way.
        self._ended_at_bound: set[Formula] = set()

    def continuations(self, pursuit: Pursuit, subgoal: Subgoal) -> Iterator[Pursuit]:
        """Extend a way by one subgoal; if none of its ways reaches it, yield the closest one.

        A subgoal has several ways if it is written with ``or``, or as a formula with ``then``: each
        is a sequence of conditions.
        """
        failed: list[Pursuit] = []
        is_reached = False
        for way in subgoal.ways:
            for result in self._through_conditions(pursuit, way, subgoal.text):
                if result.ended:
                    failed.append(result)
                else:
                    is_reached = True
                    yield replace(result, reached=pursuit.reached + 1)
        if not is_reached:
            yield max(failed, key=_closeness)

    def _through_conditions(
        self, pursuit: Pursuit, conditions: Sequence[Formula], text: str
    ) -> Iterator[Pursuit]:
        """Yield the ways to reach conditions one after the other, as far as each of them goes.

        An empty sequence is reached by doing nothing.
        """
        if not conditions:
            yield pursuit
            return
        for result in self._reach_condition(pursuit, conditions[0], text):
            if result.ended:
                yield result
            else:
                yield from self._through_conditions(result, conditions[1:], text)

    def _reach_condition(
        self, pursuit: Pursuit, condition: Formula, text: str
    ) -> Iterator[Pursuit]:
        """Yield the ways to reach one condition, which may hold already.

        Args:
            pursuit: The subgoals that were reached so far, with their actions.
            condition: The condition.
            text: The subgoal as it is written, for error messages.
        """
        branch = pursuit.branch
        trajectory = pursuit.branch.run.trajectory
        # A condition is tested once here, and at every position where it may have held.
        positions = 1 + trajectory.length
        self._meter.count_instances(positions * instances(condition, branch.run))
        if is_met(condition, branch.run):
            # "From the start" means true at every position. A condition with an action is not about
            # states, so it is never reported as true from the start.
            is_of_states = not demands_action(condition)
            if is_of_states and trajectory.condition(condition).bit_count() == trajectory.length:
                message = f"{text}: it holds from the start"
                branch = branch.copy()
                branch.findings.append(Finding(ErrorKind.ADDITIONAL_STEP, message, action=text))
            yield replace(pursuit, branch=branch)
            return
        try:
            yield from self._reach_by_actions(pursuit, condition, text)
        except InputError as error:  # no single action can make it true
            message = f"{text}: {error.what}"
            stopped = Finding(ErrorKind.AFFORDANCE, message, action=text)
            yield replace(pursuit, stopped=stopped)

    def _reach_by_actions(
        self, pursuit: Pursuit, condition: Formula, text: str
    ) -> Iterator[Pursuit]:
        """Yield ways to reach a condition that does not hold yet.

        The shortest ways come first. If the first of them undoes conditions of the task's goal, a
        way that keeps these follows last, since it takes more actions.

        Args:
            pursuit: The subgoals that were reached so far, with their actions.
            condition: The condition.
            text: The subgoal as it is written, for error messages.
        """
        shortest: Pursuit | None = None
        for result in self._shortest_ways(pursuit, condition, text):
            shortest = shortest or result
            yield result
        if shortest is None or shortest.ended or demands_action(condition):
            return
        undone = self._undone_conditions(pursuit.branch.run, shortest.branch.run)
        if not undone:
            return
        # The conditions that were undone become part of the condition to reach.
        condition_and_undone = And((*conjuncts(condition), *undone))
        operators = relevant(pursuit.branch.run.world, condition_and_undone).operators
        scope = _SearchScope(operators, undoes_rest=True)
        result, _ = self._search_for(pursuit, condition_and_undone, text, scope)
        if not result.ended:
            yield result

    def _undone_conditions(self, before: Run, after: Run) -> tuple[Formula, ...]:
        """Return the conditions of the goal that hold before a way and not after it.

        Only one alternative of the goal counts: the one with the most conditions that held before,
        which the answer probably pursues.
        """
        met_by_alternative = []
        for conditions in self._goals:
            self._meter.count_instances(sum(instances(part, before) for part in conditions))
            met_by_alternative.append([part for part in conditions if is_met(part, before)])
        met_before = max(met_by_alternative, key=len, default=[])
        self._meter.count_instances(sum(instances(part, after) for part in met_before))
        return tuple(part for part in met_before if not is_met(part, after))

    def _shortest_ways(self, pursuit: Pursuit, condition: Formula, text: str) -> Iterator[Pursuit]:
        """Yield shortest ways to reach a condition that differ in their last action.

        Each search excludes the last operators of the ways before, and may take no more actions
        than these. It ends when a search finds nothing. For ``holds(cup)`` the first way may end
        with ``grab`` and the second with ``receive``.

        Args:
            pursuit: The subgoals that were reached so far, with their actions.
            condition: The condition.
            text: The subgoal as it is written, for error messages.
        """
        run = pursuit.branch.run
        operators = relevant(run.world, enabling(condition, run)).operators
        final_states: list[State] = []
        max_actions: int | None = None
        while True:
            scope = _SearchScope(operators, max_actions, is_reached_already=bool(final_states))
            result, last_action_name = self._search_for(pursuit, condition, text, scope)
            if result.ended:
                # The subgoal fails only if not even a first way exists.
                if not final_states:
                    yield result
                return
            state = result.branch.run.state
            is_known_state = any(not state.changes_to(known_state) for known_state in final_states)
            # A way to the same state differs only if its last action is one that the goal demands.
            if not is_known_state or last_action_name in run.demanded:
                yield result
            if not last_action_name:
                return
            final_states.append(state)
            operators = tuple([name for name in operators if name != last_action_name])
            max_actions = len(result.branch.actions) - len(pursuit.branch.actions)

    def _search_for(
        self, pursuit: Pursuit, condition: Formula, text: str, scope: _SearchScope
    ) -> tuple[Pursuit, str]:
        """Extend a pursuit by the fewest actions that reach a condition.

        Args:
            pursuit: The subgoals that were reached so far, with their actions.
            condition: The condition.
            text: The subgoal as it is written, for error messages.
            scope: The actions that may be taken.

        Returns:
            The extended pursuit, and the name of the action that reached the condition. The name
            is empty if no action did, or if the condition itself asks for an action.

        Raises:
            InputError: If no single action can make the condition true.
        """
        branch = pursuit.branch
        run = branch.run
        target = enabling(condition, run)
        blocked = partial(
            obstacles, run.world, agent=run.agent, operators=scope.operators, meter=self._meter
        )
        result = find_way(
            run.world,
            run.state,
            target,
            agent=run.agent,
            operators=scope.operators,
            meter=self._meter,
            blocked=partial(blocked, run.state, target),
            actions=scope.max_actions,
            quick=scope.is_reached_already or condition in self._ended_at_bound,
            is_kept=scope.undoes_rest,
        )
        if isinstance(result, NoWay):
            if result.bound:
                if not scope.is_reached_already:
                    self._ended_at_bound.add(condition)
                return replace(pursuit, bound=result.bound), ""
            # If it is blocked from the start on, it is never possible; otherwise earlier actions
            # have made it impossible.
            never_possible = blocked(run.start, target) if result.kept else ()
            if never_possible:
                return replace(pursuit, stopped=_never_reached(never_possible, target, text)), ""
            return replace(pursuit, stopped=_not_reached(branch, condition, text)), ""
        extended = branch.copy()
        extended.take(result.plan, self._rules, subgoal=text)
        # The search led to a state in which a demanded action can be taken; here it is taken.
        demanded_action = last_action(condition, extended.run, self._meter)
        if demanded_action is not None:
            extended.take([demanded_action], self._rules, subgoal=text)
            return replace(pursuit, branch=extended), ""
        last_action_name = result.plan[-1].name if result.plan else ""
        return replace(pursuit, branch=extended), last_action_name


def _is_hopeless(pursuit: Pursuit) -> bool:
    """Return whether no other way can help to the subgoal at which a way ends."""
    return pursuit.stopped is not None and pursuit.stopped.kind is ErrorKind.AFFORDANCE


def _closeness(pursuit: Pursuit) -> tuple[bool, int]:
    """Return a key that is larger for a way that comes closer to a subgoal that it does not reach.

    A subgoal that no action can reach explains least; else the way with most actions went furthest.
    """
    return not _is_hopeless(pursuit), len(pursuit.branch.actions)


def _not_reached(branch: Branch, condition: Formula, text: str) -> Finding:
    """Return the finding about a subgoal that cannot be reached from where a way has led.

    Args:
        branch: The way.
        condition: The condition to be reached.
        text: The subgoal.
    """
    # As for actions (paper, Figure 19): what held once and is lost is a wrong order.
    held_before = branch.run.trajectory.condition(condition)
    error_kind = ErrorKind.WRONG_ORDER if held_before else ErrorKind.MISSING_STEP
    return runtime_finding(branch.run, Action(text), len(branch.actions), error_kind, [condition])


def _never_reached(kept: Sequence[Formula], target: Formula, text: str) -> Finding:
    """Return the finding about a subgoal that no action can reach.

    Args:
        kept: Conditions that never hold; those about objects of the subgoal explain most.
        target: The condition to be reached.
        text: The subgoal.
    """
    about = objects_of(target)
    ranked = sorted(kept, key=lambda condition: about.isdisjoint(objects_of(condition)))
    texts = tuple(map(format_formula, ranked))
    message = f"{text}: no action can reach it, because {texts[0]} never holds"
    return Finding(ErrorKind.AFFORDANCE, message, action=text, conditions=texts)


MOST_CHOICES = 64
"""Maximum number of combinations of alternatives."""


def best_result(results: Iterable[Result]) -> Result:
    """Return the first success, else the result with most conditions met (paper, section 2.4).

    Args:
        results: At least one result; after a success no more are asked for.
    """
    best_so_far: Result | None = None
    for result in results:
        if best_so_far is None or _rank(result) > _rank(best_so_far):
            best_so_far = result
        if best_so_far.success:
            break
    assert best_so_far is not None  # noqa: S101 - see above
    return best_so_far


def _rank(result: Result) -> tuple[bool, bool, int]:
    """Return a key that is larger for the better result: success, then an executable plan."""
    met = sum(goal.met for goal in result.goals)
    return result.success, result.executable, met


def pieces(entries: Sequence[str], *, first_only: bool) -> list[tuple[str, ...]]:
    """Cut subgoals at every ``or``, whatever the parentheses, and combine the pieces.

    The published evaluators cut the text before it is parsed. From ``("on(a) or on(b)",
    "clean(c)")`` come the sequences ``("on(a)", "clean(c)")`` and ``("on(b)", "clean(c)")``.

    Args:
        entries: The texts of the subgoals.
        first_only: Whether only the first piece of each subgoal is taken.
    """
    alternatives = [entry.split(" or ") for entry in entries]
    if first_only:
        alternatives = [texts[:1] for texts in alternatives]
    return list(islice(product(*alternatives), MOST_CHOICES))


def demands_action(condition: Formula) -> bool:
    """Return whether an action occurs in a condition."""
    return any(isinstance(atom, ActionAtom) for atom in atoms(condition))


def enabling(condition: Formula, run: Run) -> Formula:
    """Return the condition with each action replaced by its precondition.

    It holds wherever one step can make the condition true; it may hold elsewhere, too, if the
    condition asks for several actions at once.

    Raises:
        InputError: If an action stands below something else than ``and``, ``or``, ``not``,
            ``implies``, ``exists`` or ``forall``.
    """
    return _enabling(condition, run, wanted=True)


def _enabling(formula: Formula, run: Run, *, wanted: bool) -> Formula:
    """Return a condition with each action replaced by its precondition.

    Args:
        formula: The condition.
        run: The run whose agent takes the actions.
        wanted: Whether it has to be true, or false.
    """
    # An action that must not happen needs no precondition: its atom is false.
    if isinstance(formula, ActionAtom):
        return _precondition(formula, run) if wanted else FALSE
    if not demands_action(formula):
        return formula
    signed = formula.split(True)
    if signed is not None:
        parts = signed.parts
    elif isinstance(formula, Quantifier):
        # The body of a quantifier must have the same value as the quantifier.
        parts = ((formula.operands[0], True),)
    else:
        raise InputError("an action stands where the search does not support one")
    return formula.rebuild(_enabling(part, run, wanted=wanted is value) for part, value in parts)


def _precondition(atom: ActionAtom, run: Run) -> Formula:
    """Return the precondition of an action, whose terms may be variables.

    The variables of the operator's own quantifiers would capture a term of the same name, so such
    an action is refused.
    """
    operator = run.world.operator(atom.action).operator
    parameter_names = (parameter.name for parameter in operator.parameters)
    binding = dict(zip(parameter_names, (run.agent, *atom.terms), strict=True))
    own_variables = {v.name for node in operator.precondition.walk() for v in node.variables}
    variables_of_atom = {term.name for term in atom.terms if isinstance(term, Variable)}
    captured = own_variables & variables_of_atom
    if captured:
        raise InputError(
            f"the variable {min(captured)!r} has the name of a variable of the operator"
        )
    return operator.precondition.substitute(binding)


def is_met(condition: Formula, run: Run) -> bool:
    """Return whether a condition holds now, without an action."""
    if not demands_action(condition):
        return run.world.holds(run.state, condition)
    return bool(truth(condition, Trajectory(run.world, run.state, (), run.state)))


def instances(condition: Formula, run: Run) -> int:
    """Count the atoms that testing a condition looks at, if it has to look at all of them."""
    universe = run.state.universe
    if not demands_action(condition):
        return run.world.instances(condition, universe)
    # An action is no predicate of the world: every combination of objects is examined.
    sizes = [universe.mask(v.types).bit_count() for v in condition.variables]
    return prod(sizes) * (sum([instances(operand, run) for operand in condition.operands]) or 1)


def last_action(condition: Formula, run: Run, meter: Meter | None = None) -> Action | None:
    """Return the action that makes an enabled condition true; None if it needs none.

    Raises:
        InputError: If no single action does, because the condition asks for several at once.
    """
    meter = meter or Budget.unlimited().meter()
    test_cost = instances(condition, run)
    meter.count_instances(test_cost)
    if is_met(condition, run):
        return None
    for atom in atoms(condition):
        if not isinstance(atom, ActionAtom):
            continue
        for action in _instances_of_action(atom, run):
            meter.count_instances()
            if run.world.first_failure(run.state, action.name, run.numbers(action)) >= 0:
                continue
            meter.count_instances(test_cost)
            step = Trajectory(run.world, run.state, (Step(action, 1, []),), run.state)
            # An action is true at the position from which it is taken, here the first.
            if truth(condition, step) & 1:
                return action
    raise InputError("it asks for several actions at once")


def _instances_of_action(atom: ActionAtom, run: Run) -> Iterator[Action]:
    """Yield the actions that an atom means, with all objects for its variables."""
    universe = run.state.universe
    parameters = run.world.operator(atom.action).operator.parameters[1:]
    choices: list[Sequence[str]] = []
    for term, parameter in zip(atom.terms, parameters, strict=True):
        if isinstance(term, Variable):
            choices.append(universe.of_types(parameter.types))
        else:
            choices.append((term,))
    for terms in product(*choices):
        yield Action(atom.action, terms)
