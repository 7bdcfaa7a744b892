"""The page of a report in a real browser: it is fast, it is usable, and nothing in it can run."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import eai
from eai.diagnosis import Condition, ErrorKind, Finding, Result
from eai.report import Record, Report, details_reader
from eai.suites.household import samples
from report_samples import SOLVED, STOPPED, record

selenium = pytest.importorskip("selenium.webdriver")
from selenium.webdriver.chrome.webdriver import WebDriver  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Chromium and its driver")

HOSTILE = (
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "\" onmouseover='window.hacked = 1' x=\"",
    "<svg/onload=window.hacked=1>",
    "<iframe srcdoc='<script>parent.hacked = 1</script>'></iframe>",
    "javascript:window.hacked=1",
    "'; window.hacked = 1; '",
    "<style>body { display: none }</style>",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[WebDriver]:
    """A browser without a window."""
    options = selenium.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--window-size=1200,900",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = selenium.ChromeService(executable_path=DRIVER)
    driver = selenium.Chrome(options=options, service=service)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def household(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the sample models on the embedded suite."""
    suite = eai.suite("household")
    report = eai.evaluate("household", samples())
    path = tmp_path_factory.mktemp("page") / "report.html"
    report.to_html(path, reader=details_reader(suite, suite.semantics("strict")))
    return path


def show(browser: WebDriver, path: Path, fragment: str = "") -> None:
    """Open a page and wait until its items are listed."""
    browser.get("about:blank")
    browser.get(path.as_uri() + fragment)
    WebDriverWait(browser, 20).until(lambda b: b.find_element(By.ID, "count").text)


def count(browser: WebDriver) -> str:
    return browser.find_element(By.ID, "count").text


def press(browser: WebDriver, keys: str) -> None:
    browser.switch_to.active_element.send_keys(keys)


def pane(browser: WebDriver) -> str:
    return browser.find_element(By.ID, "item").text


def choose(browser: WebDriver, name: str, value: str) -> None:
    browser.execute_script(
        "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('change'))",
        name,
        value,
    )


def opened(browser: WebDriver, text: str) -> None:
    WebDriverWait(browser, 10).until(lambda b: text in pane(b))


def test_items_are_listed_filtered_and_searched(browser: WebDriver, household: Path) -> None:
    show(browser, household)
    assert count(browser).endswith("of 228 items")
    choose(browser, "f-status", "")
    assert count(browser) == "228 of 228 items"
    choose(browser, "f-model", "samples_chatty")
    assert count(browser) == "76 of 228 items"
    search = browser.find_element(By.ID, "q")
    search.send_keys("wash")
    found = browser.find_elements(By.CSS_SELECTOR, ".row b")
    assert found
    assert all("wash" in row.text.lower() for row in found)
    search.clear()
    search.send_keys("there is no such item")
    assert count(browser) == "0 of 228 items"


def test_answers_are_searched_when_that_is_asked_for(browser: WebDriver, household: Path) -> None:
    show(browser, household)
    choose(browser, "f-status", "")
    browser.find_element(By.ID, "q").send_keys("```")
    assert count(browser) == "0 of 228 items"
    browser.find_element(By.ID, "f-answers").click()
    WebDriverWait(browser, 10).until(lambda b: count(b).endswith("of 228 items"))
    assert count(browser) != "0 of 228 items"


def test_a_plan_is_read_step_by_step_with_the_keyboard(browser: WebDriver, household: Path) -> None:
    show(browser, household, "#samples_chatty/flat-17")
    opened(browser, "Pack the backpack")
    told = pane(browser)
    for text in ("Plan as it was read", "What is wrong", "Not met", "Answer", "over time"):
        assert text in told
    current = browser.find_element(By.CSS_SELECTOR, "[aria-current=step]")
    assert "failed" in current.text
    browser.find_element(By.ID, "item").send_keys(Keys.ARROW_LEFT)
    assert "open(backpack.513)" in browser.find_element(By.CSS_SELECTOR, ".changes").text
    column = browser.find_elements(By.CSS_SELECTOR, ".truth .now")
    assert column
    assert column[0].text == "9"
    press(browser, "j")
    WebDriverWait(browser, 10).until(lambda b: "Pack the backpack" not in pane(b))
    assert "samples_chatty/" in browser.current_url
    press(browser, Keys.ESCAPE)
    assert browser.switch_to.active_element.get_attribute("id") == "list"
    press(browser, "/")
    assert browser.switch_to.active_element.get_attribute("id") == "q"


