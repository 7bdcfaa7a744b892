"""The quirks of published evaluators, read from the files ``quirks.ini`` beside their tasks."""

from __future__ import annotations

from collections.abc import Mapping

from eai.data import read_text, sections
from eai.semantics import Quirk


def shipped_quirks(suite: str) -> Mapping[str, Mapping[str, Quirk]]:
    """Return the quirks of a suite by group (as a rule an ability) and name."""
    groups: dict[str, dict[str, Quirk]] = {}
    for name, entries in sections(read_text(f"tasks/{suite}/quirks.ini")).items():
        # A value may be wrapped over several lines of the file.
        fields = {key: value.replace("\n", " ") for key, value in entries.items()}
        quirk = Quirk(name, fields["official"], fields["strict"], fields.get("hook", ""))
        groups.setdefault(fields["group"], {})[name] = quirk
    return groups


def optional(quirks: Mapping[str, Quirk]) -> Mapping[str, Quirk]:
    """Return quirks that ``official`` leaves off: they depend on the model or the version."""
    return {name: quirk._replace(is_optional=True) for name, quirk in quirks.items()}
