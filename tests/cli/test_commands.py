"""How the words of a command line are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest

from command_line import call
from eai.cli.commands import Argument, Option, UsageError, read


def order(
    dish: Annotated[str, Argument("What to eat.")],
    sides: Annotated[list[str] | None, Argument("What goes with it.")] = None,
    table: Annotated[int, Option("Where.", ("--table", "-t"))] = 1,
    tip: Annotated[float | None, Option("How much.")] = None,
    size: Annotated[Literal["small", "large"], Option("How big.")] = "small",
    note_to: Annotated[Path | None, Option("A file.")] = None,
    without: Annotated[list[str] | None, Option("Leave out.")] = None,
    vegan: Annotated[bool, Option("No meat.", ("--vegan", "-v"))] = False,
    quick: Annotated[bool, Option("Soon.", ("--quick", "-q"))] = False,
) -> None:
    """Order a dish."""


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("soup", {"dish": "soup"}),
        ("soup bread --table 4 butter", {"dish": "soup", "sides": ["bread", "butter"], "table": 4}),
        ("--tip=2.5 soup", {"dish": "soup", "tip": 2.5}),
        ("soup --note-to a/b", {"dish": "soup", "note_to": Path("a/b")}),
        ("soup --without salt --without oil", {"dish": "soup", "without": ["salt", "oil"]}),
        ("soup -qvt 3", {"dish": "soup", "quick": True, "vegan": True, "table": 3}),
        ("soup -t3", {"dish": "soup", "table": 3}),
        ("soup --tip -1", {"dish": "soup", "tip": -1.0}),
        ("- -- --tip", {"dish": "-", "sides": ["--tip"]}),
        ("soup --size large", {"dish": "soup", "size": "large"}),
    ],
)
def test_words_become_arguments(words: str, found: dict[str, object]) -> None:
    assert read(order, words.split()) == found


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "Missing argument 'DISH'."),
        ("soup --tipp 3", "No such option: --tipp. Did you mean --tip?"),
        ("soup -x", "No such option: -x."),
        ("soup --table four", "Invalid value for '--table': 'four' is not a valid integer."),
        ("soup --tip much", "Invalid value for '--tip': 'much' is not a valid number."),
        (
            "soup --size huge",
            "Invalid value for '--size': 'huge' is not one of 'small', 'large'.",
        ),
        ("soup --table", "Option '--table' requires an argument."),
        ("soup --vegan=yes", "Option '--vegan' does not take a value."),
    ],
)
def test_wrong_words_are_named(words: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(order, words.split())
    assert str(caught.value) == told


def test_a_word_too_many() -> None:
    done = call("suites", "household")
    assert done.exit_code == 2
    assert done.stderr == (
        "Usage: eai suites [OPTIONS]\nTry 'eai suites --help' for help.\n\n"
        "Error: Got unexpected extra argument (household).\n"
    )


def test_a_required_option_is_asked_for() -> None:
    assert "Missing option '--model'." in call("ask", "household").stderr


@pytest.mark.parametrize("words", [("evaluat",), ("--versions",), ("data", "fetsh")])
def test_an_unknown_command_is_a_wrong_use(words: tuple[str, ...]) -> None:
    done = call(*words)
    assert done.exit_code == 2
    assert f"{words[-1]!r}." in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("words", [(), ("analyze",), ("data",)])
def test_without_a_command_the_help_is_shown(words: tuple[str, ...]) -> None:
    done = call(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == call(*words, "--help").stdout


def test_help_lists_all_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = call("--help").stdout
    assert told.startswith("Usage: eai [OPTIONS] COMMAND [ARGS]...\n")
    assert "--version  Print the version." in told
    assert "evaluate  Judge predictions" in told
    assert "data      Fetch published benchmark data; show where it is." in told
    assert max(map(len, told.splitlines())) <= 80


def test_help_of_a_command_says_what_it_takes() -> None:
    told = call("replan", "--help").stdout
    assert told.startswith("Usage: eai replan [OPTIONS] SUITE [TASKS]...\n")
    assert "SUITE" in told
    assert "[required]" in told
    assert "--level verdict|kind|reason" in told
    assert "[default: 3]" in told


def test_help_of_a_member_of_a_group() -> None:
    assert call("analyze", "errors", "--help").stdout.startswith("Usage: eai analyze errors ")
