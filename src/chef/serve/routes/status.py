"""Health and metrics."""

from __future__ import annotations

from fastapi import APIRouter, Response

from chef.serve import answers
from chef.serve.access import Reader
from chef.serve.routes.common import Served, failures

router = APIRouter(tags=["status"])


@router.get("/api/health", response_model=answers.HealthAnswer)
async def health() -> dict[str, str]:
    """Whether the process lives; open to all, and says nothing else."""
    return {"status": "ok"}


@router.get(
    "/api/ready",
    response_model=answers.HealthAnswer,
    responses={status: said for status, said in failures().items() if status in (429, 503)},
)
async def ready(service: Served) -> dict[str, str]:
    """Whether requests would be served: the collection can be reached, with its model. Open to all."""
    await service.look(service.index.ready)
    return {"status": "ready"}


@router.get(
    "/api/metrics",
    dependencies=[Reader],
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **failures()},
)
async def metrics(service: Served) -> Response:
    """Counts and times in Prometheus' text format."""
    info = await service.look(service.index.info)
    reading, writing = service.reading, service.writing
    gauges = {
        "chef_recipes": ("Recipes of the collection.", float(info.recipes)),
        "chef_index_version": ("Version of the collection.", float(info.version)),
        "chef_requests_busy": ("Readers at work or waiting.", float(reading.busy)),
        "chef_writes_busy": ("Writers at work or waiting.", float(writing.busy)),
        "chef_model_waiting": (
            "Jobs that wait for the model.",
            float(service.thread.waiting if service.thread else 0),
        ),
    }
    turned_away = float(reading.turned_away + writing.turned_away)
    counters = {"chef_turned_away_total": ("Requests answered 429 for want of room.", turned_away)}
    return Response(service.metrics.text(gauges, counters), media_type="text/plain; version=0.0.4")
