"""The quirks of the published AsgardBench, each a named switch."""

from __future__ import annotations

from eai.suites.shared.quirks import shipped_quirks

OFFICIAL_VERSION = "AsgardBench 2603.15888"

_QUIRKS = shipped_quirks("asgardbench")
SCORING = _QUIRKS["scoring"]
"""Those that concern goals and limits."""
TALKING = _QUIRKS["talking"]
"""Quirks of messages and answers."""
ACTING = _QUIRKS["acting"]
"""Those that concern what actions do."""
QUIRKS = {**ACTING, **TALKING, **SCORING}
"""All of them."""
