"""Other tools for linear temporal logic on finite traces, behind one protocol.

This file runs in the Python in which a tool is installed, as
``PYTHON logic_tools_drivers.py TOOL``, and imports nothing else of this project. It reads one JSON
object a line and answers each with one:

- ``{"trace": [["p0"], [], ...]}``: the true propositions at each position, for what follows;
- ``{"text": ..., "past": false, "seconds": 2, "time": false}``: evaluate a formula. The answer has
  ``verdicts``, one at each position (``null`` if the tool ran out of time), or ``error``. With
  ``time``, it has ``parse``, ``ingest`` and ``evaluate`` instead, in seconds of CPU time, the
  ``verdict`` at the first position (pure past: the last), and if the tool can tell, how many
  positions it ``looked`` at.
"""

from __future__ import annotations

import importlib
import json
import logging
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

__all__ = ["DRIVERS", "Driver", "main"]

Trace = Sequence[Sequence[str]]
T = TypeVar("T")
ATOMS = ("p0", "p1", "p2", "p3", "p4")
_AT_LEAST = 0.02


def _module(name: str) -> Any:  # noqa: ANN401 - a tool's module
    return importlib.import_module(name)


class Driver:
    """One tool: how it reads a formula, takes in a trace and evaluates."""

    def parse(self, text: str, past: bool) -> Any:  # noqa: ANN401 - the tool's own
        """Read a formula."""
        raise NotImplementedError

    def ingest(self, trace: Trace) -> Any:  # noqa: ANN401 - the tool's own
        """Turn a trace into what the tool wants."""
        raise NotImplementedError

    def verdict(self, formula: Any, data: Any) -> bool:  # noqa: ANN401 - the tool's own
        """Evaluate where the formula is meant to be evaluated, as the tool does it best."""
        raise NotImplementedError

    def verdicts(self, formula: Any, data: Any) -> list[bool]:  # noqa: ANN401 - the tool's own
        """Evaluate at every position."""
        raise NotImplementedError

    def looked(self, formula: Any, data: Any) -> int | None:  # noqa: ANN401 - the tool's own
        """How many positions the verdict took, if that can be told."""
        del formula, data
        return None


class _Watched(list[Any]):
    """A list that remembers the highest index that was asked for."""

    highest = -1

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 - as of a list
        self.highest = max(self.highest, index)
        return super().__getitem__(index)


class Flloat(Driver):
    """flloat: it recurses over the formula and short-circuits."""

    def __init__(self) -> None:
        self._parser = _module("flloat.parser.ltlf").LTLfParser()

    def parse(self, text: str, past: bool) -> Any:  # noqa: ANN401 - the tool's own
        """Read a formula without past."""
        assert not past  # noqa: S101 - flloat has no past
        return self._parser(text)

    def ingest(self, trace: Trace) -> list[dict[str, bool]]:
        """Make a mapping of every position."""
        return [{name: name in step for name in ATOMS} for step in map(frozenset, trace)]

    def verdict(self, formula: Any, data: Any) -> bool:  # noqa: ANN401 - the tool's own
        """Evaluate at the first position."""
        return bool(formula.truth(data, 0))

    def verdicts(self, formula: Any, data: Any) -> list[bool]:  # noqa: ANN401 - the tool's own
        """Evaluate at every position."""
        return [bool(formula.truth(data, place)) for place in range(len(data))]

    def looked(self, formula: Any, data: Any) -> int:  # noqa: ANN401 - the tool's own
        """Up to where the trace was read."""
        watched = _Watched(data)
        formula.truth(watched, 0)
        return watched.highest + 1


