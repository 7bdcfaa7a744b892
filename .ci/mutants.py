"""Change the code at random places and see whether the tests notice.

Run as ``mutants.py SEED COUNT LIMIT WORK``: COUNT places are drawn with SEED, the same number in
each room, and no new mutant is begun after LIMIT minutes. WORK is a folder for copies of this
clone; the outcome of each mutant is added to ``mutants.jsonl`` in it.

The mutants are made by cosmic-ray. Its own ``cosmic-ray exec`` runs one command for all mutants,
which would take a minute for each, and it draws no sample. So the running is done here:

1. All tests but the heavy ones run once, folder by folder, and coverage.py notes which lines of the
   mutated modules each test executes.
2. For a mutant only the tests that execute its statement run, those of its room and the fastest
   first, until one fails. If none does, those of its room that execute anything else of the module
   follow; where no test executes the statement, as it is executed when the module is loaded, all
   tests that execute anything else of the module do.
3. Each mutant has a process of its own, forked from one that has loaded the third-party packages.
   It has limits of time and memory: an endless loop counts as noticed.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from difflib import unified_diff
from functools import partial
from pathlib import Path

import parso
import pytest
from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator
from hypothesis import Phase, settings

ROOMS = ("logic", "world", "diagnosis", "abilities", "planning", "rewards", "report")
"""The packages in which places are drawn."""

EQUIVALENT = Path(__file__).with_name("equivalent-mutants.txt")
"""Mutants that no test can notice, with the reason."""

WANTED = 0.95
"""So many of the mutants that are not equivalent must be noticed."""

FIRST_TESTS = 40
FIRST_SECONDS = 3.0
"""Most mutants are noticed by one of the fastest tests; only if not, the others are loaded."""

ALL_SECONDS = 40.0
"""Slow tests beyond this sum are not tried: the mutant counts as one that survived."""

LOADED = "jinja2 lark networkx numpy pydantic rich.console scipy.stats typer".split()  # noqa: SIM905
"""Packages that are loaded once, before the first fork: that takes longer than most mutants."""

MEMORY = 3 << 30
"""A process may use so many bytes."""

COMPARISONS = """Eq_NotEq NotEq_Eq Lt_LtE Lt_GtE LtE_Lt LtE_Gt Gt_GtE Gt_LtE GtE_Gt GtE_Lt Is_IsNot
IsNot_Is"""
CALCULATIONS = """Add_Sub Sub_Add Mul_Add Mul_FloorDiv Div_Mul FloorDiv_Mul Mod_FloorDiv Pow_Mul
BitOr_BitAnd BitAnd_BitOr BitXor_BitOr LShift_RShift RShift_LShift"""
WORDS = """ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr ReplaceOrWithAnd
ReplaceBreakWithContinue ReplaceContinueWithBreak"""

OPERATORS = (
    ("comparison", "core/ReplaceComparisonOperator_", COMPARISONS),
    ("operator", "core/ReplaceBinaryOperator_", CALCULATIONS),
    ("not_test factor", "core/ReplaceUnaryOperator_", "Delete_Not USub_UAdd"),
    ("keyword", "core/", WORDS),
    ("number", "core/", "NumberReplacer"),
    ("if_stmt while_stmt assert_stmt test", "core/", "AddNot"),
    ("for_stmt", "core/", "ZeroIterationForLoop"),
    ("except_clause", "core/", "ExceptionReplacer"),
)
"""The operators of cosmic-ray that are used: types of the nodes that they change, prefix, names.

