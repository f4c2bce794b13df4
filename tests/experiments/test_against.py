from pathlib import Path

import against
import numpy as np
import pytest
import torch

from chef.data.prepared import Prepared
from chef.data.texts import PrepareSettings
from chef.errors import ChefError
from chef.evaluate.population import open_population
from chef.measure.ranks import reciprocal
from chef.model.artefact import save_artefact
from chef.train.start import build_model
from tests.train.conftest import prepared, small  # noqa: F401


@pytest.fixture(scope="module")
def runs(prepared, tmp_path_factory) -> list[Path]:  # noqa: F811
    """Four models that nobody trained."""
    folder, data = tmp_path_factory.mktemp("runs"), Prepared(prepared)
    for seed in range(4):
        torch.manual_seed(seed)
        model = build_model(data, small(model="s+l+l"))
        files = prepared / "vocabulary.tsv", prepared / "canonical.tsv"
        save_artefact(folder / str(seed), model, *files, PrepareSettings(**data.lengths), {})
    return sorted(folder.iterdir())


def test_the_difference_is_that_of_the_means_over_seeds(runs, prepared):  # noqa: F811
    differences = against.against(prepared, runs[:2], runs[2:], split="train")
    population = open_population(prepared, "train")
    for direction, metrics in differences.items():
        ranks = [against.ranks(run, population).ranks[direction]["full"][0] for run in runs]
        scores = [100 * reciprocal(one).mean() for one in ranks]
        means = [np.mean(scores[:2]), np.mean(scores[2:])]
        assert metrics["MRR"].difference == pytest.approx(means[0] - means[1])
        assert metrics["MRR"].ci[0] < metrics["MRR"].difference < metrics["MRR"].ci[1]


def test_as_many_seeds_of_both(runs, prepared):  # noqa: F811
    with pytest.raises(ChefError, match="different numbers of seeds"):
        against.against(prepared, runs[:2], runs[:1])
