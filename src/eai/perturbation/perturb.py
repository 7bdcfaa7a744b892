"""Fault injection: edits that make a plan wrong in a known way, and making sure that it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eai.abilities.plans import PlanLike, steps_of
from eai.agents import Assignment, format_plan
from eai.contract import Suite, plan_ability, refuse_without
from eai.contract.registry import given_suite
from eai.diagnosis import HARMLESS, RUNTIME, UNMET_KINDS, ErrorKind, Result
from eai.errors import InputError, check_name, names_checked
from eai.planning import Dice
from eai.semantics import Semantics
from eai.task import Task
from eai.world import Action

EDITS: Mapping[str, frozenset[ErrorKind]] = {
    "drop": frozenset(),
    "move": frozenset(),
    "swap": frozenset(),
    "duplicate": HARMLESS,
    "insert": frozenset(),
    "replace_object": frozenset(),
    "replace_action": frozenset(),
    "hallucinate_action": frozenset({ErrorKind.ACTION_HALLUCINATION}),
    "hallucinate_object": frozenset({ErrorKind.OBJECT_HALLUCINATION}),
    "argument_number": frozenset({ErrorKind.ARGUMENT_NUMBER}),
    "break_text": frozenset({ErrorKind.PARSING}),
}
"""Change of a plan to the kinds of error that it announces; empty if any will do."""

_OF_EXECUTION = frozenset({*RUNTIME, *UNMET_KINDS.values()})
"""Kinds of error that no edit announces, but that may come of any edit of the steps."""

ERRORS: Mapping[str, ErrorKind] = {
    kind.value: kind for kind in ErrorKind if kind in _OF_EXECUTION.union(*EDITS.values())
}
"""Kinds of error that can be asked for by name."""

KINDS: tuple[str, ...] = tuple(dict.fromkeys((*EDITS, *ERRORS)))
"""Everything that can be asked for: what is done to the plan, or the error that comes of it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One edit of a plan.

    Args:
        edit: Kind of the edit, a key of :data:`EDITS`.
        change: The same in words.
        step: 1-based number of the step of the plan before that is concerned; None for what is
            put in, or for the text as a whole.
        place: 1-based number of the step of the plan after it that is concerned; None if there is
            none.
    """

    edit: str
    plan: tuple[Action, ...]
    change: str
    step: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A wrong plan, as text, and its label.

    Args:
        answer: The wrong plan, as a model would write it.
        errors: The kinds of error that the evaluator finds in it and not in the plan before, each
            with the number of the step, or None.
        before: Whether the plan before solves the task.
        success: Whether the wrong plan solves the task.
        verified: Whether the errors are what the kind announces and, if the plan before was
            successful, whether this one is not (except for additional steps, which do no harm).
    """

    task: str
    kind: str
    seed: int
    fault: Fault
    answer: str
    errors: tuple[tuple[ErrorKind, int | None], ...] = ()
    before: bool = False
    success: bool = False
    verified: bool = False

    @property
    def plan(self) -> tuple[Action, ...]:
        """The wrong plan."""
        return self.fault.plan

    def prediction(self) -> dict[str, str]:
        """Return the answer as a line of a file of predictions."""
        return {"id": self.task, "output": self.answer}

    def label(self) -> dict[str, Any]:
        """Return all fields except the answer's text as data for JSON."""
        fault = self.fault
        return {
            "id": self.task,
            "kind": self.kind,
            "seed": self.seed,
            "edit": fault.edit,
            "change": fault.change,
            "step": fault.step,
            "place": fault.place,
            "plan": [str(action) for action in fault.plan],
            "errors": [{"kind": kind.value, "step": step} for kind, step in self.errors],
            "before": self.before,
            "success": self.success,
            "verified": self.verified,
        }

    def __str__(self) -> str:
        verdict = "still solved" if self.success else "not solved"
        text = f"{self.task}: {self.fault.change}; {verdict}"
        errors = []
        for kind, step in self.errors:
            error = str(kind)
            if step:
                error += f" (step {step})"
            errors.append(error)
        if errors:
            text += f": {', '.join(errors)}"
        return text


