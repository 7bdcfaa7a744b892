"""Answers of an agent to many prompts, as a file of predictions that grows.

Each answer is written as soon as it is there, so an interrupted collection goes on where it
stopped. What could not be asked is left out of the file, not counted as an answer.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TextIO

from eai.acting.environment import checked_answer
from eai.agents.agents import Agent
from eai.errors import InputError, ModelError, SchemaError
from eai.files import refuse_existing, writing_to
from eai.prompts import Prompt

__all__ = ["Collection", "collect_answers"]

_MOST_FAILURES = 5
"""After so many failures in a row nothing more is asked."""

Progress = Callable[[int, int], None]
"""Called with the number of answers that are there and the number of all."""


@dataclass(frozen=True, slots=True)
class Collection:
    """What came of asking.

    Args:
        asked: How many new answers are in it.
        kept: How many were there before.
        failures: Identifier of each prompt without an answer to the reason.
    """

    path: Path
    asked: int
    kept: int
    failures: Mapping[str, str] = field(default_factory=dict)


def collect_answers(
    agent: Agent,
    prompts: Iterable[Prompt],
    *,
    path: str | os.PathLike[str],
    model: str,
    workers: int = 4,
    force: bool = False,
    progress: Progress | None = None,
) -> Collection:
    """Ask an agent and write its answers as JSON Lines (``id``, ``output``, ``model``).

    Args:
        agent: Whom to ask; it is called from several threads.
        prompts: What to ask; each is one message of the user.
        path: The file. Answers of the same model to the same prompts that are in it are kept,
            and not asked for again.
        model: Name of the model, which is written with every answer.
        workers: How many prompts are asked at the same time.
        force: Whether another file there may be replaced.
        progress: Called after every answer.

    Raises:
        InputError: If the file holds answers of another model or to other prompts and ``force``
            is off; if it cannot be written; if ``workers`` is not positive; if an answer is no
            text; what the agent raises because it cannot be used at all.
        SchemaError: If the file is no file of answers.
        ModelError: If the model could not be asked several times in a row.
    """
    if workers < 1:
        raise InputError(f"{workers} workers", expected="a whole number from 1")
    waiting, target = list(prompts), Path(path)
    refuse_existing(target, force=True)
    old = target.exists() and not force
    before = _answered(target, model, waiting) if old else frozenset[str]()
    asked, failures = len(before), dict[str, str]()
    missing = [prompt for prompt in waiting if prompt.id not in before]
    with writing_to(target), target.open("w" if force else "a", encoding="utf-8") as stream:
        for prompt, answer in _answers(agent, missing, workers):
            if isinstance(answer, ModelError):
                failures[prompt.id] = answer.what
                continue
            _write(stream, prompt, answer, model)
            asked += 1
            if progress is not None:
                progress(asked, len(waiting))
    return Collection(target, asked - len(before), len(before), failures)


def _answers(
    agent: Agent, prompts: Sequence[Prompt], workers: int
) -> Iterator[tuple[Prompt, str | ModelError]]:
    """Yield answers as they come, at most a few prompts being asked at a time."""
    row = 0
    left = iter(prompts)
    with ThreadPoolExecutor(workers) as pool:
        running: dict[Future[str | ModelError], Prompt] = {}
        try:
            while True:
                for prompt in islice(left, workers - len(running)):
                    running[pool.submit(_asked, agent, prompt)] = prompt
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    answer = done.result()
                    row = row + 1 if isinstance(answer, ModelError) else 0
                    if row == _MOST_FAILURES and isinstance(answer, ModelError):
                        raise answer
                    yield running.pop(done), answer
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _asked(agent: Agent, prompt: Prompt) -> str | ModelError:
    try:
        return checked_answer(agent([{"role": "user", "content": prompt.prompt}]))
    except ModelError as error:
        return error


def _write(stream: TextIO, prompt: Prompt, answer: str, model: str) -> None:
    line = {"id": prompt.id, "output": answer, "model": model, "prompt_sha256": _mark(prompt)}
    stream.write(f"{json.dumps(line)}\n")
    stream.flush()


def _mark(prompt: Prompt) -> str:
    return hashlib.sha256(prompt.prompt.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _answered(path: Path, model: str, prompts: Sequence[Prompt]) -> frozenset[str]:
    """Identifiers of the prompts that are answered in a file; a cut last line is removed."""
    marks = {prompt.id: _mark(prompt) for prompt in prompts}
    found: set[str] = set()
    with writing_to(path), path.open("rb+") as stream:
        whole = 0
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            name, whose, mark = _read(line, f"{path}:{number}")
            if whose != model or marks.get(name, mark) != mark:
                raise InputError(
                    f"the answer to {name!r} is of the model {whose!r}"
                    + (" to another prompt" if whose == model else ""),
                    where=f"{path}:{number}",
                    expected=f"answers of {model!r} to these prompts",
                    mend="choose another file, or replace this one (force=True, --force)",
                )
            found.add(name)
        stream.truncate(whole)
    return frozenset(found & marks.keys())


def _read(line: bytes, where: str) -> tuple[str, str, str]:
    try:
        value = json.loads(line)
        return value["id"], value["model"], value["prompt_sha256"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SchemaError(
            "this line is no answer that was collected",
            where=where,
            expected='{"id", "output", "model", "prompt_sha256"}, as written before',
            mend="choose another file, or replace this one (force=True, --force)",
        ) from error
