"""A suite as notebooks show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eai.display import table
from eai.errors import EaiError

if TYPE_CHECKING:
    from eai.suites.base import Suite

__all__ = ["suite_html"]


def suite_html(suite: Suite) -> str:
    """Return what a suite is, how much there is of it, and what can be judged.

    Args:
        suite: The suite. If its data was not fetched, that is said in place of the tasks.
    """
    try:
        tasks = f"{len(suite.task_ids()):,}"
    except EaiError as error:
        tasks = str(error)
    rows = [
        ("Version", suite.version),
        ("Tasks", tasks),
        ("Abilities", ", ".join(suite.abilities)),
        ("Semantics", f"{suite.default_semantics} by default; {len(suite.quirks)} quirks"),
    ]
    return table((), rows, caption=f"{suite.name}: {suite.title}")