_Plan = tuple[Action, ...]

# Names for hallucinations: no home of any suite has such actions and objects.
_VERBS = ("teleport", "vacuum", "photograph", "assemble", "measure", "paint", "juggle", "weld")
_NOUNS = ("hammock", "trampoline", "aquarium", "lawnmower", "harmonica", "telescope", "anvil")
_NUMBERED_NAME = re.compile(r"(.*[._])(\d+)")
"""A name with its number: ``fridge.40``, ``fridge_40``."""


def apply_edit(edit: str, plan: _Plan, task: Task, dice: Dice) -> Fault | None:
    """Return a plan with an error at a random place, or None if nothing changes there.

    Args:
        edit: A key of :data:`EDITS`, except ``"break_text"``.
        plan: The plan.
        task: Its task.
        dice: The source of all random choices.
    """
    if edit != "insert" and not plan:
        return None
    fault = _EDITS[edit](plan, task, dice)
    if fault is None or fault.plan == plan:
        return None
    return fault


def cut_off_end(text: str, dice: Dice) -> str:
    """Return the beginning of an answer: between a quarter and three quarters of its text."""
    end = len(text) // 4 + dice.below(max(len(text) // 2, 1))
    return text[:end]


# The edits. Indices of steps count from 0; steps in words and in faults count from 1.


def _drop_step(plan: _Plan, _task: Task, dice: Dice) -> Fault:
    """Leave a step out."""
    step_index = dice.below(len(plan))
    remaining = plan[:step_index] + plan[step_index + 1 :]
    change = f"step {step_index + 1}, {plan[step_index]}, left out"
    return Fault("drop", remaining, change, step_index + 1)


def _move_step(plan: _Plan, _task: Task, dice: Dice) -> Fault:
    """Move a step to another position."""
    old_index = dice.below(len(plan))
    new_index = dice.below(len(plan))
    step = plan[old_index]
    # The new index counts the steps without the moved one, so it is the index of the result.
    other_steps = plan[:old_index] + plan[old_index + 1 :]
    faulty_plan = (*other_steps[:new_index], step, *other_steps[new_index:])
    change = f"step {old_index + 1}, {step}, moved to place {new_index + 1}"
    return Fault("move", faulty_plan, change, old_index + 1, new_index + 1)


def _swap_steps(plan: _Plan, _task: Task, dice: Dice) -> Fault:
    """Exchange two steps."""
    first_index, second_index = sorted((dice.below(len(plan)), dice.below(len(plan))))
    faulty_plan = list(plan)
    faulty_plan[first_index] = plan[second_index]
    faulty_plan[second_index] = plan[first_index]
    change = (
        f"steps {first_index + 1}, {plan[first_index]}, and "
        f"{second_index + 1}, {plan[second_index]}, exchanged"
    )
    return Fault("swap", tuple(faulty_plan), change, first_index + 1, first_index + 1)


def _duplicate_step(plan: _Plan, _task: Task, dice: Dice) -> Fault:
    """Do a step twice."""
    step_index = dice.below(len(plan))
    change = f"step {step_index + 1}, {plan[step_index]}, done twice"
    return Fault(
        "duplicate",
        (*plan[: step_index + 1], *plan[step_index:]),
        change,
        step_index + 1,
        step_index + 2,
    )


def _insert_step(plan: _Plan, task: Task, dice: Dice) -> Fault:
    """Insert a step with a random action and random objects."""
    step_index = dice.below(len(plan) + 1)
    action_name = dice.choice(sorted(task.vocabulary.actions))
    objects = sorted(task.vocabulary.objects)
    arguments: list[str] = []
    if objects:
        arity = task.vocabulary.actions[action_name]
        arguments = [dice.choice(objects) for _ in range(arity)]
    new_step = Action(action_name, tuple(arguments))
    faulty_plan = (*plan[:step_index], new_step, *plan[step_index:])
    change = f"{new_step} put in as step {step_index + 1}"
    return Fault("insert", faulty_plan, change, None, step_index + 1)


