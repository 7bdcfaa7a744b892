"""Compare everything that the library says with what it said before: the regression net.

    python tests/regression_net.py list
    python tests/regression_net.py compare [--part PREFIX ...] [--sample N] [--dump DIR]
    python tests/regression_net.py store [--part PREFIX ...] [--dump DIR]

`tests/fixtures/regression_net/` keeps one hash for every item: an answer that was evaluated, an
episode, a formula on a trajectory, a plan, a repair, a reward. It is taken over the meaning
(verdict, errors with step and culprit, conditions of the goal with the step since which they are
met, counts), never over wording, notes or timing. `regression_meaning.py` makes meanings out of
the library's objects and is the only file that follows renames; `regression_parts.py` says what is
evaluated.

`--part` chooses parts by the beginning of their names, such as `behavior/subgoal_decomposition`
or `logic`; `--sample N` takes every N-th item. `compare` prints part and identifier of every item
that differs, and then exits with 1. `--dump DIR` writes the meanings as lines of JSON; to see
what a difference is, dump once from the code before (in a checkout of it) and once from the code
after, and compare the two files.

`EAI_FACTS` names a folder with data that is not part of the repository (`eai/model_outputs`,
`eai/peer_verdicts`, `logic/corpus`, `asgardbench_ai2thor`); the official data must have been
fetched (`eai data fetch eai`). Parts whose data are not here are skipped, and named.

No item asks a clock: searches end by a budget, which is the same on every machine.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from regression_meaning import Item
from regression_parts import Group, groups

STORE = Path(__file__).parent / "fixtures" / "regression_net"

Hashes = dict[str, str]
"""Identifier to hash."""

_SHOWN = 20
"""So many differences of a part are printed."""


def hashed(meaning: object) -> str:
    """Return the hash of a meaning."""
    text = json.dumps(meaning, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:12]


def chosen_groups(prefixes: Sequence[str]) -> list[Group]:
    """Return the groups of the parts whose names begin like this."""
    found, _ = _all_groups()
    return [group for group in found if not prefixes or group.part.startswith(tuple(prefixes))]


@cache
def _all_groups() -> tuple[list[Group], list[str]]:
    facts = os.environ.get("EAI_FACTS")
    return groups(None if not facts else Path(facts))


def evaluated(group: Group, sample: int = 1, number: int = 0) -> list[Item]:
    """Evaluate the items of a group.

    Args:
        group: The group.
        sample: Take every n-th item.
        number: Number of the group: other groups begin with other items.
    """
    chosen = group.ids[number % min(sample, len(group.ids) or 1) :: sample]
    return list(group.run(chosen, sample == 1)) if chosen else []


def _work(job: tuple[str, str, int, int]) -> tuple[list[Item], float]:
    part, name, sample, number = job
    begun = time.process_time()
    for group in chosen_groups([part]):
        if (group.part, group.name) == (part, name):
            return evaluated(group, sample, number), time.process_time() - begun
    raise LookupError(part, name)


def results(
    found: Sequence[Group], *, sample: int = 1, workers: int = 2
) -> Iterator[tuple[str, list[Item], float]]:
    """Evaluate groups; yield each part as soon as it is done, its items and its processor time."""
    jobs = [(group.part, group.name, sample, number) for number, group in enumerate(found)]
    # The long ones first, so that no process is left alone with one of them at the end.
    jobs.sort(key=lambda job: (-_weight(job[0]), job[0]))
    left = Counter(job[0] for job in jobs)
    spent: dict[str, float] = defaultdict(float)
    parts: dict[str, list[Item]] = defaultdict(list)
    with ProcessPoolExecutor(workers) as pool:
        for (part, *_), (items, seconds) in zip(jobs, pool.map(_work, jobs), strict=True):
            parts[part] += items
            spent[part] += seconds
            left[part] -= 1
            if not left[part]:
                yield part, parts.pop(part), spent[part]


def _weight(part: str) -> int:
    heavy = ("subgoal_decomposition/strict", "transition_modeling", "repairs", "planning")
    return next((len(heavy) - at for at, each in enumerate(heavy) if each in part), 0)


def _path(part: str) -> Path:
    return STORE / f"{part.replace('/', '.')}.json.gz"


def stored(part: str) -> Hashes:
    """Return what was stored of a part; empty if nothing was."""
    path = _path(part)
    if not path.is_file():
        return {}
    found: Hashes = json.loads(gzip.decompress(path.read_bytes()))
    return found


def store(part: str, items: Sequence[Item]) -> None:
    """Store the hashes of a part."""
    STORE.mkdir(exist_ok=True)
    lines = json.dumps({name: hashed(meaning) for name, meaning in sorted(items)}, indent=0)
    _path(part).write_bytes(gzip.compress(lines.encode("utf-8"), mtime=0))


def _dump(folder: Path, part: str, items: Sequence[Item]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"id": name, "meaning": said}, sort_keys=True) for name, said in items]
    name = f"{part.replace('/', '.')}.jsonl"
    (folder / name).write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")


def differences(part: str, items: Sequence[Item], *, whole: bool) -> list[str]:
    """Compare items with what was stored of their part.

    Returns:
        The identifiers of those that differ, are new or are no more.
    """
    before, now = stored(part), {name: hashed(meaning) for name, meaning in items}
    found = [
        f"{name} (new)" if name not in before else name
        for name, value in now.items()
        if value != before.get(name)
    ]
    if whole:
        found += [f"{name} (no more)" for name in before if name not in now]
    return found


def main() -> int:
    """Read the arguments, evaluate, store or compare; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("store", "compare", "list"))
    parser.add_argument("--part", action="append", default=[], metavar="PREFIX")
    parser.add_argument("--sample", type=int, default=1, help="take every n-th item")
    parser.add_argument("--dump", type=Path, metavar="DIR", help="where to write the meanings")
    parser.add_argument("--workers", type=int, default=2, help="number of processes")
    parser.add_argument("--verbose", action="store_true", help="print every part with its time")
    asked = parser.parse_args()
    if asked.sample < 1 or (asked.command == "store" and asked.sample > 1):
        parser.error("--sample is 1 or more, and is for compare")
    found, (_, absent) = chosen_groups(asked.part), _all_groups()
    for reason in absent:
        print(f"skipped: {reason}")
    counts: dict[str, int] = defaultdict(int)
    for group in found:
        counts[group.part] += len(group.ids)
    if not counts:
        parser.error("there is no such part here; see the command list")
    if asked.command == "list":
        for part, count in sorted(counts.items()):
            print(f"{count:7}  {part}")
        return 0
    return _run(found, asked)


