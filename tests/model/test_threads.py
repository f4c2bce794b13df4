from __future__ import annotations

import pytest
import torch

from chef.model.threads import one_thread


@pytest.fixture
def three_threads():
    usual = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(usual)


@pytest.mark.usefixtures("three_threads")
def test_one_inside_and_as_before_afterwards():
    with one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 3
    with pytest.raises(ValueError, match="no"), one_thread():
        raise ValueError("no")
    assert torch.get_num_threads() == 3


@pytest.mark.usefixtures("three_threads")
def test_all_of_them_where_one_is_not_wanted():
    with one_thread(wanted=False):
        assert torch.get_num_threads() == 3
    assert torch.get_num_threads() == 3
