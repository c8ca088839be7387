"""Dashboard, alert rules and docs name metrics that there are, and the docs all of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY

from docsmcp_site.configuration.config import PROJECT_ROOT
from docsmcp_site.middleware.probes import PROBES
from docsmcp_site.observability.gauges import read_gauges

FILES = ["deploy/grafana/docsmcp.json", "deploy/prometheus/alerts.yaml", "docs/observability.md"]
PROMETHEUS = PROJECT_ROOT / "deploy/prometheus"
NAME = re.compile(r"\bdocsmcp_[a-z_]+")

pytestmark = pytest.mark.django_db


def get_names() -> set[str]:
    """As Prometheus stores them, but for the ending of a histogram's parts."""
    counted = {
        f"{metric.name}_total" if metric.type == "counter" else metric.name
        for metric in REGISTRY.collect()
        if metric.name.startswith("docsmcp_")
    }
    return counted | {metric.name for metric in read_gauges()}


def read_names(path: str) -> set[str]:
    found = NAME.findall(Path(PROJECT_ROOT / path).read_text())
    return {re.sub(r"(?<=_seconds)_(bucket|sum|count)$", "", name) for name in found}


@pytest.mark.parametrize("path", FILES)
def test_every_metric_that_is_named_exists(path: str) -> None:
    named = read_names(path)
    assert named
    assert named <= get_names()


def test_the_docs_name_every_metric() -> None:
    assert read_names("docs/observability.md") == get_names()


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def list_expressions() -> list[str]:
    rules = [rule for group in read_yaml(PROMETHEUS / "alerts.yaml")["groups"] for rule in group["rules"]]
    return [rule["expr"] for rule in rules]


def find_web_pod() -> dict[str, Any]:
    manifests = yaml.safe_load_all((PROJECT_ROOT / "deploy/kubernetes/web.yaml").read_text())
    template: dict[str, Any] = next(each for each in manifests if each["kind"] == "Deployment")["spec"]["template"]
    return template


def test_the_alerts_look_for_the_job_that_is_scraped() -> None:
    wanted = {job for each in list_expressions() for job in re.findall(r'job="([^"]+)"', each)}
    scraped = [job for path in PROMETHEUS.glob("scrape*.yaml") for job in read_yaml(path)["scrape_configs"]]
    assert {job["job_name"] for job in scraped} == wanted
    monitor = read_yaml(PROMETHEUS / "podmonitor.yaml")["spec"]
    assert {find_web_pod()["metadata"]["labels"][monitor["jobLabel"]]} == wanted
    assert len(scraped) == 2


def test_the_monitor_finds_the_web_pods_and_has_their_token() -> None:
    monitor, pod = read_yaml(PROMETHEUS / "podmonitor.yaml")["spec"], find_web_pod()
    container = pod["spec"]["containers"][0]
    endpoint = monitor["podMetricsEndpoints"][0]
    assert monitor["selector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
    assert endpoint["port"] in {port["name"] for port in container["ports"]}
    assert endpoint["path"] in PROBES
    secrets = {source["secretRef"]["name"] for source in container["envFrom"] if "secretRef" in source}
    assert endpoint["authorization"]["credentials"] == {"name": secrets.pop(), "key": "METRICS_TOKEN"}


def test_what_is_asked_in_compose_is_the_web_server() -> None:
    services = read_yaml(PROJECT_ROOT / "compose.yaml")["services"]
    asked = read_yaml(PROMETHEUS / "scrape.compose.yaml")["scrape_configs"][0]["dns_sd_configs"][0]
    assert set(asked["names"]) <= services.keys()
    assert str(asked["port"]) == services["web"]["environment"]["MCP_SERVER_PORT"]


def test_errors_are_not_counted_of_probes() -> None:
    about_errors = [each for each in list_expressions() if 'status="5xx"' in each and 'surface="readyz"' not in each]
    assert about_errors
    excluded = [
        found for each in about_errors for found in re.findall(r"http_requests_total\{surface!~\"([^\"]+)\"", each)
    ]
    assert len(excluded) == sum(each.count("http_requests_total") for each in about_errors)
    assert {frozenset(each.split("|")) for each in excluded} == {frozenset(path.lstrip("/") for path in PROBES)}


def test_the_docs_name_every_file_for_prometheus() -> None:
    page = (PROJECT_ROOT / "docs/observability.md").read_text()
    assert [path.name for path in PROMETHEUS.iterdir() if f"deploy/prometheus/{path.name}" not in page] == []
