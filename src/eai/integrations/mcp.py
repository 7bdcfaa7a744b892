"""A server of the Model Context Protocol on standard input and output: plans checked for agents.

Needs the extra ``mcp``, the official SDK, version 1 or 2. Nothing is imported or written.
"""

from __future__ import annotations

import functools
import inspect
import io
import json
import math
import re
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from eai import pddl
from eai.budget import BeyondBudgetError, Budget
from eai.errors import EaiError, InputError, MissingExtraError
from eai.logic import evaluate, format_number, parse_formula
from eai.nesting import load_json
from eai.planning import applicable, plan as search
from eai.runs import executor_of
from eai.suites.pddl import Validator
from eai.suites.pddl.plans import step_text
from eai.task import Task
from eai.version import __version__
from eai.world import Trajectory

LARGEST = 5_000_000
"""Characters of a text that is taken."""
LARGEST_FORMULA = 10_000
"""Characters of a formula that is taken."""
LARGEST_ERROR = 4_000
"""Characters of an error; what is behind them is left out."""
LONGEST = 60.0
"""Seconds that a search may take."""
LONGEST_CALL = 90.0
"""Seconds of processor time that a call may take, where the system can say so."""
MOST_LISTED = 1_000
"""Actions and facts that a reply lists; it says how many more there are."""
LARGEST_REPLY = 1_000_000
"""Characters that a reply may have."""

_Answer = tuple[str, dict[str, Any]]
"""The answer of a tool: a text for the model, and the same as data."""


