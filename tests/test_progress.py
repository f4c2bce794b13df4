from chef.progress import ConsoleProgress, Progress


def work(progress: Progress) -> None:
    with progress:
        progress.stage("reading recipes")
        progress.advance(3)
        progress.say("one was [empty]")
        progress.stage("looking at photos", 1200)
        for _ in range(1200):
            progress.advance(detail="loss 0.5")


def test_the_plain_one_is_silent(capsys):
    work(Progress())
    assert capsys.readouterr() == ("", "")


def test_a_line_per_stage_where_there_is_no_terminal(capsys):
    work(ConsoleProgress())
    assert capsys.readouterr() == ("", "reading recipes\none was [empty]\nlooking at photos (1,200)\n")


def test_a_bar_per_stage_on_a_terminal(capsys, monkeypatch):
    for name, value in {"FORCE_COLOR": "1", "COLUMNS": "120", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    work(ConsoleProgress())
    out, err = capsys.readouterr()
    assert out == ""
    for part in ("reading recipes", "3/3", "one was [empty]", "looking at photos", "1200/1200", "loss 0.5"):
        assert part in err