class Ltlf2dfa(Driver):
    """LTLf2DFA with MONA: a formula becomes an automaton, which is run on the trace."""

    def __init__(self) -> None:
        self._ltlf = _module("ltlf2dfa.parser.ltlf").LTLfParser()
        self._past = _module("ltlf2dfa.parser.ppltl").PPLTLParser()
        self._tool: Any = _module("ltlf2dfa.ltlf2dfa")
        # Its own folder is where it puts its programs, and two processes would share one.
        self._tool.PACKAGE_DIR = tempfile.mkdtemp()
        self._known: dict[tuple[str, bool], Any] = {}

    def parse(self, text: str, past: bool) -> Any:  # noqa: ANN401 - the automaton
        """Read and translate a formula; the tool gives up after 30 s of its own."""
        output = self._tool.to_dfa((self._past if past else self._ltlf)(text), mona_dfa_out=True)
        if not output:
            raise TimeoutError
        return (*_automaton(output), past)

    def ingest(self, trace: Trace) -> list[tuple[bool, ...]]:
        """Make a letter of every position."""
        return [tuple(name in step for name in ATOMS) for step in map(frozenset, trace)]

    def verdict(self, formula: Any, data: Any) -> bool:  # noqa: ANN401 - the automaton
        """Run over the whole trace."""
        state = _start(formula)
        step = _stepper(formula)
        for letter in data:
            state = step(state, letter)
        return state in formula[2]

    def verdicts(self, formula: Any, data: Any) -> list[bool]:  # noqa: ANN401 - the automaton
        """Run over every suffix; over every prefix for a formula about the past."""
        if not formula[3]:
            return [self.verdict(formula, data[place:]) for place in range(len(data))]
        return [self.verdict(formula, data[: place + 1]) for place in range(len(data))]


def _automaton(output: str) -> tuple[list[int], dict[int, list[tuple[str, int]]], set[int]]:
    """Read the columns' propositions, the transitions and the accepting states."""
    columns: list[int] = []
    moves: dict[int, list[tuple[str, int]]] = {}
    accepting: set[int] = set()
    for line in output.splitlines():
        name, _, rest = line.partition(":")
        if name == "DFA for formula with free variables":
            columns = [ATOMS.index(each.lower()) for each in rest.split()]
        elif name == "Accepting states":
            accepting = {int(each) for each in rest.split()}
        elif name.startswith("State ") and "->" in rest:
            guard, _, target = rest.partition("->")
            moves.setdefault(int(name[6:]), []).append((guard.strip(), int(target.split()[-1])))
    return columns, moves, accepting


def _start(formula: Any) -> int:  # noqa: ANN401 - the automaton
    """The state before the first position: MONA spends one step on what is not in the trace."""
    return int(formula[1][0][0][1])


def _stepper(formula: Any) -> Callable[[int, tuple[bool, ...]], int]:  # noqa: ANN401 - the same
    columns, moves = formula[0], formula[1]
    known: dict[tuple[int, tuple[bool, ...]], int] = {}

    def step(state: int, letter: tuple[bool, ...]) -> int:
        found = known.get((state, letter))
        if found is None:
            wanted = "".join("01"[letter[column]] for column in columns)
            found = known[state, letter] = next(
                t for guard, t in moves[state] if _fits(guard, wanted)
            )
        return found

    return step


def _fits(guard: str, wanted: str) -> bool:
    return all(g in ("X", w) for g, w in zip(guard, wanted, strict=True))


class Rtamt(Driver):
    """rtamt: robustness of signals, here +1 and -1, at every position at once."""

    def __init__(self) -> None:
        logging.disable(logging.WARNING)
        self._tool: Any = _module("rtamt")

    def parse(self, text: str, past: bool) -> Any:  # noqa: ANN401 - the tool's own
        """Read a formula."""
        spec = self._tool.StlDiscreteTimeSpecification()
        for name in (*ATOMS, "out"):
            spec.declare_var(name, "float")
        spec.spec = f"out = {text}"
        spec.parse()
        return spec, past

    def ingest(self, trace: Trace) -> dict[str, list[float]]:
        """Make a signal of every proposition."""
        steps = [frozenset(step) for step in trace]
        data: dict[str, list[float]] = {"time": list(range(len(steps)))}
        for name in ATOMS:
            data[name] = [1.0 if name in step else -1.0 for step in steps]
        return data

    def verdict(self, formula: Any, data: Any) -> bool:  # noqa: ANN401 - the tool's own
        """Take the sign at the first position, at the last for a formula about the past."""
        spec, past = formula
        return bool(spec.evaluate(data)[-1 if past else 0][1] > 0)

    def verdicts(self, formula: Any, data: Any) -> list[bool]:  # noqa: ANN401 - the tool's own
        """Take the signs."""
        return [bool(value > 0) for _, value in formula[0].evaluate(data)]


