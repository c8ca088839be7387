"""Dashboard, alert rules and docs name metrics that there are, and the docs all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from docsmcp_site.config import PROJECT_ROOT
from docsmcp_site.gauges import read_gauges

FILES = ["deploy/grafana/docsmcp.json", "deploy/prometheus/alerts.yaml", "docs/observability.md"]
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