Others make mutants that always crash (``is`` to ``<=``) or that are mostly equivalent (``is`` to
``==``).
"""


class SwapBuiltin(Operator):
    """Swap ``any`` with ``all`` and ``min`` with ``max``: cosmic-ray has no such operator."""

    swapped = {"any": "all", "all": "any", "min": "max", "max": "min"}  # noqa: RUF012

    def mutation_positions(self, node: parso.tree.NodeOrLeaf) -> Iterator[tuple[object, object]]:
        """Yield the names of calls."""
        is_name = node.type == "name" and node.value in self.swapped
        following = node.get_next_leaf() if is_name else None
        preceding = node.get_previous_leaf() if is_name else None
        is_method = preceding is not None and preceding.value == "."
        if following is not None and following.value == "(" and not is_method:
            yield node.start_pos, node.end_pos

    def mutate(self, node: parso.tree.NodeOrLeaf, index: int) -> parso.tree.NodeOrLeaf:  # noqa: ARG002
        """Write the other name."""
        node.value = self.swapped[node.value]
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        """Return none."""
        return ()


class NegateFilter(Operator):
    """Negate the condition of a comprehension, as ``AddNot`` does with that of an ``if``."""

    def mutation_positions(self, node: parso.tree.NodeOrLeaf) -> Iterator[tuple[object, object]]:
        """Yield the conditions."""
        if node.type == "comp_if":
            yield node.children[1].start_pos, node.children[1].end_pos

    def mutate(self, node: parso.tree.NodeOrLeaf, index: int) -> parso.tree.NodeOrLeaf:  # noqa: ARG002
        """Put a ``not`` before the condition."""
        node.children[1] = parso.parse(f" not ({node.children[1].get_code().strip()})")
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        """Return none."""
        return ()


def operators() -> dict[str, dict[str, Operator]]:
    """Return the operators by the type of the node that they change, and by name."""
    found: dict[str, dict[str, Operator]] = {
        "name": {"SwapBuiltin": SwapBuiltin()},
        "comp_if": {"NegateFilter": NegateFilter()},
    }
    for types, prefix, names in OPERATORS:
        chosen = {name: get_operator(prefix + name)() for name in names.split()}
        found |= dict.fromkeys(types.split(), chosen)
    return found


@dataclass
class Mutant:
    """A change at one place, and what became of it."""

    room: str
    path: str
    line: int
    operator: str
    before: list[str]
    after: list[str]
    source: str = field(repr=False)
    outcome: str = ""
    killed_by: str = ""
    tests: int = 0
    cpu_s: float = 0.0

    def key(self) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """Return the changed lines, which stay the same when others are added above them."""
        return self.path, tuple(self.before), tuple(self.after)


class Positions(Visitor):
    """Every occurrence of every operator in a module."""

    def __init__(self) -> None:
        self.operators = operators()
        self.number: Counter[str] = Counter()
        self.found: dict[tuple[object, object], list[tuple[str, int]]] = {}

    def visit(self, node: parso.tree.NodeOrLeaf) -> parso.tree.NodeOrLeaf:
        """Note the places in a node, and go on."""
        for name, operator in self.operators.get(node.type, {}).items():
            for place in operator.mutation_positions(node):
                self.found.setdefault(place, []).append((name, self.number[name]))
                self.number[name] += 1
        return node


def is_left_out(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a node in which no mutant is made, because no test can notice one.

    Annotations are never evaluated; decorators say how a class is stored (``slots``, ``frozen``)
    and what is cached; ``strict`` of a ``zip`` asserts what holds.
    """
    if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
        return [node.annotation]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return [*node.decorator_list, *([node.returns] if node.returns else [])]
    if isinstance(node, ast.ClassDef):
        return list(node.decorator_list)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip":
        return [keyword.value for keyword in node.keywords]
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name):
        return [node.test] if node.test.id == "TYPE_CHECKING" else []
    return []


