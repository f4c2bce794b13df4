"""Make src/chef/bundled/cookbook.arrow: the cookbook as a collection of the best bundled model.

    python scripts/make_cookbook.py

To be run again after a change of the model, the cookbook, or the reading of recipes; a test says so.
"""

import json

import pyarrow as pa

import chef
from chef.bundled import COLLECTION, best, cookbook, shipped_folder
from chef.files import atomic_file, temporary_folder
from chef.index import Index
from chef.index.cookbook import MADE_OF, made_of
from chef.index.values import METADATA

with temporary_folder() as folder:
    index = Index(folder, chef.load(best(), eight_bits=False))  # the same on every machine
    index.add(cookbook())
    table = index._store.table.to_arrow().sort_by("id")
    metadata = index._store.metadata | {MADE_OF: made_of(shipped_folder(best()))}
half = pa.list_(pa.float16(), metadata["dimension"])
fields = [field.with_type(half) if "vector" in field.name else field for field in table.schema]
table = table.cast(pa.schema(fields, {METADATA: json.dumps(metadata)}))
options = pa.ipc.IpcWriteOptions(compression="zstd")
with atomic_file(COLLECTION) as file, pa.ipc.new_file(file, table.schema, options=options) as writer:
    writer.write_table(table)
print(f"{COLLECTION}: {len(table)} recipes, {COLLECTION.stat().st_size / 1e6:.1f} MB")
