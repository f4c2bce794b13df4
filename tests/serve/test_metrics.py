from __future__ import annotations

import re

from chef.serve.metrics import Metrics


def test_the_text_counts_what_happened():
    metrics = Metrics()
    metrics.request("/api/search", "POST", 200, 0.02)
    metrics.request("/api/search", "POST", 200, 3.0)
    metrics.request("/api/search", "POST", 422, 0.001)
    metrics.batch("photo", 3)
    lines = metrics.text(
        {"chef_recipes": ("Recipes.", 24.0)}, {"chef_turned_away_total": ("Sent away.", 3.0)}
    ).splitlines()
    assert 'chef_requests_total{method="POST",route="/api/search",status="200"} 2' in lines
    assert 'chef_requests_total{method="POST",route="/api/search",status="422"} 1' in lines
    assert 'chef_request_seconds_bucket{route="/api/search",le="0.025"} 2' in lines
    assert 'chef_request_seconds_bucket{route="/api/search",le="+Inf"} 3' in lines
    assert 'chef_request_seconds_count{route="/api/search"} 3' in lines
    assert 'chef_request_seconds_sum{route="/api/search"} 3.021000' in lines
    assert 'chef_embed_batch_size_bucket{kind="photo",le="4"} 1' in lines
    assert "chef_recipes 24" in lines
    assert lines[-2:] == ["# TYPE chef_turned_away_total counter", "chef_turned_away_total 3"]


def test_every_line_is_prometheus_text():
    metrics = Metrics()
    metrics.request('/odd"\\\npath', "GET", 404, 0.1)
    for line in metrics.text({"chef_recipes": ("Recipes.", 1.0)}, {}).splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+(\{(\w+="(\\.|[^"\\])*",?)+\})? [-+.\de]+', line), line


def test_requests_are_counted_under_their_route_not_their_path(client):
    for name in ("one", "two", "a/b"):
        client.get(f"/api/recipes/{name}")
        client.get(f"/no/{name}")
    text = client.get("/api/metrics").text
    assert 'route="/api/recipes/{id:path}",status="404"' in text
    assert "two" not in text
    assert 'route="other"' in text
