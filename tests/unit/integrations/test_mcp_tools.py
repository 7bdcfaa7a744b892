"""What agents may ask by the Model Context Protocol; with the SDK, through its client."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from needs import package
from pddl_blocks import DOMAIN, PLAN, PROBLEM

from eai.errors import EaiError, InputError, MissingExtraError
from eai.integrations import mcp as mcp_tools
from eai.integrations.mcp import TOOLS, Tools, _report_errors_as_results, call_within_limits, serve

BOTH = {"domain": DOMAIN, "problem": PROBLEM}
WRONG = "(unstack b a)\n(pick-up d)\n(stack d b)"


def ask(name: str, folder: Path | None = None, **arguments: Any) -> tuple[str, dict[str, Any]]:
    found: tuple[str, dict[str, Any]] = getattr(Tools(folder), name)(**{**BOTH, **arguments})
    return found


def test_every_tool_answers() -> None:
    assert ask("check_pddl") == ("no mistakes", {"errors": 0, "issues": []})
    assert ask("validate_plan", plan=PLAN)[1]["valid"] is True
    assert ask("repair_plan", plan=WRONG)[1]["repair"] == ("delete step 1, (unstack b a)",)
    assert ask("plan")[1]["plan"] == ["(pick-up d)", "(stack d b)"]
    assert ask("applicable_actions", plan="(pick-up d)")[1]["actions"] == [
        "(put-down d)",
        "(stack d b)",
    ]
    assert ask("check_formula", plan=PLAN, formula="F holding(d)")[1] == {"holds": True}
    assert ask("check_formula", plan=PLAN, formula="G holding(d)")[1] == {"holds": False}


def test_mistakes_are_errors_with_a_place() -> None:
    with pytest.raises(EaiError, match="is not closed"):
        ask("validate_plan", domain="(define", plan=PLAN)
    with pytest.raises(EaiError, match="cannot be done"):
        ask("check_formula", plan=WRONG, formula="F holding(d)")
    with pytest.raises(InputError, match="more than 5,000,000"):
        ask("validate_plan", plan="x" * 5_000_001)


MANY = """(define (domain many) (:predicates (p))
(:action a :parameters (?a ?b %s) :precondition (and) :effect (p)))"""
OBJECTS = f"""(define (problem m) (:domain many)
(:objects {" ".join(f"o{number}" for number in range(50))}) (:init) (:goal (p)))"""


def reply(name: str, folder: Path | None = None, **arguments: Any) -> tuple[str, bool]:
    """What the server sends: the text, and whether it is an error."""

    def make_result(text: str, content: dict[str, Any], *, is_error: bool) -> tuple[str, bool]:
        json.dumps(content).encode()
        return text, is_error

    tool = _report_errors_as_results(getattr(Tools(folder), name), make_result)
    found: tuple[str, bool] = tool(**{**BOTH, **arguments})
    return found


@pytest.mark.parametrize("more", ["?c ?d", "?c ?d ?e ?f ?g ?h"])
def test_actions_without_number_are_an_error(more: str) -> None:
    text, failed = reply("applicable_actions", domain=MANY % more, problem=OBJECTS)
    assert failed
    assert "12,000 ground actions" in text


def test_of_many_actions_the_first_are_listed() -> None:
    text, failed = reply("applicable_actions", domain=MANY % "", problem=OBJECTS)
    assert not failed
    assert text.count("(a ") == 1_000
    assert "and 1,500 more" in text


@pytest.mark.parametrize(
    "arguments",
    [
        {"domain": "a\0b"},
        {"domain": "x" * 5_000},
        {"domain": "\ud800"},
        {"domain": "pipe"},
        {"domain": "."},
        {"time_limit": float("nan")},
        {"time_limit": 0},
        {"time_limit": -1},
        {"time_limit": None},
    ],
)
def test_whatever_is_wrong_comes_back_as_an_error(
    arguments: dict[str, Any], tmp_path: Path
) -> None:
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
    text, failed = reply("plan", tmp_path, **arguments)
    assert failed
    assert text


def test_actions_with_very_many_parameters_are_refused() -> None:
    parameters = " ".join(f"?c{number}" for number in range(2_000))
    text, failed = reply("applicable_actions", domain=MANY % parameters, problem=OBJECTS)
    assert failed
    assert "2,002" in text


def test_no_error_is_long(tmp_path: Path) -> None:
    text, failed = reply("check_pddl", tmp_path, domain="x" * 50_000)
    assert failed
    assert len(text) < mcp_tools.LARGEST_ERROR + 10


def test_a_long_formula_is_refused_and_never_cut() -> None:
    # Its first 10,000 characters are a formula, too, and that one holds.
    formula = "F holding(d)" + " " * 10_000 + "and G holding(d)"
    with pytest.raises(InputError) as caught:
        ask("check_formula", plan=PLAN, formula=formula)
    assert "10,000" in caught.value.what


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        (b'{"a": "\\ud800"}\n', {"a": "?"}),
        (b'{"a": "\\uDFFFb"}\n', {"a": "?b"}),
        (b'{"a": "\\ud83d\\ude00"}\n', {"a": "\U0001f600"}),
        (b'{"a": "\xc3\xa9"}\n', {"a": "\u00e9"}),
    ],
)
def test_halves_of_characters_in_messages_are_replaced(sent: bytes, taken: object) -> None:
    lines: Any = mcp_tools._EncodableLines(io.BytesIO(sent * 2))
    stream = io.TextIOWrapper(lines, encoding="utf-8")
    assert [json.loads(line) for line in stream] == [taken, taken]


def test_what_is_no_message_passes_as_it_is() -> None:
    for line in (b'{"a": "\\ud800"\n', b"not \\ud800 json\n", b"[" * 1000 + b'"\\ud800"\n'):
        assert mcp_tools._EncodableLines(io.BytesIO(line)).read() == line


def test_a_reply_that_is_too_large_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_tools, "LARGEST_REPLY", 20)
    text, failed = reply("check_pddl")
    assert failed
    assert "at most 20" in text


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
def test_a_call_that_takes_too_long_is_ended() -> None:
    variables = " ".join(f"?v{number}" for number in range(8))
    condition = "(or (on ?v0 ?v7) (on ?v1 ?v6) (= ?v2 ?v3) (not (on ?v4 ?v5)) (clear ?v7))"
    domain = f"""(define (domain d) (:requirements :adl) (:predicates (on ?x ?y) (clear ?x))
      (:action a :parameters () :precondition (exists ({variables}) (and (not {condition})))))"""
    objects = " ".join(f"o{number}" for number in range(40))
    facts = " ".join(f"(on o{number} o{number + 1})" for number in range(39))
    problem = f"(define (problem p) (:domain d) (:objects {objects}) (:init {facts}) (:goal (and)))"
    arguments = {"domain": domain, "problem": problem, "plan": "(a)"}
    with pytest.raises(InputError) as caught:
        call_within_limits(None, "validate_plan", arguments, 0.5)
    assert "0.5" in caught.value.what
    answer, _ = call_within_limits(None, "validate_plan", {**BOTH, "plan": PLAN}, 30.0)
    assert answer.startswith("valid")


def test_files_are_read_below_the_folder_only(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "d.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(PROBLEM)
    assert ask("check_pddl", inside, domain="d.pddl")[1]["errors"] == 0
    for path in ("../p.pddl", str(tmp_path / "p.pddl")):
        with pytest.raises(InputError, match="leads out of the folder"):
            ask("check_pddl", inside, problem=path)
    with pytest.raises(EaiError):
        ask("validate_plan", domain=str(inside / "d.pddl"), plan=PLAN)
    with pytest.raises(InputError, match="no such folder"):
        serve(tmp_path / "nowhere")


def test_without_the_sdk_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.types", None)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(MissingExtraError, match="mcp"):
        serve()


@pytest.mark.heavy
def test_the_official_client_is_served() -> None:
    mcp = package("mcp", extra="mcp")
    stdio = package("mcp.client.stdio", extra="mcp")

    async def session() -> tuple[Any, set[str], Any]:
        server = mcp.StdioServerParameters(command=sys.executable, args=["-m", "eai", "mcp"])
        async with stdio.stdio_client(server) as pipes, mcp.ClientSession(*pipes) as client:
            server_info = (await client.initialize()).model_dump(by_alias=True)["serverInfo"]
            tools = {tool.name for tool in (await client.list_tools()).tools}
            return (
                server_info,
                tools,
                await client.call_tool("validate_plan", {**BOTH, "plan": PLAN}),
            )

    server_info, tools, found = asyncio.run(session())
    assert server_info["name"] == "eai"
    assert server_info["version"]
    assert tools == set(TOOLS)
    assert found.model_dump(by_alias=True)["structuredContent"]["valid"] is True
