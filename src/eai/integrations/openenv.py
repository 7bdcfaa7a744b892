"""Suites as environments of OpenEnv, server and client (written for 0.10.0).

``python -m eai.integrations.openenv household`` serves one, and any client of OpenEnv acts in it
through its WebSocket. Over plain HTTP OpenEnv makes a new environment for each request, so a step
there says that no episode has begun, instead of losing the state in silence.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from eai.contract import INTERACTION
from eai.contract.registry import suite as find_suite
from eai.errors import InputError
from eai.integrations.conversation import Conversation
from eai.integrations.training import RowScorer


class ActingAction(Action):
    """An answer of the model: ``WALK light.34``, or a text with a line ``Action: ...``."""

    answer: str


class ActingObservation(Observation):
    """The text for the model; ``metadata`` has the parts of the reward."""

    text: str


class ActingEnvironment(Environment):
    """Episodes in the tasks of a suite, one at a time."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, suite: str) -> None:
        """Begin without an episode: the first is begun by ``reset``."""
        super().__init__()
        self._suite = suite
        self._conversation: Conversation | None = None
        self._state = State()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        task: str | None = None,
        **options: Any,  # noqa: ANN401  # those of Conversation; an unknown one is an error
    ) -> ActingObservation:
        """Begin an episode in a given task, or in one drawn with a seed."""
        task_id = task
        if task_id is None:
            task_ids = find_suite(self._suite).task_ids()
            # Every seed selects a task; the seeds from 0 on go through all of them.
            task_id = task_ids[(seed or 0) % len(task_ids)]
        self._conversation = Conversation(self._suite, task_id, **options)
        self._state = State(episode_id=episode_id, step_count=0)
        return ActingObservation(text=self._conversation.opening)

    def step(
        self, action: ActingAction, timeout_s: float | None = None, **_: object
    ) -> ActingObservation:
        """Take an action."""
        del timeout_s  # a step takes milliseconds
        if self._conversation is None:
            raise InputError(
                "no episode has begun here",
                expected="reset, then step, in one session of the WebSocket /ws",
            )
        outcome = self._conversation.take(action.answer)
        self._state.step_count += 1
        return ActingObservation(
            text=outcome.text,
            reward=outcome.reward,
            done=outcome.done,
            metadata=self._conversation.parts,
        )

    @property
    def state(self) -> State:
        """Return the episode's name and number of steps."""
        return self._state


class ActingClient(EnvClient[ActingAction, ActingObservation, State]):
    """A client with the types of this environment; ``GenericEnvClient`` works as well."""

    def _step_payload(self, action: ActingAction) -> dict[str, Any]:
        return {"answer": action.answer}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[ActingObservation]:
        # The protocol has reward and end flag beside the observation, the type has them inside.
        reward = payload.get("reward")
        is_done = bool(payload.get("done"))
        observation = ActingObservation(
            **{**payload["observation"], "reward": reward, "done": is_done}
        )
        return StepResult(observation=observation, reward=reward, done=is_done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


def create_app(suite: str, sessions: int = 64) -> Any:  # noqa: ANN401  # a FastAPI application
    """Return the application that serves a suite to many sessions at once."""
    RowScorer(suite, INTERACTION)  # a suite that cannot be acted in is refused before it is served
    environment = partial(ActingEnvironment, suite)
    return create_fastapi_app(environment, ActingAction, ActingObservation, sessions)


def main() -> None:
    """Serve a suite: ``python -m eai.integrations.openenv household``."""
    import uvicorn

    parser = argparse.ArgumentParser(description="Serve a suite to clients of OpenEnv.")
    parser.add_argument("suite")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    uvicorn.run(create_app(options.suite), port=options.port)


if __name__ == "__main__":
    main()