class Tools:
    """Tools with which an agent asks about PDDL: texts, or paths below a folder.

    Args:
        folder: The folder; without it only texts are taken.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Resolve the folder once, so that links out of it can be told."""
        self._folder: Path | None = None
        if folder is not None:
            self._folder = folder.resolve()

    def _read_text(self, text_or_path: str) -> str:
        """Return a text, given as such or as the path of a file.

        A text with a bracket or a line break is not a path.

        Raises:
            InputError: If it is too long, or the path of a file that may not be read.
        """
        if len(text_or_path) > LARGEST:
            raise InputError(f"the text has more than {LARGEST:,} characters")
        has_bracket_or_break = "(" in text_or_path or "\n" in text_or_path
        if self._folder is None or has_bracket_or_break or not text_or_path.strip():
            return text_or_path
        # Resolved before it is compared: "..", and links that lead out of the folder, are followed.
        path = (self._folder / text_or_path).resolve()
        where = text_or_path[:200]
        if not path.is_relative_to(self._folder):
            raise InputError("the path leads out of the folder", where=where)
        if path.exists() and not path.is_file():
            raise InputError("there is no file", where=where, expected="a PDDL file")
        if path.is_file() and path.stat().st_size > LARGEST:
            raise InputError(f"the file has more than {LARGEST:,} bytes", where=where)
        return pddl.read_file(path)

    def _validator(self, domain: str, problem: str) -> Validator:
        """Return the cached validator of a problem."""
        return Validator(self._read_text(domain), self._read_text(problem))

    def check_pddl(self, domain: str, problem: str = "") -> _Answer:
        """Find mistakes in a PDDL domain, and in a problem if there is one."""
        parsed_domain, issues = pddl.read_domain(self._read_text(domain))
        error_count = sum(issue.severity == "error" for issue in issues)
        if problem.strip():
            # Actions that the problem makes impossible are looked for if the domain is sound.
            _, issues_of_problem = pddl.read_problem(
                self._read_text(problem), domain=parsed_domain, thoroughly=error_count == 0
            )
            issues += issues_of_problem
            error_count += sum(issue.severity == "error" for issue in issues_of_problem)
        text = "\n".join(issue.render() for issue in issues) or "no mistakes"
        return text, {"errors": error_count, "issues": [issue.as_record() for issue in issues]}

    def validate_plan(self, domain: str, problem: str, plan: str) -> _Answer:
        """Say whether a plan works; if not, which step fails, and why."""
        diagnosis = self._validator(domain, problem).diagnose(self._read_text(plan))
        return str(diagnosis), diagnosis.document()

    def repair_plan(self, domain: str, problem: str, plan: str) -> _Answer:
        """Find the fewest edits that make a plan work."""
        diagnosis = self._validator(domain, problem).diagnose(self._read_text(plan), repair=True)
        return str(diagnosis), diagnosis.document()

    def plan(self, domain: str, problem: str, time_limit: float = 10.0) -> _Answer:
        """Search a plan, for at most 60 seconds; or prove that there is none."""
        if not math.isfinite(time_limit) or time_limit <= 0:
            expected = "a number of seconds above 0"
            raise InputError(f"the time limit is {time_limit}", expected=expected)
        limit = min(max(time_limit, 0.1), LONGEST)
        found_plan = search(self._read_text(domain), self._read_text(problem), time_limit=limit)
        # None if no plan was found. An empty list is a plan: the goal holds at the start.
        steps = None
        if found_plan.plan is not None:
            steps = [step_text(step) for step in found_plan.plan]
        document = {
            "outcome": found_plan.outcome.value,
            "reason": found_plan.reason,
            "plan": steps,
            "cost": found_plan.cost,
        }
        return str(found_plan), document

    def applicable_actions(self, domain: str, problem: str, plan: str = "") -> _Answer:
        """List the actions that can be done, at the start or after a plan, and the state there.

        Of many actions or facts the first 1,000 are listed, and how many more there are.
        """
        _, trajectory = self._execute(domain, problem, plan)
        state = trajectory.final
        applicable_actions = applicable(trajectory.world, state, budget=Budget())
        action_texts = [step_text(action) for action in applicable_actions]
        listed_actions, more_actions = _split_listed(action_texts)
        fact_texts = sorted(pddl.format_condition(atom) for atom in state.atoms())
        for term, value in state.numeric_facts():
            fact_texts.append(f"(= {pddl.format_condition(term)} {format_number(value)})")
        listed_facts, more_facts = _split_listed(fact_texts)
        text = (
            f"applicable: {' '.join(listed_actions) or 'none'}{_count_in_words(more_actions)}\n"
            f"state: {' '.join(listed_facts)}{_count_in_words(more_facts)}"
        )
        document = {
            "actions": listed_actions,
            "state": listed_facts,
            "more_actions": more_actions,
            "more_facts": more_facts,
        }
        return text, document

    def check_formula(self, domain: str, problem: str, plan: str, formula: str) -> _Answer:
        """Say whether a formula, such as "F holding(a)", holds on the trajectory of a plan."""
        if len(formula) > LARGEST_FORMULA:
            raise InputError(f"the formula has more than {LARGEST_FORMULA:,} characters")
        task, trajectory = self._execute(domain, problem, plan)
        parsed = parse_formula(formula, vocabulary=task.logic_names())
        holds = evaluate(parsed, trajectory).holds
        verb = "holds" if holds else "does not hold"
        return f"the formula {verb}", {"holds": holds}

    def _execute(self, domain: str, problem: str, plan: str) -> tuple[Task, Trajectory]:
        """Return the task and the trajectory of a plan, by default of the empty plan.

        Raises:
            InputError: If a step of the plan cannot be done.
        """
        validator = self._validator(domain, problem)
        plan_text = self._read_text(plan).strip() or "[]"
        diagnosis = validator.diagnose(plan_text)
        execution = validator.plans.execution(validator.task, plan_text)
        if diagnosis.failed_step is not None or execution is None:
            raise InputError(f"the plan cannot be done: {diagnosis}")
        return validator.task, execution.trajectory


def _split_listed(items: list[str]) -> tuple[list[str], int]:
    """Return the first items, as many as a reply lists, and the number of the others."""
    return items[:MOST_LISTED], max(0, len(items) - MOST_LISTED)


def _count_in_words(unlisted_items: int) -> str:
    """Return words such as `` and 12 more``; empty if all items are listed."""
    if not unlisted_items:
        return ""
    return f" and {unlisted_items:,} more"


TOOLS = (
    *("check_pddl", "validate_plan", "repair_plan"),
    *("plan", "applicable_actions", "check_formula"),
)


