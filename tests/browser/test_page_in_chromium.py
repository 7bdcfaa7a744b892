"""The page of a report in a real browser: it is fast, it is usable, and nothing in it can run."""

import io
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from needs import CHROMIUM, package
from report_samples import SOLVED, STOPPED, record

import eai
from eai.diagnosis import Condition, ErrorKind, Finding, Result
from eai.report import Record, Report, details_reader
from eai.suites.household import samples

selenium = package("selenium.webdriver", extra="dev")
from selenium.webdriver.chrome.webdriver import WebDriver  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

pytestmark = CHROMIUM

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
    options.binary_location = shutil.which("chromium")
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
    service = selenium.ChromeService(executable_path=shutil.which("chromedriver"))
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
    WebDriverWait(browser, 20).until(count)


def count(browser: WebDriver) -> str:
    # As it is written: an opened item covers it.
    return browser.find_element(By.ID, "count").get_attribute("textContent") or ""


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


@pytest.mark.heavy
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


@pytest.mark.heavy
def test_an_empty_search_says_so_and_leads_back(browser: WebDriver, household: Path) -> None:
    show(browser, household)
    browser.find_element(By.ID, "q").send_keys("no such thing")
    said = browser.find_element(By.CLASS_NAME, "empty")
    assert "No item matches \u201cno such thing\u201d" in said.text
    said.find_element(By.TAG_NAME, "button").click()
    assert count(browser) == "228 of 228 items"


@pytest.mark.heavy
def test_the_leaderboard_comes_first_then_errors_then_items(
    browser: WebDriver, household: Path
) -> None:
    show(browser, household)
    heads = [each.text for each in browser.find_elements(By.CSS_SELECTOR, "main h2, main strong")]
    wanted = ["Leaderboard (%)", "Errors", "Items"]
    assert [head for head in heads if head in wanted] == wanted
    ranked = browser.find_elements(By.CSS_SELECTOR, "table:not(.errors) tbody th")[:3]
    assert [each.text for each in ranked] == [
        f"samples_{n}" for n in ("careful", "chatty", "hasty")
    ]


@pytest.mark.heavy
def test_a_bar_of_the_one_picture_of_errors_lists_its_items(
    browser: WebDriver, household: Path
) -> None:
    show(browser, household)
    [picture] = browser.find_elements(By.CSS_SELECTOR, "table.errors")
    assert len(picture.find_elements(By.CSS_SELECTOR, "tbody tr")) == 3  # all models in one
    browser.find_element(By.ID, "q").send_keys("wash")
    for kind, status in (("missing step", ""), ("solved", "solved")):
        bar = picture.find_element(
            By.CSS_SELECTOR, f"[data-model=samples_hasty][data-kind='{kind}']"
        )
        counted = bar.text
        assert bar.get_attribute("title") == f"{kind}: {counted} of 76 tasks"
        bar.click()
        assert count(browser) == f"{counted} of 228 items"
        assert browser.find_element(By.ID, "f-status").get_attribute("value") == status
        models = browser.find_elements(By.CSS_SELECTOR, ".row span")
        assert {each.text for each in models} == {"samples_hasty"}
        top, bottom = edges(browser, "#items")
        assert (round(top), round(bottom)) == (0, inner_height(browser))


def edges(browser: WebDriver, selector: str) -> tuple[float, float]:
    """Where something begins and ends in the window."""
    script = (
        "const r = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return [r.top, r.bottom]"
    )
    top, bottom = browser.execute_script(script, selector)
    return top, bottom


def inner_height(browser: WebDriver) -> int:
    return int(browser.execute_script("return window.innerHeight"))


@pytest.mark.heavy
def test_the_items_fit_on_one_screen(browser: WebDriver, household: Path) -> None:
    show(browser, household)
    browser.execute_script("document.getElementById('items').scrollIntoView()")
    for part in (".filters", "#list", "#kinds"):
        top, bottom = edges(browser, part)
        assert top >= 0
        assert bottom <= inner_height(browser)


@pytest.mark.heavy
def test_why_a_model_is_worse_than_another_is_two_choices(
    browser: WebDriver, household: Path
) -> None:
    show(browser, household)
    choose(browser, "f-model", "samples_hasty")
    choose(browser, "f-other", "samples_careful")
    assert count(browser) == "31 of 228 items"
    assert browser.find_element(By.ID, "kinds").text.startswith("Of these: ")


