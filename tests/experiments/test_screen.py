"""Settings that are tried together: each effect is found whatever the others do."""

from itertools import combinations
from typing import Any

import pytest
import screen


def test_each_setting_is_on_in_four_and_any_two_together_in_two() -> None:
    columns = [[screen.is_on(run, column) for run in range(screen.RUNS)] for column in range(screen.MOST)]
    assert all(sum(column) == 4 for column in columns)
    for one, other in combinations(columns, 2):
        assert sum(a and b for a, b in zip(one, other, strict=True)) == 2
    assert not any(column[0] for column in columns)


def test_rows_have_the_settings_that_are_on() -> None:
    rows = screen.rows({"more": {"a": 1, "b": 2}, "less": {"c": 3}})
    assert rows["screen 0"] == {}
    assert rows["screen 3"] == {"a": 1, "b": 2, "c": 3}
    assert [name for name, row in rows.items() if "c" in row] == [f"screen {run}" for run in (2, 3, 6, 7)]
    with pytest.raises(ValueError, match="8 settings"):
        screen.rows({str(number): {} for number in range(8)})


def test_effects_of_settings_that_add_up_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    effects = {"good": 4.0, "bad": -2.5, "idle": 0.0}

    def result(run: int) -> dict[str, Any]:
        on = [value for column, value in enumerate(effects.values()) if screen.is_on(run, column)]
        figure = {"mean": 40 + sum(on)}
        names = [figure_name for _, figure_name in screen.FIGURES.values()]
        return {"with querybank": dict.fromkeys(names, figure), "among all": figure}

    results = {f"screen {run}": result(run) for run in range(screen.RUNS)}
    screen.table(effects, results)
    lines = capsys.readouterr().out.splitlines()
    assert "| good | +4.0 | +4.0 | +4.0 | +4.0 | +4.0 | +4.0 |" in lines
    assert "| bad | -2.5 | -2.5 | -2.5 | -2.5 | -2.5 | -2.5 |" in lines
    assert sum(line.startswith(f"| {screen.NOTHING} | +0.0") for line in lines) == 4
    del results["screen 5"]
    screen.table(effects, results)
    assert not capsys.readouterr().out
