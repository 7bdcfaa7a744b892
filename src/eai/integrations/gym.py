"""Every suite that can be acted in as an environment of Gymnasium.

Importing this module registers them, for every suite that is announced: ``eai/My-Suite-v0`` for the
suite ``my-suite``; and ``eai/Suite-v0``, which is told its suite (``suite="pddl:FOLDER"``). Each
has a twin whose observations are numbers (:mod:`eai.integrations.gym_vector`), such as
``eai/My-Suite-Vector-v0``.
``gymnasium.make("eai.integrations.gym:eai/My-Suite-v0")`` imports it. Needs the extra ``gym``.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, Literal, get_args

from eai.acting import Acting, End, Episode, EpisodeRules, describe, evaluate_episode, format_action
from eai.contract import Suite, checked_interactive
from eai.contract.registry import given_suite, suites
from eai.diagnosis import GoalStatus, Result
from eai.errors import InputError, MissingExtraError, UnknownNameError, check_name
from eai.rewards import TurnReward
from eai.semantics import Semantics
from eai.simulators import Environment
from eai.task import Task
from eai.world import Action

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError as error:
    raise MissingExtraError("gymnasium", extra="gym", purpose="acting with Gymnasium") from error

Actions = Literal["text", "discrete"]
"""How actions are given: as an agent writes them, or by number."""

_LONGEST_ACTION = 200
"""Maximum number of characters of an action as text."""
_LONGEST = 32_768
"""A longer observation is cut."""
_CHARACTERS = string.ascii_letters + string.digits + string.punctuation + " \n"
"""Characters of texts; a space of Gymnasium lists them all."""
_MOST_ACTIONS = 50_000
"""Maximum number of discrete actions: each is one entry of every action mask."""


class SuiteEnv(gymnasium.Env[Any, Any]):
    """The tasks of a suite, acted in step by step.

    An observation is text: the task, and what is seen. An action is text as an agent writes it
    (``"WALK light.34"``), or the number of a ground action. An episode is terminated when the goal
    is reached, and truncated when one of the suite's limits ends it.

    ``info`` has ``task``, ``conditions`` (each with whether it is met), ``code`` and ``message`` of
    the last action (empty if it was done), and with discrete actions ``action_mask``: 1 for every
    ground action whose precondition holds now, where the environment knows that; else 1 for all.

    Args:
        suite: The suite, or its name.
        task: Identifier of the task, or several, of which one is drawn at every reset; by default
            all of the suite. ``reset(options={"task": ...})`` names one.
        view: How much is seen: the name of one of the suite's views.
        reward: ``"potential"`` or ``"binary"`` (see :class:`eai.rewards.TurnReward`).
        step_cost: The cost of every step.
        actions: ``"text"`` or ``"discrete"``. Discrete actions are those of all the tasks, so name
            one task, or a few.
        semantics: Under which semantics is acted; by default what the suite prefers.
        render_mode: ``"ansi"`` to render the last observation as text; None.

    Attributes:
        actions: With discrete actions, the ground actions by number.

    Raises:
        UnknownNameError: If a name is unknown.
        InputError: If the suite cannot be acted in, or there are too many discrete actions.
        DataMissingError: If the suite's data was not fetched.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        suite: str | Suite,
        task: str | Sequence[str] | None = None,
        *,
        view: str = "",
        reward: Literal["potential", "binary"] = "potential",
        step_cost: float = 0.0,
        actions: Actions = "text",
        semantics: str | Semantics | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Check the names. Worlds are set up at need: a suite may have thousands of tasks."""
        check_name("form of actions", actions, get_args(Actions))
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise UnknownNameError("render mode", str(render_mode), self.metadata["render_modes"])
        self._suite = checked_interactive(given_suite(suite))
        self._semantics = self._suite.semantics(semantics or self._suite.default_semantics)
        if task is None:
            task = self._suite.task_ids()
        elif isinstance(task, str):
            task = [task]
        self._names = list(map(self._suite.canonical_id, task))
        self._view = view
        self._reward = TurnReward(reward, step_cost)
        self.render_mode = render_mode
        self._loaded: dict[str, tuple[Task, Environment, EpisodeRules]] = {}
        self._acting: Acting | None = None
        self._rules: EpisodeRules | None = None
        self._text = ""
        self.actions: tuple[Action, ...] = ()
        self.observation_space = spaces.Text(_LONGEST, charset=_CHARACTERS)
        if actions == "text":
            self.action_space = spaces.Text(_LONGEST_ACTION, charset=_CHARACTERS)
        else:
            self.actions = tuple(self._all_actions())
            self._index_of_action = {action: index for index, action in enumerate(self.actions)}
            self.action_space = spaces.Discrete(len(self.actions))

    def _all_actions(self) -> Iterable[Action]:
        """Return the ground actions of all tasks, each once."""
        actions: dict[Action, None] = {}
        for name in self._names:
            _, environment, rules = self._load_task(name)
            actions.update(dict.fromkeys(_ground_actions(environment, rules)))
            if len(actions) > _MOST_ACTIONS:
                raise InputError(
                    f"there are more than {_MOST_ACTIONS} ground actions",
                    expected="fewer tasks, or actions as text",
                    mend="task=... names one task; actions='text'",
                )
        return actions

    # ---- Gymnasium's interface

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: Seed of the choice among several tasks.
            options: ``{"task": identifier}`` to name the task.
        """
        super().reset(seed=seed)
        name = (options or {}).get("task")
        if name is None:
            name = self._names[int(self.np_random.integers(len(self._names)))]
        task, environment, rules = self._load_task(self._suite.canonical_id(name))
        views = rules.seen_by(self._view)
        self._rules = rules
        self._instruction = task.instruction
        self._environment = environment
        self._name = task.id
        self._acting = Acting(environment, rules, views=views, task=task.id)
        return self._observe(), self._info("", "")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: ANN401
        """Take an action.

        Raises:
            InputError: If the episode has not begun or has ended.
        """
        acting = self._running_episode()
        status_before = acting.goal
        if self.actions:
            turn = acting.act(self.actions[int(action)])
        else:
            # "WALK light.34", or a whole answer with thoughts and a line "Action: WALK light.34".
            answer = action if "Action:" in action else f"Action: {action}"
            turn = acting.submit(answer)
        is_reached = acting.goal.reached
        reward = self._reward(status_before, acting.goal)
        info = self._info(turn.code, turn.result.message)
        # Gymnasium distinguishes an end by the task (terminated) from one by a limit (truncated).
        is_truncated = acting.finished and not is_reached
        return self._observe(), reward, is_reached, is_truncated, info

    def render(self) -> str | None:
        """Return the last observation as text, if the render mode says so."""
        if self.render_mode != "ansi":
            return None
        return self._text

    # ---- what else one may want to know

    @property
    def episode(self) -> Episode:
        """The episode so far."""
        return self._running_episode().episode

    @property
    def result(self) -> Result:
        """Return the result of the episode, as if it ended now."""
        acting = self._running_episode()
        acting.stop(End.NO_MORE_ANSWERS)
        assert self._rules is not None  # noqa: S101  # it has begun
        return evaluate_episode(acting.episode, self._rules)

    @property
    def valid_actions(self) -> tuple[str, ...]:
        """The actions whose precondition holds now, as text; all where that is not known."""
        self._running_episode()
        return tuple(_action_text(action) for action in self._applicable_actions())

    # ---- inside

    def __getstate__(self) -> dict[str, Any]:
        """Return the random choices and the answers so far, from which it is restored.

        Worlds cannot be pickled; they are set up again, and the answers are given once more.
        """
        state = dict(vars(self))
        state["_loaded"] = {}
        for name in ("_environment", "_rules", "_acting"):
            state[name] = None
        state["_answers"] = None  # the episode has not begun
        if self._acting is not None:
            state["_answers"] = [turn.answer for turn in self._acting.turns]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        answers = state.pop("_answers")
        vars(self).update(state)
        if answers is not None:
            last_observation = self._text
            self.reset(options={"task": self._name})
            for answer in answers:
                self._running_episode().submit(answer)
            # The reset has put the first observation in the place of the last one.
            self._text = last_observation

    def _running_episode(self) -> Acting:
        """Return the episode; refuse if it has not begun."""
        if self._acting is None:
            raise InputError("the episode has not begun", expected="env.reset() before a step")
        return self._acting

    def _load_task(self, name: str) -> tuple[Task, Environment, EpisodeRules]:
        """Return a task with its cached environment and rules."""
        if name not in self._loaded:
            task = self._suite.task(name)
            environment = self._suite.environment(task, self._semantics)
            rules = self._suite.episode_rules(task, self._semantics)
            self._loaded[name] = task, environment, rules
        return self._loaded[name]

    def _observe(self) -> Any:  # noqa: ANN401  # text here, numbers in a subclass
        """Return the observation as text that fits Gymnasium's space."""
        text = f"{self._instruction}\n\n{describe(self._running_episode().observation)}"
        if not text.isascii():
            text = text.encode("ascii", "replace").decode("ascii")
        self._text = text[:_LONGEST]
        return self._text

    def _info(self, code: str, message: str) -> dict[str, Any]:
        """Return the additional information of a step.

        Args:
            code: Why the last action was not done; empty if it was.
            message: The same as a sentence.
        """
        goal: GoalStatus = self._running_episode().goal
        info: dict[str, Any] = {
            "task": self._name,
            "conditions": {condition.text: condition.met for condition in goal.conditions},
            "code": code,
            "message": message,
        }
        if self.actions:
            # The actions are those of all tasks; of other tasks' actions none is applicable here.
            mask = np.zeros(len(self.actions), dtype=np.int8)
            mask[[self._index_of_action[action] for action in self._applicable_actions()]] = 1
            info["action_mask"] = mask
        return info

    def _applicable_actions(self) -> Sequence[Action]:
        """Return the applicable actions, or all if that is unknown."""
        ground_actions = _ground_actions(self._environment, self._rules)
        applicable = getattr(self._environment, "applicable", None)
        if applicable is None:
            return ground_actions
        return [ground_actions[index] for index in applicable()]


