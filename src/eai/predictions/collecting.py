"""Answers sorted by model and sample, with a count of what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace

from eai.acting import Answer, Ending
from eai.contract import PredictionProblem, Raw
from eai.predictions.layouts import BY_NAME
from eai.predictions.reader import NoAnswerError, ReadAnswer, Reader, plain_item
from eai.text import counted, sample_label

NOBODY = ""
"""The model of a problem that is about none, such as a file that was left out."""

MAX_PROBLEMS = 1000
"""Maximum number of problems of one source that are kept; the others are counted."""
_MAX_DUPLICATES = 3
"""Maximum number of duplicates of a model that are named; the others are counted."""
_HOPELESS = 20_000
"""A source that has so many problems first, and no prediction, is read no further."""
_COMMON_LAYOUTS = {"", "official list", BY_NAME.name}
"""Layouts of which nothing needs to be said."""

Store = Callable[[], MutableMapping[str, str]]
"""Makes what holds the answers of one model."""


class Reading:
    """How a source was read, shared by all models in it.

    Args:
        name: The file or folder; empty for a value in memory.

    Attributes:
        files: The files, if there are several.
        rows: Number of rows that were read.
        names_model: Whether a row says which model it is from.
        left_out: Number of rows that were left out, by the reason.
        layouts: Number of rows by the layout that fitted.
        id_paths: Paths that lead to identifiers of tasks, in rows that name no task elsewhere.
    """

    def __init__(self, name: str = "") -> None:
        """Begin without rows."""
        self.name = name
        self.files: tuple[str, ...] = ()
        self.rows = 0
        self.names_model = False
        self.left_out: Counter[str] = Counter()
        self.layouts: Counter[str] = Counter()
        self.id_paths: Counter[str] = Counter()

    def joined(self, other: Reading) -> Reading:
        """Return the combined reading of two files."""
        both = Reading(self.name)
        both.files = (*(self.files or (self.name,)), *(other.files or (other.name,)))
        both.rows = self.rows + other.rows
        both.names_model = self.names_model or other.names_model
        both.left_out = self.left_out + other.left_out
        both.layouts = self.layouts + other.layouts
        both.id_paths = self.id_paths + other.id_paths
        return both

    @property
    def read_as(self) -> str:
        """The layouts that are worth a word."""
        return ", ".join(sorted(set(self.layouts) - _COMMON_LAYOUTS))


@dataclass(slots=True)
class Predictions:
    """The answers of one model.

    Args:
        model: Name of the model.
        items: Identifier to raw answer, in the order of the source; an
            :class:`eai.acting.Answer` where the source states what it used.
        problems: The omitted and repaired parts.
        epoch: Which of several samples of the model they are; 0 if they are the only ones.
        endings: Identifiers of answers by how they ended, if not by themselves.
        reading: How their source was read.
        sample: The value that tells them from other answers of the model (a seed), if all rows have
            the same.
    """

    model: str
    items: MutableMapping[str, str] = field(default_factory=dict)
    problems: list[PredictionProblem] = field(default_factory=list)
    epoch: int = 0
    endings: dict[Ending, list[str]] = field(default_factory=dict)
    reading: Reading | None = field(default=None, compare=False, repr=False)
    sample: Hashable = field(default=None, compare=False, repr=False)

    @property
    def label(self) -> str:
        """The model, and which of its samples."""
        return sample_label(self.model, self.epoch)

    def __len__(self) -> int:
        return len(self.items)

    def add_endings(self, endings: Mapping[Ending, Sequence[str]]) -> None:
        """Add how answers ended that are joined with these."""
        for ending, ids in endings.items():
            self.endings.setdefault(ending, []).extend(ids)


def collect(
    rows: Iterable[Raw],
    default: str,
    store: Store,
    reader: Reader | None = None,
    name: str = "",
) -> list[Predictions]:
    """Sort answers by model and sample. The first answer to a task is kept.

    Args:
        rows: Rows with their places, and problems.
        default: Name of the model of rows that name none.
        store: Makes what holds the answers of one model.
        reader: Reads the rows.
        name: The file or folder they are from.

    Returns:
        One entry for each model, at least one: a model without a good answer is one, too. Problems
        of rows that name their model are in its entry, all others in every entry.
    """
    collector = _Collector(default, store, reader or Reader(), Reading(name))
    for row in rows:
        collector.add(row)
        if collector.is_hopeless:
            break
    return collector.predictions()


class _Collector:
    """Collects the answers of rows by model and sample.

    The value that tells the samples of a task apart (a seed, an index) becomes a number: the first
    is 1, and a new one gets a number of its own only if a task would have two answers otherwise.
    """

    def __init__(self, default_model: str, store: Store, reader: Reader, reading: Reading) -> None:
        """Begin without answers.

        Args:
            default_model: Name of the model of rows that name none.
            store: Makes the mapping that holds the answers of one model.
            reader: Reads the rows.
            reading: How the source was read; its counts grow.
        """
        self._default_model = default_model
        self._store = store
        self._reader = reader
        self._reading = reading
        # By model and number of the sample.
        self._predictions_by_sample: dict[tuple[str, int], Predictions] = {}
        # By model, and by the values that tell a sample apart, such as a seed.
        self._sample_numbers: dict[str, dict[Hashable, int]] = {}
        self._problems: list[PredictionProblem] = []
        self._unkept_problems = 0
        # Duplicates by model (None: rows that name none), and the place of the first one without a
        # problem of its own.
        self._duplicate_counts: Counter[str | None] = Counter()
        self._first_unlisted: dict[str | None, str] = {}

    @property
    def is_hopeless(self) -> bool:
        """Whether there are many problems and no answer, so that reading on is no use."""
        return self._unkept_problems > _HOPELESS and not self._predictions_by_sample

    def add(self, row: Raw) -> None:
        """Add the answers of one row, or a problem."""
        self._reading.rows += 1
        if isinstance(row, PredictionProblem):
            self._leave_out(row, "unreadable")
            return
        where, value = row
        # The quick way for nearly all rows: {"id": ..., "output": ...} and nothing else.
        if self._reader.is_plain:
            task_and_text = plain_item(value)
            if task_and_text is not None:
                self._add_answer(where, ReadAnswer(*task_and_text))
                return
        try:
            answers = self._reader.items(value)
        except NoAnswerError as error:
            if error.model:
                # A model is listed even if none of its rows has an answer.
                self._get_or_create(error.model, 0)
            problem = PredictionProblem(error.what, where, error.model or None)
            self._leave_out(problem, "without an answer")
            return
        for answer in answers:
            self._add_answer(where, answer)

    def predictions(self) -> list[Predictions]:
        """Return the answers by model and sample."""
        problems = self._all_problems()
        for predictions in self._predictions_by_sample.values():
            # A problem without a model concerns all models.
            models = (None, predictions.model)
            predictions.problems = [problem for problem in problems if problem.model in models]
        self._reading.layouts.update(self._reader.layout_counts)
        self._reading.id_paths.update(self._reader.id_paths)
        if not self._predictions_by_sample:
            return [
                Predictions(self._default_model, self._store(), problems, reading=self._reading)
            ]
        samples: list[Predictions] = []
        # A dictionary keeps the order in which the models came, each once.
        for model in dict.fromkeys(model for model, _ in self._predictions_by_sample):
            samples += self._numbered_samples(model)
        return samples

    def _get_or_create(self, model: str, epoch: int) -> Predictions:
        """Return the predictions of a model's sample, creating them if needed."""
        name = model or self._default_model
        sample = (name, epoch)
        if sample not in self._predictions_by_sample:
            predictions = Predictions(name, self._store(), epoch=epoch)
            predictions.reading = self._reading
            self._predictions_by_sample[sample] = predictions
        return self._predictions_by_sample[sample]

    def _add_answer(self, where: str, answer: ReadAnswer) -> None:
        """Add an answer, or a problem if the task has one already.

        Args:
            where: The place of the answer, for messages.
            answer: The answer.
        """
        if answer.model:
            self._reading.names_model = True
        predictions = self._get_or_create(answer.model, self._sample_number(answer))
        if answer.name not in predictions.items:
            text = answer.text
            if answer.usage:
                text = Answer(text, answer.usage)
            predictions.items[answer.name] = text
            for ending in answer.endings:
                predictions.endings.setdefault(ending, []).append(answer.name)
            return
        if answer.may_repeat == "same" and predictions.items[answer.name] == answer.text:
            return  # some producers write a row once for each filter
        model = answer.model or None
        self._duplicate_counts[model] += 1
        self._reading.left_out["second answers"] += 1
        if self._duplicate_counts[model] > _MAX_DUPLICATES:
            self._first_unlisted.setdefault(model, where)
            return
        message = f"duplicate id {answer.name!r:.60}, keeping the first"
        self._keep_problem(PredictionProblem(message, where, model))

    def _sample_number(self, answer: ReadAnswer) -> int:
        """Return the number of the sample that an answer belongs to; 0 for the only one."""
        model = answer.model or self._default_model
        if answer.sample is not None:
            return self._number_by_values(model, answer.sample, answer.name)
        number = answer.epoch
        if answer.may_repeat == "other":
            # 0 stands for the only sample, so the second one is 2.
            while self._has_answer(model, number, answer.name):
                number = max(2, number + 1)
        return number

    def _has_answer(self, model: str, number: int, task: str) -> bool:
        """Return whether a sample of a model has an answer to a task."""
        predictions = self._predictions_by_sample.get((model, number))
        return predictions is not None and task in predictions.items

    def _number_by_values(self, model: str, sample_values: Hashable, task: str) -> int:
        """Return the number for a sample's distinguishing values, assigning a new one if needed.

        Seeds 7 and 8 of every task become samples 1 and 2, in order of appearance. Rows with
        different values that answer different tasks belong to one sample.

        Args:
            model: The model.
            sample_values: The values that tell the sample apart, such as a seed.
            task: The task that is answered.
        """
        numbers = self._sample_numbers.setdefault(model, {})
        if numbers.get(sample_values, 1) != 1:
            return numbers[sample_values]
        is_new = sample_values not in numbers
        number_sharing_first = list(numbers.values()).count(1)
        # Where several samples share the first number, the answer that is there may be another's.
        may_be_of_other_sample = is_new or number_sharing_first > 1
        if may_be_of_other_sample and self._has_answer(model, 1, task):
            numbers[sample_values] = max(numbers.values(), default=0) + 1
        else:
            numbers[sample_values] = 1
        return numbers[sample_values]

    def _numbered_samples(self, model: str) -> list[Predictions]:
        """Return the samples of a model, numbered if there are several."""
        samples = [
            sample for (name, _), sample in self._predictions_by_sample.items() if name == model
        ]
        samples.sort(key=lambda sample: sample.epoch)
        first = samples[0]
        numbers = [sample.epoch for sample in samples]
        if numbers[:2] == [0, 1] and first.items.keys().isdisjoint(samples[1].items):
            # Answers without a sample number, next to answers that have one.
            samples[1].items.update(first.items)
            samples[1].add_endings(first.endings)
            return samples[1:]
        if first.epoch == 0 and len(numbers) > 1 and 1 not in numbers:
            first.epoch = 1
        elif numbers == [1] and model in self._sample_numbers:
            # A single sample needs no number; what told it apart is kept if all rows agree.
            first.epoch = 0
            sample_values = list(self._sample_numbers[model])
            if len(sample_values) == 1:
                first.sample = sample_values[0]
        return samples

    def _leave_out(self, problem: PredictionProblem, reason: str) -> None:
        """Count a row that was left out, and keep its problem."""
        self._reading.left_out[reason] += 1
        self._keep_problem(replace(problem, reason=reason))

    def _keep_problem(self, problem: PredictionProblem) -> None:
        """Store a problem, or only count it after the first ones."""
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.append(problem)
        else:
            self._unkept_problems += 1

    def _all_problems(self) -> list[PredictionProblem]:
        """Return the stored problems, and a problem that counts those that were not stored."""
        problems = list(self._problems)
        if self._unkept_problems:
            message = f"{counted(self._unkept_problems, 'more problem')} after this line"
            problems.append(PredictionProblem(message, problems[-1].where))
        for model, where in self._first_unlisted.items():
            unlisted = self._duplicate_counts[model] - _MAX_DUPLICATES
            message = (
                f"{counted(unlisted, 'more duplicate id')}; "
                'several answers to a task are told apart by "epoch": 1, 2, ..., '
                'or listed under "outputs"'
            )
            problems.append(PredictionProblem(message, where, model))
        return problems