def _replace_step(edit: str, plan: _Plan, step_index: int, new_step: Action) -> Fault:
    """Return a plan in which one step is replaced by another.

    Args:
        edit: Name of the edit that does this: ``"replace_object"``.
        plan: The plan.
        step_index: Index of the step, from 0.
        new_step: The step that takes its place.
    """
    change = f"step {step_index + 1}, {plan[step_index]}, replaced by {new_step}"
    return Fault(
        edit,
        (*plan[:step_index], new_step, *plan[step_index + 1 :]),
        change,
        step_index + 1,
        step_index + 1,
    )


def _replace_random_object(
    plan: _Plan, task: Task, dice: Dice, names: Sequence[str], edit: str
) -> Fault | None:
    """Return the plan with another object in one step, or None without objects.

    Args:
        plan: The plan.
        task: Its task.
        dice: The source of all random choices.
        names: The objects among which the other one is drawn.
        edit: The edit, for the fault that is returned.
    """
    objects = task.vocabulary.objects
    # Index of a step to the indices of its arguments that are objects.
    replaceable_arguments: dict[int, list[int]] = {}
    for step_index, step in enumerate(plan):
        for argument_index, name in enumerate(step.arguments):
            if name in objects:
                replaceable_arguments.setdefault(step_index, []).append(argument_index)
    if not replaceable_arguments or not names:
        return None
    chosen_step = dice.choice(list(replaceable_arguments))
    arguments = list(plan[chosen_step].arguments)
    argument_index = dice.choice(replaceable_arguments[chosen_step])
    arguments[argument_index] = dice.choice(names)
    return _replace_step(
        edit, plan, chosen_step, replace(plan[chosen_step], arguments=tuple(arguments))
    )


def _replace_object(plan: _Plan, task: Task, dice: Dice) -> Fault | None:
    """Replace an object in a step by another one of the task."""
    candidates = sorted(task.vocabulary.objects)
    used_objects: set[str] = set()
    for step in plan:
        used_objects.update(step.arguments)
    # An object that the plan handles elsewhere makes the mistake harder to notice.
    if dice.below(2):
        candidates = [name for name in candidates if name in used_objects]
    return _replace_random_object(plan, task, dice, candidates, "replace_object")


_MAX_RENUMBERED = 7
"""About how many nouns of the task are among the invented names, with an unused number."""


def _hallucinate_object(plan: _Plan, task: Task, dice: Dice) -> Fault | None:
    """Replace an object in a step by one that the task does not have.

    The new name is an invented noun (``hammock.99``), or a noun of the task with an unused number
    (``fridge.99``), which is harder to notice.

    Args:
        plan: The plan.
        task: Its task.
        dice: The source of all random choices.

    Returns:
        The plan with the new name; None if no step has an object.
    """
    task_objects = task.start.universe.index
    name_matches = []
    for name in sorted(task_objects):
        name_match = _NUMBERED_NAME.fullmatch(name)
        if name_match is not None:
            name_matches.append(name_match)
    # Invented names have the task's separator, and a number above all of the task's own.
    separator = "_"
    highest_number = 0
    if name_matches:
        separator = name_matches[0][1][-1]
        highest_number = max(int(name_match[2]) for name_match in name_matches)
    unused_number = highest_number + 1 + dice.below(9)
    invented_names = [f"{noun}{separator}{unused_number}" for noun in _NOUNS]
    # About as many nouns of the task as invented ones, so that either kind may be drawn.
    for name_match in name_matches:
        if dice.below(len(name_matches)) < _MAX_RENUMBERED:
            invented_names.append(f"{name_match[1]}{unused_number}")
    names = [name for name in invented_names if name not in task_objects]
    return _replace_random_object(plan, task, dice, names, "hallucinate_object")


