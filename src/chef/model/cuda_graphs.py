"""CUDA graphs: many small launches recorded once and replayed as one.

A host takes longer to launch a hundred small kernels than a GPU to run them. A graph always reads and
writes the same memory, so a second forward pass must not start in it before the backward pass of the
first one is done: a `Ticket` says who uses it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Generic, Protocol, Self, TypeVar
from weakref import ReferenceType, WeakKeyDictionary, ref

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

Run = Callable[[nn.Module, Tensor], Tensor]
Network = TypeVar("Network", bound=nn.Module)

_SEEN = 2  # times that a shape occurs before it is recorded
_MOST, _MOST_EVALUATED = 32, 4  # graphs of one network; those of batches without a gradient vary most
_PATIENCE = 3  # batches that do not fit before a graph with room to spare is recorded for them
_MOST_RECORDED = 8  # of those, one after another; batches that still do not fit are too different for graphs


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
    """Run it once on a side stream, so that kernels are compiled and libraries set up before recording.

    What it took is given back: torch would keep it for that stream alone.
    """
    side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        step()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    torch.cuda.empty_cache()


def in_parallel(first: Callable[[], Tensor], second: Callable[[], Tensor]) -> tuple[Tensor, Tensor]:
    """Both results; inside a recording the two become branches, which a GPU works on at the same time."""
    if not (torch.cuda.is_available() and torch.cuda.is_current_stream_capturing()):
        return first(), second()
    stream, side = torch.cuda.current_stream(), torch.cuda.Stream()  # type: ignore[no-untyped-call]
    side.wait_stream(stream)
    with torch.cuda.stream(side):
        other = second()
    one = first()
    stream.wait_stream(side)
    return one, other


@cache
def side_stream(device: torch.device) -> torch.cuda.Stream:
    """A second stream, for work that fills the gaps of the first one's."""
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]


@contextmanager
def beside(device: torch.device) -> Iterator[None]:
    """Launch on the second stream what does not depend on the work that the caller launches next.

    `join_beside` makes the first stream wait for it. The backward pass runs beside by itself.
    """
    if device.type != "cuda":
        yield
        return
    side = side_stream(device)
    side.wait_stream(torch.cuda.current_stream(device))
    with torch.cuda.stream(side):
        yield


def join_beside(*results: Tensor) -> None:
    """Wait for results from the second stream before the first one uses them."""
    device = results[0].device
    if device.type == "cuda":
        stream = torch.cuda.current_stream(device)
        stream.wait_stream(side_stream(device))
        for result in results:
            result.record_stream(stream)


def run_graphed(network: nn.Module, run: Run, x: Tensor) -> Tensor:
    """run(network, x) for networks with many small launches, such as recurrent ones.

    A shape of x that occurs again is recorded. The graphs live as long as the network, and share memory.
    """
    if torch.cuda.is_current_stream_capturing():  # it becomes part of a larger graph
        return run(network, x)
    parameters = tuple(item for item in network.parameters() if item.requires_grad)
    keep = torch.is_grad_enabled() and (bool(parameters) or x.requires_grad)
    graphs = _NETWORKS.get(network) or _NETWORKS.setdefault(network, _Graphs())
    state = (addresses(network), _autocast())
    key = (x.shape, x.dtype, keep, x.requires_grad, len(parameters), *state, network.training)
    graph = graphs.known.get(key, 0)
    if not graphs.memory.free:
        return run(network, x)
    if isinstance(graph, int):
        if graph + 1 < _SEEN or len(graphs.known) > (_MOST if keep else _MOST_EVALUATED):
            graphs.known[key] = graph + 1
            return run(network, x)
        graph = graphs.known[key] = _NetworkGraph(network, run, x, keep, graphs)
    result: Tensor = _Replay.apply(graph, x, *parameters)  # type: ignore[no-untyped-call]
    return result


def addresses(network: nn.Module) -> tuple[int, ...]:
    """Where the parameters lie: a graph reads them there."""
    return tuple(item.data_ptr() for item in network.parameters())


def _autocast() -> tuple[torch.dtype, bool]:
    return torch.get_autocast_dtype("cuda"), torch.is_autocast_enabled("cuda")


def twin(network: Network) -> Network:
    """The same network over the same memory, but new to autograd.

    Autograd ties a parameter to the stream it was first used on, and a recording must not wait for that.
    """
    other = copy.deepcopy(network)
    for mine, its in ((network.parameters(), other.parameters()), (network.buffers(), other.buffers())):
        for ours, new in zip(mine, its, strict=True):
            new.data = ours.data
    return other


