"""The command that compares domains."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import call
from pddl_blocks import DOMAIN, PROBLEM


def test_domains_of_a_folder_are_compared(tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.mkdir()
    right = tmp_path / "right.pddl"
    problem = tmp_path / "problem.pddl"
    right.write_text(DOMAIN)
    problem.write_text(PROBLEM)
    renamed = DOMAIN.replace("clear", "free")
    (answers / "1.txt").write_text(f"Here it is:\n```pddl\n{renamed}```\nIt has 4 actions.")
    assert call("compare-domains", right, answers).exit_code == 0
    (answers / "2.pddl").write_text(DOMAIN.replace("(not (handempty))", ""))
    (answers / "3.md").write_text("I cannot do this.")
    done = call("compare-domains", right, answers, "--problem", problem, "--json")
    assert done.exit_code == 1
    domains = json.loads(done.stdout)["domains"]
    assert [found["verdict"] for found in domains] == ["equivalent", "different", "not read"]
    assert domains[0]["names"] == {"free": "clear"}
    assert len(domains[1]["witness"]["plan"]) == 1
