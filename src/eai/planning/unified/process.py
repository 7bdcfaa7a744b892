"""The process in which an engine of unified-planning runs, apart from ours.

``python -m eai.planning.unified.process ENGINE`` reads a pickled domain and problem from a file
``task``, and writes what came of it to a file ``answer`` as JSON: a status and a reason or steps.
"""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

from eai.errors import InputError, MissingExtraError
from eai.planning.unified.interchange import to_unified


def answer(engine: str, domain: Any, problem: Any) -> dict[str, object]:  # noqa: ANN401
    """Let an engine plan: ``{"status": ..., "reason": ..., "plan": [[name, ...], ...]}``."""
    unified: Any = to_unified(domain, problem)
    from unified_planning.exceptions import UPException, UPNoRequestedEngineAvailableException

    unified.environment.credits_stream = None
    try:
        with unified.environment.factory.OneshotPlanner(name=engine) as planner:
            found = planner.solve(unified)
    except UPNoRequestedEngineAvailableException:
        why = f"unified-planning finds no engine {engine}; perhaps pip install up-{engine}"
        return {"status": "NOT_INSTALLED", "reason": why, "plan": None}
    except UPException as error:
        return {"status": "REJECTED", "reason": str(error), "plan": None}
    steps = found.plan and [
        [each.action.name, *(argument.object().name for argument in each.actual_parameters)]
        for each in found.plan.actions
    ]
    return {"status": found.status.name, "reason": "", "plan": steps}


def main() -> None:
    """Answer the task in this folder."""
    domain, problem = pickle.loads(Path("task").read_bytes())  # noqa: S301 - we wrote it
    try:
        found = answer(sys.argv[1], domain, problem)
    except InputError as error:
        found = {"status": "REJECTED", "reason": str(error), "plan": None}
    except MissingExtraError as error:
        found = {"status": "NOT_INSTALLED", "reason": str(error), "plan": None}
    Path("answer").write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
