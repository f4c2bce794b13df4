from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import ChefError
from chef.model.words import SPECIAL_PIECES, WordPieces
from chef.text.vocabulary import Vocabulary
from experiments.make_minilm import used_by

PIECES = WordPieces(
    (
        *SPECIAL_PIECES,
        *"green bean beans butter milk onion chop cre brule saute jal tomato 1 2 12 的 ½ 1⁄2 ß İ ø".split(),
        *"##s ##milk ##ed ##ing ##me ##e ##apeno ##es ##2 ##butter ##ilk ##µ".split(),
        *"abcdefgklmopt/.,'-+$&|",
        *(f"##{sign}" for sign in "abcdefgilmnoprstu'/"),
    )
)
TEXTS = [
    "green beans", "Buttermilk, CHOPPED onions & 12 tomatoes", "Crème brûlée; sautéed jalapeño",
    "1/2 cup 12.5 2-1 don't a+b $2", "的butter的milk", "a\tb\nc\x00d\u200be\u00adf\u00a0g\u3000k",
    "x" * 101 + " " + "b" * 100 + " " + "a" * 101, "the quick zebra", "ﬁ ½ 1½ ß İstanbul SMØRREBRØD µ",
    "", "'' -- ...", "e\u0301e\u0300 한국 김치",
]  # fmt: skip


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    """The same pieces in transformers' own tokenizer."""
    transformers = pytest.importorskip("transformers")
    file = tmp_path_factory.mktemp("bert") / "vocab.txt"
    file.write_text("\n".join(PIECES.words) + "\n", encoding="utf-8")
    tokenizer = transformers.BertTokenizer(str(file))
    return lambda text: tokenizer.encode(text, add_special_tokens=False)


@pytest.mark.parametrize("text", TEXTS)
def test_spells_as_bert_does(bert, text: str) -> None:
    assert PIECES.pieces(text) == bert(text)


SIGNS = st.one_of(
    st.sampled_from("abcdegilmnorstu 12/.,'-éñ"),
    # No rarer ones: what is younger is known to one version of Unicode and not to another.
    st.characters(max_codepoint=0x03FF, exclude_categories=("Cn",)),
    st.sampled_from("的½⁄ﬁ김–—“”’…€\u200b\ufeff\u3000"),
)


@settings(max_examples=200, deadline=None)
@given(text=st.text(SIGNS))
def test_spells_anything_as_bert_does(bert, text: str) -> None:
    text = text.replace("_", "").replace("[", "")  # ours read _ as a space; theirs know [CLS] inside a text
    assert PIECES.pieces(text) == bert(text)


def numbers(*pieces: str) -> list[int]:
    return [PIECES.words.index(piece) for piece in pieces]


def test_the_table_has_a_row_for_each_word() -> None:
    assert PIECES.pieces("green_beans") == PIECES.pieces("green beans") == numbers("green", "beans")
    vocabulary = Vocabulary.build({"green_beans": 9, "buttermilk": 8, "zebra": 7, "\u0301": 6}, 1)
    table = PIECES.table(vocabulary)
    assert table.dtype == np.int32
    assert table.tolist() == [
        [0, 0],
        [1, 0],
        numbers("green", "beans"),
        numbers("butter", "##milk"),
        [1, 0],  # z is no piece
        [1, 0],  # an accent alone
    ]


def test_fewer_pieces_spell_the_chosen_words_alike() -> None:
    words = ["buttermilk", "green_beans", "chopped"]
    fewer = used_by(PIECES, words)
    assert len(fewer) < len(PIECES)
    assert fewer.words[:4] == SPECIAL_PIECES
    for word in words:
        assert [fewer.words[i] for i in fewer.pieces(word)] == [PIECES.words[i] for i in PIECES.pieces(word)]
    # What lost its own piece is spelled by letters.
    assert [fewer.words[i] for i in fewer.pieces("cab")] == ["c", "##a", "##b"]


def test_written_and_read_again_and_other_files_are_refused(tmp_path: Path) -> None:
    PIECES.save(tmp_path / "pieces.tsv")
    assert WordPieces.load(tmp_path / "pieces.tsv") == PIECES
    (tmp_path / "other.tsv").write_text("salt\npepper\n")
    for name in ("other.tsv", "none.tsv"):
        with pytest.raises(ChefError, match=f"not a file of word pieces: .*{name}"):
            WordPieces.load(tmp_path / name)
