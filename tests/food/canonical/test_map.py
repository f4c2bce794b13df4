import functools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import ChefError
from chef.food.canonical import SHIPPED, CanonicalMap, Entry, Replacer, token_of
from chef.food.canonical.map import readings, without_qualifiers
from chef.food.canonical.merge import ACCEPT, PERSON, PROGRAM, REJECT, in_force, read_decisions
from chef.text.keys import key_of, spelled
from chef.text.tokens import tokenise
from tests.conftest import cases


def _entry(token: str, name: str, count: int = 1) -> Entry:
    return Entry(token, name, count, "test")


SMALL = CanonicalMap(
    [
        _entry("green_beans", "green beans", 9), _entry("green_beans", "string beans", 2),
        _entry("eggs", "eggs", 40), _entry("wild_rice", "wild rice", 3), _entry("rice", "rice", 30),
        _entry("rice_noodles", "rice noodles", 3), _entry("beef_broth", "beef stock", 3),
    ]
)  # fmt: skip


def test_a_name_is_found_as_it_stands_by_its_key_and_by_its_readings() -> None:
    for name in ("green beans", "Green Bean", "fresh green beans, trimmed", "some string beans (French)"):
        assert SMALL.token(name) == "green_beans"
    assert SMALL.token("wild rice") == "wild_rice"
    assert SMALL.token("cooked rice") == "rice"
    assert SMALL.token("rice or noodles") == "rice"
    assert SMALL.token("beef or chicken stock") == "beef_broth"


def test_of_two_names_with_one_key_the_more_frequent_decides() -> None:
    tomatoes = [_entry("dice", "dice tomatoes", 2), _entry("diced", "diced tomatoes", 5)]
    assert CanonicalMap(tomatoes).token("dices tomato") == "diced"
    peppers = [_entry("pepper", "pepper", 9), _entry("peppers", "peppers", 3)]
    assert CanonicalMap(peppers).token("peppers") == "peppers"
    # The obvious way: the keys of all names, the most frequent first.
    keys: dict[str, str] = {}
    for entry in sorted(CanonicalMap.load(), key=lambda entry: (-entry.count, entry.token)):
        keys.setdefault(key_of(entry.name.split()), entry.token)
    shipped = CanonicalMap.load()
    for name in [entry.name for entry in shipped][::7]:
        for words in (name.split(), [*name.split()[:-1], f"{name.split()[-1]}s"], name.split()[::-1]):
            assert shipped._by_key(words) == keys.get(key_of(words))


def test_what_the_map_does_not_know_is_none() -> None:
    for name in ("", "beans", "egg plant", "rice flour", "fresh", "...", "quinoa"):
        assert SMALL.token(name) is None


def test_tokens_and_names_are_sorted() -> None:
    assert SMALL.tokens == ["beef_broth", "eggs", "green_beans", "rice", "rice_noodles", "wild_rice"]
    assert SMALL.names("green_beans") == ["green beans", "string beans"]
    assert SMALL.names("nothing") == []
    assert SMALL.count("green_beans") == 11
    assert len(SMALL) == 6
    assert "eggs" in SMALL
    assert token_of("Half-and-Half") == "half_and_half"


def test_saved_and_loaded_it_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "map.tsv"
    SMALL.save(path)
    again = CanonicalMap.load(path)
    assert again == SMALL
    assert again.digest == SMALL.digest
    assert hash(again) == hash(SMALL)
    again.save(tmp_path / "again.tsv")
    assert (tmp_path / "again.tsv").read_bytes() == path.read_bytes()
    assert CanonicalMap(reversed(list(SMALL))).digest == SMALL.digest
    assert CanonicalMap(list(SMALL)[1:]).digest != SMALL.digest


@pytest.mark.parametrize(("text", "says"), cases("food", "a broken file is named"))
def test_a_broken_file_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "map.tsv"
    path.write_text(text)
    with pytest.raises(ChefError, match=says):
        CanonicalMap.load(path)
    for path in (tmp_path / "none.tsv", tmp_path):
        with pytest.raises(ChefError, match="no canonical map"):
            CanonicalMap.load(path)


