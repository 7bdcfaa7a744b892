"""A resource server of NeMo Gym (written for 0.4.0 and 0.7.0).

NeMo Gym posts each data row with the response to ``/verify``. Only messages of the response are
read: neither its reasoning, nor calls of tools, nor the prompt, which stands elsewhere.
"""

from __future__ import annotations

import asyncio
from typing import Any

from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from pydantic import ConfigDict

from eai.integrations.training import RowScore, scorer


class SuiteServerConfig(BaseResourcesServerConfig):
    """The suite, and how answers are scored, as for :class:`eai.Reward`."""

    suite: str
    ability: str | None = None
    kind: str = "graded"
    semantics: str = "strict"
    rules: str | None = None


class SuiteVerifyRequest(BaseVerifyRequest):
    """A row of the data set and the response; fields that are not declared are kept."""

    model_config = ConfigDict(extra="allow")
    task: str | None = None


class SuiteVerifyResponse(BaseVerifyResponse):
    """The reward and its parts, which NeMo Gym averages by name."""

    model_config = ConfigDict(extra="allow")
    task: str | None = None
    solved: float
    goals: float
    way: float
    left: float
    broken: float
    mask_sample: bool
    """Whether the reward says nothing: the row is broken, or of another task."""


class SuiteServer(SimpleResourcesServer):
    """Rewards of a suite for rows with a field ``task``."""

    config: SuiteServerConfig

    async def verify(self, body: SuiteVerifyRequest) -> SuiteVerifyResponse:
        """Score a response, in a thread: while this waits, the server answers others."""
        own_score = await asyncio.to_thread(self._score, body)
        # A row of another suite has a meaningless reward of 0, so its sample is masked.
        score = own_score or RowScore()
        return SuiteVerifyResponse(
            **body.model_dump(),
            reward=score.value,
            mask_sample=own_score is None or score.broken,
            **score.parts,
        )

    def _score(self, body: SuiteVerifyRequest) -> RowScore | None:
        """Return the score of a row, or None for a task of another suite."""
        config = self.config
        # One scorer for all requests: it is kept by its arguments.
        row_scorer = scorer(
            config.suite,
            config.ability,
            kind=config.kind,
            semantics=config.semantics,
            rules=config.rules,
        )
        return row_scorer.score_by(body.task, lambda: answer_of(body.response))


def answer_of(response: Any) -> str | None:  # noqa: ANN401  # a response of OpenAI's form
    """Return the text of the last message of a response, or None."""
    for item in reversed(response.output):
        if item.type == "message":
            return "".join(part.text for part in item.content if hasattr(part, "text"))
    return None


def main() -> None:
    """Run the server, as NeMo Gym starts it."""
    SuiteServer.run_webserver()


if __name__ == "__main__":
    main()
