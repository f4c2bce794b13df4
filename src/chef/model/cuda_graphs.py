"""CUDA graphs: many small launches recorded once and replayed as one.

A host takes longer to launch a hundred small kernels than a GPU to run them. A graph always reads and
writes the same memory, so a second forward pass must not start in it before the backward pass of the
first one is done: a `Ticket` says who uses it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any
from weakref import ReferenceType, WeakKeyDictionary, ref

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

Run = Callable[[nn.Module, Tensor], Tensor]

_SEEN = 2  # times that a shape occurs before it is recorded
_MOST = 32  # graphs of one network


class Ticket:
    """Held by one forward pass until its backward pass is done."""

    done = False


class Memory:
    """The memory of a graph, which holds one batch at a time."""

    def __init__(self) -> None:
        self._held: ReferenceType[Ticket] | None = None

    @property
    def free(self) -> bool:
        """Whether no backward pass is pending for the batch in it."""
        ticket = self._held() if self._held else None
        return ticket is None or ticket.done

    def take(self) -> Ticket:
        """Claim the memory for a batch; the holder of the ticket may still ask for its gradient."""
        ticket = Ticket()
        self._held = ref(ticket)
        return ticket

    def check(self, ticket: Ticket) -> None:
        """Raise an error unless the batch of this ticket is still here."""
        if self._held is None or self._held() is not ticket:
            raise RuntimeError("a second backward pass, but another batch has taken the place of this one")
        ticket.done = True


def record(step: Callable[[], Any], pool: Any = None) -> tuple[torch.cuda.CUDAGraph, Any]:
    """A graph of the launches of `step`, and its result: memory that every replay overwrites."""
    graph = torch.cuda.CUDAGraph()
    # Other threads (such as a data loader's) keep using the GPU meanwhile.
    with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
        results = step()
    return graph, results


def warm_up(step: Callable[[], Any]) -> None:
    """Run it once on a side stream, so that kernels are compiled and libraries set up before recording."""
    side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        step()
    torch.cuda.current_stream().wait_stream(side)


def run_graphed(network: nn.Module, run: Run, x: Tensor) -> Tensor:
    """run(network, x) for networks with many small launches, such as recurrent ones.

    A shape of x that occurs again is recorded. The graphs live as long as the network.
    """
    parameters = tuple(item for item in network.parameters() if item.requires_grad)
    keep = torch.is_grad_enabled() and (bool(parameters) or x.requires_grad)
    addresses = tuple(item.data_ptr() for item in network.parameters())
    known = _NETWORKS.setdefault(network, {})
    key = (x.shape, x.dtype, keep, x.requires_grad, len(parameters), addresses, network.training, _autocast())
    graph = known.get(key, 0)
    if isinstance(graph, int):
        if graph + 1 < _SEEN or len(known) > _MOST:
            known[key] = graph + 1
            return run(network, x)
        graph = known[key] = _NetworkGraph(network, run, x, keep)
    if not graph.memory.free:
        return run(network, x)
    result: Tensor = _Replay.apply(graph, x, *parameters)  # type: ignore[no-untyped-call]
    return result


def _autocast() -> tuple[torch.dtype, bool]:
    return torch.get_autocast_dtype("cuda"), torch.is_autocast_enabled("cuda")


def twin(network: nn.Module) -> nn.Module:
    """The same network over the same memory, but new to autograd.

    Autograd ties a parameter to the stream it was first used on, and a recording must not wait for that.
    """
    other = copy.deepcopy(network)
    for mine, its in ((network.parameters(), other.parameters()), (network.buffers(), other.buffers())):
        for ours, new in zip(mine, its, strict=True):
            new.data = ours.data
    return other


class _NetworkGraph:
    def __init__(self, network: nn.Module, run: Run, x: Tensor, keep: bool) -> None:
        self.memory, self.keep, self.twin = Memory(), keep, twin(network)
        self.x = x.detach().clone(memory_format=torch.preserve_format).requires_grad_(x.requires_grad)
        wanted = [item for item in (self.x, *self.twin.parameters()) if item.requires_grad]

        def forward() -> Tensor:
            # Without autocast's cache: a weight rounded before the recording would never be rounded again.
            dtype, enabled = _autocast()
            with torch.set_grad_enabled(keep), torch.autocast("cuda", dtype, enabled, cache_enabled=False):
                return run(self.twin, self.x)

        def gradient(out: Tensor) -> tuple[Tensor, ...]:
            return torch.autograd.grad(out, wanted, self.grad)

        def both() -> None:
            out = forward()
            self.grad = torch.zeros_like(out)
            if keep:
                gradient(out)

        warm_up(both)
        self.forward, out = record(forward)
        if keep:
            self.backward, self.results = record(lambda: gradient(out), self.forward.pool())
        self.out = out.detach()


class _Replay(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, graph: _NetworkGraph, x: Tensor, *parameters: Tensor) -> Tensor:
        graph.x.detach().copy_(x)
        graph.forward.replay()
        if graph.keep:
            ctx.graph, ctx.ticket = graph, graph.memory.take()
        out: Tensor = graph.out.clone()
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        ctx.graph.memory.check(ctx.ticket)
        ctx.graph.grad.copy_(grad)
        ctx.graph.backward.replay()
        grads = (result.clone() for result in ctx.graph.results)
        return (None, *(next(grads) if need else None for need in ctx.needs_input_grad[1:]))


_NETWORKS: WeakKeyDictionary[nn.Module, dict[Any, int | _NetworkGraph]] = WeakKeyDictionary()
