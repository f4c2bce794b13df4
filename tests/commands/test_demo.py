from __future__ import annotations

import subprocess
import sys

from PIL import Image


def test_the_demo_goes_to_its_end_and_again(tmp_path):
    call = [sys.executable, "-m", "chef", "demo", "--recipes", "100", "--epochs", "1", "--out", str(tmp_path)]
    for _ in range(2):
        done = subprocess.run(call, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        for said in ("canonical", "grams", "before", "after", "main ingredient:"):
            assert said in done.stdout
    with Image.open(tmp_path / "plates.png") as sheet:
        assert min(sheet.size) > 500
