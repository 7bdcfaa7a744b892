"""The files in a folder or a zip: which are read as predictions, and why the others are not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from eai.contract import PredictionProblem, Raw
from eai.errors import InputError
from eai.files import FILES, holds_run
from eai.predictions import limits
from eai.predictions.entries import Entry
from eai.predictions.layouts import IsTask
from eai.predictions.values import field_of
from eai.text import lazy_pattern

# Names of files, without regard to case: "answers.jsonl.gz", "gpt-4o_outputs.json".
_TEXTS = "json|jsonl|ndjson|csv|tsv|yaml|yml"
_ENDINGS = f"({_TEXTS}|eval|parquet|arrow|feather|xlsx)"
_SUFFIX = re.compile(rf"(_outputs)?(\.({_ENDINGS}|zip))?(\.gz)?$", re.IGNORECASE)
# "samples_household_2024-11-02T10-00-00.123456.jsonl", as lm-evaluation-harness writes them.
_SAMPLES = lazy_pattern(r"samples_.+_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl(\.gz)?", re.DOTALL)
_RESULTS = lazy_pattern(r"results_.*\.json", re.DOTALL)
"""File of lm-evaluation-harness beside its samples; the name of the model is read from it."""


def stem_of(name: str) -> str:
    """Return the name of a file without its endings: the name of its model."""
    return _SUFFIX.sub("", name, count=1) or name


def is_prediction_file(path: Path) -> bool:
    """Return whether a file is one that is read from a folder of predictions, by its name."""
    return path.is_file() and _is_named_like_rows(path.name)


def _is_named_like_rows(name: str) -> bool:
    """Return whether a file has the name of one with rows."""
    return re.fullmatch(rf"[^.].*\.{_ENDINGS}(\.gz)?", name, re.IGNORECASE | re.DOTALL) is not None


def model_of_samples(entry: Entry) -> str | None:
    """Return the model in the name of a file by lm-evaluation-harness, or None.

    The file of results next to it, or the folder, names the model.
    """
    match = _SAMPLES.fullmatch(entry.name)
    if match is None:
        return None
    results: object = None
    if entry.archive is None:
        results_file = entry.path.with_name(f"results_{match[1]}.json")
        # The results may have been left behind; the folder is named after the model as well.
        with suppress(OSError, ValueError):
            results = json.loads(results_file.read_bytes())
    name = field_of(results, "model_name")
    if isinstance(name, str) and name:
        return name
    return entry.folder or None


_ANSWER_ENDINGS = (".txt", ".md", ".pddl", ".plan")
"""Endings of files with nothing but an answer."""


class FolderListing:
    """The files in a folder or zip: those to read, and the reasons to skip others.

    Attributes:
        entries: Files with rows.
        answers: Files with nothing but an answer, named after the task.
        left_out: The other files with the reason.
    """

    def __init__(self) -> None:
        """Begin without files."""
        self.entries: list[Entry] = []
        self.answers: list[Entry] = []
        self.left_out: list[tuple[str, str]] = []


def list_folder(
    root: Path, entries: Iterable[tuple[Entry, int]], is_task: IsTask | None
) -> FolderListing:
    """Return the files under a path to read, and the files that are left out with the reason.

    Args:
        root: The folder or the zip.
        entries: Its files, each with the number of folders in which it lies.
        is_task: Whether a text is an identifier of a task.
    """
    listing = FolderListing()
    candidates: list[tuple[Entry, int]] = []
    texts: list[Entry] = []
    # The files of a run of this package are records of answers, not answers.
    is_run = root.is_dir() and holds_run(root)
    for entry, depth in entries:
        reason = _reason_to_skip(entry, root)
        if is_run and depth == 0 and entry.name in FILES:
            reason = "of the run that lies in this folder"
        if reason:
            listing.left_out.append((str(entry), reason))
        elif _is_named_like_rows(entry.name):
            candidates.append((entry, depth))
        else:
            texts.append(entry)
    _sort_texts(listing, texts, is_task, are_alone=not candidates and len(texts) > 1)
    _sort_candidates(listing, candidates)
    return listing


def _reason_to_skip(entry: Entry, root: Path) -> str:
    """Return the reason to skip a file because of its kind or name, or ""."""
    if entry.archive is None and not entry.path.is_file():
        return "a link or a device, not a file"
    if _is_hidden(entry, root):
        return "hidden"
    if _RESULTS.fullmatch(entry.name):
        return "results, of which only the model is read"
    name = entry.name.lower()
    if _is_named_like_rows(entry.name) or name.endswith(_ANSWER_ENDINGS):
        return ""
    if name.endswith(".zip"):
        return "a zip: give its path"
    return "not a file of predictions by its name"


def _is_hidden(entry: Entry, root: Path) -> bool:
    """Return whether a file, or a folder that contains it below the root, is hidden."""
    below_root = str(entry).removeprefix(str(root)).strip("/\\")
    for part in re.split(r"[/\\]", below_root):
        if part.startswith(".") or part == "__MACOSX":
            return True
    return False


def _sort_texts(
    listing: FolderListing, texts: Iterable[Entry], is_task: IsTask | None, *, are_alone: bool
) -> None:
    """Select the text files that are named after tasks.

    Args:
        listing: The listing, which is changed.
        texts: The files.
        is_task: Whether a text is an identifier of a task.
        are_alone: Whether there are several of them and no other files of predictions.
    """
    for entry in texts:
        is_answer = are_alone
        if is_task is not None:
            is_answer = is_task(Path(entry.name).stem)
        if is_answer:
            listing.answers.append(entry)
        else:
            listing.left_out.append((str(entry), "a text that is not named after a task"))


def _sort_candidates(listing: FolderListing, candidates: Sequence[tuple[Entry, int]]) -> None:
    """Add the files to read to a listing, and leave out the remaining candidates.

    Files at the top are read, or else those one level below, where the folders of several models
    are. Among them, files with a producer's usual names are read alone: there, the others are
    settings and results.

    Args:
        listing: The listing, which is changed.
        candidates: Files that may have predictions, each with the number of folders around it.
    """
    if not candidates:
        return
    # Files further down are not predictions.
    min_depth = min(depth for _, depth in candidates)
    top_files: list[Entry] = []
    for entry, depth in candidates:
        if depth == min_depth and depth <= 1:
            top_files.append(entry)
        else:
            listing.left_out.append((str(entry), "in a folder below: give its path"))
    output_files = [entry for entry in top_files if "_outputs.json" in entry.name.lower()]
    sample_files = [entry for entry in top_files if _SAMPLES.fullmatch(entry.name)]
    if output_files:
        _select_usual_files(listing, output_files, top_files, "others are named ..._outputs.json")
    elif sample_files:
        _select_usual_files(listing, sample_files, top_files, "others are samples_...")
    else:
        listing.entries = top_files


def _select_usual_files(
    listing: FolderListing, usual_files: list[Entry], all_files: Sequence[Entry], reason: str
) -> None:
    """Select files with a producer's usual names, and skip other files beside them.

    Args:
        listing: The listing, which is changed.
        usual_files: The files with usual names.
        all_files: All files at the same depth.
        reason: Why the others are skipped.
    """
    listing.entries = usual_files
    selected = set(usual_files)
    for entry in all_files:
        if entry not in selected:
            listing.left_out.append((str(entry), reason))


def files_with_depth(folder: Path) -> Iterator[tuple[Entry, int]]:
    """Yield the files under a folder, each with its depth."""
    for path_index, path in enumerate(sorted(folder.rglob("*"))):
        if path_index > limits.MAX_FILES:
            raise InputError(
                f"the folder has more than {limits.MAX_FILES:,} files", where=str(folder)
            )
        if path.is_symlink() or not path.is_dir():
            yield Entry(path), len(path.relative_to(folder).parts) - 1


def texts_of(entries: Iterable[Entry]) -> Iterator[Raw]:
    """Yield the answers in text files that are named after tasks."""
    for entry in entries:
        with entry.open() as file:
            content = file.read(limits.MAX_ANSWER_BYTES + 1)  # one more shows that it is too long
        if len(content) > limits.MAX_ANSWER_BYTES:
            yield PredictionProblem(
                f"it has more than {limits.MAX_ANSWER_BYTES:,} bytes", str(entry)
            )
        else:
            # "task-17.txt" holds the answer to "task-17".
            yield str(entry), (Path(entry.name).stem, content.decode("utf-8-sig", "replace"))
