"""How the processes of one start find each other, and none of an earlier start."""

from __future__ import annotations

import time
from datetime import timedelta
from uuid import uuid4

from torch.distributed import DistError
from torch.distributed.distributed_c10d import PrefixStore, Store


def fresh_store(store: Store, rank: int, size: int, patience: timedelta = timedelta(minutes=30)) -> Store:
    """A part of the common store that nobody has written to yet, the same for all processes of this start.

    torchrun keeps its store when it starts the processes again, and in it the addresses of those that died:
    who finds such a one waits for the dead (pytorch issue 135712). So the first process chooses a name that
    was never used. The others ask for it under a name that was never used either, so that no answer can be
    an old one; and the first answers until all have told that they know.
    """
    if rank:
        asker = uuid4().hex
        store.set(f"chef/asks/{rank}", asker)
        name = store.get(f"chef/answers/{asker}").decode()  # waits for it
        store.add(f"chef/knows/{name}", 1)
    else:
        name = uuid4().hex
        _answer(store, name, size, time.monotonic() + patience.total_seconds())
    return PrefixStore(name, store)


def _answer(store: Store, name: str, size: int, end: float) -> None:
    answered = set()
    while store.add(f"chef/knows/{name}", 0) < size - 1:
        for key in (f"chef/asks/{rank}" for rank in range(1, size)):
            asker = store.get(key).decode() if store.check([key]) else ""
            if asker and asker not in answered:  # perhaps of an earlier start: nobody reads that answer
                store.set(f"chef/answers/{asker}", name)
                answered.add(asker)
        if time.monotonic() > end:
            raise DistError("some processes have not come")
        time.sleep(0.02)
