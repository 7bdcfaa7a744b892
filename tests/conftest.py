"""What holds for all tests: a home of their own, skips that are counted, and how much is tried.

Tests run in an empty home folder, so they find nothing that is the user's. Only a test with the
marker ``official`` sees the user's cache with the official data; without the data it is skipped.

Property tests try a twelfth of their examples by default, all of them with ``--thorough``. None has
a time limit: how fast something is says nothing on a machine with other work.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings
from needs import OFFICIAL_DATA

from eai.errors import DataMissingError
from eai.suites.shared.data import EAI_EVAL, cache_folder, located

settings.register_profile("eai", deadline=None)
settings.load_profile("eai")

_KEPT = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps the settings of a test."""

_COLLECTED_AFTER = 20_000
"""Number of new objects after which garbage is looked for."""

_WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
"""How many processes run the tests, and the number of this one."""

_OFFICIAL_CACHE = "_EAI_TESTS_OFFICIAL_CACHE"
"""Variable by which the main process tells its workers where the user's cache is."""

_EMPTY_CACHE = "_EAI_TESTS_EMPTY_CACHE"
"""The same for the cache that all other tests see."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough", action="store_true", help="try all examples of the property tests"
    )
    parser.addoption(
        "--skips",
        type=Path,
        metavar="FILE",
        help="append to this file how many tests were skipped for which reason",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Give all tests an empty home, before any module of them is imported."""
    if _OFFICIAL_CACHE in os.environ:
        # A worker inherits what the main process has set.
        if _WORKERS > 1:
            config.pluginmanager.register(_SharedImports())
        return
    os.environ[_OFFICIAL_CACHE] = str(cache_folder())
    # Matplotlib needs seconds to list the fonts; the list is no setting of the user.
    os.environ["MPLCONFIGDIR"] = str(config.rootpath / ".pytest_cache" / "matplotlib")
    folder = TemporaryDirectory(prefix="eai-tests-home-", ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    home = Path(folder.name)
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ.pop(name, None)
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        os.environ[name] = str(home)
    os.environ[_EMPTY_CACHE] = os.environ["EAI_CACHE"] = str(home / "cache")


class _SharedImports:
    """Lets each worker import the modules of a folder from another one on.

    The first that imports a module rewrites its assertions and stores it, so that workers share
    this work, which takes half of the collection in a fresh clone. It is a plug-in because pytest
    looks for the hooks of this file only when it is already inside of a folder.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self,
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        modules = [node for node in report.result or () if isinstance(node, pytest.Module)]
        first = len(modules) * _WORKER // _WORKERS
        for module in modules[first:] + modules[:first]:
            with suppress(Exception, pytest.skip.Exception):
                _ = module.obj  # what goes wrong is reported when the module itself is collected
        return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Show the official data to the tests that are marked for it, and to no others."""
    if item.get_closest_marker("official") is None:
        os.environ["EAI_CACHE"] = os.environ[_EMPTY_CACHE]
        return
    os.environ["EAI_CACHE"] = os.environ[_OFFICIAL_CACHE]
    if not _official_data_is_here():
        pytest.skip(OFFICIAL_DATA)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Report of a passed test only its call where reports are sent from a worker.

    To send three of each takes longer than most tests. Some options need all of them.
    """
    options = item.config.option
    if _WORKERS == 1 or options.durations is not None or options.xmlpath is not None:
        return None
    log = item.ihook
    log.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            log.pytest_runtest_logreport(report=report)
    log.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@cache
def _official_data_is_here() -> bool:
    try:
        located(EAI_EVAL)
    except DataMissingError:
        return False
    return True


@pytest.fixture(scope="session")
def official_wheel() -> Path:
    """The published wheel that the official data are read from; its tests are marked so."""
    return located(EAI_EVAL)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say how many tests were skipped for which reason."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return  # a worker has a summary of its own, which nobody sees
    reasons = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", ()))
    lines = [f"{number}\t{reason}" for reason, number in sorted(reasons.items())]
    if lines:
        terminalreporter.section("skipped")
        terminalreporter.write_line("\n".join(lines).expandtabs())
    file: Path | None = config.getoption("--skips")
    if file is not None:
        with file.open("a", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in lines)


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    assert isinstance(report.longrepr, tuple)  # as pytest reports what was skipped
    return report.longrepr[2].removeprefix("Skipped: ")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays to the end: no garbage is looked for, which takes a quarter of it.

    Afterwards it is looked for seldom, as the command line does it: tests leave little behind.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(_COLLECTED_AFTER)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--thorough"):
        return
    seen: set[int] = set()
    for item in items:
        test = getattr(item, "obj", None)
        chosen = getattr(test, _KEPT, None)
        if chosen is not None and id(test) not in seen:  # a parametrized test occurs often
            seen.add(id(test))
            all_ = chosen.max_examples
            setattr(test, _KEPT, settings(chosen, max_examples=min(all_, max(5, all_ // 12))))
