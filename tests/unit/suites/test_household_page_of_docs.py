"""What docs/household.md shows is true."""

from __future__ import annotations

import json
import re
from pathlib import Path

from eai.suites.household import Household, samples
from eai.suites.shared.documents import HomesDocument, read_document

PAGE = Path(__file__).parents[3] / "docs" / "household.md"


def blocks(language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )


def test_the_example_files_are_a_suite(tmp_path: Path) -> None:
    homes, task, _ = blocks("json")
    manifest = json.loads((samples()[0].parent / "manifest.json").read_text("utf-8"))
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    (tmp_path / "homes.json").write_text(homes, "utf-8")
    (tmp_path / "tasks.jsonl").write_text(task, "utf-8")
    suite = Household(tmp_path)
    found = suite.task("hut-1")
    answer = json.dumps([{s.name.upper(): list(s.arguments)} for s in found.plans[0]])
    strict = suite.semantics("strict")
    assert suite.evaluate("action_sequencing", found, answer, strict).success


def test_the_table_of_homes_is_true() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (\d+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    suite = Household()
    homes = read_document(HomesDocument, samples()[0].parent / "homes.json").homes
    counts = dict.fromkeys(homes, 0)
    for task in suite.task_ids():
        counts[task.partition("-")[0]] += 1
    assert {name: int(count) for name, _, count in rows} == counts
    assert {name: len(rooms.split(", ")) for name, rooms, _ in rows} == {
        name: len(home.rooms) for name, home in homes.items()
    }
    sizes = [sum(map(len, home.rooms.values())) for home in homes.values()]
    assert f"{min(sizes)} to {max(sizes)} objects" in PAGE.read_text("utf-8")
