import math

import pytest
import torch

from chef.text.vocabulary import Vocabulary
from chef.train.distributed import Gallery
from chef.train.objectives.pic2rec import MOST, Pic2Rec, _shifts, classes_of, title_bigrams
from tests.train.loss_oracle import embeddings

COUNT = 7
WORDS = ["apple", "pie", "with", "the", "soup", "cold"]
VOCABULARY = Vocabulary(("<PAD>", "<UNK>", *WORDS), (0,) * 8)


def own(classes: list[int] | None = None) -> Pic2Rec:
    torch.manual_seed(0)
    labels = torch.tensor(classes or [0] * COUNT)
    return Pic2Rec(4, labels, 3, margin=0.1, mismatches=4, class_weight=0.01).double()


@pytest.mark.parametrize("groups", [None, [0, 1, 2, 2, 3, 4, 4]])
def test_cosine_embedding_loss_by_hand(groups: list[int] | None) -> None:
    images, recipes = embeddings(COUNT, 4, 0)
    shifts = _shifts((5, 1), COUNT, 4)
    terms = []
    for i in range(COUNT):
        terms.append(1 - images[i] @ recipes[i])
        for shift in shifts:
            j = (i + shift) % COUNT
            same = groups is not None and groups[i] == groups[j]
            terms.append(torch.zeros(()).double() if same else (images[i] @ recipes[j] - 0.1).clamp(min=0))
    assert len(terms) == 5 * COUNT  # 80 % mismatches
    gallery = Gallery(images, recipes, groups=None if groups is None else torch.tensor(groups))
    torch.testing.assert_close(own().pairs(images, gallery, (5, 1)), sum(terms) / len(terms))


def test_mismatches_are_others_and_change_with_the_step() -> None:
    drawn = [tuple(_shifts((0, 0, number), 40, 4)) for number in range(20)]
    assert all(len(set(shifts)) == 4 and min(shifts) >= 1 and max(shifts) < 40 for shifts in drawn)
    assert len(set(drawn)) > 15
    assert drawn[3] == tuple(_shifts((0, 0, 3), 40, 4))
    assert sorted(_shifts((0,), 3, 4)) == [1, 2]  # a small batch has no more


def test_class_loss_by_hand() -> None:
    objective = own()
    points, _ = embeddings(4, 4, 0)
    labels = [2, 0, 1, 2]
    losses = []
    for point, label in zip(points, labels, strict=True):
        scores = (objective.classifier.weight @ point + objective.classifier.bias).exp().detach()
        if label:  # recipes without a class do not count
            losses.append(-math.log(scores[label] / scores.sum()))
    wanted = torch.tensor(sum(losses) / 3, dtype=torch.float64)
    torch.testing.assert_close(objective.classification(points, torch.tensor(labels)).detach(), wanted)
    assert objective.classification(points, torch.zeros(4).long()) == 0


def title(words: str) -> list[int]:
    return VOCABULARY.ids(words.split())


def test_frequent_bigrams_the_most_frequent_first() -> None:
    assert title_bigrams([title("apple apple apple apple")] * 9, VOCABULARY) == []  # a title counts once
    assert title_bigrams([title("apple parsnip")] * 20, VOCABULARY) == []  # an unknown word
    titles = [title("cold soup with the apple")] * 12 + [title("apple pie")] * 20 + [title("pie soup")] * 9
    named = [tuple(VOCABULARY.text(pair)) for pair in title_bigrams(titles, VOCABULARY)]
    # "with the" says nothing, "pie soup" is too rare; equals by the alphabet
    assert named == [("apple", "pie"), ("cold", "soup"), ("soup", "with"), ("the", "apple")]


def test_one_in_a_thousand_titles_at_least() -> None:
    titles = [title("apple pie")] * 20 + [title("soup")] * 20_000
    assert title_bigrams(titles, VOCABULARY) == []
    assert title_bigrams(titles[:20_000], VOCABULARY) == [tuple(title("apple pie"))]


def test_no_more_classes_than_recipe1m_has() -> None:
    words = tuple(f"w{number}" for number in range(1200))
    many = Vocabulary(("<PAD>", "<UNK>", *words), (0,) * 1202)
    titles = [list(range(2, 1202))] * 10
    assert len(title_bigrams(titles, many)) == MOST


def test_a_title_has_the_class_of_its_most_frequent_bigram() -> None:
    bigrams = [(2, 3), (6, 7), (3, 2)]
    titles = [[6, 7, 2, 3], [3, 2], [2, 4, 3], [], [5]]
    assert classes_of(titles, bigrams) == [1, 3, 0, 0, 0]
