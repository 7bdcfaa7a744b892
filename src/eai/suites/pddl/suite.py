"""The suite ``pddl:FOLDER``: domains and problems of PDDL, answers in its notation or in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from eai.answers import Phrases
from eai.contract import (
    INTERACTION,
    PLANS,
    RECORDED,
    Ability,
    Suite,
    imported_part,
    suite_rules,
)
from eai.errors import InputError, SchemaError, UnknownNameError, check_keys
from eai.files import content_hash
from eai.pddl import (
    Domain,
    Problem,
    format_domain,
    format_problem,
    parse_domain,
    parse_problem,
)
from eai.semantics import Semantics
from eai.suites.pddl.acpbench import IN_WORDS
from eai.suites.pddl.answered import answered_files, files_by_task, refuse_other_queries
from eai.suites.pddl.files import (
    GOAL_KEYS,
    GOAL_SYNONYMS,
    TaskFiles,
    document,
    domain_text,
    holds_domain,
    no_problem,
    plans_of,
    sources_of,
    sources_of_queries,
)
from eai.suites.pddl.kinds import WORDINGS
from eai.suites.pddl.planbench import (
    EXECUTION,
    OPTIMALITY,
    VERIFICATION,
    PublishedFile,
    Query,
    read_published,
)
from eai.suites.pddl.plans import ALL_QUIRKS, TESTED, PddlPlans
from eai.suites.pddl.published import VERDICT
from eai.suites.pddl.tasks import Annotations, Asking, PddlTask, made_task
from eai.task import EMPTY_ANSWER_COUNTS, Task

_ABOUT_FILE = re.compile(r"(.+)@asked=(.+)")
"""A folder with a domain, and the file that says what is asked."""


_DOMAINS = "eai.suites.translations.domains"
"""The module that evaluates domains."""


class Pddl(Suite):
    """Planning problems in PDDL.

    Args:
        path: A folder with domains and problems, or a file ``.jsonl`` with one task a line; behind
            it perhaps how questions are made (:meth:`Asking.split`).
        tasks: Where its tasks are, if not there (see :meth:`from_texts`).
        about: Its ``title``, its ``version``, which tasks are ``unsolvable``, and ``rules`` that
            plans have to keep: a file of rules, or a list of them.

    Raises:
        InputError: If there is nothing of the kind, or a problem has no domain or two.
        SchemaError: If a file beside them has the wrong form.
    """

    quirks = ALL_QUIRKS
    official_version = "VAL 4"

    def __init__(
        self,
        path: str,
        tasks: Mapping[str, TaskFiles] | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        """List the tasks, without reading their problems."""
        # Copies in other processes are created from these arguments.
        self._arguments = path, tasks, about
        if not path:
            raise InputError("no folder is named", where="pddl:", mend="pddl:. is this folder")
        plain_path, self._asking = Asking.split(path)
        location = Path(plain_path)
        self.name = path
        self._file: PublishedFile | None = None
        if tasks is None:
            self.name = f"pddl:{path}"
            tasks, about = self._find_tasks(location)
        self._sources = tasks
        self._manifest = about or {}
        self._set_published_evaluator()
        default_title = f"PDDL problems: {self._manifest.get('name', location.stem)}"
        self.title = str(self._manifest.get("title") or default_title)
        self.version = str(self._manifest.get("version", "1"))
        folder = location if location.is_dir() else location.parent
        self._rules = suite_rules(self._manifest.get("rules"), folder, self._sources)
        # Cache of the domains that tasks share, with their phrases and texts.
        self._domains: dict[tuple[Path | str, Path | None], tuple[Domain, Phrases, str]] = {}

    def _set_published_evaluator(self) -> None:
        """Name the evaluator of published files, whose rules then apply; others have none."""
        if self._is_acpbench:
            self.default_semantics = "official"
            self.official_version = "ACPBench 2ed9c92"
        elif self._file is not None:
            self.official_version = "PlanBench b008bc4, VAL 4"

    def _find_tasks(self, where: Path) -> tuple[Mapping[str, TaskFiles], Mapping[str, Any]]:
        """Return the tasks at a path by name, and the properties that they share.

        Args:
            where: A folder of problems, a file of tasks, a file of PlanBench beside its domain, or
                ``FOLDER@asked=FILE``: a file of PlanBench, and the folder with its domain.
        """
        folder_and_file = _ABOUT_FILE.fullmatch(str(where))
        folder = where.parent
        file = where
        if folder_and_file:
            folder = Path(folder_and_file[1])
            file = Path(folder_and_file[2])
        # None for all other files and for folders.
        self._file = read_published(file)
        if folder_and_file and self._file is None:
            raise InputError(
                "this is no file of PlanBench",
                where=str(file),
                expected='{"task": ..., "domain": ..., "instances": [...]}',
            )
        if self._file is not None:
            return sources_of_queries(folder, self._file), {"title": self._file.title}
        tasks = sources_of(where)
        # A domain without problems is allowed: files of answers may bring their own tasks.
        if not tasks and not holds_domain(where):
            raise no_problem(where)
        if where.is_dir():
            folder = where
        return tasks, _manifest(folder / "manifest.json", tasks)

    @classmethod
    def from_texts(
        cls,
        name: str,
        domain: str | Path | Domain,
        tasks: Mapping[str, str | Path | Problem | Mapping[str, object]],
        *,
        title: str = "",
        version: str = "1",
        rules: Sequence[object] = (),
    ) -> Pddl:
        """Return a suite of a domain and problems that need not be in files.

        Args:
            name: Name of the suite.
            domain: The domain: its text, its file, or what :func:`eai.parse_domain` returned.
            tasks: Identifier to problem; or to a mapping with ``problem``, and optionally ``goal``
                (a formula of temporal logic that has to hold, beside the goal of the problem) and
                ``instruction``.
            title: The title, one line.
            version: Version of the tasks.
            rules: Rules that plans have to keep, as in a file of rules.

        Raises:
            InputError: If there is no task.
            SchemaError: If a task has no problem.
        """
        if not tasks:
            raise InputError("the suite has no tasks", where=name, expected="at least one")
        if isinstance(domain, Domain):
            domain = format_domain(domain)
        # All tasks share this one text, which is parsed once.
        domain_text_or_path = _text_or_path(domain)
        texts: dict[str, TaskFiles] = {}
        for task, value in tasks.items():
            texts[task] = _task_from_value(domain_text_or_path, value, where=f"{name} {task}")
        about: dict[str, Any] = {"title": title, "version": version}
        if rules:
            about["rules"] = list(rules)
        return cls(name, texts, about)

    def parts(self, predictions: object) -> Sequence[tuple[Suite, object]]:
        """Return the suites that files of answers belong to, each with its files.

        A file of PlanBench asks tasks of its own, whose domain is that of this folder.

        Args:
            predictions: What :func:`eai.predictions.load_all` takes.

        Raises:
            InputError: If a file is of no task of PlanBench.
        """
        if self._file is not None:
            refuse_other_queries(self._file, answered_files(predictions))
            return [(self, predictions)]
        if not self._is_folder:
            return [(self, predictions)]
        # All answers are to problems of the folder, unless files of PlanBench bring own tasks.
        groups_of_files = files_by_task(predictions)
        if not groups_of_files:
            return [(self, predictions)]
        folder = self.name.removeprefix("pddl:")
        parts: list[tuple[Suite, object]] = []
        for group in groups_of_files:
            suite: Suite = self
            if group.queries is not None:
                suite = Pddl(f"{folder}@asked={group.queries.path}")
            parts.append((suite, group.answers))
        return parts

    @property
    def _is_folder(self) -> bool:
        """Whether its tasks are those of a folder that is named."""
        return self.name.startswith("pddl:")

    @cached_property
    def content(self) -> str:
        """A hash of everything that tasks are read from: domains, problems, goals and phrases."""
        parts: list[object] = [self._manifest]
        # The rules may be in another file, which the manifest names.
        parts += [rule.as_record() for rule in self._rules]
        files: set[Path] = set()
        for name, source in self._sources.items():
            texts = []
            for file_or_text in (source.domain, source.problem):
                if isinstance(file_or_text, Path):
                    files.add(file_or_text)
                else:
                    texts.append(file_or_text)
            if source.folder is not None:
                files.update((source.folder / "domains.json", source.folder / "phrases.json"))
            parts.append((name, texts, source.extra))
            if source.query is not None:
                parts.append(source.query.text)
        return content_hash([*parts, *sorted(files)])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments

    @property
    def abilities(self) -> Mapping[str, Ability]:
        """Abilities of the suite. A PlanBench file has the one that its questions ask for."""
        if self._file is not None and self._file.published.ability in _ABOUT_PLANS:
            ability = self._file.published.ability
            return {ability: _ABOUT_PLANS[ability]}
        abilities = {
            PLANS: Ability(prompt="eai.suites.pddl.suite:prompt"),
            INTERACTION: Ability(acting="eai.suites.pddl.acting"),
            "transition_modeling": Ability(
                f"{_DOMAINS}:evaluate", f"{_DOMAINS}:prompt", view=f"{_DOMAINS}:DOMAIN_VIEW"
            ),
            RECORDED: Ability(),
        }
        for kind in WORDINGS:
            evaluate = partial(_question, "evaluate", kind)
            abilities[kind] = Ability(evaluate, partial(_question, "prompt", kind))
        # Reports show all abilities, so these are added only if some task asks for them.
        abilities.update({kind: IN_WORDS[kind] for kind in IN_WORDS if kind in self._kinds})
        if len(self._kinds) > 1:
            abilities[QUESTIONS] = _MIXED
        return abilities

    @property
    def default_ability(self) -> str:
        """Default ability: the one that the tasks ask for."""
        if len(self._kinds) > 1:
            return QUESTIONS
        if self._kinds:
            return self._kinds[0]
        return next(iter(self.abilities))

    @property
    def _is_acpbench(self) -> bool:
        """Whether the tasks are questions of a published file."""
        published = ["context" in source.extra for source in self._sources.values()]
        return bool(published) and all(published)

    @cached_property
    def _kinds(self) -> Sequence[str]:
        """The kinds of questions if every task asks one, or none."""
        kinds = [source.extra.get("kind") for source in self._sources.values()]
        # Plans are asked for if some task has no question.
        if not all(kinds):
            return []
        return list(dict.fromkeys(map(str, kinds)))

    def plans(self, semantics: Semantics) -> PddlPlans:
        """Return how plans are read, run and scored."""
        return PddlPlans(semantics)

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of all tasks: the problems' files without their ending.

        Raises:
            InputError: If there is a domain, but no problem.
        """
        if not self._sources:
            raise no_problem(Path(self.name.removeprefix("pddl:")))
        return tuple(self._sources)

    def canonical_id(self, raw: str) -> str:
        """Return the task with this file, or the only one with this number."""
        # "7", "007" and "instance-7.pddl" may all mean the task "instance-7".
        name = raw.strip().removesuffix(".pddl")
        if name in self._sources:
            return name
        numbered = self._numbered.get(name.lstrip("0") or "0", ())
        return numbered[0] if len(numbered) == 1 else name

    @cached_property
    def _numbered(self) -> Mapping[str, list[str]]:
        """Tasks by the number at the end of their names, without leading zeros."""
        names_by_number: dict[str, list[str]] = {}
        for name in self._sources:
            # "p007" -> "7"
            number = re.search(r"0*(\d+)$", name)
            if number is not None:
                names_by_number.setdefault(number[1], []).append(name)
        return names_by_number

    def task(self, task_id: str) -> PddlTask:
        """Load one task."""
        if task_id not in self._sources:
            raise UnknownNameError("task", task_id, self._sources)
        source = self._sources[task_id]
        key = source.domain, source.folder
        # Problems share domains, which take longer to compile than a problem.
        if key not in self._domains:
            self._domains[key] = _read_domain(source)
        domain, phrases, written = self._domains[key]
        if source.query is not None:
            return _task_of_query(source, source.query, domain, phrases, written)
        text = source.text
        problem = parse_problem(text, domain=domain, source=source.where, named=False)
        unsolvable = self._manifest.get("unsolvable", ())
        task = made_task(
            domain,
            problem,
            name=task_id,
            phrases=phrases,
            texts=(written, text),
            annotations=Annotations(
                task_id in unsolvable, plans_of(source), source.extra, source.extra_source
            ),
        )
        if self._rules:
            task = task.with_rules(self._rules)
        return replace(task, asking=self._asking)


