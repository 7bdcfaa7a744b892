"""Reports in the exchange format of Every Eval Ever, version 0.3.

One JSON file with all metrics for each model, and beside it one line for each task, in the folders
that the format's repository wants: ``data/<suite>/<developer>/<model>/<uuid>.json``.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eai.contract import Suite
from eai.contract.registry import suite as find_suite, suites
from eai.errors import EaiError, InputError, check_name
from eai.files import replacing, writing_to
from eai.report import COST, Record, Report, Score
from eai.text import short

_VERSION = "0.3.0"
_RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")
_COUNTS = ("occurrences", "numbers")
"""Units of metrics that may exceed 100."""
_ERRORS = ("errors", "trajectory.grammar", "trajectory.runtime")
"""Groups of metrics of which less is better."""


@dataclass(frozen=True, slots=True)
class Publisher:
    """The organisation that publishes results.

    Args:
        organization: Name of who ran the evaluation.
        relationship: To the makers of the model: ``"first_party"``, ``"third_party"``,
            ``"collaborative"`` or ``"other"``.
    """

    organization: str
    relationship: str = "other"
    url: str = ""


def export(
    report: Report,
    folder: str | os.PathLike[str],
    *,
    publisher: Publisher,
    developers: Mapping[str, str] | None = None,
    timestamp: float | None = None,
    force: bool = False,
) -> list[Path]:
    """Write a report as aggregate and instance files.

    Args:
        report: The report.
        folder: Where the folder ``data`` is made.
        publisher: Who publishes the results.
        developers: Name of a model to who made it; by default what stands before a slash
            (``"openai/gpt-4o"``), or ``"unknown"``.
        timestamp: When the results were made, in seconds since 1970; by default now. With
            the same one the files have the same names and content.
        force: Whether existing files may be replaced.

    Returns:
        The aggregate files, in the order of the models.

    Raises:
        InputError: If the organization has no name, the relationship is not one of those above, or
            a file cannot be written.
        UnknownNameError: If a developer is given for a model that the report does not have.
        OutputExistsError: If a file exists and ``force`` is off.
    """
    if publisher.relationship not in _RELATIONSHIPS:
        raise InputError(
            f"the relationship {publisher.relationship!r} is not known",
            expected=", ".join(_RELATIONSHIPS),
        )
    if not publisher.organization.strip():
        raise InputError(
            "the name of the organization is empty",
            expected="who ran the evaluation",
            mend="check that the variable that holds it is set",
        )
    if timestamp is None:
        timestamp = time.time()
    developer_of = developers or {}
    for name in developer_of:
        check_name("model", name, report.models)
    files = []
    for model in report.models:
        exporter = _ModelExporter(
            report, model, publisher, repr(timestamp), developer_of.get(model, "")
        )
        files.append(exporter.write(Path(folder), force=force))
    return files


class _ModelExporter:
    """Writes the files of one model.

    Args:
        report: The report.
        model: Name of the model in the report.
        publisher: Who publishes the results.
        timestamp: When the results were made, in seconds since 1970, as text.
        developer: Who made the model; by default what stands before a slash in its name.
    """

    def __init__(
        self, report: Report, model: str, publisher: Publisher, timestamp: str, developer: str
    ) -> None:
        """Split the model's name into developer and name, and take the defined metrics."""
        self._report = report
        self._records = report.of(model)
        self._publisher = publisher
        self._timestamp = timestamp
        # "developer/model", as on Hugging Face, or the name of the model alone.
        named_developer, slash, name = model.partition("/")
        if not slash:
            named_developer = "unknown"
            name = model
        self._name = name
        self._developer = developer or named_developer
        self._model_id = f"{self._developer}/{self._name}"
        setting = report.setting
        self._evaluation = f"eai_{setting.suite}_{setting.ability}"
        self._id = f"{self._evaluation}/{self._model_id}/{timestamp}"
        self._metrics = [score for score in report.metrics(model) if score.value is not None]

    def write(self, folder: Path, *, force: bool) -> Path:
        """Write both files, and return the aggregate one."""
        locations = (self._report.setting.suite, self._developer, self._name)
        home = Path("data", *map(_part_of_path, locations))
        # The format wants an identifier of this form; ours depends on nothing but the content.
        digest = hashlib.sha256(_bytes(f"{self._id} {self._report.setting}")).digest()
        name = str(uuid.UUID(bytes=digest[:16], version=4))
        lines = ""
        for instance in self._instances():
            lines += json.dumps(instance, sort_keys=True) + "\n"
        samples = home / f"{name}_samples.jsonl"
        aggregate = self._aggregate() | {
            "detailed_evaluation_results": {
                "format": "jsonl",
                "file_path": samples.as_posix(),
                "hash_algorithm": "sha256",
                "checksum": hashlib.sha256(lines.encode()).hexdigest(),
                "total_rows": len(self._counted_records()),
            }
        }
        with writing_to(folder / home):
            (folder / home).mkdir(parents=True, exist_ok=True)
        target = folder / home / f"{name}.json"
        # The aggregate file comes last: it has the checksum of the other one.
        with replacing(folder / samples, force=force) as stream:
            stream.write(lines)
        with replacing(target, force=force) as stream:
            stream.write(json.dumps(aggregate, indent=2, sort_keys=True) + "\n")
        return target

    def _counted_records(self) -> Sequence[Record]:
        """Return the records that are not excluded."""
        return [record for record in self._records if record.result.status != "excluded"]

    def _aggregate(self) -> dict[str, Any]:
        """Return the contents of the aggregate file, by the schema of the format."""
        publisher = self._publisher
        source = {
            "source_type": "evaluation_run",
            "source_organization_name": publisher.organization,
            "evaluator_relationship": publisher.relationship,
        }
        if publisher.url:
            source["source_organization_url"] = publisher.url
        # Where a model is from, and how it was run, is not in a report.
        return {
            "schema_version": _VERSION,
            "evaluation_id": self._id,
            "retrieved_timestamp": self._timestamp,
            "source_metadata": source,
            "eval_library": {"name": "eai", "version": self._report.package_version},
            "model_info": {
                "name": self._name,
                "id": self._model_id,
                "developer": self._developer,
                "additional_details": {
                    "deployment_type": "unknown",
                    "model_availability": "unknown",
                },
            },
            "evaluation_results": [self._result(metric) for metric in self._metrics],
        }

    def _result(self, metric: Score) -> dict[str, Any]:
        """Return the entry of a metric in the aggregate file."""
        setting = self._report.setting
        # Errors are counted for each task: a plan may have several.
        max_score: str | int = 100
        if metric.unit in _COUNTS:
            max_score = "Infinity"
        return {
            "evaluation_result_id": _result_id(metric),
            "evaluation_name": self._evaluation,
            "source_data": {
                "dataset_name": f"{setting.suite} {setting.version}",
                "source_type": "other",
                "additional_details": {
                    "semantics": setting.semantics,
                    "notes": short("; ".join(self._report.notes)),
                },
            },
            "metric_config": {
                "metric_id": _result_id(metric),
                "metric_name": metric.label,
                "metric_unit": "percent" if metric.is_share else "number",
                "lower_is_better": metric.group in _ERRORS,
                "score_type": "continuous",
                "min_score": 0,
                "max_score": max_score,
            },
            "score_details": {
                "score": metric.value,
                "details": {
                    "numerator": str(metric.numerator),
                    "denominator": str(metric.denominator),
                    "unit": metric.unit,
                },
                **_uncertainty(metric),
            },
        }

    def _instances(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of the instance file: one for each answer that counts."""
        name = self._report.setting.suite
        suite = None
        with suppress(EaiError):  # a suite that is still announced knows what was asked
            if suites().announces(name):
                suite = find_suite(name)
        common: dict[str, Any] = {
            "schema_version": _VERSION,
            "evaluation_id": self._id,
            "model_id": self._model_id,
            "evaluation_name": self._evaluation,
        }
        for metric in self._metrics:
            if metric.unit == "tasks":
                # The first metric of tasks is success, which each answer is evaluated by.
                common["evaluation_result_id"] = _result_id(metric)
                break
        for record in self._counted_records():
            yield common | _instance(record, suite)


def _uncertainty(metric: Score) -> dict[str, Any]:
    """Return the interval of a rate as a field, or nothing for other metrics."""
    if metric.interval is None or metric.unit == "samples":
        return {}
    low, high = metric.interval
    interval = {"lower": low, "upper": high, "confidence_level": 0.95, "method": "Wilson score"}
    uncertainty = {"confidence_interval": interval, "num_samples": metric.denominator}
    return {"uncertainty": uncertainty}


def _part_of_path(text: str) -> str:
    """Return a text as a path component that every system accepts (at most 255 bytes)."""
    part = re.sub(r"[^\w.-]+", "_", text)
    # 120 bytes leave room for what others put before and behind. A letter that is cut in two is
    # left out.
    part = part.encode()[:120].decode(errors="ignore")
    return part.strip(".") or "_"


def _instance(record: Record, suite: Suite | None) -> dict[str, Any]:
    """Return the result of one answer."""
    result = record.result
    # Instruction and reference plans; the identifier if nothing is known of the task any more.
    raw = record.task
    reference: list[str] = []
    if suite is not None:
        with suppress(EaiError):
            task = suite.task(record.task)
            raw = task.instruction or task.name
            for plan in task.plans:
                reference.append(", ".join(str(step) for step in plan))
    errors = [f"{finding.kind}: {finding.message}" for finding in result.findings]
    instance: dict[str, Any] = {
        "sample_id": record.task,
        "sample_hash": hashlib.sha256(_bytes(f"{raw}{reference}")).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": raw, "reference": reference},
        "output": {"raw": [record.output]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": ", ".join(result.plan),
                "extraction_method": f"eai {record.ability} reader",
                "is_terminal": True,
            }
        ],
        "evaluation": {"score": float(result.success), "is_correct": result.success},
        "error": "no prediction" if result.status == "missing" else None,
        "metadata": {
            "category": record.name,
            "semantics": record.semantics,
            "executable": str(result.executable).lower(),
            "errors": "; ".join(errors),
        },
    }
    token_usage = _token_usage(record.usage)
    if token_usage is not None:
        instance["token_usage"] = token_usage
    if COST in record.usage:
        instance["metadata"]["cost"] = f"{record.usage[COST]:.15g}"
    return instance


def _token_usage(usage: Mapping[str, float]) -> dict[str, int] | None:
    """Return numbers of tokens by the names of the format; None if they are not stated.

    Endpoints call them by the names of OpenAI or of Anthropic.
    """
    input_tokens = usage.get("prompt_tokens", usage.get("input_tokens"))
    output_tokens = usage.get("completion_tokens", usage.get("output_tokens"))
    if input_tokens is None or output_tokens is None:
        return None
    total_tokens = usage.get("total_tokens", input_tokens + output_tokens)
    return {
        "input_tokens": int(input_tokens),
        "output_tokens": int(output_tokens),
        "total_tokens": int(total_tokens),
    }


def _bytes(text: str) -> bytes:
    """Return any text as bytes, names of models with lone surrogates included."""
    return text.encode(errors="surrogatepass")


def _result_id(metric: Score) -> str:
    """Return the identifier of a metric: ``eai.goal.task_success_rate``."""
    return f"eai.{metric.group}.{metric.key}"
