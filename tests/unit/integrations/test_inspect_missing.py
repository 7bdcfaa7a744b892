"""Without Inspect AI, the package to install is named."""

from __future__ import annotations

import importlib
import sys

import pytest

from eai.errors import MissingExtraError


def test_without_the_framework_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.delitem(sys.modules, "eai.integrations.inspect_tasks", raising=False)
    with pytest.raises(MissingExtraError, match="pip install inspect-ai"):
        importlib.import_module("eai.integrations.inspect_tasks")