# What ships.


@pytest.fixture(scope="module")
def shipped() -> CanonicalMap:
    return CanonicalMap.load()


@pytest.mark.parametrize(("one", "other"), cases("food", "merged"))
def test_the_shipped_map_merges(shipped: CanonicalMap, one: str, other: str) -> None:
    assert shipped.token(one) == shipped.token(other) is not None


@pytest.mark.parametrize(("one", "other"), cases("food", "apart"))
def test_the_shipped_map_keeps_apart(shipped: CanonicalMap, one: str, other: str) -> None:
    assert shipped.token(one) is not None
    assert shipped.token(other) is not None
    assert shipped.token(one) != shipped.token(other)


def test_the_shipped_map_has_the_size_of_the_papers(shipped: CanonicalMap) -> None:
    assert 1000 <= len(shipped) <= 2500
    common = {"eggs", "green_beans", "chicken_breasts", "salt", "butter", "flour", "sugar"}
    assert common <= set(shipped.tokens)
    for token in shipped.tokens:
        name = token.replace("_", " ")
        assert name in shipped.names(token)
        assert shipped.token(name) == token


def test_headings_and_stray_words_are_no_ingredient(shipped: CanonicalMap) -> None:
    stray = "topping, filling, for the sauce, garnish, chopped, parchment paper, toothpicks, half"
    assert {shipped.token(name) for name in stray.split(", ")} == {None}


def test_the_shipped_map_is_written_as_save_writes_it(shipped: CanonicalMap, tmp_path: Path) -> None:
    shipped.save(tmp_path / "map.tsv")
    assert (tmp_path / "map.tsv").read_bytes() == SHIPPED.read_bytes()


def test_the_shipped_decisions_hold_in_the_shipped_map(shipped: CanonicalMap) -> None:
    held = in_force(read_decisions(SHIPPED.with_name("canonical-decisions.tsv"))).values()
    assert {decision.who for decision in held} <= {PROGRAM, PERSON}
    for decision in held:
        if decision.verdict == ACCEPT:
            assert shipped.token(decision.a) == shipped.token(decision.b) is not None
        elif decision.verdict == REJECT:
            assert shipped.token(decision.a) != shipped.token(decision.b)


@pytest.mark.slow
def test_the_shipped_map_covers_the_open_recipes(shipped: CanonicalMap, chef_data: Path) -> None:
    from chef.readers import read
    from chef.text.lines import parse_line

    recipes = read(chef_data / "open-recipes" / "recipes.jsonl")
    names = [parse_line(item.line).name for recipe in recipes for item in recipe.ingredients]
    tokens = [shipped.token(name) for name in names if name]
    assert sum(token is not None for token in tokens) / len(tokens) >= 0.95


NAMES = {
    "butter": "butter, unsalted butter", "buttermilk": "buttermilk", "black_beans": "black beans",
    "green_beans": "green beans, string beans", "cream": "cream", "ice_cream": "ice cream",
    "ice_cubes": "ice", "cream_cheese": "cream cheese", "black_pepper": "pepper, black pepper",
    "bell_pepper": "bell pepper", "ground_beef": "mince", "tomatoes": "tomato, diced tomatoes",
    "crushed_tomatoes": "crushed tomatoes",
}  # fmt: skip
KITCHEN = CanonicalMap(_entry(token, name) for token, names in NAMES.items() for name in names.split(", "))


@pytest.mark.parametrize(("text", "out"), cases("food", "replaced"))
def test_the_longest_whole_name_is_replaced(text: str, out: str) -> None:
    assert Replacer(KITCHEN)(tokenise(text)) == out.split()