def serve(folder: Path | None = None) -> None:
    """Answer messages on standard input until it ends.

    Args:
        folder: Where files may be read; without it only texts are taken.

    Raises:
        MissingExtraError: If the SDK is not installed.
        InputError: If there is no such folder.
    """
    if folder is not None and not folder.is_dir():
        raise InputError("there is no such folder", where=str(folder))
    server = _make_server("eai")
    with ExitStack() as stack:
        # A call that takes too much memory ends the worker's process; the server goes on.
        worker = _Worker(folder, stack)
        for name in TOOLS:
            register = server.tool(structured_output=False)
            register(_report_errors_as_results(worker.remote_tool(name), _make_result))
        with _encodable_input():
            server.run("stdio")


class _Worker:
    """Calls tools in a process of its own, where processor time and memory are limited.

    Args:
        folder: Where files may be read.
        stack: Ends the process when it is closed.
    """

    def __init__(self, folder: Path | None, stack: ExitStack) -> None:
        """Start no process yet: the first call does."""
        self._folder = folder
        self._stack = stack
        self._executor: Executor | None = None

    def remote_tool(self, name: str) -> Callable[..., _Answer]:
        """Return a function with the signature of a tool that calls it in the process."""
        method = getattr(Tools, name)

        @functools.wraps(getattr(Tools(self._folder), name))
        def call_tool(*arguments: Any, **keywords: Any) -> _Answer:  # noqa: ANN401
            bound_arguments = inspect.signature(method).bind(None, *arguments, **keywords).arguments
            del bound_arguments["self"]
            return self._call_in_process(name, bound_arguments)

        return call_tool

    def _call_in_process(self, name: str, arguments: dict[str, Any]) -> _Answer:
        """Return the answer of a tool that is called in the process.

        Raises:
            InputError: If the process ended.
        """
        if self._executor is None:
            self._executor = self._stack.enter_context(executor_of(1))
        task = (self._folder, name, arguments, LONGEST_CALL)
        try:
            return self._executor.submit(call_within_limits, *task).result()
        except BrokenExecutor as error:
            self._executor = None  # the next call gets another process
            raise InputError("the process that worked on the call was ended") from error


class _OutOfTimeError(BaseException):
    """Raised in whatever is running when the time is up; nothing on the way may catch it."""


def call_within_limits(
    folder: Path | None, name: str, arguments: dict[str, Any], longest_s: float
) -> _Answer:
    """Return the answer of a tool, in a process whose main thread does nothing else.

    Args:
        folder: Where files may be read.
        name: Name of the tool.
        arguments: Its arguments.
        longest_s: Seconds of processor time that it may take.

    Raises:
        InputError: If it takes longer, and whatever the tool raises.
    """
    tool = getattr(Tools(folder), name)
    if not hasattr(signal, "setitimer"):  # Windows
        answer: _Answer = tool(**arguments)
        return answer

    def raise_out_of_time(*_: object) -> None:
        """End the call: a signal handler, called when the time is up."""
        raise _OutOfTimeError

    previous_handler = signal.signal(signal.SIGPROF, raise_out_of_time)
    try:
        signal.setitimer(signal.ITIMER_PROF, longest_s)
        answer = tool(**arguments)
    except _OutOfTimeError:
        raise InputError(
            f"the call took more than {longest_s:g} seconds of processor time",
            mend="ask about fewer objects, or about conditions with fewer variables",
        ) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous_handler)
    return answer


class _EncodableLines(io.BufferedIOBase):
    """A stream of JSON lines in which lone surrogates are replaced.

    The SDK drops a message with an escaped half of a character (a lone surrogate) without a reply,
    and its client waits for ever.
    """

    def __init__(self, stream: BinaryIO) -> None:
        """Wrap a stream; at first no part of a line waits to be read."""
        self._stream = stream
        self._waiting = b""

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        # At most one line is returned, even if more is requested: a client may wait for the reply
        # to a message before it sends the next one.
        if not self._waiting:
            self._waiting = _replace_surrogates_in_line(self._stream.readline())
        end = size
        if size < 0:
            end = len(self._waiting)
        data = self._waiting[:end]
        self._waiting = self._waiting[end:]
        return data

    def read(self, size: int | None = -1) -> bytes:
        if size is None:
            size = -1
        return self.read1(size)