def _replace_action(plan: _Plan, task: Task, dice: Dice) -> Fault | None:
    """Replace the action of a step by another one of the same arity."""
    step_index = dice.below(len(plan))
    old_step = plan[step_index]
    candidates = []
    for name, arity in sorted(task.vocabulary.actions.items()):
        if arity == len(old_step.arguments) and name != old_step.name:
            candidates.append(name)
    if not candidates:
        return None
    new_step = replace(old_step, name=dice.choice(candidates))
    return _replace_step("replace_action", plan, step_index, new_step)


def _hallucinate_action(plan: _Plan, task: Task, dice: Dice) -> Fault:
    """Put an action into the plan that the task does not have."""
    step_index = dice.below(len(plan))
    invented_names = [verb for verb in _VERBS if verb not in task.vocabulary.actions]
    return _replace_step(
        "hallucinate_action",
        plan,
        step_index,
        replace(plan[step_index], name=dice.choice(invented_names)),
    )


def _change_argument_number(plan: _Plan, task: Task, dice: Dice) -> Fault | None:
    """Remove an argument from a step, or add one."""
    step_index = dice.below(len(plan))
    arguments = plan[step_index].arguments
    # In one of two cases an argument is removed, if there is any.
    if arguments and dice.below(2):
        wrong_arguments = arguments[:-1]
    elif task.vocabulary.objects:
        wrong_arguments = (*arguments, dice.choice(sorted(task.vocabulary.objects)))
    else:
        return None
    return _replace_step(
        "argument_number", plan, step_index, replace(plan[step_index], arguments=wrong_arguments)
    )


_EDITS: Mapping[str, Callable[[_Plan, Task, Dice], Fault | None]] = {
    "drop": _drop_step,
    "move": _move_step,
    "swap": _swap_steps,
    "duplicate": _duplicate_step,
    "insert": _insert_step,
    "replace_object": _replace_object,
    "replace_action": _replace_action,
    "hallucinate_action": _hallucinate_action,
    "hallucinate_object": _hallucinate_object,
    "argument_number": _change_argument_number,
}


TRIES = 200
"""Maximum number of wrong plans that are tried until one is wrong in the intended way."""


@names_checked
def perturb(
    suite: str | Suite,
    task: str | Task,
    plan: PlanLike | None = None,
    kind: str = "drop",
    *,
    seed: int = 0,
    harmful: bool = True,
    semantics: str | Semantics = "strict",
) -> Perturbation:
    """Return a plan with a known error injected.

    The wrong plan is written as an answer and evaluated, so its label has the errors that an
    evaluator finds, not the intended ones.

    Args:
        suite: The suite that the task is from, or its name.
        task: The task, or its identifier.
        plan: The plan: its steps, their texts, an answer from which they are read, or a record or
            result whose plan is meant; by default the first reference plan of the task.
        kind: One of :data:`~eai.perturbation.KINDS`: what is done to the plan (``"drop"``), or the
            error that comes of it (``"missing_step"``).
        seed: With the same seed, the same wrong plan, on every platform.
        harmful: Whether a wrong plan has to be verified: it has the errors that the kind
            announces, and it no longer solves a task that the plan solved (unless the error is an
            additional step, which never does harm). Otherwise the first edit is taken as it comes.
        semantics: Under which semantics it is evaluated.

    Raises:
        UnknownNameError: If there is no such kind, task or suite.
        InputError: If the plan cannot be read or made wrong like this, or 200 tries were in vain.
        DataMissingError: If the suite's data was not fetched.
    """
    check_name("kind of perturbation", kind, KINDS)
    return _inject_error(Assignment.of(suite, task, semantics), plan, kind, seed, harmful=harmful)


