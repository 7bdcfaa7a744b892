"""Plant one fault after the other in runs of the published evaluators, and audit them.

    python benchmarks/agreement/embodiedbench_published.py CHECKOUT FOLDER
    python benchmarks/agreement/embodiedbench_planted.py FOLDER

Each fault is planted in a copy of a run of its own. It is found if the audit of the copy has a
finding that the audit of the run has not. What the audit says of the runs themselves is printed
first: that should be answers that the evaluator's mending broke, successes by a random action, and
progress that it set to 0.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from eai.contract import AuditFinding, LeftOut, needed_extension
from eai.contract.registry import suite
from eai.predictions import load_all

ALFRED, HABITAT = "eb_alfred/InternVL2_5-78B_baseline", "eb_habitat/InternVL2_5-78B_baseline"
NAVIGATION = "eb_nav/InternVL2_5-78B_baseline"
POSES = "eb_manipulation/InternVL2_5-78B/baseline"
SUITES = {"eb_alfred": "eb-alfred", "eb_habitat": "eb-habitat", "eb_nav": "eb-navigation"}
MARKER = "invalid json, random action"
Row = dict[str, Any]


class Run:
    """The files of one subset of a run, to be changed."""

    def __init__(self, folder: Path, subset: str = "base") -> None:
        self.folder = folder / subset
        self.results = self.folder / "results"

    def result(self, number: int) -> Path:
        """The file of results of an episode."""
        return next(self.results.glob(f"episode_{number}_*res.json"))

    def log(self, number: int) -> Path:
        """The log of an episode."""
        named = [*self.folder.glob(f"episode_{number}_step_*.json")]
        return named[0] if named else self.folder / f"episode_{number}.json"

    def outputs(self, number: int) -> Path:
        """The outputs of the planner of EB-Manipulation."""
        return self.results / f"planner_output_episode_{number}.txt"

    def final(self, number: int) -> Row:
        """The results of an episode."""
        value: Row = json.loads(self.result(number).read_text())
        return value

    def rows(self, number: int) -> list[Row]:
        """The rows of a log."""
        lines = self.log(number).read_text().splitlines()
        return [json.loads(line) for line in lines if line.strip()]

    def numbers(self, *, solved: bool, least: int = 0) -> list[int]:
        """The solved or failed episodes with a last row that is an action, in order."""
        found = []
        for path in self.results.glob("episode_*res.json"):
            number = int(re.findall(r"\d+", path.name)[0])
            if bool(self.final(number)["task_success"]) is not solved:
                continue
            rows = self.rows(number) if self.log(number).exists() else []
            if not rows or (rows[-1]["action_id"] >= 0 and len(rows) >= least):
                found.append(number)
        return sorted(found)

    def change(self, number: int, **values: object) -> None:
        """Change the results of an episode, and the summary with them."""
        self.result(number).write_text(json.dumps(self.final(number) | values))
        self.summarize()

    def edit(self, number: int, change: Callable[[int, Row], Row | None]) -> None:
        """Change the rows of a log; a row that becomes None is left out."""
        lines, place = [], 0
        for line in self.log(number).read_text().split("\n"):
            row = json.loads(line) if line.strip() else None
            if row is not None:
                row = change(place, row)
                place += 1
                if row is None:
                    continue
            lines.append("" if row is None else json.dumps(row))
        self.log(number).write_text("\n".join(lines))

    def set_row(self, number: int, place: int, **values: object) -> None:
        """Change values of one row; the last one is row -1."""
        wanted = place % len(self.rows(number))
        self.edit(number, lambda at, row: row | values if at == wanted else row)

    def set_rows(self, number: int, **values: object) -> None:
        """Change values of all rows that have them."""
        self.edit(number, lambda _, row: row | {k: v for k, v in values.items() if k in row})

    def summary(self) -> Path:
        """The summary of the subset; EB-Navigation had none in February 2025."""
        return next(self.results.glob("summary*.json"))

    def change_summary(self, **values: object) -> None:
        """Change the summary alone."""
        self.summary().write_text(json.dumps(json.loads(self.summary().read_text()) | values))

    def summarize(self) -> None:
        """Write the summary anew, as the evaluators do."""
        if not any(self.results.glob("summary*.json")):
            return
        old = json.loads(self.summary().read_text())
        finals = [json.loads(path.read_text()) for path in self.results.glob("episode_*res.json")]
        if "num_success" in old:
            solved = [final["task_success"] == 1 for final in finals]
            new: Row = {
                "total_num_tasks": len(finals),
                "num_success": sum(solved),
                "success_rate": fmean(solved),
                "avg_planner_steps": fmean(final["planner_steps"] for final in finals),
                "output_format_error": sum(f["planner_output_error"] > 0 for f in finals),
            }
        else:
            new = {key: fmean(_plain(final[key]) for final in finals) for key in old}
        self.change_summary(**new)

    def config(self, old: str, new: str) -> None:
        """Change the configuration."""
        path = self.folder / "config.txt"
        path.write_text(path.read_text().replace(old, new))


def _plain(value: Any) -> float:  # noqa: ANN401
    return float(value[0] if isinstance(value, list) else value)


Plant = Callable[[Run], None]
FAULTS: list[tuple[str, str, Plant]] = []


def _fault(run: str) -> Callable[[Plant], Plant]:
    def add(plant: Plant) -> Plant:
        FAULTS.append((run, plant.__name__.strip("_").replace("_", " "), plant))
        return plant

    return add


# ------------------------------------------------------------------ EB-ALFRED and EB-Habitat


@_fault(ALFRED)
def _results_say_solved(run: Run) -> None:
    run.change(run.numbers(solved=False)[0], task_success=1.0, task_progress=1.0)


@_fault(ALFRED)
def _all_say_solved(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    run.set_row(number, -1, task_success=1.0, task_progress=1.0)
    run.change(number, task_success=1.0, task_progress=1.0)


@_fault(ALFRED)
def _all_say_failed(run: Run) -> None:
    number = run.numbers(solved=True)[0]
    run.set_rows(number, task_success=0.0, task_progress=0.0)
    run.change(number, task_success=0.0, task_progress=0.0)


@_fault(HABITAT)
def _goal_not_reached(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    solved = {"task_success": True, "predicate_task_success": True, "task_progress": 1.0}
    run.set_row(number, -1, **solved)
    run.change(number, task_success=True, task_progress=1.0)


@_fault(HABITAT)
def _flags_of_a_row_differ(run: Run) -> None:
    run.set_rows(run.numbers(solved=True)[0], predicate_task_success=False)


@_fault(HABITAT)
def _invalid_flag(run: Run) -> None:
    number = run.numbers(solved=True)[0]
    run.set_row(number, -1, was_prev_action_invalid=True)


@_fault(HABITAT)
def _number_of_another_skill(run: Run) -> None:
    number = run.numbers(solved=True)[0]
    run.set_row(number, -1, action_id=(run.rows(number)[-1]["action_id"] + 1) % 70)


@_fault(HABITAT)
def _no_number_in_the_summary(run: Run) -> None:
    run.change_summary(task_success=float("nan"))


@_fault(HABITAT)
def _progress_above_one(run: Run) -> None:
    run.change(3, task_progress=1.4)


@_fault(ALFRED)
def _solved_with_half_progress(run: Run) -> None:
    run.change(run.numbers(solved=True)[0], task_progress=0.5)


@_fault(ALFRED)
def _progress_that_is_no_share(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    run.set_rows(number, task_progress=0.37)
    run.change(number, task_progress=0.37)


@_fault(ALFRED)
def _count_of_invalid_actions(run: Run) -> None:
    run.change(3, num_invalid_actions=run.final(3)["num_invalid_actions"] + 3)


@_fault(ALFRED)
def _share_of_invalid_actions(run: Run) -> None:
    run.change(3, num_invalid_action_ratio=0.93)


@_fault(ALFRED)
def _count_of_answers(run: Run) -> None:
    run.change(run.numbers(solved=True, least=4)[0], planner_steps=0)


@_fault(ALFRED)
def _count_of_format_errors(run: Run) -> None:
    number = run.numbers(solved=True)[0]
    run.change(number, planner_output_error=run.final(number)["planner_output_error"] + 2)


@_fault(ALFRED)
def _name_of_the_log(run: Run) -> None:
    run.log(3).rename(run.folder / "episode_3_step_29.json")


@_fault(ALFRED)
def _row_lost(run: Run) -> None:
    number = run.numbers(solved=True, least=4)[0]
    run.edit(number, lambda _, row: None if row.get("env_step") == 2 else row)


@_fault(ALFRED)
def _steps_beyond_the_limit(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    last = run.rows(number)[-1]
    first = int(last["env_step"]) + 1
    more = [json.dumps(last | {"env_step": step}) for step in range(first, 33)]
    run.log(number).write_text(run.log(number).read_text() + "\n".join(more) + "\n")


@_fault(ALFRED)
def _log_that_stops(run: Run) -> None:
    number = run.numbers(solved=True, least=6)[0]
    run.edit(number, lambda at, row: row if at < 3 else None)


@_fault(ALFRED)
def _line_broken_in_the_middle(run: Run) -> None:
    log = run.log(run.numbers(solved=True, least=4)[0])
    lines = log.read_text().split("\n")
    log.write_text("\n".join([lines[0], lines[1][:30], *lines[2:]]))


@_fault(ALFRED)
def _other_instruction(run: Run) -> None:
    run.set_rows(run.numbers(solved=True)[0], instruction="make me some tea")


@_fault(ALFRED)
def _episode_too_many(run: Run) -> None:
    shutil.copy(run.log(1), run.folder / "episode_51_step_3.json")
    shutil.copy(run.result(1), run.results / "episode_51_final_res.json")
    run.summarize()


@_fault(ALFRED)
def _episode_missing(run: Run) -> None:
    run.log(9).unlink()
    run.result(9).unlink()
    run.summarize()


@_fault(ALFRED)
def _second_log(run: Run) -> None:
    shutil.copy(run.log(3), run.folder / "episode_3_step_29.json")


@_fault(ALFRED)
def _summary_of_another_subset(run: Run) -> None:
    shutil.copy(Run(run.folder.parent, "spatial").summary(), run.summary())


@_fault(ALFRED)
def _mean_in_the_summary(run: Run) -> None:
    run.change_summary(task_progress=0.777)


@_fault(ALFRED)
def _two_models_in_one_run(run: Run) -> None:
    run.config("OpenGVLab/InternVL2_5-78B", "gpt-4o")


@_fault(ALFRED)
def _sampling_that_was_not_done(run: Run) -> None:
    run.config("'down_sample_ratio': 1", "'down_sample_ratio': 0.1")


# ------------------------------------------------------------------ EB-Navigation


@_fault(NAVIGATION)
def _solved_from_afar(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    run.set_row(number, -1, task_success=1.0)
    run.change(number, task_success=1.0, reward=1 / len(run.rows(number)))


@_fault(NAVIGATION)
def _failed_beside_the_target(run: Run) -> None:
    number = run.numbers(solved=True)[0]
    run.set_rows(number, task_success=0.0)
    run.change(number, task_success=0.0, reward=0.0)


@_fault(NAVIGATION)
def _solved_at_random(run: Run) -> None:
    found = (n for n in run.numbers(solved=True) if MARKER not in str(run.rows(n)[-1]))
    run.set_row(next(found), -1, reasoning={"language_plan": MARKER})


@_fault(NAVIGATION)
def _episodes_exchanged(run: Run) -> None:
    for path in (run.log, run.result):
        first, second = path(3).read_text(), path(4).read_text()
        path(3).write_text(second)
        path(4).write_text(first)


@_fault(NAVIGATION)
def _episode_copied(run: Run) -> None:
    shutil.copy(run.log(3), run.log(4))
    shutil.copy(run.result(3), run.result(4))
    run.summarize()


@_fault(NAVIGATION)
def _distance_that_jumps(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    run.set_row(number, 8, distance=run.rows(number)[8]["distance"] + 0.9)


@_fault(NAVIGATION)
def _row_of_a_failed_episode_lost(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    run.edit(number, lambda at, row: None if at == 6 else row)


@_fault(NAVIGATION)
def _action_that_was_not_planned(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    plans = [row["reasoning"].get("executable_plan") for row in run.rows(number)]
    place = next(at for at, plan in enumerate(plans) if plan)
    words = "Tilt the camera upward by 30 degrees."
    said = "Last action LookUp executed successfully."
    run.set_row(number, place, action_id=6, action_description=words, env_feedback=said)


@_fault(NAVIGATION)
def _rows_after_success(run: Run) -> None:
    log = run.log(run.numbers(solved=True)[0])
    log.write_text(log.read_text() + "\n\n" + log.read_text().rstrip().rpartition("\n")[2] + "\n")


@_fault(NAVIGATION)
def _clock_that_goes_back(run: Run) -> None:
    run.set_row(run.numbers(solved=False)[0], 5, episode_elapsed_seconds=-5.0)


@_fault(NAVIGATION)
def _feedback_of_another_action(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    place = next(at for at, row in enumerate(run.rows(number)) if row["last_action_success"])
    run.set_row(number, place, env_feedback="Last action Teleport is invalid. No.")


@_fault(NAVIGATION)
def _count_of_steps(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    run.change(number, num_steps=run.final(number)["num_steps"] - 2)


@_fault(NAVIGATION)
def _mean_reward(run: Run) -> None:
    run.change(2, reward=0.7)


@_fault(NAVIGATION)
def _results_missing(run: Run) -> None:
    run.result(5).unlink()
    run.summarize()


@_fault(NAVIGATION)
def _log_missing(run: Run) -> None:
    run.log(5).unlink()


# ------------------------------------------------------------------ EB-Manipulation


@_fault(POSES)
def _poses_beyond_the_limit(run: Run) -> None:
    final = run.final(3)
    more = 18 - len(final["reward"])
    rewards, done = [0.0] * more + final["reward"], [1.0] * more + final["action_success"]
    run.change(3, reward=rewards, action_success=done, num_steps=18, avg_reward=fmean(rewards))


@_fault(POSES)
def _poses_missing(run: Run) -> None:
    for number in (4, 7):
        run.result(number).unlink()
        run.outputs(number).unlink()
    run.summarize()


@_fault(POSES)
def _share_of_no_tasks(run: Run) -> None:
    run.change_summary(success_rate=0.41)


@_fault(POSES)
def _mean_of_rewards(run: Run) -> None:
    run.change(5, avg_reward=0.77)


@_fault(POSES)
def _solved_without_reward(run: Run) -> None:
    run.change(run.numbers(solved=False)[0], task_success=1.0)


@_fault(POSES)
def _rewards_and_steps(run: Run) -> None:
    run.change(4, num_steps=run.final(4)["num_steps"] + 3)


@_fault(POSES)
def _reward_of_a_failed_pose(run: Run) -> None:
    done = run.final(3)["action_success"]
    run.change(3, action_success=[1.0 - done[0], *done[1:]])


@_fault(POSES)
def _count_of_format_errors_in_the_summary(run: Run) -> None:
    run.change_summary(output_format_error=1000)


@_fault(POSES)
def _another_subset(run: Run) -> None:
    run.change_summary(save_path="running/eb_manipulation/InternVL2_5-78B/baseline/visual")


@_fault(NAVIGATION)
def _errors_that_are_not_marked(run: Run) -> None:
    number = run.numbers(solved=False)[0]
    run.change(number, planner_output_error=run.final(number)["planner_steps"])


@_fault(POSES)
def _errors_that_are_not_counted(run: Run) -> None:
    found = (n for n in range(1, 49) if run.final(n)["planner_output_error"] > 1)
    run.change(next(found), planner_output_error=0)


@_fault(POSES)
def _outputs_missing(run: Run) -> None:
    run.outputs(5).unlink()


@_fault(NAVIGATION)
def _clock_of_the_results(run: Run) -> None:
    run.change(run.numbers(solved=False)[0], episode_elapsed_seconds=0.0)


@_fault(POSES)
def _poses_copied(run: Run) -> None:
    shutil.copy(run.result(3), run.result(9))
    shutil.copy(run.outputs(3), run.outputs(9))
    run.summarize()


# ------------------------------------------------------------------ audits


def _findings(folder: Path) -> Iterator[AuditFinding]:
    """What an audit says, without the folder in its places."""
    environment = next(part for part in reversed(folder.parts) if part.startswith("eb_"))
    own = suite(SUITES.get(environment, "eb-manipulation"))
    for loaded in load_all(folder):
        for problem in loaded.problems:
            if not isinstance(problem, LeftOut):
                yield AuditFinding("unreadable", "-", problem.message, "")
        for each in needed_extension("eai.audits", own).episodes(own, loaded.items):
            yield each._replace(message=each.message.replace(str(folder), ""), where="")


def _copied(run: Path, to: Path) -> Path:
    ignored = shutil.ignore_patterns("*.png", "images")
    return Path(shutil.copytree(run, to / run.name, ignore=ignored))


def main() -> None:
    """Audit the runs, then each copy with a fault."""
    source = Path(sys.argv[1]).resolve() / "running"
    clean: Mapping[str, Counter[AuditFinding]] = {
        name: Counter(_findings(source / name)) for name in (ALFRED, HABITAT, NAVIGATION, POSES)
    }
    for name, findings in clean.items():
        print(f"{name}: {dict(Counter(each.kind for each in findings.elements()))}")
    missed, unplanted = [], 0
    for name, title, plant in FAULTS:
        with tempfile.TemporaryDirectory() as folder:
            parent = Path(folder) / Path(name).parent
            parent.mkdir(parents=True)
            run = _copied(source / name, parent)
            try:
                plant(Run(run))
            except (IndexError, StopIteration):  # no such episode in this run
                unplanted += 1
                continue
            new = Counter(_findings(run)) - clean[name]
        kinds = ", ".join(sorted({each.kind for each in new})) or "NOT FOUND"
        print(f"{name.partition('/')[0]}: {title}: {kinds}")
        if not new:
            missed.append(title)
    planted = len(FAULTS) - unplanted
    print(f"{planted - len(missed)} of {planted} planted faults found")


if __name__ == "__main__":
    main()