@pytest.mark.heavy
def test_names_do_not_break_inside_numbers(browser: WebDriver, tmp_path: Path) -> None:
    names = ("gpt-4o-2024-05-13-preview", "llama-3.1-8b-instruct-v0.1.2-2024-07-31")
    report = Report(record(SOLVED, model=name) for name in names)
    path = tmp_path / "report.html"
    report.to_html(path)
    with phone(browser):
        show(browser, path)
        numbers = browser.find_elements(By.CSS_SELECTOR, "main > div th span")
        assert {each.text for each in numbers} == {"2024-05-13", "3.1-8", "0.1.2-2024-07-31"}
        lines = "return arguments[0].getClientRects().length"
        assert {browser.execute_script(lines, each) for each in numbers} == {1}
        choose(browser, "f-status", "")
        whole = "return arguments[0].scrollWidth <= arguments[0].clientWidth"
        models = browser.find_elements(By.CSS_SELECTOR, ".row span")
        assert {each.text for each in models} == set(names)
        assert all(browser.execute_script(whole, each) for each in models)


@pytest.mark.heavy
def test_which_of_twelve_models_differ_stands_in_a_matrix(
    browser: WebDriver, tmp_path: Path
) -> None:
    results = (
        (number, task, STOPPED if task < 3 * number else SOLVED)
        for task in range(36)
        for number in range(12)
    )
    report = Report(record(of, model=f"model-{n}", task=str(task)) for n, task, of in results)
    path = tmp_path / "report.html"
    report.to_html(path)
    with phone(browser):
        show(browser, path)
        summary = browser.find_element(By.XPATH, "//summary[contains(., 'differ significantly')]")
        summary.click()
        matrix = summary.find_element(By.XPATH, "..")
        rows = matrix.find_elements(By.CSS_SELECTOR, "tbody tr")
        assert rows[0].text.split()[:4] == ["1", "model-0", "100.0", "+8"]
        assert rows[0].text.split()[-1] == "+92*"
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.heavy
def test_a_wide_table_shows_that_it_goes_on(browser: WebDriver, household: Path) -> None:
    with phone(browser):
        show(browser, household)
        table = browser.find_element(By.XPATH, "//div[@aria-label='Errors']")
        browser.execute_script("arguments[0].scrollIntoView()", table)
        before = right_edge(table.screenshot_as_png)
        browser.execute_script("arguments[0].scrollLeft = 1e6", table)
        assert min(before) < 200  # a shadow on white
        assert min(right_edge(table.screenshot_as_png)) > min(before)


