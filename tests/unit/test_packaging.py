"""What a wheel holds: all files of the package, notices, licences; the same bytes each time."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SHIPPED = {
    "src/eai": "eai",
    "domains": "eai/data/domains",
    "grammars": "eai/data/grammars",
    "tasks": "eai/data/tasks",
}
"""Folders of the repository, and where they are in the wheel."""

NOT_SHIPPED = {".pyc"}
"""Suffixes of files in these folders that do not belong into the wheel."""

DATA_FOLDERS = sorted(
    file.parent
    for folder in ("domains/*", "grammars", "tasks/*")
    for file in ROOT.glob(f"{folder}/__init__.py")
)

LICENCE_TEXT = re.compile(r"licenses/[\w-]+\.txt")


def test_every_data_folder_has_a_notice() -> None:
    assert len(DATA_FOLDERS) >= 17
    assert [folder for folder in DATA_FOLDERS if not (folder / "NOTICE").is_file()] == []


@pytest.mark.parametrize("folder", DATA_FOLDERS, ids=lambda folder: folder.name)
def test_a_notice_names_the_text_of_each_licence(folder: Path) -> None:
    # A paragraph is about one source.
    for lines in (folder / "NOTICE").read_text("utf-8").split("\n\n"):
        paragraph = " ".join(lines.split())
        texts = LICENCE_TEXT.findall(paragraph)
        assert all((ROOT / text).is_file() for text in texts)
        if "MIT License" in paragraph or "Apache License" in paragraph:
            assert texts or "LICENSE" in paragraph, paragraph


def test_every_licence_text_is_named_by_a_notice() -> None:
    notices = [(folder / "NOTICE").read_text("utf-8") for folder in DATA_FOLDERS]
    named = {text for notice in notices for text in LICENCE_TEXT.findall(notice)}
    assert named == {f"licenses/{file.name}" for file in (ROOT / "licenses").iterdir()}


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Folders with a wheel and a source distribution: of two copies with other times and modes."""
    pytest.importorskip("setuptools", minversion="80")
    return [
        build(tmp_path_factory.mktemp("open"), mode=0o644, umask=0o022),
        build(tmp_path_factory.mktemp("private"), mode=0o600, umask=0o077),
    ]


def build(folder: Path, *, mode: int, umask: int) -> Path:
    copy = folder / "copy"
    for part in ("src", "domains", "grammars", "tasks", "licenses", "tools"):
        ignored = shutil.ignore_patterns("*.egg-info")
        shutil.copytree(ROOT / part, copy / part, ignore=ignored, copy_function=shutil.copyfile)
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, copy / name)
    for file in copy.rglob("*"):
        if file.is_file():
            file.chmod(mode)
    program = (
        "import sys; sys.path.insert(0, 'tools'); import build_backend as backend; "
        "backend.build_wheel(sys.argv[1]); backend.build_sdist(sys.argv[1])"
    )
    result = folder / "dist"
    result.mkdir()
    command = [sys.executable, "-c", program, str(result)]
    subprocess.run(command, cwd=copy, umask=umask, check=True, capture_output=True)
    return result


@pytest.mark.heavy
def test_the_wheel_holds_every_file_of_its_folders(builds: list[Path]) -> None:
    expected = {"eai_verifiers.py"}
    for folder, target in SHIPPED.items():
        for file in (ROOT / folder).rglob("*"):
            if file.is_file() and file.suffix not in NOT_SHIPPED:
                expected.add(f"{target}/{file.relative_to(ROOT / folder).as_posix()}")
    with zipfile.ZipFile(next(builds[0].glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    assert {name for name in names if ".dist-info/" not in name} == expected
    licences = {name.partition(".dist-info/licenses/")[2] for name in names} - {""}
    texts = {f"licenses/{file.name}" for file in (ROOT / "licenses").iterdir()}
    assert licences == {"LICENSE"} | texts


@pytest.mark.heavy
def test_two_copies_give_the_same_bytes(builds: list[Path]) -> None:
    for archive in builds[0].iterdir():
        assert archive.read_bytes() == (builds[1] / archive.name).read_bytes()


def test_every_extra_has_its_tests_listed() -> None:
    command = [sys.executable, str(ROOT / ".ci" / "extras.py")]
    listed = subprocess.run(command, check=False, capture_output=True)
    assert (listed.returncode, listed.stderr) == (0, b"")
