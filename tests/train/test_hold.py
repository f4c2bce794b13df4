from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from chef.errors import ChefError
from chef.train import hold
from chef.train.distributed import Processes
from chef.train.hold import held

ALONE = Processes(0, 1, torch.device("cpu"))
pytest.importorskip("fcntl")


def test_one_at_a_time(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(hold, "_PATIENCE", 1)
    with held(tmp_path / "run", ALONE):
        with pytest.raises(ChefError, match="another process trains in"), held(tmp_path / "run", ALONE):
            raise AssertionError("two at once")
        with held(tmp_path / "run", Processes(1, 2, ALONE.device)):  # the other processes of the run itself
            pass
    assert "waiting for its end" in capsys.readouterr().err
    with held(tmp_path / "run", ALONE):
        pass


def test_a_killed_one_lets_go(tmp_path):
    code = (
        "import sys, torch; from pathlib import Path; from chef.train.hold import held;"
        "from chef.train.distributed import Processes\n"
        "with held(Path(sys.argv[1]), Processes(0, 1, torch.device('cpu'))):\n"
        "    print('held', flush=True); input()"
    )
    call = [sys.executable, "-c", code, str(tmp_path / "run")]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        other.kill()
    with held(tmp_path / "run", ALONE):
        pass


def test_what_a_killed_start_leaves_is_no_foreign_folder(tmp_path):
    (tmp_path / "settings.json.partial-17").write_bytes(b"{")
    with held(tmp_path, ALONE):
        pass
    with held(tmp_path, ALONE):  # only the lock and that
        pass


def test_a_foreign_folder_is_left_as_it_is(tmp_path):
    (tmp_path / "letter.txt").write_text("dear friend")
    with pytest.raises(ChefError, match="is not empty and holds no run"), held(tmp_path, ALONE):
        raise AssertionError("it was taken")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    with pytest.raises(ChefError, match="is a file"), held(tmp_path / "letter.txt", ALONE):
        raise AssertionError("it was taken")
