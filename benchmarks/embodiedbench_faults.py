"""Measure which faults `eai audit` finds in logs of EmbodiedBench, by hand.

    python benchmarks/embodiedbench_faults.py [COUNT]

It writes logs of the oracle and of an agent that acts by chance, COUNT of each environment (by
default 60), plants one fault of each kind in copies of them, and prints how many it finds, and how
many logs without a fault have a finding. Then it audits 20,000 rows of each environment in a new
process, reads 77 MB of trajectories in another one, and prints processor time and memory.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import eai
from eai.acting import run_episode
from eai.contract import needed_extension, own_oracle
from eai.predictions import load_all
from eai.suites.embodiedbench import navigation
from eai.suites.embodiedbench.alfred import counted
from eai.suites.embodiedbench.skills import skills, word_feedback

Row = dict[str, Any]


class Log:
    """One episode as it is written: rows, and the file of results."""

    def __init__(self, suite: str, task: str, rows: list[Row], final: Row | None = None) -> None:
        self.suite, self.task, self.rows, self.final = suite, task, rows, final
        self.runs: list[list[Row]] = []
        self.tail = ""

    def write(self, folder: Path, model: str = "m") -> None:
        """Write it below a folder, as the evaluator does."""
        subset, _, number = self.task.partition("/")
        name = {"eb-navigation": "eb_nav"}.get(self.suite, self.suite.replace("-", "_"))
        base = folder / name / model / subset
        base.mkdir(parents=True, exist_ok=True)
        end = "" if self.suite == "eb-navigation" else f"_step_{len(self.rows)}"
        lines = [f"\n{json.dumps(row)}" for run in (*self.runs, self.rows) for row in run]
        log = base / f"episode_{int(number) + 1}{end}.json"
        log.write_text("\n".join(lines) + "\n" + self.tail)
        if self.final is not None:
            (base / "results").mkdir(exist_ok=True)
            result = base / "results" / f"episode_{int(number) + 1}_final_res.json"
            result.write_text(json.dumps(self.final))


def row(step: int, number: int, words: str, text: str, *, done: bool, said: str) -> Row:
    """A row of a log."""
    return {
        "instruction": text,
        "env_step": step,
        "env_feedback": said,
        "last_action_success": float(done),
        "action_id": number,
        "action_description": words,
        "task_success": 0.0,
        "reasoning": json.dumps({"executable_plan": [{"action_id": number, "action_name": words}]}),
    }


def acted(name: str, dice: random.Random, task_id: str) -> Log:
    """A log of the oracle, or of an agent that acts by chance, in a symbolic world."""
    suite = eai.suite(name)
    task, official = suite.task(task_id), suite.semantics("official")
    environment, rules = suite.environment(task, official), suite.episode_rules(task, official)
    listed = [*skills(name), *type(environment).more(task)]  # type: ignore[attr-defined]
    known = {skill.words: skill.id for skill in listed}
    agent: Callable[[Any], str] = own_oracle(suite, task, official, environment) or str
    if dice.random() < 0.5:
        agent = lambda _: f"Action: {dice.choice(listed).words}"  # noqa: E731
    episode = run_episode(environment, agent, rules=rules)
    rows = []
    for turn in episode.turns:
        words, said = turn.reply.written, turn.result.message
        made = row(turn.number, known[words], words, task_id, done=turn.success, said=said)
        share = turn.goal.share if turn.goal and name == "eb-alfred" else float(episode.success)
        last = turn is episode.turns[-1]
        made["task_success"] = float(last and episode.success)
        made["task_progress"] = share if name == "eb-alfred" or last else 0.0
        rows.append(made)
    keys = ("task_success", "task_progress")
    return Log(name, task_id, rows, {key: rows[-1][key] for key in keys if rows})


def moved(dice: random.Random, task_id: str) -> Log:
    """A log of EB-Navigation."""
    record, listed = navigation.records()[task_id], skills("eb-navigation")
    steps: list[tuple[int, bool, float | None]] = []
    for _ in range(20):
        number = dice.choice((0, 0, 0, 1, 2, 3, 4, 5, 6, 7))
        steps.append((number, number > 3 or dice.random() < 0.8, None))
        if navigation.replay(record, steps)[-1].distance <= navigation.NEAR:
            break
    rows = []
    for place, pose in enumerate(navigation.replay(record, steps)):
        number, done, _ = steps[place]
        verb = listed[number].verb
        said = word_feedback("eb-navigation", "done" if done else "blocked", x=verb, tail="A wall")
        made = row(place + 1, number, listed[number].words, task_id, done=done, said=said)
        rows.append({**made, "distance": pose.distance, "task_success": float(pose.distance <= 1)})
    return Log("eb-navigation", task_id, rows)


# ------------------------------------------------------------------ faults


def solved(log: Log) -> bool:
    """Whether a log says that it is solved."""
    return bool(log.rows[-1]["task_success"])


def plant(kind: str, log: Log, dice: random.Random) -> bool:  # noqa: C901, PLR0912, PLR0915 (one fault after the other)
    """Plant a fault; False if it cannot be in this log."""
    rows, far = log.rows, log.suite == "eb-navigation"
    place = dice.randrange(len(rows))
    last, known = rows[-1], skills(log.suite)
    if kind == "duplicate":
        log.runs.append(deepcopy(rows))
    elif kind == "foreign":
        log.runs.append([{**each, "instruction": "of another task"} for each in deepcopy(rows)])
    elif kind == "interrupted":
        if len(rows) < 3:
            return False
        del rows[len(rows) // 2 :]
        log.final = None
        if solved(log) or sum(not each["last_action_success"] for each in rows) >= 10:
            return False
    elif kind == "step_limit":
        most = 20 if far else 30
        rows[:0] = [deepcopy(rows[0]) for _ in range(most + 1 - len(rows))] or [deepcopy(rows[0])]
        for n, each in enumerate(rows, start=1):
            each["env_step"] = n
            each["task_success"] = last["task_success"] if each is last else 0.0
    elif kind == "invalid_limit":
        if far:
            return False
        bad = {**rows[0], "last_action_success": 0.0, "task_success": 0.0}
        bad["env_feedback"] = word_feedback(log.suite, "pick.full", x="Mug")
        rows[:0] = [deepcopy(bad) for _ in range(11)]
        for n, each in enumerate(rows, start=1):
            each["env_step"] = n
    elif kind == "after_success":
        if not solved(log):
            return False
        rows.append({**deepcopy(last), "env_step": last["env_step"] + 1})
    elif kind == "mis-scored":
        last["task_success"] = 1.0 - last["task_success"]
        if "task_progress" in last and last["task_success"]:
            last["task_progress"] = 1.0
        if log.final:
            log.final |= {"task_success": last["task_success"]}
    elif kind == "mis-scored by the results":
        if log.final is None:
            return False
        log.final["task_success"] = 1.0 - last["task_success"]
    elif kind == "progress":
        if far:
            return False
        last["task_progress"] = 0.4 if solved(log) else 1.7
    elif kind == "progress of another share":
        if log.suite != "eb-alfred" or solved(log):
            return False
        total = len(counted(log.task))
        last["task_progress"] = (round(last["task_progress"] * total) + 1) % (total + 1) / total
    elif kind == "progress_reset":
        if log.final is None or not last["task_progress"]:
            return False
        log.final["task_progress"] = 0.0
    elif kind == "id_words":
        rows[place]["action_id"] = (rows[place]["action_id"] + 1) % len(known)
    elif kind == "feedback_flag":
        rows[place]["last_action_success"] = 1.0 - rows[place]["last_action_success"]
    elif kind == "unknown_feedback":
        rows[place]["env_feedback"] = "All is as it should be, I think."
    elif kind == "repair":
        if far:
            return False
        text = {
            "language_plan": "Go to the robots' table.",
            "executable_plan": [{"action_id": 1, "action_name": "x"}],
        }
        event = {"last_action_success": 0.0, "action_id": -1, "action_description": "invalid"}
        rows.insert(place, {**event, "reasoning": json.dumps(text)})
    elif kind == "damaged":
        log.tail = '{"instruction": "cut'
    elif kind == "version":
        if not far or place == len(rows) - 1:
            return False
        wild = {"executable_plan": [{"action_id": 8, "action_name": "fly"}]}
        rows[place]["reasoning"] = json.dumps(wild)
    return True


KINDS = (
    *("missing", "duplicate", "foreign", "interrupted", "step_limit", "invalid_limit"),
    *(
        "after_success",
        "mis-scored",
        "mis-scored by the results",
        "progress",
        "progress of another share",
    ),
    "progress_reset",
    *("id_words", "feedback_flag", "unknown_feedback", "repair", "damaged", "version"),
)


def found_in(logs: list[Log]) -> dict[str, set[str]]:
    """Kinds of findings by task, of logs that are written to one folder."""
    kinds: dict[str, set[str]] = {}
    suite = eai.suite(logs[0].suite)
    with tempfile.TemporaryDirectory() as name:
        for log in logs:
            log.write(Path(name))
        for of in load_all(Path(name)):
            for each in needed_extension("eai.audits", suite).episodes(suite, of.items):
                kinds.setdefault(each.task, set()).add(each.kind)
    return kinds


def clean(name: str, count: int, dice: random.Random) -> Iterator[Log]:
    """Logs without a fault."""
    for task in dice.sample(eai.suite(name).task_ids(), count):
        log = moved(dice, task) if name == "eb-navigation" else None
        log = log or (acted(name, dice, task) if eai.suite(name).task(task).plans[0] else None)
        if log and log.rows:
            yield log


_AUDIT = """
import sys, time, eai
from pathlib import Path
from eai.predictions import load_all
from eai.contract import needed_extension
suite = eai.suite(sys.argv[1])
audit = needed_extension("eai.audits", suite).episodes
begun = time.process_time()
found = sum(1 for of in load_all(Path(sys.argv[2])) for _ in audit(suite, of.items))
print(f"{time.process_time() - begun:.2f} s")
"""
_READ = """
import resource, sys
from pathlib import Path
from eai.predictions import load_all
episodes = sum(len(of.items) for of in load_all(Path(sys.argv[1])))
print(f"{episodes} episodes, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")
"""


def speed(dice: random.Random) -> None:
    """Print how long an audit takes, and how much memory it takes to read trajectories."""
    for name in ("eb-alfred", "eb-habitat", "eb-navigation"):
        with tempfile.TemporaryDirectory() as folder:
            rows = models = 0
            while rows < 20_000:
                for log in clean(name, len(eai.suite(name).task_ids()), dice):
                    log.write(Path(folder), f"m{models}")
                    rows += len(log.rows)
                    if rows >= 20_000:
                        break
                models += 1
            took = said(_AUDIT, name, folder)
        print(f"{name}: {rows} rows of {models} models audited in {took} of processor time")
    text = json.dumps({"reasoning_and_reflection": "I look around. " * 100})
    step = {"action": [7, "navigate to the table 2"], "action_success": 1, "env_feedback": "x"}
    answer = {**json.loads(text), "executable_plan": [step] * 4}
    whole = {"model_name": "m", "success": 0, "instruction": "", "trajectory": [answer] * 8}
    with tempfile.TemporaryDirectory() as folder:
        path, size = Path(folder) / "trajectories.json", len(json.dumps(whole))
        numbers = range(77_000_000 // size)
        subsets = ("base", "common_sense", "spatial", "long_horizon")
        episodes = [{"eval_set": subsets[n % 4], "episode_id": n // 4, **whole} for n in numbers]
        path.write_text(json.dumps(episodes))
        print(f"{path.stat().st_size / 1e6:.0f} MB of trajectories: {said(_READ, str(path))}")


def said(program: str, *arguments: str) -> str:
    """What a program prints."""
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Print what is found."""
    count, dice = int(sys.argv[1]) if sys.argv[1:] else 60, random.Random(19)  # noqa: S311
    planted, found = Counter[str](), Counter[str]()
    written = alarms = 0
    for name in ("eb-alfred", "eb-habitat", "eb-navigation"):
        logs = list(clean(name, count, dice))
        shown = found_in(logs)
        for log in logs:
            written += 1
            kinds = shown.get(log.task, set()) - {"missing"}
            alarms += bool(kinds)
            if kinds:
                print(f"{name} {log.task}: {kinds}")
        for kind in KINDS:
            copies = [deepcopy(log) for log in logs]
            if kind == "missing":
                present = {log.task.partition("/")[0] for log in copies[1:]}
                wanted = [log.task for log in copies[:1] if log.task.partition("/")[0] in present]
                shown = found_in(copies[1:])
            else:
                copies = [log for log in copies if plant(kind, log, dice)]
                wanted = [log.task for log in copies]
                shown = found_in(copies) if copies else {}
            seen = [task for task in wanted if kind.partition(" ")[0] in shown.get(task, set())]
            planted[kind] += len(wanted)
            found[kind] += len(seen)
            for task in sorted(set(wanted) - set(seen)):
                print(f"{name} {task}: {kind} is not found")
    for kind in KINDS:
        print(f"{kind}: {found[kind]} of {planted[kind]}")
    print(
        f"found: {100 * found.total() / planted.total():.1f} % of {planted.total()} planted faults"
    )
    print(f"false alarms: {alarms} of {written} logs without a fault")
    speed(dice)


if __name__ == "__main__":
    main()
