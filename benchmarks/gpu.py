"""Everything about speed on a GPU in one run: the steps of both towers, training, and embedding.

    python benchmarks/gpu.py PREPARED --made OUT --json FILE

PREPARED: recipes with photos, from `chef prepare`. OUT: what `experiments/base.py --stage prepare OUT` made.
The benchmarks that it runs, each in a process of its own: tree_lstm.py, train_throughput.py (T+T+L with a
ResNet-50, then chef-base and chef-ttl as they are trained) and embedding.py. A stopped run resumes: what FILE
has is not measured again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def run(program: str, *options: str) -> Any:
    """The JSON object that a benchmark writes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        call = [sys.executable, str(HERE / program), *options, "--json", str(out)]
        subprocess.run(call, check=True)
        return json.loads(out.read_text("utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("prepared", help="a folder that chef prepare made")
    parser.add_argument("--made", required=True, help="the folder of experiments/base.py")
    parser.add_argument("--recipes", default="100000", help="so many are embedded")
    parser.add_argument(
        "--workers", default="8", help="processes that embed; each takes its part of the GPU's memory"
    )
    parser.add_argument("--json", type=Path, required=True, help="a file for the results")
    arguments = parser.parse_args()
    data, out = arguments.prepared, arguments.json
    results = json.loads(out.read_text("utf-8")) if out.exists() else {}
    for name, program, *options in (
        ("embedding", "embedding.py", data, "--recipes", arguments.recipes, "--workers", arguments.workers),
        ("chef-base", "train_throughput.py", data, "--row", "base", "--made", arguments.made),
        ("chef-ttl", "train_throughput.py", data, "--row", "ttl", "--made", arguments.made),
        ("steps", "tree_lstm.py", "--seconds", "2"),
        ("training", "train_throughput.py", data),
    ):
        if name not in results:
            results[name] = run(program, *options)
            out.write_text(json.dumps(results, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