def perturb_suite(
    suite: str | Suite,
    kind: str = "drop",
    *,
    seed: int = 0,
    harmful: bool = True,
    semantics: str | Semantics = "strict",
    tasks: Iterable[str] | None = None,
) -> Iterator[Perturbation]:
    """Yield the first reference plan of every task with an error, where that is possible.

    Args:
        suite: The suite, or its name.
        kind: As for :func:`perturb`; ``"any"`` draws one of the edits for every task.
        seed: Seed of all draws.
        harmful: As for :func:`perturb`.
        semantics: The semantics of the evaluation.
        tasks: Identifiers of the tasks; by default all.

    Raises:
        UnknownNameError: If there is no such kind, suite or task, or the suite does not evaluate
            plans.
        DataMissingError: If the suite's data was not fetched.
    """
    check_name("kind of perturbation", kind, (*KINDS, "any"))
    chosen_suite = given_suite(suite)
    refuse_without(chosen_suite, plan_ability(chosen_suite))
    task_ids = chosen_suite.task_ids() if tasks is None else tasks
    for task_id in task_ids:
        task_kind = kind
        if kind == "any":
            # The task is part of the seed, so that the choice does not depend on other tasks.
            task_kind = Dice(f"{seed}/{task_id}").choice(tuple(EDITS))
        try:
            assignment = Assignment.of(chosen_suite, task_id, semantics)
            yield _inject_error(assignment, None, task_kind, seed, harmful=harmful)
        except _NotMadeError:
            continue


class _NotMadeError(InputError):
    """Raised if no such error can be injected into a plan."""


def _inject_error(
    assignment: Assignment, source: PlanLike | None, kind: str, seed: int, *, harmful: bool
) -> Perturbation:
    """Return a plan with an injected error.

    Edits are drawn at random until the evaluator finds the requested error in the edited plan. So
    the label states the actual error, not the intended one.

    Args:
        assignment: The task with its suite and semantics.
        source: The plan, or what it is read from; by default the first reference plan.
        kind: The kind of edit, or of error.
        seed: Seed of all draws.
        harmful: Whether the errors have to be those that the edit announces.

    Raises:
        InputError: If no such plan is found.
    """
    task = assignment.task
    suite = assignment.suite
    if source is None:
        if not task.plans:
            raise _NotMadeError(f"the task {task.id!r} has no reference plan", mend="give a plan")
        source = task.plans[0]
    plan = steps_of(task, source)
    original_result = assignment.evaluate(format_plan(suite, plan))
    # Separate random numbers for each task and kind, so that these do not affect each other.
    dice = Dice(f"{seed}/{task.id}/{kind}")
    max_tries = TRIES if _is_possible(kind, original_result) else 0
    for _ in range(max_tries):
        edit = dice.choice(_edits_for(kind))
        faulty = _faulty_answer(edit, plan, task, suite, dice)
        if faulty is None:
            continue
        fault, answer = faulty
        result = assignment.evaluate(answer)
        errors = _new_errors(original_result, result)
        has_requested_error = _has_requested_error(kind, errors, original_result, result)
        if has_requested_error or (not harmful and kind in EDITS):
            return Perturbation(
                task.id,
                kind,
                seed,
                fault,
                answer,
                errors,
                before=original_result.success,
                success=result.success,
                verified=has_requested_error,
            )
    raise _NotMadeError(
        f"no plan of kind {kind!r} was found in {TRIES} tries",
        where=f"task {task.id!r}",
        expected="a plan that can go wrong like this",
        mend="take another kind or seed, or harmful=False",
    )


def _is_possible(kind: str, original_result: Result) -> bool:
    """Return whether a plan can have an error of a kind.

    An unmet goal (``"state_goal"``) needs conditions of that kind (``"state"``) in the goal. All
    other errors can be tried.
    """
    goal_kind = kind.removesuffix("_goal")
    if goal_kind == kind:
        return True
    return any(condition.kind == goal_kind for condition in original_result.goals)


