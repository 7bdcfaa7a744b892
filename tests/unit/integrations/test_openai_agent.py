"""A live model behind an endpoint: a small server on this machine that speaks the protocol."""

from __future__ import annotations

import gzip
import json
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fake_endpoint import Endpoint, said, serving
from needs import package

import eai
from eai.acting import Answer, Ending
from eai.agents import format_plan
from eai.errors import InputError, MissingExtraError, ModelError
from eai.integrations import openai_chat
from eai.integrations.openai_chat import ChatAgent, reporting_retries
from eai.suites.household import Household

package("openai", extra="openai")

HELLO = [{"role": "user", "content": "hello"}]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with serving() as state:
        yield state


def test_a_model_is_asked_and_answers(endpoint: Endpoint) -> None:
    agent = ChatAgent("tiny", base_url=endpoint.url, options={"temperature": 0})
    assert agent(HELLO) == "hello, too"
    (asked,) = endpoint.asked
    assert asked["path"] == "/v1/chat/completions"
    assert (asked["model"], asked["messages"], asked["temperature"]) == ("tiny", HELLO, 0)


def test_key_and_address_may_come_from_the_environment(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    assert ChatAgent("tiny")(HELLO) == "hello, too"
    assert endpoint.headers[0]["authorization"] == "Bearer secret"


def test_without_key_and_address_nothing_is_asked(endpoint: Endpoint) -> None:
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        ChatAgent("tiny")
    assert not endpoint.asked


def test_errors_of_the_server_are_tried_again(endpoint: Endpoint) -> None:
    codes = iter([500, 429])
    endpoint.reply = lambda _: (next(codes, 200), said("at last"))
    assert ChatAgent("tiny", base_url=endpoint.url)(HELLO) == "at last"
    assert len(endpoint.asked) == 3


def test_what_stays_broken_is_an_error_and_no_answer(endpoint: Endpoint) -> None:
    endpoint.reply = lambda _: (503, {"error": {"message": "too busy"}})
    with pytest.raises(ModelError, match="503"):
        ChatAgent("tiny", base_url=endpoint.url, max_retries=1)(HELLO)
    assert len(endpoint.asked) == 2


def test_what_is_wrong_with_the_request_is_not_tried_again(endpoint: Endpoint) -> None:
    endpoint.reply = lambda _: (404, {"error": {"message": "no such model"}})
    with pytest.raises(InputError, match="no such model"):
        ChatAgent("tiny", base_url=endpoint.url)(HELLO)
    assert len(endpoint.asked) == 1


def test_a_prompt_that_is_refused_says_nothing_about_others(endpoint: Endpoint) -> None:
    endpoint.reply = lambda _: (400, {"error": {"message": "too long"}})
    with pytest.raises(ModelError, match="too long"):
        ChatAgent("tiny", base_url=endpoint.url)(HELLO)
    assert len(endpoint.asked) == 1


@pytest.mark.usefixtures("endpoint")
def test_an_endpoint_that_is_not_there_is_named_without_secrets() -> None:
    url = "http://me:secret@127.0.0.1:9/v1"
    agent = ChatAgent("tiny", base_url=url, max_retries=0, timeout=2)
    with pytest.raises(ModelError, match="no answer") as caught:
        agent(HELLO)
    assert "http://127.0.0.1:9/v1" in caught.value.what
    assert "secret" not in str(caught.value)


def test_a_slow_endpoint_is_given_up(endpoint: Endpoint) -> None:
    go_on = threading.Event()

    def slow(_: dict[str, Any]) -> tuple[int, object]:
        go_on.wait(5)
        return 200, said("late")

    endpoint.reply = slow
    try:
        with pytest.raises(ModelError, match="no answer"):
            ChatAgent("tiny", base_url=endpoint.url, timeout=0.05, max_retries=0)(HELLO)
    finally:
        go_on.set()


@pytest.mark.parametrize("content", [None, ""])
def test_a_model_that_writes_nothing_has_answered(endpoint: Endpoint, content: str | None) -> None:
    endpoint.reply = lambda _: (200, said(content))
    assert ChatAgent("tiny", base_url=endpoint.url)(HELLO) == ""


def test_an_answer_without_a_choice_is_none(endpoint: Endpoint) -> None:
    endpoint.reply = lambda _: (200, {**said(""), "choices": []})
    with pytest.raises(ModelError, match="choice"):
        ChatAgent("tiny", base_url=endpoint.url)(HELLO)


REFUSAL = "I cannot help with that."


def _refused(finish_reason: str = "stop", **fields: object) -> dict[str, object]:
    message = {"role": "assistant", "content": None, "refusal": REFUSAL, **fields}
    return {"choices": [{"message": message, "finish_reason": finish_reason}]}


@pytest.mark.parametrize(
    "body",
    [
        _refused(),
        _refused(content=""),
        _refused(content=REFUSAL),
        b'data: {"choices": [{"delta": {"refusal": "I cannot help"}}]}\n\n'
        b'data: {"choices": [{"delta": {"refusal": " with that."}}]}\n\ndata: [DONE]\n\n',
    ],
)
def test_a_refusal_is_an_answer_and_marked(endpoint: Endpoint, body: object) -> None:
    endpoint.reply = lambda _: (200, body)
    answer = ChatAgent("tiny", base_url=endpoint.url)(HELLO)
    assert answer == REFUSAL
    assert answer.details == {"refusal": True}
    assert answer.endings == (Ending.REFUSED,)


def test_a_refusal_behind_a_beginning_loses_neither(endpoint: Endpoint) -> None:
    endpoint.reply = lambda _: (200, _refused("content_filter", content="First,"))
    answer = ChatAgent("tiny", base_url=endpoint.url)(HELLO)
    assert answer == f"First,\n{REFUSAL}"
    assert answer.endings == (Ending.FILTERED, Ending.REFUSED)


@pytest.mark.parametrize("refusal", [None, "", " ", 7, ["no"]])
def test_a_refusal_without_words_is_none(endpoint: Endpoint, refusal: object) -> None:
    endpoint.reply = lambda _: (200, _refused(content="walk", refusal=refusal))
    answer = ChatAgent("tiny", base_url=endpoint.url)(HELLO)
    assert (answer.strip(), answer.details) == ("walk", {})


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("is_streamed", [False, True])
def test_reasoning_and_the_name_of_the_model_are_kept_beside_the_answer(
    endpoint: Endpoint, key: str, *, is_streamed: bool
) -> None:
    message = {"content": "walk", key: "I think of sk-012345"}
    choice = {"delta" if is_streamed else "message": message}
    usage = {"completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 5}}
    reply = {"model": "tiny-7b", "choices": [choice], "usage": usage}
    body = f"data: {json.dumps(reply)}\n\n".encode() if is_streamed else reply
    endpoint.reply = lambda _: (200, body)
    answer = ChatAgent("tiny", base_url=endpoint.url, api_key="sk-012345")(HELLO)
    assert answer == "walk"
    assert answer.details == {"served_model": "tiny-7b", "reasoning_content": "I think of <key>"}
    assert answer.usage == {"completion_tokens": 9, "reasoning_tokens": 5}
    assert pickle.loads(pickle.dumps(answer)).details == answer.details


def test_a_packed_reply_is_no_answer(endpoint: Endpoint) -> None:
    endpoint.encoding = "gzip"
    endpoint.reply = lambda _: (200, gzip.compress(json.dumps(said("hello")).encode()))
    with pytest.raises(ModelError, match="packed"):
        ChatAgent("tiny", base_url=endpoint.url, max_retries=0)(HELLO)
    # Only once, and it had been said that replies are to come as they are.
    (headers,) = endpoint.headers
    assert headers["accept-encoding"] == "identity"


def _streamed(*deltas: dict[str, Any]) -> bytes:
    choices = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    last = {"choices": [], "usage": {"total_tokens": 7}}
    events = [json.dumps(each) for each in (*choices, last)]
    return "".join(f"data: {event}\n\n" for event in [*events, "[DONE]"]).encode()


PARTS = [{"type": "text", "text": "walk"}, {"type": "odd"}, {"type": "text", "text": " on"}]
CALLED = {"index": 0, "function": {"name": "open", "arguments": '{"x": '}}
GOES_ON = {"index": 0, "function": {"arguments": '"box"}'}}


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        (said(PARTS), "walk on"),
        (_streamed({"role": "assistant"}, {"content": "walk"}, {"content": " on"}), "walk on"),
        (_streamed({"tool_calls": [CALLED]}, {"tool_calls": [GOES_ON]}), "Action: OPEN box"),
        ({**said("x"), "usage": [1], "choices": [said("x")["choices"][0], None]}, "x"),  # type: ignore[index]
    ],
)
def test_answers_in_parts_and_pieces_are_put_together(
    endpoint: Endpoint, body: object, answer: str
) -> None:
    endpoint.reply = lambda _: (200, body)
    assert ChatAgent("tiny", base_url=endpoint.url)(HELLO) == answer


