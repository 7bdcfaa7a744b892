"""Sentences and formulas of temporal logic (``ltl:FILE``), texts and PDDL (``translate:PATH``)."""

from __future__ import annotations

from eai.suites.translations.pddl_suite import PddlTranslations
from eai.suites.translations.suite import Examples, Translations

__all__ = ["Examples", "PddlTranslations", "Translations"]
