"""How the words of a command line are read."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Annotated, Literal

import pytest
from hypothesis import given, settings, strategies as st

from command_line import call
from eai.cli.app import COMMANDS
from eai.cli.commands import Argument, Option, UsageError
from eai.cli.parsers import parser


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
        ("- --vegan", {"dish": "-", "vegan": True}),
        ("soup --size large", {"dish": "soup", "size": "large"}),
    ],
)
def test_words_become_arguments(words: str, found: dict[str, object]) -> None:
    assert parser("eai", order).words(words.split()) == found


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "the following arguments are required: DISH"),
        ("soup --tipp 3", "there is no option --tipp; did you mean --tip?"),
        ("soup --dish soup", "there is no option --dish; DISH is given without a name"),
        ("--tipp 3", "there is no option --tipp; did you mean --tip?"),
        ("soup --veg", "there is no option --veg; did you mean --vegan?"),
        ("soup -x", "unrecognized arguments: -x"),
        ("soup --table four", "argument --table/-t: 'four' is not an integer"),
        ("soup --tip much", "argument --tip: 'much' is not a number"),
        ("soup --size huge", "argument --size: invalid choice: 'huge'"),
        ("soup --table", "argument --table/-t: expected one argument"),
        ("soup --vegan=yes", "argument --vegan/-v: ignored explicit argument 'yes'"),
    ],
)
def test_wrong_words_are_named(words: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        parser("eai", order).words(words.split())
    assert str(caught.value).startswith(told)


WORDS = st.text(st.characters(codec="utf-8"), max_size=8)


@settings(max_examples=60, deadline=None)
@given(
    dish=WORDS.filter(lambda word: not word.startswith("-")),
    without=st.lists(WORDS, max_size=3),
    tip=st.none() | st.floats(allow_nan=False),
    seed=st.randoms(use_true_random=False),
)
def test_whatever_is_given_arrives_in_any_order(
    dish: str, without: list[str], tip: float | None, seed: Random
) -> None:
    options = [*(f"--without={word}" for word in without)]
    place = seed.randint(0, len(options))
    words = [*options[:place], dish, *options[place:]]
    if tip is not None:
        words.insert(seed.randint(0, len(words)), f"--tip={tip}")
    expected: dict[str, object] = {"dish": dish, "without": without, "tip": tip}
    assert parser("eai", order).words(words) == {
        name: value for name, value in expected.items() if value not in (None, [])
    }


def test_a_word_too_many() -> None:
    done = call("suites", "household")
    assert done.exit_code == 2
    assert done.stderr == (
        "usage: eai suites [OPTIONS]\n"
        "eai suites: unrecognized arguments: household\n"
        "Try 'eai suites --help'.\n"
    )


def test_a_required_option_is_asked_for() -> None:
    told = call("ask", "household").stderr
    assert "the following arguments are required: --model, --output" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("evaluat",), "eai: there is no command 'evaluat'; did you mean evaluate?"),
        (("data", "fetsh"), "eai data: there is no command 'fetsh'; did you mean fetch?"),
        (("data", "moon"), "eai data: there is no command 'moon'; there are fetch, path, lint"),
        (("--versions",), "eai: there is no option --versions here"),
    ],
)
def test_an_unknown_command_is_a_wrong_use(words: tuple[str, ...], told: str) -> None:
    done = call(*words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("words", [(), ("analyze",), ("data",)])
def test_without_a_command_the_help_is_shown(words: tuple[str, ...]) -> None:
    done = call(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == call(*words, "--help").stdout


def test_help_lists_all_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = call("--help").stdout
    assert told.startswith("usage: eai [OPTIONS] COMMAND [ARGS]...\n")
    assert "Print the version." in told
    assert "Judge predictions" in told
    assert "Fetch published benchmark data; show where it is." in told
    listed = {line.split()[0] for line in told.splitlines() if line.startswith("    ")}
    assert set(COMMANDS) <= listed
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_is_no_mistake(word: str) -> None:
    assert call("plan", word).exit_code == 0
    assert "[required]" in call("ask", word).stdout


def test_help_of_a_command_says_what_it_takes() -> None:
    told = call("replan", "--help").stdout
    assert told.startswith("usage: eai replan [OPTIONS] SUITE [TASKS]...\n")
    assert "--level {verdict,kind,reason}" in told
    assert "[default: 3]" in told


def test_help_of_a_member_of_a_group() -> None:
    assert call("analyze", "errors", "--help").stdout.startswith("usage: eai analyze errors ")
