from __future__ import annotations

from chef.serve.metrics import Metrics


def test_the_text_has_the_names_and_labels_that_dashboards_know():
    metrics = Metrics()
    for status, seconds in ((200, 0.02), (200, 3.0), (422, 0.001)):
        metrics.requests.labels("POST", "/api/search", status).inc()
        metrics.seconds.labels("/api/search").observe(seconds)
    metrics.batch_size.labels("photo").observe(3)
    metrics.recipes.set(24)
    metrics.rejected.inc(3)
    lines = metrics.text().decode().splitlines()
    assert 'chef_requests_total{method="POST",route="/api/search",status="200"} 2.0' in lines
    assert 'chef_request_seconds_bucket{le="0.025",route="/api/search"} 2.0' in lines
    assert 'chef_request_seconds_sum{route="/api/search"} 3.021' in lines
    assert 'chef_embed_batch_size_bucket{kind="photo",le="4.0"} 1.0' in lines
    assert "chef_recipes 24.0" in lines
    assert "chef_turned_away_total 3.0" in lines
    names = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert names == {
        "chef_requests_total", "chef_request_seconds", "chef_embed_batch_size", "chef_recipes",
        "chef_index_version", "chef_requests_busy", "chef_writes_busy", "chef_model_waiting",
        "chef_turned_away_total",
    }  # fmt: skip


def test_requests_are_counted_under_their_route_not_their_path(client):
    for name in ("one", "two", "a/b"):
        client.get(f"/api/recipes/{name}")
        client.get(f"/no/{name}")
    text = client.get("/api/metrics").text
    assert 'route="/api/recipes/{id:path}",status="404"' in text
    assert "two" not in text
    assert 'route="other"' in text
