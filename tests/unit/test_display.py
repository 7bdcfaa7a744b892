"""What notebooks show of every result that users meet: complete, escaped, well-formed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest
from report_samples import SOLVED, STOPPED, record, sample_report

import eai
import eai.display
from eai.abilities.plans import repair
from eai.contract import execution_of
from eai.contract.registry import suite as find_suite
from eai.diagnosis import Condition, ErrorKind, Finding, Match, Result
from eai.display import MOST_CHARACTERS, preformatted, shown, table
from eai.evaluation.overview import Overview
from eai.report import Record, Report

HOSTILE = "<script>alert('x')</script>&\u202e\x1b[31m\ud800\"onload=1"


class Checker(HTMLParser):
    """Collects the elements, and which of them are still open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("br", "meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def studio(answer: str = "SWITCHON(light.34)") -> Record:
    report = eai.evaluate("household", {"studio-01": answer})
    return next(each for each in report.records if each.task == "studio-01")


def hostile() -> Result:
    return Result(
        "evaluated",
        plan=(HOSTILE,),
        executed=("failed",),
        findings=(Finding(ErrorKind.PARSING, HOSTILE), Finding(ErrorKind.PARSING, HOSTILE, step=1)),
        goals=(Condition("state", HOSTILE, met=False),),
        formula=HOSTILE,
        reason=HOSTILE,
        notes=(HOSTILE,),
        matches=(Match(HOSTILE, 1, 2, 3),),
        outcome=HOSTILE,
    )


def hostile_record() -> Record:
    found = replace(studio(), output=HOSTILE, model=HOSTILE, name=HOSTILE)
    return replace(found, result=hostile())


def execution() -> Any:
    suite = eai.suite("household")
    task = suite.task("studio-01")
    found = execution_of(
        suite, task, "FIND(light.34)\nSWITCHON(light.34)", suite.semantics("strict")
    )
    assert found is not None
    return task, found


RESULTS: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "report": (sample_report, ["Task SR", "alpha"]),
    "intervals": (lambda: sample_report().intervals(), ["linearized"]),
    "comparison": (lambda: sample_report().compare(), ["alpha", "beta &amp; co"]),
    "overview": (
        lambda: Overview({"household": {"action_sequencing": sample_report()}}),
        ["Task SR", "25.0", "alpha"],
    ),
    "record": (lambda: record(STOPPED), ["Wash clothes", "not solved", "putin(cup_2, sink_3)"]),
    "result": (lambda: SOLVED, ["Verdict", "solved", "switchon(light_1)"]),
    "story": (lambda: eai.explain(studio()), ["missing_step", "Switch on the light", "unmet"]),
    "task": (
        lambda: eai.suite("household").task("studio-01"),
        ["on(light.34)", "switchon(light.34)"],
    ),
    "suite": (lambda: eai.suite("household"), ["76", "goal_interpretation", "strict by default"]),
    "trajectory": (lambda: execution()[1].trajectory, ["switchon(light.34)", "on(light.34)"]),
    "causes": (lambda: eai.causes(execution()[0], execution()[0].plans[0]), ["light.34"]),
    "repair": (lambda: repair(execution()[0], "SWITCHON(light.34)"), ["1 edit"]),
    "replanning": (
        lambda: eai.replan(
            "household", "studio-01", lambda _: "SWITCHON(light.34)", max_attempts=2
        ),
        ["Attempt 2: not solved"],
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_shown_whole_and_well_formed(name: str) -> None:
    make, parts = RESULTS[name]
    text = make()._repr_html_()
    checker = Checker(text)
    assert not checker.open
    for part in parts:
        assert part in text
    assert not checker.seen & {"script", "img", "iframe", "link"}


@pytest.mark.parametrize(
    "make",
    [
        hostile,
        hostile_record,
        lambda: eai.explain(hostile_record()),
        lambda: Report([hostile_record()]),
        lambda: Report([hostile_record()]).intervals(),
        lambda: Overview({HOSTILE: {"action_sequencing": Report([hostile_record()])}}),
        lambda: replace(eai.suite("household").task("studio-01"), name=HOSTILE, agent=HOSTILE),
    ],
)
def test_hostile_text_stays_text(make: Callable[[], Any]) -> None:
    text = make()._repr_html_()
    checker = Checker(text)
    assert not checker.open
    assert "script" not in checker.seen
    assert "onload" not in checker.attributes
    assert "alert(" in text
    assert not set("\u202e\x1b\ud800") & set(text)
    text.encode("utf-8")


def test_a_suite_without_its_data_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    assert "eai data fetch" in find_suite("virtualhome")._repr_html_()


def test_a_long_text_is_cut_and_says_so() -> None:
    assert len(shown("x" * 100_000)) < MOST_CHARACTERS + 100
    assert shown("x" * 100_000).endswith(" ... (100,000 characters)")


def test_parts() -> None:
    assert table(("a",), []) == ""
    assert preformatted("a\n  <b>").endswith(">a\n  &lt;b&gt;</pre>")
    assert "<thead>" not in table((), [(1, None)])


def test_evaluate_shows_a_bar_in_a_notebook_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures: list[str] = []
    handle = SimpleNamespace(update=pictures.append)

    def display(picture: str, *, display_id: bool) -> SimpleNamespace:
        assert display_id
        pictures.append(picture)
        return handle

    parts = SimpleNamespace(HTML=str, display=display)
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", parts)
    monkeypatch.setattr(eai.display, "_WAIT", 0)
    monkeypatch.setattr(eai.display, "_PAUSE", 0)
    eai.evaluate("household", {"studio-01": "[]", "studio-02": "[]"}, tasks="answered")
    first, second, last = pictures
    assert first.startswith("household action_sequencing <progress")
    assert "1 of 2" in first
    assert "2 of 2, 0 s left" in second
    assert not last
