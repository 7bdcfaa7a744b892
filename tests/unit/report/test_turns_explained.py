"""An explanation of an episode says what each turn changed."""

from __future__ import annotations

import eai
from eai.acting import RecordedEpisode

ANSWERS = [
    "Action: OPEN light.34",
    "Action: WALK light.34",
    "nonsense",
    "Action: SWITCHON light.34",
]


def test_turns_of_an_episode_have_what_they_changed() -> None:
    played = eai.interact("household", "studio-01", ANSWERS)
    failed, walked, unread, switched = eai.explain(played.record()).steps
    assert (failed.added, failed.deleted) == ((), ())
    assert (unread.added, unread.deleted) == ((), ())
    assert "next_to(character.5, light.34)" in walked.added
    assert (switched.added, switched.deleted) == (("on(light.34)",), ("off(light.34)",))
    assert "+ on(light.34)" in str(eai.explain(played.record()))


def test_so_have_those_of_a_recorded_one() -> None:
    played = eai.interact("household", "studio-01", ANSWERS)
    record = RecordedEpisode.of(played.episode).to_json()
    report = eai.evaluate("household", {"studio-01": record}, ability="recorded", tasks="answered")
    assert eai.explain(report.records[0]).steps == eai.explain(played.record()).steps


def test_actions_on_types_change_single_objects() -> None:
    task = "turn_on_tv__FloorPlan202_V1"
    played = eai.interact("asgardbench", task, "oracle")
    *_, last = eai.explain(played.record()).steps
    (changed,) = last.added
    assert changed.startswith("on(Television_")
