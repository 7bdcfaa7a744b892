"""A task with all that is in its scene, beyond what is relevant to it."""

from __future__ import annotations

from dataclasses import replace

from eai.simulators.virtualhome_model import object_class
from eai.task import Task

__all__ = ["with_whole_scene"]


def with_whole_scene(task: Task) -> Task:
    """The task with every object of its scene in the vocabulary, the relevant ones first."""
    names, known = task.start.universe.names, task.vocabulary.objects
    if len(known) == len(names):
        return task
    classes = {name: list(objects) for name, objects in task.vocabulary.classes.items()}
    for name in names:
        if name not in known:
            classes.setdefault(object_class(name), []).append(name)
    vocabulary = replace(
        task.vocabulary,
        objects=frozenset(names),
        classes={name: tuple(objects) for name, objects in classes.items()},
    )
    return replace(task, vocabulary=vocabulary)