def _task_from_value(
    domain: str | Path,
    value: str | Path | Problem | Mapping[str, object],
    *,
    where: str,
) -> TaskFiles:
    """Return the texts of a task that is given as a value.

    Args:
        domain: The domain: its text or its file.
        value: The problem, or a mapping with ``problem`` and optionally a goal and an instruction.
        where: Name of the suite and of the task, for messages.

    Raises:
        SchemaError: If there is no problem.
    """
    extra = value if isinstance(value, Mapping) else {"problem": value}
    problem: Any = extra.get("problem")
    if isinstance(problem, Problem):
        problem = format_problem(problem)
    if not isinstance(problem, (str, Path)):
        raise SchemaError(
            "the task has no problem",
            where=where,
            expected="PDDL, or {'problem': PDDL, 'goal': formula, 'instruction': text}",
        )
    # A key that was mistyped would be left out without a word.
    check_keys(extra, ("problem", *GOAL_KEYS), where=where, synonyms=GOAL_SYNONYMS)
    return TaskFiles(domain, _text_or_path(problem), where, None, extra=dict(extra))


def _text_or_path(source: str | Path) -> str | Path:
    """Return PDDL text as it is; a text without a bracket is the path of a file."""
    if isinstance(source, Path) or "(" in source:
        return source
    return Path(source)