def _run(found: Sequence[Group], asked: argparse.Namespace) -> int:
    """Evaluate, store or compare; return the exit status."""
    begun, wrong, total, number = time.perf_counter(), 0, 0, 0
    for part, items, seconds in results(found, sample=asked.sample, workers=asked.workers):
        number, total = number + 1, total + len(items)
        if asked.verbose:
            print(f"{seconds:7.1f} s {len(items):7} items  {part}", flush=True)
        if asked.dump is not None:
            _dump(asked.dump, part, items)
        if asked.command == "store":
            store(part, items)
        else:
            wrong += _compare(part, items, whole=asked.sample == 1)
    print(f"{total} items of {number} parts, {wrong} differ, {time.perf_counter() - begun:.0f} s")
    return int(wrong > 0)


def _compare(part: str, items: Sequence[Item], *, whole: bool) -> int:
    """Print what differs in a part, and return how many items that are."""
    if not stored(part):
        print(f"not stored: {part}")
        return 0
    differing = differences(part, items, whole=whole)
    for name in differing[:_SHOWN]:
        print(f"DIFFERENT {part}: {name}")
    if len(differing) > _SHOWN:
        print(f"DIFFERENT {part}: and {len(differing) - _SHOWN} more")
    return len(differing)


if __name__ == "__main__":
    sys.exit(main())
