"""Tasks of a release as they are stored: converted once, then read one by one.

A folder in the cache has a JSON file for each task (:class:`StoredTask`) and one for what they
share (:class:`SharedData`), each below a line with its name and its SHA-256. A file that was
changed or moved afterwards is not read, but made anew from the release, whose own hash is pinned.
A task lists the atoms in which its start differs from what they share: tasks that play in one flat
hardly differ.
"""

from __future__ import annotations

import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from eai import world
from eai.digests import sha256_digest
from eai.errors import DataError, DataMissingError, check_name
from eai.suites.shared.data import EAI_EVAL, Progress, located, release_folder, storing
from eai.task import Goal, Task, Vocabulary

if TYPE_CHECKING:
    from eai.pddl import Domain
    from eai.suites.shared.archive import TaskArchive
    from eai.world import Action, State

_FORMAT = 5
"""Version of the stored form. To be raised as well when a domain or its classes change: starts are
stored in the words of the domain."""

_SHARED = "collection"
_ENDING = ".json"
# The end of the name of a file that is being written.
_PART = ".part"
_encode = json.JSONEncoder(separators=(",", ":")).encode
_ABANDONED = 3600
"""Seconds after which nobody goes on writing a file."""

Numbers = Mapping[str, list[int]]
"""Predicate (of one or two objects) to the objects of its atoms, one atom after the other. Objects
have the numbers of their places: first those that the collection lists, then those of the task."""


class SharedData(NamedTuple):
    """The data that all tasks share. ``metadata`` holds everything else that concerns all tasks."""

    names: Mapping[str, str]  # identifier to name of every task, in the order of the release
    actions: Mapping[str, int] = {}  # with the objects that a plan gives
    predicates: Mapping[str, int] = {}  # with their arities
    objects: Mapping[str, str] = {}  # those in every task, with types
    atoms: Mapping[str, list[int]] = {}  # what holds of these objects, as Numbers
    metadata: Mapping[str, Any] = {}


class StoredStart(NamedTuple):
    """The initial state of a task.

    ``atoms`` are those in which it differs: one of the collection does not hold, any other holds.
    """

    types: Mapping[str, str] = {}  # new ones, with those above them
    objects: Mapping[str, str] = {}  # those that it adds, with types
    atoms: Mapping[str, list[int]] = {}  # Numbers

    @property
    def text(self) -> str:
        """The start as JSON."""
        return _json(self)


class StoredTask(NamedTuple):
    """One task.

    ``start`` is the JSON of a :class:`StoredStart`. It is most of a file, and evaluating goals or
    operators needs none, so it stays text until the start is first needed. ``goal`` is the goal as
    annotated: ``text``, and as far as they are annotated apart from it ``final`` (atoms) and
    ``actions`` (alternatives are separated by ``|``).
    """

    id: str
    name: str  # its category
    instruction: str = ""
    start: str = "{}"
    goal: Mapping[str, Any] = {}
    plans: Sequence[list[list[str]]] = ()  # the words of each step
    vocabulary: Sequence[str] = ()  # objects that an answer may mention
    metadata: Mapping[str, Any] = {}


_Stored = TypeVar("_Stored", SharedData, StoredTask)


def numbered(atoms: Iterable[tuple[str, ...]], objects: Iterable[str]) -> dict[str, list[int]]:
    """Return atoms by predicate, as one flat list of object indices for each predicate.

    Example:
        >>> numbered([("on", "cup", "table"), ("on", "jar", "table")], ["cup", "jar", "table"])
        {'on': [0, 2, 1, 2]}
    """
    index_of = {name: index for index, name in enumerate(objects)}
    indexed_atoms: list[tuple[str, list[int]]] = []
    for predicate, *names in atoms:
        indexed_atoms.append((predicate, [index_of[name] for name in names]))
    indices_by_predicate: dict[str, list[int]] = {}
    for predicate, indices in sorted(indexed_atoms):
        indices_by_predicate.setdefault(predicate, []).extend(indices)
    return indices_by_predicate


