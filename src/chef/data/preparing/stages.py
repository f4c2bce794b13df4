"""The work of a run: the tasks of the worker processes, and the stages that hand them out.

Every chunk of the source becomes a part; the plan becomes word vectors and shards. Each task is done by
the run that claims it.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from chef.data.pool import Pool
from chef.data.prepared import NAME, WORK, Files, stream_facts
from chef.data.preparing.parts import (
    CANONICAL_TEXT,
    RAW_TEXT,
    Plan,
    Shard,
    make_part,
    make_shard,
    shard_names,
)
from chef.data.preparing.source import Chunk, Source
from chef.data.preparing.workplace import (
    DONE,
    PARTS,
    PLAN,
    RAW_VECTORS,
    RAW_VOCABULARY,
    VECTORS,
    VOCABULARY,
    Workplace,
    done,
    part,
)
from chef.data.sharing import Held, Share, Team
from chef.data.texts import PrepareSettings
from chef.errors import ChefError
from chef.progress import Progress
from chef.readers import Skipped
from chef.storage import Store, last_of
from chef.text.vocabulary import Vocabulary
from chef.text.word2vec import train_word2vec


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a task: done, or held by another run."""

    work: str
    holder: str = ""  # the other run; "": it is done
    files: Files = field(default_factory=dict)
    recipes: int = 0


def shared(
    store: Store, share: Share | None, work: str, is_done: Callable[[], bool], do: Callable[[], Outcome]
) -> Outcome:
    """Do the work unless it is done or another run holds it. A run that is alone (no share) just does it.

    Every task gives the same bytes whichever run does it.
    """
    if share is None:
        return do()

    def is_over() -> bool:
        return is_done() or store.size(NAME) is not None

    try:
        holder = share.holder(store, work)
        if holder != share.token:
            return Outcome(work, holder)
        return Outcome(work) if is_over() else do()
    except (OSError, ChefError):
        # While we were suspended others may have finished and removed what we were reading.
        if is_over():
            return Outcome(work)
        raise


def part_task(store: Store, share: Share | None, chunk: Chunk, settings: PrepareSettings) -> Outcome:
    """A chunk of recipes becomes a part."""

    def is_done() -> bool:
        # Once there is a plan all parts were there, and those that are used up are gone.
        return store.size(part(chunk.name)) is not None or store.size(PLAN) is not None

    def do() -> Outcome:
        make_part(store, chunk, settings)
        return Outcome(chunk.name, recipes=len(chunk.recipes))

    return shared(store, share, chunk.name, is_done, do)


def shard_task(store: Store, share: Share | None, shard: Shard) -> Outcome:
    """Recipes of parts become a shard."""
    name = shard_names(shard.name)[0]

    def do() -> Outcome:
        # Both exist without a marker: the run that made them was killed at just that moment.
        written = all(store.size(path) is not None for path in shard_names(shard.name))
        files = _facts(store, *shard_names(shard.name)) if written else make_shard(store, shard)
        return _finished(store, name, files)

    return shared(store, share, name, lambda: store.size(done(name)) is not None, do)


def vector_task(store: Store, share: Share | None, name: str, settings: PrepareSettings) -> Outcome:
    """The training text becomes word vectors."""

    def is_done() -> bool:
        return store.size(done(name)) is not None

    def do() -> Outcome:
        if store.size(name) is None:
            data = vectors_file(store, name, settings)
            # Another kind of processor may round differently: what others made in the meantime must stay.
            if share is not None and is_done():
                return Outcome(name)
            store.write(name, data)
        return _finished(store, name, _facts(store, name))

    return shared(store, share, name, is_done, do)


def _facts(store: Store, *names: str) -> Files:
    """The checksums of existing files."""
    files: Files = {}
    for name in names:
        with store.open(name, ahead=8 << 20) as file:
            files[name] = stream_facts(file)
    return files


def _finished(store: Store, name: str, files: Files) -> Outcome:
    """Write the marker of a finished result, with its checksums."""
    store.write(done(name), json.dumps(files).encode())
    return Outcome(name, files=files)


