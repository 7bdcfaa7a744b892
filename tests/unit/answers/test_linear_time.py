"""Long runs of one sign, which a pattern can match in several ways, take linear time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import eai
from eai.abilities import read_goals
from eai.agents.reference import ThinkingAgent
from eai.answers import read_answer, read_plan
from eai.errors import EaiError
from eai.logic import parse_formula
from eai.suites.asgardbench.published import section_of
from eai.suites.embodiedbench.skills import repair_2025_03
from eai.suites.virtualhome.subgoals import HomeSubgoals
from eai.task import Vocabulary

BLANKS = f"OPEN(ax{' ' * 390}b)\n"
REASONING = '"reasoning_and_reflection":"'
DOMAIN = """(define (domain hall) (:predicates (lit)) (:action light
  :parameters () :precondition (not (lit)) :effect (lit)))"""
PROBLEM = "(define (problem dark) (:domain hall) (:init) (:goal (lit)))"


def formula(text: str) -> None:
    with pytest.raises(EaiError):
        parse_formula(text)


def interacted(answer: str) -> None:
    with TemporaryDirectory() as folder:
        Path(folder, "domain.pddl").write_text(DOMAIN, encoding="utf-8")
        Path(folder, "problem.pddl").write_text(PROBLEM, encoding="utf-8")
        suite = eai.suite(f"pddl:{folder}")
        eai.evaluate(suite, {"problem": answer}, ability="interaction")


def lived(answer: str) -> None:
    suite = eai.suite("longact")
    task = suite.task(next(iter(suite.task_ids())))
    suite.evaluate("interaction", task, answer, suite.semantics("strict"))


def planned(answer: str) -> None:
    suite = eai.suite("robobench-examples")
    task = suite.task(suite.task_ids()[0])
    suite.evaluate("multi_step_plan", task, answer, suite.semantics("strict"))


def thought(answer: str) -> None:
    ThinkingAgent(lambda _: answer)([{"role": "user", "content": "act"}])


def called(entry: str) -> None:
    assert HomeSubgoals.entries(None, json.dumps({"output": [entry]})) == []  # type: ignore[arg-type]


def answered(text: str) -> None:
    objects = {"light": ("light.34",), "cup": ("cup.1", "cup.2")}
    names = frozenset(name for members in objects.values() for name in members)
    read_answer(text, Vocabulary({"walk": 1, "putin": 2, "standup": 0}, {}, names, objects))


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("read", "text"),
    [
        pytest.param(read_plan, BLANKS * 1000, id="blanks in an argument"),
        pytest.param(read_plan, f"<aa>{' ' * 390}b\n" * 1000, id="blanks behind a tag"),
        pytest.param(interacted, "\n" * 100_000, id="empty lines"),
        pytest.param(lived, "action:\n" * 20_000, id="empty actions"),
        pytest.param(planned, "write " * 20_000, id="skills that are no steps"),
        pytest.param(thought, "\n" * 50_000, id="lines without a thought"),
        pytest.param(repair_2025_03, REASONING * 20_000, id="reasoning without an end"),
        pytest.param(
            lambda text: section_of(text, "plan"), "plan\nx" + "\n" * 50_000, id="an empty section"
        ),
        pytest.param(called, "a(" * 100_000, id="calls without an end"),
        *(
            # A line of so many characters is read; a longer one is not.
            pytest.param(answered, text * (18_000 // len(text)), id=f"line: {text!r}")
            for text in ("(walk ", "walk(", "[walk, ", '{"walk": ', "walk [", "(walk to the ")
        ),
        pytest.param(read_goals, f"OPEN(a{'object 1.[ ' * 31}b)\n" * 500, id="brackets of prose"),
        pytest.param(formula, "G" * 90_000, id="glued operators"),
        *(
            pytest.param(answered, text * (160_000 // len(text)), id=f"plan: {text[:12]!r}")
            for text in (
                *(
                    "WALK(light.34) or ",
                    "WALK light 34 ",
                    "walk to the light, ",
                    "it ",
                    "x" * 99 + "(",
                ),
                *(
                    "WALK(light.34)\n",
                    "1. walk\n",
                    "- light 34\n",
                    "FLY(moon)\n",
                    "...\n",
                    "repeat this\n",
                ),
                *(
                    "turn on (light.34)\n",
                    "etc",
                    "[FLY] <moon> ",
                    "a b c(",
                    "WALK(x) - FLY",
                    "then ",
                    "I zap and ",
                    "zap light.34, ",
                    "execute('FLY(x)')\n",
                    "x = f('light.34')\n",
                    "[:a b ",
                    "light: ",
                ),
                *(
                    "Do not walk. ",
                    "Plan A: WALK(light.34)\n",
                    "Step 1: ",
                    "| WALK | light |\n",
                    "[light]\n",
                ),
                *(
                    '{"WALK": ["light"]}\n',
                    '"WALK": ',
                    '{"then": ["WALK',
                    "['WALK',",
                    "```\nWALK(light)\n",
                    "```json\n{}\n```\n",
                    "- no: the cup of it\n",
                ),
                *(
                    "<step>WALK(light)</step>",
                    "<a ",
                    "<!-- ",
                    "~~WALK(light)~~ ",
                    "\\boxed{",
                    "&quot;",
                ),
                *(
                    "def f():\n",
                    "print(WALK",
                    "no plan ",
                    "remove step 3 ",
                    "A: walk(light.34).\nB: No. ",
                    "no, ",
                    "1. walk(light.34) (wrong) -> ",
                    "Correction:\n2. walk(light.34)\n",
                    "(WALK light)\n",
                    "12:30 ",
                    "**",
                ),
                *(
                    "\u4e00",
                    "\t",
                    "_",
                    "9",
                    "9.",
                    "i. ",
                    "walk\u2014",
                    "W\u200bALK ",
                    "\\n",
                    "and then ",
                ),
            )
        ),
    ],
)
def test_it_takes_linear_time(read: Callable[[str], object], text: str) -> None:
    begin = time.process_time()
    read(text)
    assert time.process_time() - begin < 4  # below 0.5 s when nothing else runs
