"""Making plans wrong, and making sure that they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from eai.agents.oracle import Assignment, format_plan
from eai.contract import Suite, refuse_without
from eai.diagnosis.judgement import Judgement
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import InputError, UnknownNameError
from eai.perturbation.edits import edited, torn
from eai.perturbation.faults import EDITS, ERRORS, KINDS, Fault, Perturbation
from eai.planning.ordering.dice import Dice
from eai.plans import PlanLike, steps_of
from eai.registry import given_suite
from eai.semantics import Semantics
from eai.task import Task
from eai.world.action import Action

__all__ = ["TRIES", "perturb", "perturb_suite"]

TRIES = 200
"""So many wrong plans are tried until one is wrong as it should be."""


def perturb(
    task: str | Task,
    plan: PlanLike | None = None,
    kind: str = "drop",
    *,
    suite: str | Suite = "virtualhome",
    seed: int = 0,
    harmful: bool = True,
    semantics: str | Semantics = "strict",
) -> Perturbation:
    """Make a plan wrong in a known way.

    The wrong plan is written as an answer and judged, so that its label says what a judge finds in
    it, not what was intended.

    Args:
        task: The task, or its identifier.
        plan: The plan: its steps, their texts, an answer from which they are read, or a record or
            judgement whose plan is meant; by default the first reference plan of the task.
        kind: One of :data:`~eai.perturbation.KINDS`: what is done to the plan (``"drop"``), or the
            error that comes of it (``"missing_step"``).
        suite: The suite that the task is from, or its name.
        seed: With the same seed, the same wrong plan, on every platform.
        harmful: Whether a wrong plan has to be verified: it has the errors that the kind
            announces, and it no longer solves a task that the plan solved (unless the error is an
            additional step, which never does harm). Otherwise the first edit is taken as it comes.
        semantics: Under which semantics it is judged.

    Raises:
        UnknownNameError: If there is no such kind, task or suite.
        InputError: If the plan cannot be read or made wrong like this, or 200 tries were in vain.
        DataMissingError: If the suite's data was not fetched.
    """
    if kind not in KINDS:
        raise UnknownNameError("kind of perturbation", kind, KINDS)
    workshop = _Workshop(Assignment.of(task, suite, semantics), plan)
    return workshop.made(kind, seed, harmful=harmful)


def perturb_suite(
    suite: str | Suite,
    kind: str = "drop",
    *,
    seed: int = 0,
    harmful: bool = True,
    semantics: str | Semantics = "strict",
    tasks: Iterable[str] | None = None,
) -> Iterator[Perturbation]:
    """Make the first reference plan of every task wrong; tasks for which that fails are left out.

    Args:
        suite: The suite, or its name.
        kind: As for :func:`perturb`; ``"any"`` draws one of the edits for every task.
        seed: With the same seed, the same wrong plans.
        harmful: As for :func:`perturb`.
        semantics: Under which semantics they are judged.
        tasks: Identifiers of the tasks; by default all.

    Raises:
        UnknownNameError: If there is no such kind, suite or task, or the suite does not judge
            plans.
        DataMissingError: If the suite's data was not fetched.
    """
    if kind not in (*KINDS, "any"):
        raise UnknownNameError("kind of perturbation", kind, (*KINDS, "any"))
    chosen = given_suite(suite)
    refuse_without(chosen)
    for name in chosen.task_ids() if tasks is None else tasks:
        which = Dice(f"{seed}/{name}").choice(tuple(EDITS)) if kind == "any" else kind
        try:
            workshop = _Workshop(Assignment.of(name, chosen, semantics), None)
            yield workshop.made(which, seed, harmful=harmful)
        except _NotMadeError:
            continue


class _NotMadeError(InputError):
    """A plan cannot be made wrong in this way."""


class _Workshop:
    """Makes one plan wrong."""

    def __init__(self, assignment: Assignment, plan: PlanLike | None) -> None:
        self._assignment = assignment
        self._task = assignment.task
        if plan is None and not self._task.plans:
            raise _NotMadeError(
                f"the task {self._task.id!r} has no reference plan", mend="give a plan"
            )
        self._plan = steps_of(self._task, self._task.plans[0] if plan is None else plan)
        self._before = assignment.judge(self._written(self._plan))

    def _written(self, plan: Sequence[Action]) -> str:
        return format_plan(plan, self._assignment.suite)

    def made(self, kind: str, seed: int, *, harmful: bool) -> Perturbation:
        dice = Dice(f"{seed}/{self._task.id}/{kind}")
        edits = (kind,) if kind in EDITS else _EDITS_FOR.get(ERRORS[kind], _RUNTIME_EDITS)
        for _ in range(TRIES if self._can_go_wrong(kind) else 0):
            edit = dice.choice(edits)
            fault, answer = self._fault(edit, dice)
            if fault is not None:
                found = self._judged(kind, seed, fault, answer)
                if found.verified or (not harmful and kind in EDITS):
                    return found
        raise _NotMadeError(
            f"no plan of kind {kind!r} was found in {TRIES} tries",
            where=f"task {self._task.id!r}",
            expected="a plan that can go wrong like this",
            mend="take another kind or seed, or harmful=False",
        )

    def _can_go_wrong(self, kind: str) -> bool:
        """Whether there is anything of what has to go wrong."""
        goal = kind.removesuffix("_goal")
        return goal == kind or any(condition.kind == goal for condition in self._before.goals)

    def _fault(self, edit: str, dice: Dice) -> tuple[Fault | None, str]:
        if edit == "break_text":
            text = torn(self._written(self._plan), dice)
            return Fault(edit, self._plan, f"text cut after {len(text)} characters"), text
        fault = edited(edit, self._plan, self._task, dice)
        return fault, "" if fault is None else self._written(fault.plan)

    def _judged(self, kind: str, seed: int, fault: Fault, answer: str) -> Perturbation:
        judgement = self._assignment.judge(answer)
        errors = _new_errors(self._before, judgement)
        kinds = {error for error, _ in errors}
        if kind in EDITS:
            announced = not EDITS[kind] or not EDITS[kind].isdisjoint(kinds)
            harmless = kinds == {ErrorKind.ADDITIONAL_STEP} and kind == "duplicate"
        else:
            # The first error is the one that decides.
            announced = bool(errors) and errors[0][0] is ERRORS[kind]
            harmless = ERRORS[kind] is ErrorKind.ADDITIONAL_STEP
        worse = not judgement.success and (self._before.success or bool(errors))
        return Perturbation(
            self._task.id,
            kind,
            seed,
            fault,
            answer,
            errors,
            before=self._before.success,
            success=judgement.success,
            verified=announced and (worse or harmless),
        )


_RUNTIME_EDITS = ("drop", "move", "swap", "insert", "replace_object", "replace_action")

_EDITS_FOR = {
    error: tuple(edit for edit, announced in EDITS.items() if error in announced)
    for error in frozenset().union(*EDITS.values())
}


def _new_errors(before: Judgement, after: Judgement) -> tuple[tuple[ErrorKind, int | None], ...]:
    """The errors of one judgement that another one does not have."""
    old = Counter((finding.kind, finding.conditions) for finding in before.findings)
    new = []
    for finding in after.findings:
        key = (finding.kind, finding.conditions)
        if old[key]:
            old[key] -= 1
        else:
            new.append((finding.kind, finding.step))
    return tuple(new)
