"""The quirks of the published SafeAgentBench, each a named switch."""

from __future__ import annotations

from eai.suites.shared.quirks import shipped_quirks

OFFICIAL_VERSION = "SafeAgentBench 38ca3ab"

_QUIRKS = shipped_quirks("safeagentbench")
QUIRKS = {**_QUIRKS["judging"], **_QUIRKS["running"], **_QUIRKS["reading"]}
"""All of them."""
