"""Health and metrics."""

from __future__ import annotations

from fastapi import APIRouter, Response

from chef.serve import answers
from chef.serve.access import Reader
from chef.serve.routes.common import Served, failures

router = APIRouter(tags=["status"])


@router.get("/api/health", response_model=answers.HealthAnswer)
async def health() -> dict[str, str]:
    """Whether the service answers; open to all, and says nothing else."""
    return {"status": "ok"}


@router.get(
    "/api/metrics",
    dependencies=[Reader],
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **failures()},
)
async def metrics(service: Served) -> Response:
    """Counts and times in Prometheus' text format."""
    info = await service.work(service.index.info)
    gauges = {
        "chef_recipes": ("Recipes of the collection.", info.recipes),
        "chef_index_version": ("Version of the collection.", info.version),
        "chef_requests_busy": ("Requests at work or waiting.", service.busy),
        "chef_model_waiting": ("Jobs that wait for the model.", service.chef.thread.waiting),
    }
    text = service.metrics.text({name: (about, float(value)) for name, (about, value) in gauges.items()})
    return Response(text, media_type="text/plain; version=0.0.4")
