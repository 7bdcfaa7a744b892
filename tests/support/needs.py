"""Resources that some tests need, and the reason given where one is missing.

A test is skipped only by what stands here, so the reasons are few and can be counted:
``.ci/accepted-skips.txt`` lists which of them are accepted in which step of continuous integration.

* ``@pytest.mark.official`` for a test that reads the official data (see ``conftest.py``);
* ``@recordings(...)`` for one that reads recordings of others, ``facts(...)`` for their path;
* ``package(...)`` for the module of an optional package, ``@extra(...)`` where a test only starts
  something that imports it;
* ``@CHROMIUM``, ``@TEX``, ``@on(...)`` for programs and operating systems.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

__all__ = [
    "BUILT_SITE",
    "CHROMIUM",
    "INSTALLED",
    "LTL_TOOLS",
    "LTL_TOOL_PYTHONS",
    "OFFICIAL_DATA",
    "OLDER_PYTHON",
    "OPTIONAL_PACKAGE",
    "RECORDINGS",
    "SYSTEM",
    "TEX",
    "extra",
    "facts",
    "on",
    "package",
    "recordings",
]

OFFICIAL_DATA = "needs the official data (eai data fetch eai)"
RECORDINGS = "needs recordings of others (EAI_FACTS)"
SYSTEM = "needs another operating system"
OLDER_PYTHON = "needs an older Python"
INSTALLED = "needs the installed package"
BUILT_SITE = "needs the built site (build/docs)"
OPTIONAL_PACKAGE = "needs an optional package"

TEX = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
CHROMIUM = pytest.mark.skipif(
    shutil.which("chromium") is None or shutil.which("chromedriver") is None,
    reason="needs Chromium and its driver",
)

LTL_TOOL_PYTHONS: Mapping[str, str] = {
    name: os.environ[f"EAI_{name.upper()}_PYTHON"]
    for name in ("flloat", "ltlf2dfa", "rtamt")
    if f"EAI_{name.upper()}_PYTHON" in os.environ
}
"""Name of a tool to the Python in which it is installed."""

LTL_TOOLS = pytest.mark.skipif(
    len(LTL_TOOL_PYTHONS) < 2, reason="needs two other tools for temporal logic (EAI_..._PYTHON)"
)


def package(module: str, *, extra: str = "") -> Any:
    """Import an optional package, or skip the test or module that asks for it.

    Args:
        module: The name by which it is imported.
        extra: The extra of ``pyproject.toml`` that brings it; without one it is no part of any.
    """
    return pytest.importorskip(module, reason=_reason(module, extra))


def extra(name: str, module: str) -> pytest.MarkDecorator:
    """Return a marker for a test of which another process imports this module of an extra."""
    return pytest.mark.skipif(find_spec(module) is None, reason=_reason(module, name))


def _reason(module: str, extra: str) -> str:
    if not extra:
        return f"needs the package {module!r}"
    return f"needs the extra {extra!r}"


def facts(*parts: str) -> Path:
    """Return the path of recordings of others, which need not exist.

    ``EAI_FACTS`` names the folder with them.
    """
    return Path(os.environ.get("EAI_FACTS", "/nonexistent")).joinpath(*parts)


def recordings(*parts: str) -> pytest.MarkDecorator:
    """Return a marker for a test that reads this file or folder of ``EAI_FACTS``."""
    return pytest.mark.skipif(not facts(*parts).exists(), reason=RECORDINGS)


def on(condition: bool) -> pytest.MarkDecorator:  # as in skipif
    """Return a marker for a test that only some operating systems can run."""
    return pytest.mark.skipif(not condition, reason=SYSTEM)