def test_on_a_phone_list_and_item_take_turns(browser: WebDriver, household: Path) -> None:
    phone = {"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        show(browser, household)
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= 390
        browser.find_element(By.CSS_SELECTOR, ".row").click()
        opened(browser, "Plan as it was read")
        assert not browser.find_element(By.ID, "list").is_displayed()
        browser.find_element(By.CSS_SELECTOR, ".back").click()
        assert browser.find_element(By.ID, "list").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_dark_mode_of_the_system_is_followed(browser: WebDriver, household: Path) -> None:
    def ground(scheme: str) -> str:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        return browser.find_element(By.TAG_NAME, "body").value_of_css_property("background-color")

    show(browser, household)
    assert ground("light") == "rgba(255, 255, 255, 1)"
    assert ground("dark") == "rgba(20, 24, 31, 1)"
    ground("light")


def hostile(number: int, text: str) -> Record:
    """An item that has a text everywhere."""
    result = Result(
        "evaluated",
        plan=(text,),
        executed=("failed",),
        findings=(Finding(ErrorKind.MISSING_STEP, text, 1, text, (text,)),),
        goals=(Condition("state", text, met=False),),
        formula=text,
        formula_holds=False,
        reason=text,
        notes=(text,),
    )
    return replace(record(result, task=f"{number} {text}", model="m", output=text), name=text)


def test_what_models_write_cannot_run(browser: WebDriver, tmp_path: Path) -> None:
    report = Report([hostile(*each) for each in enumerate(HOSTILE)], [*HOSTILE])
    path = tmp_path / "report.html"
    report.to_html(path)
    show(browser, path)
    rows = len(HOSTILE)
    assert count(browser) == f"{rows} of {rows} items"
    for number, text in enumerate(HOSTILE):
        browser.find_element(By.ID, f"row-{number}").click()
        opened(browser, f"{number} {text}")
        assert text in browser.find_element(By.CSS_SELECTOR, "#item pre").text
    assert browser.execute_script("return window.hacked") is None
    assert browser.find_elements(By.CSS_SELECTOR, "main img, main iframe, main svg") == []
    assert browser.find_element(By.TAG_NAME, "body").is_displayed()


def test_the_policy_stops_what_slips_in(browser: WebDriver, household: Path) -> None:
    show(browser, household)
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.hacked = 1';"
        "document.body.append(s);"
        "const i = document.createElement('img'); i.src = 'https://example.org/x.png';"
        "document.body.append(i);"
        "const trap = `<b id=trap onclick='window.hacked=1'>x</b>`;"
        "document.body.insertAdjacentHTML('beforeend', trap);"
        "document.getElementById('trap').click();"
    )
    assert browser.execute_script("return window.hacked") is None
    logged: Any = browser  # get_log has no types
    refused = " ".join(entry["message"] for entry in logged.get_log("browser"))
    assert "Content Security Policy" in refused


@pytest.mark.heavy
def test_ten_thousand_items_stay_usable(browser: WebDriver, tmp_path: Path) -> None:
    evaluated = {"solved": SOLVED, "stopped": STOPPED}
    report = Report(
        record(evaluated[model], model=model, task=f"task-{number}", output="walk " * 50)
        for model in evaluated
        for number in range(5000)
    )
    path = tmp_path / "report.html"
    report.to_html(path)
    show(browser, path)
    choose(browser, "f-status", "")
    assert count(browser) == "10,000 of 10,000 items"
    assert len(browser.find_elements(By.CLASS_NAME, "row")) < 60
    browser.execute_script("document.getElementById('list').scrollTop = 1e9")
    rows = "return document.getElementById('rows').textContent"
    WebDriverWait(browser, 5).until(lambda b: "task-4999" in b.execute_script(rows))
    browser.find_element(By.ID, "q").send_keys("task-4321 stopped")
    assert count(browser) == "1 of 10,000 items"
