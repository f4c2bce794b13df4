"""Health and metrics."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Response

from chef.serve.access import Reader
from chef.serve.openapi import failures
from chef.serve.service import CurrentService

router = APIRouter(tags=["status"])


@dataclass(frozen=True, slots=True)
class HealthAnswer:
    status: str


@router.get("/api/health")
async def health() -> HealthAnswer:
    """Whether the process is alive; open to all, and says nothing else."""
    return HealthAnswer("ok")


@router.get(
    "/api/ready",
    responses={status: response for status, response in failures().items() if status in (429, 503)},
)
async def ready(service: CurrentService) -> HealthAnswer:
    """Whether requests would be served: the collection and its model are readable. Open to all."""
    await service.probe(service.index.ready)
    return HealthAnswer("ready")


@router.get(
    "/api/metrics",
    dependencies=[Reader],
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **failures()},
)
async def metrics(service: CurrentService) -> Response:
    """Counts and times in Prometheus' text format."""
    info = await service.probe(service.index.info)
    service.metrics.recipes.set(info.recipes)
    service.metrics.version.set(info.version)
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4")