def limits(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the large numbers of constants: limits of effort, of which one more is as good."""
    for statement in tree.body:
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        if not all(isinstance(name, ast.Name) and name.id.isupper() for name in targets):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value >= 50:
                yield node


def places_of(source: str) -> list[list[tuple[str, int, int]]]:
    """Return for each place the operators that change it, with the occurrence and the line."""
    positions = Positions()
    positions.walk(get_ast(source))
    tree = ast.parse(source)
    left_out = [part for node in ast.walk(tree) for part in is_left_out(node)]
    excluded = [
        ((part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset))
        for part in (*left_out, *limits(tree))
    ]
    return [
        [(operator, occurrence, place[0][0]) for operator, occurrence in found]
        for place, found in sorted(positions.found.items())
        if not any(start <= place[0] < end for start, end in excluded)
    ]


def draw(seed: int, count: int, folder: Path) -> list[Mutant]:
    """Return mutants in an order of which any beginning has about as many from each room."""
    by_name = {name: one for several in operators().values() for name, one in several.items()}
    drawn: list[list[Mutant]] = []
    for number, room in enumerate(ROOMS):
        generator = random.Random(f"{seed} {room}")  # noqa: S311 - nothing is kept secret
        places = [
            (str(file.relative_to(folder)), file.read_text("utf-8"), place)
            for file in sorted((folder / "src/eai" / room).rglob("*.py"))
            for place in places_of(file.read_text("utf-8"))
        ]
        wanted = count // len(ROOMS) + (number < count % len(ROOMS))
        mutants: list[Mutant] = []
        generator.shuffle(places)
        for path, source, place in places:
            if len(mutants) == wanted:
                break
            operator, occurrence, line = generator.choice(place)
            try:
                mutated = mutate_code(source, by_name[operator], occurrence)
            except AttributeError:
                continue  # the operator takes no exception with a dotted name: "except zlib.error"
            if not is_python(mutated):  # "not" before an assignment expression
                continue
            before, after = changed_lines(source, mutated)
            mutants.append(Mutant(room, path, line, operator, before, after, mutated))
        drawn.append(mutants)
    return [
        mutants[position]
        for position in range(max(map(len, drawn)))
        for mutants in drawn
        if position < len(mutants)
    ]


def is_python(source: str) -> bool:
    """Return whether a text can be compiled."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """Return the lines that differ, without the spaces around them."""
    difference = list(unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))[2:]
    removed = [line[1:].strip() for line in difference if line.startswith("-")]
    added = [" ".join(line[1:].split()) for line in difference if line.startswith("+")]
    return removed, added


def equivalents() -> dict[tuple[str, tuple[str, ...], tuple[str, ...]], str]:
    """Return the reasons why mutants are equivalent, by :meth:`Mutant.key`."""
    reasons = {}
    for block in re.split(r"\n\s*\n", EQUIVALENT.read_text("utf-8")):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        before = tuple(line[2:] for line in lines if line.startswith("- "))
        after = tuple(line[2:] for line in lines if line.startswith("+ "))
        reason = [line for line in lines[1:] if not line.startswith(("- ", "+ "))]
        reasons[lines[0], before, after] = " ".join(reason)
    return reasons


def stale_equivalents(folder: Path) -> list[str]:
    """Return the entries of the list whose lines are not in the code any more."""
    stale = []
    for path, before, _ in equivalents():
        file = folder / path
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        if not {line.strip() for line in lines}.issuperset(before):
            stale.append(f"{path}: {before[0]}")
    return stale


# ---- the tests of a room, and what each executes

KEPT = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps the settings of a test."""


class Selected:
    """Plugin for pytest: run the given tests in the given order; note the first that fails."""

    def __init__(self, wanted: list[str] | None = None, coverage: object = None) -> None:
        self.order = None if wanted is None else {name: at for at, name in enumerate(wanted)}
        self.coverage = coverage
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose, and keep Hypothesis from making a failing example smaller."""
        if self.order is not None:
            items[:] = [item for item in items if item.nodeid in self.order]
            items.sort(key=lambda item: self.order[item.nodeid])
        for item in items:
            test = getattr(item, "obj", None)
            test = getattr(test, "__func__", test)
            current = getattr(test, KEPT, None)
            if current is not None:
                quick = settings(current, phases=(Phase.explicit, Phase.generate), database=None)
                setattr(test, KEPT, quick)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note the lines and the time of a test."""
        if self.coverage is not None:
            self.coverage.switch_context(item.nodeid)
        began = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.process_time() - began

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a module that cannot be loaded."""
        if report.failed:
            self.failed.append("collection")


def parts_of_tests() -> dict[str, list[str]]:
    """Return folders and files of tests by the name of the part that they make."""
    unit = Path("tests/unit")
    parts = {
        folder.name: [str(folder)]
        for folder in sorted(unit.iterdir())
        if folder.is_dir() and any(folder.glob("test_*.py"))
    }
    parts["loose"] = [str(file) for file in sorted(unit.glob("test_*.py"))]
    for name in ("property", "conformance", "golden", "cli", "smoke"):
        parts[f"tests-{name}"] = [f"tests/{name}"]
    return parts


OPTIONS = ["-n0", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--tb=no"]
OPTIONS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what is loaded before the fork


def record(files: list[str], modules: list[str], result: Path) -> int:
    """Run tests, and write which of them execute which lines of the given modules."""
    import coverage

    tracer = coverage.Coverage(data_file=None, include=modules, config_file=False, messages=False)
    tracer.start()
    plugin = Selected(coverage=tracer)
    pytest.main([*OPTIONS, *files], plugins=[plugin])
    tracer.stop()
    data = tracer.get_data()
    lines = {
        str(Path(file).relative_to(Path.cwd())): {
            line: sorted(set(contexts) - {"", *plugin.failed})
            for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    for name in plugin.failed:
        print(f"fails without a mutant: {name}")
        plugin.seconds.pop(name, None)
    result.write_text(json.dumps({"seconds": plugin.seconds, "lines": lines}))
    return 0


def statement_lines(source: str, line: int) -> range:
    """Return the lines of the innermost statement around a line; of a block only its head."""
    best = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt):
            continue
        end = node.end_lineno or node.lineno
        body = getattr(node, "body", None)
        if body:
            end = max(node.lineno, body[0].lineno - 1)
        if node.lineno <= line <= end and not isinstance(node, ast.FunctionDef | ast.ClassDef):
            best = range(node.lineno, end + 1)
    return best


@dataclass
class Recorded:
    """Which tests execute which lines of the mutated modules, and how long each takes."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def add(self, part: dict[str, dict]) -> None:
        """Add what was recorded of a part of the tests."""
        self.seconds |= part["seconds"]
        for path, lines in part["lines"].items():
            known = self.lines.setdefault(path, {})
            for line, tests in lines.items():
                known.setdefault(line, []).extend(tests)

    def of_room(self, room: str) -> set[str]:
        """Return the unit tests of a package."""
        return {test for test in self.seconds if test.startswith(f"tests/unit/{room}/")}


def batches(mutant: Mutant, recorded: Recorded, folder: Path) -> list[list[str]]:
    """Return the tests to run; a batch is loaded when all tests of the one before have passed."""
    lines = recorded.lines.get(mutant.path, {})
    seconds = recorded.seconds
    of_room = recorded.of_room(mutant.room)
    original = (folder / mutant.path).read_text("utf-8")
    direct = {
        test for line in statement_lines(original, mutant.line) for test in lines.get(str(line), ())
    }
    of_module = {test for tests in lines.values() for test in tests}
    if direct:
        rest = of_module & of_room - direct
    else:
        rest = of_module or of_room
    ordered = sorted(direct, key=lambda test: (test not in of_room, seconds[test]))
    ordered += sorted(rest, key=lambda test: (test not in of_room, seconds[test]))
    first: list[str] = []
    others: list[str] = []
    total = 0.0
    for test in ordered:
        total += seconds[test]
        if total <= FIRST_SECONDS and len(first) < FIRST_TESTS:
            first.append(test)
        elif total <= ALL_SECONDS or not first:
            others.append(test)
    return [batch for batch in (first, others) if batch]


# ---- processes


@dataclass
class Process:
    """A forked process, and until when it may run."""

    slot: int
    until: float
    result: Path
    mutant: Mutant | None = None
    waiting: list[list[str]] = field(default_factory=list)


def fork(slot: Path, cpu_s: float, action: object) -> int:
    """Run a function in a new process with limits, inside a copy of the clone."""
    process = os.fork()
    if process:
        return process
    status = 70
    try:
        os.setsid()
        os.chdir(slot)
        out = os.open(slot.parent / f"{slot.name}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s), int(cpu_s) + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.environ["PYTHONPATH"] = f"{slot}/src"
        os.environ["TMPDIR"] = str(slot.parent / "tmp")
        sys.path[:0] = [f"{slot}/src", f"{slot}/tests", f"{slot}/tests/support"]
        sys.argv = ["pytest"]
        status = action()
    except BaseException:  # noqa: BLE001 - whatever it is ends this process
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)


def run_tests(tests: list[str], result: Path) -> int:
    """Run tests in the order of their duration, and write which one failed."""
    plugin = Selected(tests)
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    status = pytest.main([*OPTIONS, "-x", *files], plugins=[plugin])
    failed = next(iter(plugin.failed), "")
    result.write_text(json.dumps({"failed": failed, "tests": len(plugin.seconds)}))
    return int(status)


class Runner:
    """Copies of the clone, in each of which one process at a time runs."""

    def __init__(self, folder: Path, work: Path, number: int) -> None:
        self.folder = folder
        self.work = work
        self.slots = [work / f"copy-{at}" for at in range(number)]
        self.free = list(range(number))
        self.running: dict[int, Process] = {}
        (work / "tmp").mkdir(parents=True, exist_ok=True)

    def copy(self) -> None:
        """Make the copies anew; compiled modules are copied, too."""
        for slot in self.slots:
            shutil.rmtree(slot, ignore_errors=True)
            ignored = shutil.ignore_patterns(".git", ".venv*", ".*_cache", ".hypothesis")
            shutil.copytree(self.folder, slot, ignore=ignored, symlinks=True)

    def wait(self) -> tuple[Process, int, float]:
        """Wait until a process ends, or end it; return its exit status and its processor time."""
        while True:
            process, status, usage = os.wait4(-1, os.WNOHANG)
            if process in self.running:
                break
            for number, running in self.running.items():
                if time.monotonic() > running.until:
                    os.killpg(number, signal.SIGKILL)
            time.sleep(0.02)
        ended = self.running.pop(process)
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)  # whatever it has started
        self.free.append(ended.slot)
        return ended, os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime

    def start(self, process: Process, cpu_s: float, action: object) -> None:
        """Start a process in a free copy."""
        process.slot = self.free.pop()
        if process.mutant is not None:
            process.result = self.slots[process.slot].with_suffix(".json")
        process.result.unlink(missing_ok=True)
        process.until = time.monotonic() + 10 * cpu_s + 60
        slot = self.slots[process.slot]
        if process.mutant is not None:
            put_mutant(slot, process.mutant)
        number = fork(slot, cpu_s, partial(action, process.result))
        self.running[number] = process