class Recording:
    """A forward pass and its backward pass to `wanted`, recorded.

    forward: gives tensors that depend on `wanted`, and others; it always reads the same memory. others: whose
    memory it shares, of which one at a time holds a batch.
    """

    def __init__(
        self,
        forward: Callable[[], tuple[list[Tensor], list[Tensor]]],
        wanted: list[Tensor],
        keep: bool,
        others: _Graphs | None = None,
    ) -> None:
        self.memory, self.keep = others.memory if others else Memory(), keep

        def run() -> tuple[list[Tensor], list[Tensor]]:
            # Without autocast's cache: a weight rounded before the recording would never be rounded again.
            dtype, enabled = _autocast()
            with torch.set_grad_enabled(keep), torch.autocast("cuda", dtype, enabled, cache_enabled=False):
                return forward()

        def gradient(outputs: list[Tensor]) -> Tensor:
            # As one tensor, so that it takes one copy out of the graph's memory.
            grads = torch.autograd.grad(outputs, wanted, self.grads, materialize_grads=True)
            return torch.cat([grad.flatten() for grad in grads])

        def both() -> None:
            outputs, _ = run()
            self.grads = [torch.zeros_like(output) for output in outputs]
            if keep:
                gradient(outputs)

        warm_up(both)
        self._forward, (outputs, self.others) = record(run, others.pool if others else None)
        if keep:
            self._backward, self._results = record(lambda: gradient(outputs), self._forward.pool())
            self._wanted = wanted
        self.outputs = [output.detach() for output in outputs]

    def replay(self) -> Ticket | None:
        """Fill `outputs` and `others`, which the next one overwrites.

        With a backward pass to come, the memory is held for it.
        """
        self._forward.replay()
        return self.memory.take() if self.keep else None

    def replay_backward(self, ticket: Ticket) -> list[Tensor]:
        """The gradients of `wanted` from `grads`, which the caller has filled."""
        self.memory.check(ticket)
        self._backward.replay()
        parts = torch.split(self._results.clone(), [item.numel() for item in self._wanted])
        return [part.view_as(item).to(item.dtype) for part, item in zip(parts, self._wanted, strict=True)]


class _Graphs:
    """The graphs of one network by what they were recorded for, or how often that has occurred."""

    def __init__(self) -> None:
        self.known: dict[Any, int | _NetworkGraph] = {}
        self.memory = Memory()
        self.pool = torch.cuda.graph_pool_handle()


class _NetworkGraph(Recording):
    def __init__(self, network: nn.Module, run: Run, x: Tensor, keep: bool, graphs: _Graphs) -> None:
        copied = twin(network)
        self.x = x.detach().clone(memory_format=torch.preserve_format).requires_grad_(x.requires_grad)
        wanted = [item for item in (self.x, *copied.parameters()) if item.requires_grad]
        super().__init__(lambda: ([run(copied, self.x)], []), wanted, keep, graphs)


class _Replay(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, graph: _NetworkGraph, x: Tensor, *parameters: Tensor) -> Tensor:
        graph.x.detach().copy_(x)
        ctx.graph, ctx.ticket = graph, graph.replay()
        out: Tensor = graph.outputs[0].clone()
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        ctx.graph.grads[0].copy_(grad)
        grads = iter(ctx.graph.replay_backward(ctx.ticket))
        return (None, *(next(grads) if need else None for need in ctx.needs_input_grad[1:]))


class RoomToSpare(Protocol):
    """The size of a batch, and how large a graph should be that takes batches like it."""

    @property
    def nodes(self) -> int: ...
    def holds(self, other: Self) -> bool: ...
    def with_spare(self, seen: Self | None) -> Self: ...


class _HasMemory(Protocol):
    memory: Memory


Size = TypeVar("Size", bound=RoomToSpare)
Graph = TypeVar("Graph", bound=_HasMemory)


class Recorder(Generic[Size, Graph]):
    """A graph with room to spare for batches of different sizes, and when to record another one.

    A batch that does not fit runs without a graph. If such batches keep coming, a larger one is recorded.
    """

    def __init__(self) -> None:
        self.graph: Graph | None = None
        self.misses = self.recorded = 0
        self._key: Any = None  # what the graph was recorded for, besides its size
        self._wanted_key: Any = None
        self._room: Size | None = None
        self._made_for = 0
        self._wanted: Size | None = None

    def graph_for(self, key: Any, size: Size, make: Callable[[Size], Graph]) -> Graph | None:
        """The graph to run a batch with; None: run without one."""
        if self.graph and self._suits(key, size):
            self.misses = 0
            return self.graph if self.graph.memory.free else None
        self.misses += 1
        self._wanted = size.with_spare(self._wanted if key == self._wanted_key else None)
        self._wanted_key = key
        too_soon = self.misses < _PATIENCE or (self.graph is not None and not self.graph.memory.free)
        if too_soon or self.recorded == _MOST_RECORDED:
            return None
        self.graph = None  # free its memory first
        try:
            self.graph = make(self._wanted)
        except torch.OutOfMemoryError:
            self.recorded = _MOST_RECORDED  # no memory for graphs on this GPU
            return None
        self._key, self._room, self._made_for = key, self._wanted, size.nodes
        self.misses, self.recorded = 0, self.recorded + 1
        return self.graph

    def _suits(self, key: Any, size: Size) -> bool:
        """Whether a batch fits, and is not so small that it would pay for mostly empty slots."""
        large_enough = 2 * size.nodes >= self._made_for
        return key == self._key and self._room is not None and self._room.holds(size) and large_enough


_NETWORKS: WeakKeyDictionary[nn.Module, _Graphs] = WeakKeyDictionary()
