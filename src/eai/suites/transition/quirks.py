"""The quirks of ``eai-eval`` 1.0.5 on transition modeling, each a named switch."""

from __future__ import annotations

from eai.suites.shared.quirks import shipped_quirks

TRANSITION_QUIRKS = shipped_quirks("transition")["transition_modeling"]