_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""Begin of an escaped half of a character: ``\\ud83d``, which is one of two halves of a picture."""


def _replace_surrogates_in_line(line: bytes) -> bytes:
    """Replace escaped lone surrogates in a line of JSON."""
    if _HALF.search(line) is None:
        return line
    try:
        message = load_json(line)
    except ValueError:
        return line
    return _replace_surrogates(json.dumps(message, ensure_ascii=False)).encode() + b"\n"


@contextmanager
def _encodable_input() -> Iterator[None]:
    """Give the SDK a standard input without lone surrogates."""
    original = sys.stdin
    lines = _EncodableLines(original.buffer)
    sys.stdin = io.TextIOWrapper(lines, encoding="utf-8", errors="replace")
    try:
        yield
    finally:
        sys.stdin = original


def _make_server(name: str) -> Any:  # noqa: ANN401
    """Return a new server of the SDK, without tools.

    Raises:
        MissingExtraError: If the SDK is not installed.
    """
    try:
        import_module("mcp.types")
    except ImportError as error:
        raise MissingExtraError("mcp", extra="mcp", purpose="eai mcp") from error
    try:
        server_class = import_module("mcp.server.mcpserver").MCPServer  # version 2
    except ImportError:
        server_class = import_module("mcp.server.fastmcp").FastMCP  # version 1
    options = {"instructions": f"eai {__version__}: PDDL plans, checked and repaired."}
    # Version 1 of the SDK takes no version of the server.
    if "version" in inspect.signature(server_class).parameters:
        options["version"] = __version__
    return server_class(name, **options)


def _make_result(text: str, content: dict[str, Any], *, is_error: bool) -> Any:  # noqa: ANN401
    """Return the SDK's result of a tool, as text for the model and as data.

    Args:
        text: The text.
        content: The data; what JSON cannot express becomes text.
        is_error: Whether the tool failed.
    """
    from mcp.types import CallToolResult, TextContent

    # Encoding and decoding ensures that the SDK only gets values that it can send.
    as_json = json.dumps(content, default=str, ensure_ascii=False)
    document = {
        "content": [TextContent(type="text", text=_replace_surrogates(text))],
        "structuredContent": json.loads(_replace_surrogates(as_json)),
        "isError": is_error,
    }
    return CallToolResult.model_validate(document)


def _replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode."""
    return text.encode(errors="replace").decode()


def _report_errors_as_results(
    tool: Callable[..., _Answer], make_result: Callable[..., Any]
) -> Callable[..., Any]:
    """Return a tool that reports errors as results and limits the size of replies.

    Args:
        tool: The tool, which returns a text and the same as data.
        make_result: Makes the result of that; see :func:`_make_result`.
    """

    def make_error(message: str) -> Any:  # noqa: ANN401
        if len(message) > LARGEST_ERROR:
            message = f"{message[:LARGEST_ERROR]} ..."
        return make_result(message, {"error": message}, is_error=True)

    @functools.wraps(tool)
    def call_tool(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
        try:
            text, content = tool(*arguments, **keywords)
        except EaiError as error:
            return make_error(str(error))
        except BeyondBudgetError as error:
            return make_error(f"the task is too large: {error}")
        except Exception as error:  # noqa: BLE001 - the server goes on, and says what happened
            return make_error(f"{type(error).__name__}: {error}")
        # What the client gets holds both, and a model would have to read all of it.
        size = len(text) + len(json.dumps(content, default=str))
        if size > LARGEST_REPLY:
            return make_error(
                f"the reply would have {size:,} of at most {LARGEST_REPLY:,} characters"
            )
        return make_result(text, content, is_error=False)

    # The SDK reads the tool's parameters, and that it returns a finished result, from its
    # signature.
    result_class = type(make_result("", {}, is_error=False))
    signature = inspect.signature(tool, eval_str=True).replace(return_annotation=result_class)
    call_tool.__signature__ = signature  # type: ignore[attr-defined]
    call_tool.__annotations__ = {**tool.__annotations__, "return": result_class}
    return call_tool
