"""The HTML page: complete, self-contained, and proof against what models write."""

import base64
import gzip
import hashlib
import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from report_samples import (
    EXCLUDED,
    GARBLED,
    MISSING,
    SOLVED,
    STOPPED,
    golden,
    record,
    sample_report,
)

import eai
from eai.diagnosis import Condition, ErrorKind, Finding, Match, Result, RuleVerdict
from eai.errors import OutputExistsError
from eai.report import Reader, Record, Report
from eai.report.explanation import StepChange
from eai.report.page import Details, PartTruth
from eai.report.page.writer import _model_rows, write_html
from eai.report.tables import detail_tables
from eai.text import printable_line

VOID = {"meta", "br", "input"}
HOSTILE = (
    "<script>alert(1)</script>",
    "</pre></details></style><img src=x onerror=alert(1)>",
    "]]>--><!-- <![CDATA[",
    "a\x00b\x1b[0m\x85",
    "\u202egnp.exe\u2066\u200f",
    "\ud800 lone \udfff",
    "{{ 7 * 7 }}{% include 'page.css' %}",
    "javascript:alert(1)\" onmouseover='alert(1)",
    "&lt;b&gt;&#0;",
    "x" * 1_000_000,
    "\n" * 100_000,
)


class Page(HTMLParser):
    """Collects what a browser would find, and checks that all tags are balanced."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags = Counter[str]()
        self.attributes = Counter[str]()
        self.values: list[str] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.comments: list[str] = []
        self.blocks: dict[str, str] = {}
        self.block: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes.update(name for name, _ in attrs)
        self.values += [value or "" for _, value in attrs]
        if tag not in VOID:
            self.open.append(tag)
        self.block = dict(attrs).get("id") if tag == "script" else None

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.block = None

    def handle_data(self, data: str) -> None:
        if self.block:
            self.blocks[self.block] = self.blocks.get(self.block, "") + data
        else:
            self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def page_of(report: Report, folder: Path, reader: Reader | None = None) -> tuple[str, Page]:
    path = folder / "page.html"
    report.to_html(path, force=True, reader=reader)
    text = path.read_bytes().decode("utf-8")
    page = Page(text)
    assert page.open == []
    return text, page


def unpacked(page: Page) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The index and the items, as the page's script reads them."""
    blocks = {name: text for name, text in page.blocks.items() if name.startswith("items-")}
    data = {name: json.loads(gzip.decompress(base64.b64decode(t))) for name, t in blocks.items()}
    index = data.pop("items-index")
    return index, [each for number in range(len(data)) for each in data[f"items-{number}"]]


def hostile(text: str) -> Record:
    """Put a text into every field that a page shows."""
    result = Result(
        "evaluated",
        plan=(text, text),
        executed=("done", "failed"),
        findings=(Finding(ErrorKind.MISSING_STEP, text, 2, text, (text, text), 1, 1, 0),),
        goals=(Condition("state", text, met=False), Condition("action", text, met=True)),
        formula=text,
        formula_holds=False,
        reason=text,
        notes=(text,),
    )
    return Record(text[:99], text[:99], text[:99], text[:99], text, text, text, text, result)


def test_the_part_for_jupyter_is_the_stored_one() -> None:
    text = sample_report()._repr_html_()
    assert golden("overview.html", text) == text
    assert Page(text).open == []


def test_the_same_report_gives_the_same_page(tmp_path: Path) -> None:
    first, _ = page_of(sample_report(), tmp_path)
    second, _ = page_of(sample_report(), tmp_path)
    assert first == second


def test_the_page_needs_nothing_from_outside(tmp_path: Path) -> None:
    text, page = page_of(sample_report(), tmp_path)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">')
    assert page.tags.keys().isdisjoint({"link", "img", "iframe", "object", "form"})
    assert page.attributes.keys().isdisjoint({"src", "srcset", "action", "background"})
    assert re.findall('href="(.{13})', text) == ["data:text/csv", "data:text/pla"]
    assert "url(" not in text
    assert "@import" not in text
    assert "prefers-color-scheme: dark" in text
    assert 'name="viewport"' in text