@pytest.mark.parametrize(("text", "out"), cases("food", "replaced by the shipped map"))
def test_the_shipped_names_in_sentences(shipped: CanonicalMap, text: str, out: str) -> None:
    assert Replacer(shipped)(tokenise(text)) == out.split()


def _slow(canonical: CanonicalMap, tokens: list[str]) -> list[str]:
    """The oracle: at each word try every name, the longest first."""
    names = sorted(([spelled(word) for word in entry.name.split()], entry.token) for entry in canonical)
    names.sort(key=lambda item: -len(item[0]))
    out, at = [], 0
    while at < len(tokens):
        for words, token in names:
            if [spelled(word) for word in tokens[at : at + len(words)]] == words:
                out.append(token)
                at += len(words)
                break
        else:
            out.append(tokens[at])
            at += 1
    return out


_WORDS = ["green", "beans", "bean", "black", "red", "lentil", "lentils", "soup", "a"]
_NAME = st.lists(st.sampled_from(_WORDS[:-1]), min_size=1, max_size=3).map(" ".join)


@given(st.sets(_NAME, max_size=6), st.lists(st.sampled_from(_WORDS), max_size=12))
def test_the_trie_finds_what_a_slow_search_finds(names: set[str], tokens: list[str]) -> None:
    # One token for each singular form, and no name that the list of ambiguous words concerns.
    unique = {tuple(map(spelled, name.split())): name for name in sorted(names)}
    unique = {words: name for words, name in unique.items() if words != ("bean",)}
    canonical = CanonicalMap(_entry(name.replace(" ", "_"), name) for name in unique.values())
    assert Replacer(canonical)(tokens) == _slow(canonical, tokens)


@functools.cache
def _shipped() -> tuple[Replacer, set[str], list[str]]:
    """The shipped map's replacer and tokens; its names, and as often a single word of them."""
    canonical = CanonicalMap.load()
    names = [entry.name for entry in canonical]
    words = sorted({word for name in names for word in tokenise(name)})
    return (
        Replacer(canonical),
        set(canonical.tokens),
        [*names, *words * (len(names) // len(words)), "the", "and"],
    )


# Words of real names, by their number: names are long and overlap, unlike words at random.
@given(*[st.lists(st.integers(0, 10**6), max_size=14)] * 2)
@settings(deadline=None)
def test_replacing_goes_from_unknown_word_to_unknown_word(left: list[int], right: list[int]) -> None:
    replace, tokens, parts = _shipped()
    before, after = (tokenise(" ".join(parts[n % len(parts)] for n in side)) for side in (left, right))
    once = replace(before)
    assert replace([*before, "qqqq", *after]) == [*once, "qqqq", *replace(after)]
    rest = iter(before)
    assert all(token in tokens or token in rest for token in once)  # `in` goes on from where it was


def _texts(name: str) -> list[str]:
    return [" ".join(words) for words in readings(name)]


@pytest.mark.parametrize(("name", "reading"), cases("food", "readings"))
def test_a_name_is_read_without_what_does_not_change_the_food(name: str, reading: str) -> None:
    assert reading in _texts(name)


def test_what_makes_another_food_is_neither_dropped_nor_joined() -> None:
    assert "rice noodles" not in _texts("rice or noodles")
    assert "pork" not in _texts("pork and fennel sausages")
    for name in ("ground beef", "coconut milk", "dried cranberries", "vegan butter", "tomato paste"):
        assert _texts(name)[0] == name
        assert name.split()[-1] not in _texts(name)
        assert name.split()[0] not in _texts(name)


def test_the_careful_reading_comes_first() -> None:
    steps = [" ".join(words) for words in without_qualifiers(["fresh", "ripe", "plum", "tomatoes"])]
    assert steps == ["fresh ripe plum tomatoes", "ripe plum tomatoes", "plum tomatoes"]


@given(st.text(max_size=60))
def test_any_text_has_readings_of_words_only(text: str) -> None:
    for words in readings(text):
        assert words
        assert all(word and " " not in word for word in words)
