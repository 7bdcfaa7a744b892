"""How words on the command line are read, and what its help says."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import call
from typer.main import get_command

from eai.cli.program import app

COMMANDS = {
    "judges",
    *("evaluate", "explain", "compare", "report", "view", "export", "analyze", "audit", "repair"),
    *("leaderboard", "validate", "mcp", "questions", "compare-problems", "compare-domains"),
    *("perturb", "label-steps", "guard", "rules", "causes"),
    *("prompts", "ask", "replan", "interact", "check", "check-predictions", "plan", "suites"),
    *("tasks", "data"),
}


def members(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Every command that does something, by the words that name it."""
    if hasattr(command, "built"):
        command = command.built()
    if not hasattr(command, "commands"):
        yield name, command
        return
    for inner, member in command.commands.items():
        yield from members(f"{name} {inner}".strip(), member)


LISTED: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]
ALL = dict(members("", get_command(app)))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("evaluat", "'evaluate'"),
        ("data fetsh", "Did you mean 'fetch'?"),
        ("xyz", "No such command 'xyz'"),
        ("--versions", "--versions"),
        ("evaluate", "SUITE"),
        ("ask household", "--model"),
        ("suites household", "household"),
        ("evaluate household --ouput run", "--output"),
        ("evaluate household --limit many", "--limit"),
        ("evaluate household --limit 0", "--limit"),
        ("interact household --feedback loud", "loud"),
        ("replan household --max-attempts", "--max-attempts"),
    ],
)
def test_wrong_words_are_named(words: str, told: str) -> None:
    done = call(*words.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.told


@pytest.mark.parametrize("words", [(), ("analyze",), ("data",)])
def test_without_a_command_the_help_is_shown(words: tuple[str, ...]) -> None:
    done = call(*words)
    assert done.exit_code == 2
    assert done.output.split() == call(*words, "--help").stdout.split()


def test_help_lists_all_commands() -> None:
    told = call("--help").stdout
    assert all(f" {name} " in told for name in COMMANDS)
    assert {name.split()[0] for name in ALL} == COMMANDS


def test_the_list_of_commands_says_what_the_commands_say() -> None:
    """The list has copies of their first sentences, so that none has to be imported for it."""
    listed = {name: (each.help, each.built().help) for name, each in LISTED.items()}
    assert {name: own.split("\n\n")[0].replace("\n", " ") for name, (_, own) in listed.items()} == {
        name: told for name, (told, _) in listed.items()
    }


@pytest.mark.parametrize("name", ALL)
def test_help_of_a_command_comes_with_examples(name: str) -> None:
    done = call(*name.split(), "-h")
    assert done.exit_code == 0
    assert f"Usage: eai {name}" in done.stdout
    assert "Examples" in done.stdout


@pytest.mark.parametrize("name", ALL)
def test_examples_are_read_without_a_mistake(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[object] = []
    monkeypatch.setattr(ALL[name], "callback", lambda **given: ran.append(given))
    code = ALL[name].epilog.partition("```sh\n")[2].partition("```")[0].splitlines()
    lines = [line for line in code if not line.startswith("#")]
    for line in lines:
        words = shlex.split(line.partition("| ")[2] or line, comments=True)
        assert words[: 1 + len(name.split())] == ["eai", *name.split()]
        ALL[name].main(words[1 + len(name.split()) :], standalone_mode=False)
    assert len(ran) == len(lines) > 0


def test_one_name_means_one_thing() -> None:
    """The same option has the same short name and takes the same kind of word everywhere."""
    found: dict[str, set[tuple[object, ...]]] = {}
    for command in ALL.values():
        for each in command.params:
            if each.param_type_name == "option":
                found.setdefault(each.opts[0], set()).add((*each.opts, each.is_flag))
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1} == {}


@pytest.mark.parametrize(
    "name", ["evaluate", "prompts", "ask", "interact", "replan", "perturb", "tasks"]
)
def test_where_tasks_are_chosen_it_is_done_alike(name: str) -> None:
    options = {option for each in ALL[name].params for option in each.opts}
    assert {"--tasks", "--limit", "--json"} <= options


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("eval", "evaluate"),
        ("evaluate house", "household"),
        pytest.param("evaluate household --no-re", "--no-regression-vs", marks=pytest.mark.heavy),
        pytest.param("analyze gr", "groups", marks=pytest.mark.heavy),
        pytest.param("export run --relationship th", "third_party", marks=pytest.mark.heavy),
    ],
)
def test_a_shell_completes_words(words: str, found: str, tmp_path: Path) -> None:
    asked = {"_EAI_COMPLETE": "complete_bash", "COMP_WORDS": f"eai {words}"}
    number = {"COMP_CWORD": str(len(words.split()))}
    done = subprocess.run(
        [sys.executable, "-c", "from eai.cli import main; main()"],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, **asked, **number},
        text=True,
    )
    assert done.stdout.split() == [found]


def test_completion_is_installed_by_an_option() -> None:
    assert "_EAI_COMPLETE" in call("--show-completion", "bash").stdout or (
        "--install-completion" in call("--help").stdout
    )
