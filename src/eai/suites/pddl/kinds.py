"""Kinds of questions about planning tasks: their wordings, and what they were called elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources

WORDINGS: Mapping[str, Mapping[str, str]] = json.loads(
    resources.files("eai.data.tasks.pddl").joinpath("questions.json").read_text("utf-8")
)
"""Each kind of question: how it is worded, and what it is called where it was published."""
PUBLISHED = {said["published"]: kind for kind, said in WORDINGS.items()}
"""Name of a kind in the published questions to the kind."""
GROUPS = {said["group"]: kind for kind, said in WORDINGS.items()}
"""Name of a kind in published file names (before ``_gen``, ``_bool``, ``_mcq``) to the kind."""
