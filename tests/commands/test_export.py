from __future__ import annotations

from pathlib import Path

from chef.commands.export import export


def test_it_says_what_it_wrote_and_how_near_it_is(monkeypatch, capsys):
    monkeypatch.setattr("chef.model.export.export", lambda model, out: {"image": 2.1e-7, "recipe": 3e-6})
    export(Path("run"), Path("onnx"))
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "onnx/image.onnx  at most 2.1e-07 from torch",
        "onnx/recipe.onnx  at most 3.0e-06 from torch",
    ]
