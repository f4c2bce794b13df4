from __future__ import annotations

import subprocess
import sys
from threading import Thread

import pytest

from chef.text.hidden import hidden


@pytest.fixture
def package(tmp_path, monkeypatch):
    (tmp_path / "large_one").mkdir()
    (tmp_path / "large_one" / "__init__.py").write_text("")
    (tmp_path / "large_one" / "part.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield "large_one"
    for name in [name for name in sys.modules if name.startswith("large_one")]:
        del sys.modules[name]


def test_hidden_inside_and_there_afterwards(package):
    with hidden(package):
        with pytest.raises(ImportError):
            __import__(package)
        with pytest.raises(ImportError):
            __import__(f"{package}.part")
        import json  # all else is there

        assert json
    assert __import__(f"{package}.part").part


def test_what_is_loaded_stays(package):
    __import__(package)
    with hidden(package):
        __import__(package)


def test_other_threads_notice_nothing(package):
    found = []
    with hidden(package):
        other = Thread(target=lambda: found.append(__import__(package)))
        other.start()
        other.join()
    assert found


def test_nltk_comes_without_scipy_and_scipy_still_imports():
    code = (
        "import sys; from chef.text.tagger import pos_tag; pos_tag(['stir']); "
        "assert not {'scipy', 'sklearn'} & set(sys.modules); assert 'nltk' in sys.modules; import scipy.stats"
    )
    pytest.importorskip("scipy")
    subprocess.run([sys.executable, "-c", code], check=True)
