"""Signs of life, and clocks that jump."""

import json
import os
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.data.sharing import RUNS, Others, Pulse, Share, is_gone, whoami
from chef.storage import Folder

LEASE = 60.0


class Clock:
    """A steady clock that a test moves, and that need not be steady."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Memory(Folder):
    """Only what `Others` needs of a store: notes in memory."""

    def __init__(self) -> None:
        object.__setattr__(self, "notes", {})

    def read(self, name: str) -> bytes:
        if name not in self.notes:
            raise FileNotFoundError(name)
        return self.notes[name]

    def listing(self, under: str = ""):
        return iter(list(self.notes))

    def beat(self, token: str, count: int) -> None:
        self.notes[f"{RUNS}/{token}"] = json.dumps({"beat": count}).encode()


@pytest.fixture
def watching():
    store, clock = Memory(), Clock()
    return store, clock, Others(store, LEASE, clock)


def test_silence_for_a_lease_is_death_and_beats_keep_alive(watching):
    store, clock, others = watching
    for count in range(100):
        store.beat("a", count)
        assert not others.is_dead("a")
        clock.now += LEASE - 1
    store.beat("a", 100)
    for _ in range(12):
        assert not others.is_dead("a")
        clock.now += 5
    assert others.is_dead("a")
    store.beat("a", 101)  # it was only asleep
    assert not others.is_dead("a")
    store.notes.clear()  # it has left
    assert others.is_dead("a")
    assert others.known() == others.dead(["a"]) == {"a"}


@given(steps=st.lists(st.tuples(st.floats(-1e9, 1e9), st.booleans()), max_size=60), lease=st.floats(1, 1000))
def test_nobody_is_dead_before_enough_looks_at_the_same_sign_however_the_clock_jumps(steps, lease):
    store, clock, beat, same = Memory(), Clock(), 0, 0
    others = Others(store, lease, clock)
    for step, beats in steps:
        clock.now += step
        if beats:
            beat += 1
            store.beat("a", beat)
            same = 0
        dead = others.is_dead("a")
        if not beat:
            assert dead  # it never came
        elif dead:
            assert same >= 4
        same += 1


def wait_for_another(store: Folder, name: str) -> None:
    """Until the next beat."""
    before = store.read(name)
    for _ in range(200):
        if store.read(name) != before:
            return
        time.sleep(0.02)
    pytest.fail("no second beat")


def test_a_pulse_beats_outlives_trouble_with_the_disk_and_goes(tmp_path, monkeypatch):
    store, tried = Folder(tmp_path), []

    def full(self, name, data):
        tried.append(name)
        raise OSError(28, "No space left on device")

    with Pulse(store, lease=0.1) as pulse:
        name = f"{RUNS}/{pulse.token}"
        assert json.loads(store.read(name))["process"] == os.getpid()
        wait_for_another(store, name)
        with monkeypatch.context() as patch:
            patch.setattr(Folder, "write", full)
            while len(tried) < 3:
                time.sleep(0.01)
        wait_for_another(store, name)
    assert store.size(name) is None


def test_a_dead_process_of_this_machine_is_known_at_once():
    code = "import json; from chef.data.sharing import whoami; print(json.dumps(whoami()))"
    note = json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
    assert is_gone(note)
    assert not is_gone(whoami())
    assert is_gone({**whoami(), "born": "1"})  # its number has gone to another
    assert not is_gone({**note, "host": "elsewhere"})
    assert not is_gone({**note, "boot": "before"})
    assert not is_gone({})


def test_a_claim_passes_on_when_its_holder_is_dead(tmp_path):
    for run, dead, holder in [
        ("a", "", "a"),
        ("b", "", "a"),
        ("b", "a", "b"),
        ("c", "a", "b"),
        ("c", "ab", "c"),
    ]:
        assert Share(run, frozenset(dead)).holder(Folder(tmp_path), "parts/x.tar") == holder
