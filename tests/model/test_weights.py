from __future__ import annotations

import pytest
import torch

from chef.errors import ChefError
from chef.model.weights import MOST_BYTES, load_weights, save_weights


def test_weights_come_back_in_half_precision(tmp_path):
    tensors = {"a": torch.randn(30, 7), "b": torch.arange(5), "c": torch.tensor(2.5)}
    files = save_weights(tmp_path, tensors)
    loaded = load_weights(tmp_path / name for name in files)
    assert torch.equal(loaded["a"], tensors["a"].half().float())
    assert torch.equal(loaded["b"], tensors["b"])
    assert loaded["c"] == 2.5


def test_every_file_is_under_15_mb_even_for_one_large_tensor(tmp_path):
    rows = 3 * MOST_BYTES // (2 * 100) + 17
    tensors = {"words": torch.arange(rows * 100, dtype=torch.float32).reshape(rows, 100) % 1000}
    tensors["rest"] = torch.ones(MOST_BYTES // 4)
    files = save_weights(tmp_path, tensors)
    assert len(files) >= 4
    assert all((tmp_path / name).stat().st_size < 15_000_000 for name in files)
    loaded = load_weights(tmp_path / name for name in files)
    assert torch.equal(loaded["words"], tensors["words"])
    assert torch.equal(loaded["rest"], tensors["rest"])


def test_a_damaged_file_is_one_line(tmp_path):
    (name,) = save_weights(tmp_path, {"a": torch.ones(100)})
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:60])
    with pytest.raises(ChefError, match="damaged or missing weights: weights-00001"):
        load_weights([tmp_path / name])
