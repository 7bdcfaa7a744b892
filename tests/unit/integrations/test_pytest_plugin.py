"""The plug-in for pytest: fixtures, the assertion and its message, and what it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest
from docs_pages import ROOT, blocks

import eai
from eai.errors import UnknownNameError
from eai.integrations.pytest_plugin import assert_plan_works
from eai.plugins import shipped

pytest_plugins = "pytester"

LOADED = ("-p", "eai.integrations.pytest_plugin", "-p", "no:cacheprovider")


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Only this plug-in, whether it is announced in this environment or not."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_PLUGINS", raising=False)
    return pytester


def test_a_plan_that_works_gives_its_result() -> None:
    task = eai.suite("household").task("studio-01")
    result = assert_plan_works(task, task.plans[0])
    assert result.success
    assert assert_plan_works("studio-01", "\n".join(result.plan)) == result


def test_the_message_tells_the_story() -> None:
    with pytest.raises(AssertionError) as failure:
        assert_plan_works("studio-01", ["SWITCHON(light.34)"])
    message = str(failure.value)
    assert message.startswith("the plan does not solve the task\nhousehold studio-01: ")
    assert "1 switchon(light.34)  [failed]" in message
    assert "missing_step: " in message
    assert "unmet on(light.34)" in message


def test_an_answer_that_is_no_plan_fails_and_says_why() -> None:
    with pytest.raises(AssertionError, match="parsing: "):
        assert_plan_works("studio-01", "I would rather not.")


def test_a_task_that_is_not_there_is_no_failure_of_the_plan() -> None:
    with pytest.raises(UnknownNameError, match="studio-1"):
        assert_plan_works("studio-1", "")


def test_fixtures_and_failures_in_a_run(run: pytest.Pytester) -> None:
    run.makepyfile(
        """
        from eai.integrations.pytest_plugin import assert_plan_works

        def test_suite(eai_suite):
            assert eai_suite.name == "household"

        def test_evaluate(eai_suite, eai_evaluate):
            task = eai_suite.task("studio-01")
            assert eai_evaluate(task, task.plans[0]).success
            assert not eai_evaluate("studio-01", "SWITCHON(light.34)").executable

        def test_plan(eai_suite):
            assert_plan_works("studio-01", "SWITCHON(light.34)", suite=eai_suite)
        """
    )
    result = run.runpytest_inprocess(*LOADED)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["E*AssertionError: the plan does not solve the task", "*missing_step*"]
    )
    result.stdout.no_fnmatch_line("*raise AssertionError*")


def test_the_suite_is_chosen_by_the_configuration_or_by_a_test(run: pytest.Pytester) -> None:
    run.makeini("[pytest]\neai_suite = asgardbench")
    run.makepyfile(
        """
        import pytest

        def test_configured(eai_suite):
            assert eai_suite.name == "asgardbench"

        @pytest.mark.parametrize("eai_suite", ["household"], indirect=True)
        def test_chosen(eai_suite):
            assert eai_suite.name == "household"
        """
    )
    run.runpytest_inprocess(*LOADED).assert_outcomes(passed=2)


@pytest.mark.heavy
def test_the_tests_of_the_documentation_pass(run: pytest.Pytester) -> None:
    page = ROOT / "docs" / "how-to" / "embed.md"
    files = [block for block in blocks(page) if block.order == "file"]
    for block in files:
        (run.path / block.detail).write_text(block.text, "utf-8")
    # In a process of its own: its modules may be called like some of ours.
    run.runpytest_subprocess(*LOADED).assert_outcomes(passed=len(files))
    assert len(files) == 2


def test_the_plug_in_is_announced_and_imports_nothing_until_it_is_used() -> None:
    module = shipped("pytest11")["eai"].target
    code = f"import sys, {module}; print(*sorted(m for m in sys.modules if m.startswith('eai')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = ["eai", "eai.faces", "eai.integrations", module, "eai.version"]
    assert done.stdout.split() == expected