# The vectors, the vocabulary that they are for, and the text that they are trained on.
OF = {VECTORS: (VOCABULARY, CANONICAL_TEXT), RAW_VECTORS: (RAW_VOCABULARY, RAW_TEXT)}


class TextFile:
    """The sentences of a text file, one per line; can be read repeatedly."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[list[str]]:
        with self._path.open(encoding="utf-8") as file:
            for line in file:
                yield line.split()


def vectors_file(store: Store, name: str, settings: PrepareSettings) -> bytes:
    """Train word vectors; the bytes of the file `name`, one of the two of `OF`."""
    from safetensors.numpy import save

    words, sentences = OF[name]
    with store.local(f"{WORK}/{words}") as vocabulary, store.local(f"{WORK}/{sentences}") as text:
        vectors = train_word2vec(
            TextFile(text),
            Vocabulary.load(vocabulary),
            dimension=settings.dimension,
            window=settings.window,
            epochs=settings.epochs,
            seed=settings.seed,
        )
    return save({"vectors": vectors})


@dataclass(frozen=True, slots=True)
class Context:
    """What all stages of a run share; the run is alone or one of a team."""

    place: Workplace
    recipes: Source
    settings: PrepareSettings
    chosen: dict[str, Any]  # all settings, as the manifest lists them
    progress: Progress
    team: Team | None
    pool: Pool

    @property
    def store(self) -> Store:
        """The place to prepare the data in."""
        return self.place.store

    def share(self) -> Share | None:
        """What the workers need to know about the team; None for a run that is alone."""
        return self.team.share() if self.team else None

    def has(self, name: str) -> bool:
        """Whether a file exists."""
        return self.store.size(name) is not None

    def is_finished(self) -> bool:
        """Whether all is done, by us or by others."""
        return self.has(NAME)

    def do(self, tasks: Iterable[Callable[[], Outcome]], held: Held) -> Iterator[Outcome]:
        """Have the workers do tasks; yields what we did and notes in `held` what others are doing."""
        for outcome in self.pool.run(tasks):
            if outcome.holder:
                held[outcome.work] = outcome.holder
            else:
                yield outcome

    def by_one(self, work: str, do: Callable[[], object], is_done: Callable[[], bool]) -> None:
        """Work for a single run; the others of its team wait until it is done."""

        def did() -> Outcome:
            do()
            return Outcome(work)

        def attempt(_: set[str]) -> Held:
            outcome = shared(self.store, self.share(), work, is_done, did)
            return {work: outcome.holder} if outcome.holder else {}

        if self.team is None:
            do()
        else:
            list(self.team.see_through({work: ""}, lambda _: is_done(), attempt, self.is_finished))

    def other_source(self) -> ChefError:
        """The error for a team whose members read different sources."""
        problem = f"{self.store.place()} holds unfinished work on other recipes"
        return ChefError(problem, "give the same source on all machines, or remove that work and start again")


# Chunks among which a run of a team picks one: runs that go in the same order would collide at every step.
_CHOICE = 32


class Parts:
    """Stage 1: the parts of a source, made unless they exist.

    `digests` are those of all chunks in order, `skipped` what the reader left out; both after `make`.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self.digests: list[str] = []
        self.skipped = Skipped()

    def make(self) -> None:
        """Make the missing parts; with a team, wait until all exist."""
        context = self._context
        context.progress.stage("recipes")
        held = self._do(self._first_tasks())
        self.skipped = context.recipes.skipped
        if not self.digests:
            raise self.skipped.nothing_from(context.recipes.name)
        if context.team is not None:
            exists = lambda name: context.has(part(name))  # noqa: E731
            is_over = lambda: context.has(PLAN) or context.is_finished()  # noqa: E731
            for _ in context.team.see_through(held, exists, self._again, is_over):
                context.progress.advance(context.settings.part_recipes)

    def _first_tasks(self) -> Iterator[Callable[[], Outcome]]:
        context = self._context
        there = {last_of(name) for name in context.store.listing(PARTS)}
        share = context.share()
        chunks = self._chunks()
        for chunk in chunks if share is None else _mixed(chunks):
            if chunk.name in there:
                context.progress.advance(len(chunk.recipes))
            else:
                yield partial(part_task, context.store, share, chunk, context.settings)

    def _chunks(self) -> Iterator[Chunk]:
        for chunk in self._context.recipes.chunks():
            self.digests.append(chunk.digest)
            yield chunk

    def _again(self, wanted: set[str]) -> Held:
        """Try the parts that nobody is making any more; the source is read again for their recipes."""
        context, left = self._context, set(wanted)

        def tasks() -> Iterator[Callable[[], Outcome]]:
            share = context.share()
            for chunk in context.recipes.chunks():
                if chunk.name in left:
                    left.remove(chunk.name)
                    yield partial(part_task, context.store, share, chunk, context.settings)
                if not left:
                    return
            raise ChefError("the source has changed while it was read", "run the same command again")

        return self._do(tasks())

    def _do(self, tasks: Iterator[Callable[[], Outcome]]) -> Held:
        held = Held()
        for outcome in self._context.do(tasks, held):
            self._context.progress.advance(outcome.recipes)
        return held


