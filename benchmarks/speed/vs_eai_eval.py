"""Time this library against the published evaluator, process against process, by hand.

    python benchmarks/speed/vs_eai_eval.py --peer-python PEER/bin/python \
        --predictions model_outputs.json --items 342 --pairs 3

Both programs evaluate the same VirtualHome answers (of `--ability`; one file for each model) on the
same single core, in turn: one run of `eai-eval` 1.0.5 (its own command line and its own
`evaluate_results`, in a temporary folder laid out as it wants), one run of `eai evaluate`, and so
on. Start-up, reading and writing count on both sides. Printed per pair: processor seconds (user +
system, children included), peak memory of the process, and the ratios. Linux only.

A file is a list of `{"identifier", "llm_output"}` as JSON or JSON lines, gzipped or not.
A leading `scene_1_` is stripped from identifiers (for subgoals it is put there); tasks unknown to
the peer are left out, for without that the peer stops. The first answer for a task counts. With
`--items` fewer, they are taken evenly spaced over the list, because the peer divides by the number
of relation and action goals and stops where a short list has none.

Transition modeling is measured without planners: the peer's `FD.plan_from_pddl` gives up at once
(the peer counts a failure and goes on), and `eai` evaluates the suite `logic_form_suite:LogicForm`,
which searches no plan. With `--fast-downward .../fast-downward.py` both search plans.

With `--scores-only` `eai` writes no records, tables or page and prints its scores as one JSON
document, as the peer's summary files are; the peer does what it always does.

`--ours` is the command measured against the peer; `{suite}`, `{files}`, `{ability}` and
`{output}` are filled in. It runs in a temporary folder, so name programs by absolute paths.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OURS = (
    f"{shlex.quote(str(Path(sys.executable).with_name('eai')))} evaluate {{suite}} {{files}}"
    " --ability {ability} --semantics official --output {output} --quiet"
)
SCORES_ONLY = OURS.replace(" --output {output}", " --json")
FIND_PEER = "import virtualhome_eval; print(list(virtualhome_eval.__path__)[0])"
PEER = "from eai_eval.cli import main; main()"
PLANNER = (
    "from virtualhome_eval.simulation.evolving_graph.pddlgym_planners.fd import FD\n"
    "def give_up(*_, **__): raise RuntimeError('no planner')\n"
)
NO_PLANNER = f"{PLANNER}FD._install_fd = lambda self: None\nFD.plan_from_pddl = give_up\n{PEER}"
WITH_PLANNER = f"{PLANNER}FD._install_fd = lambda self: setattr(self, '_exec', {{!r}})\n{PEER}"
TRANSITIONS = "transition_modeling"
SUBGOALS = "subgoal_decomposition"
SCENE = "scene_1_"
Rows = list[dict[str, str]]


@dataclass(frozen=True)
class Usage:
    """What one process used."""

    cpu_seconds: float
    peak_mib: float


@dataclass(frozen=True)
class Job:
    """What both programs do.

    Args:
        ability: What the answers are about.
        answers: The answers of each model.
        planner: Fast Downward's driver; without it no plan is searched.
    """

    ability: str
    answers: dict[str, Rows]
    planner: str | None = None

    @property
    def suite(self) -> str:
        """The suite that `eai` evaluates."""
        alone = self.ability == TRANSITIONS and self.planner is None
        return "logic_form_suite:LogicForm" if alone else "virtualhome"

    @property
    def peer(self) -> str:
        """The program that runs the peer."""
        if self.ability != TRANSITIONS:
            return PEER
        return NO_PLANNER if self.planner is None else WITH_PLANNER.format(self.planner)

    def write(self, folder: Path) -> list[Path]:
        """Write the answers as the peer wants them."""
        folder.mkdir(parents=True)
        files = [folder / f"{model}_outputs.json" for model in self.answers]
        scene = SCENE if self.ability == SUBGOALS else ""
        for file, rows in zip(files, self.answers.values(), strict=True):
            named = [{**row, "identifier": scene + row["identifier"]} for row in rows]
            file.write_text(json.dumps(named), encoding="utf-8")
        return files


def measure(command: list[str], folder: Path, *, path: str = "") -> Usage:
    """Run a command to its end and return what it and its children used.

    Args:
        command: The program and its arguments.
        folder: The working folder; the output of the program goes to `run.log` there.
        path: What Python searches for modules besides.

    Raises:
        SystemExit: If the program fails; the end of its output is shown.
    """
    log = folder / "run.log"
    environment = {**os.environ, "PYTHONPATH": path}
    # Modules are compiled once, as those of an installed package are.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with log.open("wb") as sink:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=sink, stderr=subprocess.STDOUT
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        tail = log.read_text(encoding="utf-8", errors="replace")[-2000:]
        sys.exit(f"{shlex.join(command)}\nended with {process.returncode}:\n{tail}")
    return Usage(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def read_predictions(path: Path) -> Rows:
    """Read answers from JSON or JSON lines, gzipped or not."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    if text.lstrip().startswith("["):
        rows = json.loads(text)
    else:
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [
        {
            "identifier": str(row["identifier"]).removeprefix(SCENE),
            "llm_output": row["llm_output"],
        }
        for row in rows
    ]


def known_to_peer(peer_python: str, ability: str) -> set[str]:
    """Ask the peer which tasks it has for an ability."""
    found = subprocess.run([peer_python, "-c", FIND_PEER], check=True, capture_output=True)
    package = Path(found.stdout.decode().strip())
    name = "success_task.json" if ability == TRANSITIONS else "id2task.json"
    table = package / "resources" / "virtualhome" / name
    return set(json.loads(table.read_text(encoding="utf-8")))


def choose(rows: Rows, known: set[str], items: int | None) -> Rows:
    """Keep one answer per known task, and of those `items`, evenly spaced."""
    first: dict[str, dict[str, str]] = {}
    for row in rows:
        if row["identifier"] in known:
            first.setdefault(row["identifier"], row)
    kept = list(first.values())
    if items is None or items >= len(kept):
        return kept
    return [kept[index * len(kept) // items] for index in range(items)]


def run_peer(peer_python: str, job: Job) -> tuple[Usage, str]:
    """Run the peer's own command line on the answers.

    Returns:
        What it used, and the main figure that it reports on the first model.
    """
    with tempfile.TemporaryDirectory(prefix="vs_eai_eval_") as name:
        folder = Path(name)
        job.write(folder / "responses" / "virtualhome" / job.ability)
        command = [peer_python, "-c", job.peer]
        command += ["--mode", "evaluate_results", "--eval-type", job.ability]
        command += ["--dataset", "virtualhome", "--num-workers", "1"]
        command += ["--llm-response-path", str(folder / "responses")]
        command += ["--output-dir", str(folder / "output")]
        used = measure(command, folder)
        (summary,) = (folder / "output").rglob(f"{next(iter(job.answers))}/summary.json")
        found = json.loads(summary.read_text(encoding="utf-8"))
        return used, main_figure(found, percent=1 if job.ability != SUBGOALS else 100)


def main_figure(summary: dict[str, Any], *, percent: int) -> str:
    """The figure of a peer's summary that shows that it did its work.

    Args:
        summary: What the peer wrote.
        percent: What makes a percentage of its figures: 100 for shares.
    """
    goals = summary.get("goal_evaluation", summary)
    goals = goals.get("overall", goals)
    key = next(key for key in ("task_success_rate", "all_f1", "f1") if key in goals)
    return f"{key} {percent * float(goals[key]):.2f} %"


def run_ours(template: str, job: Job) -> Usage:
    """Run the command measured against the peer on the answers."""
    with tempfile.TemporaryDirectory(prefix="vs_eai_eval_") as name:
        folder = Path(name)
        files = [str(file) for file in job.write(folder / "answers")]
        filled = {"suite": job.suite, "ability": job.ability, "output": str(folder / "output")}
        command: list[str] = []
        for part in shlex.split(template):
            command += files if part == "{files}" else [part.format(**filled)]
        return measure(command, folder, path=str(Path(__file__).parent))


def main() -> None:
    """Read the arguments, run the pairs and print them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peer-python", required=True, help="a Python that has eai-eval 1.0.5")
    parser.add_argument(
        "--predictions", required=True, type=Path, nargs="+", help="a file for each model"
    )
    parser.add_argument("--ability", default="action_sequencing", help="what the answers are about")
    parser.add_argument("--items", type=int, help="how many tasks (all when left out)")
    parser.add_argument("--fast-downward", help="search plans, too; the peer with this planner")
    parser.add_argument("--pairs", type=int, default=3, help="how many times each runs (3)")
    parser.add_argument("--core", type=int, default=0, help="the core both run on (0)")
    parser.add_argument(
        "--scores-only",
        dest="ours",
        action="store_const",
        const=SCORES_ONLY,
        default=OURS,
        help="print the scores as JSON, write nothing else",
    )
    parser.add_argument("--ours", help="the command to measure against the peer")
    parser.add_argument("--peer-only", action="store_true", help="leave our side out")
    arguments = parser.parse_args()

    peer_python = str(Path(arguments.peer_python).absolute())  # the runs have folders of their own
    os.environ["PYTHONHASHSEED"] = "0"  # the peer's verdicts depend on it
    os.sched_setaffinity(0, {arguments.core})
    known = known_to_peer(peer_python, arguments.ability)
    answers = {
        path.name.partition(".json")[0].removesuffix("_outputs"): choose(
            read_predictions(path), known, arguments.items
        )
        for path in arguments.predictions
    }
    if not all(answers.values()):
        sys.exit("no answer in a file belongs to a task the peer knows")
    job = Job(arguments.ability, answers, arguments.fast_downward)
    total = sum(map(len, answers.values()))
    print(f"{total} answers, core {arguments.core}; processor seconds and peak MiB")

    if not arguments.peer_only:
        run_ours(arguments.ours, job)  # compiles the modules
    ratios: list[tuple[float, float]] = []
    for number in range(1, arguments.pairs + 1):
        peer, figure = run_peer(peer_python, job)
        line = f"pair {number}: eai-eval {peer.cpu_seconds:8.2f} s {peer.peak_mib:7.0f} MiB"
        if arguments.peer_only:
            print(f"{line} ({figure})", flush=True)
            continue
        ours = run_ours(arguments.ours, job)
        ratios.append((peer.cpu_seconds / ours.cpu_seconds, peer.peak_mib / ours.peak_mib))
        print(
            f"{line} ({figure})"
            f" | eai {ours.cpu_seconds:8.2f} s {ours.peak_mib:7.0f} MiB"
            f" | ratio {ratios[-1][0]:6.1f} time, {ratios[-1][1]:5.1f} memory",
            flush=True,
        )
    if ratios:
        times, memories = zip(*ratios, strict=True)
        print(
            f"ratio, median of {len(ratios)}: {statistics.median(times):.1f} time,"
            f" {statistics.median(memories):.1f} memory;"
            f" lowest {min(times):.1f} time, {min(memories):.1f} memory"
        )


if __name__ == "__main__":
    main()
