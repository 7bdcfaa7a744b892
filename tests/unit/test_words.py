"""The words of the field are used, and no others: in names, messages, help and documentation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import eai
from docs_pages import PAGES, name_of

SOURCE = Path(eai.__file__).parent
OURS = [
    *("judge", "judges", "judged", "judging", "judgement", "judgements", "story", "told", "shelf"),
    *("yardstick", "course", "courses", "deed", "deeds", "spans", "blocker", "blockers", "stage"),
    *("lens", "lenses", "doubt", "doubts", "moments", "traits", "remedy", "places"),
]
"""What the field does not say, or says of other things."""
TEXT = re.compile(
    r"\b((?<!LLM )judg(?:e|es|ed|ing|ements?)|yardsticks?|deeds?|blockers?|lens(?:es)?|traits?)\b",
    re.IGNORECASE,
)
KEYS = {(name, "places") for name in ("documents.py", "homes.py", "household.py")}
KEYS |= {("score.py", "judge"), ("__init__.py", "judge")}
"""Where a word is a key of files of tasks, or one that a benchmark has for its evaluator."""
EXCEPT = {
    "program.py": {"judges"},
    "agreement.py": {"judges", "judge"},
    "__init__.py": {"judge"},  # a wrong guess at a name, with what it is called here
}


def names(tree: ast.AST) -> Iterator[str]:
    """What the module itself names: functions, classes, arguments, variables, attributes."""
    for node in ast.walk(tree):
        for field in ("name", "id", "arg", "attr"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield value


@cache
def parts(name: str) -> frozenset[str]:
    return frozenset(part.lower() for part in re.findall(r"[a-z]+|[A-Z][a-z]*", name))


@cache
def trees() -> dict[Path, ast.Module]:
    """The modules that have one of the words anywhere in their text or name."""
    words = re.compile("judg|trait|" + "|".join(OURS), re.IGNORECASE)
    texts = {path: path.read_text("utf-8") for path in SOURCE.rglob("*.py")}
    found = {path for path, text in texts.items() if words.search(path.stem + "\n" + text)}
    return {path: ast.parse(texts[path]) for path in found}


@pytest.mark.heavy
def test_no_name_has_a_word_of_our_own() -> None:
    found = set()
    for path, tree in trees().items():
        used = {*path.stem.split("_")}.union(*map(parts, {*names(tree)}))
        found |= {(path.relative_to(SOURCE), word) for word in used.intersection(OURS)}
    assert {(path, word) for path, word in found if (path.name, word) not in KEYS} == set()


@pytest.mark.heavy
def test_no_message_has_a_word_of_our_own() -> None:
    found = {}
    for path, tree in trees().items():
        texts = (n.value for n in ast.walk(tree) if isinstance(n, ast.Constant))
        words = {m.lower() for text in texts if isinstance(text, str) for m in TEXT.findall(text)}
        words -= EXCEPT.get(path.name, set())
        if words:
            found[str(path.relative_to(SOURCE))] = words
    assert found == {}


def test_no_page_has_a_word_of_our_own() -> None:
    code = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
    found = {name_of(page): TEXT.findall(code.sub("", page.read_text("utf-8"))) for page in PAGES}
    assert {page: words for page, words in found.items() if words} == {}
