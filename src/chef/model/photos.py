"""The photo side of a model on ONNX Runtime: photos become vectors without torch, and twice as fast.

`photo.onnx` in a model's folder is the graph alone, written by `chef.model.export.add_photo_graph`; its
weights are read from the model's own files.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from io import BytesIO
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from chef.data.images import BadImage, ImageTransform
from chef.errors import ChefError
from chef.model.folder import check_file, read_weights
from chef.readers.base import image_bytes

if TYPE_CHECKING:
    from PIL import Image

GRAPH = "photo.onnx"
_cores = BoundedSemaphore(os.cpu_count() or 1)  # more runs at a time take memory, not less time

Photo = Union[str, Path, bytes, "Image.Image"]
Array = np.ndarray[Any, Any]
Vectors = np.ndarray[Any, np.dtype[np.float32]]


class PhotoSide:
    """Embeds photos on the CPU, on one thread; several threads may use one at the same time.

    folder: a model's, whose `config` (its config.json) has an entry "photo".

    >>> PhotoSide(folder, read_config(folder)).embed([photo_pixels("dish.jpg", side.transform)])[0].shape
    (1, 1024)
    """

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.folder, self._config = folder, config
        self.fingerprint: str = config["fingerprint"]
        self.transform = ImageTransform.from_json(config["photo"]["transform"])

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        folder, config, facts = self.folder, self._config, self._config["photo"]
        for file in (GRAPH, *facts["files"]):
            check_file(folder, file, config["files"][file])
        weights = read_weights([folder / file for file in facts["files"]], set(facts["weights"]))
        options = onnxruntime.SessionOptions()
        # More threads do not help with one photo: they spin, which doubles the CPU time.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # What a run took goes back to the system; kept, it would be the most that all threads ever took.
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(weights[name]) for name in facts["weights"]]
        options.add_external_initializers([f"model.{name}" for name in facts["weights"]], values)
        graph = (folder / GRAPH).read_bytes()
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def embed(self, pixels: Sequence[Array]) -> tuple[Vectors, Vectors]:
        """Pictures (3, side, side) in the model's scale -> (n, space), and the tower's features (n, F)."""
        # One at a time: the activations of more do not fit into a core's cache.
        with _cores:
            seen = [self._session.run(None, {"pixels": one[None]}) for one in pixels]
        vectors, features = (np.concatenate(parts) for parts in zip(*seen, strict=True))
        return vectors, features


def photo_pixels(photo: Photo, transform: ImageTransform) -> Array:
    """A photo as a path, bytes or Pillow image -> (3, side, side) in the model's scale."""
    if isinstance(photo, str | Path):
        data, name = image_bytes(str(photo)), str(photo)
    elif isinstance(photo, bytes | bytearray | memoryview):
        data, name = bytes(photo), "the photo"
    else:
        # One path for all: an image in memory gives what the same image in a file would.
        buffer = BytesIO()
        photo.convert("RGB").save(buffer, "PNG")
        data, name = buffer.getvalue(), "the image"
    try:
        return transform.pixels(data)
    except BadImage as error:
        raise ChefError(f"{name}: {error.reason}", "give a photo as JPEG, PNG, WebP or HEIC") from error