def _ground_actions(environment: Environment, rules: EpisodeRules | None) -> tuple[Action, ...]:
    """Return an environment's ground actions: those it lists, or all combinations."""
    listed_actions: tuple[Action, ...] | None = getattr(environment, "ground_actions", None)
    if listed_actions is not None:
        return listed_actions
    # Other environments only say the names: every action with every combination of objects.
    objects: Iterable[str] = ()
    if rules is not None:
        objects = rules.objects
    combined_actions = []
    for name, argument_count in sorted(environment.actions.items()):
        for arguments in product(objects, repeat=argument_count):
            combined_actions.append(Action(name, arguments))
    return tuple(combined_actions)


def _action_text(action: Action) -> str:
    """Return an action as an agent writes it: ``WALK(kitchen)``."""
    return format_action(action).removeprefix("Action: ")


def environment_name(suite: str, variant: str = "") -> str:
    """Return the Gymnasium name of a suite's environment."""
    words = suite.replace("_", "-").split("-")
    # Not capitalize(), which would write all other letters small: AI2-THOR.
    capitalised = [word[:1].upper() + word[1:] for word in words]
    return f"eai/{'-'.join(capitalised)}{variant}-v0"


def _register(name: str, **kwargs: str) -> None:
    """Register both variants of an environment unless they are registered."""
    for variant, entry_point in (
        ("", "eai.integrations.gym:SuiteEnv"),
        ("-Vector", "eai.integrations.gym_vector:VectorEnv"),
    ):
        identifier = environment_name(name, variant)
        if identifier not in gymnasium.registry:
            gymnasium.register(id=identifier, entry_point=entry_point, kwargs=kwargs)


_register("suite")
for _origin in suites().origins():
    _register(_origin.name, suite=_origin.name)