def _new_errors(original_result: Result, changed_result: Result) -> _Errors:
    """Return the errors of a changed plan that the original plan does not have.

    Errors are compared without their steps, since an edit shifts the steps.

    Args:
        original_result: Result of the original plan.
        changed_result: Result of the changed plan.

    Returns:
        The kind of each new error with its step.
    """
    # A multiset: an error that occurs twice may be new once.
    old_findings = Counter(
        (finding.kind, finding.conditions) for finding in original_result.findings
    )
    new_errors = []
    for finding in changed_result.findings:
        key = (finding.kind, finding.conditions)
        if old_findings[key]:
            old_findings[key] -= 1
        else:
            new_errors.append((finding.kind, finding.step))
    return tuple(new_errors)


_Errors = tuple[tuple[ErrorKind, "int | None"], ...]


def _edits_for(kind: str) -> Sequence[str]:
    """Return the edits among which one is drawn: the kind itself, or those that lead to it."""
    if kind in EDITS:
        return (kind,)
    return _EDITS_FOR.get(ERRORS[kind], _RUNTIME_EDITS)


def _faulty_answer(
    edit: str, plan: _Plan, task: Task, suite: Suite, dice: Dice
) -> tuple[Fault, str] | None:
    """Return a plan after an edit with its text, or None if the edit cannot be made.

    Args:
        edit: Name of the edit; ``"break_text"`` leaves the plan as it is and cuts its text off.
        plan: The plan.
        task: The task of the plan.
        suite: The suite, which writes plans as text.
        dice: Random numbers for the choices of the edit.
    """
    if edit == "break_text":
        # The plan stays as it is: its text ends too early.
        answer = cut_off_end(format_plan(suite, plan), dice)
        return Fault(edit, plan, f"text cut after {len(answer)} characters"), answer
    fault = apply_edit(edit, plan, task, dice)
    if fault is None:
        return None
    return fault, format_plan(suite, fault.plan)


def _has_requested_error(
    kind: str, errors: _Errors, original_result: Result, changed_result: Result
) -> bool:
    """Return whether a changed plan is wrong in the requested way.

    Args:
        kind: An edit (``"drop"``), which stands for the kinds of error in :data:`EDITS`, or a kind
            of error (``"missing_step"``).
        errors: The errors of the changed plan that the original one does not have.
        original_result: Result of the plan before it was changed.
        changed_result: Result of the changed plan.
    """
    error_kinds = [error for error, _ in errors]
    if kind in EDITS:
        expected_kinds = EDITS[kind]
        # An edit without expected kinds may lead to any error.
        has_expected_error = not expected_kinds or not expected_kinds.isdisjoint(error_kinds)
        # A step that is done twice may change nothing at all.
        may_be_harmless = kind == "duplicate" and bool(error_kinds)
        is_harmless = may_be_harmless and all(error.is_harmless for error in error_kinds)
    else:
        # Only the first error decides which kind of error a plan has.
        has_expected_error = error_kinds[:1] == [ERRORS[kind]]
        is_harmless = has_expected_error and ERRORS[kind].is_harmless
    if not has_expected_error:
        return False
    if is_harmless:
        return True
    if changed_result.success:
        return False
    # A plan that failed before has to fail in a new way.
    return original_result.success or bool(errors)


# Edits that may lead to any error of an execution.
_RUNTIME_EDITS = ("drop", "move", "swap", "insert", "replace_object", "replace_action")


def _edits_by_error() -> dict[ErrorKind, list[str]]:
    """Return the edits that may cause each kind of error."""
    edits: dict[ErrorKind, list[str]] = {}
    for edit, expected_kinds in EDITS.items():
        for error_kind in expected_kinds:
            edits.setdefault(error_kind, []).append(edit)
    return edits


_EDITS_FOR = _edits_by_error()
