"""Accepted merges, kept-apart rejections, and the map of them."""

from hypothesis import given
from hypothesis import strategies as st

from chef.food.canonical.merge import (
    ACCEPT,
    DROP,
    KEEP,
    PERSON,
    PROGRAM,
    QUALIFIER,
    REJECT,
    Decision,
    Synonyms,
    build_map,
    decide,
)
from chef.food.canonical.propose import Proposal
from chef.text.keys import key


def _accept(a: str, b: str, who: str = PROGRAM) -> Decision:
    return Decision(a, b, ACCEPT, who, "test")


def _reject(a: str, b: str) -> Decision:
    return Decision(a, b, REJECT, PROGRAM, "test")


def _tokens(counts: dict[str, int], *merges: Decision) -> list[str]:
    return build_map(counts, merges)[0].tokens


COUNTS = {
    "butter": 50, "unsalted butter": 20, "buttermilk": 9, "egg": 3, "eggs": 40, "topping": 7, "sumac": 1,
}  # fmt: skip


def test_accepted_names_are_one_token_under_the_name_most_used() -> None:
    built, conflicts = build_map(COUNTS, [_accept("unsalted butter", "butter")], share=1.0)
    assert not conflicts
    assert built.names("butter") == ["butter", "unsalted butter"]
    assert built.names("eggs") == ["eggs", "egg"]
    assert {entry.name: entry.how for entry in built}["unsalted butter"] == "test"


def test_longer_names_count_for_the_name_they_end_with() -> None:
    counts = {"white sugar": 30, "granulated sugar": 20, "sugar": 10, "caster sugar": 4}
    merges = [_accept("sugar", name) for name in counts if name != "sugar"]
    assert _tokens(counts, *merges) == ["sugar"]


def test_a_name_rare_by_itself_or_ambiguous_is_no_token() -> None:
    assert _tokens({"egg yolks": 90, "yolks": 2}, _accept("egg yolks", "yolks")) == ["egg_yolks"]
    pepper = _accept("black pepper", "pepper")
    assert _tokens({"black pepper": 50, "pepper": 40}, pepper) == ["black_pepper"]
    # Where all are rare, the name that others are merged into leads.
    merges = [_accept("bran cereal", "kellogs all bran"), _accept("bran cereal", "bran flakes")]
    assert _tokens({"kellogs all bran": 1}, *merges) == ["bran_cereal"]


def test_a_rejected_pair_stays_apart_even_through_others() -> None:
    counts = {"cream": 9, "cream cheese": 8, "soft cream": 7}
    merges = [_accept("cream", "soft cream"), _accept("soft cream", "cream cheese")]
    built, conflicts = build_map(counts, [*merges, _reject("cream", "cream cheese")])
    assert built.token("cream") != built.token("cream cheese")
    assert len(conflicts) == 1
    assert "'cream' and 'cream cheese' are rejected" in str(conflicts[0])


def test_a_persons_merge_goes_before_the_programs() -> None:
    counts = {"a1 sauce": 0, "stock": 9, "broth": 8, "soup": 7}
    decisions = [_accept("stock", "soup"), _reject("soup", "broth"), _accept("stock", "broth", PERSON)]
    built, conflicts = build_map(counts, decisions)
    assert built.token("stock") == built.token("broth") != built.token("soup")
    assert [conflict.merge.who for conflict in conflicts] == [PROGRAM]


def test_dropped_names_are_gone_kept_and_merged_names_stay_however_rare() -> None:
    decisions = [Decision("topping", "", DROP, PROGRAM, "test"), Decision("sumac", "", KEEP, PROGRAM, "test")]
    built, _ = build_map(COUNTS, decisions, share=0.9)
    assert "topping" not in built
    assert "sumac" in built
    assert build_map(COUNTS, [], share=0.9)[0].token("sumac") is None
    built, _ = build_map({"zucchini": 5}, [_accept("zucchini", "courgette")])
    assert built.token("courgettes") == "zucchini"


def _connected(start: str, edges: list[tuple[str, str]]) -> set[str]:
    seen, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for one, other in edges:
            for near, far in ((one, other), (other, one)):
                if near == here and far not in seen:
                    seen.add(far)
                    todo.append(far)
    return seen


_NAMES = ["alpha", "beta", "gamma", "delta", "omega"]
_PAIR = st.tuples(st.sampled_from(_NAMES), st.sampled_from(_NAMES)).filter(lambda pair: pair[0] != pair[1])


@given(st.lists(_PAIR, max_size=8), st.lists(_PAIR, max_size=4))
def test_synonyms_are_the_connected_parts_of_the_merges_made(
    merges: list[tuple[str, str]], rejections: list[tuple[str, str]]
) -> None:
    rejected = {frozenset(pair) for pair in rejections}
    merges = [pair for pair in merges if frozenset(pair) not in rejected]
    synonyms = Synonyms([*(_reject(*pair) for pair in rejections), *(_accept(*pair) for pair in merges)])
    refused = {frozenset((conflict.merge.a, conflict.merge.b)) for conflict in synonyms.conflicts}
    made = [pair for pair in merges if frozenset(pair) not in refused]
    for name in _NAMES:
        mine = _connected(name, made)
        assert {other for other in _NAMES if synonyms.find(key(other)) == synonyms.find(key(name))} == mine
        assert not any(pair <= mine for pair in rejected)
    for conflict in synonyms.conflicts:  # each refused merge would really have joined a rejected pair
        joined = _connected(conflict.merge.a, made) | _connected(conflict.merge.b, made)
        assert any(pair <= joined for pair in rejected)


PROPOSALS = [
    Proposal("butter", "unsalted butter", 9, 5, 3.0, ("qualifier",)),
    Proposal("rice", "wild rice", 9, 5, 3.0, ("qualifier",)),
    Proposal("butter", "buttermilk", 9, 4, 3.0, ("food: Butter", "vectors: 0.80")),
]


def test_only_qualifiers_are_accepted() -> None:
    made = list(decide(PROPOSALS))
    assert [(item.a, item.b) for item in made] == [("butter", "unsalted butter"), ("rice", "wild rice")]
    assert {(item.verdict, item.who, item.reason) for item in made} == {(ACCEPT, PROGRAM, QUALIFIER)}
    # What is decided already stays.
    kept = Decision("wild rice", "", KEEP, PROGRAM, "read")
    rejected = Decision("unsalted butter", "butter", REJECT, PROGRAM, "read")
    assert list(decide(PROPOSALS, [kept, rejected])) == []