def _task_of_query(
    source: TaskFiles, query: Query, domain: Domain, phrases: Phrases, domain_text: str
) -> PddlTask:
    """Return the task of a PlanBench query.

    Args:
        source: The files of the task.
        query: The query.
        domain: The domain.
        phrases: Phrases for its actions and objects; without any, those of the file of queries.
        domain_text: The domain as it is written.
    """
    if not phrases.actions and not phrases.objects:
        phrases = query.file.phrases
    # The problem in the query may differ from the instance of the same number.
    problem = query.problem(domain, phrases)
    task = made_task(
        domain,
        problem,
        name=query.name,
        phrases=phrases,
        texts=(domain_text, format_problem(problem)),
    )
    # The right plan may be empty, so an answer "nothing is left to do" counts as a plan.
    metadata: dict[str, object] = {"query": query.text, EMPTY_ANSWER_COUNTS: True}
    if query.verdict is not None:
        metadata[VERDICT] = query.verdict
    question = query.question(domain, problem, phrases)
    if question is not None:
        metadata["plan_question"] = question
    tested = query.tested(problem, domain, source.folder)
    if tested is not None:
        tested_task = made_task(domain, tested, name=query.name, phrases=phrases)
        metadata[TESTED] = replace(tested_task, metadata={"query": query.text})
    if query.file.published == OPTIMALITY:
        metadata["least_steps"] = query.reference_length
    return replace(task, metadata={**task.metadata, **metadata})


