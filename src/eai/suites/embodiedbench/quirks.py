"""Where the published evaluator of EmbodiedBench and its definitions part, each a switch.

``official`` is the evaluator of February 2025 (commit b247936).
"""

from __future__ import annotations

from eai.suites.quirks import shipped_quirks

OFFICIAL_VERSION = "EmbodiedBench b247936"

_QUIRKS = shipped_quirks("embodiedbench")
QUIRKS = _QUIRKS["official"]
"""Those that ``official`` switches on."""
CHOICES = _QUIRKS["choices"]
"""Those that no evaluation has unless they are asked for: they depend on model and version."""
