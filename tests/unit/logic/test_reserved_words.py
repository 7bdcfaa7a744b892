"""Names that are words of the notation are quoted, and no others."""

from __future__ import annotations

import subprocess
import sys

import pytest

from eai.logic import format_name
from eai.logic.nodes import is_reserved

RESERVED = ["and", "AND", "Then", "U", "G", "F", "X", "XG", "FFX", "forn", "ForPairs", "atleast"]
RESERVED += ["at-least", "at-most", "within", "hold-after", "exactly", "not", "exists", "true"]
RESERVED += ["until", "once", "last"]
PLAIN = ["light", "andy", "XY", "gf", "x", "at", "hold", "a.1", "then_", "f1", "GX1", "least"]
PLAIN += ["t\N{LATIN SMALL LETTER U WITH DIAERESIS}r", "\N{CYRILLIC SMALL LETTER A}"]


@pytest.mark.parametrize("name", RESERVED)
def test_words_of_the_notation_are_quoted(name: str) -> None:
    assert is_reserved(name)
    assert format_name(name) == f'"{name}"'


def test_words_are_quoted_whatever_was_loaded_before() -> None:
    program = "from eai.logic import Atom, format_name; "
    program += "print(*map(format_name, ['next', 'since', 'iff']), Atom('once'))"
    printed = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout
    assert printed.split() == ['"next"', '"since"', '"iff"', '"once"()']


@pytest.mark.parametrize("name", PLAIN)
def test_other_names_are_not(name: str) -> None:
    assert not is_reserved(name)
    assert format_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "a b",
        "a(b",
        "a-",
        ".a",
        "a..b",
        "",
        "cup\N{LATIN SMALL LIGATURE FI}",
        "\N{FULLWIDTH DIGIT ONE}",
    ],
)
def test_names_with_other_signs_are_quoted(name: str) -> None:
    assert format_name(name) == f'"{name}"'
