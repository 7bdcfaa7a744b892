"""Sentences and formulas of temporal logic: a file of pairs is a suite, ``ltl:FILE``."""

from __future__ import annotations

from eai.suites.translations.suite import Examples, Translations

__all__ = ["Examples", "Translations"]
