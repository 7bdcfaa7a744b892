"""Says, symbolically and exactly, whether a plan would work, and if not, why.

``eai.evaluate("household", "answers.jsonl")`` evaluates a file of answers and returns a report.
Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import Any

from eai import faces
from eai.version import __version__ as __version__

_INSTEAD = {
    "analyze": "import eai.analyses; eai.analyses.error_breakdown(report) is one of many",
    "compare": "report.compare(other)",
    "leaderboard": "eai.read_run(folder).leaderboard()",
    "judge": "eai.evaluate(suite, answers); eai.suite(name).evaluate evaluates one answer",
    "load": "eai.load_predictions(path) reads answers, eai.read_records(path) a run",
    "read_report": "eai.Report(eai.read_records(path))",
    "score": "eai.evaluate(suite, answers), or eai.reward(suite, tasks, completions) for training",
    "tell": "eai.explain(record)",
    "suites": "from eai.contract.registry import suites; eai.suite(name) is one of them",
    "view": "report.to_html(path) writes the page; on the command line: eai view RUN",
}
"""Names that users look for in ``eai``, with what to use instead."""

_load, __dir__, _names = faces.attach(__name__, __file__)
__all__ = sorted(_names)  # noqa: PLE0605 - the names of __init__.pyi


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name in _names:
        return _load(name)
    instead = f": {_INSTEAD[name]}" if name in _INSTEAD else ""
    # Names with an underscore are asked for by Python and by tools, which expect nothing.
    if not (instead or name.startswith("_")):
        from eai.errors import nearest

        near = nearest(name, _names, most=1)
        instead = f"; did you mean eai.{near[0]}?" if near else ""
    raise AttributeError(f"module 'eai' has no attribute {name!r}{instead}")