def test_what_an_answer_took_is_kept_as_the_server_states_it(endpoint: Endpoint) -> None:
    details = {"prompt_tokens_details": {"cached_tokens": 3}, "is_byok": False}
    odd = {"upstream": float("nan"), "completion_tokens": -5}
    stated = {"prompt_tokens": 7, "cost": 0.0021, **odd, **details}
    endpoint.reply = lambda _: (200, {**said("x"), "usage": stated})
    answer = ChatAgent("tiny", base_url=endpoint.url)(HELLO)
    assert isinstance(answer, Answer)
    assert answer.usage == {"prompt_tokens": 7, "cost": 0.0021}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"choices": [None]}, "no object"),
        ({"choices": {}}, "no choices"),
        ({"choices": [{"message": "hello"}]}, "without a message"),
        ({"choices": [{"message": {"content": {"a": 1}}}]}, "no text"),
        ({"error": {"message": "out of credit"}}, "out of credit"),
        ({"error": "out of credit"}, "out of credit"),
        ([], "no chat completion"),
        (b"<html><body>Bad gateway</body></html>", "Bad gateway"),
        (b"", "no JSON"),
        (b'{"choices":' + b"[" * 100_000, "no JSON"),
        (b'data: {"error": {"message": "out of credit"}}\n', "out of credit"),
        (b"data: [DONE]\n", "no choices"),
        (b"\xff\xfe", "no JSON"),
    ],
)
def test_a_reply_without_an_answer_is_the_failure_of_its_prompt(
    endpoint: Endpoint, body: object, message: str
) -> None:
    endpoint.reply = lambda _: (200, body)
    with pytest.raises(ModelError, match=message):
        ChatAgent("tiny", base_url=endpoint.url, max_retries=0)(HELLO)


