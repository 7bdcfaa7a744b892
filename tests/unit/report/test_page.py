"""The HTML page: complete, self-contained, and proof against what models write."""

from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from eai.diagnosis.judgement import Condition, Finding, Judgement
from eai.diagnosis.taxonomy import ErrorKind
from eai.report.item import item
from eai.report.printable import printable_line
from eai.report.records import Record
from eai.report.report import Report
from report_samples import GARBLED, MISSING, SOLVED, STOPPED, golden, record, sample_report

VOID = {"meta", "br"}
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
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes.update(name for name, _ in attrs)
        self.values += [value or "" for _, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def page_of(report: Report, folder: Path) -> tuple[str, Page]:
    path = folder / "page.html"
    report.to_html(path, force=True)
    text = path.read_bytes().decode("utf-8")
    page = Page(text)
    assert page.open == []
    return text, page


def hostile(text: str) -> Record:
    """Put a text into every field that a page shows."""
    judgement = Judgement(
        "judged",
        plan=(text, text),
        executed=("done", "failed"),
        findings=(Finding(ErrorKind.MISSING_STEP, text, 2, text, (text, text), 1, 1, 0),),
        goals=(Condition("state", text, met=False), Condition("action", text, met=True)),
        formula=text,
        formula_holds=False,
        formula_reason=text,
        notes=(text,),
    )
    return Record(text[:99], text[:99], text[:99], text[:99], text, text, text, text, judgement)


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
    assert "default-src 'none'; style-src 'unsafe-inline'" in text
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">')
    assert page.tags.keys().isdisjoint({"script", "link", "img", "iframe", "object", "form"})
    assert page.attributes.keys().isdisjoint({"src", "href", "srcset", "action", "background"})
    assert "url(" not in text
    assert "@import" not in text
    assert "prefers-color-scheme: dark" in text
    assert 'name="viewport"' in text


def test_every_failed_item_has_its_fold(tmp_path: Path) -> None:
    _, page = page_of(sample_report(), tmp_path)
    assert page.tags["details"] == page.tags["summary"] == 3
    assert "beta & co: 0 failed" in page.text


def test_an_item_tells_its_story(tmp_path: Path) -> None:
    _, page = page_of(Report([record(STOPPED, output='{"WALK": []}')]), tmp_path)
    for told in (
        "additional step, wrong order, 2 of 3 goal conditions unmet",
        "walk(sink_3) done",
        "walk(sink_3) skipped",
        "putin(cup_2, sink_3) failed",
        "sit(chair_4) not reached",
        "the cup is not held any more",
        "step 3: putin(cup_2, sink_3)",
        "needs holds(agent, cup_2)",
        "last held before step 2",
        "made false by step 2",
        "relation inside(cup_2, sink_3)true from step 3lost by step 4",
        "action TOUCH|PUSHnever taken",
        "state on(light_1)true from step 2",
        "The goal as a formula does not hold",
        "inside(cup_2, sink_3) is true at no position",
        "a code fence was removed",
        '{"WALK": []}',
    ):
        assert told in page.text


def test_an_answer_that_is_no_plan_says_so(tmp_path: Path) -> None:
    _, page = page_of(Report([record(GARBLED, output="")]), tmp_path)
    assert "No plan was read out of the answer." in page.text
    assert "The answer is empty." in page.text
    assert "at character 10 of the answer" in page.text
    assert "never held" not in page.text  # nothing was executed


def test_a_missing_prediction_has_its_own_line_and_bar(tmp_path: Path) -> None:
    _, page = page_of(Report([record(MISSING), record(SOLVED, task="t2")]), tmp_path)
    assert "no prediction" in page.text
    assert "No prediction1 of 2 tasks" in page.text.replace("\n", "")


def test_bars_are_never_longer_than_their_track(tmp_path: Path) -> None:
    again = (Finding(ErrorKind.ADDITIONAL_STEP, "again"),) * 5
    text, _ = page_of(Report([record(replace(GARBLED, findings=again))]), tmp_path)
    assert "5 in 1 tasks" in text
    assert "width:100.0%" in text
    assert "width:500" not in text


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_text_stays_text(tmp_path: Path, text: str) -> None:
    raw, page = page_of(Report([hostile(text)], [text[:2000]], package_version=text[:99]), tmp_path)
    tame = "h" * len(text)
    _, plain = page_of(Report([hostile(tame)], [tame[:2000]], package_version="h"), tmp_path)
    assert (page.tags, page.attributes, page.comments) == (plain.tags, plain.attributes, [])
    assert printable_line(text[:400]) in " ".join(page.text.split())
    assert all(character.isprintable() or character == "\n" for character in raw)
    assert len(raw) < 100_000


def test_a_long_answer_is_cut_and_the_cut_is_told(tmp_path: Path) -> None:
    _, page = page_of(Report([record(GARBLED, output="x" * 1_000_000)]), tmp_path)
    assert "cut: the first 4,096 of 1,000,000 characters are shown" in page.text
    assert "x" * 4096 in page.text
    assert "x" * 4097 not in page.text


def test_long_lists_are_cut_and_the_cut_is_told() -> None:
    steps = tuple(f"walk(x_{number})" for number in range(5000))
    findings = STOPPED.findings * 1000
    goals = STOPPED.goals * 100
    shown = item(record(replace(STOPPED, plan=steps, findings=findings, goals=goals)))
    assert len(shown.steps) == 200
    assert shown.steps[-1].fate == ""
    assert shown.remarks[1:] == (
        "the first 200 of 5,000 steps are shown",
        "the first 50 of 2,000 findings are shown",
        "the first 50 of 300 goal conditions are shown",
    )


def test_an_answer_keeps_its_first_line_break(tmp_path: Path) -> None:
    text, _ = page_of(Report([record(GARBLED, output="\nwalk")]), tmp_path)
    assert "<pre>\n\nwalk</pre>" in text