def _about_plan(*arguments: Any) -> Any:  # noqa: ANN401
    """Evaluate an answer about a plan; that loads the reports."""
    return imported_part("eai.suites.pddl.verification:evaluate")(*arguments)


QUESTIONS = "questions"
"""The ability to answer questions of several kinds."""
_MIXED = Ability(
    "eai.suites.pddl.mixed:evaluate", "eai.suites.pddl.mixed:prompt", "eai.suites.pddl.mixed:VIEW"
)

_ABOUT_PLANS = {
    name: Ability(
        partial(_about_plan, name),
        "eai.suites.pddl.verification:prompt",
        "eai.suites.pddl.verification:VERIFICATION_VIEW" if name == VERIFICATION else None,
    )
    for name in (VERIFICATION, EXECUTION)
}
"""Abilities of PlanBench's questions about given plans."""


def _question(function: str, kind: str, *arguments: Any) -> Any:  # noqa: ANN401
    """Call a function about questions; only then their module is imported: it loads the planner."""
    return imported_part(f"eai.suites.pddl.questions:{function}")(kind, *arguments)


def _read_domain(source: TaskFiles) -> tuple[Domain, Phrases, str]:
    """Return a domain, its phrases and its text. A file of tasks has phrases for each domain."""
    text = domain_text(source)
    name = source.domain if isinstance(source.domain, str) else ""
    domain = parse_domain(text, source=_place_of_domain(source))
    if source.folder is None or "(" in name:
        return domain, Phrases(), text
    path = source.folder / "phrases.json"
    phrases: Any = document(path)
    # One file for several domains has the name of each above its phrases.
    if name and isinstance(phrases, dict) and not {"actions", "objects"} & phrases.keys():
        known_domains = document(source.folder / "domains.json")
        if isinstance(known_domains, dict):
            check_keys(phrases, known_domains, where=str(path))
        phrases = phrases.get(name, {})
    phrases_of_domain = Phrases.of(phrases, where=str(path))
    phrases_of_domain.refuse_misspelled_actions(domain, where=str(path))
    return domain, phrases_of_domain, text


