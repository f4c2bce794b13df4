from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/api/health", "/api/recipes/nobody", "/nowhere", "/page/nothing.js"]
)
def test_every_answer_keeps_the_page_to_itself(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_no_page_of_another_site_gets_an_answer_it_may_read(client):
    answer = client.options(
        "/api/recipes", headers={"origin": "https://example.org", "access-control-request-method": "POST"}
    )
    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers
