"""The public surface: what it holds, what it costs, which way imports point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import eai


def test_all_is_sorted_small_and_importable() -> None:
    assert eai.__all__ == sorted(eai.__all__)
    assert len(eai.__all__) <= 31
    for name in eai.__all__:
        assert getattr(eai, name) is not None
    assert dir(eai) == eai.__all__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = eai.no_such_name  # type: ignore[attr-defined]


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    assert eai.__version__ == version("eai-symbolic")


@pytest.mark.parametrize("code", ["import eai", "import eai.cli", "import eai.evaluation"])
def test_heavy_packages_are_not_imported_early(code: str) -> None:
    heavy = (
        *("pandas", "numpy", "scipy", "matplotlib", "networkx", "unified_planning"),
        *("pydantic", "rich", "asyncio", "multiprocessing"),
    )
    check = f"{code}; import sys; print(*[m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_reading_what_to_evaluate_takes_no_numbers_package() -> None:
    check = "import eai.cli.reading, sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_operators_are_compared_without_a_planner() -> None:
    check = (
        "import eai.suites.transition.evaluation, sys; sys.exit('eai.planning.own' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


@pytest.mark.parametrize(
    ("guess", "told"),
    [
        ("compare", "report.compare(other)"),
        ("suites", "from eai.contract.registry import suites"),
        ("read_report", "eai.Report(eai.read_records(path))"),
        ("evalute", "did you mean eai.evaluate?"),
    ],
)
def test_a_guessed_name_is_told_what_there_is_instead(guess: str, told: str) -> None:
    with pytest.raises(AttributeError) as caught:
        eai.__getattr__(guess)
    assert told in str(caught.value)


def test_a_checkout_reads_its_own_files_whichever_is_installed(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "eai").symlink_to(root / "src" / "eai")
    (tmp_path / "domains").mkdir()
    (tmp_path / "domains" / "__init__.py").touch()
    code = "from importlib import resources; print(resources.files('eai.data.domains'))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert Path(done.stdout.strip()) == tmp_path / "domains"
