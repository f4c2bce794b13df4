"""The container file and the example of replicas, as far as they can be checked without building them."""

import re

import yaml

from tests.conftest import ROOT

EXAMPLE = ROOT / "examples" / "replicas"
REPLICAS = ["chef-1", "chef-2", "chef-3"]


def test_the_container_runs_as_nobody_special_with_a_health_check_and_pinned_versions():
    text = (ROOT / "Containerfile").read_text()
    assert re.findall(r"^FROM (\S+)", text, re.M) == ["${BASE}"] * 2
    assert re.search(r"^ARG BASE=python:3\.11-slim-bookworm@sha256:[0-9a-f]{64}$", text, re.M)
    assert text.index("USER chef") < text.index('CMD ["sh"')
    assert "-c /tmp/constraints.txt torch " in text
    assert "--no-deps --require-hashes -r /tmp/requirements-serve.lock" in text
    assert "HEALTHCHECK" in text
    assert "/api/ready" in text
    for source in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.M):
        for name in source.split():
            assert (ROOT / name).exists()
            assert f"!{name}\n" in (ROOT / "Containerfile.dockerignore").read_text()


def test_the_replicas_share_one_collection_and_the_proxy_knows_them_all():
    services = yaml.safe_load((EXAMPLE / "compose.yaml").read_text())["services"]
    assert [name for name in services if name.startswith("chef-")] == REPLICAS
    for service in (services[name] for name in REPLICAS):
        assert service["volumes"] == ["collection:/data"]
        assert service["environment"]["CHEF_INDEX"] == "${CHEF_INDEX:-/data/collection}"
        assert (EXAMPLE / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert list(services["proxy"]["depends_on"]) == REPLICAS
    proxy = (EXAMPLE / "nginx.conf").read_text()
    assert re.findall(r"server (\S+):8000 max_fails=0;", proxy) == REPLICAS
    assert "proxy_next_upstream error http_429 http_502 http_503 non_idempotent;" in proxy
    assert "proxy_next_upstream_tries 2;" in proxy
