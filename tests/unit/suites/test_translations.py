"""Sentences and formulas: files as their producers write them, answers, and how they differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import eai
from eai.diagnosis import ErrorKind, Result
from eai.errors import EaiError, InputError
from eai.suites.translations import Examples, Translations

ABILITY = "translation"


def _suite(tmp_path: Path, *rows: dict[str, object], traces: str = "infinite") -> Translations:
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return Translations(f"{file}@traces={traces}")


def _result(suite: Translations, answer: str | None, task: str = "1") -> Result:
    return suite.evaluate(ABILITY, suite.task(task), answer, suite.semantics("strict"))


def _shares(result: Result) -> set[str]:
    return {measure.kind for measure in result.measures if measure.amount}


@pytest.fixture
def response(tmp_path: Path) -> Translations:
    return _suite(tmp_path, {"text": "Each a is followed by an e.", "ltl": "G (a -> F e)"})


@pytest.mark.parametrize(
    ("answer", "shares"),
    [
        ("G (a -> F e)", {"exact"}),
        ("G (!a | F e)", set()),
        ("!F (a & G !e)", set()),
    ],
)
def test_equivalent_formulas_are_right(
    response: Translations, answer: str, shares: set[str]
) -> None:
    result = _result(response, answer)
    assert result.success
    assert _shares(result) == shares


@pytest.mark.parametrize(
    ("answer", "relation"),
    [
        ("a -> F e", "weaker"),
        ("G F e", "stronger"),
        ("G (e -> F a)", "incomparable"),
        ("G (a -> X e)", "stronger"),
    ],
)
def test_others_are_weaker_stronger_or_neither(
    response: Translations, answer: str, relation: str
) -> None:
    result = _result(response, answer)
    assert not result.success
    assert _shares(result) == {relation}
    assert any(note.strip().startswith("0:") for note in result.notes)


@pytest.mark.parametrize(
    "answer",
    [
        "```\nG(a -> F e)\n```",
        "The formula is `G(a -> F e)`.",
        "LTL: G (a -> F e)",
        "Sure!\n\n**G(a \u2192 F(e))**\n\nwhere G means globally and F means eventually.",
        '{"explanation": "first a, then e", "formula": "[](a -> <>e)"}',
        "$\\Box (a \\rightarrow \\Diamond e)$",
        "\\[ G(a \\implies F e) \\]",
        "\\boxed{G(a \\to F e)}",
        "<answer>G(a -> F e)</answer>",
        "First I thought of F a. But the final answer is: G(a -> F e)",
        "Formula: G(a -> F e)\nExplanation: always, if a then eventually e",
        "globally (a implies eventually e)",
        "[](A -> <>E)",
        "The answer is G(a -> F e).",
        "<think>maybe F a</think>G(a -> F e)",
        "1. G(a -> F e)",
        'formula = "G(a -> F e)"',
    ],
)
def test_formulas_are_read_in_what_models_write(response: Translations, answer: str) -> None:
    assert _result(response, answer).success


@pytest.mark.parametrize("answer", ["", "I cannot do that.", "G(a -> F e) U", "done", "((((", "{}"])
def test_what_is_no_formula_is_not_read(response: Translations, answer: str) -> None:
    result = _result(response, answer)
    assert [finding.kind for finding in result.findings] == [ErrorKind.PARSING]
    assert not result.success


def test_a_missing_answer(response: Translations) -> None:
    assert _result(response, None).status == "missing"


def test_names_are_matched(tmp_path: Path) -> None:
    row: dict[str, object] = {
        "nl": "Go there.",
        "ltl": "F big_hall & G !stairs",
        "atoms": {"lobby": "big_hall"},
    }
    suite = _suite(tmp_path, row)
    for answer in ("F bigHall & G !Stairs", "F lobby & G !stairs", 'F "big hall" & G !stairs'):
        assert _result(suite, answer).success
    renamed = _result(suite, "F x & G !y")
    assert not renamed.success
    assert "renamed" in _shares(renamed)
    assert "renamed" not in _shares(_result(suite, "F x & F y"))


def test_the_traces_decide(tmp_path: Path) -> None:
    row: dict[str, object] = {"text": "Again and again p.", "ltl": "G F p"}
    assert _result(_suite(tmp_path, row, traces="finite"), "F G p").success
    assert not _result(_suite(tmp_path, row, traces="infinite"), "F G p").success


def test_traces_have_to_be_named(tmp_path: Path) -> None:
    file = tmp_path / "pairs.txt"
    file.write_text("p holds.;p")
    with pytest.raises(InputError):
        Translations(file)
    for option in ("traces=endless", "dialect=latin", "tracks=finite"):
        with pytest.raises(EaiError):
            Translations(f"{file}@{option}")
    assert Translations(file, traces="finite").task_ids() == ("1",)


def test_an_answer_that_is_too_hard_to_compare_is_no_parsing_error(tmp_path: Path) -> None:
    suite = _suite(tmp_path, {"text": "Again and again p.", "ltl": "G F p"})
    answer = " & ".join(f"G F (p{i} U (q{i} U r{i}))" for i in range(14))
    strict = suite.semantics("strict")
    semantics = strict._replace(budget=strict.budget / 20)
    result = suite.evaluate(ABILITY, suite.task("1"), answer, semantics)
    assert [finding.kind for finding in result.findings] == [ErrorKind.BEYOND_BUDGET]


def test_files_are_read_as_published(tmp_path: Path) -> None:
    text = tmp_path / "expert.txt"
    text.write_text("a holds; always;G a\nb holds.;F b\n")
    table = tmp_path / "commands.csv"
    table.write_text(",nl_command,ltl\n7,visit x and y,& F x F y\n9,go to x,F x\n")
    lists = tmp_path / "tokens.jsonl"
    row = {
        "id": 1,
        "sentence": "",
        "ltl": "",
        "logic_sentence": ["If", "(", "prop_1", ")", "then", "(", "prop_2", ")"],
        "logic_ltl": ["globally", "(", "prop_1", "imply", "prop_2", ")"],
    }
    lists.write_text(f"{json.dumps(row)}\n{json.dumps(row)}\n")
    formulas = {}
    for file in (text, table, lists):
        suite = Translations(file, traces="infinite")
        formulas[file.name] = [suite.task(task).goal.text for task in suite.task_ids()]
    assert formulas["expert.txt"] == ["G a()", "F b()"]
    assert formulas["commands.csv"] == ["F x() and F y()", "F x()"]
    # Equal ids are replaced by the place in the file.
    assert formulas["tokens.jsonl"] == ["G (prop_1() implies prop_2())"] * 2
    assert Translations(table, traces="infinite").task_ids() == ("7", "9")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rows.jsonl", '{"text": "p"}\n'),
        ("rows.jsonl", '{"ltl": "p"}\n'),
        ("rows.jsonl", "[1]\n"),
        ("rows.jsonl", "{'text'\n"),
        ("rows.jsonl", ""),
        ("rows.jsonl", '{"text": "p", "ltl": "p", "atoms": 3}\n'),
        ("rows.json", "{}"),
        ("rows.json", "nothing"),
        ("rows.txt", "no formula\n"),
        ("rows.csv", "a,b\n1,2\n"),
        ("rows.xyz", "p;p"),
    ],
)
def test_files_that_cannot_be_read_are_refused(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(EaiError):
        Translations(file, traces="finite").task_ids()


def test_references_that_are_not_evaluated_are_named(tmp_path: Path) -> None:
    suite = _suite(tmp_path, {"text": "p", "ltl": "p &"}, {"text": "once p", "ltl": "O p"})
    for task in suite.task_ids():
        with pytest.raises(InputError) as error:
            suite.task(task)
        assert "pairs.jsonl" in str(error.value)


def test_the_examples_are_whole() -> None:
    suite = Examples()
    assert len(suite.task_ids()) == 60
    assert not eai.check_suite(suite)
    answers = {task: suite.task(task).goal.text for task in suite.task_ids()}
    report = eai.evaluate(suite, answers)
    assert not report.failures()


def test_no_two_examples_mean_the_same() -> None:
    suite = Examples()
    texts = [suite.task(task).goal.text for task in suite.task_ids()]
    assert len(set(texts)) == len(texts)