def test_a_reply_that_is_too_large_is_no_answer(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_chat, "LARGEST_REPLY", 50)
    with pytest.raises(ModelError, match="more than 50 bytes"):
        ChatAgent("tiny", base_url=endpoint.url, max_retries=0)(HELLO)


@pytest.mark.parametrize("to", ["http://elsewhere.invalid/v1/chat/completions", "//elsewhere/"])
def test_prompts_are_not_sent_on_to_another_host(endpoint: Endpoint, to: str) -> None:
    endpoint.reply = lambda _: (307, {})
    endpoint.location = to
    with pytest.raises(ModelError) as caught:
        ChatAgent("tiny", base_url=endpoint.url, max_retries=0)(HELLO)
    assert "elsewhere" in caught.value.what
    assert len(endpoint.asked) == 1


def test_an_endpoint_may_have_moved_on_its_own_host(endpoint: Endpoint) -> None:
    def reply(_: object) -> tuple[int, object]:
        is_first = len(endpoint.asked) == 1
        endpoint.location = "/v2/chat/completions" if is_first else ""
        return (307, {}) if is_first else (200, said("hello"))

    endpoint.reply = reply
    assert ChatAgent("tiny", base_url=endpoint.url)(HELLO) == "hello"
    assert [asked["path"] for asked in endpoint.asked][1] == "/v2/chat/completions"