def right_edge(picture: bytes) -> list[int]:
    """The brightness of a picture at its right edge, in the middle."""
    image = package("PIL.Image", extra="test").open(io.BytesIO(picture)).convert("L")
    wide, high = image.size
    middle = range(high // 3, 2 * high // 3)
    return [image.getpixel((x, y)) for x in range(wide - 8, wide) for y in middle]


@pytest.mark.heavy
def test_table_and_items_can_be_downloaded(
    browser: WebDriver, household: Path, tmp_path: Path
) -> None:
    where = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", where)
    show(browser, household)
    for name in ("table.csv", "table.tex"):
        browser.find_element(By.CSS_SELECTOR, f"a[download='{name}']").click()
    choose(browser, "f-model", "samples_hasty")
    browser.find_element(By.ID, "save").click()
    files = ("table.csv", "table.tex", "items.jsonl")
    WebDriverWait(browser, 10).until(lambda _: all((tmp_path / f).is_file() for f in files))
    rows = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert f"{len(rows)} of 228 items" == count(browser)
    assert {row["model"] for row in rows} == {"samples_hasty"}
    assert all(row["status"] == "failed" and row["output"] for row in rows)
    assert (tmp_path / "table.csv").read_text().startswith("model,suite,")
    assert r"\toprule" in (tmp_path / "table.tex").read_text()


@pytest.mark.heavy
def test_answers_are_searched_when_that_is_asked_for(browser: WebDriver, household: Path) -> None:
    show(browser, household)
    choose(browser, "f-status", "")
    browser.find_element(By.ID, "q").send_keys("```")
    assert count(browser) == "0 of 228 items"
    browser.find_element(By.ID, "f-answers").click()
    WebDriverWait(browser, 10).until(lambda b: count(b)[0] in "123456789")
    assert count(browser).endswith("of 228 items")


def focused(browser: WebDriver) -> str | None:
    """Identifier of the element that keys go to."""
    return browser.switch_to.active_element.get_attribute("id")


@pytest.mark.heavy
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
    WebDriverWait(browser, 10).until(lambda b: focused(b) == "list")
    press(browser, "/")
    WebDriverWait(browser, 10).until(lambda b: focused(b) == "q")


def fills_the_window(browser: WebDriver) -> bool:
    """Whether an opened item takes the whole window, and begins at its top."""
    script = (
        "const r = document.getElementById('item').getBoundingClientRect();"
        "return [r.left, r.top, r.width - innerWidth, r.height - innerHeight,"
        " document.getElementById('item').scrollTop]"
    )
    return bool(browser.execute_script(script) == [0, 0, 0, 0, 0])


@contextmanager
def phone(browser: WebDriver) -> Iterator[None]:
    """A small window."""
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.heavy
@pytest.mark.parametrize("size", [nullcontext, phone])
def test_an_opened_item_fills_the_window_and_is_linked(
    browser: WebDriver, household: Path, size: Callable[..., AbstractContextManager[None]]
) -> None:
    with size(browser) if size is phone else size():
        show(browser, household)
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        browser.find_element(By.CSS_SELECTOR, ".row").click()
        opened(browser, "Plan as it was read")
        assert fills_the_window(browser)
        link = browser.find_element(By.LINK_TEXT, "link to this item").get_attribute("href")
        assert link == browser.current_url
        browser.back()
        WebDriverWait(browser, 5).until(lambda b: not pane(b))
        assert link
        show(browser, household, f"#{link.partition('#')[2]}")  # as from elsewhere
        opened(browser, "Plan as it was read")
        assert fills_the_window(browser)
        browser.execute_script("location.hash = '#samples_chatty/flat-17'")  # as in the page
        opened(browser, "Pack the backpack")
        assert fills_the_window(browser)
        browser.find_element(By.CSS_SELECTOR, ".back").click()
        WebDriverWait(browser, 5).until(  # the page scrolls when the item is closed
            lambda b: 0 <= edges(b, "[aria-selected=true]")[0] < inner_height(b) - 30
        )


@pytest.mark.heavy
def test_the_page_of_1000_items_takes_less_than_a_megabyte(household: Path) -> None:
    assert household.stat().st_size * 1000 / 228 < 1_000_000


@pytest.mark.heavy
def test_a_run_of_many_abilities_has_one_first_page(browser: WebDriver, tmp_path: Path) -> None:
    answers = tmp_path / "answers" / "household"
    for ability, text in (("action_sequencing", "[]"), ("goal_interpretation", "{}")):
        (answers / ability).mkdir(parents=True)
        line = json.dumps({"id": "studio-01", "output": text})
        (answers / ability / "model.jsonl").write_text(line)
    run = tmp_path / "run"
    eai.evaluate_outputs("household", answers.parent, tasks=["studio-01"], output=run)
    browser.get((run / "report.html").as_uri())
    browser.find_element(By.LINK_TEXT, "household: action sequencing").click()
    WebDriverWait(browser, 10).until(count)
    assert browser.find_element(By.TAG_NAME, "h1").text == "household: action sequencing"
    browser.find_element(By.PARTIAL_LINK_TEXT, "all abilities").click()
    assert browser.current_url == (run / "report.html").as_uri()


@pytest.mark.heavy
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


@pytest.mark.heavy
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
        press(browser, Keys.ESCAPE)
    assert browser.execute_script("return window.hacked") is None
    assert browser.find_elements(By.CSS_SELECTOR, "main img, main iframe, main svg") == []
    assert browser.find_element(By.TAG_NAME, "body").is_displayed()


@pytest.mark.heavy
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


@pytest.mark.heavy
def test_an_item_opens_at_the_step_that_fails(browser: WebDriver, tmp_path: Path) -> None:
    suite = eai.suite("household")
    waits = ["FIND(light.34)"] * 40
    plans = {
        "cannot": [*waits, "OPEN(light.34)", "SWITCHON(light.34)"],
        "unknown": [*waits, "OPEN(moon.1)", "SWITCHON(light.34)"],
        "unmet": ["FIND(light.34)", "TOUCH(light.34)"],
        "solved": ["FIND(light.34)", "SWITCHON(light.34)"],
    }
    answers = {model: {"studio-01": "\n".join(plan)} for model, plan in plans.items()}
    report = eai.evaluate(suite, answers, tasks=["studio-01"])
    path = tmp_path / "report.html"
    report.to_html(path, reader=details_reader(suite, suite.semantics("strict")))
    numbers = {"cannot": 41, "unknown": 41, "unmet": 2, "solved": 1}
    for model, number in numbers.items():
        show(browser, path, f"#{model}/studio-01")
        opened(browser, f"{model}:")
        WebDriverWait(browser, 10).until(
            lambda b: b.find_elements(By.CSS_SELECTOR, "[aria-current=step]")
        )
        where = browser.execute_script(
            "const step = document.querySelector('[aria-current=step]');"
            "const inView = (e) => e.getBoundingClientRect().top >= 0"
            " && e.getBoundingClientRect().top < innerHeight;"
            "const said = document.querySelector('.changes h4');"
            "return [[...step.parentNode.children].indexOf(step) + 1, inView(step), inView(said)];"
        )
        assert where == [number, True, True], model
