"""Wrong plans of the official VirtualHome tasks: how many can be made, of every kind."""

from __future__ import annotations

import pytest

from eai.perturbation import perturb_suite
from eai.perturbation.perturb import EDITS
from eai.suites.virtualhome import VirtualHome

pytestmark = [pytest.mark.official, pytest.mark.heavy]

SUITE = VirtualHome()

HARMFUL = 338
"""Tasks whose gold plan can be made wrong: the other four have no goal."""

FEWER = {"drop": 329}
"""In nine plans nothing has to be there: any single step can be left out."""


@pytest.mark.parametrize("kind", sorted(EDITS))
def test_gold_plans_can_be_made_wrong_in_every_way(kind: str) -> None:
    made = list(perturb_suite(SUITE, kind, seed=1))
    assert len(made) == FEWER.get(kind, HARMFUL)
    assert all(each.verified for each in made)
