"""Stage 1: every chunk of the source becomes a part."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from chef.data.preparing.claims import Outcome
from chef.data.preparing.context import Context
from chef.data.preparing.names import PARTS, PLAN, part
from chef.data.preparing.source import Chunk
from chef.data.preparing.tasks import part_task
from chef.data.sharing.team import Held
from chef.errors import ChefError
from chef.readers import Skipped
from chef.storage import last_of

# Chunks among which a run of a team picks one: runs that go the same way would meet at every step.
_CHOICE = 32


class Parts:
    """The parts of a source: made, or found made.

    `digests` are those of all chunks in order, `skipped` what the reader left out; both after `make`.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self.digests: list[str] = []
        self.skipped = Skipped()

    def make(self) -> None:
        """Make those parts that are not there; with a team, until all are there."""
        context, held = self._context, Held()
        context.progress.stage("recipes")
        self._advance(context.do(self._first_tasks(), held))
        self.skipped = context.recipes.skipped
        if not self.digests:
            raise self.skipped.nothing_from(context.recipes.name)
        if context.team is not None:
            for _ in context.team.see_through(held, self._is_there, self._again, self._is_over):
                context.progress.advance(context.settings.part_recipes)

    def _first_tasks(self) -> Iterator[Callable[[], Outcome]]:
        context = self._context
        there = {last_of(name) for name in context.store.listing(PARTS)}
        share = context.share()
        chunks = self._noted()
        for chunk in chunks if share is None else _mixed(chunks):
            if chunk.name in there:
                context.progress.advance(len(chunk.recipes))
            else:
                yield partial(part_task, context.store, share, chunk, context.settings)

    def _noted(self) -> Iterator[Chunk]:
        for chunk in self._context.recipes.chunks():
            self.digests.append(chunk.digest)
            yield chunk

    def _again(self, wanted: set[str]) -> Held:
        """Try the parts that nobody has any more; the source is read again for their recipes."""
        held = Held()
        self._advance(self._context.do(self._wanted_tasks(set(wanted)), held))
        return held

    def _wanted_tasks(self, wanted: set[str]) -> Iterator[Callable[[], Outcome]]:
        context, share = self._context, self._context.share()
        for chunk in context.recipes.chunks():
            if chunk.name in wanted:
                wanted.remove(chunk.name)
                yield partial(part_task, context.store, share, chunk, context.settings)
            if not wanted:
                return
        raise ChefError("the source has changed while it was read", "run the same command again")

    def _advance(self, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            self._context.progress.advance(outcome.recipes)

    def _is_there(self, name: str) -> bool:
        return self._context.has(part(name))

    def _is_over(self) -> bool:
        return self._context.has(PLAN) or self._context.is_finished()


def _mixed(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """All chunks, each taken at random from the next few."""
    waiting: list[Chunk] = []
    for chunk in chunks:
        waiting.append(chunk)
        if len(waiting) == _CHOICE:
            yield waiting.pop(random.randrange(_CHOICE))
    random.shuffle(waiting)
    yield from waiting
