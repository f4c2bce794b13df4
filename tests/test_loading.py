from __future__ import annotations

import gc

import pytest

from chef.loading import loading


def test_the_collector_rests_inside_and_works_again_afterwards_and_after_an_error():
    assert gc.isenabled()
    with loading():
        assert not gc.isenabled()
        with loading():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="no"), loading():
        raise ValueError("no")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with loading():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
