from __future__ import annotations

from threading import Thread

import torch
from torch import nn

from chef.model.blank import blank


def test_nothing_is_drawn_inside_and_all_is_usual_after() -> None:
    before = torch.random.get_rng_state()
    with blank():
        nn.Linear(50, 50)
        nn.LSTM(5, 5)
        nn.init.orthogonal_(torch.zeros(9, 9))
    assert torch.equal(torch.random.get_rng_state(), before)
    assert float(nn.init.orthogonal_(torch.zeros(9, 9)).abs().max()) > 0


def test_other_threads_draw_as_ever() -> None:
    norms: list[nn.BatchNorm1d] = []
    with blank():
        thread = Thread(target=lambda: norms.append(nn.BatchNorm1d(7)))
        thread.start()
        thread.join()
    assert norms[0].weight.tolist() == [1.0] * 7