class Mtl(Driver):
    """metric-temporal-logic: signals that keep their last value for ever."""

    def __init__(self) -> None:
        self._tool: Any = _module("mtl")

    def parse(self, text: str, past: bool) -> Any:  # noqa: ANN401 - the tool's own
        """Read a formula without past."""
        assert not past  # noqa: S101 - it has no past
        return self._tool.parse(text)

    def ingest(self, trace: Trace) -> dict[str, list[tuple[int, bool]]]:
        """Make a list of moments of every proposition."""
        steps = [frozenset(step) for step in trace]
        return {name: [(i, name in step) for i, step in enumerate(steps)] for name in ATOMS}

    def verdict(self, formula: Any, data: Any) -> bool:  # noqa: ANN401 - the tool's own
        """Evaluate at the first moment."""
        return bool(formula(data, quantitative=False, dt=1, time=0))

    def verdicts(self, formula: Any, data: Any) -> list[bool]:  # noqa: ANN401 - the tool's own
        """Evaluate at every moment."""
        size = len(data[ATOMS[0]])
        return [bool(formula(data, quantitative=False, dt=1, time=i)) for i in range(size)]


DRIVERS: dict[str, type[Driver]] = {
    "flloat": Flloat,
    "ltlf2dfa": Ltlf2dfa,
    "rtamt": Rtamt,
    "mtl": Mtl,
}


def _out_of_time(*_: object) -> None:
    raise TimeoutError


def limited(work: Callable[[], T], seconds: float) -> T:
    """Do something for at most so many seconds of CPU time.

    Raises:
        TimeoutError: If it takes longer.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def timed(work: Callable[[], T], seconds: float) -> tuple[T, float]:
    """Do something again and again until that can be measured; return the mean CPU time.

    Raises:
        TimeoutError: If doing it once takes longer than ``seconds``.
    """
    start = time.process_time()
    result = limited(work, seconds)
    calls, spent = 1, time.process_time() - start
    if spent >= _AT_LEAST:
        return result, spent
    start, calls, spent = time.process_time(), 0, 0.0
    while spent < _AT_LEAST:
        work()
        calls += 1
        spent = time.process_time() - start
    return result, spent / calls


class _Session:
    """Keeps the trace, what a tool made of it, and the formulas that were read."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._trace: Trace = ()
        self._data: Any = None
        self._ingest = 0.0
        self._formulas: dict[tuple[str, bool], tuple[Any, float]] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer one request."""
        if "trace" in request:
            self._trace, self._data = request["trace"], None
            return {}
        seconds = request["seconds"]
        formula, parse = self._formula(request["text"], request["past"], seconds)
        if self._data is None:
            self._data, self._ingest = timed(lambda: self._driver.ingest(self._trace), seconds)
        if not request["time"]:
            evaluate = self._driver.verdicts
            return {"verdicts": limited(lambda: evaluate(formula, self._data), seconds)}
        verdict, spent = timed(lambda: self._driver.verdict(formula, self._data), seconds)
        looked = self._driver.looked(formula, self._data)
        times = {"parse": parse, "ingest": self._ingest, "evaluate": spent}
        return {"verdict": verdict, "looked": looked, **times}

    def _formula(self, text: str, past: bool, seconds: float) -> tuple[Any, float]:
        key = (text, past)
        if key not in self._formulas:
            # Wall time, as one of the tools does its work in a process of its own.
            start = time.perf_counter()
            formula = limited(lambda: self._driver.parse(text, past), seconds)
            self._formulas[key] = formula, time.perf_counter() - start
        return self._formulas[key]


def answers(session: _Session, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Answer one request after the other."""
    for line in lines:
        try:
            yield session.answer(json.loads(line))
        except TimeoutError:  # noqa: PERF203 - each request by itself
            yield {"verdicts": None}
        except Exception as error:  # noqa: BLE001 - whatever a tool raises is its answer
            yield {"error": f"{type(error).__name__}: {error}"[:300]}


def main() -> None:
    """Serve the tool that the command line names until the input ends."""
    sys.setrecursionlimit(20_000)
    signal.signal(signal.SIGPROF, _out_of_time)
    session = _Session(DRIVERS[sys.argv[1]]())
    for answer in answers(session, iter(sys.stdin)):
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
