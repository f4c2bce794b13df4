"""Names on the page."""

from __future__ import annotations

from chef.report.names import counted, data_name, listed, of_run, order, shown


def test_models_are_called_as_in_the_paper():
    names = ["t+t+l", "g+l+l-attention", "acme", "acme (batch statistics)", "my own"]
    assert [shown(name) for name in names] == [
        "T+T+L",
        "G+L+L with attention",
        "ACME",
        "ACME, batch norm in training mode",
        "my own",
    ]


def test_the_order_is_that_of_the_papers_tables():
    names = ["my own", "t+t+l", "s+l+l", "g+l+l", "acme (batch statistics)", "acme", "pic2rec"]
    assert sorted(names, key=order) == [
        "pic2rec",
        "acme",
        "acme (batch statistics)",
        "s+l+l",
        "g+l+l",
        "t+t+l",
        "my own",
    ]


def test_words():
    assert [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
    assert [counted(1, "query", "queries"), counted(1200, "recipe")] == ["1 query", "1,200 recipes"]
    assert of_run("t+t+l", 3) == "T+T+L (training seed 3)"
    assert [data_name(data) for data in ("some/folder", "open", "https://host/a/b")] == [
        "folder",
        "open",
        "https://host/a/b",
    ]
