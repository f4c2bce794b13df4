import json
import subprocess
import sys
from unittest.mock import Mock

import pytest

from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.train import run as run_module
from chef.train.distributed import Processes
from chef.train.run import Run, run_lock
from tests.train.conftest import ALONE, small


def test_what_a_killed_start_left_is_swept_away(prepared, tmp_path):
    for name in ("settings.json.partial-12", ".best.x1/config.json", ".best.old/config.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    Run(tmp_path, Prepared(prepared), small(), ALONE)
    # Killed between the two moves, it had no other best model.
    assert {path.name for path in tmp_path.iterdir()} == {"settings.json", "best"}
    assert (tmp_path / "best" / "config.json").read_text() == ".best.old/config.json"


def test_a_log_line_that_was_cut_off_is_forgotten(prepared, tmp_path):
    run = Run(tmp_path, Prepared(prepared), small(), ALONE)
    lines = [json.dumps({"epoch": epoch, "loss": 1.0}) + "\n" for epoch in (1, 2)]
    (tmp_path / "log.jsonl").write_text("".join(lines) + '{"epoch": 2, "lo')
    run.resumed(1)
    assert (tmp_path / "log.jsonl").read_text() == lines[0]


def test_machines_with_other_settings_or_data_are_told(prepared, prepared_with_texts, tmp_path):
    settings = small()
    Run(tmp_path, Prepared(prepared), settings, ALONE)
    sent = (tmp_path / "settings.json").read_bytes()
    other = Mock(Processes, rank=1, size=2, first=False, share=lambda data: sent)
    Run(tmp_path, Prepared(prepared), small(workers=3), other)
    with pytest.raises(ChefError, match="batch is 24 on this machine and 12 on the first"):
        Run(tmp_path, Prepared(prepared), small(batch=24), other)
    with pytest.raises(ChefError, match="give all machines the same command and the same data"):
        Run(tmp_path, Prepared(prepared_with_texts), settings, other)
    with pytest.raises(ChefError, match="this machine does not see"):
        Run(tmp_path / "elsewhere", Prepared(prepared), settings, other)


def test_one_run_at_a_time(tmp_path, monkeypatch, capsys):
    pytest.importorskip("fcntl")
    monkeypatch.setattr(run_module, "_PATIENCE", 1)
    with run_lock(tmp_path / "run", ALONE):
        with pytest.raises(ChefError, match="another process trains in"), run_lock(tmp_path / "run", ALONE):
            raise AssertionError("two at once")
        with run_lock(tmp_path / "run", Processes(1, 2, ALONE.device)):  # its other processes
            pass
    assert "waiting for its end" in capsys.readouterr().err
    with run_lock(tmp_path / "run", ALONE):
        pass


def test_a_killed_run_releases_the_lock(tmp_path):
    pytest.importorskip("fcntl")
    code = (
        "import sys, torch; from pathlib import Path; from chef.train.run import run_lock;"
        "from chef.train.distributed import Processes\n"
        "with run_lock(Path(sys.argv[1]), Processes(0, 1, torch.device('cpu'))):\n"
        "    print('held', flush=True); input()"
    )
    call = [sys.executable, "-c", code, str(tmp_path / "run")]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        other.kill()
    with run_lock(tmp_path / "run", ALONE):
        pass


def test_what_a_killed_start_leaves_is_no_foreign_folder(tmp_path):
    (tmp_path / "settings.json.partial-17").write_bytes(b"{")
    for _ in range(2):  # the second finds the lock too
        with run_lock(tmp_path, ALONE):
            pass


def test_a_foreign_folder_is_left_as_it_is(tmp_path):
    (tmp_path / "letter.txt").write_text("dear friend")
    with pytest.raises(ChefError, match="is not empty and holds no run"), run_lock(tmp_path, ALONE):
        raise AssertionError("it was taken")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    with pytest.raises(ChefError, match="is a file"), run_lock(tmp_path / "letter.txt", ALONE):
        raise AssertionError("it was taken")
