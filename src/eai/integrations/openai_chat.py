"""Any endpoint that speaks OpenAI's chat protocol as an agent, through the official client.

Hosted models, and what vLLM, llama.cpp, Ollama and others serve. The client is imported when an
agent is made; it tries again by itself after timeouts, lost connections, rate limits and errors
of the server, waiting longer each time. A reply may have 20 MB and take as long as the timeout,
and the key is struck out of whatever comes back.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from eai.acting import Answer
from eai.agents.agents import Message
from eai.errors import InputError, MissingExtraError, ModelError
from eai.integrations.chat_replies import read_reply

LARGEST_REPLY = 20_000_000
"""Bytes of a reply that are read."""

_SETTINGS = frozenset({401, 403, 404})
"""Status codes that every request will get, whatever it asks: the key or the model is wrong."""


def _resolve_key(base_url: str | None, api_key: str | None) -> str:
    """Return the key for an endpoint; empty if the endpoint is named and there is no key.

    Raises:
        InputError: If neither a key nor an endpoint is given, here or in the environment.
    """
    key = api_key or os.environ.get("OPENAI_API_KEY") or ""
    # An endpoint of one's own often needs no key; the usual one always does.
    if not key and base_url is None and not os.environ.get("OPENAI_BASE_URL"):
        raise InputError(
            "there is no key for the endpoint",
            expected="a key, or the address of an endpoint that needs none",
            mend="set OPENAI_API_KEY, or say where to ask (base_url=..., --base-url)",
        )
    return key


def _import_client() -> Any:  # noqa: ANN401 - the client is an untyped border
    """Import the client of the endpoint, which takes long and is in an extra.

    Raises:
        MissingExtraError: If it is not installed.
    """
    try:
        import openai
    except ImportError:
        purpose = "asking a live model"
        raise MissingExtraError("openai", extra="openai", purpose=purpose) from None
    return openai


_MAX_TIMEOUT_S = 1e6
"""Longer times are beyond what systems can wait for."""


class ChatAgent:
    """A model behind an endpoint that speaks OpenAI's chat protocol.

    Args:
        base_url: Address of the endpoint, up to and with ``/v1``; by default the environment
            variable ``OPENAI_BASE_URL``, or OpenAI's own.
        api_key: Key; by default the environment variable ``OPENAI_API_KEY``. An endpoint given
            by ``base_url`` may need none.
        timeout: Seconds until a whole reply has to be there.
        max_retries: How often the client tries again.
        system: A system prompt, which every request begins with.
        options: Further fields of the request, whatever the endpoint knows (``{"temperature": 0,
            "max_completion_tokens": 2000}``). Calls of tools (``{"tools":
            eai.acting.action_tools(actions)}``) are answers, too.

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
        system: str = "",
        options: Mapping[str, object] | None = None,
    ) -> None:
        """Check the settings and prepare the client; nothing is sent."""
        if not 0 < timeout <= _MAX_TIMEOUT_S or max_retries < 0:
            raise InputError(
                f"a timeout of {timeout} seconds and {max_retries} retries",
                expected="a positive time, and a whole number from 0",
            )
        # Before the first request: every one of them would fail.
        try:
            json.dumps(dict(options or {}), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"the options cannot be sent as JSON: {error}", expected="finite numbers, and texts"
            ) from error
        self.model = model
        self._options: dict[str, Any] = dict(options or {})
        self._leading_messages = []
        if system:
            self._leading_messages.append({"role": "system", "content": system})
        self._key = _resolve_key(base_url, api_key)
        client = _import_client()
        # Kept here, because the client is imported only when an agent is made.
        self._errors = client.APIStatusError, client.OpenAIError
        self._client = client.OpenAI(
            base_url=base_url,
            api_key=self._key or "none",
            timeout=timeout,
            max_retries=max_retries,
            http_client=client.DefaultHttpxClient(event_hooks=_ReplyLimits(client, timeout).hooks),
            # A small reply could be packed so that it takes all memory.
            default_headers={"Accept-Encoding": "identity"},
        )

    def __call__(self, messages: Sequence[Message]) -> Answer:
        """Ask the model.

        Returns:
            The text of the model, with what the endpoint states about it; empty if it wrote
            nothing. A refusal is a text, too.

        Raises:
            InputError: If the endpoint refuses the key or the model's name.
            ModelError: If it refuses this request, or there was no answer after all retries.
        """
        # The first is a subclass of the second, so it is caught before it.
        status_error, client_error = self._errors
        conversation: Any = []
        for message in (*self._leading_messages, *messages):
            conversation.append(_as_protocol_message(message))
        try:
            reply = self._client.chat.completions.with_raw_response.create(
                model=self.model, messages=conversation, extra_body=self._options
            )
            answer = read_reply(reply.http_response.content)
        except status_error as error:
            # A wrong setting ends the run; anything else only leaves this answer out.
            error_class = InputError if error.status_code in _SETTINGS else ModelError
            reason = " ".join(str(error.message).split())[:300]
            raise error_class(
                self._without_key(f"the endpoint answered {error.status_code}: {reason}"),
                where=self.model,
            ) from error
        except client_error as error:
            reason = str(error.__cause__ or error)
            raise ModelError(
                self._without_key(f"there was no answer from {self._address()}: {reason}"),
                where=self.model,
            ) from error
        except ModelError as error:
            raise ModelError(self._without_key(error.what), where=self.model) from None
        return self._without_key_anywhere(answer)

    def _address(self) -> str:
        """Return where the model is asked, without the secrets that an address may hold."""
        address = urlsplit(str(self._client.base_url))
        host = address.netloc.rpartition("@")[2]  # "user:password@host"
        return f"{address.scheme}://{host}{address.path}".rstrip("/")

    def _without_key_anywhere(self, answer: Answer) -> Answer:
        """Return an answer that has the key neither in its text nor in its details."""
        details: dict[str, str | bool] = {}
        for name, detail in answer.details.items():
            if isinstance(detail, str):
                details[name] = self._without_key(detail)
            else:
                details[name] = detail
        text = self._without_key(answer)
        return Answer(text, answer.usage, answer.finish_reason, details)

    def _without_key(self, text: str) -> str:
        """Return a text in which the key, which a server may repeat, is hidden."""
        if not self._key:
            return text
        return text.replace(self._key, "<key>")


