"""The logic room's front door: complete, and cheap to open."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

LOGIC = import_module("eai.logic")


def test_every_public_name_can_be_had() -> None:
    assert LOGIC.__all__ == sorted(LOGIC.__all__)
    for name in LOGIC.__all__:
        assert getattr(LOGIC, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = LOGIC.no_such_name


def test_what_is_beside_the_main_line_is_loaded_on_demand() -> None:
    later = ("automata", "options", "batch", "monitor", "picture")
    code = (
        f"import sys, eai.logic\nprint(*[m for m in {later!r} if 'eai.logic.' + m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
