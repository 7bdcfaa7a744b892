"""Print how many tests were skipped for which reason in each step, and judge the reasons.

Run as ``skipped.py FOLDER``, whose files are named by steps and have lines of a number, a tab and a
reason. Fails if a reason is not accepted there by ``accepted-skips.txt``.
"""

import sys
from collections import Counter
from pathlib import Path


def accepted() -> set[tuple[str, str]]:
    """Return steps (``*`` for all) and reasons."""
    lines = Path(__file__).with_name("accepted-skips.txt").read_text("utf-8").splitlines()
    rows = [line.split(maxsplit=1) for line in lines if line.strip() and not line.startswith("#")]
    return {(step, reason) for step, reason in rows}


def main(folder: str) -> int:
    """Print the table and return the exit status."""
    allowed = accepted()
    refused = 0
    print(f"\n{'step':8} {'skipped':>7} reason")
    for path in sorted(Path(folder).iterdir()):
        counts: Counter[str] = Counter()
        for line in path.read_text("utf-8").splitlines():
            number, _, reason = line.partition("\t")
            counts[reason] += int(number)
        for reason, number in sorted(counts.items()):
            is_accepted = ("*", reason) in allowed or (path.name, reason) in allowed
            refused += not is_accepted
            print(f"{path.name:8} {number:7} {reason}{'' if is_accepted else '  <- NOT ACCEPTED'}")
    if refused:
        print(f"{refused} reasons are not in .ci/accepted-skips.txt")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
