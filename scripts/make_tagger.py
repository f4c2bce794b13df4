"""Makes src/chef/text/nltk_data/taggers/averaged_perceptron_tagger_eng.zip, as NLTK reads it.

    pip download --no-deps textblob-aptagger==0.2.0
    python scripts/make_tagger.py textblob_aptagger-0.2.0-py2.py3-none-any.whl

The wheel has the weights as a pickle, of which only plain data and `set` are let through. NLTK's own
"averaged_perceptron_tagger_eng" is the same model as JSON; it is not on the Python package index.
"""

from __future__ import annotations

import json
import pickle
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

NAME = "averaged_perceptron_tagger_eng"
OUT = Path(__file__).resolve().parent.parent / f"src/chef/text/nltk_data/taggers/{NAME}.zip"


class PlainData(pickle.Unpickler):
    """Reads dictionaries, lists, tuples, strings, numbers and sets; anything else is an error."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in (("__builtin__", "set"), ("builtins", "set")):
            return set
        raise pickle.UnpicklingError(f"not plain data: {module}.{name}")


def main(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as package:
        weights, tagdict, classes = PlainData(
            BytesIO(package.read("textblob_aptagger/trontagger-0.1.0.pickle"))
        ).load()
        metadata = package.read("textblob_aptagger-0.2.0.dist-info/METADATA").decode()
    start, end = metadata.index("Copyright"), metadata.index("Description:")
    licence = "Weights of textblob-aptagger 0.2.0, https://github.com/sloria/textblob-aptagger\n\n"
    licence += metadata[start:end].replace("Requires-Dist: textblob (>=0.8.0)\n", "")
    members = {
        "LICENSE": licence,
        f"{NAME}.weights.json": json.dumps(weights, separators=(",", ":")),
        f"{NAME}.tagdict.json": json.dumps(tagdict, separators=(",", ":")),
        f"{NAME}.classes.json": json.dumps(sorted(classes)),
    }
    OUT.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(OUT, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in members.items():  # with a fixed date, so that the file is always the same
            archive.writestr(zipfile.ZipInfo(f"{NAME}/{name}"), text, zipfile.ZIP_DEFLATED, 9)
    print(f"{OUT.name}: {len(weights)} features, {len(classes)} tags, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
