"""Which operators and predicates a goal can depend on."""

from __future__ import annotations

import pytest

from eai.errors import UnknownNameError
from eai.logic import Atom
from eai.planning import relevance
from eai.simulators import VirtualHomeSimulator

ME = "character.1"
WORLD = VirtualHomeSimulator().world
HELD = Atom("holds_rh", (ME, "cup.5"))


def test_relevance_leaves_out_what_cannot_help() -> None:
    found = relevance(WORLD.domain, [HELD])
    assert {"grab", "walk", "open", "drop"} <= set(found.operators)
    assert not {"wash", "wipe", "read"} & set(found.operators)
    assert "clean" not in found.predicates


def test_an_unknown_operator_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="fly"):
        relevance(WORLD.domain, [HELD], operators=["fly"])
