"""Building a model whose weights are about to be loaded, without first drawing random ones.

Drawing them costs more than loading them: the orthogonal weight of a Tree-LSTM alone takes half as
long as importing torch. torch's way, the meta device, imports its compiler, which takes longer still.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock, get_ident
from typing import Any

from torch import Tensor
from torch.nn import init

_one_at_a_time = RLock()


@contextmanager
def blank() -> Iterator[None]:
    """Modules built inside keep whatever their memory held; other threads notice nothing.

    >>> with blank():
    ...     model = JointModel(config)
    >>> model.load_state_dict(weights)
    """
    names = [name for name in dir(init) if name.endswith("_") and not name.startswith("_")]
    with _one_at_a_time:
        usual = {name: getattr(init, name) for name in names}
        try:
            for name in names:
                setattr(init, name, _skip_here(usual[name]))
            yield
        finally:
            for name in names:
                setattr(init, name, usual[name])


def _skip_here(initialise: Callable[..., Tensor]) -> Callable[..., Tensor]:
    here = get_ident()

    def skipped(tensor: Tensor, *arguments: Any, **settings: Any) -> Tensor:
        return tensor if get_ident() == here else initialise(tensor, *arguments, **settings)

    return skipped
