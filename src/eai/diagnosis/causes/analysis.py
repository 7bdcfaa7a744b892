"""Causes of the verdict on a plan: literals at the end and at earlier positions, and actions.

Idea: a verdict rests on literals at positions of the execution (:data:`~eai.planning.Demand`). The
causal links of the plan lead from each of them to the step that made it true, to the literals that
this step needed, and so on to the start (:class:`~eai.planning.Links`; causal links are those of
partial-order planning, McAllester & Rosenblitt 1991). Steps on which nothing rests are idle, and
the links say which orders of the others lead to the same verdict.

A goal that speaks of time is taken apart if it holds and is built of ``then``, conjunction,
disjunction and quantifiers over conditions of one position: every link of ``then`` has a position
at which it holds, and the positions keep their order. Any other one fixes the order as it is.

Cost: the links of each step are looked at once for each condition of the goal.

Positions and steps are numbered from 0 here (``place``), in results from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from eai.diagnosis.causes.result import (
    Causes,
    FailedCondition,
    Failure,
    GoalCause,
    Link,
    RuleCause,
    StepCause,
)
from eai.diagnosis.goals import action_conditions, condition_of, last_held, share_met
from eai.diagnosis.result import Condition, Finding
from eai.diagnosis.rules import TaskRules, blamed_facts, rule_verdict
from eai.diagnosis.runtime import DomainRules, Run
from eai.diagnosis.taxonomy import GRAMMAR, ErrorKind
from eai.diagnosis.words import in_words
from eai.errors import InputError
from eai.logic import (
    ActionAtom,
    And,
    Atom,
    Evaluation,
    Formula,
    Not,
    NumericCondition,
    Or,
    Quantifier,
    Then,
    bindings,
    format_formula,
)
from eai.planning import (
    NOTHING,
    Bound,
    Demand,
    Links,
    PartialOrder,
    Reads,
    Requirement,
    Taken,
)
from eai.task import ActionGoal, Goal, Task
from eai.world import Action, Change, State, Trajectory


def causes(task: Task, plan: Sequence[Action], rules: TaskRules | None = None) -> Causes:
    """Return the causes of the verdict on a plan: see :func:`eai.causes`.

    Args:
        task: The task.
        plan: The steps.
        rules: Rules beside the goal that are judged, too.

    Raises:
        UnknownNameError: If the agent, or something in the goal, is not in the task.
        InputError: If the domain cannot be run (it says why).
    """
    return _PlanAnalysis(task, plan).causes(rules or TaskRules())


_Option = Sequence[tuple[Condition, Formula]]
_Chain = list[tuple[int, Formula]]
"""The links of a chain of ``then``, each with a position at which it holds."""


@dataclass(frozen=True, slots=True)
class _Support:
    """A condition of the goal, with the literals and steps on which its verdict depends.

    Args:
        condition: The condition.
        demands: The literals, each set at a position.
        steps: The steps that it needs for their own sake: demanded actions.
        order: Pairs of steps that have to keep their order.
    """

    condition: Condition
    demands: tuple[Demand, ...] = ()
    steps: tuple[int, ...] = ()
    order: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _ConditionCause:
    """A condition of the goal with its causes.

    Args:
        support: The condition, with the literals and steps that its verdict rests on.
        steps: All steps that these rest on, through others, too.
    """

    support: _Support
    steps: frozenset[int]


class _GoalAnalysis:
    """Finds on what the verdict on a goal depends.

    Args:
        goal: The goal.
        trajectory: The steps that were done.
        links: The causal links of the plan. They know the steps that were passed over, the
            trajectory does not.

    Attributes:
        supports: One for each condition of the best alternative and each demanded action, and one
            for the formula if it says more.
        others: The literals on which the other alternatives rest, if none is met.
        is_fixed: Whether the formula says something that is not taken apart.
    """

    def __init__(self, goal: Goal, trajectory: Trajectory, links: Links) -> None:
        self._trajectory = trajectory
        self._links = links
        self._evaluation = Evaluation(trajectory)
        # The best alternative is the one of which the greatest share of conditions is met.
        options = [self._judge_option(option) for option in goal.final]
        best = max(options, key=_share, default=())
        self.supports: list[_Support] = []
        for condition, formula in best:
            self.supports.append(_Support(condition, (self._demand_at_end(condition, formula),)))
        self.supports += self._action_supports(goal.actions)
        self.others: list[Demand] = []
        if _share(best) < 1:
            self.others = self._demands_of_others(options, best)
        self.is_fixed = False
        if goal.formula is not None and goal.is_extended:
            formula_support = self._formula_support(goal.formula, goal.text)
            if formula_support is None:
                # The truth of the formula does not show what it depends on. If another condition
                # fails, then no order reaches the goal, and the order need not be fixed.
                self.is_fixed = all(support.condition.met for support in self.supports)
                is_met = self._holds(goal.formula)
                formula_support = _Support(Condition("formula", goal.text, is_met))
            self.supports.append(formula_support)

    def _judge_option(self, option: Sequence[tuple[str, Formula]]) -> _Option:
        """Return an alternative of the final state with its conditions, met or not."""
        conditions = []
        for kind, formula in option:
            truth = self._evaluation.truth(formula)
            condition = condition_of(kind, formula, self._trajectory, truth=truth)
            conditions.append((condition, formula))
        return conditions

    def _demands_of_others(self, options: Sequence[_Option], best: _Option) -> list[Demand]:
        """Return the literals because of which the other alternatives fail.

        An order of the steps in which none of them changes leaves the verdict as it is.
        """
        # Many alternatives have conditions in common: each condition is looked at once.
        examined = {formula for _, formula in best}
        demands = []
        for option in options:
            for condition, formula in option:
                if formula not in examined:
                    examined.add(formula)
                    demands.append(self._demand_at_end(condition, formula))
        return demands

    def _demand_at_end(self, condition: Condition, formula: Formula) -> Demand:
        """Return the demand that a condition keeps its truth value at the end."""
        end = self._links.end
        support = self._links.support(end)
        if condition.met:
            return support.of(formula, {}) or NOTHING, end
        return support.as_it_is(formula, {}), end

    def _action_supports(self, goals: Sequence[ActionGoal]) -> Iterator[_Support]:
        """Yield the support of each demanded action, in order.

        Args:
            goals: The demanded actions, in order.
        """
        names = {name for goal in goals for name in goal.names}
        candidates: list[int] = []
        for step_index, step in enumerate(self._links.steps):
            if step.action.name in names:
                candidates.append(step_index)
        before: tuple[int, ...] = ()
        for condition in action_conditions(goals, self._trajectory):
            if condition.since is None:
                # In another order, the same actions might do.
                yield _Support(condition, order=tuple(pairwise(candidates)))
                continue
            step_index = condition.since - 1
            order = tuple((other, step_index) for other in before)
            before = (step_index,)
            yield _Support(condition, ((self._links.needs(step_index), step_index),), before, order)

    def _formula_support(self, formula: Formula, text: str) -> _Support | None:
        """Return the support of a formula, or None if it cannot be analysed.

        A formula without temporal operators but ``then`` is taken apart into chains of conditions,
        each with the step that met it; the steps of a chain may not change their order.

        Args:
            formula: The formula.
            text: The formula as the goal says it.

        Returns:
            The grounds of its truth; None if it does not hold or cannot be taken apart.
        """
        # Linear-time operators refer to all positions, so that no single steps support them.
        if formula.has_linear or not self._holds(formula):
            return None
        chains = self._chains(formula)
        if chains is None:
            return None
        demands: list[Demand] = []
        steps: list[int] = []
        order: list[tuple[int, int]] = []
        for chain in chains:
            steps_of_chain = self._add_demands_of_chain(chain, demands)
            steps += steps_of_chain
            order += pairwise(steps_of_chain)
        condition = Condition("formula", text, True)
        return _Support(condition, tuple(demands), tuple(steps), tuple(order))

    def _add_demands_of_chain(self, chain: _Chain, demands: list[Demand]) -> list[int]:
        """Add the demands of a ``then`` chain, and return the indices of its steps.

        Args:
            chain: Positions of the trajectory, each with the link that is met there.
            demands: The list that the literals are added to.
        """
        end = self._links.end
        steps = self._trajectory.steps
        steps_of_chain = []
        for position, link in chain:
            # A position is that before its step; at the last one no step is taken.
            step_index = end
            if position < len(steps):
                step_index = steps[position].number - 1
            demands.append((self._links.support(step_index).of(link, {}) or NOTHING, step_index))
            if step_index < end:
                demands.append((self._links.needs(step_index), step_index))
                steps_of_chain.append(step_index)
        return steps_of_chain

    def _holds(self, formula: Formula) -> bool:
        """Return whether a formula holds on the trajectory."""
        return self._evaluation.verdict(formula).holds

    def _chains(self, formula: Formula) -> list[_Chain] | None:
        """Return the ``then`` chains that make a formula true, or None for another form.

        ``(a then b) and c`` has two chains, one of two links and one of a single link.
        """
        if isinstance(formula, Then) or not formula.has_then:
            chain = self._chain(formula)
            return None if chain is None else [chain]
        if isinstance(formula, Quantifier):
            formula = self._ground(formula)
        split = formula.split(True)
        if split is None or not all(wanted for _, wanted in split.parts):
            return None
        operands = [operand for operand, _ in split.parts]
        if split.every:
            return self._chains_of_all(operands)
        # Of a disjunction one operand is enough: the first that can be taken apart.
        for operand in operands:
            if self._holds(operand):
                chains = self._chains(operand)
                if chains is not None:
                    return chains
        return None

    def _chains_of_all(self, formulas: Iterable[Formula]) -> list[_Chain] | None:
        """Return the chains of several formulas, or None if one has another form."""
        all_chains: list[_Chain] = []
        for formula in formulas:
            chains = self._chains(formula)
            if chains is None:
                return None
            all_chains += chains
        return all_chains

    def _chain(self, formula: Formula) -> _Chain | None:
        """Return the last positions at which the operands of a chain hold in order, or None.

        The last positions leave most room for what has to come before, so if these fail, all do.
        """
        chain: _Chain = []
        end = self._trajectory.length
        for link in reversed(formula.links):
            if link.has_then:
                return None
            before_end = self._evaluation.truth(link) & ((1 << end) - 1)
            if not before_end:
                return None
            end = before_end.bit_length() - 1
            chain.append((end, link))
        chain.reverse()
        return chain

    def _ground(self, formula: Quantifier) -> Formula:
        """Return a quantified formula as a conjunction or disjunction over objects."""
        all_bindings = bindings(formula.variables, self._trajectory.objects, {})
        instances = tuple([formula.body.substitute(binding) for binding in all_bindings])
        if formula.wants:
            return Or(instances)
        return And(instances)


def _share(option: _Option) -> float:
    """Return the share of met conditions of an alternative."""
    return share_met([condition for condition, _ in option])


class _PlanAnalysis:
    """Executes a plan, and traces the dependencies between its steps.

    Args:
        task: The task.
        plan: The plan.
    """

    def __init__(self, task: Task, plan: Sequence[Action]) -> None:
        self._task = task
        self._plan = tuple(plan)
        task.check_agent()  # a task without its agent is no mistake of the plan
        self._world = task.world
        demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
        self._run = Run(self._world, task.start, task.agent, demanded=demanded)
        self._taken: list[Taken] = []
        self._stop = self._execute()
        self._links = Links(self._world, task.start, self._taken)

    def _execute(self) -> Finding | None:
        """Execute the steps and record their changes; return the finding of a failure.

        Returns:
            The finding of the first step that fails; None if none does.
        """
        rules = DomainRules(skip=self._task.skips)
        for number, action in enumerate(self._plan, start=1):
            try:
                outcome, finding = rules.take(self._run, action, number)
            except InputError as error:
                return self._refused_step(action, number, error)
            if outcome == "failed":
                return finding
            changes: Sequence[Change] | None = None  # of a step that is passed over
            if outcome == "done":
                changes = self._run.steps[-1].changes
            self._taken.append(Taken(action, self._run.numbers(action), changes))
        return None

    def _refused_step(self, action: Action, number: int, error: InputError) -> Finding:
        """Return the finding for a step with names or arguments that the world refuses.

        Args:
            action: The action of the step.
            number: Its number.
            error: The error that the world raised.
        """
        kind = ErrorKind.ARGUMENT_NUMBER
        if action.name not in self._world.domain.operators:
            kind = ErrorKind.ACTION_HALLUCINATION
        elif not self._task.start.universe.index.keys() >= {*action.arguments}:
            kind = ErrorKind.OBJECT_HALLUCINATION
        return Finding(kind, f"{action}: {error.what}", number, str(action))

    def causes(self, rules: TaskRules) -> Causes:
        """Return all causes.

        Args:
            rules: The rules that are judged beside the goal.
        """
        links = self._links
        end = links.end
        goal = _GoalAnalysis(self._task.goal, self._run.trajectory, links)
        failure, failure_reads = self._failure()
        demands = [*goal.others, (failure_reads, end)]
        for support in goal.supports:
            demands += support.demands
        order = set(links.order(demands))
        needed = set(links.rests_on(demands))
        condition_causes = []
        for support in goal.supports:
            order.update(support.order)
            needed.update(support.steps)
            condition_causes.append(_ConditionCause(support, self._steps_behind(support)))
        idle = [step_index + 1 for step_index in range(end) if step_index not in needed]
        rule_causes = [self._rule_cause(name, formula) for name, formula in rules.formulas]
        # Whether a rule would be kept in another order is not examined, so the order is fixed.
        is_fixed = goal.is_fixed or any(rule.kept for rule in rule_causes)
        if is_fixed:
            order.update((step_index, step_index + 1) for step_index in range(end - 1))
            idle = []
        pairs = [(first + 1, second + 1) for first, second in sorted(order)]
        return Causes(
            self._plan,
            self._steps(condition_causes),
            tuple([self._goal_cause(condition) for condition in condition_causes]),
            failure,
            tuple(idle),
            PartialOrder(range(1, end + 1), pairs),
            is_fixed,
            tuple(rule_causes),
            rules.notes,
        )

    def _rule_cause(self, name: str, formula: Formula) -> RuleCause:
        """Return the verdict on a rule with the facts and steps it depends on.

        The evidence is given for kept rules as well as for broken ones.

        Args:
            name: Name of the rule.
            formula: Its formula.
        """
        trajectory = self._run.trajectory
        verdict = rule_verdict(name, formula, trajectory)
        demands: list[Demand] = []
        actions: set[int] = set()
        steps = trajectory.steps
        for fact in blamed_facts(formula, trajectory):
            # At the last position no step is taken: the index is that of the end of the plan.
            step_index = self._links.end
            if fact.position < len(steps):
                step_index = steps[fact.position].number - 1
            if not isinstance(fact.atom, ActionAtom):
                support = self._links.support(step_index)
                demands.append((support.of(fact.atom, {}, fact.holds) or NOTHING, step_index))
            elif fact.holds:
                # An action that was taken rests on itself; an action that was not, on no step.
                actions.add(step_index)
                demands.append((self._links.needs(step_index), step_index))
        rests_on = self._links.rests_on(demands).union(actions)
        return RuleCause(
            name,
            verdict.outcome,
            verdict.kept,
            verdict.step,
            self._facts(demands),
            tuple([step_index + 1 for step_index in sorted(rests_on)]),
        )

    def _steps_behind(self, support: _Support) -> frozenset[int]:
        """Return all steps on which the verdict on a condition rests."""
        return self._links.rests_on(support.demands).union(support.steps)

    def _goal_cause(self, caused: _ConditionCause) -> GoalCause:
        """Return a condition of the goal with its supporting facts and steps."""
        condition = caused.support.condition
        return GoalCause(
            condition.kind,
            condition.text,
            condition.met,
            condition.since,
            condition.lost_by,
            self._facts(caused.support.demands),
            # Indices of steps count from 0, their numbers from 1.
            tuple([step_index + 1 for step_index in sorted(caused.steps)]),
        )

    def _steps(self, caused: Sequence[_ConditionCause]) -> tuple[StepCause, ...]:
        """Return for each step what it depends on, and what depends on it.

        Args:
            caused: The conditions of the goal, each with the steps that it rests on.
        """
        links = self._links
        # By index of a step: the numbers of the steps that depend on it.
        dependents: list[list[int]] = [[] for _ in range(links.end)]
        for step_index in range(links.end):
            for supporter in links.rests_on([(links.needs(step_index), step_index)]):
                dependents[supporter].append(step_index + 1)
        # An unmet condition has causes, too, but no step serves it.
        met = [condition for condition in caused if condition.support.condition.met]
        steps = []
        for step_index, action in enumerate(map(str, self._plan)):
            number = step_index + 1
            # The links end where the plan stopped, so later steps have no causes.
            if step_index >= links.end:
                outcome = "not reached"
                if self._stop is not None and self._stop.step == number:
                    outcome = "failed"
                steps.append(StepCause(number, action, outcome))
                continue
            outcome = "done"
            if self._taken[step_index].changes is None:
                outcome = "skipped"
            uses = self._facts([(links.needs(step_index), step_index)])
            serves = [cause.support.condition.text for cause in met if step_index in cause.steps]
            used_by = tuple(dependents[step_index])
            steps.append(StepCause(number, action, outcome, uses, used_by, tuple(serves)))
        return tuple(steps)

    def _facts(self, demands: Iterable[Demand]) -> tuple[Link, ...]:
        """Return the demanded literals in the order in which they became true.

        Args:
            demands: Literals, each with the index of the step before which it is needed.

        Returns:
            Each literal as text, with the number of the step that made it true, 0 for the start.
        """
        start = self._task.start
        # A dictionary without values, as an ordered set.
        facts: dict[Link, None] = {}
        for reads, step_index in demands:
            requirements_by_maker = []
            for requirement in reads:
                for maker in self._links.makers(requirement, step_index):
                    number = 0 if maker is None else maker + 1
                    is_bound = isinstance(requirement, Bound)
                    requirements_by_maker.append((number, is_bound, requirement))
            # All facts come before all bounds: a fact and a bound cannot be compared.
            for number, _, requirement in sorted(requirements_by_maker):
                facts[Link(_text_of(start, requirement), number)] = None
        return tuple(facts)

    def _failure(self) -> tuple[Failure | None, Reads]:
        """Return the failure of the execution, and the literals that cause it.

        Returns:
            The failure, None if there is none; and the literals, none of them if a name is unknown,
            since then there is no condition that could fail.
        """
        stop = self._stop
        if stop is None or stop.step is None:
            return None, NOTHING
        if stop.kind in GRAMMAR:
            return Failure(stop.step, stop.action, stop.kind, stop.message), NOTHING
        # The run stands where the step failed, so its state is the one that the tests are about.
        action = self._plan[stop.step - 1]
        numbers = self._run.numbers(action)
        arguments = self._run.arguments(action)
        reads = self._links.failed(action.name, numbers)
        rests_on = self._links.rests_on([(reads, self._links.end)])
        trajectory = self._run.trajectory
        conditions = []
        for i in self._world.failures(self._run.state, action.name, numbers):
            test = self._world.test(action.name, i, arguments)
            conditions.append(self._failed_condition(test, trajectory))
        failure = Failure(
            stop.step,
            stop.action,
            stop.kind,
            stop.message,
            tuple(conditions),
            tuple([step_index + 1 for step_index in sorted(rests_on)]),
        )
        return failure, reads

    def _failed_condition(self, test: Formula, trajectory: Trajectory) -> FailedCondition:
        """Return a violated condition at the end of the execution with its causes.

        Args:
            test: The condition.
            trajectory: The execution, which tells when it held last.
        """
        end = self._links.end
        violating = self._links.support(end).why_not(test, {})
        held_until, destroyed_by = last_held(trajectory.condition(test), trajectory.steps)
        return FailedCondition(
            format_formula(test),
            self._facts([(violating, end)]),
            held_until,
            destroyed_by,
            in_words(self._world, self._run.state, test),
        )


def _text_of(state: State, requirement: Requirement) -> str:
    """Return a requirement as text, such as ``not on(cup.1)`` or ``fuel(t1) >= 3``."""
    if isinstance(requirement, Bound):
        term = state.term_of(requirement.term)
        if requirement.value is None:
            return f"{format_formula(term)} has no value"
        return format_formula(NumericCondition(requirement.sign, term, requirement.value))
    p, numbers, value = requirement
    atom = Atom(state.layout.names[p], tuple([state.universe.names[i] for i in numbers]))
    return format_formula(atom if value else Not(atom))
