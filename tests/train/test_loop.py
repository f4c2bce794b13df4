import json
from unittest.mock import Mock

import pytest

from chef.data.pairs import PairDataset
from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.model.artefact import load
from chef.train.distributed import Processes
from chef.train.evaluate import embed_split
from chef.train.loop import Trainer, train
from chef.train.optimizer import freeze
from chef.train.run import Run
from tests.train.conftest import ALONE, assert_equal, assert_resumes, new_trainer, read_log, small
from tests.train.launch import position


def test_a_run_leaves_its_settings_log_curves_and_best_model(prepared, tmp_path):
    train(Prepared(prepared), small(model="t+t+l"), tmp_path / "run")
    settings = json.loads((tmp_path / "run" / "settings.json").read_text())
    assert settings["margin"] == 0.3
    log = read_log(tmp_path / "run")
    assert [line["epoch"] for line in log] == [1, 2]
    assert log[1]["loss"] < log[0]["loss"]
    assert load(tmp_path / "run").about["validation"]["score"] == max(line["score"] for line in log)
    assert list((tmp_path / "run" / "tensorboard").iterdir())


def test_stopped_at_any_step_and_resumed_it_ends_with_the_same_bits(prepared, tmp_path):
    data, settings = Prepared(prepared), small(model="t+t+l", checkpoint_every=1, freeze_epochs=1)
    train(data, settings, tmp_path / "whole")
    trainer = new_trainer(data, settings, tmp_path / "cut")
    trainer.epoch()
    for batch, texts in list(trainer._load(1, 0))[:2]:  # two steps into the second epoch ...
        freeze(trainer.model, tower=False, words=False)
        trainer.both.train()
        trainer._step(batch, texts)
    trainer._save()  # ... and gone
    train(data, settings, tmp_path / "cut")
    assert_equal(tmp_path / "whole", tmp_path / "cut")


def test_it_stops_early(prepared, tmp_path):
    settings = small(model="s+l+l", learning_rate=1e-12, epochs=30, patience=2)
    train(Prepared(prepared), settings, tmp_path / "run")
    assert len(read_log(tmp_path / "run")) < 30


def test_a_folder_belongs_to_one_run(prepared, tmp_path):
    data = Prepared(prepared)
    Run(tmp_path / "run", data, small(), ALONE)
    with pytest.raises(ChefError, match="holds a run with batch 12, not 13"):
        train(data, small(batch=13), tmp_path / "run")


def test_accumulated_steps_make_one_update_and_between_two_nothing_is_saved(prepared, tmp_path):
    """Gradients that wait for the next batch are in no checkpoint; a run resumes as if it had not stopped."""
    settings = small(model="s+l+l", accumulate=2, checkpoint_every=1, epochs=1, freeze_epochs=0)
    data = Prepared(prepared)
    train(data, settings, tmp_path / "whole")
    trainer = new_trainer(data, settings, tmp_path / "cut")
    assert position(tmp_path / "whole")["update"] == -(-len(trainer.batches) // 2)
    trainer.both.train()
    freeze(trainer.model, tower=False, words=False)
    saved = []
    for batch, texts in list(trainer._load(0, 0))[:3]:
        trainer._step(batch, texts)
        if trainer._checkpoint_is_due():
            trainer._save()
            saved.append(trainer.position.batch)
    assert saved == [2]
    train(data, settings, tmp_path / "cut")
    assert_equal(tmp_path / "whole", tmp_path / "cut")
    losses = [read_log(tmp_path / run)[0]["loss"] for run in ("whole", "cut")]
    assert losses[0] == pytest.approx(losses[1], abs=1e-6)


def test_more_processes_than_pairs_in_a_batch_is_one_line(prepared, tmp_path):
    data, settings = Prepared(prepared), small(batch=2)
    run = Run(tmp_path / "run", data, settings, ALONE)
    run.processes = Mock(Processes, rank=0, size=3, device=ALONE.device)
    with pytest.raises(ChefError, match="batches of 2 pairs cannot be shared by 3 processes"):
        Trainer(data, settings, run)


def test_the_kept_model_has_a_querybank_and_the_one_that_learns_has_none(prepared, tmp_path):
    data = Prepared(prepared)
    settings = [small(model="t+l+l", querybank=size) for size in (0, 7)]
    plain, banked = (load(train(data, one, tmp_path / str(one.querybank))).model for one in settings)
    assert plain.querybank is None
    assert read_log(tmp_path / "0") == read_log(tmp_path / "7")
    split = data.split("train")
    images, recipes = embed_split(plain, PairDataset(split, plain.tower.transform, training=False))
    for bank, points in ((banked.querybank.images, images), (banked.querybank.recipes, recipes)):
        cosines = bank.numpy() @ points.T
        assert len(set(cosines.argmax(1))) > 4
        assert cosines.max(1) == pytest.approx(1, abs=0.01)
    assert_resumes(data, small(model="t+l+l", querybank=7, freeze_epochs=0), tmp_path)
