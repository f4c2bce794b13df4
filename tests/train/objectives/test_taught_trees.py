import math
from pathlib import Path

import pytest
import torch

from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.model.artefact import load
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.model.tree_lstm.reference import teach_reference
from chef.teacher.actions import verb_of
from chef.teacher.main_ingredient import rank
from chef.train.labels import Teacher, TreeLabels, label
from chef.train.loop import train
from tests.model import oracle
from tests.model.test_tree_lstm import make
from tests.train.conftest import new_trainer, small


def labels_of(data: Prepared) -> TreeLabels:
    return label(data, data.split("train"), [Teacher.bundled()])[0]


def test_labels_say_what_the_teacher_says(prepared: Path, tmp_path: Path) -> None:
    data = Prepared(prepared)
    split, labels = data.split("train"), labels_of(data)
    labels.save(tmp_path / "labels.safetensors")
    assert TreeLabels.load(tmp_path / "labels.safetensors").ids == split.ids
    for row in range(len(split)):
        recipe, tokens = split.recipe(row), split.tokens(row)
        best = rank(recipe)[0]
        leaf = int(labels.main[row].argmax())
        assert split.ingredients(row)[leaf] == recipe.ingredients[best.line]
        assert labels.first[row + 1] - labels.first[row] == max(len(tokens["sentences"]), 1)
    words = [
        data.vocabulary.words[sentence[place]]
        for row in range(len(split))
        for sentence, place in zip(
            split.tokens(row)["sentences"], labels.actions[labels.first[row] :].tolist(), strict=False
        )
        if place >= 0
    ]
    assert words
    assert all(verb_of(word) for word in words)


def test_a_taught_run_names_what_the_teacher_says(prepared: Path, tmp_path: Path) -> None:
    data = Prepared(prepared)
    split, labels = data.split("train"), labels_of(data)

    def right(weight: float) -> tuple[float, float]:
        settings = small(
            model="t+t+l", loss="infonce", main_weight=weight, action_weight=weight, epochs=10,
            evaluate_every=10, learning_rate=5e-3, freeze_epochs=0, query_rate=10.0,
        )  # fmt: skip
        model = load(train(data, settings, tmp_path / str(weight)))
        assert model.model.config.taught == bool(weight)
        encoded = model.encoder.encode([model.read(split.recipe(row)) for row in range(len(split))])
        mains, actions = [], []
        for row, trees in enumerate(encoded.trees):
            assert trees.ingredients is not None
            assert trees.sentences is not None
            mains.append(trees.ingredients.shallowest[0] == labels.main[row].argmax())
            for tree, place in zip(
                trees.sentences, labels.actions[labels.first[row] :].tolist(), strict=False
            ):
                if place >= 0:
                    actions.append(tree.shallowest[0] == place)
        return sum(mains) / len(mains), sum(actions) / len(actions)

    taught, untaught = right(1.0), right(0.0)
    assert min(taught) > 0.8
    # Most of these lists begin with their main ingredient, which the first of equal leaves names anyway.
    assert taught[1] > untaught[1] + 0.2


def test_a_model_without_a_tree_cannot_be_taught(prepared: Path, tmp_path: Path) -> None:
    with pytest.raises(ChefError, match="has no such tree"):
        train(Prepared(prepared), small(model="s+l+l", main_weight=1.0, epochs=1), tmp_path)


def slow(lstm: GumbelTreeLSTM, items: torch.Tensor, last: int) -> torch.Tensor:
    """One sequence, one node at a time, by the definition."""
    leaves = items @ lstm.leaf.weight.T + lstm.leaf.bias
    nodes = [(leaf[: lstm.hidden], leaf[lstm.hidden :]) for leaf in leaves]
    total = items.new_zeros(())
    near = [0] * len(nodes)
    while len(nodes) > 2:
        parents = [oracle.parent(lstm, nodes[j], nodes[j + 1]) for j in range(len(nodes) - 1)]
        scores = torch.stack([lstm.query @ h for h, _ in parents]) / math.sqrt(lstm.hidden)
        right = [j for j in range(len(parents)) if last not in (j, j + 1)]
        if len(nodes) == 3 and last == 1:
            right = [j for j, other in ((0, 2), (1, 0)) if near[2 * j] <= near[other]]
        if right:
            total = total - (scores[right].exp().sum() / scores.exp().sum()).log()
        pick = max(right or range(len(parents)), key=lambda j: scores[j].item())
        nodes[pick : pick + 2] = [parents[pick]]
        near[pick : pick + 2] = [min(near[pick], near[pick + 1]) + 1]
        last -= pick < last
    return total


LENGTHS = [5, 1, 2, 3, 8, 6, 8, 4, 4, 7]
LAST = [2, 0, 1, 1, 0, 5, 4, 1, 2, 3]


@pytest.mark.parametrize("implementation", ["fast", "reference"])
def test_equals_the_definition(implementation: str) -> None:
    lstm, x, sizes = make(torch.float64, LENGTHS)
    x.requires_grad_()
    last = torch.tensor(LAST)
    if implementation == "fast":
        loss = lstm.teach(x, sizes, last).mean()
    else:
        loss = teach_reference(lstm.cell, lstm.leaf(x), sizes, last).mean()
    truth = [slow(lstm, x[row, :length], LAST[row]) for row, length in enumerate(LENGTHS)]
    expected = torch.stack(truth).mean()
    torch.testing.assert_close(loss, expected, rtol=1e-9, atol=1e-12)
    wanted = [x, *lstm.parameters()]
    mine, true = (torch.autograd.grad(value, wanted) for value in (loss, expected))
    for one, two in zip(mine, true, strict=True):
        torch.testing.assert_close(one, two, rtol=1e-8, atol=1e-10)


def test_no_gradient_is_computed_where_none_is_wanted() -> None:
    lstm, x, sizes = make(torch.float64, LENGTHS)
    with torch.no_grad():
        loss = lstm.teach(x, sizes, torch.tensor(LAST))
    assert not loss.requires_grad
    torch.testing.assert_close(loss, lstm.teach(x, sizes, torch.tensor(LAST)).detach())


def test_trees_are_taught_with_the_words_that_training_hides(prepared: Path, tmp_path: Path) -> None:
    data, seen = Prepared(prepared), list[torch.Tensor]()
    trainer = new_trainer(data, small(model="t+t+l", word_drop=0.5, main_weight=1.0), tmp_path)
    lstm = trainer.model.recipe.ingredients.lstm
    teach = lstm.teach
    lstm.teach = lambda words, *given: (seen.append(words.detach()), teach(words, *given))[1]
    trainer.both.train()
    batch, _ = next(iter(trainer._load(0, 0)))
    expected = trainer.model.recipe.words(batch.recipes.ingredients).detach()
    trainer._step(batch)
    torch.testing.assert_close(seen[0], expected)
