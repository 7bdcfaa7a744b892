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
from eai.diagnosis.parts import Condition
from eai.diagnosis.result import Finding
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
        """Collect the supports of the goal's conditions, demanded actions and formula."""
        self._trajectory = trajectory
        self._links = links
        self._evaluation = Evaluation(trajectory)
        # The best alternative is the one of which the greatest share of conditions is met.
        options = [self._judge_option(option) for option in goal.final]
        best = max(options, key=_share_met, default=())
        self.supports: list[_Support] = []
        for condition, formula in best:
            self.supports.append(_Support(condition, (self._demand_at_end(condition, formula),)))
        self.supports += self._action_supports(goal.actions)
        self.others: list[Demand] = []
        if _share_met(best) < 1:
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
        """Return the literals because of which the other alternatives of the goal fail.

        The verdict stays the same in any order of the steps that changes none of these literals.

        Args:
            options: All alternatives, each a sequence of conditions.
            best: The alternative with the most conditions met, which is left out.
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
        """Yield the support of each action that the goal demands, in the order of the goal.

        The support of an action is the step that took it. If no step did, every step with the name
        of a demanded action has to keep its place, since another order might fulfil the demand.

        Args:
            goals: The demanded actions.
        """
        demanded_names = {name for goal in goals for name in goal.names}
        steps_with_demanded_name: list[int] = []
        for step_index, step in enumerate(self._links.steps):
            if step.action.name in demanded_names:
                steps_with_demanded_name.append(step_index)
        previous_index: int | None = None
        for condition in action_conditions(goals, self._trajectory):
            if condition.since is None:
                yield _Support(condition, order=tuple(pairwise(steps_with_demanded_name)))
                continue
            step_index = condition.since - 1
            order: tuple[tuple[int, int], ...] = ()
            if previous_index is not None:
                order = ((previous_index, step_index),)
            previous_index = step_index
            demand = (self._links.needs(step_index), step_index)
            yield _Support(condition, (demand,), (step_index,), order)

    def _formula_support(self, formula: Formula, text: str) -> _Support | None:
        """Return the literals and steps on which the truth of a formula rests.

        The formula is split into chains of conditions. ``(a then b) and c`` has the chains ``a, b``
        and ``c``. The steps that meet the conditions of one chain have to keep their order.

        Args:
            formula: The formula.
            text: The formula in the notation of the goal.

        Returns:
            Its support; None if it does not hold, or has other temporal operators than ``then``.
        """
        # Linear-time operators refer to all positions, so that no single steps support them.
        if formula.has_linear or not self._holds(formula):
            return None
        chains = self._find_chains(formula)
        if chains is None:
            return None
        demands: list[Demand] = []
        steps: list[int] = []
        order: list[tuple[int, int]] = []
        for chain in chains:
            demands += self._demands_of_chain(chain)
            chain_steps = self._steps_of_chain(chain)
            steps += chain_steps
            order += pairwise(chain_steps)
        condition = Condition("formula", text, True)
        return _Support(condition, tuple(demands), tuple(steps), tuple(order))

    def _demands_of_chain(self, chain: _Chain) -> Iterator[Demand]:
        """Yield the literals that make the links of a ``then`` chain true.

        A step that is taken at such a position is demanded, too, with all that it needs.

        Args:
            chain: The links, each with the position of the trajectory at which it holds.
        """
        for position, link in chain:
            step_index = self._step_index_at(position)
            yield self._links.support(step_index).of(link, {}) or NOTHING, step_index
            if step_index < self._links.end:
                yield self._links.needs(step_index), step_index

    def _steps_of_chain(self, chain: _Chain) -> list[int]:
        """Return the indices of the steps that are taken where the links of a chain hold."""
        step_indices = [self._step_index_at(position) for position, _ in chain]
        return [step_index for step_index in step_indices if step_index < self._links.end]

    def _step_index_at(self, position: int) -> int:
        """Return the index of the step that is taken from a position of the trajectory.

        At the last position no step is taken. Its index is that of the end of the plan.
        """
        steps = self._trajectory.steps
        if position < len(steps):
            return steps[position].number - 1
        return self._links.end

    def _holds(self, formula: Formula) -> bool:
        """Return whether a formula holds on the trajectory."""
        return self._evaluation.verdict(formula).holds

    def _find_chains(self, formula: Formula) -> list[_Chain] | None:
        """Return the ``then`` chains that make a formula true, or None if it has none.

        A chain is a sequence of conditions that hold one after the other: ``(a then b) and c`` has
        the chains ``a, b`` and ``c``. A formula with ``then`` below a negation has no chains.
        """
        if isinstance(formula, Then) or not formula.has_then:
            chain = self._find_chain(formula)
            return None if chain is None else [chain]
        if isinstance(formula, Quantifier):
            formula = self._expand_quantifier(formula)
        operand_split = formula.split(True)
        if operand_split is None or not all(wanted for _, wanted in operand_split.parts):
            return None
        operands = [operand for operand, _ in operand_split.parts]
        if operand_split.every:
            return self._find_chains_of_all(operands)
        # Of a disjunction one operand is enough: the first that can be taken apart.
        for operand in operands:
            if self._holds(operand):
                chains = self._find_chains(operand)
                if chains is not None:
                    return chains
        return None

    def _find_chains_of_all(self, formulas: Iterable[Formula]) -> list[_Chain] | None:
        """Return the chains of several formulas, or None if one has another form."""
        all_chains: list[_Chain] = []
        for formula in formulas:
            chains = self._find_chains(formula)
            if chains is None:
                return None
            all_chains += chains
        return all_chains

    def _find_chain(self, formula: Formula) -> _Chain | None:
        """Return the last positions at which the operands of a chain hold in order, or None.

        The positions are chosen from the last operand back, each as late as possible. This leaves
        the most positions for the operands before it.
        """
        chain: _Chain = []
        next_position = self._trajectory.length
        for link in reversed(formula.links):
            if link.has_then:
                return None
            # Bit i is set if the link holds at position i, and the next link holds later.
            earlier_positions = self._evaluation.truth(link) & ((1 << next_position) - 1)
            if not earlier_positions:
                return None
            next_position = earlier_positions.bit_length() - 1
            chain.append((next_position, link))
        chain.reverse()
        return chain

    def _expand_quantifier(self, formula: Quantifier) -> Formula:
        """Return a quantified formula as a conjunction or disjunction over objects."""
        all_bindings = bindings(formula.variables, self._trajectory.objects, {})
        instances = tuple([formula.body.substitute(binding) for binding in all_bindings])
        if formula.wants:
            return Or(instances)
        return And(instances)


def _share_met(option: _Option) -> float:
    """Return the share of met conditions of an alternative."""
    return share_met([condition for condition, _ in option])


class _PlanAnalysis:
    """Executes a plan, and traces the dependencies between its steps.

    Args:
        task: The task.
        plan: The plan.
    """

    def __init__(self, task: Task, plan: Sequence[Action]) -> None:
        """Execute the plan and record the causal links between its steps."""
        self._task = task
        self._plan = tuple(plan)
        task.check_agent()  # a task without its agent is no mistake of the plan
        self._world = task.world
        demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
        self._run = Run(self._world, task.start, task.agent, demanded=demanded)
        self._executed_steps: list[Taken] = []
        self._failed_step = self._execute()
        self._links = Links(self._world, task.start, self._executed_steps)

    def _execute(self) -> Finding | None:
        """Execute the steps and record their changes; return the finding of a failure.

        Returns:
            The finding of the first step that fails; None if none does.
        """
        rules = DomainRules(skip=self._task.skips)
        for step_number, action in enumerate(self._plan, start=1):
            try:
                outcome, finding = rules.take(self._run, action, step_number)
            except InputError as error:
                return self._refused_step(action, step_number, error)
            if outcome == "failed":
                return finding
            changes: Sequence[Change] | None = None  # of a step that is passed over
            if outcome == "done":
                changes = self._run.steps[-1].changes
            self._executed_steps.append(Taken(action, self._run.numbers(action), changes))
        return None

    def _refused_step(self, action: Action, step_number: int, error: InputError) -> Finding:
        """Return the finding for a step with names or arguments that the world refuses.

        Args:
            action: The action of the step.
            step_number: Its number.
            error: The error that the world raised.
        """
        error_kind = ErrorKind.ARGUMENT_NUMBER
        if action.name not in self._world.domain.operators:
            error_kind = ErrorKind.ACTION_HALLUCINATION
        elif not self._task.start.universe.index.keys() >= {*action.arguments}:
            error_kind = ErrorKind.OBJECT_HALLUCINATION
        return Finding(error_kind, f"{action}: {error.what}", step_number, str(action))

    def causes(self, rules: TaskRules) -> Causes:
        """Return the causes of the verdict on the plan: on its goal, its failure and its rules.

        Args:
            rules: The rules that are judged beside the goal.
        """
        links = self._links
        step_count = links.end
        goal = _GoalAnalysis(self._task.goal, self._run.trajectory, links)
        failure, failure_reads = self._explain_failure()
        condition_causes = []
        for support in goal.supports:
            condition_causes.append(_ConditionCause(support, self._steps_behind(support)))
        rule_causes = [self._rule_cause(name, formula) for name, formula in rules.formulas]
        demands = [*goal.others, (failure_reads, step_count)]
        for support in goal.supports:
            demands += support.demands
        # Steps that the verdict rests on, and pairs of steps that have to keep their order.
        needed_steps = set(links.rests_on(demands))
        ordered_pairs = set(links.order(demands))
        for support in goal.supports:
            needed_steps.update(support.steps)
            ordered_pairs.update(support.order)
        # Whether a rule would be kept in another order is not examined, so the order is fixed.
        is_fixed = goal.is_fixed or any(rule.kept for rule in rule_causes)
        if is_fixed:
            needed_steps.update(range(step_count))
            ordered_pairs.update(pairwise(range(step_count)))
        idle_steps = [index + 1 for index in range(step_count) if index not in needed_steps]
        numbered_pairs = [(first + 1, second + 1) for first, second in sorted(ordered_pairs)]
        return Causes(
            self._plan,
            self._step_causes(condition_causes),
            tuple([self._goal_cause(condition) for condition in condition_causes]),
            failure,
            tuple(idle_steps),
            PartialOrder(range(1, step_count + 1), numbered_pairs),
            is_fixed,
            tuple(rule_causes),
            rules.notes,
        )

    def _rule_cause(self, name: str, formula: Formula) -> RuleCause:
        """Return the verdict on a rule with the facts and steps that it depends on.

        Args:
            name: Name of the rule.
            formula: Its formula.
        """
        trajectory = self._run.trajectory
        verdict = rule_verdict(name, formula, trajectory)
        demands: list[Demand] = []
        blamed_action_steps: set[int] = set()
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
                blamed_action_steps.add(step_index)
                demands.append((self._links.needs(step_index), step_index))
        supporting_steps = self._links.rests_on(demands).union(blamed_action_steps)
        return RuleCause(
            name,
            verdict.outcome,
            verdict.kept,
            verdict.step,
            self._supporting_facts(demands),
            tuple([step_index + 1 for step_index in sorted(supporting_steps)]),
        )

    def _steps_behind(self, support: _Support) -> frozenset[int]:
        """Return all steps on which the verdict on a condition rests."""
        return self._links.rests_on(support.demands).union(support.steps)

    def _goal_cause(self, condition_cause: _ConditionCause) -> GoalCause:
        """Return a condition of the goal with its supporting facts and steps."""
        condition = condition_cause.support.condition
        return GoalCause(
            condition.kind,
            condition.text,
            condition.met,
            condition.since,
            condition.lost_by,
            self._supporting_facts(condition_cause.support.demands),
            # Indices of steps count from 0, their numbers from 1.
            tuple([step_index + 1 for step_index in sorted(condition_cause.steps)]),
        )

    def _step_causes(self, condition_causes: Sequence[_ConditionCause]) -> tuple[StepCause, ...]:
        """Return for each step of the plan the facts that it uses, and what depends on it.

        Args:
            condition_causes: The conditions of the goal, each with the steps that it rests on.
        """
        links = self._links
        dependents = self._dependent_step_numbers()
        # An unmet condition has causes, too, but no step serves it.
        met_causes = [cause for cause in condition_causes if cause.support.condition.met]
        step_causes = []
        for step_index, action in enumerate(self._plan):
            step_number = step_index + 1
            outcome = self._step_outcome(step_index)
            # The links end where the plan stopped, so later steps have no causes.
            if step_index >= links.end:
                step_causes.append(StepCause(step_number, str(action), outcome))
                continue
            used_facts = self._supporting_facts([(links.needs(step_index), step_index)])
            served_conditions = []
            for cause in met_causes:
                if step_index in cause.steps:
                    served_conditions.append(cause.support.condition.text)
            step_causes.append(
                StepCause(
                    step_number,
                    str(action),
                    outcome,
                    used_facts,
                    tuple(dependents[step_index]),
                    tuple(served_conditions),
                )
            )
        return tuple(step_causes)

    def _dependent_step_numbers(self) -> list[list[int]]:
        """Return for each executed step the numbers of the steps that depend on it."""
        links = self._links
        dependents: list[list[int]] = [[] for _ in range(links.end)]
        for step_index in range(links.end):
            for supporting_index in links.rests_on([(links.needs(step_index), step_index)]):
                dependents[supporting_index].append(step_index + 1)
        return dependents

    def _step_outcome(self, step_index: int) -> str:
        """Return how a step ended: done, skipped, failed or not reached."""
        if step_index < self._links.end:
            is_skipped = self._executed_steps[step_index].changes is None
            return "skipped" if is_skipped else "done"
        if self._failed_step is not None and self._failed_step.step == step_index + 1:
            return "failed"
        return "not reached"

    def _supporting_facts(self, demands: Iterable[Demand]) -> tuple[Link, ...]:
        """Return the facts that are demanded, each with the step that made it true.

        Args:
            demands: Literals, each with the index of the step before which it is needed.

        Returns:
            Each literal as text, with the number of the step that made it true, 0 for the start.
            The facts of one demand are in the order in which they became true.
        """
        start = self._task.start
        # A dictionary without values, as an ordered set.
        facts: dict[Link, None] = {}
        for reads, step_index in demands:
            achieved = []
            for requirement in reads:
                for achiever in self._links.makers(requirement, step_index):
                    step_number = 0 if achiever is None else achiever + 1
                    is_bound = isinstance(requirement, Bound)
                    achieved.append((step_number, is_bound, requirement))
            # All facts come before all bounds: a fact and a bound cannot be compared.
            for step_number, _, requirement in sorted(achieved):
                facts[Link(_text_of(start, requirement), step_number)] = None
        return tuple(facts)

    def _explain_failure(self) -> tuple[Failure | None, Reads]:
        """Return the failed step with its violated conditions, and the literals that violate them.

        Returns:
            The failure, or None if every step was executed; and the literals.
        """
        finding = self._failed_step
        if finding is None or finding.step is None:
            return None, NOTHING
        # With an unknown name there is no condition that could fail.
        if finding.kind in GRAMMAR:
            return Failure(finding.step, finding.action, finding.kind, finding.message), NOTHING
        # The run stopped at this step, so its state is the one in which the conditions fail.
        action = self._plan[finding.step - 1]
        object_ids = self._run.numbers(action)
        arguments = self._run.arguments(action)
        violated_reads = self._links.failed(action.name, object_ids)
        supporting_steps = self._links.rests_on([(violated_reads, self._links.end)])
        trajectory = self._run.trajectory
        failed_conditions = []
        for test_index in self._world.failures(self._run.state, action.name, object_ids):
            test = self._world.test(action.name, test_index, arguments)
            failed_conditions.append(self._failed_condition(test, trajectory))
        failure = Failure(
            finding.step,
            finding.action,
            finding.kind,
            finding.message,
            tuple(failed_conditions),
            tuple([step_index + 1 for step_index in sorted(supporting_steps)]),
        )
        return failure, violated_reads

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
            self._supporting_facts([(violating, end)]),
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
    predicate_id, object_ids, is_true = requirement
    atom = Atom(
        state.layout.names[predicate_id],
        tuple([state.universe.names[object_id] for object_id in object_ids]),
    )
    return format_formula(atom if is_true else Not(atom))
