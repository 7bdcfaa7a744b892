"""``eai completion``: scripts for shells."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from command_line import call
from eai.cli.app import COMMANDS


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_commands_options_and_suites_are_completed(shell: str) -> None:
    script = call("completion", shell).stdout
    for word in (*COMMANDS, "no-regression-vs", "household", "third_party"):
        assert word in script


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_takes_the_script(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(call("completion", shell).stdout)
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("eai eval", ["evaluate"]),
        ("eai evaluate house", ["household"]),
        ("eai evaluate household --no-re", ["--no-regression-vs"]),
        ("eai analyze gr", ["groups"]),
        ("eai export run --relationship th", ["third_party"]),
        ("eai explain rec", ["records.jsonl"]),
        ("eai evaluate household rec", ["records.jsonl"]),
    ],
)
def test_bash_completes_words(line: str, found: list[str], tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    (tmp_path / "script").write_text(call("completion", "bash").stdout)
    (tmp_path / "records.jsonl").touch()
    words = line.split()
    program = (
        "source ./script\n"
        f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; COMP_LINE='{line}'\n"
        "compopt() { :; }\n"
        "$(complete -p eai | sed 's/.*-F \\([^ ]*\\) .*/\\1/')\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == found