def test_only_the_script_of_the_page_may_run(tmp_path: Path) -> None:
    text, page = page_of(sample_report(), tmp_path)
    script = text[text.rindex("<script>") + len("<script>") : text.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'" in text
    assert "'unsafe-inline'" not in text.split("script-src")[1].split(";")[0]
    assert not [name for name in page.attributes if name.startswith("on")]
    assert page.tags["script"] == 3  # the index, one portion, and the script


def test_every_item_is_listed_with_its_verdict(tmp_path: Path) -> None:
    index, items = unpacked(page_of(sample_report(), tmp_path)[1])
    assert len(index["items"]) == len(items) == 10
    listed = [
        (index["models"][model], task, index["status"][status])
        for model, task, _, status, _, _ in index["items"]
    ]
    assert listed[1] == ("alpha", "t1", "failed")
    assert {status for _, _, status in listed} == {"solved", "failed", "missing", "excluded"}


def test_items_come_in_portions(tmp_path: Path) -> None:
    records = [record(SOLVED, task=f"t{number}") for number in range(120)]
    _, page = page_of(Report(records), tmp_path)
    assert set(page.blocks) == {"items-index", "items-0", "items-1", "items-2"}
    assert len(unpacked(page)[1]) == 120


def test_an_item_tells_its_story(tmp_path: Path) -> None:
    index, [data] = unpacked(page_of(Report([record(STOPPED, output='{"WALK": []}')]), tmp_path)[1])
    assert index["items"][0][5] == "additional step, wrong order, 2 of 3 goal conditions unmet"
    assert data["steps"] == [
        ["walk(sink_3)", "done"],
        ["walk(sink_3)", "skipped"],
        ["putin(cup_2, sink_3)", "failed"],
        ["sit(chair_4)", "not reached"],
    ]
    label, said, more, step = data["findings"][1]
    assert (label, said, step) == ("wrong order", "the cup is not held any more", 3)
    assert more == [
        "step 3: putin(cup_2, sink_3)",
        "needs holds(agent, cup_2)",
        "last held after step 1",
        "made false by step 2",
    ]
    assert data["unmet"] == [
        ["relation", "inside(cup_2, sink_3)", ["true from step 3", "lost by step 4"]],
        ["action", "TOUCH|PUSH", ["never taken"]],
    ]
    assert data["met"] == [["state", "on(light_1)", ["true from step 2"]]]
    assert data["formula"][0] == "does not hold"
    assert data["remarks"] == ["a code fence was removed"]
    assert data["output"] == '{"WALK": []}'


def test_what_was_found_by_running_again_stands_beside_it(tmp_path: Path) -> None:
    details = Details(
        "Wash the cup.",
        (
            StepChange(1, "", "done", ("near(sink_3)",), ("near(chair_4)",)),
            StepChange(2, "", "done"),
        ),
        (0, 1),
        (PartTruth("on(light_1)", (False, True)),),
        ("insert grab(cup_2) before step 3",),
    )
    _, [data] = unpacked(page_of(Report([record(STOPPED)]), tmp_path, lambda _: details)[1])
    assert data["instruction"] == "Wash the cup."
    assert data["changes"] == [[["near(sink_3)"], ["near(chair_4)"]], [[], []]]
    assert data["positions"] == [0, 1]
    assert data["truth"] == [["on(light_1)", "01"]]
    assert data["repair"] == ["insert grab(cup_2) before step 3"]


def test_what_became_of_rules_and_how_answers_were_read_stand_on_the_page(tmp_path: Path) -> None:
    judged = replace(STOPPED, rules=(RuleVerdict("never spill", kept=False, step=2),))
    unread = Result("evaluated", findings=(Finding(ErrorKind.PARSING, "no plan"),))
    report = Report([record(judged), record(unread, task="t2")])
    titles = [table.title for table in detail_tables(report)]
    assert len(titles) == 2
    _, page = page_of(report, tmp_path)
    for title in [*titles, "never spill"]:
        assert title in page.text


def test_few_models_are_compared_in_sentences_and_more_in_a_matrix(tmp_path: Path) -> None:
    records = [record(SOLVED, model=name) for name in "abcde"]
    assert (
        "a and b do not differ significantly in Task SR"
        in page_of(Report(records[:2]), tmp_path)[1].text
    )
    several = page_of(Report(records), tmp_path)[1].text
    assert "Which models differ significantly?" in several
    assert "Points by which the row's model is above the column's" in several
    many = [record(SOLVED, model=str(number)) for number in range(13)]
    assert "eai compare RUN says which" in page_of(Report(many), tmp_path)[1].text


def test_an_answer_that_is_no_plan_says_so(tmp_path: Path) -> None:
    _, [data] = unpacked(page_of(Report([record(GARBLED, output="")]), tmp_path)[1])
    assert data["steps"] == []
    assert data["output"] == ""
    assert "at character 10 of the answer" in data["findings"][1][2]
    assert all(more == [] for _, _, more in data["unmet"])  # nothing was executed


def test_a_missing_prediction_has_its_own_line_and_bar(tmp_path: Path) -> None:
    _, page = page_of(Report([record(MISSING), record(SOLVED, task="t2")]), tmp_path)
    assert unpacked(page)[0]["items"][0][5] == "no prediction"
    assert "no answer: 1 of 2 tasks" in page.values


def test_a_bar_counts_the_tasks_that_it_lists(tmp_path: Path) -> None:
    again = (Finding(ErrorKind.ADDITIONAL_STEP, "again"),) * 5
    garbled = record(replace(GARBLED, findings=again))
    absent = Result("evaluated", matches=(Match("state", 1, 0, 2), Match("relation", 0, 3, 0)))
    others = [record(SOLVED, task="t2"), record(EXCLUDED, task="t3"), record(absent, task="t4")]
    text, page = page_of(Report([garbled, *others]), tmp_path)
    for counted in ("solved", "additional step", "left out", "not annotated"):
        assert f"{counted}: 1 of 3 tasks" in page.values
    assert "parsing: 1 of 3 tasks" not in page.values  # that task is excluded
    assert text.count("width:33.33%") == 4


def test_the_page_in_a_run_leads_to_its_records_and_to_the_first_page(tmp_path: Path) -> None:
    answers, part = {"studio-01": "[]"}, tmp_path / "household" / "action_sequencing"
    part.mkdir(parents=True)
    for folder in (tmp_path / "alone", part):
        eai.evaluate("household", answers, tasks="answered", output=folder)
    alone, within = ((f / "report.html").read_text() for f in (tmp_path / "alone", part))
    assert '<a download href="records.jsonl">' in alone
    assert "../" not in alone.partition("<script")[0]
    assert '<a href="../../report.html">' in within


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_text_stays_text(tmp_path: Path, text: str) -> None:
    raw, page = page_of(Report([hostile(text)], [text[:2000]], package_version=text[:99]), tmp_path)
    tame = "h" * len(text)
    _, plain = page_of(Report([hostile(tame)], [tame[:2000]], package_version="h"), tmp_path)
    assert (page.tags, page.attributes, page.comments) == (plain.tags, plain.attributes, [])
    assert printable_line(text[:400]) in " ".join(page.text.split())
    assert all(character.isprintable() or character == "\n" for character in raw)
    assert len(raw) < 100_000
    _, [data] = unpacked(page)
    assert all(each.isprintable() or each in "\n\t" for each in data["output"])
    assert printable_line(text[:400]) in " ".join(data["findings"][0][1].split())


def test_a_long_answer_is_cut_and_the_cut_is_told(tmp_path: Path) -> None:
    _, page = page_of(Report([record(GARBLED, output="x" * 1_000_000)]), tmp_path)
    _, [data] = unpacked(page)
    assert data["cut"] == "cut: the first 4,096 of 1,000,000 characters are shown"
    assert data["output"] == "x" * 4096


def test_long_lists_are_cut_and_the_cut_is_told(tmp_path: Path) -> None:
    steps = tuple(f"walk(x_{number})" for number in range(5000))
    findings = STOPPED.findings * 1000
    goals = STOPPED.goals * 100
    long = record(replace(STOPPED, plan=steps, findings=findings, goals=goals))
    _, [shown] = unpacked(page_of(Report([long]), tmp_path)[1])
    assert len(shown["steps"]) == 200
    assert shown["steps"][-1][1] == ""
    assert shown["remarks"][1:] == [
        "the first 200 of 5,000 steps are shown",
        "the first 50 of 2,000 findings are shown",
        "the first 50 of 300 goal conditions are shown",
    ]


def test_the_page_tells_what_steps_changed_where_the_suite_is_at_hand(tmp_path: Path) -> None:
    answers = {"studio-01": "FIND(light.34)\nSWITCHON(light.34)"}
    report = eai.evaluate("household", answers, tasks="answered")
    _, page = page_of(report, tmp_path)
    _, [told] = unpacked(page)
    assert told["instruction"]
    assert "on(light.34)" in told["changes"][1][0]
    written = tmp_path / "run"
    eai.evaluate("household", answers, tasks="answered", output=written)
    of_run = (written / "report.html").read_text()
    whole = of_run.replace('<a download href="records.jsonl">records (JSON Lines)</a>\n', "")
    assert whole == (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("change", [{"suite": "nowhere"}, {"version": "0.0"}])
def test_without_the_suite_the_page_goes_without_what_steps_changed(
    change: dict[str, str], tmp_path: Path
) -> None:
    found = eai.evaluate("household", {"studio-01": "[]"}, tasks="answered")
    other = Report([replace(each, **change) for each in found.records])  # type: ignore[arg-type]
    _, page = page_of(other, tmp_path)
    _, [told] = unpacked(page)
    assert "changes" not in told


def test_only_items_that_failed_say_that_the_goal_was_not_reached(tmp_path: Path) -> None:
    results = [Result("evaluated", success=True), Result("evaluated"), Result("missing")]
    left_out = Result("excluded", notes=("the task cannot be used: no goal",))
    records = [
        replace(record(each), task=f"task-{number}")
        for number, each in enumerate([*results, left_out])
    ]
    _, page = page_of(Report(records), tmp_path)
    index, _ = unpacked(page)
    assert [row[-1] for row in index["items"]] == [
        "solved",
        "goal not reached",
        "no prediction",
        "the task cannot be used: no goal",
    ]


@pytest.mark.parametrize(
    ("name", "in_run", "linked"),
    [
        ("report.html", True, True),
        ("report.html", False, False),
        ("other.html", True, False),
    ],
)
def test_only_the_page_of_a_run_leads_to_its_records(
    tmp_path: Path, name: str, in_run: bool, linked: bool
) -> None:
    if in_run:
        (tmp_path / "run.json").write_text("{}")
    sample_report().to_html(tmp_path / name)
    assert ('"records.jsonl"' in (tmp_path / name).read_text("utf-8")) is linked


def test_bars_are_shares_of_the_tasks_that_were_not_left_out() -> None:
    items = {
        "models": ["a", "b", "c"],
        "status": ["solved", "failed", "excluded"],
        "kinds": ["left out", "missing step"],
        "items": [
            [0, "x", "t1", 0, [], ""],
            [1, "x", "t1", 1, [1], ""],
            [1, "x", "t2", 0, [], ""],
            [1, "x", "t3", 1, [0, 1], ""],
            [1, "x", "t4", 2, [], ""],
            [2, "x", "t4", 2, [], ""],
        ],
    }
    rows = list(_model_rows(items, ["a", "b", "c"]))
    assert [row[0] for row in rows] == ["a", "b", "c"]
    assert [row[2] for row in rows] == [1, 3, 0]
    assert [[tuple(bar) for bar in row[3]] for row in rows] == [
        [("solved", 1, 100.0), ("missing step", 0, 0.0), ("left out", 0, 0.0)],
        [("solved", 1, 33.33), ("missing step", 2, 66.67), ("left out", 1, 33.33)],
        [("solved", 0, 0.0), ("missing step", 0, 0.0), ("left out", 0, 0.0)],
    ]


def test_a_page_replaces_no_file_unless_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("precious")
    report = Report([record(SOLVED)])
    with pytest.raises(OutputExistsError):
        write_html(report, path)
    assert path.read_text() == "precious"
    write_html(report, path, force=True)
    assert path.read_text() != "precious"