def _mixed(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """All chunks, each taken at random from the next few."""
    waiting: list[Chunk] = []
    for chunk in chunks:
        waiting.append(chunk)
        if len(waiting) == _CHOICE:
            yield waiting.pop(random.randrange(_CHOICE))
    random.shuffle(waiting)
    yield from waiting


_AT_ONCE = 16  # markers fetched at the same time


class Results:
    """Stage 3: the word vectors and shards of a plan, made unless they exist."""

    def __init__(self, context: Context, plan: Plan) -> None:
        self._context = context
        self._files: Files = {}
        self._shards = {shard_names(shard.name)[0]: shard for shard in plan.shards}
        # Word vectors take longest and so go first.
        self._works = [VECTORS, RAW_VECTORS, *self._shards]
        self._uses: dict[str, set[str]] = defaultdict(set)  # part to the shards that it is needed for
        for name, shard in self._shards.items():
            for piece in shard.pieces:
                self._uses[piece.part].add(name)

    def make(self) -> None:
        """Make what is missing; with a team, wait until all exists."""
        context = self._context
        context.progress.stage("word vectors and shards", len(self._works))
        marks = set(context.store.listing(DONE))
        left = [work for work in self._works if done(work) not in marks]
        context.progress.advance(len(self._works) - len(left))
        unmade = set(left)
        # A killed run may have left parts of shards that it had made.
        for name in list(context.store.listing(PARTS)):
            if not self._uses[last_of(name)] & unmade:
                context.store.remove(name)
        held = self._do(left)
        again = lambda wanted: self._do(sorted(wanted))  # noqa: E731
        if context.team is not None:
            for _ in context.team.see_through(held, self._is_done, again, context.is_finished):
                context.progress.advance()

    def files(self) -> Files:
        """All files that were made, by us or by others, with their checksums."""
        missing = [work for work in self._works if work not in self._files]
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            for mark in threads.map(self._context.store.read, map(done, missing)):
                self._files.update(json.loads(mark))
        return dict(self._files)

    def _tasks(self, works: Iterable[str]) -> Iterator[Callable[[], Outcome]]:
        context, share = self._context, self._context.share()
        for work in works:
            if work in self._shards:
                yield partial(shard_task, context.store, share, self._shards[work])
            else:
                yield partial(vector_task, context.store, share, work, context.settings)

    def _do(self, works: Iterable[str]) -> Held:
        """Do the works; returns those that others hold."""
        held = Held()
        for outcome in self._context.do(self._tasks(works), held):
            self._files.update(outcome.files)
            # Remove the parts whose recipes are all in shards by now: they take as much space as the shards.
            for piece in self._shards[outcome.work].pieces if outcome.work in self._shards else ():
                left = self._uses[piece.part]
                left.discard(outcome.work)
                if all(map(self._is_done, left)):  # by others of the team
                    self._context.store.remove(part(piece.part))
            self._context.progress.advance()
        return held

    def _is_done(self, work: str) -> bool:
        return self._context.has(done(work))