class _ReplyLimits:
    """Limits the size and the duration of replies.

    Args:
        client: The package of the official client, which brings one of two packages for HTTP.
        timeout: Seconds from the request to the end of the reply.
    """

    def __init__(self, client: Any, timeout: float) -> None:  # noqa: ANN401
        """Find the package for HTTP that the client uses, which has the classes to derive from."""
        package = client.DefaultHttpxClient.__base__.__module__.partition(".")[0]
        http: Any = import_module(package)
        self.timeout = timeout
        self.timeout_error = http.ReadTimeout
        # The package takes only streams of its own class, and is known at run time.
        self._stream_class: Any = type("LimitedStream", (_LimitedStream, http.SyncByteStream), {})

    @property
    def hooks(self) -> dict[str, list[Callable[[Any], None]]]:
        """The hooks of the HTTP client that keep the limits."""
        return {"request": [self._set_deadline], "response": [self._limit_reply]}

    # The client's own timeout is for each part of a reply: a server that sends a byte now and then
    # would never reach it. So every request carries the time by which the whole has to be there.
    def _set_deadline(self, request: Any) -> None:  # noqa: ANN401
        """Store in a request the time by which its whole reply has to be there."""
        request.extensions["eai_deadline"] = monotonic() + self.timeout

    def _limit_reply(self, response: Any) -> None:  # noqa: ANN401
        """Refuse packed and redirected replies, and limit the stream of any other."""
        if response.headers.get("content-encoding", "identity") != "identity":
            raise ModelError("the reply is packed, although that was not asked for")
        _refuse_other_host(response)
        deadline = response.request.extensions["eai_deadline"]
        response.stream = self._stream_class(response.stream, deadline, self)


class _LimitedStream:
    """The bytes of a reply up to the limits."""

    def __init__(self, stream: Any, deadline: float, limits: _ReplyLimits) -> None:  # noqa: ANN401
        """Wrap the stream of a reply; ``deadline`` is in the time of :func:`time.monotonic`."""
        self._stream = stream
        self._deadline = deadline
        self._limits = limits

    def __iter__(self) -> Iterator[bytes]:
        received_bytes = 0
        for part in self._stream:
            received_bytes += len(part)
            if received_bytes > LARGEST_REPLY:
                raise ModelError(f"the reply has more than {LARGEST_REPLY:,} bytes")
            if monotonic() > self._deadline:
                raise self._limits.timeout_error(
                    f"the reply took more than {self._limits.timeout:g} seconds"
                )
            yield part

    def close(self) -> None:
        """Close the connection of the reply."""
        self._stream.close()


def _refuse_other_host(response: Any) -> None:  # noqa: ANN401
    """Refuse a redirect to another host, so that prompts stay with the named one."""
    if not response.has_redirect_location:
        return
    requested_url = response.request.url
    next_url = requested_url.join(response.headers["location"])  # it may be relative
    if next_url.host != requested_url.host:
        raise ModelError(f"the endpoint sends requests on to {next_url.host}, another host")


_CLIENT = logging.getLogger("openai._base_client")
"""Where the client says that it tries a request again."""


@contextmanager
def reporting_retries(report: Callable[[str], None]) -> Iterator[None]:
    """Report when the client retries a request, which it does silently.

    Args:
        report: Called with a sentence: at the first attempt that failed, then with each tenth.
    """

    class Handler(logging.Handler):
        retries = 0

        def emit(self, record: logging.LogRecord) -> None:
            if not record.getMessage().startswith("Retrying request"):
                return
            if self.retries % 10 == 0:
                report(f"a request failed and is being retried ({self.retries + 1} so far)")
            self.retries += 1

    # The client's logger is restored afterwards. Until then it does not propagate messages, so that
    # attempts are not also printed.
    handler = Handler()
    level = _CLIENT.level
    propagates = _CLIENT.propagate
    _CLIENT.addHandler(handler)
    _CLIENT.setLevel(logging.INFO)
    _CLIENT.propagate = False
    try:
        yield
    finally:
        _CLIENT.removeHandler(handler)
        _CLIENT.setLevel(level)
        _CLIENT.propagate = propagates


def _as_protocol_message(message: Message) -> dict[str, object]:
    """Return a message in the protocol's form, with an image as a content part."""
    if "image" not in message:
        return {**message}
    url = {"url": f"data:image/png;base64,{message['image']}"}
    content = [
        {"type": "text", "text": message["content"]},
        {"type": "image_url", "image_url": url},
    ]
    return {"role": message["role"], "content": content}
