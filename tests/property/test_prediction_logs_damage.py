"""Damaged logs of other tools: an error or fewer answers, never anything else."""

from __future__ import annotations

import json
import tempfile
import zipfile
from functools import cache
from pathlib import Path

from hypothesis import given, settings, strategies as st

from eai.errors import EaiError
from eai.predictions import load_predictions

FIXTURES = Path(__file__).parents[1] / "fixtures"
LOG = FIXTURES / "inspect" / "named.json"
SAMPLES = next((FIXTURES / "lm_eval").rglob("samples_household_*"))


@cache
def content(name: str) -> bytes:
    """What is damaged: the files, and a log packed without zstandard."""
    if name != "packed.eval":
        return (LOG if name == "log.json" else SAMPLES).read_bytes()
    written = json.loads(LOG.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("header.json", json.dumps({**written, "samples": None}))
            for sample in written["samples"]:
                archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
        return path.read_bytes()


EDIT = st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 9), st.binary(max_size=4))
"""Where, how many bytes go, which bytes come."""


@settings(max_examples=150)
@given(
    name=st.sampled_from(["packed.eval", "log.json", SAMPLES.name]),
    edits=st.lists(EDIT, min_size=1, max_size=8),
)
def test_damage_is_an_error_of_ours_or_leaves_known_tasks(
    name: str, edits: list[tuple[float, int, bytes]]
) -> None:
    data = content(name)
    for place, gone, come in edits:
        at = int(place * len(data))
        data = data[:at] + come + data[at + gone :]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        told, answers = "", 0
        try:
            answers = len(load_predictions(path))
        except EaiError as error:
            told = str(error)
        assert 1 <= answers <= 4 or str(path) in told
