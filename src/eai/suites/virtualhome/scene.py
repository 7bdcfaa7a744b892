"""A task with all that is in its scene, beyond what is relevant to it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from eai.simulators.virtualhome_model import object_class
from eai.task import Task

__all__ = ["with_whole_scene"]


def with_whole_scene(task: Task) -> Task:
    """The task with every object of its scene in the vocabulary, the relevant ones first."""
    names, known = task.start.universe.names, task.vocabulary.objects
    if len(known) == len(names):
        return task
    everything, members = _by_class(names)
    classes = dict(task.vocabulary.classes)
    for name, objects in members.items():
        more = [each for each in objects if each not in known]
        if more:
            classes[name] = (*classes.get(name, ()), *more)
    return replace(task, vocabulary=replace(task.vocabulary, objects=everything, classes=classes))


@lru_cache(maxsize=64)
def _by_class(names: tuple[str, ...]) -> tuple[frozenset[str], dict[str, list[str]]]:
    """The objects of a scene, as a set and by class: many tasks are about the same scene."""
    members: dict[str, list[str]] = {}
    for name in names:
        members.setdefault(object_class(name), []).append(name)
    return frozenset(names), members