def put_mutant(slot: Path, mutant: Mutant) -> None:
    """Write a mutant with a time of its own, so that no other compiled code is taken for it.

    Python knows compiled code by the time and the size of its file, and most mutants of a file
    have one of a few sizes: so the text decides the time, below the 32 bits that are compared.
    """
    file = slot / mutant.path
    stat = file.stat()
    file.with_suffix(".original").write_bytes(file.read_bytes())
    os.utime(file.with_suffix(".original"), ns=(stat.st_atime_ns, stat.st_mtime_ns))
    file.write_text(mutant.source, "utf-8")
    later_s = 1000 + zlib.crc32(mutant.source.encode()) % 10**9
    os.utime(file, (stat.st_atime, stat.st_mtime + later_s))


def remove_mutant(slot: Path, mutant: Mutant) -> None:
    """Put the original back, with its time."""
    file = slot / mutant.path
    file.with_suffix(".original").replace(file)


def record_all(runner: Runner, mutants: list[Mutant]) -> Recorded:
    """Return which tests execute which lines of the mutated modules."""
    parts = parts_of_tests()
    modules = sorted({mutant.path for mutant in mutants})
    waiting = sorted(parts)
    while waiting or runner.running:
        while waiting and runner.free:
            name = waiting.pop(0)
            action = partial(record, parts[name], modules)
            runner.start(Process(0, 0, runner.work / f"{name}.json"), 3000, action)
        ended, status, _ = runner.wait()
        log = runner.slots[ended.slot].with_suffix(".log").read_text()
        if status != 0:
            sys.exit(f"the tests do not run without a mutant:\n{log[-2000:]}")
        for line in re.findall("^fails without a mutant: .*", log, re.MULTILINE):
            print(line)
    recorded = Recorded()
    for name in parts:
        recorded.add(json.loads((runner.work / f"{name}.json").read_text()))
    return recorded


