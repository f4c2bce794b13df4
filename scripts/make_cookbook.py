"""Make src/chef/bundled/cookbook.arrow: the cookbook as a collection of the best bundled model.

    python scripts/make_cookbook.py [MODEL [OUT]]

To be run again after a change of the model, the cookbook, or the reading of recipes; a test says so. The last
stage of experiments/base.py runs it.
"""

import json
import sys
from pathlib import Path

import pyarrow as pa

import chef
from chef.bundled import COLLECTION, best, cookbook, shipped_folder
from chef.files import atomic_file, temporary_folder
from chef.index import Index
from chef.index.cookbook import MADE_OF, made_of
from chef.index.values import METADATA

model = Path(sys.argv[1]) if len(sys.argv) > 1 else shipped_folder(best())
out = Path(sys.argv[2]) if len(sys.argv) > 2 else COLLECTION
with temporary_folder() as folder:
    index = Index(folder, chef.load(model, eight_bits=False))  # the same on every machine
    index.add(cookbook())
    table = index._store.table.to_arrow().sort_by("id")
    metadata = index._store.metadata | {MADE_OF: made_of(model)}
half = pa.list_(pa.float16(), metadata["dimension"])
fields = [field.with_type(half) if "vector" in field.name else field for field in table.schema]
table = table.cast(pa.schema(fields, {METADATA: json.dumps(metadata)}))
options = pa.ipc.IpcWriteOptions(compression="zstd")
with atomic_file(out) as file, pa.ipc.new_file(file, table.schema, options=options) as writer:
    writer.write_table(table)
print(f"{out}: {len(table)} recipes, {out.stat().st_size / 1e6:.1f} MB")
