"""Any endpoint that speaks OpenAI's chat protocol as an agent, through the official client.

Hosted models, and what vLLM, llama.cpp, Ollama and others serve. The client is imported when an
agent is made; it tries again by itself after timeouts, lost connections, rate limits and errors
of the server, waiting longer each time.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from eai.agents.agents import Message
from eai.errors import InputError, MissingExtraError, ModelError

_SETTINGS = frozenset({401, 403, 404})
"""Status codes that every request will get, whatever it asks: the key or the model is wrong."""


class ChatAgent:
    """A model behind an endpoint that speaks OpenAI's chat protocol.

    Args:
        base_url: Address of the endpoint, up to and with ``/v1``; by default the environment
            variable ``OPENAI_BASE_URL``, or OpenAI's own.
        api_key: Key; by default the environment variable ``OPENAI_API_KEY``. An endpoint given
            by ``base_url`` may need none.
        timeout: Seconds to wait for one answer.
        max_retries: How often the client tries again.
        options: Further fields of the request (``{"temperature": 0, "max_tokens": 2000}``).

    Raises:
        MissingExtraError: If the client is not installed.
        InputError: If there is no key, or a setting is not usable.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 120.0,
        max_retries: int = 5,
        options: Mapping[str, object] | None = None,
    ) -> None:
        if timeout <= 0 or max_retries < 0:
            raise InputError(
                f"a timeout of {timeout} seconds and {max_retries} retries",
                expected="a positive time, and a whole number from 0",
            )
        self.model = model
        self._options: dict[str, Any] = dict(options or {})
        key = api_key or os.environ.get("OPENAI_API_KEY")
        if not key and base_url is None and not os.environ.get("OPENAI_BASE_URL"):
            raise InputError(
                "there is no key for the endpoint",
                expected="a key, or the address of an endpoint that needs none",
                mend="set OPENAI_API_KEY, or say where to ask (base_url=..., --base-url)",
            )
        try:
            import openai as client
        except ImportError:
            purpose = "asking a live model"
            raise MissingExtraError("openai", extra="openai", purpose=purpose) from None
        self._errors = client.APIStatusError, client.OpenAIError
        self._client = client.OpenAI(
            base_url=base_url, api_key=key or "none", timeout=timeout, max_retries=max_retries
        )

    def __call__(self, messages: Sequence[Message]) -> str:
        """Ask the model.

        Returns:
            What it wrote; empty if it wrote nothing.

        Raises:
            InputError: If the endpoint refuses the key or the model's name.
            ModelError: If it refuses this request, or there was no answer after all retries.
        """
        refused, failed = self._errors
        request: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        try:
            answer = self._client.chat.completions.create(**request, **self._options)
        except refused as error:
            kind = InputError if error.status_code in _SETTINGS else ModelError
            reason = " ".join(str(error.message).split())[:300]
            raise kind(
                f"the endpoint answered {error.status_code}: {reason}", where=self.model
            ) from error
        except failed as error:
            raise ModelError(f"there was no answer: {error}", where=self.model) from error
        if not answer.choices:
            raise ModelError("the answer has no choice in it", where=self.model)
        return answer.choices[0].message.content or ""