def run_mutants(
    runner: Runner, mutants: list[Mutant], recorded: Recorded, limit_s: float
) -> list[Mutant]:
    """Run the tests on each mutant; return those that were finished in time."""
    until = time.monotonic() + limit_s
    waiting = [
        Process(0, 0, Path(), mutant, batches(mutant, recorded, runner.folder))
        for mutant in mutants
    ]
    done = [process.mutant for process in waiting if not process.waiting]  # nothing runs them
    for mutant in done:
        mutant.outcome = "survived"
    waiting = [process for process in reversed(waiting) if process.waiting]
    while waiting or runner.running:
        if time.monotonic() > until:
            waiting.clear()
        while waiting and runner.free:
            process = waiting.pop()
            tests = process.waiting.pop(0)
            cpu_s = 15 + 5 * sum(recorded.seconds[test] for test in tests)
            runner.start(process, cpu_s, partial(run_tests, tests))
        if not runner.running:
            break
        ended, status, cpu_s = runner.wait()
        take_result(ended, status, cpu_s)
        remove_mutant(runner.slots[ended.slot], ended.mutant)
        if status == 0 and ended.waiting:
            waiting.append(ended)
            continue
        done.append(ended.mutant)
        entry = {name: value for name, value in asdict(ended.mutant).items() if name != "source"}
        with (runner.work / "mutants.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
    return done


def take_result(process: Process, status: int, cpu_s: float) -> None:
    """Note what became of a mutant."""
    mutant = process.mutant
    found = json.loads(process.result.read_text()) if process.result.exists() else {}
    mutant.cpu_s = round(mutant.cpu_s + cpu_s, 2)
    mutant.tests += found.get("tests", 0)
    mutant.killed_by = found.get("failed", "")
    if status == 0:
        mutant.outcome = "survived"
    elif status < 0:
        mutant.outcome = "timeout"
    else:
        mutant.outcome = "killed"


def report(done: list[Mutant]) -> float:
    """Print the outcomes and return the share of mutants that were noticed."""
    reasons = equivalents()
    for mutant in done:
        if mutant.outcome == "survived" and mutant.key() in reasons:
            mutant.outcome = "equivalent"
    columns = ("killed", "timeout", "survived", "equivalent")
    print(f"{'room':12}" + "".join(f"{name:>12}" for name in columns) + f"{'noticed':>12}")
    share = 0.0
    for room in (*ROOMS, "all"):
        outcomes = Counter(mutant.outcome for mutant in done if room in {mutant.room, "all"})
        noticed = outcomes["killed"] + outcomes["timeout"]
        share = noticed / max(1, noticed + outcomes["survived"])
        numbers = "".join(f"{outcomes[name]:12}" for name in columns)
        print(f"{room:12}{numbers}{100 * share:10.1f} %")
    for mutant in sorted(done, key=lambda mutant: (mutant.path, mutant.line)):
        if mutant.outcome == "survived":
            print(f"\n{mutant.path}:{mutant.line} ({mutant.operator}, {mutant.tests} tests)")
            print("\n".join(f"- {line}" for line in mutant.before))
            print("\n".join(f"+ {line}" for line in mutant.after))
    cpu_s = sum(mutant.cpu_s for mutant in done) / max(1, len(done))
    print(f"\n{cpu_s:.1f} s of processor time for each mutant")
    return share


def main(seed: int, count: int, limit: float, work: Path) -> int:
    """Draw, run and report; return the exit status."""
    stale = stale_equivalents(Path.cwd())
    runner = Runner(Path.cwd(), work, os.cpu_count() or 1)
    runner.copy()
    mutants = draw(seed, count, runner.folder)
    began = time.monotonic()
    recorded = record_all(runner, mutants)
    done = run_mutants(runner, mutants, recorded, limit * 60 - (time.monotonic() - began))
    print(f"seed {seed}, {len(done)} of {len(mutants)} mutants")
    share = report(done)
    if stale:
        print(f"{EQUIVALENT.name} has lines that are not in the code:", *stale, sep="\n")
    return 0 if share >= WANTED and not stale else 1


if __name__ == "__main__":
    for name in LOADED:
        importlib.import_module(name)
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4])))