def number_samples(predictions: Iterable[Predictions]) -> None:
    """Number samples of a model that come from different sources, such as seeds."""
    samples_by_model: dict[str, list[Predictions]] = {}
    for sample in predictions:
        samples_by_model.setdefault(sample.model, []).append(sample)
    for samples in samples_by_model.values():
        sample_values = {sample.sample for sample in samples if sample.epoch == 0}
        # Each source must have a distinguishing value (a seed), and no two may have the same.
        are_distinct = len(sample_values) == len(samples) and None not in sample_values
        if are_distinct and len(samples) > 1:
            for epoch, sample in enumerate(samples, 1):
                sample.epoch = epoch


def join_parts(predictions: Iterable[Predictions]) -> list[Predictions]:
    """Join files of the same model that answer different tasks, such as parts of a batch.

    Answers to the same tasks stay apart: they may be of two settings of the model.
    """
    joined: list[Predictions] = []
    # Parts are joined with the first file of their label; all others stay alone.
    first_of_label: dict[str, Predictions] = {}
    for part in predictions:
        first = first_of_label.setdefault(part.label, part)
        if first is part or not _are_parts_of_batch(first, part):
            joined.append(part)
            continue
        first.items.update(part.items)
        first.add_endings(part.endings)
        first.problems = list(dict.fromkeys([*first.problems, *part.problems]))
        if first.reading is not None and part.reading is not None:
            first.reading = first.reading.joined(part.reading)
    return joined


def _are_parts_of_batch(first: Predictions, second: Predictions) -> bool:
    """Return whether two files are parts of one batch, as their rows name the same model.

    They also have to be the same sample, and no task may be answered in both.
    """
    for predictions in (first, second):
        if predictions.reading is None or not predictions.reading.names_model:
            return False
    return first.sample == second.sample and second.items.keys().isdisjoint(first.items)
