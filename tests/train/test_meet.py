from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
import torch.distributed as distributed

from chef.train.meet import fresh_store


def meet(store: distributed.Store, size: int, delays: list[float]) -> list[bytes]:
    """What each process of one start reads where the first has written; each begins after its delay."""
    read: list[bytes] = [b""] * size

    def join(rank: int) -> None:
        time.sleep(delays[rank])
        own = fresh_store(store, rank, size)
        if not rank:
            own.set("address", str(delays))
        read[rank] = own.get("address")

    threads = [threading.Thread(target=join, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return read


# The first one comes first, and sees nothing but the questions of the dead; or last; all at once.
@pytest.mark.parametrize("delays", [[0.0, 0.3, 0.4, 0.5], [0.4, 0.0, 0.1, 0.0], [0.0, 0.0, 0.0, 0.0]])
def test_a_new_start_finds_nothing_of_the_one_before(delays):
    store = distributed.HashStore()
    assert meet(store, 4, [0.0, 0.1, 0.1, 0.1]) == [b"[0.0, 0.1, 0.1, 0.1]"] * 4
    assert meet(store, 4, delays) == [str(delays).encode()] * 4
    assert meet(store, 2, [0.05, 0.0]) == [b"[0.05, 0.0]"] * 2  # fewer


def test_who_waits_in_vain_says_so():
    with pytest.raises(distributed.DistError, match="have not come"):
        fresh_store(distributed.HashStore(), 0, 2, timedelta(seconds=0.1))