def _place_of_domain(source: TaskFiles) -> str:
    """Return where a domain stands, for messages: its file, or the line of a file of tasks."""
    if not isinstance(source.domain, str) or not source.domain:
        return str(source.domain)
    if "(" in source.domain:
        return f"{source.where}: domain"  # the line itself has the text of the domain
    return source.where


def read_phrases(path: Path) -> Phrases:
    """Read a file of phrases.

    Raises:
        SchemaError: If it has another form.
    """
    return Phrases.of(document(path, needed=True), where=str(path))


def _manifest(path: Path, tasks: Mapping[str, TaskFiles]) -> Mapping[str, Any]:
    """Return the manifest in a folder, or an empty one if there is none.

    Args:
        path: The file of the manifest.
        tasks: The tasks, some of which the manifest may list as unsolvable.

    Raises:
        SchemaError: If the file is not a manifest, or has an unknown key.
        UnknownNameError: If it lists a task that does not exist.
    """
    manifest = document(path)
    unsolvable = manifest.get("unsolvable", []) if isinstance(manifest, dict) else None
    if not isinstance(manifest, dict) or not isinstance(unsolvable, list):
        raise SchemaError(
            "this is not a manifest",
            where=str(path),
            expected='{"name": ..., "title": ..., "version": ..., "unsolvable": [ids], '
            '"rules": a file or a list}',
        )
    check_keys(manifest, ("name", "title", "version", "unsolvable", "rules"), where=str(path))
    # A mistyped name would leave its task solvable.
    unknown = [name for name in unsolvable if name not in tasks]
    if unknown:
        raise UnknownNameError("task", str(unknown[0]), tasks, where=f"{path}: unsolvable")
    return manifest


def prompt(task: Task) -> str:
    """Return the prompt for a plan: the published query, or the texts of domain and problem."""
    from eai.suites.shared.templates import filled  # it loads Jinja

    assert isinstance(task, PddlTask)  # noqa: S101 - the suite has no others
    if "query" in task.metadata:
        return str(task.metadata["query"])
    domain, problem = map(str.strip, task.texts)
    # The texts do not have a temporal goal, which the prompt states in words.
    task_with_formula = task if task.goal.formula is not None else None
    words = _phrase_rows(task)
    return filled(
        "pddl/prompt", domain=domain, problem=problem, words=words, wanted=task_with_formula
    )


def _phrase_rows(task: PddlTask) -> list[tuple[str, str]]:
    """Return (name, phrase) of actions and objects, or none if actions have no phrases."""
    rows: list[tuple[str, str]] = []
    if not task.phrases.actions:
        return rows
    for name, text in task.phrases.actions.items():
        rows.append((f"({name} ...)", text))
    for name in task.problem.objects:
        text = task.phrases.of_object(name)
        # Objects without a phrase keep their names.
        if text:
            rows.append((name, text))
    return rows
