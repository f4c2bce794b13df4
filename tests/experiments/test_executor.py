import subprocess
import time

import pytest
from executor import Cluster, Executor, Machine, alone, fingerprint, last_line
from steps import Step


def print_of(out, reads, call=("report",)):
    return fingerprint(Step("x", call, out / "made", reads), out)


def test_a_step_is_known_by_its_command_and_by_what_it_reads(tmp_path):
    file = tmp_path / "read"
    file.write_text("one")
    first = print_of(tmp_path, (file,))
    assert print_of(tmp_path, (file,)) == first
    assert print_of(tmp_path, (file,), ("evaluate",)) != first
    file.write_text("two")
    assert print_of(tmp_path, (file,)) != first


def test_the_folder_may_move_and_names_of_the_environment_may_change(tmp_path, monkeypatch):
    prints = []
    for place in (tmp_path / "a", tmp_path / "b"):
        place.mkdir()
        (place / "read").write_text("same")
        monkeypatch.setenv("PLACE", str(place))
        prints.append(print_of(place, (place / "read", "$PLACE/read"), ("train", place / "run", "$PLACE/x")))
    assert prints[0] == prints[1]


def test_each_step_has_its_share_of_the_machine(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    laptop = Machine(together=2, cores=8, gpus=0)
    assert laptop.environment(1)["OMP_NUM_THREADS"] == "4"
    assert "CUDA_VISIBLE_DEVICES" not in laptop.environment(1)
    assert laptop.settings == []
    server = Machine(together=4, cores=64, gpus=4)
    assert [server.environment(slot)["CUDA_VISIBLE_DEVICES"] for slot in range(4)] == ["0", "1", "2", "3"]
    assert server.settings == ["--set=precision=bf16", "--set=workers=12"]
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert laptop.environment(0)["OMP_NUM_THREADS"] == "1"


def test_a_grid_waits_for_what_a_killed_one_left_at_work(tmp_path, capsys):
    with alone(tmp_path) as lock:
        left = subprocess.Popen(["sh", "-c", "sleep 0.5; touch written"], cwd=tmp_path, pass_fds=[lock])
    with alone(tmp_path):
        assert (tmp_path / "written").exists()
    left.wait()
    assert "waiting for them" in capsys.readouterr().err


@pytest.mark.slow
def test_steps_on_a_ray(tmp_path):
    pytest.importorskip("ray", reason="ray is not installed: pip install 'chef-food[ray]'")
    made, missing = tmp_path / "kitchen" / "truth.jsonl", tmp_path / "none" / "index.html"
    good = Step("cook", ("kitchen", tmp_path / "kitchen", "--recipes", "3", "--size", "32"), made)
    bad = Step("report", ("report", tmp_path / "no.json", "--out", tmp_path / "none"), missing, (made,))
    cluster = Cluster.at("local", 2, 0)
    with cluster.pool:
        executor = Executor([good, bad], tmp_path, cluster, time.monotonic() + 120)
        assert not executor.run()
        assert (executor.done, executor.failed) == ({"cook"}, {"report"})
        assert made.exists()
        assert "no.json" in last_line(tmp_path / "logs" / "report.log")
        sleeper = cluster.start(0, ["sleep", "60"], tmp_path / "logs" / "sleep.log", 0)
        assert sleeper.poll() is None
        sleeper.terminate()
        assert sleeper.wait() != 0
