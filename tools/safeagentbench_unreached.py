"""Write tasks/safeagentbench/unreached.json: the reference plans that miss their final state.

Run it after the facts of the tasks, or the world, have changed.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from eai.suites.safeagentbench.facts import records
from eai.suites.safeagentbench.references import why_unreached

TARGET = Path(__file__).parents[1] / "tasks" / "safeagentbench" / "unreached.json"


def main() -> None:
    """Run every reference plan and write those that miss, each with cause, code and evidence."""
    rows = {}
    for record in records().values():
        reason = None if record.kind == "long" else why_unreached(record.name)
        if reason is not None:
            rows[record.name] = asdict(reason)
    TARGET.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