def atoms_of(shared: SharedData, domain: Domain) -> set[tuple[str, ...]]:
    """Return the atoms that hold for the objects which are in every task."""
    names = list(shared.objects)
    atoms: set[tuple[str, ...]] = set()
    for predicate, flat in shared.atoms.items():
        for numbers in _rows(flat, domain.predicates[predicate].arity):
            atoms.add((predicate, *[names[number] for number in numbers]))
    return atoms


def by_class(named: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Group pairs of an object and its class: class to its objects, in their order."""
    members: dict[str, list[str]] = {}
    for name, kind in named:
        members.setdefault(kind, []).append(name)
    return {kind: tuple(names) for kind, names in members.items()}


def _rows(flat: list[int], arity: int) -> Iterator[tuple[int, ...]]:
    """Split the numbers of a predicate into the arguments of its atoms."""
    numbers = iter(flat)
    # zip takes from the same iterator ``arity`` times for each tuple.
    return zip(*[numbers] * arity, strict=True)


class ReleaseStore(ABC):
    """The stored tasks of one release.

    A file that is missing, changed, damaged or of another version is made when it is asked for; if
    the release is not in the cache either, that is a :class:`DataMissingError`.

    Args:
        folder: Where the files are; by default beside the release in the cache.
        wheel: The release; by default the one in the cache.
    """

    name: str
    """The benchmark; begins the name of the folder."""

    def __init__(self, folder: Path | None = None, *, wheel: Path | None = None) -> None:
        self.folder = folder or release_folder(EAI_EVAL) / f"{self.name}-{_FORMAT}"
        self._wheel = wheel

    @abstractmethod
    def archive(self, wheel: Path) -> TaskArchive:
        """Open the release."""

    @cached_property
    def shared(self) -> SharedData:
        """The data that all tasks share, read once."""
        stored = self._load(_SHARED, SharedData)
        if stored is not None:
            return stored
        with self._opened() as archive:
            return self._write(_SHARED, archive.collection())

    @property
    def ids(self) -> tuple[str, ...]:
        """Identifiers of all tasks, in the order of the release."""
        return tuple(self.shared.names)

    def task(self, task: str) -> StoredTask:
        """Read one task."""
        check_name("task", task, self.shared.names)
        # Mostly one small file is read; only if it is damaged or missing, the release is opened.
        stored = self._load(task, StoredTask)
        if stored is not None:
            return stored
        with self._opened() as archive:
            return self._write(task, archive.task(task, self.shared))

    def fill(self, *, progress: Progress | None = None, force: bool = False) -> int:
        """Create the missing files, and return how many tasks were converted."""
        with self._opened() as archive:
            if force or self._load(_SHARED, SharedData) is None:
                self.shared = self._write(_SHARED, archive.collection())
            missing = [task for task in self.ids if force or self._load(task, StoredTask) is None]
            for done, task in enumerate(missing, start=1):
                self._write(task, archive.task(task, self.shared))
                if progress:
                    progress("converting", done, len(missing))
        return len(missing)

    def verify(self) -> list[Path]:
        """Return the stored files that were changed after they were written.

        A file begins with the hash of its contents. If the release is in the cache, the contents
        are also compared with those that it gives for the task.
        """
        paths = sorted(self.folder.glob(f"[!.]*{_ENDING}"))
        changed = {path for path in paths if _body(path.stem, path.read_bytes()) is None}
        with suppress(DataMissingError), self._opened() as archive:
            shared = archive.collection()
            for path in paths:
                if path in changed:
                    continue
                if path.read_bytes() != _content_of(path.stem, archive, shared):
                    changed.add(path)
        return sorted(changed)

    def _opened(self) -> TaskArchive:
        """Open the release and remove leftovers of interrupted conversions."""
        # Remove half-written files of processes that were killed; writing one takes moments.
        for part in self.folder.glob(f".*{_PART}"):
            with suppress(OSError):  # another process was quicker, or the folder is read-only
                if time.time() - part.stat().st_mtime > _ABANDONED:
                    part.unlink()
        return self.archive(self._wheel or located(EAI_EVAL))

    def _path(self, name: str) -> Path:
        """Return the path of a stored file."""
        return self.folder / f"{name}{_ENDING}"

    def _load(self, name: str, form: type[_Stored]) -> _Stored | None:
        """Return a stored value, or None if it is absent, damaged or of another version."""
        path = self._path(name)
        try:
            body = _body(name, path.read_bytes())
            if body is None:
                return None
            return form(**json.loads(body))
        # The store is a cache, and an unusable file is written again.
        except (FileNotFoundError, TypeError, ValueError):
            return None
        except OSError as problem:
            raise DataError(
                f"the cached task cannot be read ({problem.strerror})",
                where=str(path),
                mend="make it readable, or set EAI_CACHE to a folder of your own",
            ) from problem

    def _write(self, name: str, value: _Stored) -> _Stored:
        """Write a file atomically, and return the value that reading it gives."""
        path = self._path(name)
        body = _written_as(value)
        part = path.with_name(f".{path.name}.{os.urandom(16).hex()}{_PART}")
        with storing(path, needed=len(body)):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                part.write_bytes(_head(name, body) + b"\n" + body)
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
        return type(value)(**json.loads(body))


def _written_as(value: SharedData | StoredTask) -> bytes:
    """Return the JSON of a file below its first line, the same bytes for the same value."""
    return _json(value).encode("ascii")


def _json(value: SharedData | StoredTask | StoredStart) -> str:
    """Return a value as JSON without blanks."""
    return _encode(value._asdict())


def _content_of(name: str, archive: TaskArchive, shared: SharedData) -> bytes | None:
    """Return the expected content of a file, or None if the store has no such file.

    Args:
        name: Name of the file.
        archive: The release.
        shared: The data that all tasks share.
    """
    if name == _SHARED:
        body = _written_as(shared)
    elif name in shared.names:
        body = _written_as(archive.task(name, shared))
    else:
        return None
    return _head(name, body) + b"\n" + body


def _head(name: str, body: bytes) -> bytes:
    """Return the first line of a file: its format, its name, and the hash of the other lines."""
    about = {"format": _FORMAT, "name": name, "sha256": sha256_digest(body).hex()}
    return _encode(about).encode("ascii")


def _body(name: str, content: bytes) -> bytes | None:
    """Return the lines below the first; None if the first does not vouch for them."""
    head, _, body = content.partition(b"\n")
    if head != _head(name, body):
        return None
    return body


class StartedTask(Task):
    """A task that is read when more than its identifier and its name is needed.

    Evaluating operators needs no more than these, so no file is opened for it. The start may be a
    function, which is called when the start is first needed: making it takes most of the time of
    reading, and evaluating goals needs none.
    """

    __slots__ = ("_read", "_start")

    _read: Callable[[], Task]
    _start: State | Callable[[], State]

    @classmethod
    def unread(cls, task: str, name: str, read: Callable[[], StartedTask]) -> StartedTask:
        """Return a task of which only identifier and name are known yet.

        Args:
            task: Identifier.
            name: Category.
            read: Returns the whole task.
        """
        unread = cls.__new__(cls)
        for slot, value in (("id", task), ("name", name), ("_read", read)):
            object.__setattr__(unread, slot, value)
        return unread

    if not TYPE_CHECKING:  # else every attribute would seem to exist

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401
            """Read the task when an attribute is needed that is not there yet."""
            if name not in _READ_LATER:
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            task = self._read()
            for slot in _READ_LATER:
                object.__setattr__(self, slot, getattr(task, slot))
            return getattr(task, name)

    @property
    def start(self) -> State:
        """The initial state."""
        if callable(self._start):
            object.__setattr__(self, "_start", self._start())
        return self._start  # type: ignore[return-value]

    @start.setter
    def start(self, value: State | Callable[[], State]) -> None:
        object.__setattr__(self, "_start", value)


_READ_LATER = {field.name for field in fields(Task)} - {"id", "name", "start"} | {"_start"}
"""Attributes of a task that are not there before it is read."""


class TaskStore(ReleaseStore):
    """Stored tasks that play in the world of a domain."""

    form: ClassVar[type[StartedTask]] = StartedTask
    """The class of its tasks."""
    agent: ClassVar[str]
    """The object that acts in every task."""

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The domain of all its tasks."""

    @abstractmethod
    def goal(self, task: StoredTask) -> Goal:
        """Return the goal of a task."""

    @abstractmethod
    def class_of(self, name: str) -> str:
        """Return the class of an object, which answers may name instead; empty if it has none."""

    @classmethod
    def opened(cls) -> TaskStore:
        """Return the store beside the release in the cache, made once for each ``EAI_CACHE``."""
        # Every task is asked for by this way: where the cache is, is not worked out each time.
        return _opened(cls, os.environ.get("EAI_CACHE"))

    def load(self, task: str) -> Task:
        """Return one task, which is read when more than its name is needed."""
        check_name("task", task, self.shared.names)
        return self.form.unread(task, self.shared.names[task], partial(self._whole_task, task))

    def _whole_task(self, task: str) -> StartedTask:
        """Read one task."""
        stored = self.task(task)
        classes = by_class((name, self.class_of(name)) for name in stored.vocabulary)
        classes.pop("", None)  # objects without a class
        return self.form(
            stored.id,
            stored.name,
            stored.instruction,
            start=partial(self._start, stored.start),  # type: ignore[arg-type]  # see StartedTask
            agent=self.agent,
            goal=self.goal(stored),
            vocabulary=Vocabulary(
                self.shared.actions,
                self.shared.predicates,
                frozenset(stored.vocabulary),
                classes,
            ),
            plans=tuple(map(_plan, stored.plans)),
            metadata=stored.metadata,
        )

    @cached_property
    def _base(self) -> State:
        """The state of the objects that are in every task."""
        universe = world.Universe(self.domain, self.shared.objects)
        base = world.State(world.Layout(self.domain), universe)
        _flip(base, self.shared.atoms)
        return base

    def _start(self, text: str) -> State:
        """Return the initial state of a task: the shared state with the changes of the task.

        Args:
            text: The JSON of a :class:`StoredStart`.
        """
        try:
            start = StoredStart(**json.loads(text))
        except (TypeError, ValueError) as error:
            raise DataError(
                f"a stored task has a start that cannot be read ({error})",
                mend=f"eai data fetch {EAI_EVAL.name} --force",
            ) from error
        domain = self.domain
        if start.types:
            domain = replace(domain, types={**start.types, **domain.types})
        objects = {**self.shared.objects, **start.objects}
        state = self._base.enlarged(world.Universe(domain, objects))
        _flip(state, start.atoms)
        return state


def _plan(steps: Iterable[Iterable[str]]) -> tuple[Action, ...]:
    """Return a stored plan: ``["grab", "cup.1"]`` is a step on the object ``cup.1``."""
    return tuple([world.Action(name, tuple(objects)) for name, *objects in steps])


@cache
def _opened(form: type[TaskStore], _cache: str | None) -> TaskStore:
    """Return the store of a release; where the cache is, is part of the key, as it may change."""
    return form()


def _flip(state: State, atoms: Numbers) -> None:
    """Invert the truth of atoms in a state.

    Args:
        state: The state, which is changed.
        atoms: The atoms by predicate, as flat lists of object numbers (see :func:`numbered`).
    """
    layout = state.layout
    for predicate, numbers in atoms.items():
        index = layout.index.get(predicate)
        if index is None:
            raise DataError(
                f"a stored task has the predicate {predicate!r}, which its domain does not declare",
                mend=f"eai data fetch {EAI_EVAL.name} --force",
            )
        if layout.arity[index] == 1:
            for number in numbers:
                state.unary[index] ^= 1 << number
        else:
            # A relation is kept twice, as the bits of its rows and of its columns.
            rows, cols = state.rows[index], state.cols[index]
            for first, second in _rows(numbers, 2):
                rows[first] ^= 1 << second
                cols[second] ^= 1 << first
