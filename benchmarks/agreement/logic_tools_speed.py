"""Times of the library beside those of other tools: same formulas, same traces, one run."""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from logic_tools_cases import ATOMS, BASIC, Recorded, by_lists, formula as some_formula, trace
from logic_tools_client import Timing, Tool
from logic_tools_drivers import timed

from eai.logic import Formula, evaluate

__all__ = ["speed"]

NODES = (5, 20, 50, 100, 200)
STEPS = (10, 100, 1_000, 10_000, 100_000)
LARGEST = (200, 100_000)
FIT_NODES = (5, 50, 200, 800, 3_200)
FORMULAS = 3
_RECORDED_LISTS, _RECORDED_EAI = 0.395, 0.00053
"""Seconds for the largest cell, both on one machine: by lists, and by integers (the anchor)."""


@dataclass(frozen=True)
class Cell:
    """Mean times over the formulas of one size on one trace, in seconds.

    Args:
        eai: One evaluation by the library, with the histories at hand.
        lists: One evaluation by lists.
        tools: What each tool that finished all of the formulas took.
        looked: Mean number of positions that a tool looked at.
        differ: The tools that gave another verdict than the library, and how often.
    """

    eai: float
    lists: float
    tools: dict[str, float]
    looked: dict[str, float]
    differ: dict[str, int]

    @property
    def fastest(self) -> str | None:
        """The fastest of the tools that evaluate traces; LTLf2DFA makes automata and runs none."""
        rivals = {name: spent for name, spent in self.tools.items() if name != "ltlf2dfa"}
        return min(rivals, key=lambda name: rivals[name]) if rivals else None

    @property
    def ratio(self) -> float:
        """How many times longer the fastest tool takes than the library; nan if none finished."""
        return self.tools[self.fastest] / self.eai if self.fastest else math.nan


class _Race:
    """The tools, and what is known of them so far."""

    def __init__(self, tools: Sequence[Tool], seconds: float) -> None:
        self.tools = tools
        self.seconds = seconds
        self.parse: dict[tuple[str, int], float] = {}
        self.ingest: dict[tuple[str, int], float] = {}
        self.first: dict[int, float] = {}
        self._gave_up: set[tuple[str, int]] = set()

    def cell(self, formulas: Sequence[Formula], nodes: int, states: list[list[str]]) -> Cell:
        """Time one cell of the table."""
        if nodes not in self.first:
            self.first[nodes] = statistics.mean(_once(each, states) for each in formulas)
        ours, verdicts = library(formulas, states)
        cell = Cell(ours, lists(formulas, states), {}, {}, {})
        for tool in self.tools:
            if (tool.name, nodes) in self._gave_up:
                continue
            timings = self._timings(tool, formulas)
            if timings is None:
                self._gave_up.add((tool.name, nodes))
                continue
            self.parse[tool.name, nodes] = statistics.mean(t.parse for t in timings)
            self.ingest[tool.name, len(states)] = timings[-1].ingest
            cell.tools[tool.name] = statistics.mean(t.evaluate for t in timings)
            looked = [t.looked for t in timings if t.looked is not None]
            if looked:
                cell.looked[tool.name] = statistics.mean(looked)
            wrong = sum(t.verdict != v for t, v in zip(timings, verdicts, strict=True))
            if wrong:
                cell.differ[tool.name] = wrong
        return cell

    def _timings(self, tool: Tool, formulas: Sequence[Formula]) -> list[Timing] | None:
        left, found = self.seconds, []
        for formula in formulas:
            timing = tool.timing(formula, seconds=max(left, 0.01))
            if isinstance(timing, str):
                return None
            left -= timing.evaluate
            found.append(timing)
        return found


def library(formulas: Sequence[Formula], states: list[list[str]]) -> tuple[float, list[bool]]:
    """Return the mean time of an evaluation, in seconds, and the verdicts."""
    trajectory = Recorded(states)
    times, verdicts = [], []
    for formula in formulas:
        evaluate(formula, trajectory, reading="ltlf")
        verdict, _ = timed(lambda f=formula: evaluate(f, trajectory, reading="ltlf"), 600)  # type: ignore[misc]
        again = [
            timed(lambda f=formula: evaluate(f, trajectory, reading="ltlf"), 600)[1]  # type: ignore[misc]
            for _ in range(3)
        ]
        times.append(statistics.median(again))
        verdicts.append(verdict.holds)
    return statistics.mean(times), verdicts


def _once(formula: Formula, states: list[list[str]]) -> float:
    start = time.perf_counter()
    evaluate(formula, Recorded(states), reading="ltlf")
    return time.perf_counter() - start


def lists(formulas: Sequence[Formula], states: list[list[str]]) -> float:
    """Return the mean time of an evaluation by lists of truth values, in seconds."""
    histories = {name: [name in state for state in states] for name in ATOMS}
    size = len(states)
    return statistics.mean(
        timed(lambda f=formula: by_lists(f, histories, size), 600)[1]  # type: ignore[misc]
        for formula in formulas
    )


def ingest(states: list[list[str]]) -> tuple[float, float]:
    """Return the seconds that it takes to make all histories, from states and from changes."""
    sets = [frozenset(state) for state in states]
    changes: dict[str, list[int]] = {name: [] for name in ATOMS}
    for place, state in enumerate(sets):
        before = sets[place - 1] if place else frozenset()
        for name in state ^ before:
            changes[name].append(place)

    def take(given: dict[str, list[int]] | None) -> None:
        trajectory = Recorded(states if given is None else _nameless(len(states)), given)
        for name in ATOMS:
            trajectory.history(name, ())

    return timed(lambda: take(None), 600)[1], timed(lambda: take(changes), 600)[1]


