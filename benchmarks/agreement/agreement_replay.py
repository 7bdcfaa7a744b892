"""Executing the actions of published runs again.

The published evaluator turned the subgoals of a model into actions and executed these. The
subgoals were not published, the actions are; each run is compared like this:

- Every action of the executed sequence has to be executed here; refused actions are not in it.
- An action that ended the run has to be refused, with the same kind of error, in the state that
  the sequence leads to.
- An *additional* step did not end the run, and where it stood is not written down. Each subgoal
  became a FIND of its object and then an action on it, so the step stood behind a FIND of its
  object that is followed by the start of another subgoal, and behind the additional step before
  it. At one such place it has to be refused as additional.
- Where a run came to its end, the goal formula has to hold on the trajectory if and only if the
  task was counted as solved.
- The goals met by the final state are counted as there: state goals as often as they are
  annotated, every relation goal once, action goals each as a text somewhere in the sequence, up
  to the first that is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from agreement_items import Item, Row, Source, Tasks, compared, spaced
from agreement_runs import PublishedRun, UnreadRunError, read_action, read_run, runs_of

from eai.diagnosis import ErrorKind
from eai.errors import EaiError, UnknownNameError
from eai.logic import evaluate
from eai.simulators import Execution, Simulator, execute
from eai.suites.shared.store import StoredTask
from eai.suites.virtualhome import VirtualHome
from eai.suites.virtualhome.plans import simulator
from eai.suites.virtualhome.tasks import HomeStore
from eai.task import Task
from eai.world import Action, State

__all__ = ["Replay", "replay_sources"]

_ALL_EXECUTED = "all executed"
_STARTS = frozenset({"find", "walk", "puton", "sleep", "wakeup"})
"""Actions that a subgoal can begin with."""


def replay_sources(
    facts: Path, suite: VirtualHome, tasks: Tasks, *, sample: int | None, without: Sequence[str]
) -> Iterator[Source]:
    """Replay the published runs, one source for each model.

    Args:
        facts: The folder with `published_runs`.
        suite: The suite.
        tasks: Loads its tasks.
        sample: Number of runs per model, evenly spaced; None for all.
        without: Quirks to switch off.
    """
    folder = facts / "published_runs" / "virtualhome_subgoal_decomposition_error_info"
    world, goals = simulator(suite.semantics("official", without=without)), cache(HomeStore().task)
    for path in sorted(folder.glob("*.json.gz")):
        left_out: Counter[str] = Counter()
        name = f"published run, {path.name.removesuffix('.json.gz')}"
        items: list[Item] = []
        for identifier, record in spaced(list(runs_of(path).items()), sample):
            task = suite.canonical_id(identifier)
            try:
                run = read_run(record)
                if isinstance(run, str):
                    left_out[f"{run}, nothing was executed"] += 1
                    continue
                replay = Replay(run, tasks(task), goals(task), world)
                items.append(Item(f"{name}, {task}", replay.theirs, replay.ours))
            except (UnreadRunError, UnknownNameError) as reason:
                items.append(Item(f"{name}, {task}", {}, {"not replayed": _first_line(reason)}))
        yield compared(name, items, left_out)


class Replay:
    """One run, executed again.

    Args:
        run: The run.
        task: Its task.
        annotated: The task as annotated, with goals that are written twice.
        world: Where to execute it.
    """

    def __init__(
        self, run: PublishedRun, task: Task, annotated: StoredTask, world: Simulator
    ) -> None:
        self.run = run
        self.task = task
        self._annotated = annotated
        self._world = world
        self._steps = [read_action(step) for step in run.steps]

    @property
    def theirs(self) -> Row:
        """What was written down."""
        run = self.run
        return {
            "verdict": run.verdict,
            "executable": run.executable,
            "success": run.success,
            "steps": _ALL_EXECUTED,
            "errors": [(str(refusal.kind), str(refusal.action)) for refusal in run.refusals],
            **run.counts,
        }

    @property
    def ours(self) -> Row:
        """The same, from executing the actions again."""
        try:
            return self._row()
        except EaiError as error:
            return {"verdict": f"{type(error).__name__}: {_first_line(error)}"}

    def _row(self) -> Row:
        execution = self._execute(self._steps)
        errors = self._errors()
        steps = _ALL_EXECUTED if set(execution.executed) <= {"done"} else _refused(execution)
        stopped = steps != _ALL_EXECUTED or any(
            kind not in ("executed", str(ErrorKind.ADDITIONAL_STEP)) for kind, _ in errors
        )
        formula = self.task.goal.formula
        solved = formula is not None and bool(evaluate(formula, execution.trajectory))
        verdict = "Runtime" if stopped else "Correct" if solved else "GoalUnreachable"
        return {
            "verdict": verdict,
            "executable": not stopped,
            "success": verdict == "Correct",
            "steps": steps,
            "errors": errors,
            **self._counts(execution.trajectory.final),
        }

    def _execute(self, plan: Sequence[Action]) -> Execution:
        return execute(self._world, self.task.start, plan, agent=self.task.agent)

    def _errors(self) -> list[tuple[str, str]]:
        """What becomes of each action that was refused there."""
        errors: list[tuple[str, str]] = []
        reached = 0
        for refusal in self.run.refusals:
            kind, at = "executed", len(self._steps)
            places = [at]
            if refusal.kind is ErrorKind.ADDITIONAL_STEP:
                places = self._places(refusal.action, reached)
            for at in places:
                kind = self._outcome(at, refusal.action)
                if kind == str(refusal.kind):
                    break
            reached = at + 1
            errors.append((kind, str(refusal.action)))
        return errors

    def _places(self, action: Action, first: int) -> list[int]:
        """Numbers of steps after which an additional step can have stood."""
        steps = self._steps
        sought = Action("find", action.arguments[:1])
        return [
            at
            for at in range(max(first, 1), len(steps) + 1)
            if steps[at - 1] == sought and (at == len(steps) or steps[at].name in _STARTS)
        ]

    def _outcome(self, at: int, action: Action) -> str:
        """What an action comes to after so many steps: `executed`, or the kind of error."""
        execution = self._execute([*self._steps[:at], action])
        if execution.executed[-1] in ("failed", "skipped"):
            return str(execution.findings[-1].kind)
        return "executed"

    def _counts(self, final: State) -> Mapping[str, tuple[int, int]]:
        goals = [(predicate, tuple(names)) for predicate, *names in self._annotated.goal["final"]]
        states = [goal for goal in goals if len(goal[1]) == 1]
        relations = dict.fromkeys(goal for goal in goals if len(goal[1]) == 2)
        counts = {
            "state": (sum(final.holds(*goal) for goal in states), len(states)),
            "relation": (sum(final.holds(*goal) for goal in relations), len(relations)),
            "action": (self._actions_done(), len(self._annotated.goal["actions"])),
        }
        met, total = zip(*counts.values(), strict=True)
        return {**counts, "all": (sum(met), sum(total))}

    def _actions_done(self) -> int:
        actions = self._annotated.goal["actions"]
        for number, goal in enumerate(actions):
            if not any(name in step for name in goal.split("|") for step in self.run.steps):
                return number
        return len(actions)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _refused(execution: Execution) -> str:
    number = next(n for n, what in enumerate(execution.executed, start=1) if what != "done")
    return f"step {number} refused: {execution.findings[0].message}"