def test_a_reply_that_never_ends_is_given_up(endpoint: Endpoint) -> None:
    endpoint.seconds_a_byte = 0.02
    with pytest.raises(ModelError, match="took more than"):
        ChatAgent("tiny", base_url=endpoint.url, max_retries=0, timeout=0.2)(HELLO)


@pytest.mark.parametrize("code", [200, 400, 401])
def test_the_key_is_struck_out_of_what_comes_back(endpoint: Endpoint, code: int) -> None:
    key = "sk-0123456789"
    echo = {**said(f"Bearer {key}"), "error": {"message": f"no: Bearer {key}"}}
    endpoint.reply = lambda _: (code, echo if code != 200 else said(f"Bearer {key}"))
    agent = ChatAgent("tiny", base_url=endpoint.url, api_key=key, max_retries=0)
    try:
        said_back = str(agent(HELLO))
    except (ModelError, InputError) as error:
        said_back = str(error)
    assert "<key>" in said_back
    assert key not in said_back


def test_any_option_reaches_the_endpoint(endpoint: Endpoint) -> None:
    options = {"max_completion_tokens": 9, "reasoning": {"effort": "low"}}
    ChatAgent("tiny", base_url=endpoint.url, options=options)(HELLO)
    assert endpoint.asked[0].items() >= options.items()


def test_a_live_model_replans(endpoint: Endpoint) -> None:
    task = Household().task("studio-05")
    good = format_plan("household", task.plans[0])

    def reply(request: dict[str, Any]) -> tuple[int, object]:
        told = len(request["messages"]) > 1
        return 200, said(good if told else "Let me think about it.")

    endpoint.reply = reply
    result = eai.replan("household", task, ChatAgent("tiny", base_url=endpoint.url))
    assert [attempt.result.success for attempt in result.attempts] == [False, True]
    assert endpoint.asked[1]["messages"] == list(result.messages[:-1])


@pytest.mark.parametrize("options", [{"timeout": 0}, {"timeout": -1.0}, {"max_retries": -1}])
def test_settings_that_make_no_sense(endpoint: Endpoint, options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="timeout"):
        ChatAgent("tiny", base_url=endpoint.url, **options)


def test_without_the_client_the_package_is_named(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtraError, match="pip install openai"):
        ChatAgent("tiny", base_url=endpoint.url)


def test_requests_that_are_tried_again_are_reported(endpoint: Endpoint) -> None:
    codes = iter([500, 429])
    endpoint.reply = lambda _: (next(codes, 200), said("at last"))
    heard: list[str] = []
    with reporting_retries(heard.append):
        ChatAgent("tiny", base_url=endpoint.url)(HELLO)
    assert heard == ["a request failed and is being retried (1 so far)"]
    codes = iter([500])
    ChatAgent("tiny", base_url=endpoint.url)(HELLO)
    assert len(heard) == 1


def test_a_system_prompt_comes_first(endpoint: Endpoint) -> None:
    ChatAgent("tiny", base_url=endpoint.url, system="Be brief.")(HELLO)
    assert endpoint.asked[0]["messages"] == [{"role": "system", "content": "Be brief."}, *HELLO]


def test_a_picture_is_a_part_of_the_content(endpoint: Endpoint) -> None:
    ChatAgent("tiny", base_url=endpoint.url)(
        [{"role": "user", "content": "Look.", "image": "QUJD"}]
    )
    (asked,) = endpoint.asked
    assert asked["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Look."},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
            ],
        }
    ]
