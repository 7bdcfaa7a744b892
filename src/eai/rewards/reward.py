"""The reward function: identifiers of tasks and completions in, numbers out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from eai.contract import INTERACTION, PLANS, RULED, Suite, chosen_ability, given_rules
from eai.contract.registry import given_suite
from eai.diagnosis import TaskRules, formulas_for
from eai.errors import InputError, UnknownNameError
from eai.rewards.attempts import Attempt, Weights
from eai.rewards.completions import listed, text_of
from eai.rewards.progress import AttemptFunction, attempt_function
from eai.semantics import Semantics
from eai.task import Task

KINDS = ("graded", "repair", "binary")
"""Kinds of reward."""


class Reward:
    """Rewards for answers to the tasks of a suite, each in [0, 1].

    It is a function of task and completion alone: the order, the size of a batch, threads and
    processes make no difference. It can be pickled; tasks are prepared when they first occur and
    kept with the object, not in its pickle.

    Args:
        suite: Name of a suite, ``module:attribute``, or a suite object.
        ability: The ability that the completions are about; by default action sequencing, or the
            suite's only one.
        kind: ``"binary"``: 1 for a solved task, else 0. ``"graded"`` (plans, and
            episodes): a solved task gives 1, any other answer less, by its progress (see
            :class:`Weights`).
            ``"repair"`` (action sequencing under ``strict`` only): by the number of edits to a
            plan that works, which takes longer.
        semantics: The semantics of the verdict; ``"strict"`` by default, since the published
            evaluator (``"official"``) can be satisfied by plans that do not run.
        weights: The weights of a graded reward.
        column: Name of the data set's column with the identifiers of tasks, for trainers.
        rules: Rules that an answer has to keep on the way, beside the task's own: a file of rules,
            or a list, each for the tasks that have what it speaks of. An answer that breaks one
            does not solve the task; :attr:`Attempt.broken` names the rules.

    Raises:
        InputError: If the kind does not fit the ability, or an argument cannot be used.
        UnknownNameError: If the suite, the ability, the kind or the semantics is not known.

    Example:
        >>> score = Reward("household")
        >>> score.score("studio-01", ['[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]', "no"])
        [1.0, 0.0]
    """

    def __init__(
        self,
        suite: str | Suite,
        ability: str | None = None,
        *,
        kind: str = "graded",
        semantics: str | Semantics = "strict",
        weights: Weights | None = None,
        column: str = "task",
        rules: object = None,
    ) -> None:
        """Check that the arguments fit each other; no task is prepared yet."""
        loaded_suite = given_suite(suite)
        ability = chosen_ability(loaded_suite, ability)
        if kind not in KINDS:
            raise UnknownNameError("kind of reward", str(kind), KINDS)
        _refuse_kind_without_measure(kind, ability, loaded_suite)
        if weights is not None and not isinstance(weights, Weights):
            raise InputError(
                f"weights are {type(weights).__name__}",
                expected="eai.rewards.Weights(goals=..., way=..., left=...)",
            )
        self.ability = ability
        self.kind = kind
        self.semantics = loaded_suite.semantics(semantics)
        if kind == "repair" and self.semantics.quirks:
            raise InputError(
                "the repair reward needs strict semantics", expected="semantics='strict'"
            )
        self.weights = weights or Weights()
        self.column = column
        self.rules = given_rules(rules, loaded_suite, ability)
        self.__name__ = f"{loaded_suite.name}_{ability}_{kind}"
        self.suite = suite
        self._suite = loaded_suite
        self._attempts: dict[str, AttemptFunction | str] = {}

    def __repr__(self) -> str:
        return (
            f"Reward({self._suite.name!r}, {self.ability!r}, kind={self.kind!r}, "
            f"semantics={str(self.semantics)!r})"
        )

    def __getstate__(self) -> dict[str, object]:
        """Return the state without prepared tasks; another process prepares them once."""
        return {**vars(self), "_attempts": {}, "_suite": None}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self._suite = given_suite(self.suite)
        if isinstance(self.suite, str):
            settings = (self.suite, self.ability, self.kind, self.semantics, self.rules)
            self._attempts = _prepared_attempts(*settings)

    def __call__(
        self, prompts: object = None, completions: object = (), **columns: object
    ) -> list[float]:
        """Return the rewards of a batch, called as trainers do, such as TRL's ``GRPOTrainer``.

        Args:
            prompts: Ignored: the column with the tasks says what was asked.
            completions: Texts, or lists of chat messages, as for :meth:`score`.
            columns: The columns of the data set, among them the one named :attr:`column`. Others
                are ignored.

        Raises:
            InputError: If there is no such column, or as for :meth:`score`.
        """
        del prompts
        if self.column not in columns:
            column_names = ", ".join(columns) or "none"
            raise InputError(
                f"the dataset has no column {self.column!r}",
                expected=f"a column with the identifiers of tasks; given: {column_names}",
                mend="name it: Reward(..., column=...)",
            )
        return self.score(columns[self.column], completions)

    def score(self, tasks: object, completions: object) -> list[float]:
        """Return the rewards of completions.

        Args:
            tasks: The identifier of the task of all completions, or one for each.
            completions: Texts, chat messages, answers that were parsed, or None (no answer, which
                is worth 0; see :func:`eai.rewards.completions.text_of`); lists, arrays, series.

        Returns:
            One number for each completion, in order.

        Raises:
            InputError: If the numbers differ, something is no text, or a task cannot be rewarded
                (the suite leaves it out, or the empty plan solves it).
            UnknownNameError: If there is no such task.
            DataMissingError: If the suite's data was not fetched.
        """
        names, texts = listed(tasks, completions)
        rewards = [0.0] * len(texts)
        try:
            for name, rows in _rows_by_task(names).items():
                attempt_of = self._attempt_function(name)
                # Answers repeat within a batch, and one look-up tells what was paid before.
                values: dict[str | None, float] = {}
                for row in rows:
                    answer = texts[row]
                    # Most completions are texts, which need no call.
                    if type(answer) is not str:
                        answer = text_of(answer)
                    value = values.get(answer)
                    if value is None:
                        value = values[answer] = self.value(attempt_of(answer))
                    rewards[row] = value
        except UnknownNameError as error:
            # The arguments may have been given in the wrong order.
            ids = frozenset(self._suite.task_ids())
            if any(isinstance(text, str) and text in ids for text in texts):
                error.mend = "the tasks come first, then the completions"
            raise
        return rewards

    def value(self, attempt: Attempt) -> float:
        """Return the reward of an achievement, by the kind and the weights of this object."""
        if self.kind == "binary":
            return float(attempt.solved)
        if self.kind == "graded":
            return self.weights.value(attempt)
        return self.weights.nearness(attempt)

    def attempt(self, task: str, completion: object) -> Attempt:
        """Return the achievement of one completion (see :meth:`score` for errors)."""
        return self._attempt_function(task)(text_of(completion))

    def _attempt_function(self, name: str) -> AttemptFunction:
        """Return the function for the answers to a task.

        Raises:
            InputError: If the task cannot be rewarded.
        """
        prepared = self._prepare_task(name)
        if isinstance(prepared, str):
            raise InputError(
                f"task {name!r} cannot be rewarded: {prepared}",
                expected="a task that the suite counts and that is not solved at the start",
                mend="leave it out: Reward.tasks() lists the others",
            )
        return prepared

    def tasks(self) -> list[str]:
        """Return the identifiers of the tasks that can be rewarded, in the suite's order.

        Raises:
            InputError: If the description of a task has a mistake.
            DataMissingError: If the suite's data was not fetched.
        """
        return [
            name for name in self._suite.task_ids() if not isinstance(self._prepare_task(name), str)
        ]

    def _prepare_task(self, name: str) -> AttemptFunction | str:
        """Return the function for a task, or the reason why it has none; each is made once."""
        prepared = self._attempts.get(name)
        if prepared is None:
            task = self._suite.task(self._suite.canonical_id(name))
            prepared = attempt_function(
                self._suite,
                self.ability,
                task,
                semantics=self.semantics,
                kind=self.kind,
                rules=self._rules_of(task),
            )
            self._attempts[name] = prepared
        return prepared

    def _rules_of(self, task: Task) -> TaskRules | None:
        """Return the rules of a task; None if there are none, or answers are not run."""
        if self.ability not in RULED or not (self.rules or task.rules):
            return None
        return TaskRules(tuple(formulas_for(task, task.id, self.rules)))


def _refuse_kind_without_measure(kind: str, ability: str, suite: Suite) -> None:
    """Raise an error if answers for an ability cannot be measured as a kind of reward demands.

    Raises:
        InputError: If the ability has no reward of this kind.
    """
    abilities_of_kind = {"graded": (PLANS, INTERACTION), "repair": (PLANS,)}
    if kind not in abilities_of_kind or ability in abilities_of_kind[kind]:
        return
    if kind == "graded" and suite.abilities[ability].graded:
        return  # the suite measures these answers itself
    raise InputError(
        f"there is no {kind} reward for {ability}",
        expected=f"the ability {' or '.join(abilities_of_kind[kind])}, or kind='binary'",
    )


def _rows_by_task(names: Sequence[str]) -> dict[str, list[int]]:
    """Return the row indices of each task in a batch; tasks are in the order of their first rows.

    A batch is scored task by task, whatever its order: what is remembered of one task then stays in
    the processor's caches, which saves a tenth of the time or more.
    """
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows.setdefault(name, []).append(row)
    return rows


@lru_cache(maxsize=16)
def _prepared_attempts(*_settings: object) -> dict[str, AttemptFunction | str]:
    """Return the shared dictionary of prepared tasks of all rewards with the same settings.

    A trainer may send the reward to a process with every batch; the tasks stay prepared there.
    """
    return {}


def reward(
    suite: str | Suite,
    tasks: str | Iterable[str],
    completions: Iterable[object],
    *,
    ability: str | None = None,
    kind: str = "graded",
    semantics: str | Semantics = "strict",
    weights: Weights | None = None,
    rules: object = None,
) -> list[float]:
    """Return rewards once; in a training loop keep a :class:`Reward`, which prepares tasks once.

    Args:
        suite: Name of a suite, ``module:attribute``, or a suite object.
        tasks: The identifier of the task of all completions, or one for each.
        completions: As for :meth:`Reward.score`.
        ability: The ability that the completions are about.
        kind: ``"graded"``, ``"repair"`` or ``"binary"``.
        semantics: The semantics of the verdict.
        weights: The weights of a graded reward.
        rules: As for :class:`Reward`.

    Returns:
        One number in [0, 1] for each completion, in order.

    Raises:
        InputError: As for :class:`Reward` and :meth:`Reward.score`.
        UnknownNameError: If a name is not known.
        DataMissingError: If the suite's data was not fetched.
    """
    scorer = Reward(suite, ability, kind=kind, semantics=semantics, weights=weights, rules=rules)
    return scorer.score(tasks, completions)
