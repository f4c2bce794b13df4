from __future__ import annotations

import pytest

from chef.readers.front_matter import split


def test_front_matter_and_body() -> None:
    assert split("---\r\nTitle: Pie\r\ntags: [a, b]\r\n---\r\nBody\r\n") == (
        {"title": "Pie", "tags": ["a", "b"]},
        "Body\n",
    )


@pytest.mark.parametrize("text", ["Body", "", "--- no\nBody", "---\ntitle: Pie\nno end"])
def test_no_front_matter(text: str) -> None:
    assert split(text) == ({}, text)


def test_almost_yaml_is_read_by_hand() -> None:
    text = 'title: Pie: the best\ndate: 2024-13-45\nimage: "pie.jpg"\ningredients:\n- 2 eggs: large\n  - salt'
    values, _ = split(f"---\n{text}\n---\n")
    assert values["title"] == "Pie: the best"
    assert values["image"] == "pie.jpg"
    assert values["ingredients"] == ["2 eggs: large", "salt"]


def test_nested_aliases_are_not_unfolded() -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ntitle: Pie"
    values, _ = split(f"---\n{bomb}\n---\n")
    assert values["title"] == "Pie"
    assert values["c"] == "&c [*b, *b]"


def test_what_is_no_object() -> None:
    assert split("---\n- a\n- b\n---\nBody") == ({}, "Body")
