"""Stage 3: the plan becomes word vectors and shards."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from chef.data.manifest import Files
from chef.data.preparing.build_shards import shard_names
from chef.data.preparing.claims import Outcome
from chef.data.preparing.context import Context
from chef.data.preparing.names import DONE, PARTS, RAW_VECTORS, VECTORS, done, part
from chef.data.preparing.plan import Plan
from chef.data.preparing.tasks import shard_task, vector_task
from chef.data.sharing.team import Held
from chef.storage import last_of

_AT_ONCE = 16  # marks fetched at the same time


class Results:
    """The word vectors and shards of a plan: made, or found made."""

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
        """Make what is not there; with a team, until all is there."""
        context, held = self._context, Held()
        context.progress.stage("word vectors and shards", len(self._works))
        marks = set(context.store.listing(DONE))
        left = [work for work in self._works if done(work) not in marks]
        context.progress.advance(len(self._works) - len(left))
        self._give_back_early(set(left))
        self._finish(context.do(self._tasks(left), held))
        if context.team is not None:
            seen = context.team.see_through(held, self._is_done, self._again, context.is_finished)
            for _ in seen:
                context.progress.advance()

    def files(self) -> Files:
        """All that was made, by us or by others, with checksums."""
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

    def _again(self, wanted: set[str]) -> Held:
        held = Held()
        self._finish(self._context.do(self._tasks(sorted(wanted)), held))
        return held

    def _finish(self, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            self._files.update(outcome.files)
            if outcome.work in self._shards:
                self._give_back(outcome.work)
            self._context.progress.advance()

    def _give_back(self, made: str) -> None:
        """Remove the parts whose recipes are all in shards by now: they take as much space again."""
        for piece in self._shards[made].pieces:
            left = self._uses[piece.part]
            left.discard(made)
            if all(self._is_done(shard) for shard in left):  # by others of the team
                self._context.store.remove(part(piece.part))

    def _give_back_early(self, left: set[str]) -> None:
        """The same for what was done before; a killed run may have left a few."""
        for name in list(self._context.store.listing(PARTS)):
            if not self._uses[last_of(name)] & left:
                self._context.store.remove(name)

    def _is_done(self, work: str) -> bool:
        return self._context.has(done(work))
