from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from chef.data.doctor.checks.photo import look
from chef.data.doctor.checks.photos import looks


def test_a_pool_sees_what_one_process_sees_in_order(tmp_path: Path) -> None:
    references = []
    for number in range(70):  # enough for a pool
        path = tmp_path / f"{number}.png"
        coarse = np.random.default_rng(number).integers(0, 256, (7, 9, 3), np.uint8)
        Image.fromarray(coarse).resize((130, 130), Image.Resampling.BICUBIC).save(path)
        references.append(str(path))
    references[5] = str(tmp_path / "missing.png")
    assert list(looks(references)) == [look(reference) for reference in references]
