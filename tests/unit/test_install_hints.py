"""What is said of a missing package: a command that can be run today."""

from __future__ import annotations

from importlib import metadata

import pytest

from eai.errors import MissingExtraError, install_hint


def without_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", requires)


def requiring(monkeypatch: pytest.MonkeyPatch, *requirements: str) -> None:
    monkeypatch.setattr(metadata, "requires", lambda _: list(requirements))


def test_packages_of_an_extra_are_named_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    requiring(
        monkeypatch,
        "rich>=13.7",
        'matplotlib>=3.7; extra == "plot"',
        "up-fast-downward>=1.0; extra == 'planners'",
        'unified-planning>=1.3; extra == "planners"',
    )
    assert install_hint("planners") == "pip install up-fast-downward unified-planning"
    assert install_hint("planners", "unified-planning") == "pip install unified-planning"


def test_a_version_is_named_where_the_newest_would_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    requiring(
        monkeypatch,
        'ai2thor==5.0.0; extra == "thor"',
        'verifiers<0.5,>=0.4; python_version >= "3.11" and extra == "verifiers"',
    )
    assert install_hint("thor") == 'pip install "ai2thor==5.0.0"'
    assert install_hint("verifiers", "verifiers") == 'pip install "verifiers<0.5,>=0.4"'


def test_a_package_that_an_older_installation_did_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    requiring(monkeypatch, 'matplotlib>=3.7; extra == "plot"')
    assert install_hint("planners", "kairos-planner") == "pip install kairos-planner"


def test_without_an_installation_the_clone_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    without_distribution(monkeypatch)
    assert install_hint("plot") == 'pip install ".[plot]"'
    error = MissingExtraError("matplotlib", extra="plot", purpose="a picture")
    assert error.mend == "pip install matplotlib"


@pytest.mark.parametrize(
    ("extra", "packages"), [("plot", "matplotlib"), ("thor", '"ai2thor==5.0.0"')]
)
def test_the_metadata_of_the_installed_package_are_read(extra: str, packages: str) -> None:
    assert install_hint(extra) == f"pip install {packages}"
