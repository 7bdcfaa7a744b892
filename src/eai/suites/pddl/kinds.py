"""Kinds of questions about planning tasks: their wordings, and what they were called elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eai.data import read_json
from eai.errors import SchemaError, did_you_mean, nearest

WORDINGS: Mapping[str, Mapping[str, str]] = read_json("tasks/pddl/questions.json")
"""Each kind of question: how it is worded, and what it is called where it was published."""
PUBLISHED = {said["published"]: kind for kind, said in WORDINGS.items()}
"""Name of a kind in the published questions to the kind."""
GROUPS = {said["group"]: kind for kind, said in WORDINGS.items()}
"""Name of a kind in published file names (before ``_gen``, ``_bool``, ``_mcq``) to the kind."""
YES_NO, CHOICE = "yes_no", "multiple_choice"
"""Kinds of questions that have no task in PDDL."""
# The name of a file of ACPBench: "acp_landmarks_gen", "land_bool", "app_mcq".
_FORM = re.compile(r"^(?:acp_)?(?P<kind>.+?)_(?P<form>gen|bool|mcq?)$")


def known_kind(written: str, where: str) -> str:
    """Return the kind of question for a name or alias: ``landmark``, ``landmarks_gen``.

    Raises:
        SchemaError: If there is none.
    """
    candidates = [written]
    # Names of files also have the form of the question: "landmarks_gen" -> "landmarks".
    form = _FORM.fullmatch(written)
    if form:
        candidates.append(form["kind"])
    for name in candidates:
        kind = GROUPS.get(name) or PUBLISHED.get(name) or name
        if kind in WORDINGS or kind in (YES_NO, CHOICE):
            return kind
    similar = nearest(written, [*WORDINGS, *PUBLISHED, *GROUPS])
    raise SchemaError(
        f"{written!r} is no kind of question",
        where=where,
        expected=f"one of {', '.join(WORDINGS)}",
        mend=did_you_mean(similar) if similar else None,
    )