def _nameless(length: int) -> list[list[str]]:
    """Return states of which nothing but the number is known."""
    return [[]] * length


def slopes(cells: dict[tuple[int, int], float], *, least: int) -> tuple[float, float, float]:
    """Fit log(time) = a + b log(nodes) + c log(steps) by least squares.

    Args:
        cells: Seconds for nodes and steps.
        least: Cells with fewer nodes times steps are left out.

    Returns:
        b, c, and the share of the variance that the fit explains.
    """
    chosen = {key: value for key, value in cells.items() if key[0] * key[1] >= least}
    rows = np.array([[1.0, math.log(nodes), math.log(steps)] for nodes, steps in chosen])
    logs = np.log(np.array(list(chosen.values())))
    found, *_ = np.linalg.lstsq(rows, logs, rcond=None)
    rest = logs - rows @ found
    explained = 1 - float(rest @ rest) / float(((logs - logs.mean()) ** 2).sum())
    return float(found[1]), float(found[2]), explained


def speed(tools: Sequence[Tool], *, seconds: float, seed: int) -> None:
    """Measure and print everything.

    Args:
        tools: The tools to compare with.
        seconds: How long a tool may take for a cell, in CPU time; it is not asked again for
            longer traces if it takes longer.
        seed: Where the random choices begin.
    """
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    formulas = {n: [some_formula(chance, n, BASIC) for _ in range(FORMULAS)] for n in NODES}
    race, cells = _Race(tools, seconds), {}
    names = [tool.name for tool in tools]
    print("evaluation, ms (mean of", FORMULAS, "formulas); -: no verdict in time")
    heads = "".join(f"{name:>10}" for name in ("eai", *names, "lists"))
    print(f"{'nodes':>5}{'steps':>8}{heads}{'ratio':>10}  verdicts that differ")
    for steps in STEPS:
        states = trace(chance, steps, "slow")
        for tool in tools:
            tool.take(states)
        for nodes in NODES:
            cell = cells[nodes, steps] = race.cell(formulas[nodes], nodes, states)
            print(_row(cell, nodes, steps, names), flush=True)
        here = [race.ingest.get((name, steps)) for name in names]
        ours = "".join(f"{spent * 1000:10.3f}" for spent in ingest(states))
        print(f"ingest {steps:6} (eai: states, changes){ours}{''.join(map(_ms, here))}", flush=True)
    _summary(cells)
    _parsing(race, names)
    _fits(chance)


def _ms(spent: float | None) -> str:
    return f"{'-':>10}" if spent is None else f"{spent * 1000:10.4g}"


def _row(cell: Cell, nodes: int, steps: int, names: Sequence[str]) -> str:
    times = [cell.eai, *(cell.tools.get(name) for name in names), cell.lists]
    return f"{nodes:5}{steps:8}{''.join(map(_ms, times))}{cell.ratio:10.2f}  {cell.differ or ''}"


def _summary(cells: dict[tuple[int, int], Cell]) -> None:
    ratios = [cell.ratio for cell in cells.values() if cell.fastest]
    print(f"fastest tool / eai: median {statistics.median(ratios):.1f}, least {min(ratios):.2f}")
    for (nodes, steps), cell in cells.items():
        if cell.fastest and cell.ratio < 1:
            print(f"  {nodes} nodes, {steps} steps: {_lead(cell, cell.fastest, steps)}")
    largest = cells[LARGEST]
    scale = largest.lists / _RECORDED_LISTS
    print(
        f"{LARGEST[0]} nodes, {LARGEST[1]} steps: eai {largest.eai * 1000:.3f} ms, lists "
        f"{largest.lists * 1000:.0f} ms; bound 2 x 0.53 ms x {scale:.2f} = "
        f"{2 * _RECORDED_EAI * scale * 1000:.3f} ms"
    )


def _lead(cell: Cell, fastest: str, steps: int) -> str:
    looked = cell.looked.get(fastest, steps)
    return (
        f"{fastest} is faster; it looked at {looked:.1f} positions on average, "
        f"{cell.tools[fastest] / looked * 1e9:.1f} ns each; eai {cell.eai / steps * 1e9:.2f} ns"
    )


def _parsing(race: _Race, names: Sequence[str]) -> None:
    print("preparing a formula, ms: eai's first evaluation of a tree, the others from text")
    for nodes in NODES:
        times = [race.first[nodes], *(race.parse.get((name, nodes)) for name in names)]
        print(f"{nodes:5}{''.join(map(_ms, times))}")


def _fits(chance: random.Random) -> None:
    formulas = {n: [some_formula(chance, n, BASIC) for _ in range(FORMULAS)] for n in FIT_NODES}
    cells = {}
    for steps in (*STEPS, 1_000_000):
        states = trace(chance, steps, "slow")
        for nodes, some in formulas.items():
            cells[nodes, steps] = library(some, states)[0]
            print(f"eai, {nodes} nodes, {steps} steps: {cells[nodes, steps] * 1000:.4f} ms")
    for least in (0, 100_000, 20_000_000):
        by_nodes, by_steps, explained = slopes(cells, least=least)
        print(
            f"eai, nodes x steps >= {least}: time ~ nodes^{by_nodes:.2f} x steps^{by_steps:.2f} "
            f"(R2 {explained:.3f})"
        )
