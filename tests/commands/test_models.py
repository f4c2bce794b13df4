import json
from pathlib import Path

import pytest

from chef import bundled
from chef.commands.models import models
from chef.errors import ChefError


def artefact(folder: Path) -> Path:
    folder.mkdir()
    config = {
        "format": "chef-model",
        "version": 1,
        "model": {"variant": "h-t", "tower": {"kind": "small-cnn"}},
        "text": {},
        "weights": [],
        "files": {},
        "about": {"epoch": 7, "validation": {"medR": 2.0, "R@1": 31.26, "R@5": 60.0, "R@10": 81.0}},
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def test_bundled_models_come_first(tmp_path, monkeypatch, capsys):
    artefact(tmp_path / "chef-base")
    monkeypatch.setattr(bundled, "MODELS", tmp_path)
    models()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[0] == "bundled"
    assert lines[1].split()[:2] == ["chef-base", "h-t"]
    models(json=True)
    (told,) = json.loads(capsys.readouterr().out)["shipped"]
    assert (told["folder"], told["validation"]["R@5"]) == ("chef-base", 60.0)


def test_what_was_trained_and_its_scores(tmp_path, capsys):
    run = artefact(tmp_path / "run[1]")
    models([run])
    last = capsys.readouterr().out.strip().splitlines()[-1]
    assert last.split()[-7:] == ["h-t", "small-cnn", "7", "2.0", "31.3", "60.0", "81.0"]
    assert "run[1]" in last
    models([run], json=True)
    listing = json.loads(capsys.readouterr().out)
    assert len(listing["variants"]) == 10
    assert [entry["name"] for entry in listing["peers"]] == ["pic2rec", "acme", "h-t", "afternoon"]
    assert listing["ours"][0]["name"] == "chef-base"
    assert listing["artefacts"][0]["validation"]["R@1"] == 31.26
    with pytest.raises(ChefError, match="no model in"):
        models([tmp_path])
