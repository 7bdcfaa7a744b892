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
"""What the published questions call the kinds."""
GROUPS = {said["group"]: kind for kind, said in WORDINGS.items()}
"""What the published files call them, before ``_gen``, ``_bool`` and ``_mcq``."""
